#!/usr/bin/env bats
# `loadline device` over saved files: every value of every capture, the project's own and those
# of the folder that LOADLINE_FIXTURES names.

load lib

captures_own=$(readlink -f "$BATS_TEST_DIRNAME/../fixtures/device")

# cases KIND: the folders of its captures, each with expected.json.
cases() {
    find "$captures_own/$1" ${LOADLINE_FIXTURES:+"$LOADLINE_FIXTURES/$1"} -mindepth 2 \
        -name expected.json -printf '%h\n' 2>/dev/null | sort
}

need_shared() {
    [ -n "${LOADLINE_FIXTURES:-}" ] && [ -d "$LOADLINE_FIXTURES/$1" ] ||
        skip "no folder with shared captures: only the project's own were read"
}

# compare FOLDER ARGUMENT...: what `device` prints beside expected.json.
compare() {
    local differences
    ll device "${@:2}" --json
    assert_status 0
    differences=$(jq -r --slurpfile want "$1/expected.json" \
        -f "$BATS_TEST_DIRNAME/captures.jq" <<<"$output")
    [ -z "$differences" ] || {
        printf '%s\n%s\n' "$1" "$differences"
        return 1
    }
}

# untree FILE FOLDER: unpacks a listing, see fixtures/device/README.md.
untree() {
    local line path text last=
    make_parent() { [ -d "${path%/*}" ] || mkdir -p "${path%/*}"; }
    while IFS= read -r line; do
        path=$2/${line:2}
        text=${path#*$'\t'}
        path=${path%%$'\t'*}
        case $line in
        $'\t'*) printf '%s\n' "${line:1}" >>"$last" && continue ;;
        D*) [ -d "$path" ] || mkdir -p "$path" ;;
        F*) make_parent && printf '%s\n' "$text" >"$path" ;;
        L*) make_parent && ln -s "$text" "$path" ;;
        M*) make_parent && : >"$path" ;;
        esac
        last=$path
    done <"$1"
}

# The paths that a document's member asks for, in $paths.
read_paths() {
    mapfile -d '' paths < <(jq -j --arg key "$2" '.[$key] | keys_unsorted[] | . + "\u0000"' \
        "$1/expected.json")
}

@test "counters of every diskstats" {
    local case
    need jq
    for case in $(cases diskstats); do
        [ -e "$case/diskstats" ] || continue
        compare "$case" --diskstats "$case/diskstats"
        refute_has 1844674 # nothing near 2^64
    done
    need_shared diskstats
    case=$LOADLINE_FIXTURES/diskstats/huge-600
    ll device --diskstats "$case/diskstats" --json
    [ "$(json '[.devices[].reads] | add')" = "$(json .sum_reads "$case/expected.json")" ]
    [ "$(json '[.devices[].wsectors] | add')" = "$(json .sum_wsectors "$case/expected.json")" ]
}

