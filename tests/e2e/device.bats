#!/usr/bin/env bats
# `loadline device` on this machine: real file systems on loop devices, and what it prints.

load lib

# make_image FILE SIZE: a loop device at $LOOP, nothing on it yet.
make_image() {
    truncate -s "$2" "$1"
    attach "$1"
}

# query PATH: the JSON of one path in $output.
query() {
    ll device "$1" --json
    assert_status 0
    output=$(jq --arg path "$1" '.queries[$path]' <<<"$output")
}

# on_loops NAME...: $output names exactly these devices, in order.
on_loops() {
    [ "$(json '[.devices[].device] | join(" ")')" = "$*" ]
    [ "$(json '[.devices[].leaf_disks[]] | join(" ")')" = "$*" ]
}

@test "ext4, a bind mount and a link to it are on its loop device" {
    need jq
    make_disk 32M
    mkdir "$DISK/データ 一" "$WORK/bound"
    query "$DISK/データ 一"
    on_loops "$LOOP"
    json ".filesystem == \"ext4\" and .mount_point == \"$DISK\" and
        (.mount_options | contains(\"noatime\")) and .levels[0].kind == \"loop\" and
        .levels[0].size_bytes == 33554432 and (.backing_file | startswith(\"$e2e_dir/image\"))"
    [ "$(json '.devices[0].devno')" = "$(cat "/sys/block/$LOOP/dev")" ]
    ln -s "$DISK" link
    query link
    on_loops "$LOOP"
    mount --bind "$DISK/データ 一" "$WORK/bound"
    echo "umount $WORK/bound" >>"$e2e_dir/undo"
    query "$WORK/bound"
    on_loops "$LOOP"
    json ".mount_point == \"$WORK/bound\""
    # What holds the file behind the loop device is what holds this folder.
    json .backing_devices >files
    query "$e2e_dir"
    [ "$(json '[.devices[].device]')" = "$(cat files)" ]
}

@test "a machine that tells no mountinfo, or no mounts at all" {
    need jq unshare
    make_disk 32M
    unshare -m true 2>/dev/null || skip "no mount namespace of one's own"
    export LOOP DISK
    run unshare -m bash -c 'mount -t tmpfs none /proc && "$1" device "$DISK" --json' - "$LOADLINE"
    assert_status 0
    json ".queries[\"$DISK\"] | .devices[0].device == \"$LOOP\" and .filesystem == null"
    run unshare -m bash -c 'mount -t tmpfs none /proc &&
        printf "/dev/root / ext4 rw 0 0\n/dev/%s %s ext4 rw,noatime 0 0\n" "$LOOP" "$DISK" \
            >/proc/mounts && "$1" device "$DISK" --json' - "$LOADLINE"
    assert_status 0
    json ".queries[\"$DISK\"] | .devices[0].device == \"$LOOP\" and .filesystem == \"ext4\" and
        (.mount_options | contains(\"noatime\")) and .mount_point == \"$DISK\""
}

@test "xfs" {
    need jq mkfs.xfs
    need_root
    make_image "$e2e_dir/image" 320M
    mkfs.xfs -q "/dev/$LOOP"
    mount_disk_any "/dev/$LOOP"
    query "$DISK"
    on_loops "$LOOP"
    json '.filesystem == "xfs"'
}

# As mount_disk, for file systems without lost+found.
mount_disk_any() {
    DISK=$(mktemp -d "$e2e_dir/disk.XXXXXX")
    mount -o noatime "$1" "$DISK" 2>/dev/null || skip "not allowed to mount"
    echo "umount $DISK || umount --lazy $DISK" >>"$e2e_dir/undo"
}

@test "btrfs on two devices, a subvolume and a snapshot of it" {
    local first second members
    need jq btrfs mkfs.btrfs
    need_root
    grep -qw btrfs /proc/filesystems || skip "no btrfs in this kernel"
    make_image "$e2e_dir/one" 128M
    first=$LOOP
    make_image "$e2e_dir/two" 128M
    second=$LOOP
    mkfs.btrfs -q -d raid0 -m raid1 "/dev/$first" "/dev/$second"
    btrfs device scan "/dev/$first" "/dev/$second" >/dev/null
    mount_disk_any "/dev/$second"
    members=$(printf '%s\n' "$first" "$second" | sort | xargs)
    btrfs -q subvolume create "$DISK/sub" 2>/dev/null || btrfs subvolume create "$DISK/sub"
    btrfs subvolume snapshot "$DISK/sub" "$DISK/snap" >/dev/null
    for path in "$DISK" "$DISK/sub" "$DISK/snap"; do
        query "$path"
        # shellcheck disable=SC2086
        on_loops $members
        json '.filesystem == "btrfs" and (has("incomplete") | not)'
    done
    # A run counts the bytes of both.
    measure --target "$DISK" --phases insert --rows 200 --rows-per-commit 1
    assert_status 0
    json ".devices[0].sampled == \"${members/ /+}\" and .devices[0].leaves == (\"$members\" / \" \")"
    between bytes "$(json '.trials[0].phases[0].devices[].write_bytes')" 819200 200000000
    between flushes "$(json '.trials[0].phases[0].per_commit.flushes')" 1.9 10
    ll report "$LOG"
    assert_status 0
    assert_has "${members/ /+}"
}

@test "an overlay is where its upper directory is" {
    need jq
    need_root
    make_disk 32M
    mkdir "$DISK/upper" "$DISK/work" "$WORK/lower" "$WORK/merged"
    mount -t overlay overlay -o "lowerdir=$WORK/lower,upperdir=$DISK/upper,workdir=$DISK/work" \
        "$WORK/merged" 2>/dev/null || skip "not allowed to mount overlays"
    echo "umount $WORK/merged" >>"$e2e_dir/undo"
    query "$WORK/merged"
    on_loops "$LOOP"
    json '.filesystem == "overlay"'
}

@test "no device is no failure, and says why" {
    need jq
    query /proc
    json '.devices == [] and .reason == "proc has no block device"'
    ll device /proc
    assert_status 0
    assert_has 'proc has no block device'
}

@test "a device's own node" {
    need jq
    need_root
    make_image "$e2e_dir/image" 16M
    query "/dev/$LOOP"
    on_loops "$LOOP"
    json '.filesystem == null'
    ll device "/dev/$LOOP"
    assert_status 0
    assert_has "file $e2e_dir/image" "$(tr -s '\n ' ' ' <<<"$output")"
}

@test "the tree fits 80 and 60 columns, with lines of either kind" {
    local width
    make_server
    for width in 80 60; do
        COLUMNS=$width ll device --root "$WORK/root" /srv/db
        assert_status 0
        # Bytes beyond ASCII would count as more than they show.
        [ "$(sed 's/[└├│─]/x/g' <<<"$output" | wc -L)" -le "$width" ]
        assert_has 'md127p1'
        assert_has 'raid1'
        assert_has 'mq-deadline'
        assert_has 'Example 1TB'
        assert_has 'noatime'
        # The disk below two partitions is there once.
        [ "$(grep -cE '(─|-)sda +disk' <<<"$output")" -eq 1 ]
        assert_has '└─'
        COLUMNS=$width LC_ALL=C ll device --root "$WORK/root" /srv/db
        assert_status 0
        # shellcheck disable=SC2016
        assert_has '`-'
        [ "$(LC_ALL=C grep -cP '[^\x00-\x7f]' <<<"$output")" -eq 0 ]
    done
}

# Two partitions of one disk and one of another in a mirror, under LVM, in $WORK/root.
make_server() {
    local sys=$WORK/root/sys disk
    mkdir -p "$sys/class/block" "$sys/dev/block" "$sys/block" "$WORK/root/proc/self"
    add_device 252:0 virtual/block/dm-0 size=1000000 dm/name=vg-data dm/uuid=LVM-1
    add_device 9:127 virtual/block/md127 md/level=raid1 size=1000000
    add_device 259:1 virtual/block/md127/md127p1 partition=1
    for disk in sda:0 sdb:16; do
        add_device "8:${disk#*:}" "pci0/ata1/${disk%:*}" 'device/model=Example 1TB' size=1953525168 \
            'queue/scheduler=none [mq-deadline]' 'queue/write_cache=write back' queue/rotational=0
    done
    add_device 8:1 pci0/ata1/sda/sda1 partition=1
    add_device 8:2 pci0/ata1/sda/sda2 partition=2
    add_device 8:17 pci0/ata1/sdb/sdb1 partition=1
    add_slaves virtual/block/dm-0 virtual/block/md127/md127p1
    add_slaves virtual/block/md127 pci0/ata1/sda/sda1 pci0/ata1/sda/sda2 pci0/ata1/sdb/sdb1
    echo '20 1 252:0 / /srv rw,noatime - xfs /dev/mapper/vg-data rw,attr2,inode64,logbufs=8' \
        >"$WORK/root/proc/self/mountinfo"
}

# add_device NUMBER PATH FILE=TEXT...: below $WORK/root/sys/devices.
add_device() {
    local number=$1 name=${2##*/} at=$WORK/root/sys/devices/$2 file
    mkdir -p "$at"
    echo "$number" >"$at/dev"
    for file in "${@:3}"; do
        mkdir -p "$(dirname "$at/${file%%=*}")"
        printf '%s\n' "${file#*=}" >"$at/${file%%=*}"
    done
    ln -s "../../devices/$2" "$WORK/root/sys/class/block/$name"
    ln -s "../../devices/$2" "$WORK/root/sys/dev/block/$number"
    [ -e "$at/partition" ] || ln -s "../devices/$2" "$WORK/root/sys/block/$name"
}

add_slaves() {
    local slave
    mkdir "$WORK/root/sys/devices/$1/slaves"
    for slave in "${@:2}"; do
        ln -s "../../../../$slave" "$WORK/root/sys/devices/$1/slaves/"
    done
}

@test "names cannot talk to the terminal" {
    need_root
    make_disk 16M
    mkdir "$DISK"/$'\e[31mred'
    ll device "$DISK"/$'\e[31mred'
    assert_status 0
    refute_has $'\e'
    assert_has '\x1b[31mred'
    ll device "$DISK"/$'\e[31mnone'
    assert_status 1
    refute_has $'\e' "$stderr"
}

@test "wrong usage is one sentence" {
    ll device
    assert_status 2
    assert_has 'needs a path' "$stderr"
    ll device ''
    assert_status 2
    ll device "$WORK/no-such-path"
    assert_status 1
    assert_has 'does not exist' "$stderr"
    [ "$(wc -l <<<"$stderr")" -eq 1 ]
    ll device --root "$WORK" relative
    [ "$status" -ne 0 ]
}

@test "the report says how the drive is attached, where it tells" {
    need jq
    measure --target "$TARGET" --rows 20 --phases insert
    assert_status 0
    jq -c 'if .record == "header" then .devices[0].transport = "nvme" | .devices[0].link =
        "PCIe 4.0 x4" else . end' "$LOG" >linked.jsonl
    ll report linked.jsonl --width 200
    assert_status 0
    assert_has ', PCIe 4.0 x4'
    refute_has 'link unknown'
    jq -c 'if .record == "header" then .devices[0].transport = "virtio" | .devices[0].link = null
        else . end' "$LOG" >linked.jsonl
    ll report linked.jsonl --width 200
    assert_has ', virtio, link unknown'
}
