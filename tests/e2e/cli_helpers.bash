# Helpers of cli.bats.  LOADLINE is the program.

setup() {
    LC_ALL=C.UTF-8
    export LC_ALL
    unset COLUMNS NO_COLOR
    here=$(mktemp -d "${LOADLINE_TEST_DIR:-/var/tmp}/loadline-cli-XXXXXX")
    mkdir "$here/target" "$here/cwd"
    cd "$here/cwd" || return 1
}

teardown() {
    cd / || return 1
    chmod -R u+w "$here"
    rm -rf "$here"
}

# loadline ARGUMENT...: stdout in $out, stderr in $err, exit status in $status.
loadline() {
    status=0
    "$LOADLINE" "$@" >"$here/out" 2>"$here/err" || status=$?
    out=$(cat "$here/out")
    err=$(cat "$here/err")
}

# A run of a second, on the target given; further options follow.
tiny() {
    local target=$1
    shift
    loadline run --target "$target" --rows 50 --rows-per-commit 10 --floor 0 --baseline 0 -o "$here/r.jsonl" "$@"
}

exits() {
    [ "$status" -eq "$1" ] || {
        printf 'exit status %s, not %s\nstdout: %s\nstderr: %s\n' "$status" "$1" "$out" "$err"
        return 1
    }
}

has() { # TEXT WHOLE
    [[ $2 == *"$1"* ]] || {
        printf 'no "%s" in: %s\n' "$1" "$2"
        return 1
    }
}

# One sentence on stderr, nothing on stdout, nothing left on the target or beside us.
refuses() { # STATUS TEXT...
    exits "$1"
    shift
    [ -z "$out" ]
    has 'loadline: ' "$err"
    local text
    for text; do has "$text" "$err"; done
    [ -z "$(ls -A "$here/cwd")" ]
    [ ! -d "$here/target" ] || [ -z "$(ls -A "$here/target")" ]
}

# The program as somebody who is not root, whoever runs the tests.
as_user() {
    if [ "$(id -u)" -eq 0 ]; then
        [ -e "$here/loadline" ] || cp "$LOADLINE" "$here/loadline"
        chown -R nobody: "$here"
        LOADLINE=$here/loadline
        set -- setpriv --reuid=nobody --regid=nogroup --clear-groups "$LOADLINE" "$@"
    else
        set -- "$LOADLINE" "$@"
    fi
    status=0
    "$@" >"$here/out" 2>"$here/err" || status=$?
    out=$(cat "$here/out")
    err=$(cat "$here/err")
}

# What a terminal of 70 columns gets; each rewritten line on a line of its own.
terminal() {
    status=0
    script -qec "stty cols 70; '$LOADLINE' run --target '$here/target' --duration 1s --floor 0 --baseline 0 \
        --rows-per-commit 1 -o '$here/r.jsonl' >'$here/out'" "$here/typescript" >/dev/null ||
        status=$?
    out=$(cat "$here/out")
    err=$(sed '1d; $d; s/\x1b\[J/\n/g' "$here/typescript" | tr -d '\r')
}
