#!/usr/bin/env bats
# Results in every form that report and compare have: each is chosen by name or ending, is whole,
# and says the same numbers.

load cli_helpers

# Two short runs, once for all tests of this file.
setup_file() {
    local made=$BATS_FILE_TMPDIR
    "${LOADLINE:-build/default/loadline}" run --target null: --rows 40000 --rows-per-commit 10 \
        --streams 2 --floor 0 --label 'drive <A> & "ディスク"' -o "$made/a.jsonl" >/dev/null 2>&1
    "${LOADLINE:-build/default/loadline}" run --target null: --rows 40000 --rows-per-commit 10 \
        --streams 2 --floor 0 --label B -o "$made/b.jsonl" >/dev/null 2>&1
}

a() { echo "$BATS_FILE_TMPDIR/a.jsonl"; }
b() { echo "$BATS_FILE_TMPDIR/b.jsonl"; }

@test "each form by its name and by its ending, with equal bytes" {
    local pair form ending
    for pair in html:html html:HTM markdown:md markdown:markdown csv:csv prom:prom hlog:hlog \
        svg:svg json:json text:txt; do
        form=${pair%:*} ending=${pair#*:}
        rm -f "$here/r.$ending"
        loadline report "$(a)" -o "$here/r.$ending"
        exits 0
        [ -z "$out" ]
        [ -s "$here/r.$ending" ]
        loadline report "$(a)" --format "$form" --width 80
        exits 0
        cmp "$here/r.$ending" <(printf '%s\n' "$out")
    done
}

@test "a form that is not there, an ending that contradicts, a file that exists" {
    loadline report "$(a)" --format nonsense
    refuses 2 'text, html, markdown, csv, prom, hlog, svg or json'
    loadline report "$(a)" -o "$here/r.xyz"
    refuses 2 r.xyz
    loadline report "$(a)" -o "$here/r.html" --format csv
    refuses 2 'change one'
    [ ! -e "$here/r.html" ]
    echo mine >"$here/r.html"
    loadline report "$(a)" -o "$here/r.html"
    refuses 2 'not overwritten'
    [ "$(cat "$here/r.html")" = mine ]
    loadline report "$(a)" --lang ja
    refuses 2 'html'
    loadline report "$(a)" --format html --lang xx
    refuses 2 'en or ja'
    loadline report "$(a)" --format csv --table other
    refuses 2 'phases or samples'
    loadline report "$(a)" --table samples
    refuses 2 'csv'
    local form
    for form in csv prom hlog svg; do
        loadline compare "$(a)" "$(b)" --format "$form"
        refuses 2 'text, html, markdown or json'
    done
    for form in hlog svg; do
        loadline report "$(a)" "$(b)" --format "$form"
        refuses 2 'one result'
    done
}

@test "a file that cannot be written whole is not left behind" {
    [ -c /dev/full ] || skip 'no /dev/full'
    local form
    for form in text html markdown csv prom hlog svg json; do
        run bash -c "\"$LOADLINE\" report \"$(a)\" --format $form >/dev/full"
        [ "$status" -eq 1 ]
        has 'No space left' "$output"
    done
    loadline report "$(a)" -o "$here/none/r.html"
    refuses 1 none
}

@test "the forms say the same numbers" {
    local commits
    loadline report "$(a)" --json
    exits 0
    commits=$(jq '[.trials[0].phases[].commits] | add' <<<"$out")
    [ "$commits" -gt 0 ]
    loadline report "$(a)" --format csv
    exits 0
    [ "$(wc -l <<<"$out")" -eq 3 ]
    loadline report "$(a)" --format hlog
    exits 0
    has '#[StartTime:' "$out"
    loadline report "$(a)" --format prom
    exits 0
    [ "$(tail -n 1 <<<"$out")" = '# EOF' ]
    [ "$(grep '^loadline_commits{' <<<"$out" | awk '{ sum += $NF } END { print sum }')" = "$commits" ]
    loadline report "$(a)" "$(b)" --json
    exits 0
    [ "$(jq length <<<"$out")" -eq 2 ]
}

@test "several results: a page that compares, one after the other elsewhere" {
    loadline report "$(a)" "$(b)" -o "$here/ab.html"
    exits 0
    [ "$(grep -c '<article' "$here/ab.html")" -eq 2 ]
    loadline compare "$(a)" "$(b)" -o "$here/cmp.html"
    exits 0
    grep -q '<article' "$here/cmp.html"
    loadline compare "$(a)" "$(b)" -o "$here/cmp.md"
    exits 0
    grep -q VERDICT "$here/cmp.md"
    loadline report "$(a)" "$(b)" --format markdown
    exits 0
    [ "$(grep -c 'VERDICT' <<<"$out")" -eq 2 ]
    loadline report "$(a)" "$(b)" --format csv
    exits 0
    [ "$(wc -l <<<"$out")" -eq 5 ]
}

@test "nothing of a result becomes markup, and a page loads nothing" {
    loadline report "$(a)" -o "$here/r.html"
    exits 0
    loadline report "$(a)" -o "$here/r.svg"
    exits 0
    loadline report "$(a)" -o "$here/r.md"
    exits 0
    local file
    for file in r.html r.svg r.md; do
        if grep -qF 'drive <A>' "$here/$file"; then
            echo "$file has the label as markup"
            return 1
        fi
    done
    grep -q 'ディスク' "$here/r.html"
    grep -q "default-src 'none'" "$here/r.html"
    run grep -oE '(src|href)="([^#d"]|d[^a"])[^"]*"' "$here/r.html"
    [ -z "$output" ]
}

@test "a signal leaves a whole file or none" {
    local i delay results=() whole=0 none=0
    for i in $(seq 40); do
        sed "s/\"run_id\":\"[0-9a-f]*\"/\"run_id\":\"$(printf %016x "$i")\"/" "$(a)" >"$here/r$i.jsonl"
        results+=("$here/r$i.jsonl")
    done
    for delay in 0.02 0.05 0.1 0.2 0.4 5; do
        rm -f "$here/x.json"
        timeout -s TERM "$delay" "$LOADLINE" report "${results[@]}" -o "$here/x.json" 2>/dev/null || true
        if [ -e "$here/x.json" ]; then
            [ "$(jq length "$here/x.json")" -eq 40 ]
            whole=$((whole + 1))
        else
            none=$((none + 1))
        fi
        [ "$(find "$here" -maxdepth 1 -name '*x.json*' | wc -l)" -le 1 ]
    done
    [ "$whole" -ge 1 ]
    [ "$none" -ge 1 ]
}
