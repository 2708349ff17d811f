#!/usr/bin/env bats
# PostgreSQL: clusters of our own, servers that run already, two devices, waits.

load lib
load postgres_lib

small() {
    measure --rows 2000 --rows-per-commit 500 "$@"
}

@test "a private cluster: made, used, verified, removed" {
    need_postgres
    small --target "postgres:$TARGET" --streams 2
    assert_status 0
    [ "$(json '.environment.engine')" = postgres ]
    [ "$(json '[.trials[].phases[].verify.ok] | all')" = true ]
    [ "$(json '[.trials[].phases[] | .rows] | unique | join(",")')" = 4000 ]
    [ "$(json '[.trials[].phases[] | .commits] | unique | join(",")')" = 8 ]
    between 'WAL bytes' "$(json '.trials[0].phases[0].engine.wal_bytes')" 400000 4000000
    assert_no_cluster
}

@test "every method and layout keeps every row" {
    need_postgres
    small --target "postgres:$TARGET" --streams 3 --layout shared-table,table-per-stream,database-per-stream \
        -s postgres.insert_method=statement,copy -s postgres.delete_method=statement,array
    assert_status 0
    [ "$(json '.trials | length')" -eq 12 ]
    [ "$(json '[.trials[].phases[].verify.ok] | all')" = true ]
    small --target "postgres:$TARGET" --streams 2 --rows-per-commit 300 -s row.key_order=random \
        -s row.delete_order=random -s postgres.insert_method=pipeline,array -s postgres.delete_method=pipeline,range
    assert_status 0
    [ "$(json '[.trials[].phases[].verify.ok] | all')" = true ]
    assert_no_cluster
}

@test "an odd path, settings of the cluster, and one that the server refuses" {
    need_postgres
    mkdir -m 755 "$TARGET/ein 'Pfad' データ"
    small --target "postgres:$TARGET/ein 'Pfad' データ" -s postgres.conf.shared_buffers=32MB,64MB
    assert_status 0
    [ "$(json '[.trials[].engine_settings.shared_buffers] | join(",")')" = 32MB,64MB ]
    assert_no_cluster "$TARGET/ein 'Pfad' データ"
    small --target "postgres:$TARGET" -s postgres.conf.shared_buffers=many
    assert_status 1
    assert_has shared_buffers "$stderr"
    assert_clean "$TARGET/ein 'Pfad' データ"
    rmdir "$TARGET/ein 'Pfad' データ"
    assert_no_cluster
}

@test "fsync off is never called flushed or durable" {
    need_postgres
    new_log
    ll run --target "postgres:$TARGET" --floor 0 --baseline 0 --rows 200 --rows-per-commit 1 \
        -s postgres.conf.fsync=off -o "$LOG"
    assert_status 0
    assert_has fsync
    refute_has 'flushed commits'
    assert_has 'NOT durable'
}

@test "WAL on a device of its own: both devices, each with its role" {
    need_postgres
    make_disk 1500M
    local wal=$DISK wal_loop=$LOOP
    make_disk 1500M
    chmod 755 "$wal" "$DISK"
    measure --target "postgres:$DISK" -s "postgres.wal=$wal" --rows 400 --rows-per-commit 1
    assert_status 0
    [ "$(json ".trials[0].phases[0].devices.$LOOP.role")" = data ]
    [ "$(json ".trials[0].phases[0].devices.$wal_loop.role")" = wal ]
    between 'flushes of the WAL per commit' \
        "$(json ".trials[0].phases[0].devices.$wal_loop.flushes / 400")" 0.9 2.3
    between 'flushes of the data' "$(json ".trials[0].phases[0].devices.$LOOP.flushes")" 0 40
    between 'flushes per commit' "$(json '.trials[0].phases[0].per_commit.flushes')" 0.9 2.4
    assert_clean "$DISK"
    assert_clean "$wal"
}

@test "a server that runs already: nothing is left on it" {
    need_postgres
    start_server
    sql 'CREATE TABLE mine (x int); INSERT INTO mine VALUES (7)'
    small --target "$URL" --streams 2 --layout shared-table,file-per-stream
    assert_status 0
    [ "$(json '[.trials[].phases[].verify.ok] | all')" = true ]
    [ "$(json '[.devices[].role] | unique | join(",")')" = data,wal ] ||
        [ "$(json '[.devices[].role] | unique | join(",")')" = data ]
    assert_clean_server
    [ "$(sql 'SELECT x FROM mine')" = 7 ]
}

@test "a role with no rights: works, and says what it could not do" {
    need_postgres
    start_server
    sql 'CREATE ROLE plain LOGIN'
    sql 'CREATE DATABASE place OWNER plain'
    small --target "postgresql://plain@/place?host=$PGSOCKET"
    assert_status 0
    [ "$(json '[.trials[].phases[].verify.ok] | all')" = true ]
    small --target "postgresql://plain@/place?host=$PGSOCKET" --layout database-per-stream --streams 2
    assert_status 1
    assert_has CREATEDB "$stderr"
    assert_clean_server
}

