#include "postgres/db.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "postgres/sql.h"
#include "workload/layout.h"

enum {
    OWN_CONNECTIONS = 3, /* beside the streams' and the admin's: the sampler's, two of scans */
    TABLES_AT_ONCE = 50, /* in one transaction: each takes several of the server's locks */
};

/* Where db->admin is at home: a database that none of ours is. */
static const char *home_database(const struct postgres_db *db)
{
    return db->cluster != NULL ? POSTGRES_CLUSTER_DATABASE : NULL;
}

static void db_release(struct postgres_db *db)
{
    struct op_error ignored;
    if (db == NULL)
        return;
    if (db->waits != NULL)
        postgres_waits_close(db);
    if (db->account != NULL)
        postgres_stats_close(db);
    postgres_stats_close(db);
    PQfinish(db->admin);
    PQfinish(db->home);
    if (db->cluster != NULL)
        (void)postgres_cluster_remove(db->cluster,
                                      adapter_is_stopped(db->config) ? POSTGRES_STOP_IMMEDIATE
                                                                     : POSTGRES_STOP_FAST,
                                      &ignored);
    for (unsigned i = 0; db->files != NULL && i < db->file_count; i++)
        free(db->files[i].database);
    for (unsigned i = 0; db->conns != NULL && i < db->conn_count; i++)
        pthread_mutex_destroy(&db->conns[i].mutex);
    free(db->files);
    free(db->conns);
    free(db);
}

static enum op_status name_run(struct postgres_db *db, struct op_error *why)
{
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return op_fail(why, OP_FATAL, 0, "no random number for the name of a run");
    snprintf(db->run, sizeof db->run, "loadline_%012" PRIx64, number >> 16);
    snprintf(db->schema, sizeof db->schema, "%s", db->run);
    if (db->settings.tablespace != NULL)
        snprintf(db->tablespace, sizeof db->tablespace, "%s", db->run);
    return OP_OK;
}

