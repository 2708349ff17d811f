#!/usr/bin/env bats
# PostgreSQL when things go wrong: deadlocks, lost connections, crashes, full disks, signals.

load lib
load postgres_lib

@test "deadlocks are retried, and the last change of every key is there" {
    need_postgres
    start_server 'deadlock_timeout = 10ms'
    measure --target "$URL" --streams 4 --layout shared-table -s workload.phases=mixed \
        -s row.keys=overlapping --rows 600 --rows-per-commit 4
    assert_status 0
    [ "$(json '.trials[0].phases[0].verify.ok')" = true ]
    between deadlocks "$(json '.trials[0].phases[0].retries.deadlock')" 1 100000
    assert_clean_server
}

@test "serialization failures are retried" {
    need_postgres
    start_server "default_transaction_isolation = 'repeatable read'" 'deadlock_timeout = 10ms'
    measure --target "$URL" --streams 4 --layout shared-table -s workload.phases=mixed \
        -s row.keys=overlapping --rows 600 --rows-per-commit 2
    assert_status 0
    [ "$(json '.trials[0].phases[0].verify.ok')" = true ]
    between conflicts "$(json '.trials[0].phases[0].retries.conflict')" 1 100000
}

@test "terminated backends: connected again, rows in doubt, verified" {
    need_postgres
    start_server
    begin_run --target "$URL" --streams 4 --rows 1M --rows-per-commit 1 --duration 8s --floor 0 \
        --baseline 0 --json
    await "$(phase_mark tick 0)"
    local i
    for i in 1 2 3; do
        sleep 0.3
        sql "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE application_name LIKE 'loadline%' AND pid <> pg_backend_pid()" >/dev/null
    done
    finish
    assert_status 0
    between reconnects "$(json '[.trials[0].phases[].reconnects] | add')" 3 100
    [ "$(json '[.trials[0].phases[].verify.ok] | all')" = true ]
    assert_clean_server
}

@test "the server crashes in the middle of commits and comes back" {
    need_postgres
    start_server
    begin_run --target "$URL" --streams 4 --rows 1M --rows-per-commit 1 --duration 6s --floor 0 \
        --baseline 0 --json
    await "$(phase_mark tick 0)"
    sleep 0.5
    server stop -m immediate
    server start
    finish
    assert_status 0
    between reconnects "$(json '[.trials[0].phases[].reconnects] | add')" 1 100
    [ "$(json '[.trials[0].phases[].verify.ok] | all')" = true ]
    assert_clean_server
}

@test "a private cluster that crashes and is started again" {
    need_postgres
    begin_run --target "postgres:$TARGET" --streams 2 --rows 1M --rows-per-commit 1 --duration 6s \
        --floor 0 --baseline 0 --json
    await "$(phase_mark tick 0)"
    local data=$TARGET/loadline-data/t0001/pgdata
    as_server "$PGBIN/pg_ctl" -D "$data" -w -s stop -m immediate
    as_server "$PGBIN/pg_ctl" -D "$data" -w -s -l /dev/null start 3>&-
    finish
    assert_status 0
    [ "$(json '[.trials[0].phases[].verify.ok] | all')" = true ]
    assert_no_cluster
}

@test "the server is gone for good: a message, nothing pretended" {
    need_postgres
    start_server
    begin_run --target "$URL" --streams 2 --rows 1M --rows-per-commit 1 --duration 60s --floor 0 \
        --baseline 0 --json
    await "$(phase_mark tick 0)"
    server stop -m immediate
    await '"kind":"connection lost"'
    finish INT
    assert_status 130
    [ "$took_ms" -lt 4000 ]
    assert_has '2 of 2 streams' "$stderr"
}

@test "Ctrl-C cancels what runs, within seconds, and leaves nothing" {
    need_postgres
    begin_run --target "postgres:$TARGET" --streams 2 --rows 5M --rows-per-commit 5M --floor 0 --baseline 0
    await "$(phase_mark tick 0)"
    sleep 0.5
    finish INT
    assert_status 130
    [ "$took_ms" -lt 4000 ]
    assert_no_cluster
}

