/* Databases of a run.  DROP DATABASE waits for a checkpoint of the whole server: several at once
 * wait for the same one, and none writes the pages of the others first. */
#include <limits.h>
#include <poll.h>
#include <stdio.h>

#include "postgres/place.h"

#define NOTHING UINT_MAX

enum { DROPPERS = 8 }; /* connections that drop at once */

static enum op_status make_database(const struct postgres_db *db, const char *name,
                                    struct op_error *why)
{
    char text[160];
    snprintf(text, sizeof text, "CREATE DATABASE %s TEMPLATE template0", name);
    enum op_status status = postgres_run(db->admin, text, "CREATE DATABASE", why);
    return status == OP_OK ? place_mark(db->admin, "DATABASE", name, why) : status;
}

enum op_status place_databases_make(struct postgres_db *db, struct op_error *why)
{
    enum op_status status = OP_OK;
    if (!db->rights.create_database)
        return op_fail(why, OP_FATAL, 0,
                       "a database for each file needs the right to make databases: ALTER ROLE %s "
                       "CREATEDB; or use workload.layout = table-per-stream",
                       PQuser(db->admin));
    for (unsigned file = 0; file < db->file_count && status == OP_OK; file++) {
        if (adapter_is_stopped(db->config))
            return op_fail(why, OP_FATAL, 0, "stopped before all databases were made");
        db->files[file].made = true; /* even if only the mark fails, it may be there */
        status = make_database(db, db->files[file].database, why);
    }
    return status == OP_OK ? postgres_db_enter(db, db->files[0].database, why) : status;
}

struct dropper {
    PGconn *handle;
    unsigned file; /* that it drops now, or NOTHING */
};

struct dropping {
    struct postgres_db *db;
    struct dropper droppers[DROPPERS];
    size_t count;
    unsigned next;         /* file */
    enum op_status status; /* of the first failure; the others are still tried */
    struct op_error *why;
};

static void note_end(struct dropping *d, struct dropper *dropper)
{
    struct op_error why;
    enum op_status status = OP_OK;
    PGresult *result;
    while ((result = PQgetResult(dropper->handle)) != NULL) {
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            status = postgres_fail(dropper->handle, result, &why, "DROP DATABASE");
        PQclear(result);
    }
    if (status == OP_OK && PQstatus(dropper->handle) != CONNECTION_OK)
        status = postgres_fail(dropper->handle, NULL, &why, "DROP DATABASE");
    if (status == OP_OK)
        d->db->files[dropper->file].made = false;
    else if (d->status == OP_OK) {
        d->status = status;
        *d->why = why;
    }
    dropper->file = NOTHING;
}

static void give_work(struct dropping *d, struct dropper *dropper)
{
    char text[128];
    while (d->next < d->db->file_count && !d->db->files[d->next].made)
        d->next++;
    if (d->next == d->db->file_count || PQstatus(dropper->handle) != CONNECTION_OK)
        return;
    dropper->file = d->next++;
    snprintf(text, sizeof text, PLACE_DROP_DATABASE, d->db->files[dropper->file].database);
    if (PQsendQuery(dropper->handle, text) == 0)
        note_end(d, dropper);
}

/* Waits until one of them may be done; false: none is at work. */
static bool wait_for_some(struct dropping *d)
{
    struct pollfd fds[DROPPERS];
    nfds_t count = 0;
    for (size_t i = 0; i < d->count; i++)
        if (d->droppers[i].file != NOTHING)
            fds[count++] = (struct pollfd){.fd = PQsocket(d->droppers[i].handle), .events = POLLIN};
    if (count > 0)
        poll(fds, count, 1000);
    return count > 0;
}

static void drop_all(struct dropping *d)
{
    do {
        for (size_t i = 0; i < d->count; i++) {
            struct dropper *dropper = &d->droppers[i];
            if (dropper->file != NOTHING &&
                (PQconsumeInput(dropper->handle) == 0 || PQisBusy(dropper->handle) == 0))
                note_end(d, dropper);
            if (dropper->file == NOTHING)
                give_work(d, dropper);
        }
    } while (wait_for_some(d));
}

enum op_status place_databases_drop(struct postgres_db *db, struct op_error *why)
{
    struct op_error ignored;
    struct dropping d = {.db = db, .why = why, .status = postgres_db_come_home(db, why)};
    if (d.status != OP_OK)
        return d.status;
    d.droppers[d.count++] = (struct dropper){db->admin, NOTHING};
    while (d.count < DROPPERS && d.count < db->file_count) {
        PGconn *handle = NULL;
        if (postgres_db_connect_home(db, &handle, &ignored) != OP_OK)
            break; /* fewer do */
        d.droppers[d.count++] = (struct dropper){handle, NOTHING};
    }
    drop_all(&d);
    for (size_t i = 1; i < d.count; i++)
        PQfinish(d.droppers[i].handle);
    db->schema_made = db->schema_made && d.status != OP_OK;
    return d.status;
}
