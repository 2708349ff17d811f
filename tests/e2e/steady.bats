#!/usr/bin/env bats
# Rounds until the steady state, a round after a pause, and drives that rest or are trimmed before
# a trial.

load lib

# An offered rate holds by itself what the rule asks for: the drive's own noise is not what is
# tested here.  Rounds of a second, of a few cycles each; too few commits for a percentile.
steadily=(--rows 10 --rows-per-commit 1 --rate 60 -s sqlite.synchronous=off
    --until steady -s steady.round=1s)

has_event() { # KIND TEXT
    json ".events | any(.kind == \"$1\" and (.text | contains(\"$2\")))"
}

@test "a load that holds its rate is steady, and the rounds show it" {
    measure --target "$TARGET" "${steadily[@]}" -s steady.write_bytes=1M
    assert_status 0
    json '.trials[0] | .ended_by == "steady" and .steady.asked and .steady.reached and
        .steady.gate_bytes == 1000000 and .steady.why == null'
    # The last full round is the one at which it held.
    json '.trials[0] | .steady.round == (.rounds | length) - 1 and .steady.round >= 4'
    json '.trials[0].rounds | all(.elapsed_s >= 1 and .after_pause == false and .partial == false
        and .bytes > 0)'
    json '.trials[0].rounds | [.[].bytes] as $b | all(.bytes_total > 0) and
        ([.[].bytes_total][-1] == ($b | add))'
    # Every cycle is in one round, in order.
    json '.trials[0] | [.rounds[].cycles | range(.[0]; .[1] + 1)] ==
        [range(0; [.phases[].cycle] | max + 1)]'
    # The rule, computed here: range and line of the last five rounds.
    json '.trials[0].rounds[-5:] | [.[].phases.insert.commits_per_s] as $v |
        ($v | add / 5) as $mean |
        (([range(5) as $i | ($i - 2) * $v[$i]] | add / 10 * 4) | fabs) as $line |
        (($v | max) - ($v | min) <= 0.2 * $mean) and ($line <= 0.1 * $mean)'
    has_event steady 'reached after '
    assert_has 'steady: reached after' "$stderr"
    json '.trials[0].phases | all(.start_s > 0 and .after_pause == null)'
    assert_clean
}

@test "a gate that is far away is not reached, and that is said with the result" {
    measure --target "$TARGET" "${steadily[@]}" -s steady.rounds=5 -s steady.write_bytes=20G
    assert_status 0
    json '.trials[0] | .ended_by == "done" and .steady.reached == false and .steady.round == null'
    json '.trials[0].steady.why | contains("less than steady.write_bytes = 20 GB")'
    json '[.trials[0].rounds[] | select(.partial | not)] | length == 5'
    has_event steady 'NOT REACHED after 5 rounds: '
    assert_has 'NOT REACHED after 5 rounds' "$stderr"
}

@test "workload.duration bounds the rounds" {
    measure --target "$TARGET" "${steadily[@]}" --duration 2500ms -s steady.write_bytes=0
    assert_status 0
    json '.trials[0] | .ended_by == "duration" and .steady.reached == false'
    json '.trials[0].steady.why | contains("workload.duration was over; 5 full rounds are needed")'
}

@test "without a device the rounds alone decide, and that is said" {
    measure --target null: --rows 10 --rows-per-commit 1 --rate 60 --until steady \
        -s steady.round=1s
    assert_status 0
    json '.trials[0] | .ended_by == "steady" and .steady.gate_bytes == null'
    json '.trials[0].rounds | all(.bytes == null and .bytes_total == null)'
    assert_has 'goes by the rounds alone' "$stderr"
}

@test "a signal between two rounds ends it like any run" {
    begin_run --target "$TARGET" --floor 0 --baseline 0 --json "${steadily[@]}" \
        -s steady.rounds=100 -s steady.write_bytes=20G
    await "$(phase_mark phase_start 9)"
    finish INT
    assert_status 130
    between milliseconds "$took_ms" 0 4000
    json '.partial and (.trials[0] | .ended_by == "signal" and .steady.reached == false and
        (.steady.why | startswith("stopped by a signal")))'
    assert_clean
}

@test "after a pause one cycle more, which no figure of the trial contains" {
    measure --target "$TARGET" --rows 200 --rows-per-commit 10 --duration 300ms --pause 1s
    assert_status 0
    json '.trials[0].phases | map(.after_pause == true) | .[-2:] == [true, true] and
        (.[:-2] | any | not)'
    # The drive was left alone: the next phase began a second later than the last one ended.
    between 'seconds between' "$(json '.trials[0].phases | .[-2].start_s - .[-3].start_s -
        .[-3].elapsed_s')" 1 30
    json '.trials[0] | ([.phases[] | select(.after_pause | not) | select(.name == "insert").commits]
        | add) == (.all_cycles[] | select(.name == "insert").commits)'
    json '.trials[0].rounds[-1] | .after_pause and (.cycles[0] == .cycles[1])'
    has_event pause 'rests for 1.0 s'
    measure --target "$TARGET" --rows 200 --rows-per-commit 10 --pause 100ms
    assert_status 0
    json '.trials[0] | .ended_by == "done" and (.phases | length == 4) and .all_cycles == null'
}

