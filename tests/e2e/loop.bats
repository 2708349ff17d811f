#!/usr/bin/env bats
# What a commit costs a drive, on loop devices of our own where nobody else writes.

load lib

# make_drive yes|no: with a journal or without one.
make_drive() {
    JOURNAL=$1
    if [ "$JOURNAL" = yes ]; then
        make_disk 192M
    else
        make_disk 192M -O ^has_journal
    fi
}

# cost MODE LEVEL ROWS [KEY=VALUE...]: one row of 100 bytes a commit; the phase is in $output.
cost() {
    local setting options=()
    for setting in "sqlite.journal_mode=$1" "sqlite.synchronous=$2" "${@:4}"; do
        options+=(-s "$setting")
    done
    measure --target "$DISK" --phases insert --rows "$3" --rows-per-commit 1 "${options[@]}"
    assert_status 0
    output=$(json '.trials[0].phases[0]')
}

# Without a journal ext4 writes the inode with the first fsync after each tick of the clock
# (1 to 4 ms), since its time stamps have changed: on a slow drive up to one write more for
# every commit, on a fast one next to none.
inode_writes() {
    [ "$JOURNAL" = no ] || {
        echo 0
        return
    }
    json '[1, 2000 / .commits_per_s] | min'
}

# costs WHAT PART WRITES KIB FLUSHES [PERCENT]: a part of the phase in $output beside the
# reference; its flushes within 3% if not said otherwise.
# Writes and KiB are the file system's, which differ a little from kernel to kernel.
costs() {
    local what="$1 (journal: $JOURNAL)" more
    more=$(inode_writes)
    between "$what, writes" "$(json "$2.writes")" "$(calc "0.85 * $3")" "$(calc "1.15 * $3 + $more")"
    between "$what, KiB" "$(json "$2.bytes / 1024")" "$(calc "0.85 * $4")" \
        "$(calc "1.15 * $4 + 4 * $more")"
    near "$what, flushes" "$(json "$2.flushes")" "$5" "${6:-3}"
}

# A WAL of 400 pages is used again after some 390 commits; the two parts meet at a sample.
wal_full() { # GROWING-WRITES GROWING-KIB GROWING-FLUSHES RECYCLED-WRITES RECYCLED-KIB
    cost wal full 1000 sqlite.wal_autocheckpoint=400 run.interval=10ms
    near 'commits while the WAL grew' "$(json .wal_growing.commits)" 390 25
    # The last sample of the part holds commits of the other one too.
    costs 'WAL that grows' .wal_growing.per_commit "$1" "$2" "$3" 12
    costs 'WAL used again' .wal_recycled.per_commit "$4" "$5" 1 6
}

@test "reference without a journal: WAL/FULL, growing and used again" {
    make_drive no
    wal_full 3 12 1 2.06 8.5
}

@test "reference with a journal: WAL/FULL, growing and used again" {
    make_drive yes
    wal_full 3 31 2 2.0 8.4
}

@test "reference without a journal: DELETE, TRUNCATE, PERSIST" {
    make_drive no
    cost delete full 160
    costs DELETE .per_commit 12 41 4
    cost truncate full 160
    costs TRUNCATE .per_commit 12 36 5
    cost persist full 160
    costs PERSIST .per_commit 13 41 5
}

@test "reference with a journal: DELETE, TRUNCATE, PERSIST" {
    make_drive yes
    cost delete full 160
    costs DELETE .per_commit 8 57 4
    cost truncate full 160
    costs TRUNCATE .per_commit 10 69 6
    cost persist full 160
    costs PERSIST .per_commit 12 41 6
}

@test "reference: WAL/NORMAL flushes with checkpoints only, and writes when it settles" {
    local journal
    for journal in no yes; do
        make_drive "$journal"
        cost wal normal 3000
        between flushes "$(json .per_commit.flushes)" 0 0.02
        between writes "$(json .per_commit.writes)" 0 0.06
        near 'KiB when settled' "$(json '.per_commit_settled.bytes / 1024')" 4.3 15
    done
}

@test "synchronous=off flushes nothing in a phase" {
    local mode
    make_drive yes
    for mode in wal delete; do
        cost "$mode" off 500 sqlite.wal_autocheckpoint=0
        [ "$(json '.per_commit.flushes')" = 0 ]
        [ "$(json '[.devices[]][0].flushes')" = 0 ]
        between 'bytes when settled' "$(json .per_commit_settled.bytes)" 100 8192
    done
}

@test "the fsync engine: one write and one flush a commit" {
    local devices
    make_drive yes
    measure --target "fsync:$DISK" --phases insert --rows 500 --rows-per-commit 1
    assert_status 0
    devices=".trials[0].phases[0].devices.$LOOP"
    # The flush's own write is the second; the journal's thread may add a few.
    between flushes "$(json "$devices.flushes")" 500 503
    between writes "$(json "$devices.writes")" 1000 1010
    between 'data writes' "$(json "$devices.data_writes")" 500 507
}

