#!/usr/bin/env bats
# What is left of a run that was killed, and who may work where.

load lib

# A run behind us that is well into its inserts.
begin_inserts() {
    begin_run --target "$TARGET" --rows-per-commit 1 --floor 0
    await "$(phase_mark tick 0)"
    sleep 0.5
}

is_partial() {
    ll report "$1"
    assert_status 0
    assert_has PARTIAL
}

@test "kill -9: reported as far as it goes, refused, cleaned, runs again" {
    begin_inserts
    finish KILL
    [ "$status" -eq 137 ]
    [ -d "$TARGET/loadline-data" ]
    is_partial "$LOG"
    assert_has 'insert (cut)'
    assert_has 'commits/s'
    refute_has 'verified 1'

    ll run quick --target "$TARGET" -o r.jsonl
    assert_status 3
    assert_has "loadline clean $TARGET" "$stderr"
    [ ! -e r.jsonl ]

    ll clean "$TARGET"
    assert_status 0
    assert_clean
    measure --target "$TARGET" --rows 20
    assert_status 0
    assert_clean
}

@test "kill -9 in the second trial: the first is complete" {
    begin_run --target "$TARGET" --rows 40 --rows-per-commit 1 --streams 1,2 --rate 80 --floor 0
    await '"mark":"tick","trial":1,"phase":0,'
    finish KILL
    is_partial "$LOG"
    assert_has '1 of 2 trials complete'
    assert_has verified
}

@test "a log that ends anywhere is reported" {
    local size at first
    measure --target "$TARGET" --rows 100 --rows-per-commit 5
    assert_status 0
    size=$(stat -c %s "$LOG")
    first=$(head -n 1 "$LOG" | wc -c)
    head -n 1 "$LOG" >header.jsonl
    is_partial header.jsonl
    for at in $((first + 10)) $((size / 2)) $((size - 100)) $((size - 2)); do
        head -c "$at" "$LOG" >cut.jsonl
        is_partial cut.jsonl
    done
    # The last byte is a newline: nothing is lost with it.
    head -c $((size - 1)) "$LOG" >cut.jsonl
    ll report cut.jsonl
    assert_status 0
    refute_has PARTIAL
    # Cut in the header, or before it: that is no result.
    head -c $((first / 2)) "$LOG" >cut.jsonl
    ll report cut.jsonl
    assert_status 1
    assert_has cut.jsonl "$stderr"
    : >cut.jsonl
    ll report cut.jsonl
    assert_status 1
}

@test "a disk that kept zeros instead of the last lines" {
    measure --target "$TARGET" --rows 100 --rows-per-commit 5
    head -c 4096 /dev/zero >>"$LOG"
    ll report "$LOG"
    assert_status 0
    assert_has insert
}

# refused_as_busy TARGET
refused_as_busy() {
    ll run quick --target "$1" -o second.jsonl
    assert_status 3
    assert_has busy "$stderr"
    [ ! -e second.jsonl ]
    ll clean "$1"
    assert_status 3
}

@test "two runs at once on one target: the second is refused" {
    begin_inserts
    refused_as_busy "$TARGET"
    refused_as_busy "$TARGET/../target/"
    ln -s "$TARGET" link
    refused_as_busy "$WORK/link"
    ln -s link other
    refused_as_busy other
    finish INT
    [ "$status" -eq 130 ]
    assert_clean
    measure --target other --rows 20
    assert_status 0
    assert_clean
}

@test "two runs at once through a bind mount" {
    need_root
    DISK=$(mktemp -d "$e2e_dir/disk.XXXXXX")
    mount --bind "$TARGET" "$DISK" || skip "not allowed to mount"
    echo "umount $DISK" >>"$e2e_dir/undo"
    begin_inserts
    refused_as_busy "$DISK"
    finish INT
    [ "$status" -eq 130 ]
    assert_clean "$DISK"
}

@test "two runs at once on two targets are none of each other's business" {
    mkdir "$WORK/two"
    begin_inserts
    measure --target "$WORK/two" --rows 20
    assert_status 0
    finish INT
    [ "$status" -eq 130 ]
}