static enum op_status make_conns(struct postgres_db *db, struct op_error *why)
{
    const struct workload *load = db->load;
    db->file_count = layout_files(load);
    db->files = calloc(db->file_count, sizeof *db->files);
    db->conns = aligned_alloc(_Alignof(struct postgres_conn), load->streams * sizeof *db->conns);
    if (db->files == NULL || db->conns == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for %u streams", load->streams);
    for (unsigned stream = 0; stream < load->streams; stream++) {
        struct postgres_conn *conn = &db->conns[stream];
        *conn = (struct postgres_conn){.base.ops = db->base.ops,
                                       .db = db,
                                       .file = &db->files[layout_file_of_stream(load, stream)],
                                       .stream = stream};
        postgres_sql_table(load, db->schema, layout_table_of_stream(load, stream), conn->table);
        pthread_mutex_init(&conn->mutex, NULL);
        db->conn_count++;
    }
    return OP_OK;
}

/* One file: the database that we connected to.  Several: each a database of ours. */
static enum op_status name_files(struct postgres_db *db, struct op_error *why)
{
    for (unsigned file = 0; file < db->file_count; file++) {
        char name[64];
        if (db->file_count == 1)
            snprintf(name, sizeof name, "%s", PQdb(db->admin));
        else
            snprintf(name, sizeof name, "%s_%04u", db->run, file);
        db->files[file].database = strdup(name);
        if (db->files[file].database == NULL)
            return op_fail(why, OP_FATAL, 0, "no memory for %u databases", db->file_count);
    }
    return OP_OK;
}

enum op_status postgres_db_rights(PGconn *handle, struct postgres_rights *rights,
                                  struct op_error *why)
{
    PGresult *result = NULL;
    enum op_status status = postgres_query(
        handle,
        "SELECT rolsuper, rolsuper OR rolcreatedb, "
        "EXISTS (SELECT FROM pg_roles r WHERE r.rolname = 'pg_checkpoint' "
        "AND pg_has_role(r.oid, 'USAGE')) OR rolsuper, "
        "pg_has_role('pg_read_all_settings', 'USAGE'), pg_has_role('pg_read_all_stats', 'USAGE') "
        "FROM pg_roles WHERE rolname = current_user",
        "asking what the role may do", &result, why);
    if (status != OP_OK)
        return status;
    bool may[5] = {false};
    for (int i = 0; i < 5 && PQntuples(result) == 1; i++)
        may[i] = strcmp(PQgetvalue(result, 0, i), "t") == 0;
    PQclear(result);
    *rights = (struct postgres_rights){.superuser = may[0],
                                       .create_database = may[1],
                                       .checkpoint = may[2],
                                       .read_settings = may[3],
                                       .read_stats = may[4]};
    return OP_OK;
}

/* A stream that finds no room would only say so after all the others have connected. */
static enum op_status check_room(const struct postgres_db *db, struct op_error *why)
{
    PGresult *result = NULL;
    enum op_status status = postgres_query(
        db->admin,
        "SELECT current_setting('max_connections')::int, CASE WHEN rolsuper THEN 0 ELSE "
        "current_setting('superuser_reserved_connections')::int + "
        "coalesce(current_setting('reserved_connections', true), '0')::int END, "
        "(SELECT sum(numbackends) FROM pg_stat_database)::int, "
        "CASE WHEN rolconnlimit < 0 OR rolsuper THEN 1000000 ELSE rolconnlimit END "
        "FROM pg_roles WHERE rolname = current_user",
        "asking for the number of connections", &result, why);
    if (status != OP_OK)
        return status;
    long most = 1000000, reserved = 0, used = 0, role = 1000000;
    if (PQntuples(result) == 1) {
        most = strtol(PQgetvalue(result, 0, 0), NULL, 10);
        reserved = strtol(PQgetvalue(result, 0, 1), NULL, 10);
        used = strtol(PQgetvalue(result, 0, 2), NULL, 10);
        role = strtol(PQgetvalue(result, 0, 3), NULL, 10);
    }
    PQclear(result);
    long wanted = (long)db->load->streams + OWN_CONNECTIONS;
    if (wanted + used + reserved > most)
        return op_fail(why, OP_FATAL, 0,
                       "workload.streams = %u needs %ld connections, but the server lets in %ld, "
                       "keeps %ld for others and has %ld in use; lower workload.streams, or raise "
                       "%smax_connections",
                       db->load->streams, wanted, most, reserved, used,
                       db->cluster != NULL ? "postgres.conf." : "the server's ");
    if (wanted + 1 > role)
        return op_fail(why, OP_FATAL, 0,
                       "workload.streams = %u needs %ld connections, but the role %s may have %ld; "
                       "lower workload.streams, or ALTER ROLE ... CONNECTION LIMIT",
                       db->load->streams, wanted + 1, PQuser(db->admin), role);
    return OP_OK;
}

enum op_status postgres_db_hold(const struct postgres_db *db, PGconn *handle, struct op_error *why)
{
    char text[96];
    snprintf(text, sizeof text, "SELECT pg_advisory_lock_shared(x'%s'::bigint)",
             strchr(db->run, '_') + 1);
    return postgres_run(handle, text, "taking the run's lock", why);
}

static enum op_status connect_admin(struct postgres_db *db, const char *database, PGconn **handle,
                                    struct op_error *why)
{
    struct postgres_db calm = *db;
    calm.config = NULL; /* nobody says stop */
    enum op_status status =
        postgres_connect(db->leaving ? &calm : db, database, "_admin", handle, why);
    if (status == OP_OK)
        status = postgres_db_hold(db, *handle, why);
    if (status != OP_OK) {
        PQfinish(*handle);
        *handle = NULL;
    }
    return status;
}

enum op_status postgres_db_admin(struct postgres_db *db, struct op_error *why)
{
    if (db->admin != NULL && PQstatus(db->admin) == CONNECTION_OK)
        return OP_OK;
    const char *database = home_database(db);
    if (db->home != NULL)
        database = db->files[0].database;
    PQfinish(db->admin);
    db->admin = NULL;
    return connect_admin(db, database, &db->admin, why);
}

enum op_status postgres_db_enter(struct postgres_db *db, const char *database, struct op_error *why)
{
    PGconn *handle = NULL;
    enum op_status status = connect_admin(db, database, &handle, why);
    if (status != OP_OK)
        return status;
    db->home = db->admin;
    db->admin = handle;
    return OP_OK;
}

enum op_status postgres_db_connect_home(struct postgres_db *db, PGconn **handle,
                                        struct op_error *why)
{
    return connect_admin(db, home_database(db), handle, why);
}

enum op_status postgres_db_come_home(struct postgres_db *db, struct op_error *why)
{
    PGconn *handle = db->home;
    enum op_status status = OP_OK;
    if (handle == NULL) /* it never left */
        return postgres_db_admin(db, why);
    db->home = NULL;
    if (PQstatus(handle) != CONNECTION_OK) {
        PQfinish(handle);
        status = connect_admin(db, home_database(db), &handle, why);
    }
    if (status != OP_OK)
        return status;
    PQfinish(db->admin);
    db->admin = handle;
    return OP_OK;
}

static enum op_status open_server(struct postgres_db *db, struct op_error *why)
{
    enum op_status status = OP_OK;
    if (db->config->directory != NULL) {
        status = postgres_cluster_start(db->config, &db->settings,
                                        postgres_forecast_wal(db->load, &db->settings),
                                        db->load->streams, &db->cluster, why);
        if (status != OP_OK)
            return status;
        db->conninfo = postgres_cluster_conninfo(db->cluster);
    }
    status = connect_admin(db, home_database(db), &db->admin, why);
    if (status != OP_OK)
        return status;
    db->server_version = PQserverVersion(db->admin);
    status = postgres_db_rights(db->admin, &db->rights, why);
    if (status == OP_OK)
        status = check_room(db, why);
    return status == OP_OK ? name_files(db, why) : status;
}

enum op_status postgres_db_open(const struct adapter_config *config, struct adapter_db **out,
                                struct op_error *why)
{
    struct postgres_db *db = calloc(1, sizeof *db);
    if (db == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for a trial");
    db->base.ops = config->directory != NULL ? &postgres_adapter : &postgresql_adapter;
    db->config = config;
    db->load = config->load;
    db->conninfo = config->target;
    postgres_settings_read(&db->settings, config->load);
    enum op_status status = name_run(db, why);
    if (status == OP_OK)
        status = make_conns(db, why);
    if (status == OP_OK)
        status = open_server(db, why);
    if (status != OP_OK) {
        db_release(db);
        return status;
    }
    *out = &db->base;
    return OP_OK;
}

void postgres_db_close(struct adapter_db *handle)
{
    db_release((struct postgres_db *)handle);
}

static enum op_status run_text(PGconn *handle, char *text, const char *what, struct op_error *why)
{
    enum op_status status = text == NULL ? op_fail(why, OP_FATAL, 0, "no memory for a statement")
                                         : postgres_run(handle, text, what, why);
    free(text);
    return status;
}

static enum op_status create_table(const struct postgres_db *db, PGconn *handle, unsigned table,
                                   struct op_error *why)
{
    char name[96];
    postgres_sql_table(db->load, db->schema, table, name);
    enum op_status status = run_text(
        handle, postgres_sql_create_table(db->load, name, db->tablespace, db->settings.autovacuum),
        "CREATE TABLE", why);
    for (unsigned key = 1; key <= db->load->indexes && status == OP_OK; key++)
        status = run_text(handle, postgres_sql_create_index(name, db->tablespace, key),
                          "CREATE INDEX", why);
    return status;
}

static enum op_status create_tables(const struct postgres_db *db, PGconn *handle, unsigned file,
                                    struct op_error *why)
{
    enum op_status status = OP_OK;
    unsigned open = 0;
    for (unsigned table = 0; table < layout_tables(db->load) && status == OP_OK; table++) {
        if (layout_file_of_table(db->load, table) != file)
            continue;
        if (adapter_is_stopped(db->config))
            status = op_fail(why, OP_FATAL, 0, "stopped before all tables were made");
        if (open == 0 && status == OP_OK)
            status = postgres_run(handle, "BEGIN", "BEGIN", why);
        if (status == OP_OK)
            status = create_table(db, handle, table, why);
        if (status == OP_OK && ++open == TABLES_AT_ONCE) {
            status = postgres_run(handle, "COMMIT", "COMMIT of tables", why);
            open = 0;
        }
    }
    if (open > 0 && status == OP_OK)
        status = postgres_run(handle, "COMMIT", "COMMIT of tables", why);
    struct op_error ignored;
    if (status != OP_OK) /* the connection is used again, by destroy */
        (void)postgres_run(handle, "ROLLBACK", "ROLLBACK", &ignored);
    return status;
}

enum op_status postgres_db_create(struct adapter_db *handle, struct op_error *why)
{
    struct postgres_db *db = (struct postgres_db *)handle;
    enum op_status status = postgres_place_make(db, why);
    for (unsigned file = 0; file < db->file_count && status == OP_OK; file++) {
        PGconn *own = NULL;
        if (file > 0)
            status = postgres_connect(db, db->files[file].database, "_create", &own, why);
        PGconn *connection = file > 0 ? own : db->admin;
        if (status == OP_OK)
            status = postgres_place_schema(db, connection, why);
        if (status == OP_OK)
            status = create_tables(db, connection, file, why);
        PQfinish(own);
    }
    return status;
}

/* After a signal a private cluster is stopped and removed whole: nothing to drop first. */
enum op_status postgres_db_destroy(struct adapter_db *handle, struct op_error *why)
{
    struct postgres_db *db = (struct postgres_db *)handle;
    if (db->cluster != NULL && adapter_is_stopped(db->config))
        return OP_OK;
    db->leaving = true;
    return postgres_place_remove(db, why);
}