# The counters of $LOOP: "writes sectors flushes".
raw() {
    awk -v name="$LOOP" '$3 == name { print $8, $10, $19 }' /proc/diskstats
}

# Each phase's figures are the differences of the raw counters in its own samples.
same_as_samples() {
    jq -e -s --slurpfile summary "$1" --arg name "$LOOP" '
        map(select(.record == "sample")) as $samples | $summary[0].trials[0].phases |
        to_entries | all(.key as $phase | .value.devices[$name] as $said |
            [("phase_start", "phase_end", "settled") as $mark |
                ($samples | map(select(.phase == $phase and .mark == $mark)) | last |
                    .disks[$name])] as [$first, $last, $rest] |
            $said.writes == $last.writes - $first.writes and
            $said.flushes == $last.flushes - $first.flushes and
            $said.write_bytes == ($last.write_sectors - $first.write_sectors) * 512 and
            $said.settle_write_bytes == ($rest.write_sectors - $last.write_sectors) * 512 and
            $said.settle_flushes == $rest.flushes - $last.flushes)' "$LOG" >/dev/null
}

@test "what is reported is what /proc/diskstats counted" {
    local before after said target
    make_drive yes
    for target in "$DISK" "fsync:$DISK"; do
        sync -f "$DISK"
        read -ra before < <(raw)
        measure --target "$target" --rows 400 --rows-per-commit 2 --streams 2
        sync -f "$DISK"
        read -ra after < <(raw)
        assert_status 0
        echo "$output" >"$WORK/summary.json"
        same_as_samples "$WORK/summary.json"
        output=$(json "[.trials[0].phases[].devices.$LOOP] |
            [(map(.writes + .settle_writes) | add),
             (map(.write_bytes + .settle_write_bytes) | add),
             (map(.flushes + .settle_flushes) | add)] | @tsv")
        read -ra said <<<"$output"
        # Creating, the first settling and removing lie outside of the phases.
        between "$target, writes outside" $((after[0] - before[0] - said[0])) 0 150
        between "$target, bytes outside" $(((after[1] - before[1]) * 512 - said[1])) 0 1500000
        between "$target, flushes outside" $((after[2] - before[2] - said[2])) 0 50
    done
}

@test "a partition: bytes from it, flushes from its disk" {
    local image=$e2e_dir/disk.img part major minor
    need_root
    need sfdisk losetup partx
    truncate -s 96M "$image"
    printf 'label: gpt\nsize=16M\nsize=64M\n' | sfdisk -q "$image"
    attach "$image" --partscan
    part=${LOOP}p2
    # A kernel that reads no partition tables can still be told.
    [ -e "/sys/class/block/$part" ] || partx --add "/dev/$LOOP" 2>/dev/null || true
    [ -e "/sys/class/block/$part" ] || skip "no partitions on loop devices"
    IFS=: read -r major minor <"/sys/class/block/$part/dev"
    mknod "$e2e_dir/$part" b "$major" "$minor" # it takes udev a while, where there is one
    make_ext4 "$e2e_dir/$part"
    mount_disk "$e2e_dir/$part"
    measure --target "$DISK" --phases insert --rows 200 --rows-per-commit 1
    assert_status 0
    json ".devices | length == 1 and (.[0] | .role == \"data\" and .sampled == \"$part\" and
        .leaves == [\"$LOOP\"] and .filesystem == \"ext4\")"
    between flushes "$(json .trials[0].phases[0].per_commit.flushes)" 0.97 2.5
    between bytes "$(json .trials[0].phases[0].per_commit.bytes)" 4096 40000
    json ".trials[0].phases[0].devices | keys == [\"$part\"]"
}

@test "--device names another device" {
    local other
    make_disk 32M
    other=$LOOP
    make_drive yes
    measure --target "$DISK" --rows 50 --rows-per-commit 1 --phases insert --device "$LOOP"
    assert_status 0
    json ".devices[0].sampled == \"$LOOP\" and .trials[0].phases[0].devices.$LOOP.flushes >= 50 and
        (.trials[0].phases[0].measured_elsewhere | not)"
    # The wrong one saw nothing of it, and nothing is claimed.
    measure --target "$DISK" --rows 50 --rows-per-commit 1 --phases insert --device "$other"
    assert_status 0
    json ".devices[0].sampled == \"$other\" and .trials[0].phases[0].devices.$other.writes == 0 and
        .trials[0].phases[0].measured_elsewhere"
    ll report "$LOG"
    assert_status 0
    assert_has "$other"
    assert_has 'VERDICT  none'
    refute_has 'flushed commits/s'
}

@test "--device that does not exist: 2, and nothing is made" {
    ll run quick --target "$TARGET" --device nosuchdisk -o r.jsonl
    assert_status 2
    assert_has nosuchdisk "$stderr"
    assert_clean
    [ ! -e r.jsonl ]
}
