#!/usr/bin/env bats
# Ctrl-C, SIGTERM and SIGHUP at any moment: the run ends within 2 s with 130, says what it
# has, and leaves nothing.

load lib

# Two seconds are promised; a busy machine gets one more.
LIMIT_MS=3000

# Writes and flushes 4 KiB and says how long that took: a drive that hangs holds a run up too,
# and no signal ends a call that waits for the drive.
drive_ms() {
    local from=${EPOCHREALTIME/./}
    dd if=/dev/zero of="$WORK/probe" bs=4k count=1 conv=fsync status=none
    echo $(((${EPOCHREALTIME/./} - from) / 1000))
}

# stops SIGNAL: what every stopped run must do.
stops() {
    local probe
    drive_ms >"$WORK/probe.ms" 3>&- &
    probe=$!
    finish "$1"
    wait "$probe"
    echo "# $1: $took_ms ms, a write of the drive: $(cat "$WORK/probe.ms") ms" >&3
    assert_status 130
    between milliseconds "$took_ms" 0 $((LIMIT_MS + $(cat "$WORK/probe.ms")))
    assert_clean
    assert_has 'stopped by a signal' "$stderr"
}

# ends_in PHASE...: the summary has one trial with these phases, the last of them not
# verified; the log can be read.
ends_in() {
    local phases
    phases=$(printf '%s\n' "$@" | jq -R . | jq -s -c .)
    json ".partial and (.trials | length == 1) and (.trials[0] | .ended_by == \"signal\" and
        (.phases | map(.name)) == $phases and .phases[-1].verify.ok == null and
        .verify.ok == null)"
    ll report "$LOG"
    assert_status 0
    assert_has PARTIAL
    assert_has "${*: -1}"
}

@test "in the floor, before anything was measured" {
    begin_run --target "$TARGET" --rows 100 --floor 60s
    until compgen -G "$TARGET/loadline-data/t0001/*.dat" >/dev/null; do
        kill -0 "$RUN"
        sleep 0.01
    done
    sleep 0.2
    stops INT
    # No trial began, so there is no result.
    [ ! -e "$LOG" ]
    [ -z "$output" ]
}

@test "in the floor after the first trial" {
    begin_run --target "$TARGET" --rows 20 --rows-per-commit 20 --floor 1s
    await "$(phase_mark settled 1)"
    sleep 0.3
    stops TERM
    ll report "$LOG"
    assert_status 0
}

@test "while many files are created" {
    begin_run --target "$TARGET" --rows 5 --streams 1000 --layout file-per-stream --floor 0
    await '"record":"header"'
    sleep 0.3
    stops INT
    ll report "$LOG"
    assert_status 0
    assert_has PARTIAL
}

@test "in inserts of one row a commit" {
    local signal
    for signal in INT TERM HUP; do
        begin_run --target "$TARGET" --rows-per-commit 1 --floor 0 --baseline 0 --json
        await "$(phase_mark tick 0)"
        sleep 0.2
        stops "$signal"
        json '.trials[0].phases[0].commits > 5'
        ends_in insert
    done
}

@test "in the middle of a transaction of a million rows" {
    local mode
    for mode in wal delete; do
        begin_run --target "$TARGET" --rows-per-commit 1M --floor 0 --baseline 0 --json \
            -s "sqlite.journal_mode=$mode" --payload 500
        await "$(phase_mark phase_start 0)"
        sleep 0.7
        stops INT
        json '.trials[0].phases[0].commits == 0'
        ends_in insert
    done
}

@test "while a large file is filled" {
    begin_run --target "fsync:$TARGET" --rows 50M --floor 0
    await '"record":"header"'
    sleep 0.5
    stops INT
}

@test "in deletes" {
    begin_run --target "$TARGET" --rows 100 --rows-per-commit 1 --rate 100 --floor 0 --baseline 0 --json
    await "$(phase_mark phase_start 1)"
    sleep 0.3
    stops TERM
    json '.trials[0].phases[0].verify.ok and (.trials[0].phases[1].commits | . > 1 and . < 100)'
    ends_in insert delete
}

@test "while it verifies" {
    begin_run --target "$TARGET" --rows 1M --rows-per-commit 100k --floor 0 --baseline 0 --json
    await "$(phase_mark settled 0)"
    stops INT
    json '.trials[0].phases | length == 1 and .[0].rows == 1000000'
    ends_in insert
}

@test "with several streams that wait for each other" {
    local busy
    for busy in queue native; do
        begin_run --target "$TARGET" --streams 6 --rows-per-commit 1 --layout shared-table \
            --rows 20k -s "sqlite.busy=$busy" --floor 0 --baseline 0 --json
        await "$(phase_mark tick 0)"
        sleep 0.2
        stops INT
        ends_in insert
    done
}

@test "with a stream that waits for its time" {
    begin_run --target "$TARGET" --rows 10 --rows-per-commit 1 --rate 0.01 --floor 0 --baseline 0 --json
    await "$(phase_mark tick 0)"
    sleep 0.3
    stops INT
    ends_in insert
}

@test "with a drive that hangs in a commit" {
    begin_run --target "fault:$TARGET" --rows 100 --rows-per-commit 1 --floor 0 --baseline 0 --json \
        -s fault.call=commit -s fault.status=ok -s fault.nth=20 -s fault.delay=60s
    await "$(phase_mark tick 0)"
    sleep 0.3
    stops INT
    assert_has 'did not return' "$stderr"
    ends_in insert
}

@test "a second signal ends it at once" {
    begin_run --target "fault:$TARGET" --rows 100 --rows-per-commit 1 --floor 0 --baseline 0 --json \
        -s fault.call=commit -s fault.status=ok -s fault.nth=20 -s fault.delay=60s
    await "$(phase_mark tick 0)"
    kill -INT "$RUN"
    sleep 0.7 # sooner, it would be taken for an echo of the first
    finish INT
    [ "$status" -eq 130 ]
    ll clean "$TARGET"
    assert_status 0
    assert_clean
}

@test "nohup means what it says" {
    new_log
    nohup "$LOADLINE" run --target "$TARGET" --rows 100 --rows-per-commit 1 --rate 100 --floor 0 --baseline 0 \
        --phases insert -o "$LOG" >"$LOG.out" 2>"$LOG.err" 3>&- &
    RUN=$! RUN_LOG=$LOG
    await "$(phase_mark tick 0)"
    finish HUP
    assert_status 0
    assert_has verified
}

@test "the same signal twice at once is one signal" {
    begin_run --target "$TARGET" --rows 1M --rows-per-commit 10 --floor 0
    await insert
    kill -TERM "$RUN"
    stops TERM
}

@test "a limit on file sizes is an error that is told and cleaned up" {
    new_log
    ulimit -f 300
    ll run --target "$TARGET" --rows 5000 --rows-per-commit 50 --floor 0 --baseline 0 -o "$LOG"
    assert_status 1
    assert_has 'shared.db' "$stderr"
    assert_clean
}
