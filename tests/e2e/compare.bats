#!/usr/bin/env bats
# loadline compare: real results side by side, thresholds and exit statuses.

load lib

# result NAME ARGUMENT...: six tiny runs, in NAME.jsonl.
result() {
    local name=$1
    shift
    ll run --floor 0 --baseline 0 --rows 300 --rows-per-commit 10 --repeats 6 -o "$name.jsonl" "$@"
    [ "$status" -eq 0 ] || {
        echo "$stderr"
        return 1
    }
}

@test "two targets of one run are compared in pairs" {
    mkdir "$TARGET/a" "$TARGET/b"
    result both --target "$TARGET/a" --target "$TARGET/b"
    ll compare both.jsonl
    assert_status 0
    [ -z "$stderr" ]
    assert_has '95% interval'
    assert_has VERDICT
    assert_has 'same: workload'
    ll compare both.jsonl --json
    assert_status 0
    [ "$(json '.drives | length')" -eq 2 ]
    [ "$(json '[.groups[].phase] | join(",")')" = insert,delete ]
    [ "$(json '[.groups[].metrics[].ratios[] | .design] | unique | join(",")')" = paired ]
    [ "$(json '.groups[0].metrics[0].ratios[0].count_a')" -eq 6 ]
    json '[.groups[].metrics[] | select(.path == "elapsed_s")] | length == 2'
    # The ratio lies inside its interval, and a verdict has one.
    json '[.groups[].metrics[].ratios[] | select(.low != null) | .low <= .ratio and .ratio <= .high] | all'
    json '[.groups[].metrics[].ratios[] | select(.verdict == "better" or .verdict == "worse") |
        (.low > 1 or .high < 1) and .p_adjusted < 0.05] | all'
}

@test "a result beside itself is never better or worse" {
    result a --target "$TARGET"
    cp a.jsonl b.jsonl
    ll compare a.jsonl b.jsonl --json
    assert_status 0
    json '[.groups[].metrics[].ratios[].verdict] | (index("better") == null) and (index("worse") == null)'
    json '[.notes[] | select(test("hold the same run"))] | length == 1'
}

@test "labels make drives, in Japanese too, of several files" {
    result a1 --target null: --label 東京
    result a2 --target null: --label 東京
    result b1 --target null: --label 大阪
    ll compare a1.jsonl b1.jsonl a2.jsonl
    assert_status 0
    assert_has 'A  東京  12 runs'
    assert_has 'B  大阪  6 runs'
    assert_has 'no drive was under test'
    LC_ALL=C ll compare a1.jsonl b1.jsonl --width 60
    assert_status 0
    [ -z "$(LC_ALL=C grep -P '[^\x00-\x7f]' <<<"$output")" ]
    [ "$(wc -L <<<"$output")" -le 60 ]
}

@test "no winner where settings differ, and the keys are named" {
    result a --target "$TARGET" --label a
    result b --target "$TARGET" --label b -s row.indexes=2 -s sqlite.synchronous=off
    ll compare a.jsonl b.jsonl
    assert_status 0
    assert_has 'row.indexes (0, 2)'
    assert_has 'sqlite.synchronous (full, off)'
    assert_has 'NO WINNER'
    assert_has 'No winner between A and B'
    refute_has 'better'
    refute_has 'worse'
    # On purpose it may be compared, but never flushed beside unflushed.
    ll compare a.jsonl b.jsonl --vary row.indexes --vary sqlite.synchronous --vary engine --json
    assert_status 0
    json '[.groups[].metrics[].ratios[].verdict] | unique == ["not ranked"]'
    json '[.against[].kind] | index("flush") != null'
}

@test "what both measured is compared, the rest is named" {
    result a --target null: --label a --streams 1,2
    result b --target null: --label b --streams 2,3
    ll compare a.jsonl b.jsonl --json
    assert_status 0
    [ "$(json '[.groups[].factors.streams] | unique | join(",")')" = 2 ]
    [ "$(json '[.left_out[] | "\(.drives[0])\(.factors.streams)"] | unique | join(",")')" = A1,B3 ]
}

# gate STATUS EXPRESSION...: of a.jsonl and b.jsonl.
gate() {
    local wanted=$1 expression options=()
    shift
    for expression in "$@"; do options+=(--fail-if "$expression"); done
    ll compare a.jsonl b.jsonl "${options[@]}"
    assert_status "$wanted"
}

