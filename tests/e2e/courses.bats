#!/usr/bin/env bats
# The samples of a log, interval by interval, add up to what its phases say.

load lib

# agree LOG INTERVALS: at least so many intervals, and the reader (bench/read_log.c) finds no phase
# whose commits, rows, writes, bytes or flushes are others than the sum of its intervals.
agree() {
    local reader
    reader=$(dirname "$LOADLINE")/tests/bench_read_log
    [ -x "$reader" ] || skip "no reader at $reader"
    run "$reader" --check "$1"
    [ "$status" -eq 0 ] || {
        echo "$output"
        return 1
    }
    between "number of intervals" "$(awk '{ print $3 }' <<<"$output")" "$2" 1000000
}

@test "trials of several streams and targets" {
    mkdir "$WORK/other"
    measure --target "$TARGET" --target "$WORK/other" --streams 1,3 --rows 400 --rows-per-commit 1 \
        -s run.interval=20ms
    assert_status 0
    json '.trials | length == 4'
    agree "$LOG" 16
}

@test "cycles until the time is over" {
    measure --target "$TARGET" --rows 100 --rows-per-commit 1 --duration 1s -s run.interval=20ms
    assert_status 0
    json '.trials[0].phases | length > 2'
    agree "$LOG" 20
}

@test "more streams than a tick keeps one by one" {
    measure --target null: --streams 300 --rows 20000 --rows-per-commit 1 -s run.interval=10ms
    assert_status 0
    grep -q '"mark":"tick".*"streams":null' "$LOG"
    agree "$LOG" 4
}

@test "a run that was killed" {
    begin_run --target "$TARGET" --rows 100000 --rows-per-commit 1 --floor 0 --baseline 0 \
        -s run.interval=20ms
    await '"mark":"tick"'
    sleep 0.5
    finish KILL
    agree "$LOG" 5
    ll clean "$TARGET"
    assert_status 0
}

@test "a warm-up is not among the intervals" {
    measure --target "$TARGET" --rows 1000000 --rows-per-commit 1 --duration 1500ms --warmup 500ms \
        -s run.interval=20ms -s workload.phases=insert
    assert_status 0
    local warm
    warm=$(grep -m1 '"mark":"warm"' "$LOG" | json .commits /dev/stdin)
    between "commits before" "$warm" 1 1000000
    run "$(dirname "$LOADLINE")/tests/bench_read_log" "$LOG"
    [ "$output" = "1 courses, $(sed '1,/"mark":"warm"/d' "$LOG" |
        grep -cE '"mark":"(tick|phase_end)"') intervals" ]
}