@test "a tablespace on the drive under test, the WAL elsewhere: a warning and no verdict" {
    need_postgres
    start_server
    make_disk 500M
    [ "$(id -u)" -ne 0 ] || chown "$PGUSER_OS" "$DISK"
    new_log
    ll run --target "$URL" -s "postgres.tablespace=$DISK" --floor 0 --baseline 0 --rows 2000 -o "$LOG"
    assert_status 0
    assert_has 'WAL' "$stderr"
    [ "$(jq -r 'select(.record == "header").targets[0].wal_elsewhere' "$LOG")" = true ]
    assert_has 'VERDICT  none'
    assert_clean "$DISK"
    assert_clean_server
    # What it refuses, with the remedy.
    measure --target "$URL" -s postgres.tablespace=relative --rows 10
    assert_has absolute "$stderr"
    measure --target "$URL" -s postgres.tablespace=/nowhere/at/all --rows 10
    assert_has /nowhere/at/all "$stderr"
    assert_status 3
    mkdir "$PGDATA/inside"
    [ "$(id -u)" -ne 0 ] || chown "$PGUSER_OS" "$PGDATA/inside"
    measure --target "$URL" -s "postgres.tablespace=$PGDATA/inside" --rows 10
    assert_status 3
    assert_has 'own data directory' "$stderr"
    make_memory 100M
    [ "$(id -u)" -ne 0 ] || chown "$PGUSER_OS" "$DISK"
    measure --target "$URL" -s "postgres.tablespace=$DISK" --rows 10
    assert_status 3
    assert_has 'is memory' "$stderr"
    assert_clean_server
}

@test "the WAL in a folder of loadline's own: refused, nothing left" {
    need_postgres
    measure --target "postgres:$TARGET" -s "postgres.wal=$TARGET/loadline-data" --rows 10
    assert_status 3
    assert_has "loadline's own folder" "$stderr"
    assert_clean
}

@test "passwords are shown nowhere" {
    need_postgres
    start_server
    local url="postgresql://admin:geheim@/postgres?host=$PGSOCKET"
    new_log
    ll run --target "$url" --floor 0 --baseline 0 --rows 100 -o "$LOG"
    assert_status 0
    refute_has geheim
    refute_has geheim "$stderr"
    refute_has geheim "$(cat "$LOG")"
    begin_run --target "$url" --floor 0 --baseline 0 --rows 1M --rows-per-commit 1
    await "$(phase_mark tick 0)"
    refute_has geheim "$(tr '\0' ' ' <"/proc/$RUN/cmdline")"
    finish INT
    assert_status 130
    ll run --target "postgresql://admin:geheim@/nothing?host=$PGSOCKET" --rows 100 -o x.jsonl
    assert_status 3
    refute_has geheim "$stderr"
    assert_has nothing "$stderr"
}

@test "waits: a shared table's locks against the flush" {
    need_postgres
    measure --target "postgres:$TARGET" --streams 4 --layout shared-table --rows 1M --rows-per-commit 1 \
        --duration 3s
    assert_status 0
    between observations "$(json '.trials[0].phases[0].waits.observations')" 20 1000
    between 'shares' "$(json '[.trials[0].phases[0].waits.groups[]] | add')" 0.999 1.001
    between 'flush and group' \
        "$(json '.trials[0].phases[0].waits.groups | .flush + .group + .cpu + .client')" 0.2 1.001
}

@test "flushes per commit, by the device and by the server" {
    need_postgres
    make_disk 1500M
    chmod 755 "$DISK"
    measure --target "postgres:$DISK" --rows 1000 --rows-per-commit 1
    assert_status 0
    between 'flushes per commit' "$(json '.trials[0].phases[0].per_commit.flushes')" 0.97 1.2
    between 'WAL syncs' "$(json '.trials[0].phases[0].engine.wal_sync_count')" 990 1100
    json '.trials[0].phases[0].latency_ms.statement == null'
}

@test "each workload for PostgreSQL runs as it stands" {
    need_postgres
    local name
    for name in $("$LOADLINE" list workloads --json | jq -r '.workloads[].name | select(startswith("postgres-"))'); do
        measure "$name" --target "postgres:$TARGET" --rows 50 --duration 50ms
        assert_status 0
        [ "$(json '[.trials[].phases[].verify.ok] | all')" = true ]
        refute_has 'no effect' "$stderr"
    done
    assert_no_cluster
    ll run postgres-methods --target "$TARGET" --rows 50 --dry-run
    assert_status 0
    assert_has 'no effect' "$stderr"
}
