#!/usr/bin/env bats
# `--streams auto`: the search of the ceiling, on no drive at all, on SQLite and on a service level;
# every bound that ends it, its repeats, and what it leaves.

load lib

# search ARGUMENT...: with steps as short as they may be.
search() {
    measure --streams auto -s search.step=0.2s -s search.step_max=0.5s "$@"
}

# Streams, and the numbers of the steps, in the order in which they ran.
streams() {
    json '[.trials[].factors.streams] | map(tostring) | join(" ")' "$@"
}
steps() {
    json '[.trials[].search.step] | map(tostring) | join(" ")' "$@"
}

# What every search must hold: indexes that rise by one, an end in the last step of repeat 0 alone,
# each step of it with streams of its own, each trial done and verified.
assert_search() {
    assert_status 0
    json '[.trials[].index] == [range(.trials | length)]'
    json '.trials_planned == null and (.partial | not)'
    json '[.trials[] | select(.repeat == 0)] | .[-1].search.end != null and
        all(.[:-1][]; .search.end == null) and
        [.[].search.step] == [range(1; length + 1)] and
        ([.[].factors.streams] | length == (unique | length))'
    json 'all(.trials[] | select(.repeat > 0); .search.end == null)'
    json 'all(.trials[]; .ended_by == "done" and .verify.ok != false)'
    assert_clean
}

# says TEXT: the sentence of the search's end, for the person and in the log.
says() {
    assert_has "$1" "$stderr"
    json '[.events[] | select(.kind == "search") | .text] | join("\n")' >"$WORK/said"
    assert_has "$1" "$(cat "$WORK/said")"
}

@test "null: until streams gain nothing, and around the best" {
    search --target null: --rows 200k -s search.streams_max=8
    assert_search
    json '[.trials[:3][].factors.streams] == [1, 2, 4]'
    json '.trials[-1].search.end | IN("found", "streams")'
    assert_has 'search: ' "$stderr"
    assert_has 'commits/s with' "$stderr"
    # The best of each phase has no gap beside it: of at most 8 streams, all neighbours were tried.
    json 'def rate(phase; key): [.phases[] | select(.name == phase) | .all_streams |
            if key == "time" then .elapsed_s else .elapsed_s * .commits_per_s end] | add;
        def best(phase): [.trials[] | {n: .factors.streams,
            rate: (rate(phase; "commits") / rate(phase; "time"))}] | max_by(.rate).n;
        [.trials[].factors.streams] as $tried |
        all(best("insert"), best("delete"); . as $best |
            all($best - 1, $best + 1; . == 0 or . > ($tried | max) or IN($tried[])))'
}

@test "null: rows that are over at once make more cycles, and that is said" {
    search --target null: --rows 1000 -s search.steps=2
    assert_search
    json 'all(.trials[]; (.phases | length) == 100)'
    json '[.events[] | select(.kind == "warning" and (.text | startswith("workload.rows = 1000 ")))]
        | length == 1'
}

@test "sqlite: three steps, and search.steps ends it" {
    search --target "$TARGET" --rows 20000 --rows-per-commit 20 -s search.steps=3
    assert_search
    [ "$(streams)" = '1 2 4' ]
    [ "$(steps)" = '1 2 3' ]
    json '.trials[2].search.end == "steps"' || json '.trials[2].search.end == "found"'
    # No phase is much longer than search.step_max, and all rows of it are accounted for.
    json 'all(.trials[].phases[]; .elapsed_s < 3 and .verify.ok)'
    json '[.trials[].phases[] | .commits] | all(. > 0)'
    json 'all(.trials[]; .factors == {streams: (.phases[0].streams | length)})'
}

@test "sqlite: search.time ends it" {
    search --target "$TARGET" --rows 20000 --rows-per-commit 20 -s search.time=1s
    assert_search
    json '(.trials | length) < 5 and .trials[-1].search.end == "time"'
    says 'over by search.time = 1s, before the ceiling was found'
}

