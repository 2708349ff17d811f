#!/usr/bin/env bats
# What lies between loadline and the drive is followed, said before any load, and found again in
# the verdict: file systems, layers, limits of control groups, other programs' writes.

load lib

BLKIO=/sys/fs/cgroup/blkio

# make_on KIND SIZE [MOUNT OPTION...]: a loop device with that file system at $DISK.
make_on() {
    local image
    need_root
    need losetup mount "mkfs.$1"
    image=$(mktemp "$e2e_dir/image.XXXXXX")
    truncate -s "$2" "$image"
    "mkfs.$1" -q "$image" || skip "no $1 to be made"
    attach "$image"
    DISK=$(mktemp -d "$e2e_dir/disk.XXXXXX")
    mount -t "$1" "${@:3}" "/dev/$LOOP" "$DISK" 2>/dev/null || skip "this kernel mounts no $1"
    echo "umount $DISK || umount --lazy $DISK" >>"$e2e_dir/undo"
}

# mount_over DIRECTORY MOUNT-ARGUMENT...: at that directory, a new one.
mount_over() {
    mkdir -p "$1"
    mount "${@:2}" "$1" 2>/dev/null || skip "this kernel does not mount that"
    echo "umount $1 || umount --lazy $1" >>"$e2e_dir/undo"
}

# commits DIRECTORY [OPTION...]: a few hundred flushed commits there.
commits() {
    measure --target "$1" --phases insert --rows 300 --rows-per-commit 1 "${@:2}"
    assert_status 0
}

# warned TEXT: on stderr, and in the result.
warned() {
    assert_has "$1" "$stderr"
    assert_has "$1" "$(json '.warnings[]')"
}

not_warned() {
    refute_has "$1" "$stderr"
}

# measured_on LOOP: the drive under test, and that it wrote and flushed.
measured_on() {
    [ "$(json '.devices[0].sampled')" = "$1" ]
    [ "$(json '.devices[0].leaves[0]')" = "$1" ]
    json ".trials[0].phases[0].devices[\"$1\"].write_bytes > 300 * 4096" >/dev/null
    # Two while the WAL still grows, on a file system with a journal.
    between 'flushes a commit' "$(json '.trials[0].phases[0].per_commit.flushes')" 0.9 2.3
}

@test "an overlay is refused by what keeps its upper directory" {
    need_root
    make_memory 64M
    mkdir "$DISK/lower" "$DISK/upper" "$DISK/work"
    mount_over "$WORK/merged" -t overlay over \
        -o "lowerdir=$DISK/lower,upperdir=$DISK/upper,workdir=$DISK/work"
    ll run quick --target "$WORK/merged" -o r.jsonl
    assert_status 3
    assert_has 'overlay over tmpfs' "$stderr"
    [ ! -e r.jsonl ] && [ -z "$(ls -A "$WORK/merged")" ]
    ll run --target "$WORK/merged" --any-filesystem --rows 50 --floor 0 --baseline 0 -o r.jsonl
    assert_status 0
    assert_has 'is on overlay over tmpfs: the figures say nothing of a drive' \
        "$(tr -s ' \n' ' ' <<<"$stderr")"
}