@test "counters of one device, as /sys/block/NAME/stat has them" {
    local file
    need jq
    mkdir -p 'sys/cciss!c0d0'
    echo '    1 2 3 4 5 6 7 8 9 10 11' >'sys/cciss!c0d0/stat'
    ll device --diskstats 'sys/cciss!c0d0/stat' --json
    assert_status 0
    json '.devices | length == 1 and (.[0] | .name == "cciss/c0d0" and .reads == 1 and .wio_ms == 11
        and .discards == null and .nfields == 11 and has("major") == false)'
    need_shared diskstats
    for file in "$LOADLINE_FIXTURES"/diskstats/sysfs-stat/*.stat; do
        ll device --diskstats "$file" --json
        output=$(jq --slurpfile want "${file%/*}/expected.json" \
            '.devices[0] as $got | $want[0].devices[$got.name] == $got' <<<"$output")
        [ "$output" = true ]
    done
}

@test "rates of every pair" {
    local case files
    need jq
    for case in $(cases iostat); do
        files=("$case/t0.diskstats" "$case/t1.diskstats")
        [ -e "${files[0]}" ] || files=("${files[1]}")
        compare "$case" --diskstats "${files[@]}" --seconds "$(json .interval_s "$case/expected.json")"
        [ "$(json '.devices | keys[]')" = "$(json '.devices | keys[]' "$case/expected.json")" ]
    done
    need_shared iostat
}

@test "an earlier file that is empty means since boot" {
    local case=$captures_own/iostat/plain
    need jq
    : >empty
    ll device --diskstats empty "$case/t1.diskstats" --seconds 10 --json
    assert_status 0
    json '[.devices[].status] | unique == ["since_boot"]'
    ll device --diskstats "$case/t0.diskstats" "$case/t1.diskstats" --seconds 0 --json
    assert_status 0
    json '[.devices[] | .status, .rates] | unique == [null, "no_interval"]'
}

@test "lookups of every mountinfo" {
    local case paths
    need jq
    for case in $(cases mountinfo); do
        read_paths "$case" lookups
        compare "$case" --mountinfo "$case/mountinfo" "${paths[@]}"
    done
    need_shared mountinfo
}

@test "paths that are not canonical are the same paths" {
    need jq
    printf '20 1 8:1 / / rw - ext4 /dev/sda1 rw\n21 20 8:2 / /a rw - ext4 /dev/sda2 rw\n' >mounts
    ll device --mountinfo mounts /a /a/ //a/./b /b/../a/c /../a / /ab --json
    assert_status 0
    json '[.lookups[].line] == [2, 2, 2, 2, 2, 1, 1]'
    ll device --mountinfo mounts a
    assert_status 2
    assert_has "'a' is no absolute path" "$stderr"
}

@test "devices of every stack" {
    local case paths root
    need jq
    need_shared stack
    for case in $(cases stack); do
        root=$(mktemp -d "$WORK/root.XXXXXX")
        untree "$case/sysfs.tree" "$root"
        mkdir -p "$root/proc/self"
        cp "$case/mountinfo" "$root/proc/self/mountinfo"
        read_paths "$case" queries
        compare "$case" --root "$root" "${paths[@]}"
        ll device --root "$root/" "${paths[@]}"
        assert_status 0
    done
}

@test "file systems over several devices, hidden paths, files behind loop devices" {
    need jq
    untree "$captures_own/stack/spanning.tree" span
    untree "$captures_own/stack/attached.tree" attached
    ll device --root span /pool/f /astray /zfs/f --json
    assert_status 0
    json '.queries["/pool/f"].devices == [
        {"device": "sdb1", "devno": "8:17", "whole_disk": "sdb", "leaf_disks": ["sdb"]},
        {"device": "sdc1", "devno": "8:33", "whole_disk": "sdc", "leaf_disks": ["sdc"]}]'
    json '.queries["/astray"] | .devices[0].leaf_disks == [] and .incomplete'
    json '.queries["/zfs/f"] | .devices == [] and (.reason | contains("zpool status"))'
    ll device --root attached /data /img --json
    assert_status 0
    json '.queries["/data"] | .stats_from == ["nvme0c0n1", "nvme0c1n1"] and
        ([.levels[] | select(.name == "nvme0n1") | .transport, .link, .write_cache] ==
            ["nvme", "PCIe 4.0 x4", "write back"])'
    json '.queries["/img"] | .backing_file == "/data/disk one.img" and
        .backing_devices == ["nvme0n1p1"]'
    # A head that counts for itself needs no path.
    echo '259 0 nvme0n1 1 0 8 1 9 0 8 1 0 1 1' >attached/proc/diskstats
    ll device --root attached /data --json
    json '.queries["/data"] | has("stats_from") == false'
}

@test "what a drive says of itself is shown once escaped" {
    untree "$captures_own/stack/old.tree" odd
    mkdir -p odd/sys/class/block/sda/queue
    printf 'w\\x\001\377b\n' >odd/sys/class/block/sda/queue/write_cache
    ll device --root odd /
    assert_status 0
    assert_has 'w\x\x01\xffb'
    refute_has 'x5c'
    refute_has $'\001'
}

@test "what smartctl said, and temperatures" {
    need jq
    echo 'no JSON' >said
    ll device --smartctl-json said --json
    assert_status 0
    json '.model == null and .bytes_written == null'
    ll device --smartctl-json said
    assert_status 0
    refute_has asleep
    ll device --smartctl-json "$captures_own/smart/asleep.json"
    assert_status 0
    assert_has 'asleep, and not woken'
    untree "$captures_own/stack/attached.tree" attached
    ll device --root attached --temperatures --json
    assert_status 0
    json '.temperature_c | has("sda") and .sda == null and (has("loop0") | not)'
}

@test "saved files that are none are refused in one sentence" {
    ll device --diskstats no-such-file
    assert_status 1
    ll device --mountinfo no-such-file /
    assert_status 1
    ll device --smartctl-json no-such-file
    assert_status 1
    ll device --root no-such-folder /
    assert_status 1
    ll device --root "$WORK" /
    assert_status 1
    echo nonsense >file
    ll device --diskstats file
    assert_status 1
    assert_has 'no line of the file' "$stderr"
    ll device --diskstats file file
    assert_status 2
    ll device --diskstats file file file --seconds 1
    assert_status 2
    ll device --diskstats file file --seconds -1
    assert_status 2
    ll device --diskstats file file --seconds soon
    assert_status 2
    assert_has 'soon' "$stderr"
    ll device --seconds 1 /
    assert_status 2
    ll device --diskstats file --mountinfo file
    assert_status 2
    ll device --root "$WORK" --diskstats file
    assert_status 2
    [ "$(wc -l <<<"$stderr")" -eq 1 ]
}
