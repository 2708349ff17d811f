#!/usr/bin/env bats
# --metrics-file: what a run keeps for node_exporter's textfile collector.

load lib

# A load that is over in a moment.
tiny=(--rows 200 --rows-per-commit 1 --floor 0 --baseline 0)

# strict FILE: reads it as the collector does, and stricter: the marker first, every family
# described once and before its samples, names and labels of allowed letters, no series twice,
# values that are numbers, the last line whole.
strict() {
    [ "$(tail -c 1 "$1" | od -An -tx1 | tr -d ' ')" = 0a ]
    LC_ALL=C awk '
        function bad(why) { printf "line %d: %s: %s\n", NR, why, $0; failed = 1; exit 1 }
        NR == 1 { if ($0 !~ /^# loadline --metrics-file: /) bad("no marker"); next }
        /^# HELP / { if (NF < 4) bad("no help"); helped = $3; next }
        /^# TYPE / {
            if ($3 != helped || $3 in types || $3 !~ /^loadline_[a-z0-9_]+$/) bad("family")
            if ($4 !~ /^(gauge|counter|summary)$/) bad("type")
            if (($4 == "counter") != ($3 ~ /_total$/)) bad("_total")
            types[$3] = $4
            family = $3
            next
        }
        /^#/ { bad("comment") }
        {
            name = $0
            sub(/[{ ].*/, "", name)
            plain = name
            if (types[family] == "summary") sub(/_(sum|count)$/, "", plain)
            if (plain != family) bad("outside its family")
            series = $0
            sub(/ [^ ]*$/, "", series)
            if (series in seen) bad("twice")
            seen[series] = 1
            labels = substr(series, length(name) + 1)
            if (labels !~ /^[{]([a-z_]+="([^"\\]|\\\\|\\"|\\n)*",?)+[}]$/) bad("labels")
            if ($NF !~ /^[0-9]+([.][0-9]+)?(e[-+][0-9]+)?$/) bad("value")
        }
        END { if (!failed && NR < 20) { print "too few lines"; exit 1 } }' "$1"
}

# value FILE NAME [LABEL]: of its first series.
value() {
    grep -E "^$2[{ ]" "$1" | grep -F -- "${3:-}" | head -n 1 | sed 's/.* //'
}

# refuses WORDS ARGUMENT...: status 2, this sentence, and nothing was begun.
refuses() {
    local words=$1
    shift
    ll run --target "$TARGET" "${tiny[@]}" -o refused.jsonl "$@"
    assert_status 2
    assert_has "$words" "$stderr"
    [ ! -e refused.jsonl ]
    assert_clean
}

@test "the last text says what the run did" {
    measure --target "$TARGET" --streams 2 "${tiny[@]}" --label 'a "b"' --metrics-file m.prom
    assert_status 0
    strict m.prom
    [ "$(value m.prom loadline_up)" = 0 ]
    [ "$(value m.prom loadline_run_ok)" = 1 ]
    [ "$(value m.prom loadline_progress_ratio)" = 1 ]
    [ "$(value m.prom loadline_streams)" = 2 ]
    [ "$(value m.prom loadline_commits_total)" = "$(json '[.trials[].phases[].commits] | add')" ]
    [ "$(value m.prom loadline_rows_total)" = 800 ]
    [ "$(value m.prom loadline_commit_latency_seconds_count)" = 800 ]
    assert_has "run_id=\"$(json .run_id)\",version=\"$(json .loadline)\",workload=\"default\",label=\"a \\\"b\\\"\",engine=\"sqlite\",target=\"$TARGET\"" \
        "$(grep ^loadline_run_info m.prom)"
    [ "$(ls -A)" = $'m.prom\n'"$(basename "$LOG")" ]
}

@test "totals are those of the device, and go on over trials and phases" {
    make_disk 128M
    measure --target "$DISK" --streams 1,2 "${tiny[@]}" --repeats 2 --metrics-file m.prom
    assert_status 0
    strict m.prom
    [ "$(value m.prom loadline_trials)" = 4 ]
    [ "$(value m.prom loadline_rows_total)" = 2400 ]
    near 'flushes' "$(value m.prom loadline_device_flushes_total "device=\"$LOOP\",role=\"data\"")" \
        "$(json '[.trials[].phases[].devices[].flushes] | add')" 5
    # What removal and creation write is in it too.
    between 'bytes' "$(value m.prom loadline_device_written_bytes_total "device=\"$LOOP\"")" \
        "$(json '[.trials[].phases[].devices[].write_bytes] | add')" 60000000
    between 'seconds' "$(value m.prom loadline_device_io_time_seconds_total)" 0 60
    refute_has 'lies on a drive under test' "$stderr"
}

