#!/usr/bin/env bats
# What is printed of a run: at once, again, at any width, as JSON.

load lib

# made ARGUMENT...: a short run; its log is $LOG, what it printed $output.
made() {
    new_log
    ll run --target "$TARGET" --rows 200 --rows-per-commit 5 --floor 100ms -o "$LOG" "$@"
    assert_status 0
}

# narrow COLUMNS: no line of $output is wider.
narrow() {
    [ "$(wc -L <<<"$output")" -le "$1" ] || {
        printf 'wider than %s columns:\n%s\n' "$1" "$output"
        return 1
    }
}

@test "report prints the bytes that run printed" {
    local printed
    made
    printed=$output
    ll report "$LOG"
    assert_status 0
    [ "$output" = "$printed" ]
    [ -z "$stderr" ]
    made --streams 1,2 --layout shared-table,file-per-stream --repeats 2 --rows 40 --label 'a b'
    printed=$output
    ll report "$LOG"
    [ "$output" = "$printed" ]
    # In another time zone and language of the machine too.
    TZ=Asia/Tokyo LC_NUMERIC=de_DE.UTF-8 ll report "$LOG"
    [ "$output" = "$printed" ]
    ll report "$LOG" -o again.txt
    assert_status 0
    [ "$(cat again.txt)" = "$printed" ]
}

@test "a stopped run prints what report prints" {
    local printed
    begin_run --target "$TARGET" --rows-per-commit 1 --floor 0
    await "$(phase_mark tick 0)"
    sleep 0.3
    finish INT
    printed=$output
    ll report "$LOG"
    assert_status 0
    [ "$output" = "$printed" ]
    assert_has PARTIAL
}

@test "no line is wider than it may be" {
    local width log logs=()
    made --label '日本語のラベル、とても長い名前のドライブ' --payload 10k
    logs+=("$LOG")
    made --streams 1,2 --layout shared-table,file-per-stream --repeats 2 --rows 40
    logs+=("$LOG")
    measure --target null: --rows 1000 --streams 1,10,100
    logs+=("$LOG")
    for log in "${logs[@]}"; do
        for width in 60 80 120; do
            ll report "$log" --width "$width"
            assert_status 0
            narrow "$width"
            assert_has VERDICT
        done
        LC_ALL=C ll report "$log" --width 60
        assert_status 0
        narrow 60
        [ -z "$(LC_ALL=C grep -P '[^\x20-\x7e]' <<<"$output")" ]
    done
}

# The document of docs and programs: each key, with the types it may have.
SHAPE='
def number: type == "number";
def maybe(f): . == null or f;
def text: type == "string";
def yes_no: type == "boolean";
def all_of(keys; f): . as $o | [keys] | all(. as $k | ($o | has($k)) and ($o[$k] | f));
def percentiles: maybe(all_of("count", "mean", "p50", "p90", "p99", "p999", "max"; maybe(number)));
def cost: maybe(all_of("writes", "flushes", "bytes"; maybe(number)));
def slope: maybe(all_of("slope", "low", "high", "r", "n"; maybe(number)));
def device: all_of("role"; text) and
    all_of("reads", "writes", "flushes", "read_bytes", "write_bytes", "discards",
        "settle_write_bytes", "data_writes", "write_iops", "write_request_bytes",
        "write_await_ms", "flush_await_ms", "queue_depth", "max_in_flight"; maybe(number));
def phase: all_of("name"; text) and
    all_of("cycle", "elapsed_s", "rows", "commits", "rows_per_s", "commits_per_s",
        "reconnects", "in_doubt_rows", "fairness", "concurrency"; number) and
    all_of("settle_s", "device_bytes_per_row_byte", "share_of_floor"; maybe(number)) and
    (.all_streams | all_of("elapsed_s", "rows_per_s", "commits_per_s"; maybe(number))) and
    (.latency_ms | all_of("transaction", "lock_wait", "statement", "commit"; percentiles)) and
    (.retries | all_of("busy", "conflict", "deadlock"; number)) and
    (.streams | length > 0 and
        all(all_of("stream", "rows", "commits", "elapsed_s", "transaction_s"; number))) and
    (.devices | type == "object" and all(device)) and
    all_of("per_commit", "per_commit_settled"; cost) and
    has("wal_growing") and has("wal_recycled") and
    (.cpu | all_of("client_s", "host_busy"; maybe(number))) and
    (.correlation | all_of("commits_vs_writes", "commits_vs_flushes"; slope)) and
    (.engine | type == "object") and
    (.verify | all_of("ok"; maybe(yes_no)) and all_of("integrity"; maybe(text)) and
        all_of("expected_rows", "found_rows", "lost_rows", "surplus_rows", "wrong_rows";
            maybe(number)));
def trial: all_of("index", "repeat"; number) and all_of("part"; maybe(text)) and
    (.factors | type == "object") and all_of("ended_by"; maybe(text)) and
    (.phases | type == "array" and all(phase)) and (.verify | all_of("ok"; maybe(yes_no)));
