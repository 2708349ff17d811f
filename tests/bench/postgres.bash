# A PostgreSQL server, pgbench and psql for tests/bench/run_postgres.
# shellcheck shell=bash
# shellcheck disable=SC2154

postgres_need() {
    local name
    postgres_bin=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
    [ -x "$postgres_bin/initdb" ] || postgres_bin=$(dirname "$(command -v initdb)" 2>/dev/null) || true
    for name in initdb postgres pg_ctl psql pgbench; do
        [ -x "$postgres_bin/$name" ] || {
            echo "skipped: needs PostgreSQL's $name"
            exit 77
        }
    done
}

# The server does not run as root.
as_server() {
    if [ "$(id -u)" -eq 0 ]; then
        (cd / && setpriv --reuid=postgres --regid=postgres --init-groups "$@")
    else
        "$@"
    fi
}

postgres_start() {
    postgres_data=$bench_dir/server
    chmod 0711 "$bench_dir"
    install -d -m 0700 "$postgres_data" "$postgres_data/socket"
    if [ "$(id -u)" -eq 0 ]; then chown -R postgres: "$postgres_data"; fi
    trap 'postgres_stop; rm -rf "$bench_dir"' EXIT
    as_server "$postgres_bin/initdb" -D "$postgres_data/data" -U loadline -N -k -A trust --no-locale \
        -E UTF8 >"$bench_dir/initdb.log" 2>&1 || fail "initdb: $(tail -n 1 "$bench_dir/initdb.log")"
    as_server tee -a "$postgres_data/data/postgresql.conf" >/dev/null <<EOF
listen_addresses = ''
unix_socket_directories = '$postgres_data/socket'
max_connections = 250
max_wal_size = 8GB
EOF
    as_server "$postgres_bin/pg_ctl" -s -w -D "$postgres_data/data" -l "$postgres_data/log" start \
        </dev/null || fail "no server: $(as_server tail -n 1 "$postgres_data/log")"
    export PGHOST=$postgres_data/socket PGUSER=loadline PGDATABASE=postgres
}

postgres_stop() {
    as_server "$postgres_bin/pg_ctl" -s -m immediate -D "$postgres_data/data" stop 2>/dev/null || true
}

ask() { "$postgres_bin/psql" -XAtq -v ON_ERROR_STOP=1 "$@"; }

# on_postgres NAME OPTION...: loadline on that server.
on_postgres() {
    local name=$1
    shift
    loadline "$name" "$@" --target "postgresql:host=$PGHOST user=$PGUSER dbname=$PGDATABASE"
}

# The table of the others, empty.
fresh_table() {
    ask -c "DROP TABLE IF EXISTS rows" \
        -c "CREATE TABLE rows (id bigint PRIMARY KEY, stream int NOT NULL, k1 int NOT NULL,
            payload bytea NOT NULL) WITH (autovacuum_enabled = false)" -c "CHECKPOINT" 2>/dev/null
    sync
}

# pgbench_insert NAME CLIENTS: one INSERT a transaction; its own figure, and CPU by the shell.
pgbench_insert() {
    local name=$1 clients=$2 payload tps cpu
    fresh_table
    payload=$(head -c 100 /dev/urandom | od -An -v -tx1 | tr -d ' \n')
    cat >"$bench_dir/insert.sql" <<'EOF'
\set n :n + 1
\set id ((16384 + :client_id) * 274877906944) + :n
\set k random(0, 2147483647)
INSERT INTO rows (id, stream, k1, payload) VALUES (:id, :client_id, :k, :payload);
EOF
    cpu=$( (
        TIMEFORMAT='%U %S'
        time "$postgres_bin/pgbench" -n -M prepared -f "$bench_dir/insert.sql" -D n=0 \
            -D "payload=\\x$payload" -c "$clients" -j "$clients" -t $((commits / clients)) \
            >"$bench_dir/pgbench.out" 2>"$bench_dir/messages"
    ) 2>&1) || fail "pgbench: $(tail -n 3 "$bench_dir/messages")"
    tps=$(awk '/^tps = / { print $3 }' "$bench_dir/pgbench.out")
    [ "$(ask -c "SELECT count(*) FROM rows")" = $((commits / clients * clients)) ] ||
        fail "pgbench lost rows"
    record "$name" insert.commits_per_s "$tps"
    record "$name" insert.cpu_us_per_commit \
        "$(awk -v n=$((commits / clients * clients)) '{ print ($1 + $2) * 1e6 / n }' <<<"$cpu")"
}

# postgres_rows N: a file for \copy, of loadline's widths.
postgres_rows() {
    fresh_table
    ask -c "INSERT INTO rows SELECT (16384::bigint << 38) + n, 0, (random() * 2147483647)::int,
        decode(left(string_agg(md5(n || '-' || part), ''), 200), 'hex')
        FROM generate_series(0, $1 - 1) n, generate_series(1, 7) part GROUP BY n ORDER BY n"
    ask -c "\\copy rows TO '$bench_dir/rows.bin' (FORMAT binary)"
}

# psql_copy NAME: psql's own time of \copy, in a transaction of its own.
psql_copy() {
    local ms
    fresh_table
    ms=$(ask -c '\timing on' -c "\\copy rows FROM '$bench_dir/rows.bin' (FORMAT binary)" |
        awk '/^Time:/ { print $2 }')
    [ "$(ask -c "SELECT count(*) FROM rows")" = "$rows" ] || fail "\\copy lost rows"
    record "$1" insert.rows_per_s "$(awk -v n="$rows" -v ms="$ms" 'BEGIN { print n * 1000 / ms }')"
}
