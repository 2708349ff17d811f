# Measuring and printing for tests/bench/run.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034

bench_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# bench_prepare SCRATCH: programs, and a scratch folder on a disk ("" = beside the program).
bench_prepare() {
    local name
    if [ -z "${LOADLINE:-}" ] || [ -z "${LOADLINE_BENCH:-}" ]; then
        . "$bench_root/cmake/setup.sh"
        setup_packages build test
        setup_build bench loadline bench_loop bench_peak
        LOADLINE=$bench_root/build/bench/loadline
        LOADLINE_BENCH=$bench_root/build/bench/tests
    fi
    for name in jq sqlite3; do
        command -v $name >/dev/null || {
            echo "skipped: needs $name"
            exit 77
        }
    done
    bench_dir=$(mktemp -d "${1:-$LOADLINE_BENCH}/bench.XXXXXX")
    trap 'rm -rf "$bench_dir"' EXIT
    target=$bench_dir/target
    figures=$bench_dir/figures
    mkdir "$target" "$figures"
}

# record NAME FIGURE VALUE: a line more in figures/NAME.FIGURE; one line a pair.
record() { echo "$3" >>"$figures/$1.$2"; }

record_lines() { # NAME, lines "FIGURE VALUE" on standard input
    local figure value
    while read -r figure value; do
        record "$1" "$figure" "$value"
    done
}

fail() {
    echo "bench: $*" >&2
    exit 1
}

# loadline NAME OPTION...: one run; every phase's figures under NAME.PHASE.
loadline() {
    local name=$1
    shift
    rm -f "$bench_dir/log.jsonl"
    "$LOADLINE" run "$@" -s run.floor=0 -s run.baseline=0 --json -o "$bench_dir/log.jsonl" \
        >"$bench_dir/summary.json" 2>"$bench_dir/messages" ||
        fail "loadline run $*: $(tail -n 3 "$bench_dir/messages")"
    jq -r '.trials[0].phases[] | .name as $phase | {
            rows, commits, elapsed_s, rows_per_s, commits_per_s, fairness,
            cpu_us_per_row: (.cpu.client_s * 1e6 / .rows),
            cpu_us_per_commit: (.cpu.client_s * 1e6 / .commits),
            p50_ms: .latency_ms.transaction.p50, p999_ms: .latency_ms.transaction.p999,
            tail: (if .latency_ms.transaction.p999 == null then null
                   else .latency_ms.transaction.p999 / .latency_ms.transaction.p50 end)
        } | to_entries[] | "\($phase).\(.key) \(.value)"' "$bench_dir/summary.json" |
        record_lines "$name"
}

# loop NAME ROWS ROWS_PER_COMMIT STREAMS [insert]
loop() {
    local name=$1
    shift
    "$LOADLINE_BENCH/bench_loop" "$target" "$@" >"$bench_dir/loop.json" || fail "loop $* failed"
    jq -r '.name as $phase | . + {
            cpu_us_per_row: (.cpu_s * 1e6 / .rows), cpu_us_per_commit: (.cpu_s * 1e6 / .commits),
            tail: (.p999_ms / .p50_ms)
        } | del(.name, .cpu_s) | to_entries[] | "\($phase).\(.key) \(.value)"' \
        "$bench_dir/loop.json" | record_lines "$name"
}

# memory NAME OPTION...: the peak of a run's resident memory.
memory() {
    local name=$1
    shift
    rm -f "$bench_dir/log.jsonl"
    "$LOADLINE_BENCH/bench_peak" "$LOADLINE" run "$@" -s run.floor=0 -s run.baseline=0 --json \
        -o "$bench_dir/log.jsonl" 2>&1 >/dev/null | grep '^peak_kib' | record_lines "$name"
    [ -s "$figures/$name.peak_kib" ] || fail "no memory figure of loadline run $*"
}

shell_schema="PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
CREATE TABLE rows (id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, k1 INTEGER NOT NULL,
payload BLOB NOT NULL);"

# shell_rows N: N rows as CSV, of loadline's widths; the payload as printable text.
shell_rows() {
    sqlite3 -csv :memory: "SELECT (16384 << 38) + value, 0, abs(random()) % 2147483648,
        hex(randomblob(50)) FROM generate_series(0, $1 - 1)" >"$bench_dir/rows.csv"
}

# shell_timed NAME ROWS COMMAND...: rows/s of a shell's insert, by its whole running time.
shell_timed() {
    local name=$1 count=$2 start end
    shift 2
    sqlite3 "$target/shell.db" "$shell_schema" >/dev/null
    sync
    start=${EPOCHREALTIME/[.,]/}
    sqlite3 "$target/shell.db" "PRAGMA synchronous = FULL" "$@" || fail "the shell's insert failed"
    end=${EPOCHREALTIME/[.,]/}
    [ "$(sqlite3 "$target/shell.db" "SELECT count(*) FROM rows")" = "$count" ] ||
        fail "the shell's insert lost rows"
    record "$name" insert.rows_per_s "$(awk "BEGIN { print $count * 1e6 / ($end - $start) }")"
    rm -f "$target"/shell.db*
}

