# Where the browser tests keep what they install and make.  Source it.
# shellcheck shell=bash

set -euo pipefail
browser_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
browser_build=$browser_here/../../build/default # what a hand that starts them alone has built
browser_place=${LOADLINE_BROWSER:-$browser_build/tests/browser/place}
LOADLINE=${LOADLINE:-$browser_build/loadline}
mkdir -p "$browser_place"
browser_place=$(cd "$browser_place" && pwd)
export LOADLINE_BROWSER=$browser_place

browser_skip() {
    echo "skipped: $*"
    exit 77
}

# The browser that is there: LOADLINE_CHROMIUM, or Debian's.
browser_program() {
    local name
    for name in ${LOADLINE_CHROMIUM:+"$LOADLINE_CHROMIUM"} chromium chromium-browser google-chrome; do
        command -v "$name" && return 0
    done
    return 1
}

# browser_page OUTPUT [--lang LANG] RESULT...: as a person makes a page.
browser_page() {
    local output=$1
    shift
    rm -f "$output"
    if [ -n "${LOADLINE_PAGE_MAKE:-}" ]; then
        "$LOADLINE_PAGE_MAKE" "$@" >"$output"
    else
        "$LOADLINE" report "$@" -o "$output"
    fi
}