@test "--fail-if: each status" {
    result a --target null: --label a
    result b --target null: --label b
    gate 0 'insert.rows > 300'
    assert_has 'insert.rows > 300: PASSED in 2 of 2'
    gate 0 'insert.rows < 0.95x'
    gate 5 'insert.rows >= 300'
    assert_has 'CROSSED in 2 of 2'
    [[ $stderr == *'1 of 1 thresholds crossed'* ]]
    gate 5 'insert.rows <= 1x'
    assert_has '300 <= 300 (1.00 of 300)'
    gate 5 'insert.rows > 300' 'delete.commits < 31' 'insert.rows < 1'
    [[ $stderr == *'1 of 3 thresholds crossed'* ]]
    # What could not be measured (there is no drive) counts as crossed, and says why.
    gate 5 'insert.data.write_iops > 1'
    assert_has 'CANNOT BE TOLD, counts as crossed'
    assert_has 'A in insert, 1 stream, 10 rows/commit: A has no such figure'
    # What does not exist is a wrong use.
    gate 2 'insert.nonsense > 1'
    [[ $stderr == *'at character 8, there is no such metric'* ]]
    [ -z "$output" ]
    gate 2 'churn.rows > 1'
    [[ $stderr == *'no result has the phase churn; there is insert, delete'* ]]
    gate 2 'part:insert.rows > 1'
    gate 2 'insert.rows = 1'
    gate 2 ''
    ll compare a.jsonl --fail-if 'insert.rows != 300'
    assert_status 2
    ll compare a.jsonl --fail-if 'insert.rows < 300'
    assert_status 0
    ll compare a.jsonl --fail-if 'insert.rows < 301'
    assert_status 5
    ll compare b.jsonl --baseline a.jsonl --fail-if 'insert.rows < 1x' --json
    assert_status 0
    [ "$(json .baseline)" = a.jsonl ]
    [ "$(json '.thresholds[0].status')" = passed ]
    [ "$(json '.thresholds[0].checks[0] | "\(.drive) \(.found) \(.limit)"')" = 'B 300 300' ]
}

@test "every combination is checked" {
    result a --target null: --label a --streams 1,2
    result b --target null: --label b --streams 1,2
    gate 5 'insert.rows > 500'
    assert_has 'CROSSED in 2 of 4'
    assert_has 'A in insert, 2 streams, 10 rows/commit: 600 > 500'
}

@test "-o, --json and what stands in the way" {
    result a --target null: --label a
    result b --target null: --label b
    ll compare a.jsonl b.jsonl
    local printed=$output
    ll compare a.jsonl b.jsonl -o c.txt
    assert_status 0
    [ -z "$output" ]
    [ "$(cat c.txt)" = "$printed" ]
    ll compare a.jsonl b.jsonl -o c.txt
    assert_status 2
    ll compare a.jsonl b.jsonl -o c.json
    assert_status 0
    [ "$(json .schema c.json)" -eq 1 ]
    ll compare a.jsonl b.jsonl -o d.html
    assert_status 0
    [ "$(grep -c '<article' d.html)" -eq 2 ]
    ll compare a.jsonl b.jsonl -o d.csv
    assert_status 2
    [ ! -e d.csv ]
    ll compare a.jsonl b.jsonl -o none/d.txt
    assert_status 1
    ll compare a.jsonl
    assert_status 2
    ll compare
    assert_status 2
    ll compare --baseline a.jsonl
    assert_status 2
    ll compare a.jsonl none.jsonl
    assert_status 1
    printf 'no result\n' >bad.jsonl
    ll compare a.jsonl bad.jsonl
    assert_status 1
    [[ $stderr == *'bad.jsonl is not a loadline result'* ]]
    ll compare a.jsonl b.jsonl --width 7
    assert_status 2
}

@test "a partial result bars a winner, and is compared all the same" {
    result a --target null: --label a
    result b --target null: --label b
    head -n -1 b.jsonl >cut.jsonl
    ll compare a.jsonl cut.jsonl
    assert_status 0
    assert_has 'cut.jsonl is partial'
    assert_has 'not ranked'
    refute_has better
    refute_has worse
}