shell_import() { shell_timed "$1" "$2" ".mode csv" ".import $bench_dir/rows.csv rows"; }
shell_series() {
    shell_timed "$1" "$2" "INSERT INTO rows SELECT (16384 << 38) + value, 0,
        abs(random()) % 2147483648, randomblob(100) FROM generate_series(0, $2 - 1)"
}

# in_turns FUNCTION...: all of them once a pair, in reverse order every other time.
in_turns() {
    local pair i last=$(($# - 1)) all=("$@")
    for ((pair = 0; pair < pairs; pair++)); do
        echo "pair $((pair + 1)) of $pairs: $*" >&2
        for ((i = 0; i <= last; i++)); do
            local one=${all[pair % 2 == 0 ? i : last - i]}
            "$one" "$one"
        done
    done
}

# What one_row measures, in the turns of the 16 streams: as many rows, on one stream.
one_row_16() {
    loadline "$1" --rows $((16 * stream_rows)) --rows-per-commit 1 -s workload.phases=insert \
        --target "$target"
}

# middle: median, smallest and largest of numbers on standard input, "-" if there are none.
middle() {
    sort -g | awk '$1 != "null" { v[++n] = $1 }
        END { if (n == 0) print "- - -"
              else printf "%.6g %.6g %.6g\n", n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2,
                  v[1], v[n] }'
}

title() { printf '\n%s\n' "$1"; }

# line WORK COMPARISON GOAL: judges the numbers on standard input.
line() {
    local median low high verdict=
    read -r median low high < <(middle)
    if [ -n "$2" ]; then
        verdict=$(awk -v m="$median" -v g="$3" -v c="$2" 'BEGIN {
            good = c == ">=" ? m >= g : c == "<=" ? m <= g : m < g
            print m == "-" ? "missed: no figure" : good ? "ok" : "missed" }')
        [ "$verdict" = ok ] || echo "$1" >>"$bench_dir/missed" # a pipe's end is a subshell
    fi
    printf '  %-56s %8s %9s  %-19s %s\n' "$1" "$2 $3" "$(short "$median")" \
        "($(short "$low") - $(short "$high"))" "$verdict"
}

short() { awk -v v="$1" 'BEGIN { print v == "-" ? v : sprintf("%.3g", v) }'; }

# ratio WORK A B FIGURE COMPARISON GOAL: of A to B, pair by pair.
ratio() {
    paste "$figures/$2.$4" "$figures/$3.$4" | awk '{ print $1 / $2 }' | line "$1" "$5" "$6"
}

# excess WORK A B FIGURE COMPARISON GOAL [DIVISOR]: A minus B, pair by pair.
excess() {
    paste "$figures/$2.$4" "$figures/$3.$4" |
        awk -v d="${7:-1}" '{ print ($1 - $2) / d }' | line "$1" "$5" "$6"
}

# value WORK A FIGURE [COMPARISON GOAL [DIVISOR]]
value() {
    awk -v d="${6:-1}" '{ print $1 == "null" ? $1 : $1 / d }' "$figures/$2.$3" |
        line "$1" "${4:-}" "${5:-}"
}

# tail_ratio WORK A FLOOR PHASE: A's p99.9/p50 at most 5, or at most the floor's.
tail_ratio() {
    local own
    own=$(middle <"$figures/$3.$4.tail" | cut -d ' ' -f 1)
    value "$1" "$2" "$4.tail" "<=" "$(awk -v o="$own" 'BEGIN { printf "%.3g", (o + 0 > 5 ? o : 5) }')"
}

# check_consistent: every figure is there and above 0, and the figures of a run agree.
check_consistent() {
    local file name bad=0
    for file in "$figures"/*; do
        name=${file##*/}
        case $name in *.p999_ms | *.p50_ms | *.tail) continue ;; esac # few samples: null
        awk -v name="$name" '!($1 > 0) { print name " is " $1; bad = 1 } END { exit bad }' "$file" ||
            bad=1
    done
    for file in "$figures"/*.elapsed_s; do
        name=${file%.elapsed_s}
        paste "$file" "$name".{rows,commits,rows_per_s,commits_per_s} | awk -v name="${name##*/}" '
            function off(a, b) { return a > b * 1.001 || b > a * 1.001 }
            off($4 * $1, $2) || off($5 * $1, $3) { print name ": rates, counts and time disagree: " $0; bad = 1 }
            END { exit bad }' || bad=1
    done
    echo "$(find "$figures" -type f | wc -l) figures, each there and above 0"
    return $bad
}

bench_end() {
    echo
    if [ -s "$bench_dir/missed" ]; then
        echo "$(wc -l <"$bench_dir/missed") missed"
        exit 1
    fi
    echo "all ok"
}
