#!/usr/bin/env bats
# Every kind of load that a workload can ask for, each verified row by row.

load lib

# sound TRIALS ARGUMENT...: a run of so many trials in which every row is accounted for.
sound() {
    measure --target "$TARGET" --rows 40 --rows-per-commit 10 "${@:2}"
    assert_status 0
    assert_clean
    json ".partial == false and (.trials | length == $1 and all(.ended_by == \"done\" and
        .verify.ok and (.phases | map(.verify | .ok and .found_rows == .expected_rows) | all)))"
}

@test "layouts and files, with streams that share them unevenly" {
    sound 6 --streams 5 --layout shared-table,table-per-stream --files 1,2,5
    json '.trials | all(.phases[0].verify.found_rows == 200 and .phases[1].verify.found_rows == 0)'
    sound 2 --streams 1,5 --layout file-per-stream
}

@test "orders of keys and of deletes" {
    sound 6 --streams 2 --rows 53 --key-order sequential,random --delete-order oldest,newest,random
    sound 2 --streams 2 --rows 53 --layout shared-table --key-order sequential,random \
        --delete-order random
}

@test "payloads, indexes, compressible rows" {
    sound 6 --indexes 0,3 --payload 0,1,5000
    sound 1 --payload 100k --rows 12 --rows-per-commit 5
    json '.trials[0].phases[0] | .verify.found_rows == 12 and .row_bytes > 100000'
    sound 3 --compressible 0%,50%,100%
}

@test "rows per commit that do not divide the rows" {
    sound 4 --rows 41 --rows-per-commit 1,7,41,1000 --streams 2
    json '.trials | map(.phases[0].commits) == [82, 12, 2, 2]'
}

# took KEY VALUES [ARGUMENT...]: one trial for each value, and the engine says it has it.
took() {
    local key=$1 values=$2 count
    count=$(tr , '\n' <<<"$values" | wc -l)
    sound "$count" -s "sqlite.$key=$values" "${@:3}"
    [ "$(json ".trials | map(.engine_settings.$key) | join(\",\")")" = "$values" ]
}

@test "every choice of the SQLite keys" {
    took journal_mode wal,delete,truncate,persist,memory,off --streams 2
    took synchronous off,normal,full,extra
    took page_size 512,1024,2048,4096,8192,16384,32768,65536
    took locking_mode normal,exclusive --streams 2 --layout file-per-stream
    took secure_delete off,on,fast
    took insert_method row,values --rows 130 --rows-per-commit 65
    took busy queue,native --streams 2 --layout shared-table
    took cache_size -2000,-64,10 --rows 500 --rows-per-commit 250
    took mmap_size 0,1048576
    took wal_autocheckpoint 0,1,1000
}

@test "an exclusive lock with streams that share a file is refused with the remedy" {
    ll run --target "$TARGET" --streams 2 -s sqlite.locking_mode=exclusive -o r.jsonl
    assert_status 2
    assert_has file-per-stream "$stderr"
}

@test "parts of a workload, each with keys of its own" {
    cat >parts.ini <<'EOT'
[workload]
rows = 30
[part bulk]
workload.rows_per_commit = 10
[part single]
workload.rows_per_commit = 1
row.payload = 10, 20
EOT
    measure ./parts.ini --target "$TARGET" --repeats 2
    assert_status 0
    json '.trials | length == 6 and all(.verify.ok) and
        (map(.part) | unique == ["bulk", "single"])'
    json '[.trials[] | select(.part == "bulk") | .phases[].commits] == [3, 3, 3, 3]'
    json '[.trials[] | select(.part == "single") | .phases[].commits] | length == 8 and
        all(. == 30)'
}

@test "a list is a trial each; every odd repeat runs in reverse (ABBA)" {
    sound 8 --rows 10 --streams 1,2 --payload 10,20 --repeats 2
    json '.trials | map([.index, .repeat, .factors.streams, .factors["row.payload"]]) |
        (.[:4] | map(.[2:])) == (.[4:] | map(.[2:]) | reverse) and
        map(.[0]) == [0, 1, 2, 3, 4, 5, 6, 7] and map(.[1]) == [0, 0, 0, 0, 1, 1, 1, 1] and
        (.[:4] | map(.[2:]) | unique | length == 4)'
    jq -e -s 'map(select(.record == "trial") | .factors) | length == 8' "$LOG"
}

@test "warm-up is not counted, but its rows are verified" {
    measure --target "$TARGET" --rows 300 --rows-per-commit 1 --rate 150 --warmup 1s --phases insert
    assert_status 0
    json '.trials[0].phases[0] | .verify.found_rows == 300 and .verify.ok'
    between 'counted commits' "$(json '.trials[0].phases[0].commits')" 100 160
    between 'seconds' "$(json '.trials[0].phases[0].elapsed_s')" 0.8 1.3
}

@test "open loop: commits come at the rate that was asked for" {
    measure --target "$TARGET" --rows 50 --rows-per-commit 1 --streams 2 --rate 50 --phases insert
    assert_status 0
    near 'commits/s' "$(json '.trials[0].phases[0].commits_per_s')" 50 6
    json '.trials[0].phases[0] | .commits == 100 and .concurrency < 1.9'
}

@test "duration: cycles until the time is over, every row accounted for" {
    measure --target "$TARGET" --rows 20 --rows-per-commit 5 --duration 1s
    assert_status 0
    json '.trials[0] | .ended_by == "duration" and .verify.ok and (.phases | length > 4 and
        (map(.verify.ok) | all) and (map(.name) | .[0:4] == ["insert", "delete", "insert", "delete"])
        and .[-1].cycle > 1 and (map(.elapsed_s + .settle_s) | add) < 8)'
    json '.trials[0].all_cycles | length == 2 and .[0].cycles > 1'
}

