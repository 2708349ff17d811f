#!/usr/bin/env bats
# Rows and calls that go wrong on purpose: what verification finds, what is tried again.

load lib

FIRST_ID=4503599627370496 # 2^14 x 2^38: stream 0, sequence 0

# wrong KIND ARGUMENT...: a run in which a row goes wrong.
goes_wrong() {
    measure --target "fault:$TARGET" --rows 40 --rows-per-commit 5 -s "fault.row=$1" "${@:2}"
    assert_status 4
    assert_has 'verification failed' "$stderr"
    assert_clean
    json '.trials[-1].ended_by == "error" and (.trials[-1].verify.ok | not) and
        (.trials[-1].phases[-1].verify.ok | not)'
}

# counts LOST SURPLUS WRONG: of the last phase, whose first key the message names too.
counts() {
    json ".trials[-1].phases[-1].verify | [.lost_rows, .surplus_rows, .wrong_rows] ==
        [$1, $2, $3] and .integrity == \"ok\" and (.first | length == 1)"
    assert_has "$1 lost, $2 surplus, $3 wrong" "$stderr"
    assert_has "$(json '.trials[-1].phases[-1].verify.first[0] | "\(.what) id \(.id)"')" "$stderr"
}

@test "a row that was dropped is lost" {
    goes_wrong drop
    counts 1 0 0
    assert_has "lost id $FIRST_ID" "$stderr"
    json '.trials[0].phases[0].verify | .expected_rows == 40 and .found_rows == 39'
    ll report "$LOG"
    assert_status 0
    assert_has '1 lost'
}

@test "a byte that was flipped is a wrong row" {
    goes_wrong corrupt
    counts 0 0 1
    assert_has "wrong id $FIRST_ID" "$stderr"
}

@test "a row that was not deleted is surplus" {
    goes_wrong keep
    counts 0 1 0
    assert_has "surplus id $FIRST_ID" "$stderr"
    json '.trials[0].phases | map([.name, .verify.ok]) == [["insert", true], ["delete", false]]'
}

@test "each of them, whichever row, in shared and own files, at random and in both engines" {
    local row layout counted
    for row in drop:1,0,0 corrupt:0,0,1 keep:0,1,0; do
        IFS=, read -ra counted <<<"${row#*:}"
        for layout in shared-table file-per-stream; do
            goes_wrong "${row%:*}" --streams 4 --layout "$layout" -s fault.nth=15 \
                --key-order random --delete-order random
            counts "${counted[@]}"
        done
        goes_wrong "${row%:*}" --streams 3 -s fault.nth=7 -s fault.inner=fsync \
            --delete-order newest
        counts "${counted[@]}"
    done
}

@test "rows without a payload: a flipped key is a wrong row" {
    goes_wrong corrupt --payload 0
    counts 0 0 1
}

# recovers KEY=VALUE...: all goes well in the end.
recovers() {
    local setting options=()
    for setting; do
        options+=(-s "$setting")
    done
    measure --target "fault:$TARGET" --rows 40 --rows-per-commit 5 --streams 2 "${options[@]}"
    assert_status 0
    assert_clean
    json '.trials | all(.ended_by == "done" and .verify.ok and (.phases | length == 2))'
}

@test "busy, conflict and deadlock are tried again, and counted" {
    local counted='.trials | length == $trials and all(.factors["fault.status"] as $status |
        .phases[$phase] | .retries[$status] == 1 and (.retries | add) == 1 and .rows == 80 and
        .commits == 16)'
    recovers fault.status=busy,conflict,deadlock fault.nth=6 fault.call=begin,insert \
        fault.when=before,after
    jq -e --argjson trials 12 --argjson phase 0 "$counted" <<<"$output"
    # A commit that was made and says "busy" would be an engine that lies.
    recovers fault.status=busy,conflict,deadlock fault.nth=6 fault.call=commit,remove
    jq -e --argjson trials 3 --argjson phase 0 \
        ".trials |= map(select(.factors[\"fault.call\"] == \"commit\")) | $counted" <<<"$output"
    json '.trials | map(select(.factors["fault.call"] == "remove")) | length == 3 and
        all(.factors["fault.status"] as $status | .phases | map(.retries[$status]) == [0, 1])'
}

@test "a connection that is lost before a commit's effect: in doubt, and not there" {
    recovers fault.call=commit fault.status=lost fault.nth=6
    json '.trials[0].phases[0] | .reconnects == 1 and .in_doubt_rows == 5 and .rows == 75 and
        .commits == 15 and .verify.found_rows == 75'
}

@test "a connection that is lost after a commit's effect: in doubt, and there" {
    recovers fault.call=commit fault.status=lost fault.nth=6 fault.when=after
    json '.trials[0].phases[0] | .reconnects == 1 and .in_doubt_rows == 5 and .rows == 75 and
        .commits == 15 and .verify.found_rows == 80'
}

@test "a connection that is lost in a delete's commit" {
    local when
    for when in before after; do
        recovers fault.call=commit fault.status=lost fault.nth=20 "fault.when=$when"
        json '.trials[0].phases | map(.in_doubt_rows) == [0, 5] and map(.reconnects) == [0, 1]'
    done
}

@test "a connection that is lost elsewhere: nothing is in doubt" {
    local call
    for call in begin insert; do
        recovers "fault.call=$call" fault.status=lost fault.nth=6
        json '.trials[0].phases[0] | .reconnects == 1 and .in_doubt_rows == 0 and .rows == 80'
    done
}

@test "what cannot be tried again fails the run, naming the call" {
    local call
    for call in create settle stats scan integrity destroy connect begin insert remove commit; do
        measure --target "fault:$TARGET" --rows 40 --rows-per-commit 5 --streams 2 \
            -s "fault.call=$call" -s fault.status=fatal
        assert_status 1
        assert_has "fault.call = $call" "$stderr"
        assert_clean
        ll report "$LOG"
        assert_status 0
    done
}

@test "no space in an insert: fails, and what was acknowledged is there" {
    measure --target "fault:$TARGET" --rows 40 --rows-per-commit 5 --streams 2 \
        -s fault.call=insert -s fault.status=no_space -s fault.nth=9
    assert_status 1
    assert_has 'no space left' "$stderr"
    assert_clean
    json '.trials[0] | .ended_by == "no_space" and .verify.ok and
        (.phases[0] | .verify.found_rows == .rows and .rows > 0)'
}

@test "a failure in the first of two trials ends the run" {
    measure --target "fault:$TARGET" --rows 40 --rows-per-commit 5,10 -s fault.row=drop
    assert_status 4
    json '.trials | length == 1'
}

@test "the hidden engine is in no list, and its keys are nobody else's" {
    ll list engines
    refute_has fault.
    refute_has fault:
    ll run --target "$TARGET" --rows 10 -s fault.row=drop -o r.jsonl
    assert_status 2
    assert_has fault.row "$stderr"
}