@test "a signal ends the pause at once" {
    begin_run --target "$TARGET" --floor 0 --baseline 0 --json --rows 20 --pause 1h
    await '"kind":"pause"'
    sleep 0.2
    finish TERM
    assert_status 130
    between milliseconds "$took_ms" 0 3000
    json '.trials[0] | .ended_by == "signal" and (.phases | length == 2)'
    assert_clean
}

@test "a cooldown by time: before each trial but the first" {
    measure --target "$TARGET" --rows 20 -s workload.rows_per_commit=5,10,20 -s run.cooldown=1s
    assert_status 0
    json '[.events[] | select(.kind == "cooldown") | .trial] == [1, 2]'
    json '.events | map(select(.kind == "cooldown").text) | all(startswith("rested 1"))'
    ll run --target "$TARGET" --floor 0 --dry-run --json --rows 20 \
        -s workload.rows_per_commit=5,10,20 -s run.cooldown=60s
    between 'seconds planned' "$(json .seconds)" 120 150
}

@test "a cooldown by temperature without a sensor: one warning, and no wait" {
    make_disk 64M
    measure --target "$DISK" --rows 20 -s workload.rows_per_commit=5,10,20 -s run.cooldown=30C
    assert_status 0
    [ "$(grep -c 'no temperature of the drive can be read' <<<"$stderr")" -eq 1 ]
    json '.events | any(.kind == "cooldown") | not'
}

@test "trim: what was deleted is told to the drive before each trial" {
    local image before after
    make_disk 192M
    image=$(losetup --noheadings --output BACK-FILE "/dev/$LOOP")
    dd if=/dev/urandom of="$DISK/old" bs=1M count=100 conv=fsync status=none
    rm "$DISK/old"
    sync -f "$DISK"
    before=$(stat -c %b "$image")
    measure --target "$DISK" --rows 200 -s workload.rows_per_commit=10,20 -s run.trim=on
    assert_status 0
    refute_has 'cannot be trimmed' "$stderr"
    json '[.events[] | select(.kind == "trim") | .trial] == [0, 1]'
    # Of 192 MB most is free: told in the first trial, with the time it took.
    json '[.events[] | select(.kind == "trim")][0].text |
        test("^1[0-9][0-9] MB of free space told to the drive under .* in [0-9.]+ s$")'
    after=$(stat -c %b "$image")
    [ $((before - after)) -gt $((90 * 2048)) ]
    assert_clean "$DISK"
}

@test "trim where it cannot be: a warning that says what it means, and the run goes on" {
    make_memory 64M
    measure --any-filesystem --target "$DISK" --rows 20 -s workload.rows_per_commit=10,20 \
        -s run.trim=on
    assert_status 0
    [ "$(grep -c 'cannot be trimmed: its file system' <<<"$stderr")" -eq 1 ]
    assert_has 'may be slower than it is when fresh' "$stderr"
    json '.events | any(.kind == "trim") | not'
}

@test "trim without root's rights: a warning" {
    need setpriv
    chmod 777 "$e2e_dir" "$TARGET" "$WORK"
    cd "$WORK"
    run --separate-stderr as_nobody "$LOADLINE" run --target "$TARGET" --floor 0 --baseline 0 \
        --rows 20 -s run.trim=on -o "$WORK/nobody.jsonl"
    assert_status 0
    assert_has "cannot be trimmed without root's rights" "$stderr"
}

@test "the plan is bounded by the rounds and by limit.write_bytes" {
    ll run --target "$TARGET" --floor 0 --dry-run --json --rows 100 --rows-per-commit 1 \
        --until steady -s steady.round=10s -s steady.rounds=20
    assert_status 0
    between 'seconds planned' "$(json .seconds)" 190 230
    ll run --target "$TARGET" --floor 0 --dry-run --json --rows 100k --until steady \
        -s limit.write_bytes=60G
    assert_status 0
    json '.write_bytes == 60000000000'
    between 'seconds planned' "$(json .seconds)" 100 1500
}

@test "what cannot be is refused before anything is written" {
    ll run --target "$TARGET" --until steady -s steady.write_bytes=100G
    assert_status 2
    assert_has 'steady.write_bytes = 100G with limit.write_bytes = 100G' "$stderr"
    ll run --target "$TARGET" -s run.cooldown=warm
    assert_status 2
    assert_has 'run.cooldown = warm' "$stderr"
    assert_clean
}

@test "a report of any number of rounds shows the last five, and what ran after a pause" {
    local rounds
    for rounds in 5 6 7; do
        new_log
        ll run --target "$TARGET" --rows 20 --rows-per-commit 1 --rate 400 --floor 0 --baseline 0 \
            --until steady -s steady.round=0.1s -s "steady.rounds=$rounds" \
            -s steady.write_bytes=20G --pause 10ms -o "$LOG"
        assert_status 0
        grep -E "^ *[0-9]+( rested)? +[0-9.]+ +[0-9.]+ " <<<"$output" >"$WORK/rows"
        [ "$(wc -l <"$WORK/rows")" -eq 6 ] # the window, and the round after the pause
        grep -q "^ *$((rounds - 4)) " "$WORK/rows"
        grep -q rested "$WORK/rows"
    done
}