@test "every text is whole, and no total falls while the run goes" {
    local seen=0 last=0 now up=0
    begin_run --target "$TARGET" --streams 1,2 --rows-per-commit 1 --duration 2s --floor 0 \
        --baseline 0 -s run.interval=10ms --metrics-file "$WORK/m.prom"
    while kill -0 "$RUN" 2>/dev/null; do
        if cp m.prom copy.prom 2>/dev/null; then
            strict copy.prom
            now=$(value copy.prom loadline_commits_total)
            [ "$now" -ge "$last" ]
            [ "$now" = "$last" ] || seen=$((seen + 1))
            last=$now
            up=$((up + $(value copy.prom loadline_up)))
        fi
        sleep 0.02
    done
    finish
    assert_status 0
    [ "$seen" -ge 3 ]
    [ "$up" -ge 3 ]
    [ "$(value m.prom loadline_up)" = 0 ]
    [ "$(value m.prom loadline_commits_total)" -ge "$last" ]
    rm copy.prom
    [ -z "$(find . -name '.loadline-metrics*')" ]
}

@test "after Ctrl-C it says that the run is over, and not well" {
    begin_run --target "$TARGET" --rows-per-commit 1 --duration 1m --floor 0 --baseline 0 \
        --metrics-file "$WORK/m.prom"
    await "$(phase_mark tick 0)"
    [ "$(value m.prom loadline_up)" = 1 ]
    [ -z "$(value m.prom loadline_run_ok)" ]
    finish INT
    assert_status 130
    strict m.prom
    [ "$(value m.prom loadline_up)" = 0 ]
    [ "$(value m.prom loadline_run_ok)" = 0 ]
    # What was not done is not called done.
    between 'share that is done' "$(value m.prom loadline_progress_ratio)" 0 0.9
    [ "$(value m.prom loadline_commits_total)" -gt 0 ]
}

@test "a file of the run before is replaced, another's never" {
    measure --target null: "${tiny[@]}" --metrics-file m.prom
    assert_status 0
    measure --target null: "${tiny[@]}" --metrics-file m.prom
    assert_status 0
    assert_has "$(json .run_id)" "$(cat m.prom)"
    printf '# HELP loadline_up mine\nloadline_up 1\n' >other.prom
    cp other.prom before
    refuses 'no run of loadline wrote it' --metrics-file other.prom
    cmp other.prom before
    : >empty.prom
    refuses 'no run of loadline wrote it' --metrics-file empty.prom
    mkdir folder.prom
    refuses 'is no file' --metrics-file folder.prom
    mkfifo fifo.prom
    refuses 'is no file' --metrics-file fifo.prom
}

@test "a place that does not do is refused before any load" {
    refuses 'must end in .prom' --metrics-file m.txt
    refuses 'must end in .prom' --metrics-file ''
    refuses 'No such file or directory' --metrics-file missing/m.prom
    refuses 'Not a directory' --metrics-file /dev/null/m.prom
    ln -s loop.prom loop.prom
    refuses 'symbolic links' --metrics-file loop.prom
    ll run --target "$TARGET" "${tiny[@]}" -o x.prom --metrics-file ./x.prom
    assert_status 2
    assert_has 'name one file' "$stderr"
    [ ! -e x.prom ]
    assert_clean
}

@test "a folder that may not be written is refused" {
    need setpriv
    chmod 755 "$e2e_dir"
    mkdir locked target2
    chmod 777 target2
    [ "$(id -u)" -eq 0 ] || chmod 555 locked
    as_nobody "$LOADLINE" --version >/dev/null || skip "nobody may not run the program"
    run --separate-stderr as_nobody "$LOADLINE" run --target target2 "${tiny[@]}" \
        -o target2/r.jsonl --metrics-file locked/m.prom
    assert_status 2
    assert_has 'must be writable' "$stderr"
    assert_has 'Permission denied' "$stderr"
    [ -z "$(ls -A target2)" ]
}

@test "links stay links, and names may hold blanks and Japanese" {
    mkdir 'a b' metrics
    ln -s 'a b' link
    ln -s ../metrics/計測.prom 'a b/x y.prom'
    measure --target null: "${tiny[@]}" --metrics-file 'link/x y.prom'
    assert_status 0
    [ -L link ]
    [ -L 'a b/x y.prom' ]
    strict metrics/計測.prom
    measure --target null: "${tiny[@]}" --metrics-file 'a b/x y.prom'
    assert_status 0
    [ -L 'a b/x y.prom' ]
    assert_has "$(json .run_id)" "$(cat metrics/計測.prom)"
}

@test "a file that cannot be written any more costs one warning" {
    mkdir gone
    begin_run --target null: --streams 1 --rows 1G --duration 3s --floor 0 --baseline 0 \
        --metrics-file gone/m.prom
    await "$(phase_mark tick 0)"
    until rm -rf gone 2>/dev/null; do :; done # a text may come in between
    finish
    assert_status 0
    [ "$(grep -c 'gone/m.prom cannot be written' <<<"$stderr")" -eq 1 ]
}

@test "on the drive under test it is warned of, once" {
    measure --target "$TARGET" --streams 1,2 "${tiny[@]}" --metrics-file "$TARGET/m.prom"
    assert_status 0
    [ "$(grep -c 'lies on a drive under test' <<<"$stderr")" -eq 1 ]
    strict "$TARGET/m.prom"
}

@test "a refused target and a plan leave the file alone" {
    make_memory 16M
    ll run --target "$DISK" "${tiny[@]}" --metrics-file m.prom
    assert_status 3
    ll run --target "$TARGET" "${tiny[@]}" --metrics-file m.prom --dry-run
    assert_status 0
    [ -z "$(ls -A)" ]
}