def drive: all_of("role", "path"; text) and
    all_of("filesystem", "mount_options", "sampled", "model", "scheduler", "write_cache";
        maybe(text)) and
    (.stack | all(text)) and (.leaves | all(text)) and all_of("rotational"; maybe(yes_no)) and
    all_of("temperature_c", "host_bytes_written"; maybe(number));
all_of("loadline", "run_id", "started", "workload_hash"; text) and .schema == 1 and
    all_of("label"; maybe(text)) and all_of("partial"; yes_no) and
    (.workload | all_of("name", "workload.phases", "workload.rows", "workload.rows_per_commit",
        "workload.streams", "workload.layout", "workload.files", "workload.duration",
        "workload.until", "workload.warmup", "workload.rate", "row.payload", "row.compressible",
        "row.key_order", "row.delete_order", "row.indexes", "run.repeats", "run.interval",
        "run.floor", "run.seed", "limit.write_bytes", "limit.free_space";
        text or (type == "array" and all(text)))) and
    (.environment | all_of("kernel", "cpu_model", "engine", "engine_version"; text) and
        all_of("cpus", "memory_bytes"; number) and (.engine_settings | type == "object")) and
    (.devices | all(drive)) and (.trials | length > 0 and all(trial)) and
    (.analysis | has("ceiling") and has("scaling") and has("contention") and has("steady") and
        (.bottleneck | type == "array" and all(all_of("phase", "cause"; text) and
            (.factors | type == "object") and (.evidence | all(text)))))'

has_shape() {
    jq -e "$SHAPE" <<<"$output" >/dev/null
}

@test "--json has every key of the summary, of the right type" {
    made --json
    has_shape
    json '.workload["sqlite.journal_mode"] == "wal" and .trials[0].phases[0].verify.ok and
        .environment.engine == "sqlite" and .devices[0].role == "data"'
    made --json --streams 1,2 --layout shared-table,file-per-stream --rows 20
    has_shape
    json '.trials[3].factors | keys == ["layout", "streams"]'
    measure --target null: --rows 100
    has_shape
    measure --target "fsync:$TARGET" --rows 100
    has_shape
    begin_run --target "$TARGET" --rows-per-commit 1 --floor 0 --baseline 0 --json
    await "$(phase_mark tick 0)"
    finish TERM
    has_shape
    json .partial
    begin_run --target "$TARGET" --rows-per-commit 1 --rate 200 --floor 0 --baseline 0 --json
    await "$(phase_mark tick 0)"
    finish INT
    # What a figure is made of agrees with it.
    json '.trials[0].phases[0] | .streams[0].commits == .commits'
}

@test "the figures of a phase agree with each other" {
    made --json --streams 3 --rows 100
    json '.trials[0].phases | all((.streams | map(.rows) | add) == .rows and .rows == 300 and
        (.streams | map(.commits) | add) == .commits and
        (.elapsed_s * .rows_per_s / .rows | . > 0.999 and . < 1.001) and
        .latency_ms.transaction.count == .commits and
        .latency_ms.transaction.p50 <= .latency_ms.transaction.max and
        .latency_ms.transaction.p999 == null and
        (.concurrency / 3 | . > 0.98 and . < 1.02))'
}

@test "every line of a log is one record of a known kind" {
    made --label 'x
y'
    jq -e -s 'map(.record) | .[0] == "header" and .[-1] == "end" and
        (unique - ["header", "sample", "trial", "event", "end"] == [])' "$LOG"
    [ "$(jq -c . "$LOG" | wc -l)" -eq "$(wc -l <"$LOG")" ]
    # In order of time, and the raw counters never run back.
    jq -e -s 'map(select(.record == "sample")) |
        ([., .[1:]] | transpose | map(select(.[1] != null)) |
            all(.[0].t0 <= .[0].t1 and .[0].t1 <= .[1].t0 and .[0].commits <= .[1].commits))' "$LOG"
}

@test "a label in Japanese is shown as it is" {
    made --label 'ドライブ甲 500GB'
    assert_has 'ドライブ甲 500GB'
    LC_ALL=C ll report "$LOG"
    refute_has 'ドライブ'
    assert_status 0
}

@test "a label cannot talk to the terminal" {
    local label=$'\e[31mred\a\b\r\x9b2J\u202eabc\e]0;title\a'
    made --label "$label"
    [ -z "$(LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' <<<"$output$stderr")" ]
    assert_has 'red'
    made --label "$label" --json
    [ -z "$(LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]' <<<"$output")" ]
    jq -e '.label | startswith("\u001b[31mred")' <<<"$output"
}

@test "a target whose name talks to the terminal" {
    local target=$WORK/$'a\e[31m日本\n語'
    mkdir "$target"
    measure --target "$target" --rows 20
    assert_status 0
    assert_clean "$target"
    ll report "$LOG"
    assert_status 0
    [ -z "$(LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]' <<<"$output")" ]
    ll run --target "$target" --rows 20 -o "$LOG"
    assert_status 2
    touch "$target/loadline-data"
    ll run --target "$target" --rows 20 -o r.jsonl
    assert_status 3
    [ -z "$(LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]' <<<"$output$stderr")" ]
}
