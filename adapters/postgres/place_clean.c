/* What a killed run left on a server.  Only what bears our mark and a name as we give them goes,
 * and only while nobody holds the lock of the run that it is named after. */
#include "postgres/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cleaning {
    struct postgres_db db; /* for connections */
    PGconn *handle;
    unsigned removed;
    char live[32];             /* a run that is at work; "" none */
    enum op_status status;     /* of the first failure; the others are still tried */
    struct op_error first_why; /* likewise */
};

/* In SQL: the run's lock, which `name` begins with the name of, is held by somebody. */
#define IS_LIVE(name)                                                                              \
    "EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND "         \
    "l.granted "                                                                                   \
    "AND (l.classid::bigint << 32 | l.objid::bigint) = ('x' || substr(" name                       \
    ", 10, 12))::bit(48)::bigint)"

static void note_failure(struct cleaning *c, enum op_status status, const struct op_error *why)
{
    if (status == OP_OK || c->status != OP_OK)
        return;
    c->status = status;
    c->first_why = *why;
}

static enum op_status drop_schema(PGconn *handle, const char *schema, struct op_error *why)
{
    char text[320];
    PGresult *result = NULL;
    snprintf(text, sizeof text,
             "SELECT format('%%I.%%I', nspname, relname) FROM pg_class c JOIN pg_namespace n ON "
             "n.oid = relnamespace WHERE nspname = '%s' AND relkind = 'r' AND relname ~ "
             "'^rows(_[0-9]{4,5})?$'",
             schema);
    enum op_status status =
        postgres_query(handle, text, "asking for what a run left", &result, why);
    if (status != OP_OK)
        return status;
    size_t count = (size_t)PQntuples(result);
    char(*tables)[96] = calloc(count + 1, sizeof *tables);
    if (tables == NULL)
        status = op_fail(why, OP_FATAL, 0, "no memory for the names of %zu tables", count);
    for (size_t i = 0; i < count && tables != NULL; i++)
        snprintf(tables[i], sizeof tables[i], "%s", PQgetvalue(result, (int)i, 0));
    PQclear(result);
    if (status == OP_OK)
        status = place_drop_tables(handle, tables, count, why);
    free(tables);
    return status == OP_OK ? place_drop_schema(handle, schema, why) : status;
}

/* Drops each thing that `query` finds, as (name, is its run alive). */
static void clean_each(struct cleaning *c, PGconn *handle, const char *query,
                       enum op_status (*drop)(PGconn *handle, const char *name,
                                              struct op_error *why))
{
    PGresult *result = NULL;
    struct op_error why;
    enum op_status status =
        postgres_query(handle, query, "asking for what runs left", &result, &why);
    note_failure(c, status, &why);
    for (int i = 0; status == OP_OK && i < PQntuples(result); i++) {
        const char *name = PQgetvalue(result, i, 0);
        char run[32];
        snprintf(run, sizeof run, "%.21s", name);
        if (strcmp(PQgetvalue(result, i, 1), "t") == 0) {
            snprintf(c->live, sizeof c->live, "%s", run);
            continue;
        }
        place_end_streams(handle, run);
        enum op_status dropped = drop(handle, name, &why);
        note_failure(c, dropped, &why);
        c->removed += dropped == OP_OK;
    }
    PQclear(result);
}

static void clean_schemas(struct cleaning *c)
{
    PGresult *databases = NULL;
    struct op_error why;
    enum op_status status = postgres_query(
        c->handle,
        "SELECT datname FROM pg_database WHERE datallowconn AND NOT datistemplate AND "
        "has_database_privilege(oid, 'CONNECT') AND datname !~ '" PLACE_DATABASE_PATTERN "'",
        "asking for the databases", &databases, &why);
    note_failure(c, status, &why);
    for (int i = 0; status == OP_OK && i < PQntuples(databases); i++) {
        PGconn *handle = NULL;
        /* One that pg_hba.conf keeps us out of could not have been used by a run of ours. */
        if (postgres_connect(&c->db, PQgetvalue(databases, i, 0), "_clean", &handle, &why) != OP_OK)
            continue;
        clean_each(c, handle,
                   "SELECT nspname, " IS_LIVE("nspname") " FROM pg_namespace WHERE nspname ~ "
                                                         "'" PLACE_RUN_PATTERN
                                                         "' AND starts_with(obj_description(oid, "
                                                         "'pg_namespace'), '" PLACE_MARK "')",
                   drop_schema);
        PQfinish(handle);
    }
    PQclear(databases);
}

enum op_status postgres_place_clean(const struct adapter_config *config, unsigned *removed,
                                    struct op_error *why)
{
    struct cleaning c = {.db = {.config = config, .conninfo = config->target, .run = "loadline"},
                         .status = OP_OK};
    *removed = 0;
    enum op_status status = postgres_connect(&c.db, NULL, "_clean", &c.handle, why);
    if (status != OP_OK)
        return status;
    clean_each(&c, c.handle,
               "SELECT datname, " IS_LIVE("datname") " FROM pg_database WHERE datname ~ "
                                                     "'" PLACE_DATABASE_PATTERN
                                                     "' AND starts_with(shobj_description(oid, "
                                                     "'pg_database'), '" PLACE_MARK "')",
               place_drop_database);
    clean_schemas(&c);
    clean_each(&c, c.handle,
               "SELECT spcname, " IS_LIVE("spcname") " FROM pg_tablespace WHERE spcname ~ "
                                                     "'" PLACE_RUN_PATTERN
                                                     "' AND starts_with(shobj_description(oid, "
                                                     "'pg_tablespace'), '" PLACE_MARK "')",
               place_tablespace_drop);
    PQfinish(c.handle);
    *removed = c.removed;
    if (c.status != OP_OK) {
        *why = c.first_why;
        return c.status;
    }
    if (c.live[0] != '\0')
        return op_fail(why, OP_BUSY, 0,
                       "the run %s is at work there, so what is its stays; %u other thing%s "
                       "removed; clean again when it is over",
                       c.live, c.removed, c.removed == 1 ? " was" : "s were");
    return OP_OK;
}