@test "Ctrl-C does not wait for somebody else's lock, and says what stays" {
    need_postgres
    start_server
    begin_run --target "$URL" --rows 1M --rows-per-commit 10 --floor 0 --baseline 0
    await "$(phase_mark tick 0)"
    local table holder
    table=$(sql "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname LIKE 'loadline%'")
    psql -X -q -h "$PGSOCKET" -U admin -d postgres \
        -c "BEGIN; LOCK TABLE $table; SELECT pg_sleep(30)" >/dev/null 2>&1 3>&- &
    holder=$!
    sleep 1
    finish INT
    assert_status 130
    [ "$took_ms" -lt 5000 ]
    assert_has 'not everything was removed' "$stderr"
    kill "$holder"
    wait "$holder" || true
    sql "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()" >/dev/null
    sleep 0.3
    ll clean "$URL"
    assert_status 0
    assert_clean_server
}

@test "Ctrl-C while the cluster is made" {
    need_postgres
    local wait
    for wait in 0 0.4 1; do
        begin_run --target "postgres:$TARGET" --rows 1M --floor 0 --baseline 0
        until [ -d "$TARGET/loadline-data/t0001" ]; do sleep 0.01; done
        sleep "$wait"
        finish INT
        assert_status 130
        [ "$took_ms" -lt 4000 ]
        assert_no_cluster
    done
}

@test "kill -9: clean finds the cluster, its server and its socket" {
    need_postgres
    begin_run --target "postgres:$TARGET" --rows 1M --rows-per-commit 1 --floor 0 --baseline 0
    await "$(phase_mark tick 0)"
    finish KILL
    [ -d "$TARGET/loadline-data/t0001/pgdata" ]
    ll clean "postgres:$TARGET"
    assert_status 0
    assert_no_cluster
    ll clean "postgres:$TARGET"
    assert_status 0
    assert_has 'nothing left'
}

@test "kill -9 with the WAL on another path: one clean for both" {
    need_postgres
    mkdir -m 755 "$e2e_dir/wal"
    begin_run --target "postgres:$TARGET" -s "postgres.wal=$e2e_dir/wal" --rows 1M --rows-per-commit 1 \
        --floor 0 --baseline 0
    await "$(phase_mark tick 0)"
    finish KILL
    [ -d "$e2e_dir/wal/loadline-data" ]
    ll clean "postgres:$TARGET"
    assert_status 0
    assert_no_cluster
    assert_clean "$e2e_dir/wal"
}

@test "kill -9 on a server: clean drops what is marked, and only when no run uses it" {
    need_postgres
    start_server
    sql 'CREATE SCHEMA loadline_mine'
    begin_run --target "$URL" --streams 2 --layout database-per-stream --rows 1M --rows-per-commit 1 \
        --floor 0 --baseline 0
    await "$(phase_mark tick 0)"
    ll clean "$URL"
    assert_status 3
    finish KILL
    sleep 0.5
    ll clean "$URL"
    assert_status 0
    [ "$(sql "SELECT string_agg(nspname, ',') FROM pg_namespace WHERE nspname LIKE 'loadline%'")" = loadline_mine ]
    sql 'DROP SCHEMA loadline_mine'
    assert_clean_server
}

@test "too many connections, a wrong password, no server: clear words" {
    need_postgres
    start_server 'max_connections = 8' 'superuser_reserved_connections = 0'
    measure --target "$URL" --streams 20 --rows 100
    assert_status 1
    assert_has max_connections "$stderr"
    assert_clean_server
    echo 'local all all scram-sha-256' | as_server tee "$PGDATA/pg_hba.conf" >/dev/null
    server reload
    measure --target "postgresql://admin:wrong@/postgres?host=$PGSOCKET" --rows 100
    assert_status 3
    assert_has password "$stderr"
    refute_has wrong "$stderr"
    measure --target "postgresql://admin@/postgres?host=/nowhere" --rows 100
    assert_status 3
    assert_has /nowhere "$stderr"
}

@test "a full disk under data and WAL: no space, nothing left" {
    need_postgres
    make_disk 220M
    chmod 755 "$DISK"
    measure --target "postgres:$DISK" --rows 3M --rows-per-commit 10k --any-filesystem \
        -s limit.free_space=0 -s postgres.conf.min_wal_size=32MB -s postgres.conf.max_wal_size=64MB
    [ "$status" -ne 0 ]
    assert_has 'space' "$stderr"
    assert_clean "$DISK"
}

@test "no programs of a server: refused before anything is made" {
    need_postgres
    measure --target "postgres:$TARGET" --rows 10 -s postgres.programs=/nowhere
    assert_status 3
    assert_has '/nowhere: there is no initdb' "$stderr"
    assert_clean
}
