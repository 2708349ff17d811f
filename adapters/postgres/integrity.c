#include "postgres/integrity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgres/sql.h"
#include "postgres/stoppable.h"
#include "workload/layout.h"

/* Extensions have a schema; NULL: amcheck is not in this database.  Heap. */
static char *amcheck_schema(PGconn *handle)
{
    struct op_error ignored;
    PGresult *result = NULL;
    char *schema = NULL;
    if (postgres_query(handle,
                       "SELECT quote_ident(n.nspname) FROM pg_extension e "
                       "JOIN pg_namespace n ON n.oid = e.extnamespace "
                       "JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = 'bt_index_check' "
                       "AND p.pronargs = 2 WHERE e.extname = 'amcheck' "
                       "AND has_schema_privilege(n.oid, 'USAGE') "
                       "AND has_function_privilege(p.oid, 'EXECUTE')",
                       "looking for amcheck", &result, &ignored) == OP_OK &&
        PQntuples(result) == 1)
        schema = strdup(PQgetvalue(result, 0, 0));
    PQclear(result);
    return schema;
}

static bool may_make_amcheck(const struct postgres_db *db, PGconn *handle)
{
    struct op_error ignored;
    PGresult *result = NULL;
    bool there = false;
    if (!db->rights.superuser)
        return false;
    if (postgres_query(handle,
                       "SELECT FROM pg_available_extensions WHERE name = 'amcheck' "
                       "AND installed_version IS NULL",
                       "looking for amcheck", &result, &ignored) == OP_OK)
        there = PQntuples(result) == 1;
    PQclear(result);
    return there;
}

const char *postgres_integrity_name(const struct postgres_db *db)
{
    char *schema = amcheck_schema(db->admin);
    bool amcheck = schema != NULL || may_make_amcheck(db, db->admin);
    free(schema);
    return amcheck ? "amcheck"
                   : "rows counted by index and by table (amcheck is not there or needs "
                     "a superuser)";
}

/* Damage, as the server names it: data_corrupted and index_corrupted. */
static enum op_status judge(enum op_status status, bool *ok, const struct op_error *why)
{
    if (status != OP_OK &&
        (strcmp(why->sqlstate, "XX001") == 0 || strcmp(why->sqlstate, "XX002") == 0)) {
        *ok = false;
        return OP_OK;
    }
    return status;
}

static enum op_status check_by_amcheck(const struct postgres_db *db, PGconn *handle,
                                       const char *schema, bool *ok, struct op_error *why)
{
    char text[512];
    snprintf(text, sizeof text,
             "SELECT %s.bt_index_check(c.oid::regclass, true) FROM pg_class c "
             "JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_am a ON a.oid = c.relam "
             "WHERE c.relnamespace = '%s'::regnamespace AND a.amname = 'btree' AND i.indisvalid",
             schema, db->schema);
    return judge(postgres_stoppable_run(db, handle, text, "amcheck", why), ok, why);
}

/* -1 where it fails. */
static enum op_status count_rows(const struct postgres_db *db, PGconn *handle, const char *text,
                                 char count[24], struct op_error *why)
{
    PGresult *result = NULL;
    enum op_status status =
        postgres_stoppable_query(db, handle, text, "counting rows", &result, why);
    if (status == OP_OK)
        snprintf(count, 24, "%s", PQntuples(result) == 1 ? PQgetvalue(result, 0, 0) : "?");
    PQclear(result);
    return status;
}

static enum op_status check_table(const struct postgres_db *db, PGconn *handle, const char *table,
                                  bool *ok, struct op_error *why)
{
    char text[320], by_table[24], by_index[24];
    enum op_status status = postgres_run(handle,
                                         "SET enable_seqscan = on; SET enable_indexonlyscan = off;"
                                         "SET enable_indexscan = off; SET enable_bitmapscan = off",
                                         "SET", why);
    snprintf(text, sizeof text, "SELECT count(*) FROM %s", table);
    if (status == OP_OK)
        status = count_rows(db, handle, text, by_table, why);
    if (status == OP_OK)
        status = postgres_run(handle,
                              "SET enable_seqscan = off; SET enable_indexonlyscan = on;"
                              "SET enable_indexscan = on; SET enable_sort = off",
                              "SET", why);
    for (unsigned key = 0; key <= db->load->indexes && status == OP_OK && *ok; key++) {
        char column[16] = "id";
        if (key > 0)
            snprintf(column, sizeof column, "k%u", key);
        snprintf(text, sizeof text,
                 "SELECT count(*) FROM (SELECT %s FROM %s ORDER BY %s OFFSET 0) rows", column,
                 table, column);
        status = count_rows(db, handle, text, by_index, why);
        if (status == OP_OK && strcmp(by_table, by_index) != 0) {
            *ok = false;
            op_fail(why, OP_OK, 0, "%s has %s rows, and its index on %s has %s", table, by_table,
                    column, by_index);
        }
    }
    return judge(status, ok, why);
}

static enum op_status check_by_count(const struct postgres_db *db, PGconn *handle, unsigned file,
                                     bool *ok, struct op_error *why)
{
    enum op_status status = OP_OK;
    for (unsigned table = 0; table < layout_tables(db->load) && status == OP_OK && *ok; table++) {
        char name[96];
        if (layout_file_of_table(db->load, table) != file)
            continue;
        postgres_sql_table(db->load, db->schema, table, name);
        status = check_table(db, handle, name, ok, why);
    }
    return status;
}

static enum op_status check_database(const struct postgres_db *db, unsigned file, bool *ok,
                                     struct op_error *why)
{
    PGconn *handle = NULL;
    struct op_error later;
    char text[96], *schema = NULL;
    bool made = false;
    enum op_status status = postgres_connect(db, db->files[file].database, "_v", &handle, why);
    if (status != OP_OK)
        return status;
    schema = amcheck_schema(handle);
    if (schema == NULL && may_make_amcheck(db, handle)) {
        snprintf(text, sizeof text, "CREATE EXTENSION amcheck SCHEMA %s", db->schema);
        made = postgres_run(handle, text, "CREATE EXTENSION amcheck", &later) == OP_OK;
        schema = made ? strdup(db->schema) : NULL;
    }
    if (schema != NULL)
        status = check_by_amcheck(db, handle, schema, ok, why);
    else
        status = check_by_count(db, handle, file, ok, why);
    if (made &&
        postgres_run(handle, "DROP EXTENSION amcheck", "DROP EXTENSION amcheck", &later) != OP_OK &&
        status == OP_OK) {
        *why = later;
        status = OP_FATAL;
    }
    free(schema);
    PQfinish(handle);
    return status;
}

enum op_status postgres_check_integrity(struct adapter_db *handle, bool *ok, struct op_error *why)
{
    const struct postgres_db *db = (const struct postgres_db *)handle;
    enum op_status status = OP_OK;
    *ok = true;
    for (unsigned file = 0; file < db->file_count && *ok && status == OP_OK; file++)
        status = check_database(db, file, ok, why);
    return status;
}