@test "sqlite: search.streams_max ends it, on a load that still rises" {
    # Streams that wait for the fault's delay do not wait for each other.
    search --target "fault:$TARGET" -s fault.inner=fsync -s fault.call=commit \
        -s fault.status=ok -s fault.lasting=always -s fault.delay=5ms --rows 2000 \
        --rows-per-commit 1 --layout file-per-stream -s search.streams_max=2
    assert_search
    [ "$(streams)" = '1 2' ]
    json '.trials[-1].search.end == "streams"'
    says 'over by search.streams_max, 2 streams; the ceiling may lie beyond'
}

@test "sqlite: limit.write_bytes ends it before it is reached, or within a step" {
    search --target "$TARGET" --rows 20000 --rows-per-commit 1 --write-bytes 28M \
        --layout file-per-stream
    assert_status 0
    json '.trials[-1].search.end == "bytes"'
    json '.trials[-1].ended_by | IN("done", "write_bytes")'
    says 'limit.write_bytes'
    assert_clean
}

@test "sqlite: too little for one stream is refused before any load" {
    search --target "$TARGET" --rows 1M --rows-per-commit 1 --write-bytes 1M
    assert_status 3
    assert_has 'writes at least' "$stderr"
    assert_has 'limit.write_bytes' "$stderr"
    [ ! -e "$LOG" ]
}

@test "sqlite: a service level that one stream passes ends it there" {
    search --target "$TARGET" --rows 20000 --rows-per-commit 1 --slo p50=0.001ms
    assert_search
    [ "$(streams)" = 1 ]
    json '.trials[0].search.end == "slo"'
    says 'over because p50 passed 0.001 ms; most: no step was within the service level'
}

@test "sqlite: a percentile without enough samples has not passed" {
    # p999 needs 10,000 transactions.
    search --target "$TARGET" --rows 2000 --rows-per-commit 1000 --slo p999=0.001ms -s search.steps=2
    assert_search
    [ "$(streams)" = '1 2' ]
}

@test "repeats run the same steps, odd ones backward" {
    search --target "$TARGET" --rows 20000 --rows-per-commit 20 -s search.steps=2 --repeats 3 \
        --layout shared-table,file-per-stream
    assert_search_of_two
    [ "$(steps)" = '1 2 1 2 2 1 2 1 1 2 1 2' ]
    [ "$(streams)" = '1 2 1 2 2 1 2 1 1 2 1 2' ]
    json '[.trials[].factors.layout | .[:1]] | join("") == "ssffffssssff"'
    json '[.trials[].repeat] == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]'
}

assert_search_of_two() {
    assert_status 0
    json '[.trials[].index] == [range(12)]'
    json '[.trials[].search.end] | map(. != null) | index(true) == 1 and (map(select(.)) | length) == 2'
    assert_clean
}

@test "more files than streams: it begins with a stream for each" {
    search --target "$TARGET" --rows 5000 --rows-per-commit 20 --files 3 -s search.steps=2
    assert_search
    [ "$(streams)" = '3 6' ]
    says 'it begins with 3 streams, one for each of workload.files'
}

@test "few open files bound the streams" {
    ulimit -n 80
    search --target "$TARGET" --rows 5000 --rows-per-commit 20
    assert_search
    json 'all(.trials[].factors.streams; . <= 4)'
    json '.trials[-1].search.end | IN("streams", "found")'
}

@test "an engine that does not carry so many streams ends the search, not the run" {
    search --target "fault:$TARGET" -s fault.call=connect -s fault.nth=3 -s fault.lasting=always \
        -s fault.status=fatal --rows 5000 --rows-per-commit 20
    assert_status 0
    json '.trials[-1] | .factors.streams == 4 and .search.end == "streams" and .ended_by == "error"
        and .phases == []'
    says 'stream 2: connect: '
    assert_clean
    ll report "$LOG"
    assert_status 0
}

