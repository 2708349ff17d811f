#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include "base/clock.h"
#include "postgres/account.h"
#include "postgres/check.h"
#include "postgres/db.h"
#include "postgres/look.h"
#include "postgres/sql.h"
#include "postgres/stoppable.h"
#include "postgres/unpack.h"
#include "postgres/waits.h"
#include "workload/layout.h"

#define FULL_BYTES    (32.0 * 1024 * 1024)
#define AWAIT_NS      (300 * NS_PER_MS)  /* for a checkpoint to be counted */
#define AWAIT_OLD_NS  (1500 * NS_PER_MS) /* before 15: by a collector */
#define AWAIT_STEP_NS (5 * NS_PER_MS)

static bool is_full(const char *directory)
{
    struct statvfs info;
    return directory != NULL && statvfs(directory, &info) == 0 &&
           (double)info.f_bavail * (double)info.f_frsize < FULL_BYTES;
}

/* A checkpoint that fails tells its reason to the server's log alone. */
static enum op_status no_space_or(enum op_status status, const struct postgres_db *db,
                                  struct op_error *why)
{
    if (status != OP_FATAL || db->cluster == NULL)
        return status;
    if (is_full(db->config->directory) || is_full(db->config->log_directory))
        return op_fail(why, OP_NO_SPACE, 0, "CHECKPOINT: no space is left for the cluster");
    return status;
}

/* Counts it as ours.  The server counts it only after it has said that it is done. */
static void await_count(struct postgres_db *db, double before)
{
    int64_t limit_ns = db->server_version >= 150000 ? AWAIT_NS : AWAIT_OLD_NS;
    int64_t until_ns = clock_now_ns() + limit_ns;
    double now;
    while (postgres_account_requested(db, &now) && clock_now_ns() < until_ns &&
           !adapter_is_stopped(db->config)) {
        if (now > before) {
            postgres_account_own(db);
            return;
        }
        clock_sleep_until(clock_now_ns() + AWAIT_STEP_NS);
    }
}

enum op_status postgres_check_checkpoint(struct postgres_db *db, struct op_error *why)
{
    double before;
    enum op_status status;
    if (!db->rights.checkpoint)
        return OP_OK;
    bool counted = postgres_account_requested(db, &before);
    status = postgres_stoppable_run(db, db->admin, "CHECKPOINT", "CHECKPOINT", why);
    if (status == OP_OK && counted)
        await_count(db, before);
    return no_space_or(status, db, why);
}

enum op_status postgres_check_settle(struct adapter_db *handle, struct op_error *why)
{
    struct postgres_db *db = (struct postgres_db *)handle;
    postgres_waits_pause(db);
    enum op_status status = postgres_look_admin(db, why);
    if (status == OP_OK)
        status = postgres_check_checkpoint(db, why);
    if (status == OP_OK)
        postgres_look_flush(db);
    return status;
}

/* Feeds what comes until it ends; *end tells how far that was.  OP_BUSY: the run was stopped. */
static enum op_status feed_rows(const struct postgres_db *db, PGconn *handle, const char *what,
                                struct postgres_unpack *unpack, enum postgres_unpack_end *end,
                                const struct row_visitor *visit, struct op_error *why)
{
    *end = POSTGRES_UNPACK_MORE;
    for (;;) {
        char *data = NULL;
        int size = PQgetCopyData(handle, &data, 1);
        if (size == -1)
            return OP_OK;
        if (size < 0)
            return postgres_fail(handle, NULL, why, what);
        if (size == 0 && !postgres_stoppable_wait_data(db, handle))
            return op_fail(why, OP_BUSY, 0, "stopped in %s", what);
        if (size == 0)
            continue;
        *end = postgres_unpack_feed(unpack, (const unsigned char *)data, (size_t)size, visit);
        PQfreemem(data);
        if (*end == POSTGRES_UNPACK_STOPPED || *end == POSTGRES_UNPACK_BROKEN) {
            postgres_stoppable_cancel(handle);
            postgres_stoppable_drain(handle);
            return OP_OK;
        }
    }
}

/* All that a COPY sends, to the visitor. */
static enum op_status show_rows(const struct postgres_db *db, PGconn *handle, const char *what,
                                const struct row_visitor *visit, struct op_error *why)
{
    struct postgres_unpack unpack;
    enum postgres_unpack_end end;
    postgres_unpack_init(&unpack, db->load->shape.key_columns);
    enum op_status status = feed_rows(db, handle, what, &unpack, &end, visit, why);
    if (status == OP_OK && end == POSTGRES_UNPACK_BROKEN) {
        status = op_fail(why, OP_FATAL, 0, "%s: %s", what, unpack.problem);
    } else if (status == OP_OK && end != POSTGRES_UNPACK_STOPPED) {
        /* The data end in the same way where the server broke off. */
        PGresult *result = PQgetResult(handle);
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            status = postgres_fail(handle, result, why, what);
        else if (end != POSTGRES_UNPACK_DONE)
            status = op_fail(why, OP_FATAL, 0, "%s: it ends in the middle", what);
        PQclear(result);
    }
    postgres_unpack_release(&unpack);
    return status;
}

enum op_status postgres_check_scan(struct adapter_db *handle, unsigned table,
                                   const struct row_visitor *visit, struct op_error *why)
{
    struct postgres_db *db = (struct postgres_db *)handle;
    const char *database = db->files[layout_file_of_table(db->load, table)].database;
    char name[96], what[128];
    PGconn *fresh = NULL;
    PGresult *result = NULL;
    char *text = NULL;
    postgres_sql_table(db->load, db->schema, table, name);
    snprintf(what, sizeof what, "COPY from %s", name);
    enum op_status status = postgres_connect(db, database, "_v", &fresh, why);
    if (status != OP_OK)
        return status;
    /* By the primary key: a sort of a million rows would write them to the drive once more. */
    status = postgres_run(fresh, "SET enable_sort = off", "SET enable_sort", why);
    if (status != OP_OK)
        goto out;
    text = postgres_sql_scan(db->load, name);
    if (text == NULL) {
        status = op_fail(why, OP_FATAL, 0, "no memory for a statement on %s", name);
        goto out;
    }
    result = PQexec(fresh, text);
    status = PQresultStatus(result) == PGRES_COPY_OUT ? show_rows(db, fresh, what, visit, why)
                                                      : postgres_fail(fresh, result, why, what);
out:
    PQclear(result);
    free(text);
    PQfinish(fresh);
    return status;
}
