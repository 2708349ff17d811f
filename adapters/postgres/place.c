/* Names that hold nothing but a-z, 0-9 and _ need no quotes. */
#include "postgres/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "postgres/sql.h"
#include "workload/layout.h"

enum { TABLES_AT_ONCE = 50 }; /* in one DROP: each takes several of the server's locks */

enum op_status place_mark(PGconn *handle, const char *kind, const char *name, struct op_error *why)
{
    char text[320], time[32];
    clock_wall_iso(time);
    snprintf(text, sizeof text,
             "COMMENT ON %s %s IS '" PLACE_MARK " at %s; it goes when the run ends, and what a "
             "killed run left is removed by: loadline clean postgresql://...'",
             kind, name, time);
    return postgres_run(handle, text, "COMMENT", why);
}

enum op_status postgres_place_make(struct postgres_db *db, struct op_error *why)
{
    enum op_status status = postgres_db_admin(db, why);
    if (status == OP_OK && db->tablespace[0] != '\0')
        status = place_tablespace_make(db, why);
    if (status == OP_OK && db->file_count > 1)
        status = place_databases_make(db, why);
    return status;
}

/* The server's own words for this do not name the right that is missing. */
static enum op_status check_create(PGconn *handle, struct op_error *why)
{
    PGresult *result = NULL;
    enum op_status status =
        postgres_query(handle, "SELECT has_database_privilege(current_database(), 'CREATE')",
                       "asking what the role may do", &result, why);
    if (status != OP_OK)
        return status;
    bool may = strcmp(PQgetvalue(result, 0, 0), "t") == 0;
    PQclear(result);
    if (may)
        return OP_OK;
    return op_fail(why, OP_FATAL, 0,
                   "the role %s may not make a schema in the database %s; as its owner say: GRANT "
                   "CREATE ON DATABASE \"%s\" TO \"%s\"",
                   PQuser(handle), PQdb(handle), PQdb(handle), PQuser(handle));
}

enum op_status postgres_place_schema(struct postgres_db *db, PGconn *handle, struct op_error *why)
{
    char text[96];
    struct op_error ignored;
    enum op_status status = check_create(handle, why);
    if (status != OP_OK)
        return status;
    status = postgres_run(handle, "BEGIN", "BEGIN", why);
    snprintf(text, sizeof text, "CREATE SCHEMA %s", db->schema);
    if (status == OP_OK)
        status = postgres_run(handle, text, "CREATE SCHEMA", why);
    if (status == OP_OK)
        status = place_mark(handle, "SCHEMA", db->schema, why);
    if (status == OP_OK) {
        db->schema_made = true; /* a commit whose answer is lost may have made it */
        status = postgres_run(handle, "COMMIT", "COMMIT of a schema", why);
    } else {
        (void)postgres_run(handle, "ROLLBACK", "ROLLBACK", &ignored);
    }
    return status;
}

/* ---- and away with it ---- */

void place_end_streams(PGconn *handle, const char *run)
{
    char text[320];
    struct op_error ignored;
    snprintf(text, sizeof text,
             "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE starts_with("
             "application_name, '%s_s') AND usename = current_user AND pid <> pg_backend_pid()",
             run);
    (void)postgres_run(handle, text, "ending a run's sessions", &ignored);
}

enum op_status place_drop_tables(PGconn *handle, char (*tables)[96], size_t count,
                                 struct op_error *why)
{
    enum op_status status = OP_OK;
    for (size_t from = 0; from < count && status == OP_OK; from += TABLES_AT_ONCE) {
        char text[TABLES_AT_ONCE * 98 + 32];
        size_t used = (size_t)snprintf(text, sizeof text, "DROP TABLE IF EXISTS ");
        for (size_t i = from; i < count && i < from + TABLES_AT_ONCE; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > from ? ", " : "",
                                     tables[i]);
        status = postgres_run(handle, text, "DROP TABLE", why);
    }
    return status;
}

enum op_status place_drop_schema(PGconn *handle, const char *schema, struct op_error *why)
{
    char text[96];
    snprintf(text, sizeof text, "DROP SCHEMA IF EXISTS %s", schema);
    return postgres_run(handle, text, "DROP SCHEMA", why);
}

enum op_status place_drop_database(PGconn *handle, const char *database, struct op_error *why)
{
    char text[128];
    snprintf(text, sizeof text, PLACE_DROP_DATABASE, database);
    return postgres_run(handle, text, "DROP DATABASE", why);
}

static enum op_status remove_schema(struct postgres_db *db, struct op_error *why)
{
    unsigned count = layout_tables(db->load);
    char(*tables)[96] = calloc(count, sizeof *tables);
    if (tables == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for the names of %u tables", count);
    for (unsigned table = 0; table < count; table++)
        postgres_sql_table(db->load, db->schema, table, tables[table]);
    enum op_status status = place_drop_tables(db->admin, tables, count, why);
    free(tables);
    if (status == OP_OK)
        status = place_drop_schema(db->admin, db->schema, why);
    if (status == OP_OK)
        db->schema_made = false;
    return status;
}

#define REMOVE_PATIENCE_NS (60 * NS_PER_S)

enum op_status postgres_place_remove(struct postgres_db *db, struct op_error *why)
{
    bool databases = false;
    for (unsigned file = 0; file < db->file_count; file++)
        databases = databases || db->files[file].made;
    if (!databases && !db->schema_made && !db->tablespace_made)
        return OP_OK;
    enum op_status result = postgres_db_admin(db, why);
    if (result != OP_OK)
        return result;
    place_end_streams(db->admin, db->run);
    /* Somebody else's lock on what is ours: waited for in slices, so that a signal is obeyed. */
    int64_t give_up_ns = clock_now_ns() + REMOVE_PATIENCE_NS;
    result = postgres_run(db->admin, "SET lock_timeout = '700ms'", "set lock_timeout", why);
    while (result == OP_OK) {
        result = databases         ? place_databases_drop(db, why)
                 : db->schema_made ? remove_schema(db, why)
                                   : OP_OK;
        if (result != OP_BUSY || adapter_is_stopped(db->config) || clock_now_ns() > give_up_ns)
            break;
        result = OP_OK;
    }
    if (result == OP_OK && db->tablespace_made) {
        result = place_tablespace_drop(db->admin, db->tablespace, why);
        db->tablespace_made = result != OP_OK;
    }
    return result;
}
