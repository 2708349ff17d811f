# For the bats tests of the built program.  `load lib` at the top of a test file.
#
# The program is $LOADLINE (ctest sets it), else build/default/loadline.  Every test gets
# $TARGET, an empty directory on the disk that holds the build, and starts in $WORK, an
# empty directory beside it; both are removed after the test, and so is every mount and
# loop device that the test made with the functions below.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154

bats_require_minimum_version 1.5.0

e2e_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
LOADLINE=$(readlink -f "${LOADLINE:-$e2e_root/build/default/loadline}")

# A disk on which tests may write; never a memory file system.
e2e_scratch=${LOADLINE_SCRATCH:-$(dirname "$LOADLINE")}

setup() {
    [ -x "$LOADLINE" ] || skip "no program at $LOADLINE"
    e2e_dir=$(mktemp -d "$e2e_scratch/e2e.XXXXXX")
    TARGET=$e2e_dir/target
    WORK=$e2e_dir/work
    mkdir "$TARGET" "$WORK"
    : >"$e2e_dir/undo"
    cd "$WORK" || return 1
    unset LINES COLUMNS
    export NO_COLOR=1 LC_ALL=C.UTF-8
}

teardown() {
    cd /
    [ -n "${e2e_dir:-}" ] || return 0
    tac "$e2e_dir/undo" | bash || true
    rm -rf --one-file-system "$e2e_dir"
}

# need COMMAND...: skips the test when one of them is not there.
need() {
    local command
    for command in "$@"; do
        command -v "$command" >/dev/null || skip "needs $command"
    done
}

need_root() {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
}

# make_disk SIZE [MKFS OPTION...]: a loop device of its own with a fresh ext4, mounted
# at $DISK; $LOOP is its kernel name ("loop3").  Needs root and free loop devices.
make_disk() {
    local size=$1 device image
    shift
    need_root
    need losetup mkfs.ext4 mount
    image=$(mktemp "$e2e_dir/image.XXXXXX")
    truncate -s "$size" "$image"
    mkfs.ext4 -q -F "$@" "$image"
    device=$(losetup --find --show "$image" 2>/dev/null) || skip "no loop device to be had"
    echo "losetup --detach $device" >>"$e2e_dir/undo"
    LOOP=$(basename "$device")
    DISK=$(mktemp -d "$e2e_dir/disk.XXXXXX")
    mount "$device" "$DISK" 2>/dev/null || skip "not allowed to mount"
    echo "umount $DISK || umount --lazy $DISK" >>"$e2e_dir/undo"
}

# make_memory SIZE: a tmpfs at $DISK.  Needs root.
make_memory() {
    need_root
    DISK=$(mktemp -d "$e2e_dir/disk.XXXXXX")
    mount -t tmpfs -o "size=$1" tmpfs "$DISK" 2>/dev/null || skip "not allowed to mount"
    echo "umount $DISK || umount --lazy $DISK" >>"$e2e_dir/undo"
}

# as_nobody COMMAND...: without root's rights, when the test runs as root.
as_nobody() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}

# json FILTER [FILE]: what jq says, of $output without a FILE.
json() {
    need jq
    if [ $# -gt 1 ]; then
        jq -e -r "$1" "$2"
    else
        jq -e -r "$1" <<<"$output"
    fi
}

# assert_status N: of the last `run`; shows its output when it differs.
assert_status() {
    [ "$status" -eq "$1" ] || {
        printf 'status %s, not %s\n%s\n%s\n' "$status" "$1" "$output" "${stderr:-}"
        return 1
    }
}

# assert_has TEXT [IN]: a fixed string, in $output unless IN is given.
assert_has() {
    [[ "${2-$output}" == *"$1"* ]] || {
        printf 'not there: %s\n--- in:\n%s\n' "$1" "${2-$output}"
        return 1
    }
}

refute_has() {
    [[ "${2-$output}" != *"$1"* ]] || {
        printf 'should not be there: %s\n--- in:\n%s\n' "$1" "${2-$output}"
        return 1
    }
}

# Nothing of ours is left in a target.
assert_clean() {
    [ -z "$(ls -A "${1:-$TARGET}")" ] || {
        printf 'left in the target:\n'
        ls -lAR "${1:-$TARGET}"
        return 1
    }
}
