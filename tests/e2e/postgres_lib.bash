# PostgreSQL servers of our own for the bats tests.  `load postgres_lib` after `load lib`.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154

# Where the server's programs are: $PGBIN; skips without them.
need_postgres() {
    local found
    PGBIN=$(pg_config --bindir 2>/dev/null || true)
    [ -x "$PGBIN/initdb" ] || for found in /usr/lib/postgresql/*/bin; do
        [ ! -x "$found/initdb" ] || PGBIN=$found
    done
    { [ -x "$PGBIN/initdb" ] && [ -x "$PGBIN/postgres" ]; } || skip "needs a PostgreSQL server's programs"
    PGUSER_OS=$(id -un)
    if [ "$(id -u)" -eq 0 ]; then
        id postgres >/dev/null 2>&1 || skip "needs the user postgres"
        PGUSER_OS=postgres
    fi
    chmod 711 "$e2e_dir"
    chmod 755 "$TARGET" "$WORK"
}

# as_server COMMAND...: as the user who may run a server.
as_server() {
    if [ "$(id -un)" = "$PGUSER_OS" ]; then
        "$@"
    else
        setpriv --reuid="$PGUSER_OS" --regid="$PGUSER_OS" --init-groups "$@"
    fi
}

# start_server [SETTING=VALUE...]: a server in $PGDATA with its socket in $PGSOCKET; $URL is a
# superuser's connection string.
start_server() {
    PGDATA=$e2e_dir/server
    PGSOCKET=$(mktemp -d /tmp/e2e-pg.XXXXXX)
    mkdir "$PGDATA"
    chmod 700 "$PGDATA" "$PGSOCKET"
    echo "rm -rf '$PGSOCKET'" >>"$e2e_dir/undo"
    [ "$(id -u)" -ne 0 ] || chown "$PGUSER_OS" "$PGDATA" "$PGSOCKET"
    as_server "$PGBIN/initdb" -D "$PGDATA" -N -A trust -U admin --no-locale -E UTF8 >/dev/null
    {
        echo "listen_addresses = ''"
        echo "unix_socket_directories = '$PGSOCKET'"
        printf '%s\n' "$@"
    } | as_server tee -a "$PGDATA/postgresql.conf" >/dev/null
    server start
    echo "pid=\$(head -n 1 '$PGDATA/postmaster.pid' 2>/dev/null) && kill -QUIT \"\$pid\"; sleep 0.3" \
        >>"$e2e_dir/undo"
    URL="postgresql://admin@/postgres?host=$PGSOCKET"
}

# server start|stop|restart [OPTION...]
server() {
    as_server "$PGBIN/pg_ctl" -D "$PGDATA" -w -s -l "$PGDATA/log" "$@" 3>&-
}

# sql TEXT [DATABASE]
sql() {
    psql -X -q -A -t -v ON_ERROR_STOP=1 -h "$PGSOCKET" -U admin -d "${2:-postgres}" -c "$1"
}

# Nothing of loadline's is left on the server.
assert_clean_server() {
    local left
    left=$(sql "SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname LIKE 'loadline%'
                UNION ALL SELECT 'database ' || datname FROM pg_database WHERE datname LIKE 'loadline%'
                UNION ALL SELECT 'tablespace ' || spcname FROM pg_tablespace WHERE spcname LIKE 'loadline%'")
    [ -z "$left" ] || {
        printf 'left on the server: %s\n' "$left"
        return 1
    }
}

# No server, socket or folder of a private cluster is left.
assert_no_cluster() {
    assert_clean "${1:-$TARGET}"
    if pgrep -f -- "-D ${1:-$TARGET}/loadline-data"; then
        echo "a server of loadline's still runs"
        return 1
    fi
}
