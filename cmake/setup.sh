# Shared by ./demo, ./check and tests/bench/run: gets a machine ready and builds.
# Source it from a bash script; it moves to the project's folder.
# shellcheck shell=bash

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

setup_fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# Some packages of Node.js bring npm themselves, and refuse Debian's beside them.
setup_has() { # PACKAGE
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed ||
        { [ "$1" = npm ] && command -v npm >/dev/null; }
}

# setup_packages KIND...: installs the packages of packages.txt that are marked with one
# of the kinds ("build", "test") and are not there.  Nothing missing: no network is used.
setup_packages() {
    local kind name sudo missing=()
    for kind in "$@"; do
        while read -r name; do
            setup_has "$name" || missing+=("$name")
        done < <(awk -v kind="$kind:" '$2 == "#" && $3 == kind { print $1 }' packages.txt)
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    sudo=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || setup_fail "these packages are missing, and only root can" \
            "install them: apt-get install ${missing[*]}"
        sudo=(sudo)
    fi
    echo "installing ${missing[*]}" >&2
    "${sudo[@]}" apt-get update -q >&2
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
}

# "ccache" where it is and has a place to write.
setup_ccache() {
    local cache
    if cache=$(ccache --get-config cache_dir 2>/dev/null) &&
        mkdir -p "$cache/tmp" 2>/dev/null && [ -w "$cache/tmp" ]; then
        echo ccache
    fi
}

# setup_build PRESET [TARGET...]: configures and builds into build/PRESET.
setup_build() {
    local preset=$1 options=() log=build/$1.log
    shift
    mkdir -p build 2>/dev/null || true
    [ -w build ] || setup_fail "$PWD/build cannot be written (it belongs to" \
        "$(stat -c %U build 2>/dev/null || stat -c %U .)): remove it, or run this as that user"
    options+=("-DCMAKE_C_COMPILER_LAUNCHER=$(setup_ccache)")
    # A folder that was moved since.
    if [ -f "build/$preset/CMakeCache.txt" ] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "build/$preset/CMakeCache.txt"; then
        rm -rf "build/$preset"
    fi
    echo "building the preset $preset (a minute or two the first time; log: build/$preset.log)" >&2
    if ! { cmake --preset "$preset" "${options[@]}" &&
        cmake --build "build/$preset" ${1:+--target "$@"}; } >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        setup_fail "the build failed; all of its output is in $PWD/$log"
    fi
}