@test "phases in other orders" {
    sound 1 --phases insert
    json '.trials[0].phases | map(.verify.found_rows) == [40]'
    sound 1 --phases insert,insert,delete,delete --streams 2 --delete-order random
    json '.trials[0].phases | map(.verify.found_rows) == [80, 160, 80, 0]'
    sound 1 --phases insert,delete,insert,insert,delete --delete-order newest
    json '.trials[0].phases | map(.verify.found_rows) == [40, 0, 40, 80, 40]'
}

@test "16 streams on one table: fair in the queue, waits without it" {
    measure --target "$TARGET" --rows 25 --rows-per-commit 1 --streams 16 --layout shared-table \
        --phases insert -s sqlite.busy=queue,native
    assert_status 0
    json '.trials | map(.factors["sqlite.busy"]) == ["queue", "native"] and all(.verify.ok)'
    between "Jain's index" "$(json '.trials[0].phases[0].fairness')" 0.99 1
    json '.trials[0].phases[0] | .retries.busy == 0 and .latency_ms.lock_wait.p50 > 0'
    json '.trials[1].phases[0] | .retries.busy + .engine.busy_waits > 0'
    near concurrency "$(json '.trials[0].phases[0].concurrency')" 16 2
    near concurrency "$(json '.trials[1].phases[0].concurrency')" 16 2
}

@test "hundreds of streams with few open files allowed" {
    local most
    for most in -S -H; do
        (
            # Both limits, or the soft one that may be raised again.
            [ "$most" = -S ] || ulimit -Sn 256
            ulimit "${most}n" 256
            ll run --target null: --rows 20 --streams 300 --json -o "n$most.jsonl"
            echo "$status $stderr" >"null$most"
            ll run --target "$TARGET" --rows 3 --rows-per-commit 3 --streams 100 --floor 0 --baseline 0 \
                --layout file-per-stream --json -o "s$most.jsonl"
            echo "$status $stderr" >"sqlite$most"
            [ "$status" -ne 0 ] || jq -e '.trials[0].verify.ok' <<<"$output"
        )
        assert_clean
    done
    # The soft limit is raised.
    assert_has '0 ' "$(cat null-S)"
    assert_has '0 ' "$(cat sqlite-S)"
    # The hard one is told.
    assert_has '3 ' "$(cat sqlite-H)"
    assert_has 'ulimit -n' "$(cat sqlite-H)"
    assert_has '100 streams' "$(cat sqlite-H)"
}

# checksum SEED ROWS-PER-COMMIT KEY-ORDER: of what loadline makes, engines aside.
checksum() {
    ll run --target null: --rows 500 --streams 3 --seed "$1" --rows-per-commit "$2" --json \
        --key-order "$3" -o "c$1-$2-$3.jsonl"
    assert_status 0
    json '.trials[0].phases[0].gauges.payload_checksum'
}

@test "rows come from the seed alone" {
    local first
    first=$(checksum 1 10 sequential)
    [ "$first" = "$(checksum 1 100 sequential)" ]
    [ "$first" = "$(checksum 1 10 random)" ]
    [ "$first" != "$(checksum 2 10 sequential)" ]
}

# dump NAME ARGUMENT...: the rows that a run inserted, by an independent reader.
dump() {
    local file table
    begin_run --target "fault:$TARGET" --rows 30 --rows-per-commit 4 --streams 4 --floor 0 --baseline 0 \
        --phases insert -s fault.call=scan -s fault.status=ok -s fault.delay=60s "${@:2}"
    await "$(phase_mark settled 0)"
    finish KILL
    while IFS= read -r file; do
        for table in $(sqlite3 "$file" "SELECT name FROM sqlite_master WHERE type = 'table'"); do
            sqlite3 "$file" "SELECT id, stream, k1, hex(payload) FROM $table"
        done
    done < <(find "$TARGET" -name '*.db') | sort >"$1"
    ll clean "$TARGET"
    assert_status 0
    [ "$(wc -l <"$1")" -eq 120 ]
}

@test "the same rows whatever the layout, the order and the journal" {
    local layout
    need sqlite3
    dump shared --layout shared-table
    dump tables --layout table-per-stream --files 2 --key-order random
    dump files --layout file-per-stream -s sqlite.journal_mode=delete --indexes 1 \
        --rows-per-commit 7
    cmp shared tables
    cmp shared files
    # Ids are (2^14 + stream) x 2^38 + sequence.
    awk -F'|' '{ if ($1 != (16384 + $2) * 2 ^ 38 + n[$2]++) exit 1 }' shared
    [ "$(cut -d'|' -f2 shared | sort -u | tr -d '\n')" = 0123 ]
    [ "$(cut -d'|' -f4 shared | sort -u | awk '{ print length }' | sort | uniq -c | tr -s ' ')" = ' 120 200' ]
}
