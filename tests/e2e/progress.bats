#!/usr/bin/env bats
# The line that a terminal shows while a run goes: at every width, while the window changes, without
# UTF-8.  What the terminal gets is recorded by script(1); what a person then sees is read from tmux.

load lib

# A load of about two seconds that touches no drive.
load_of=(--target null: --streams 4 --rows 1G --rows-per-commit 10 --duration 1s --floor 0 --baseline 0)

# record COLUMNS ARGUMENT...: a run at a terminal of this width; $raw has all that it wrote there,
# but results.
record() {
    local columns=$1 command
    shift
    need script stty
    new_log
    printf -v command '%q ' "$LOADLINE" run -o "$LOG" "$@"
    script -qec "stty cols $columns rows 24; $command >$LOG.out" /dev/null </dev/null >raw
    raw=$(tr '\r' '\n' <raw)
}

# rows: what stood on the screen at any time, without what moves the cursor.
rows() {
    # shellcheck disable=SC2001
    sed $'s/\033\\[[0-9]*[A-Za-z]//g' <<<"$raw"
}

# inside COLUMNS: no row is wider, or as wide, which makes some terminals begin another.
inside() {
    [ -z "$(rows | awk -v columns="$1" 'length >= columns')" ] || {
        echo "wider than $(($1 - 1)) columns:"
        rows | awk -v columns="$1" 'length >= columns'
        return 1
    }
}

# seen PATTERN: some row of the line matches.
seen() {
    rows | grep -Eq -- "$1" || {
        printf 'no row is like %s\n' "$1"
        rows | tail -n 20
        return 1
    }
}

@test "no row is wider than the terminal" {
    local columns
    for columns in 40 60 80 100 120 200; do
        record "$columns" "${load_of[@]}"
        inside "$columns"
        seen 'insert'
        # The line is removed in the end.
        [[ $(tail -c 4 raw) == *$'\033[J' ]]
    done
}

@test "80 columns show streams, flushes and queue depth too" {
    record 80 "${load_of[@]}"
    seen '^ *[0-9]+% insert 4st [0-9.]+[kMG]? rows/s [0-9.]+[kMG]? c/s (-|[0-9.]+[kM]?) w/s (-|[0-9.]+[kM]?) f/s QD (-|[0-9.]+) .*left'
}

@test "a real drive's numbers have room in 80 columns" {
    make_disk 128M
    record 80 --target "$DISK" --streams 10 --layout file-per-stream --rows-per-commit 1 \
        --duration 2s --floor 0 --baseline 0
    inside 80
    seen '^ *[0-9]+% insert 10st [0-9.]+k? rows/s [0-9.]+k? c/s [0-9.]+k? w/s [0-9.]+k? f/s QD [0-9.]+ .*left'
}

@test "60 columns show what matters most, in words" {
    record 60 "${load_of[@]}"
    seen '^ *[0-9]+%  insert .*  [0-9.]+[kMG]? commits/s .*left'
    refute_has ' c/s' "$raw"
}

@test "120 columns show all of it in words" {
    record 120 "${load_of[@]}"
    seen '% .*insert  4 streams  .* rows/s  .* commits/s  .* IOPS  .* flushes/s  QD .* left'
}

@test "warnings and the plan are broken where the terminal ends" {
    record 60 --target "$TARGET" --rows 100 --rows-per-commit 1 --floor 0 --baseline 0 \
        --metrics-file "$TARGET/m.prom"
    inside 60
    assert_has 'warning: --metrics-file' "$raw"
    assert_has 'plan ' "$raw"
}

@test "a terminal without UTF-8 gets none" {
    printf '[part 大]\nworkload.rows_per_commit = 10\n[part 小]\nworkload.rows_per_commit = 20\n' \
        >parts.ini
    LC_ALL=C record 100 parts.ini "${load_of[@]:0:6}" --duration 500ms --floor 0 --baseline 0
    [ -z "$(LC_ALL=C tr -d '\000-\177' <raw)" ]
    seen ' \?+ insert 4st '
    record 100 parts.ini "${load_of[@]:0:6}" --duration 500ms --floor 0 --baseline 0
    seen ' 大 insert 4st '
}

@test "a dumb terminal gets plain rows, inside its width" {
    TERM=dumb record 60 "${load_of[@]}"
    [ -z "$(tr -cd '\033' <raw)" ]
    inside 60
    seen '^ *[0-9]+%  [a-z]+ .* commits/s'
}

@test "without a terminal all of it is in every line" {
    ll run "${load_of[@]}" -o r.jsonl
    assert_status 0
    grep -Eq '%  [a-z]+  4 streams  .* rows/s  .* commits/s  .* IOPS  .* flushes/s  QD ' \
        <<<"$stderr"
    [ -z "$(tr -cd '\033\r' <<<"$stderr")" ]
}

# ---- a window that changes ----

# A server of our own, so that nobody else's windows are touched.
tmx() {
    tmux -S "$WORK/tmux" -f /dev/null "$@"
}

# window COLUMNS ARGUMENT...: a run in a window; results go to a file.
window() {
    local columns=$1 command
    shift
    need tmux
    new_log
    printf -v command '%q ' "$LOADLINE" run -o "$LOG" "$@"
    tmx new-session -d -x "$columns" -y 24 \
        "env LC_ALL=$LC_ALL $command >$LOG.out; echo status \$?; exec sleep 600" 3>&-
    printf 'tmux -S %q kill-server\n' "$WORK/tmux" >>"$e2e_dir/undo"
    tmx set-option -g window-size manual
}

# shows PATTERN: within half a minute.  $screen is what is seen then.
shows() {
    local i
    for ((i = 0; i < 600; i++)); do
        screen=$(tmx capture-pane -p)
        ! grep -Eq -- "$1" <<<"$screen" || return 0
        sleep 0.05
    done
    printf 'never seen: %s\n%s\n' "$1" "$screen"
    return 1
}

# one_line: nothing stands there but the plan and one row of the line, once the next line was drawn
# in the new width.
one_line() {
    local i
    for ((i = 0; i < 40; i++)); do
        screen=$(tmx capture-pane -p)
        [ "$(grep -vc -e '^plan ' -e '^        ' -e '^$' <<<"$screen")" -ne 1 ] || return 0
        sleep 0.05
    done
    printf 'not one line:\n%s\n' "$screen"
    return 1
}

# ended: nothing is left of the line.
ended() {
    shows '^status'
    [ "$(grep -v -e '^plan ' -e '^        ' -e '^$' <<<"$screen")" = "status $1" ] || {
        printf 'left on the screen:\n%s\n' "$screen"
        return 1
    }
}

@test "a window that becomes narrower and wider leaves nothing behind" {
    local columns
    window 100 "${load_of[@]:0:8}" --duration 12s --floor 0 --baseline 0
    shows 'insert 4st .* f/s QD'
    one_line
    for columns in 60 130 45 80 61 100; do
        tmx resize-window -x "$columns" -y 24
        case $columns in
        80 | 100) shows ' 4st .* f/s QD' ;;
        130) shows ' flushes/s  QD' ;;
        *) shows ' commits/s' ;;
        esac
        one_line
    done
    ended 0
}

@test "Ctrl-C at a terminal leaves the line's place clean" {
    LC_ALL=C window 80 "${load_of[@]:0:8}" --duration 30s --floor 0 --baseline 0
    shows 'insert 4st .* f/s QD'
    tmx send-keys C-c
    shows '^status 130'
    assert_has 'stopped by a signal' "$screen"
    refute_has ' c/s' "$screen"
}
