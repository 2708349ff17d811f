#!/usr/bin/env bats
# What a drive says of itself before and after a run: with a made-up smartctl in PATH, since few
# machines that test have a drive that counts.

load lib

# The disk that holds $TARGET must be one that is asked at all.
need_drive() {
    need jq
    local disk
    disk=$("$LOADLINE" device "$TARGET" --json |
        jq -r '[.queries[].devices[].leaf_disks[]] | unique | if length == 1 then .[0] else "" end')
    [ -n "$disk" ] || skip "the drive under $TARGET is unknown"
    [[ $(readlink "/sys/block/${disk//\//!}") != */devices/virtual/* ]] ||
        skip "$TARGET is not on a physical disk"
}

# fake_smartctl LINE...: a smartctl of these lines of shell, found first.
fake_smartctl() {
    mkdir -p "$WORK/bin"
    printf '%s\n' '#!/bin/sh' "echo \"\$*\" >>'$WORK/asked'" "$@" >"$WORK/bin/smartctl"
    chmod +x "$WORK/bin/smartctl"
    PATH=$WORK/bin:$PATH
}

# said UNITS NAND_GIB CELSIUS: what an ATA drive prints that counts in GiB.
said() {
    cat <<JSON
{"smartctl": {"version": [7, 3], "exit_status": 0},
 "device": {"protocol": "ATA"}, "model_name": "Example SSD 240", "serial_number": "S3CRET77",
 "wwn": {"naa": 5, "oui": 9528, "id": 61728394}, "firmware_version": "FW01",
 "smart_status": {"passed": true}, "power_on_time": {"hours": 4711},
 "temperature": {"current": $3}, "logical_block_size": 512,
 "ata_device_statistics": {"pages": [{"number": 1, "name": "General Statistics", "table": [
   {"offset": 24, "name": "Logical Sectors Written", "size": 6, "value": $1,
    "flags": {"valid": true}}]}]},
 "ata_smart_attributes": {"table": [
   {"id": 249, "name": "NAND_Writes_1GiB", "value": 100, "raw": {"value": $2, "string": "$2"}}]}}
JSON
}

# Prints the first text when asked the first time, else the second.
two_answers() {
    said 1000000000 500 31 >"$WORK/said1"
    said 1040000000 525 37 >"$WORK/said2"
    fake_smartctl "if [ -e '$WORK/said1' ]; then cat '$WORK/said1'; rm '$WORK/said1'" \
        "else cat '$WORK/said2'; fi"
}

run_small() {
    measure quick --target "$TARGET" --rows 200 "$@"
}

@test "bytes before and after, amplification, and no serial number" {
    need_drive
    two_answers
    run_small
    assert_status 0
    [ "$(wc -l <"$WORK/asked")" -eq 2 ]
    json '.devices[0] | .smart == null and .smart_after == null and
        .host_bytes_written == 512000000000 and .host_bytes_written_after == 532480000000 and
        .nand_bytes_written == 500 * 1073741824 and
        .nand_bytes_written_after == 525 * 1073741824 and
        .power_on_hours == 4711 and .passed == true and .firmware != null and
        .diskstats_bytes_written_after > .diskstats_bytes_written'
    near amplification "$(json '.devices[0].nand_write_amplification')" 1.3107 0.1
    refute_has S3CRET77
    refute_has 61728394
    run ! grep -q -e S3CRET77 -e 61728394 "$LOG"
    head -n 1 "$LOG" >header
    json '.devices[0].host_bytes_written == 512000000000' header
    ll report "$LOG"
    assert_has "host wrote 20 GB by the drive's own count"
    assert_has "amplification 1.31"
    assert_clean
}

@test "a count that hardly rose says nothing" {
    need_drive
    said 1000000000 500 31 >"$WORK/said"
    fake_smartctl "cat '$WORK/said'"
    run_small
    assert_status 0
    json '.devices[0] | .nand_write_amplification == null and
        .nand_bytes_written_after == .nand_bytes_written'
    ll report "$LOG"
    refute_has amplification
    refute_has "own count"
}

@test "without smartctl the result says what to install" {
    need_drive
    [ -z "$(PATH=/usr/local/sbin:/usr/sbin:/sbin:$PATH command -v smartctl)" ] ||
        skip "smartctl is installed"
    run_small
    assert_status 0
    json '.devices[0] | .host_bytes_written == null and (.smart | contains("smartmontools"))'
    json '.devices[0].diskstats_bytes_written > 0'
}

@test "run.smart=off asks nobody" {
    need_drive
    two_answers
    run_small -s run.smart=off
    assert_status 0
    [ ! -e "$WORK/asked" ]
    json '.devices[0] | .smart | contains("run.smart")'
}

@test "a smartctl that hangs is left after seconds, and not asked again" {
    need_drive
    fake_smartctl 'sleep 300'
    local from=$SECONDS
    run_small
    assert_status 0
    [ $((SECONDS - from)) -le 12 ]
    [ "$(wc -l <"$WORK/asked")" -eq 1 ]
    json '.devices[0] | (.smart | contains("did not answer")) and .host_bytes_written == null'
    assert_clean
}

@test "a signal does not wait for a smartctl that hangs" {
    need_drive
    fake_smartctl 'sleep 300'
    begin_run quick --target "$TARGET" --rows 200
    for ((i = 0; i < 500; i++)); do
        [ ! -e "$WORK/asked" ] || break
        sleep 0.01
    done
    finish INT
    [ "$status" -ne 0 ]
    [ "$took_ms" -lt 2000 ]
    assert_clean
}

@test "a loop device is not asked" {
    need jq
    two_answers
    make_disk 300M
    measure quick --target "$DISK" --rows 200
    assert_status 0
    [ ! -e "$WORK/asked" ]
    json '.devices[0] | .host_bytes_written == null and (.smart | contains("no physical disk"))'
}
