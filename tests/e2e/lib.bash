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
    abandon
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

# make_ext4 DEVICE-OR-FILE [MKFS OPTION...]: 4 KiB blocks whatever the size, and nothing
# left for the kernel to initialise while somebody counts writes.
make_ext4() {
    local where=$1
    shift
    mkfs.ext4 -q -F -b 4096 -m 0 -E lazy_itable_init=0,lazy_journal_init=0 "$@" "$where"
}

# attach IMAGE [LOSETUP OPTION...]: $LOOP is the kernel name of its loop device ("loop3").
attach() {
    local device
    device=$(losetup --find --show "${@:2}" "$1" 2>/dev/null) || skip "no loop device to be had"
    echo "losetup --detach $device" >>"$e2e_dir/undo"
    LOOP=$(basename "$device")
}

# mount_disk DEVICE: at $DISK, a new folder.
mount_disk() {
    DISK=$(mktemp -d "$e2e_dir/disk.XXXXXX")
    mount -o noatime "$1" "$DISK" 2>/dev/null || skip "not allowed to mount"
    rmdir "$DISK/lost+found"
    echo "umount $DISK || umount --lazy $DISK" >>"$e2e_dir/undo"
}

# make_disk SIZE [MKFS OPTION...]: a loop device of its own with a fresh ext4, mounted
# at $DISK; $LOOP is its kernel name ("loop3").  Needs root and free loop devices.
make_disk() {
    local image
    need_root
    need losetup mkfs.ext4 mount
    image=$(mktemp "$e2e_dir/image.XXXXXX")
    truncate -s "$1" "$image"
    make_ext4 "$image" "${@:2}"
    attach "$image"
    mount_disk "/dev/$LOOP"
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

# ll ARGUMENT...: the program, by bats' `run`, with $stderr apart.
ll() {
    run --separate-stderr "$LOADLINE" "$@"
}

# measure ARGUMENT...: `loadline run` without a floor, one summary in $output; its result
# log is $LOG.
measure() {
    new_log
    ll run --floor 0 --baseline 0 --json -o "$LOG" "$@"
}

new_log() {
    e2e_logs=$((${e2e_logs:-0} + 1))
    LOG=$WORK/r$e2e_logs.jsonl
}

# begin_run ARGUMENT...: `loadline run` behind us; $RUN is its process, $LOG its result log,
# $LOG.out and $LOG.err what it prints.
begin_run() {
    new_log
    "$LOADLINE" run -o "$LOG" "$@" >"$LOG.out" 2>"$LOG.err" 3>&- &
    RUN=$!
    RUN_LOG=$LOG
}

# await TEXT: until the log of the run behind us holds this text; half a minute at most.
await() {
    local i
    for ((i = 0; i < 3000; i++)); do
        grep -qsF -- "$1" "$RUN_LOG" && return 0
        kill -0 "$RUN" 2>/dev/null || break
        sleep 0.01
    done
    printf 'the log never held %s; the run said:\n' "$1"
    cat "$RUN_LOG.err"
    return 1
}

# phase_mark MARK PHASE: the text of a sample in the log, for await.
phase_mark() {
    printf '"mark":"%s","trial":0,"phase":%s,' "$1" "$2"
}

# finish [SIGNAL]: sends it, waits, and sets $status, $output, $stderr and $took_ms.
finish() {
    local from=${EPOCHREALTIME/./}
    [ $# -eq 0 ] || kill "-$1" "$RUN" || true # it may be gone already
    status=0
    wait "$RUN" || status=$?
    RUN=
    LOG=$RUN_LOG
    took_ms=$(((${EPOCHREALTIME/./} - from) / 1000))
    output=$(cat "$RUN_LOG.out")
    stderr=$(cat "$RUN_LOG.err")
}

# Ends a run that a failed test left behind it.
abandon() {
    [ -n "${RUN:-}" ] || return 0
    kill -KILL "$RUN" 2>/dev/null || true
    wait "$RUN" 2>/dev/null || true
    RUN=
}

# calc EXPRESSION: awk's arithmetic.
calc() {
    awk "BEGIN { print $1 }"
}

# near WHAT VALUE WANTED PERCENT: within so much of what is wanted.
near() {
    between "$1" "$2" "$(calc "$3 * (1 - $4 / 100)")" "$(calc "$3 * (1 + $4 / 100)")"
}

# between WHAT VALUE LOW HIGH: a number, and in this range.
between() {
    awk -v v="$2" -v low="$3" -v high="$4" \
        'BEGIN { exit !(v ~ /^-?[0-9]/ && v + 0 >= low + 0 && v + 0 <= high + 0) }' || {
        printf '%s: %s is not in %s to %s\n' "$@"
        return 1
    }
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