@test "one stream that cannot connect is a failure as ever" {
    search --target "fault:$TARGET" -s fault.call=connect -s fault.status=fatal --rows 5000
    assert_status 1
    json '.trials[0].search == {step: 1, end: null}'
}

@test "beside a part with numbers all indexes are one row" {
    cat >both.ini <<'INI'
[workload]
rows = 2000
rows_per_commit = 20
[part searched]
workload.streams = auto
[part fixed]
workload.streams = 1, 2
INI
    search_of both.ini
    assert_status 0
    json '[.trials[].index] == [range(.trials | length)]'
    json '[.trials[].part] == ["searched", "searched", "fixed", "fixed"]'
    json 'all(.trials[] | select(.part == "fixed"); .search == null)'
    assert_clean
}

search_of() {
    measure "$@" --target "$TARGET" -s search.step=0.2s -s search.step_max=0.5s -s search.steps=2
}

@test "Ctrl-C in a search: what was measured is there, and nothing is left" {
    begin_run --target "$TARGET" --streams auto --rows 20000 --rows-per-commit 20 --floor 0 --json \
        --baseline 0 -s search.step=0.2s -s search.step_max=0.5s -s search.steps=100
    await '"trial":1,"phase":0,'
    finish INT
    assert_status 130
    json '.partial and (.trials | length) >= 2 and all(.trials[]; .search.end == null) and
        .trials[-1].ended_by == "signal" and .trials[0].ended_by == "done"'
    assert_clean
    ll report "$LOG"
    assert_status 0
    assert_has PARTIAL
}

@test "the plan says the bounds, and nothing of trials that nobody knows" {
    ll run --streams auto --target "$TARGET" --dry-run
    assert_status 0
    assert_has 'plan    search: up to 24 steps; about 16 min, 100 GB written at most'
    ll run --streams auto --target "$TARGET" --dry-run --json
    assert_status 0
    json '.trial_count == null and .space_bytes == null and .search.steps_max == 24 and
        .search.streams_max == 256 and .search.write_bytes_max == 1e11 and
        (.trials | length) == 1 and .trials[0].factors.streams == "auto" and
        .trials[0].index == null'
    assert_clean
}

@test "what makes no sense with a search is refused, with the remedy" {
    local other
    for other in duration=3s until=steady rate=5 pause=3s; do
        search --target null: -s "workload.$other"
        assert_status 2
        assert_has "workload.streams = auto with workload.${other%=*} = ${other#*=}: " "$stderr"
        assert_has 'leave workload' "$stderr"
    done
    ll run --target null: --streams 1,auto
    assert_status 2
    assert_has 'write auto, or numbers without it' "$stderr"
}

@test "a drive without room for the next step ends the search before it" {
    make_disk 100M
    measure --target "$DISK" --streams auto --rows 200k -s search.step=0.5s -s search.step_max=3s
    assert_status 0
    json '.trials[-1].search.end == "space" and .trials[-1].ended_by == "done"'
    json '(.trials | length) >= 1 and all(.trials[].factors.streams; . <= 4)'
    says ' free; '
    says 'limit.free_space keeps'
    assert_clean "$DISK"
}

@test "one step alone shows no trend" {
    search --target null: --rows 5M --rows-per-commit 1 -s search.time=1s -s search.step=2s \
        -s search.step_max=2s
    assert_status 0
    [ "$(json '.trials | length')" -eq 1 ]
    json '.analysis.ceiling.findings[0].commits_per_s.reached == null'
    assert_has 'one step shows no trend' "$(json '.analysis.ceiling.findings[0].sentences[0]')"
}

@test "two names of one directory are not two drives" {
    ll run --target "$TARGET" --target "$TARGET/../target/" --rows 10
    assert_status 2
    assert_has 'are one directory; remove one' "$stderr"
}
