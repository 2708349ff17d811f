#!/usr/bin/env bats
# A file system whose journal lies on another device: found, shown in the tree, said before a run.

load lib

# make_image SIZE: a loop device at $LOOP, nothing on it yet.
make_image() {
    local image
    image=$(mktemp "$e2e_dir/image.XXXXXX")
    truncate -s "$1" "$image"
    attach "$image"
}

# mount_any MOUNT-ARGUMENT...: at $DISK, a new folder.
mount_any() {
    DISK=$(mktemp -d "$e2e_dir/disk.XXXXXX")
    mount -o noatime "$@" "$DISK" 2>/dev/null || skip "not allowed to mount"
    echo "umount $DISK || umount --lazy $DISK" >>"$e2e_dir/undo"
}

# journal_is DATA JOURNAL: in the JSON, in the text, and in a run's warnings.
journal_is() {
    local query=".queries[\"$DISK\"]"
    ll device "$DISK" --json
    assert_status 0
    json "$query | (.devices | map(.device)) == [\"$1\"] and
        (.logs | map([.use, .device, .leaf_disks[]])) == [[\"journal\", \"$2\", \"$2\"]]"
    ll device "$DISK"
    assert_status 0
    assert_has "journal   $2, a device of its own"
    measure --target "$DISK" --phases insert --rows 100 --rows-per-commit 1
    assert_status 0
    assert_has "$DISK keeps its journal on another device, $2:" "$stderr"
    assert_has "keeps its journal on another device, $2:" "$(json '.warnings[]')"
    json ".devices[0] | .sampled == \"$1\" and .logs == [{\"use\": \"journal\", \"device\": \"$2\"}]"
}

@test "ext4 with an external journal" {
    local journal
    need jq mke2fs mkfs.ext4 losetup
    need_root
    make_image 32M
    journal=$LOOP
    mke2fs -q -O journal_dev -b 4096 "/dev/$journal"
    make_image 64M
    make_ext4 "/dev/$LOOP" -J "device=/dev/$journal"
    mount_any "/dev/$LOOP"
    rmdir "$DISK/lost+found"
    journal_is "$LOOP" "$journal"
}

@test "xfs with a log device" {
    local journal
    need jq mkfs.xfs losetup
    need_root
    make_image 80M
    journal=$LOOP
    make_image 320M
    mkfs.xfs -q -l "logdev=/dev/$journal" "/dev/$LOOP"
    mount_any -o "logdev=/dev/$journal" "/dev/$LOOP"
    journal_is "$LOOP" "$journal"
}

@test "a journal in a file, and none" {
    need jq
    make_disk 32M
    ll device "$DISK" --json
    json '.queries[] | has("logs") | not'
    make_disk 32M -O ^has_journal
    ll device "$DISK" --json
    json '.queries[] | has("logs") | not'
}

@test "--device beside the target is said, above it in the stack is not" {
    local other
    make_disk 32M
    other=$LOOP
    make_disk 32M
    measure --target "$DISK" --rows 20 --phases insert --device "$other"
    assert_status 0
    assert_has "--device $other is not under $DISK, which lies on $LOOP" "$stderr"
    assert_has "--device $other is not under $DISK" "$(json '.warnings[]')"
    measure --target "$DISK" --rows 20 --phases insert --device "$LOOP"
    assert_status 0
    refute_has 'is not under' "$stderr"
    # The disk below a loop device's file is under the target too.
    other=$("$LOADLINE" device "$e2e_dir" --json | jq -r '.queries[].devices[0].leaf_disks[0] // ""')
    [ -n "$other" ] || skip 'the disk of the image is unknown'
    measure --target "$DISK" --rows 20 --phases insert --device "$other"
    assert_status 0
    refute_has 'is not under' "$stderr"
}

@test "that reads come from memory is said once for all targets" {
    local first
    make_disk 32M
    first=$DISK
    make_disk 32M
    measure --target "$first" --target "$DISK" --rows 20
    assert_status 0
    [ "$(grep -c 'reads come from memory' <<<"$stderr")" -eq 1 ]
    json '[.warnings[] | select(contains("reads come from memory"))] | length == 1'
    ll report "$LOG" --width 200
    [ "$(grep -c 'reads come from memory' <<<"$output")" -eq 1 ]
    # Below the verdict.
    [ "$(grep -n 'VERDICT' <<<"$output" | cut -d: -f1)" -lt \
        "$(grep -n 'reads come from memory' <<<"$output" | cut -d: -f1)" ]
}
