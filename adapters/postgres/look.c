#include "postgres/look.h"

#include "base/clock.h"
#include "postgres/stoppable.h"

/* Before 15 a session reports at most twice a second, and what is read may be half a second old. */
#define OLD_REPORT_NS (600 * NS_PER_MS)
#define SLEEP_NS      (50 * NS_PER_MS)

enum { VERSION_FORCED_FLUSH = 150000 };
static const char forced_flush[] = "SELECT pg_stat_force_next_flush()";

enum op_status postgres_look_admin(struct postgres_db *db, struct op_error *why)
{
    /* First what the server said last, then that it is gone. */
    for (int i = 0; i < 3 && db->admin != NULL; i++)
        PQconsumeInput(db->admin);
    return postgres_db_admin(db, why);
}

/* A stream's connection that nobody uses, out of pipeline mode; NULL: not this one. */
static PGconn *borrow(const struct postgres_conn *conn, bool *pipelined)
{
    PGconn *handle = conn->handle;
    if (handle == NULL || conn->in_copy || conn->in_transaction ||
        PQstatus(handle) != CONNECTION_OK || PQtransactionStatus(handle) != PQTRANS_IDLE)
        return NULL;
    *pipelined = PQpipelineStatus(handle) != PQ_PIPELINE_OFF;
    if (*pipelined && PQexitPipelineMode(handle) == 0)
        return NULL;
    return handle;
}

static void give_back(PGconn *handle, bool pipelined)
{
    if (pipelined)
        PQenterPipelineMode(handle);
}

enum op_status postgres_look_open(struct postgres_db *db, unsigned file, struct postgres_look *look,
                                  struct op_error *why)
{
    *look = (struct postgres_look){.handle = NULL};
    if (file == 0) {
        enum op_status status = postgres_look_admin(db, why);
        look->handle = db->admin;
        return status;
    }
    for (unsigned i = 0; i < db->conn_count; i++) {
        if (db->conns[i].file != &db->files[file])
            continue;
        look->handle = borrow(&db->conns[i], &look->pipelined);
        if (look->handle != NULL)
            return OP_OK;
    }
    look->own = true;
    return postgres_connect(db, db->files[file].database, "_m", &look->handle, why);
}

void postgres_look_close(struct postgres_look *look)
{
    if (look->own)
        PQfinish(look->handle);
    else
        give_back(look->handle, look->pipelined);
    *look = (struct postgres_look){.handle = NULL};
}

void postgres_look_report(const struct postgres_db *db, PGconn *handle)
{
    if (db->server_version >= VERSION_FORCED_FLUSH)
        PQclear(PQexec(handle, forced_flush));
}

static void each_runs(struct postgres_db *db, const char *sql)
{
    for (unsigned i = 0; i < db->conn_count; i++) {
        bool was_pipelined = false;
        PGconn *handle = borrow(&db->conns[i], &was_pipelined);
        if (handle == NULL)
            continue;
        if (PQsendQuery(handle, sql) != 0)
            postgres_stoppable_drain(handle);
        give_back(handle, was_pipelined);
    }
}

static void sleep_unless_stopped(const struct postgres_db *db, int64_t until_ns)
{
    while (clock_now_ns() < until_ns && !adapter_is_stopped(db->config))
        clock_sleep_until(clock_now_ns() + SLEEP_NS);
}

void postgres_look_flush(struct postgres_db *db)
{
    if (db->server_version >= VERSION_FORCED_FLUSH) {
        each_runs(db, forced_flush);
        postgres_look_report(db, db->admin);
        return;
    }
    sleep_unless_stopped(db, clock_now_ns() + OLD_REPORT_NS);
    each_runs(db, "SELECT 1");
    PQclear(PQexec(db->admin, "SELECT 1"));
    sleep_unless_stopped(db, clock_now_ns() + OLD_REPORT_NS);
}
