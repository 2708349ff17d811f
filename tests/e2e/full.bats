#!/usr/bin/env bats
# Little room, no room, no right to write, and limits that are reached.

load lib

# ended BY: status 0, cut short cleanly by a limit, and what is there was verified.
ended() {
    assert_status 0
    assert_clean "$DISK"
    json ".partial == false and (.trials[-1] | .ended_by == \"$1\" and .verify.ok and
        (.phases[-1] | .commits > 0 and .verify.found_rows == .verify.expected_rows))"
}

# fill_disk KIB-LEFT: a file in the way on $DISK; so much stays free.
fill_disk() {
    local left
    left=$(df -k --output=avail "$DISK" | tail -n 1)
    fallocate -l "$((left - $1))K" "$DISK/filler"
}

# Whatever a run that writes at the same time leaves.
fill_whole_disk() {
    fill_disk 1000
    cat /dev/zero >>"$DISK/filler" 2>/dev/null || true
}

@test "a plan that does not fit is refused before anything is made" {
    make_disk 48M
    ll run million --target "$DISK" -o r.jsonl
    assert_status 3
    assert_has "$DISK" "$stderr"
    assert_has limit.free_space "$stderr"
    assert_clean "$DISK"
    [ ! -e r.jsonl ]
    # Half of it free is not enough when 60% must stay free.
    ll run --target "$DISK" --rows 100k --free-space 99% -o r.jsonl
    assert_status 3
    assert_clean "$DISK"
}

@test "limit.free_space is reached in a run: a clean end" {
    make_disk 64M
    begin_run --target "$DISK" --rows 2000 --rows-per-commit 1 --rate 100 --phases insert \
        --floor 0 --baseline 0 --json
    await "$(phase_mark tick 0)"
    sleep 0.5
    fill_disk 2000
    # One more look at the free space, then it ends.
    finish
    rm "$DISK/filler"
    between milliseconds "$took_ms" 0 4000
    assert_has 'limit.free_space was reached' "$stderr"
    ended free_space
    ll report "$LOG"
    assert_status 0
    assert_has 'limit.free_space was reached'
}

@test "limit.write_bytes is reached in a run: a clean end" {
    make_disk 96M
    begin_run --target "$DISK" --rows 300 --rows-per-commit 1 --rate 100 --phases insert \
        --floor 0 --baseline 0 --json --write-bytes 40M --streams 1,2
    await "$(phase_mark tick 0)"
    dd if=/dev/zero of="$DISK/other" bs=1M count=60 conv=fsync status=none
    finish
    rm "$DISK/other"
    between milliseconds "$took_ms" 0 4000
    assert_has 'limit.write_bytes was reached' "$stderr"
    ended write_bytes
    json '.trials | length == 1'
}

# The drive fills up while it runs and nothing was kept free: a failure that says why, and
# every row that was acknowledged is there.
fills_up() {
    make_disk 64M
    begin_run --target "$DISK" --rows 5000 --rows-per-commit 1 --phases insert --free-space 0% \
        --payload 600 --floor 0 --baseline 0 --json -s "sqlite.journal_mode=$1" --streams "$2" \
        --layout "$3"
    await "$(phase_mark tick 0)"
    fill_whole_disk
    finish
    rm "$DISK/filler"
    assert_status 1
    assert_has 'no space left' "$stderr"
    assert_has "$DISK" "$stderr"
    assert_clean "$DISK"
    json '.trials[0] | .ended_by == "no_space" and (.phases | length == 1) and (.phases[0] |
        .commits > 0 and .verify.ok and .verify.found_rows == .rows)'
}

@test "a full drive, rollback journal" {
    fills_up delete 1 table-per-stream
}

@test "a full drive, WAL" {
    fills_up wal 1 table-per-stream
}

@test "a full drive, a file for each of four streams" {
    fills_up wal 4 file-per-stream
}

@test "a full drive before anything was written" {
    make_disk 32M
    fill_disk 0
    ll run --target "$DISK" --rows 100 --free-space 0% --floor 0 --baseline 0 -o r.jsonl
    [ "$status" -eq 3 ]
    assert_has "$DISK" "$stderr"
    rm "$DISK/filler"
    assert_clean "$DISK"
}

@test "a result log that finds no room: fails, naming it, and cleans the target" {
    make_disk 16M
    fill_disk 24
    LOG=$DISK/result.jsonl
    ll run --target "$TARGET" --rows 400 --rows-per-commit 1 --rate 200 --interval 10ms --floor 0 --baseline 0 \
        -o "$LOG"
    assert_status 1
    assert_has "$LOG" "$stderr"
    assert_has 'No space left' "$stderr"
    assert_clean
    rm "$DISK/filler"
    ll report "$LOG"
    assert_status 0
    assert_has PARTIAL
}

@test "a read-only mount is refused" {
    make_disk 16M
    mount -o remount,ro "$DISK"
    ll run quick --target "$DISK" -o r.jsonl
    assert_status 3
    assert_has "$DISK" "$stderr"
    [ ! -e r.jsonl ]
}

@test "tmpfs is refused; with --any-filesystem nothing is said of a drive" {
    make_memory 64M
    ll run quick --target "$DISK" -o r.jsonl
    assert_status 3
    assert_has tmpfs "$stderr"
    assert_has --any-filesystem "$stderr"
    assert_clean "$DISK"
    ll run --target "$DISK" --any-filesystem --rows 500 --rows-per-commit 5 --floor 0 --baseline 0 -o r.jsonl
    assert_status 0
    assert_has tmpfs "$stderr"
    assert_has 'the figures say nothing of a drive' "$(tr -s ' \n' ' ' <<<"$output")"
    refute_has 'flushed commits/s'
    assert_clean "$DISK"
}
