#include <stdio.h>
#include <string.h>

#include "postgres/check.h"
#include "postgres/db.h"
#include "postgres/look.h"
#include "postgres/stoppable.h"

/* What one table needs.  A row that was deleted stays in its place until VACUUM, and TRUNCATE of a
 * table without rows is the faster one. */
static enum op_status clear_table(const struct postgres_db *db, PGconn *handle, const char *table,
                                  bool dead, bool *worked, struct op_error *why)
{
    char text[160];
    bool empty = false;
    if (db->settings.vacuum == POSTGRES_VACUUM_AUTO) {
        PGresult *result = NULL;
        snprintf(text, sizeof text, "SELECT FROM %s LIMIT 1", table);
        enum op_status status =
            postgres_stoppable_query(db, handle, text, "looking for rows", &result, why);
        empty = status == OP_OK && PQntuples(result) == 0;
        PQclear(result);
        if (status != OP_OK || (!empty && !dead))
            return status;
    }
    *worked = true;
    snprintf(text, sizeof text, "%s %s", empty ? "TRUNCATE" : "VACUUM", table);
    return postgres_stoppable_run(db, handle, text, text, why);
}

/* Tables of ours that have a page: what has none, as before the first phase, needs nothing. */
static enum op_status clear_database(const struct postgres_db *db, PGconn *handle, bool *worked,
                                     struct op_error *why)
{
    char text[320];
    PGresult *result = NULL;
    snprintf(
        text, sizeof text,
        "SELECT format('%%I.%%I', n.nspname, c.relname), pg_stat_get_dead_tuples(c.oid) > 0 "
        "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = '%s' AND c.relkind = 'r' AND pg_relation_size(c.oid) > 0 ORDER BY 1",
        db->schema);
    enum op_status status = postgres_query(handle, text, "looking at the tables", &result, why);
    for (int i = 0; status == OP_OK && i < PQntuples(result); i++)
        status = clear_table(db, handle, PQgetvalue(result, i, 0),
                             strcmp(PQgetvalue(result, i, 1), "t") == 0, worked, why);
    PQclear(result);
    return status;
}

enum op_status postgres_check_maintain(struct adapter_db *handle, enum phase_kind next,
                                       struct op_error *why)
{
    struct postgres_db *db = (struct postgres_db *)handle;
    bool worked = false;
    if (db->settings.vacuum == POSTGRES_VACUUM_OFF ||
        (db->settings.vacuum == POSTGRES_VACUUM_AUTO && next != PHASE_INSERT))
        return OP_OK;
    enum op_status status = postgres_look_admin(db, why);
    for (unsigned file = 0; file < db->file_count && status == OP_OK; file++) {
        PGconn *fresh = NULL;
        if (file > 0)
            status = postgres_connect(db, db->files[file].database, "_m", &fresh, why);
        if (status == OP_OK)
            status = clear_database(db, file > 0 ? fresh : db->admin, &worked, why);
        if (status == OP_OK && fresh != NULL)
            postgres_look_report(db, fresh);
        PQfinish(fresh);
    }
    if (status == OP_OK && worked)
        status = postgres_check_checkpoint(db, why);
    return status;
}
