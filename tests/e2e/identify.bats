#!/usr/bin/env bats
# Serial numbers, WWNs and the host's name leave the program with --identify alone.

load lib

# In no file of a person who did not say --identify.
SECRETS='SATASN0042|NVMESN0043|VIRTSN0044|USBSN0045|deadbeef|host0046|files0047|user0048|LOSTSN0049|10[.]9[.]8[.]47|3600508b4|SN0052'

refute_secrets() {
    if grep -iE "$SECRETS" "$@"; then return 1; fi
}

# unpack TREE: at $WORK/root, see tests/fixtures/device/README.md.
unpack() {
    local line path='' text tab=$'\t'
    while IFS= read -r line; do
        if [ "${line:0:1}" = "$tab" ]; then
            printf '%s\n' "${line:1}" >>"$path"
            continue
        fi
        text=${line#*"$tab"}
        path=$WORK/root/${line:2}
        path=${path%%"$tab"*}
        mkdir -p "${path%/*}"
        case ${line:0:1} in
        D) mkdir -p "$path" ;;
        F) printf '%s\n' "$text" >>"$path" ;;
        L) ln -s "$text" "$path" ;;
        esac
    done <"$1"
}

make_tree() {
    unpack "$e2e_root/tests/fixtures/device/stack/serials.tree"
    printf '\0\200\0\012SATASN0042' >"$WORK/root/sys/block/sda/device/vpd_pg80"
}

@test "device: not in the text, not in the JSON" {
    need jq
    make_tree
    for path in / /net /lost /map; do
        "$LOADLINE" device --root "$WORK/root" "$path" >>said
        "$LOADLINE" device --root "$WORK/root" "$path" --json >>said
    done
    grep -q nvme0n1 said
    refute_secrets said
    run ! grep -E 'serial_number|"wwn"|"host"' said
}

@test "device --identify: all of it" {
    need jq
    make_tree
    ll device --identify --root "$WORK/root" / --json
    assert_status 0
    json '.host == "host0046" and (.queries["/"].levels | map({(.name): .}) | add |
        .sda.serial_number == "SATASN0042" and .sda.wwn == "0x5000c500deadbeef" and
        .nvme0n1.serial_number == "NVMESN0043" and .nvme0n1.wwn == "eui.0025385bdeadbeef" and
        .vda.serial_number == "VIRTSN0044" and .vda.wwn == null and
        .sdb.serial_number == "USBSN0045" and .sdc.serial_number == null and
        .["dm-0"].dm_name == "3600508b400105e210000900000490000")'
    ll device --identify --root "$WORK/root" / /net
    assert_status 0
    assert_has 'host host0046'
    assert_has 'serial SATASN0042, wwn 0x5000c500deadbeef'
    assert_has 'username=user0048'
}

@test "saved output of smartctl" {
    need jq
    local file=$e2e_root/tests/fixtures/device/smart/change/sata-before.json
    for form in '' --json; do
        # shellcheck disable=SC2086
        "$LOADLINE" device --smartctl-json "$file" $form >>said
    done
    grep -q 'Example SSD 240' said
    refute_secrets said
    ll device --smartctl-json "$file" --identify --json
    json '.serial_number == "SATASN0052" and .errors.reallocated == 8 and .errors.media == null'
    ll device --smartctl-json "$file" --identify
    assert_has SATASN0052
    assert_has 'pending sectors'
}

# fake_smartctl FILE FILE: prints the first when asked the first time, else the second.
fake_smartctl() {
    local fixtures=$e2e_root/tests/fixtures/device/smart/change
    mkdir -p "$WORK/bin"
    printf '%s\n' '#!/bin/sh' \
        "if [ -e '$WORK/asked' ]; then cat '$fixtures/$2'" \
        "else cat '$fixtures/$1'; : >'$WORK/asked'; fi" >"$WORK/bin/smartctl"
    chmod +x "$WORK/bin/smartctl"
    PATH=$WORK/bin:$PATH
}

# The disk that holds $TARGET must be one that is asked at all.
need_drive() {
    need jq
    local disk
    disk=$("$LOADLINE" device "$TARGET" --json |
        jq -r '[.queries[].devices[].leaf_disks[]] | unique | if length == 1 then .[0] else "" end')
    [ -n "$disk" ] || skip "the drive under $TARGET is unknown"
    [[ $(readlink "/sys/block/${disk//\//!}") != */devices/virtual/* ]] ||
        skip "$TARGET is not on a physical disk"
    DISK_NAME=$disk
}

# A host of a name that nothing else has.
on_host() {
    need_root
    need unshare
    unshare --uts sh -c 'echo host0046 >/proc/sys/kernel/hostname' 2>/dev/null ||
        skip 'no host name of its own to be had'
    # shellcheck disable=SC2016
    unshare --uts sh -c 'echo host0046 >/proc/sys/kernel/hostname; exec "$@"' sh "$@"
}

@test "run: neither in the log nor in what it prints" {
    need_drive
    fake_smartctl sata-before.json sata-same.json
    on_host "$LOADLINE" run quick --rows 100 --target "$TARGET" --floor 0 --baseline 0 \
        -o r.jsonl >text 2>&1
    "$LOADLINE" report r.jsonl --width 200 >>text
    grep -q Example text || grep -q "$DISK_NAME" text
    refute_secrets text r.jsonl
    run ! grep -E 'serial_number|"wwn"|"host":' r.jsonl
    jq -es '.[0].devices[0].errors.reallocated == 8' r.jsonl

    rm asked
    on_host "$LOADLINE" run quick --rows 100 --target "$TARGET" --floor 0 --baseline 0 \
        --identify --json -o named.jsonl >document 2>/dev/null
    jq -e '.devices[0].serial_number == "SATASN0052" and .environment.host == "host0046"' document
    jq -es '.[0].devices[0].serial_number == "SATASN0052" and
        .[0].environment.host == "host0046"' named.jsonl
    ll report named.jsonl --width 200
    assert_has 'serial SATASN0052'
    assert_has 'host    host0046'
}

@test "health that changes during a run is an event and a line of the report" {
    need_drive
    fake_smartctl sata-before.json sata-after.json
    measure quick --target "$TARGET" --rows 100
    assert_status 0
    assert_has "$DISK_NAME changed while it was measured: reallocated sectors 8 -> 16" "$stderr"
    json '[.events[] | select(.kind == "smart change")] | length == 1 and
        (.[0].text | contains("pending sectors 3 -> 1"))'
    json '.devices[0] | .errors.reallocated == 8 and .errors_after.reallocated == 16'
    ll report "$LOG" --width 200
    assert_has "smart    $DISK_NAME changed while it was measured: reallocated sectors 8 -> 16"
    rm asked
    fake_smartctl sata-before.json sata-same.json
    measure quick --target "$TARGET" --rows 100
    json '[.events[] | select(.kind == "smart change")] | length == 0'
}