@test "a loop device whose file is in memory gives no verdict of a drive" {
    need jq
    make_memory 128M
    truncate -s 64M "$DISK/image"
    make_ext4 "$DISK/image"
    attach "$DISK/image"
    mount_disk "/dev/$LOOP"
    commits "$DISK"
    warned "lies in memory ($LOOP on tmpfs): nothing measured there says anything of a drive"
    json ".devices[0].in_memory == \"$LOOP on tmpfs\" and
        (.analysis.bottleneck | all(.cause != \"device\"))"
    ll report "$LOG"
    assert_status 0
    refute_has 'flushed commits/s'
}

@test "ext4 with nobarrier: commits that nobody flushes" {
    make_disk 64M
    mount -o remount,nobarrier "$DISK" 2>/dev/null || skip "this kernel knows no nobarrier"
    commits "$DISK"
    warned "$DISK is mounted with nobarrier: commits are not flushed"
    json ".trials[0].phases[0].devices[\"$LOOP\"].flushes < 10" >/dev/null
}

@test "xfs, and a loop device in a file" {
    make_on xfs 320M
    commits "$DISK"
    measured_on "$LOOP"
    [ "$(json '.devices[0].filesystem')" = xfs ]
    warned "$LOOP is a loop device: $e2e_dir/image."
    warned 'is smaller than memory'
    not_warned copy-on-write
}

@test "a btrfs subvolume: copy-on-write, unless it is off" {
    need btrfs chattr
    make_on btrfs 256M
    btrfs subvolume create "$DISK/データ" >/dev/null
    commits "$DISK/データ"
    warned "$DISK/データ is on btrfs with copy-on-write"
    [ "$(json '.devices[0].sampled')" = "$LOOP" ]
    json ".trials[0].phases[0].per_commit.bytes > 16384" >/dev/null
    mkdir "$DISK/データ/nocow"
    chattr +C "$DISK/データ/nocow"
    commits "$DISK/データ/nocow"
    not_warned copy-on-write
}

@test "btrfs that compresses" {
    make_on btrfs 256M -o compress=zstd
    commits "$DISK" --compressible 50%
    warned "$DISK compresses, and 50"
}

@test "an overlay: the drive of its upper directory" {
    make_disk 64M
    mkdir "$DISK/up" "$DISK/work" "$WORK/low"
    mount_over "$WORK/over" -t overlay \
        -o "lowerdir=$WORK/low,upperdir=$DISK/up,workdir=$DISK/work" overlay
    commits "$WORK/over"
    warned "$WORK/over is on overlay: what is written goes to its upper directory $DISK/up"
    measured_on "$LOOP"
}

@test "a bind mount and a symbolic link to another file system" {
    make_disk 64M
    mkdir "$DISK/sub"
    mount_over "$WORK/bound" --bind "$DISK/sub"
    commits "$WORK/bound"
    measured_on "$LOOP"
    ln -s "$DISK/sub" "$WORK/link"
    commits "$WORK/link"
    measured_on "$LOOP"
    [ "$(json '.devices[0].path')" = "$DISK/sub" ]
}

@test "a write cache that was set to write through by hand" {
    make_disk 64M
    echo 'write through' >"/sys/block/$LOOP/queue/write_cache" || skip 'it cannot be set'
    echo "echo 'write back' >/sys/block/$LOOP/queue/write_cache" >>"$e2e_dir/undo"
    commits "$DISK"
    warned "$LOOP was set to write through by hand"
}

# ---- control groups ----

# limit BYTES: for writes to the loop device by the root group, of version 1.
limit() {
    local number
    [ -w "$BLKIO/blkio.throttle.write_bps_device" ] || skip 'no blkio throttle (cgroup v1)'
    grep -q ':[a-z,]*\bblkio\b[a-z,]*:/$' /proc/self/cgroup || skip 'not in the root group'
    number=$(cat "/sys/block/$LOOP/dev")
    echo "echo '$number 0' >$BLKIO/blkio.throttle.write_bps_device" >>"$e2e_dir/undo"
    echo "$number $1" >"$BLKIO/blkio.throttle.write_bps_device" || skip 'no limit can be set'
}

@test "a limit above the drive is met within 5%, and named" {
    make_disk 64M -O ^has_journal
    limit 1000000
    # Several files, so that a slow flush of one does not leave the limit unused.
    measure --target "$DISK" --phases insert --rows 1M --rows-per-commit 1 --warmup 1s \
        --streams 4 --layout file-per-stream --duration 4s -s sqlite.wal_autocheckpoint=50
    assert_status 0
    warned "a control group limits writes to $LOOP to 1.0 MB/s ($BLKIO/blkio.throttle.write_bps_device)"
    [ "$(json '.devices[0].cap.write_bytes_per_s')" = 1000000 ]
    near 'bytes/s' \
        "$(json ".trials[0].phases[0].devices[\"$LOOP\"] | .write_bytes / .seconds")" 1000000 5
    [ "$(json '.analysis.bottleneck[0].cause')" = cap ]
    ll report "$LOG"
    assert_has 'of the 1.0 MB/s that a control group allows'
}

@test "a limit of writes is named though many are joined to others below it" {
    local limits=$BLKIO/blkio.throttle.write_iops_device number
    make_disk 64M
    [ -w "$limits" ] || skip 'no blkio throttle (cgroup v1)'
    grep -q ':[a-z,]*\bblkio\b[a-z,]*:/$' /proc/self/cgroup || skip 'not in the root group'
    number=$(cat "/sys/block/$LOOP/dev")
    echo "echo '$number 0' >$limits" >>"$e2e_dir/undo"
    echo "$number 200" >"$limits" || skip 'no limit can be set'
    measure --target "$DISK" --phases insert --rows 1M --rows-per-commit 1 --duration 4s
    assert_status 0
    json '.trials[0].phases[0].devices[] | .writes / .seconds < 180' >/dev/null
    near 'writes/s before they were joined' \
        "$(json '.trials[0].phases[0].devices[] | (.writes + .write_merges) / .seconds')" 200 10
    [ "$(json '.analysis.bottleneck[0].cause')" = cap ]
    assert_has 'of the 200 writes/s that a control group allows' \
        "$(json '.analysis.bottleneck[0].evidence[]')"
}

# ---- whose I/O it was ----

# Somebody who writes some 4 MB/s into the file $1, until the test ends.
start_writer() {
    (
        exec 3>&-
        while :; do
            dd if=/dev/zero of="$1" bs=256k count=1 oflag=dsync 2>/dev/null
            sleep 0.05
        done
    ) &
    WRITER=$!
    echo "kill $WRITER" >>"$e2e_dir/undo"
}

# start_reader FILE: reads it from the drive, over and over; $READER.
start_reader() {
    bash -c 'while dd if="$1" of=/dev/null bs=256K iflag=direct status=none; do sleep 0.01; done' \
        - "$1" 3>&- &
    READER=$!
    echo "kill $READER" >>"$e2e_dir/undo"
}

# Each phase's share of foreign bytes, on a line of its own.
foreign_shares() {
    json '.trials[0].phases[].devices[].foreign.share'
}

@test "another program's writes, by the idle drive" {
    make_disk 64M
    commits "$DISK" --baseline 1s
    [ "$(json '.trials[0].phases[0].devices[].foreign.method')" = baseline ]
    json '.trials[0] | has("disturbed")' >/dev/null
    [ "$(jq '.trials[0].disturbed' <<<"$output")" = false ]
    ll report "$LOG"
    assert_has 'foreign I/O about 0% (idle baseline)'

    start_writer "$DISK/other"
    sleep 0.2
    commits "$DISK" --baseline 1s --rows 600
    json '.trials[0].disturbed' >/dev/null
    assert_has 'came from others, by what it wrote while no stream ran' "$stderr"
    ll report "$LOG"
    assert_has 'disturbed: trial 1 of 1'
}

@test "another program's reads, by the idle drive" {
    make_disk 64M
    dd if=/dev/urandom of="$DISK/big" bs=1M count=16 conv=fsync status=none
    start_reader "$DISK/big"
    sleep 0.2
    commits "$DISK" --baseline 1s
    [ "$(json '.trials[0].phases[0].devices[].foreign.method')" = baseline ]
    json '.trials[0].phases[0].devices[].foreign | .read_bytes > 1000000 and .share > 0.05' >/dev/null
    json '.trials[0].disturbed' >/dev/null
    assert_has 'wrote and read in the insert phase came from others' "$stderr"
    ll report "$LOG"
    assert_has 'disturbed: trial 1 of 1'
}

@test "another program's writes, by control group" {
    make_disk 64M
    limit 1000000000 # the kernel counts once there is a limit
    mkdir "$BLKIO/loadline-ours.$$" "$BLKIO/loadline-other.$$"
    echo "sleep 0.2; rmdir $BLKIO/loadline-ours.$$ $BLKIO/loadline-other.$$" >"$e2e_dir/undo.new"
    cat "$e2e_dir/undo" >>"$e2e_dir/undo.new"
    mv "$e2e_dir/undo.new" "$e2e_dir/undo" # undone last
    local program=$LOADLINE
    printf '#!/bin/sh\necho $$ >%s/cgroup.procs\nexec %s "$@"\n' "$BLKIO/loadline-ours.$$" \
        "$program" >"$WORK/in-group"
    chmod +x "$WORK/in-group"
    LOADLINE=$WORK/in-group
    commits "$DISK" --baseline 1s
    [ "$(json '.trials[0].phases[0].devices[].foreign.method')" = cgroup1 ]
    [ "$(jq '.trials[0].disturbed' <<<"$output")" = false ]

    start_writer "$DISK/other"
    echo "$WRITER" >"$BLKIO/loadline-other.$$/cgroup.procs"
    commits "$DISK" --baseline 1s --rows 600
    [ "$(json '.trials[0].phases[0].devices[].foreign.method')" = cgroup1 ]
    json '.trials[0].disturbed' >/dev/null
    ll report "$LOG"
    assert_has 'foreign I/O '
    refute_has '(idle baseline)'

    kill "$WRITER"
    dd if=/dev/urandom of="$DISK/big" bs=1M count=16 conv=fsync status=none
    start_reader "$DISK/big"
    echo "$READER" >"$BLKIO/loadline-other.$$/cgroup.procs"
    commits "$DISK" --baseline 1s --rows 600
    [ "$(json '.trials[0].phases[0].devices[].foreign.method')" = cgroup1 ]
    json '.trials[0].phases[0].devices[].foreign.read_bytes > 1000000' >/dev/null
    json '.trials[0].disturbed' >/dev/null
}
