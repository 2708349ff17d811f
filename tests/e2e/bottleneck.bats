#!/usr/bin/env bats
# What stopped a run, with its evidence: each cause where we know that it is the one.  A limit above
# the drive is in hazard.bats.

load lib

# stopped CAUSE EVIDENCE [PHASE]: the cause of a phase (insert), and a text of its evidence.
stopped() {
    local entry
    assert_status 0
    entry=$(json "[.analysis.bottleneck[] | select(.phase == \"${3:-insert}\")][0]")
    [ "$(jq -r .cause <<<"$entry")" = "$1" ] || {
        echo "$entry"
        return 1
    }
    assert_has "$2" "$(jq -r '.evidence[0]' <<<"$entry")"
}

@test "null: loadline itself, at one stream and at many" {
    measure --target null: --rows 2M
    stopped client 'loadline itself used'
    measure --target null: --rows 500k --streams 8
    stopped client 'loadline itself used'
}

@test "eight streams on one SQLite file: the database's lock, one table or eight" {
    make_disk 192M
    for layout in shared-table table-per-stream; do
        measure --target "$DISK" --layout "$layout" --streams 8 --rows 300 --rows-per-commit 1
        stopped lock 'of a transaction at 8 streams'
        stopped lock 'lock: ' delete
    done
}

@test "synchronous off: the CPU" {
    make_disk 512M
    local tries
    for tries in 1 2 3; do # others may take the CPU from the stream without filling the host's
        measure --target "$DISK" --rows 1M --rows-per-commit 1000 -s sqlite.synchronous=off \
            -s sqlite.journal_mode=memory
        [ "$(json '.analysis.bottleneck[0].cause')" != unknown ] && break
    done
    stopped cpu CPU
}

@test "a commit that waits for nothing but the drive: the device" {
    make_disk 192M
    measure --target "fsync:$DISK" --phases insert --rows 2000 --rows-per-commit 1
    stopped device 'flush'
}

@test "a file system in memory: nothing is said of a drive" {
    local image
    need_root
    need losetup mkfs.ext4 mount
    make_memory 100M
    image=$DISK/image
    truncate -s 64M "$image"
    make_ext4 "$image"
    attach "$image"
    mount_disk "/dev/$LOOP"
    measure --target "$DISK" --phases insert --rows 2000 --rows-per-commit 1
    assert_status 0
    [ "$(json '[.analysis.bottleneck[].cause] | index("device")')" = null ]
}

@test "an open loop that keeps up: the offer is what holds it" {
    measure --target null: --rows 200 --rows-per-commit 1 --rate 200
    stopped client 'of the 200 transactions/s offered were done'
}
