#!/usr/bin/env bats
# Our device figures beside those of iostat, over the same interval on a drive of our own.

load lib

INTERVAL=10 # seconds; the whole run lies in it

start_iostat() {
    need iostat
    S_COLORS=never iostat -d -x -y -k -o JSON "$LOOP" "$INTERVAL" 1 >"$WORK/iostat.json" 3>&- &
    IOSTAT=$!
    sleep 0.3
}

# From its rates to what was counted; a kB of iostat has 1024 bytes.
iostat_count() {
    json ".sysstat.hosts[0].statistics[0].disk[0].\"$1\" * $INTERVAL" "$WORK/iostat.json"
}

our_count() {
    json "[.trials[0].phases[].devices[\"$LOOP\"] | .$1 + .settle_$1] | add"
}

# Nothing but the loop device's own file system: no journal thread that writes later on.
@test "iostat counts the same writes, flushes and bytes within 2%" {
    make_disk 192M -O ^has_journal
    sync --file-system "$DISK"
    start_iostat
    measure --target "$DISK" --streams 2 --layout file-per-stream --rows 100k \
        --rows-per-commit 1 --duration 4s --phases insert
    assert_status 0
    kill -0 "$IOSTAT" || {
        echo 'the run took longer than the interval'
        return 1
    }
    wait "$IOSTAT"
    near writes "$(our_count writes)" "$(iostat_count w/s)" 2
    near flushes "$(our_count flushes)" "$(iostat_count f/s)" 2
    near bytes "$(our_count write_bytes)" "$(calc "1024 * $(iostat_count wkB/s)")" 2
    # Enough of each that 2% is more than what making and removing the files costs.
    json "[.trials[0].phases[].devices[\"$LOOP\"].flushes] | add > 500" >/dev/null
}
