#!/usr/bin/env bats
# The command line of the built program: what it says and how it exits.
# LOADLINE is the program.  Each test has a directory of its own on a real file system.

load cli_helpers

@test "alone it teaches, and exits 2" {
    loadline
    exits 2
    [ -z "$out" ]
    [ "$(grep -c '^  loadline run .* --target ' <<<"$err")" -eq 3 ]
}

@test "--help and --version work everywhere" {
    local command
    for command in '' run report list clean compare device probe audit; do
        loadline $command --help
        exits 0
        has Usage "$out"
        [ -z "$err" ]
        loadline $command --version
        exits 0
        [[ $out =~ ^loadline\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
    done
}

@test "run --help shows each long option with its default" {
    loadline run --help
    exits 0
    has '--rows=COUNT' "$out"
    has '(default 1000000)' "$(tr -s ' \n' ' ' <<<"$out")"
    has 'Examples:' "$out"
    [ "$(awk 'length > 80' <<<"$out")" = "" ]
}

@test "an unknown command names those that exist" {
    loadline rum
    refuses 2 "'rum'" 'run, report, compare, device, list and clean'
    loadline --rum
    refuses 2 "'--rum'"
}

@test "commands of later versions say so" {
    local command
    for command in probe audit; do
        loadline "$command" x
        refuses 2 "$command is not in this version yet"
    done
}

@test "an unknown option of each command exits 2" {
    local command
    for command in run report device list clean; do
        loadline "$command" --no-such-option
        exits 2
        has '--no-such-option' "$err"
    done
}

@test "output that cannot be written is noticed" {
    [ -w /dev/full ] || skip "no /dev/full here"
    local words
    for words in '--help' '--version' 'run --help' 'list workloads' 'list --json'; do
        status=0
        # shellcheck disable=SC2086
        "$LOADLINE" $words >/dev/full 2>"$here/err" || status=$?
        [ "$status" -eq 1 ]
        has 'loadline: ' "$(cat "$here/err")"
        status=0
        # shellcheck disable=SC2086
        "$LOADLINE" $words >&- 2>"$here/err" || status=$?
        [ "$status" -eq 1 ]
    done
}

@test "list shows all topics; each as JSON too" {
    loadline list
    exits 0
    local text
    for text in million review-streams sqlite.page_size workload.rows commits_per_s; do
        has "$text" "$out"
    done
    [ -z "$err" ]
    for text in workloads engines metrics columns keys; do
        loadline list "$text"
        exits 0
        loadline list "$text" --json
        exits 0
        jq -e --arg topic "$text" '.[$topic] | length >= 2' <<<"$out"
    done
    loadline list engines
    [[ $out != *fault:* ]]
    loadline list nothing
    refuses 2 "'nothing'" 'workloads, engines, metrics, columns or keys'
}

@test "no target: says why there is no default" {
    loadline run million
    refuses 2 'no default' '--target /mnt/ssd'
}

@test "a workload that does not exist lists those that do" {
    loadline run milion --target "$here/target"
    refuses 2 "'milion'" million streams quick
    loadline run no/such --target "$here/target"
    refuses 2 no/such
    loadline run such.ini --target "$here/target"
    refuses 2 such.ini
    loadline run "$here" --target "$here/target"
    refuses 2 "$here"
}

@test "two workloads: asks whether the second is a target" {
    loadline run million "$here/target"
    refuses 2 "--target"
}

@test "unknown keys and bad values name the line and what would be right" {
    printf '[workload]\nrows = 5\nrow = 5\n' >"$here/x.ini"
    loadline run "$here/x.ini" --target "$here/target"
    refuses 2 x.ini:3 row
    printf '[workload]\nrows = many\n' >"$here/x.ini"
    loadline run "$here/x.ini" --target "$here/target"
    refuses 2 x.ini:2 workload.rows many
    printf '[workload]\nrows = 5\nrows = 5\n' >"$here/x.ini"
    loadline run "$here/x.ini" --target "$here/target"
    refuses 2 x.ini:3
    loadline run --target "$here/target" -s workload.rwos=5
    refuses 2 workload.rwos workload.rows
    loadline run --target "$here/target" -s workload.rows
    refuses 2 'SECTION.KEY=VALUE'
    loadline run --target "$here/target" --layout one-table
    refuses 2 one-table shared-table
    loadline run --target "$here/target" --rows 1e6
    refuses 2 1e6
}

@test "values out of range" {
    loadline run --target "$here/target" --rows 0
    refuses 2 rows
    loadline run --target "$here/target" --streams 10001
    refuses 2 10000
    loadline run --target "$here/target" --interval 0
    refuses 2 interval 10ms
    loadline run --target "$here/target" --repeats 0
    refuses 2 repeats
    loadline run --target "$here/target" --rows-per-commit -1
    refuses 2 rows
}

@test "a product of 100,000 trials" {
    local list
    list=$(seq -s, 1 100)
    loadline run --target "$here/target" --streams "$list" --rows "$list" --payload 1,2,3,4,5,6,7,8,9,10
    refuses 2 100000 10000
}

@test "a plan that writes too much is refused, naming the key" {
    loadline run --target "$here/target" -s limit.write_bytes=1k
    refuses 3 limit.write_bytes
}

@test "one directory as two targets, a result that would be removed, a path too long" {
    tiny "$here/target" --target "fsync:$here/target"
    exits 0
    [ -z "$(ls -A "$here/target")" ]
    tiny "$here/target" -o "$here/target/loadline-data/x.jsonl"
    refuses 2 loadline-data/x.jsonl
    [ -z "$(ls -A "$here/target")" ]
    local long
    long=$here/$(printf 'd%.0s' {1..200})/$(printf 'e%.0s' {1..200})/$(printf 'f%.0s' {1..100})
    mkdir -p "$long"
    loadline run quick --target "$long"
    refuses 3 'at most'
}

@test "limits of a part hold for that part" {
    cat >"$here/limits.ini" <<EOT
[workload]
rows = 1000
[run]
floor = 0
[part a]
limit.write_bytes = 100G
[part b]
limit.write_bytes = 10k
EOT
    loadline run "$here/limits.ini" --target "$here/target"
    refuses 3 limit.write_bytes
}

@test "targets that cannot be used" {
    loadline run quick --target "$here/missing"
    refuses 3 "$here/missing"
    touch "$here/file"
    loadline run quick --target "$here/file"
    refuses 3 "$here/file"
    loadline run quick --target ''
    refuses 2 target
    loadline run quick --target nosuch:/x
    refuses 2 nosuch
    loadline run quick --target sqlite:
    refuses 2 sqlite:
    loadline run quick --target postgres:
    refuses 2 postgres:
    loadline run quick --target postgres:/x
    refuses 3 '/x does not exist'
    loadline run quick --target "$here/target" --target "$here/target"
    refuses 2 twice
}

@test "targets that may not be read or written" {
    chmod 500 "$here/target"
    as_user run quick --target "$here/target"
    refuses 3 "$here/target"
    chmod 000 "$here/target"
    as_user run quick --target "$here/target"
    exits 3
    chmod 700 "$here/target"
}

@test "a target on a read-only file system" {
    unshare -rm true 2>/dev/null || skip "no mount namespaces here"
    status=0
    # shellcheck disable=SC2016
    unshare -rm sh -c 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" &&
        exec "$2" run quick --target "$1"' - "$here/target" "$LOADLINE" \
        >"$here/out" 2>"$here/err" || status=$?
    out=$(cat "$here/out")
    err=$(cat "$here/err")
    refuses 3 "$here/target"
}

@test "tmpfs is refused, and runs with --any-filesystem" {
    local shm
    shm=$(mktemp -d /dev/shm/loadline-cli-XXXXXX) || skip "no /dev/shm here"
    loadline run quick --target "$shm"
    rmdir "$shm"
    refuses 3 tmpfs --any-filesystem
    mkdir "$shm"
    tiny "$shm" --any-filesystem
    rmdir "$shm"
    exits 0
}

@test "a result file that exists stays as it is" {
    echo mine >"$here/r.jsonl"
    tiny "$here/target"
    refuses 2 "$here/r.jsonl"
    [ "$(cat "$here/r.jsonl")" = mine ]
}

@test "the default result file never overwrites" {
    for _ in 1 2; do
        loadline run --target "$here/target" --rows 50 --rows-per-commit 10 --floor 0
        exits 0
    done
    [ "$(find "$here/cwd" -name 'loadline-*.jsonl' | wc -l)" -eq 2 ]
}

@test "targets with unusual names run and leave nothing behind" {
    local name target
    for name in 'with space' 'h#x' 'what?mode=ro' '%41' 'a:b' '日本語' '-dash' "quo'te" 'back\slash'; do
        target=$here/$name
        mkdir "$target"
        rm -f "$here/r.jsonl"
        tiny "$target"
        exits 0
        [ -z "$(ls -A "$target")" ]
        has 50 "$out"
        loadline report "$here/r.jsonl"
        exits 0
        loadline clean "$target"
        exits 0
    done
    [ ! -e "$here/A" ]
    [ ! -e "$here/h" ]
    [ ! -e "$here/what" ]
}

@test "relative names with a colon need a scheme" {
    mkdir 'c:d'
    tiny 'c:d'
    exits 2
    has 'sqlite:./c:d' "$err"
    tiny 'sqlite:./c:d'
    exits 0
    rmdir 'c:d'
}

@test "workload files and results with unusual names" {
    printf '[workload]\nrows = 20\nrows_per_commit = 5\n[run]\nfloor = 0\n' >"$here/日本 #%41.ini"
    loadline run "$here/日本 #%41.ini" --target "$here/target" -o "$here/結果 #1.jsonl"
    exits 0
    loadline report "$here/結果 #1.jsonl"
    exits 0
    has 20 "$out"
}

@test "the later option wins" {
    printf '[workload]\nrows = 7\n' >"$here/x.ini"
    loadline run --streams 3 "$here/x.ini" --target "$here/target" --dry-run --json --rows 10 \
        -s workload.rows=20 -s workload.streams=4 --streams 5
    exits 0
    jq -e '.workload | ."workload.rows" == "20" and ."workload.streams" == "5"' <<<"$out"
}

@test "--dry-run shows the plan and touches nothing" {
    loadline run --target "$here/target" --streams 1,10 --layout shared-table,file-per-stream \
        --repeats 6 --rows 1k --dry-run
    exits 0
    [ -z "$err" ]
    has 'plan    4 trials x 6 repeats; ' "$out"
    [ "$(wc -l <<<"$out")" -eq 26 ]
    [ -z "$(ls -A "$here/target")" ]
    [ -z "$(ls -A .)" ]
    loadline run --target "$here/target" --streams 1,10 --repeats 50 --rows 1k --floor 0 --dry-run
    has '... and 50 more' "$out"
}

@test "each workload that comes with it runs as it stands" {
    local name short
    for name in $("$LOADLINE" list workloads --json |
        jq -r '.workloads[].name | select(startswith("postgres-") | not)'); do
        loadline run "$name" --target "$here/target" --dry-run
        exits 0
        has plan "$out"
        # The same, but short; a search sets its time by steps.
        short=(--duration 50ms)
        [[ $out != *search:* ]] || short=(-s search.step=0.1s -s search.step_max=0.1s -s search.steps=2)
        loadline run "$name" --target null: --dry-run
        exits 0
        loadline run "$name" --target "$here/target" --rows 50 "${short[@]}" --floor 0 --baseline 0 \
            -o "$here/$name.jsonl"
        exits 0
        has ' 0 lost' "$out"
        [ -z "$(ls -A "$here/target")" ]
    done
}

@test "a run prints results on stdout and all else on stderr" {
    tiny "$here/target" --label 'drive A'
    exits 0
    has insert "$out"
    has delete "$out"
    has VERDICT "$out"
    has 'plan ' "$err"
    [[ $err != *$'\033'* && $err != *$'\r'* && $out != *$'\033'* ]]
    [ -z "$(ls -A "$here/target")" ]
    [ "$(awk 'length > 80' <<<"$out")" = "" ]
}

@test "a terminal gets one live line, inside its width, removed at the end" {
    command -v script >/dev/null || skip "script is not installed"
    TERM=xterm terminal
    exits 0
    [ "$(grep -c 'commits/s' <<<"$err")" -ge 5 ]
    [ "$(awk 'length > 69 && !/^plan/' <<<"$err")" = "" ]
    [[ $(tail -n 2 "$here/typescript" | head -n 1) == *$'\r\033[J' ]]
}

@test "a dumb terminal gets plain lines" {
    command -v script >/dev/null || skip "script is not installed"
    TERM=dumb terminal
    exits 0
    grep -q 'commits/s' "$here/typescript"
    ! grep -q $'\033' "$here/typescript"
}

@test "--json prints one document" {
    tiny "$here/target" --json
    exits 0
    jq -e '.schema == 1 and (.partial | not) and (.analysis | has("bottleneck")) and
        [.trials[0].phases[].rows] == [50, 50]' <<<"$out"
}

@test "a result that cannot be printed is noticed" {
    [ -w /dev/full ] || skip "no /dev/full here"
    status=0
    "$LOADLINE" run --target "$here/target" --rows 50 --floor 0 --baseline 0 -o "$here/r.jsonl" >/dev/full \
        2>"$here/err" || status=$?
    [ "$status" -eq 1 ]
    [ -s "$here/r.jsonl" ]
}

@test "Ctrl-C and SIGTERM end a run with 130 and leave nothing" {
    local signal pid
    for signal in INT TERM; do
        "$LOADLINE" run --target "$here/target" --duration 60s --rows-per-commit 1 --floor 0 --baseline 0 \
            -o "$here/$signal.jsonl" >"$here/out" 2>"$here/err" &
        pid=$!
        sleep 1.5
        SECONDS=0
        kill "-$signal" "$pid"
        status=0
        wait "$pid" || status=$?
        [ "$status" -eq 130 ]
        [ "$SECONDS" -le 3 ]
        has insert "$(cat "$here/out")"
        [ -z "$(ls -A "$here/target")" ]
    done
}

@test "what a killed run leaves is refused, then cleaned" {
    "$LOADLINE" run --target "$here/target" --duration 60s --rows-per-commit 1 --floor 0 --baseline 0 \
        -o "$here/killed.jsonl" >"$here/out" 2>"$here/err" &
    local pid=$!
    sleep 1.5
    loadline clean "$here/target"
    exits 3
    has busy "$err"
    kill -KILL "$pid"
    wait "$pid" || true
    tiny "$here/target"
    exits 3
    has 'loadline clean' "$err"
    touch "$here/target/mine"
    loadline clean "sqlite:$here/target"
    exits 0
    has removed "$out"
    [ "$(ls -A "$here/target")" = mine ]
    loadline clean "$here/target"
    exits 0
    has 'nothing left behind' "$out"
    loadline report "$here/killed.jsonl"
    exits 0
    has PARTIAL "$out"
}

@test "clean leaves what is not ours" {
    mkdir "$here/target/loadline-data"
    touch "$here/target/loadline-data/precious"
    loadline clean "$here/target"
    exits 3
    [ -e "$here/target/loadline-data/precious" ]
    loadline clean
    exits 2
    loadline clean null:
    exits 2
    loadline clean a b
    exits 2
}

@test "report: files, formats and widths" {
    tiny "$here/target"
    exits 0
    cp "$here/r.jsonl" "$here/s.jsonl"
    loadline report "$here/r.jsonl" "$here/s.jsonl"
    exits 0
    [ "$(grep -c VERDICT <<<"$out")" -eq 2 ]
    loadline report "$here/r.jsonl" -o "$here/r.txt"
    exits 0
    [ -z "$out" ]
    grep -q VERDICT "$here/r.txt"
    loadline report "$here/r.jsonl" -o "$here/r.txt"
    exits 2
    loadline report "$here/r.jsonl" --format nonsense
    refuses 2 nonsense
    loadline report "$here/r.jsonl" -o "$here/r.xyz"
    refuses 2 r.xyz
    local width
    for width in 59 401 0 wide ''; do
        loadline report "$here/r.jsonl" --width "$width"
        refuses 2 '60 to 400'
    done
    for width in 60 80 120; do
        loadline report "$here/r.jsonl" --width "$width"
        exits 0
        [ "$(awk -v w="$width" 'length > w' <<<"$out")" = "" ]
    done
    loadline report
    refuses 2 'result file'
    loadline report "$here/none.jsonl"
    refuses 1 none.jsonl
    echo '{"a":1}' >"$here/other.jsonl"
    loadline report "$here/other.jsonl"
    refuses 1 other.jsonl
}

@test "a result on the drive under test is allowed" {
    loadline run --target "$here/target" --rows 50 --floor 0 --baseline 0 -o "$here/target/r.jsonl"
    exits 0
    [ "$(ls -A "$here/target")" = r.jsonl ]
}

@test "--slo, --tbw and --price are kept in the result, and report may be given others" {
    tiny "$here/target" --slo p90=2s --tbw 140T --price 27745
    exits 0
    head -1 "$here/r.jsonl" | jq -e '.asked | .slo == {"percentile": "p90", "ms": 2000} and
        .tbw_bytes == 140e12 and .price == 27745'
    has 'wear     140 TB of rated endurance last ' "$out"
    has 'price    27,745 for the drive is ' "$out"
    loadline report "$here/r.jsonl" --price 5000 --tbw 1P
    refuses 2 '--tbw 1P'
    loadline report "$here/r.jsonl" --price 5000
    exits 0
    has 'price    5,000 for the drive is ' "$out"
    has '140 TB of rated endurance' "$out"
    rm "$here/r.jsonl"
    tiny "$here/target" --rows 400
    exits 0
    head -1 "$here/r.jsonl" | jq -e '.asked.slo == null and .asked.tbw_bytes == null'
    [[ $out != *$'\nprice '* ]]
    loadline report "$here/r.jsonl" --slo p50=1h
    exits 0
    has 'with p50 at most 3600000 ms' "$out"
}

@test "wrong values of --slo, --tbw and --price say what would be right" {
    local command
    for command in "run --target $here/target --dry-run" "report $here/r.jsonl"; do
        loadline $command --slo p98=10ms
        refuses 2 'p50, p90, p99 and p999'
        loadline $command --slo p99
        refuses 2 'as in p99=10ms'
        loadline $command --tbw many
        refuses 2 'as in 140T'
        loadline $command --price -1
        refuses 2 'as in 27745'
    done
}

@test "--dry-run --tbw shows the share of the rated endurance" {
    loadline run --target "$here/target" --rows 1M --tbw 1G --dry-run
    exits 0
    [[ $(sed -n 2p <<<"$out") =~ ^tbw\ +[0-9.]+\ [MG]B\ of\ 1.0\ GB:\ [0-9]+%\ of\ the\ rated\ endurance$ ]]
    loadline run --target "$here/target" --rows 1M --tbw 1G --dry-run --json
    exits 0
    jq -e '(.share_of_endurance / .write_bytes * 1e9 - 1 | fabs) < 1e-9' <<<"$out"
    loadline run --target "$here/target" --rows 1M --dry-run --json
    jq -e '.share_of_endurance == null' <<<"$out"
    [ -z "$(ls -A "$here/target")" ]
}
