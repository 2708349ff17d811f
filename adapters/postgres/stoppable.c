#include "postgres/stoppable.h"

#include <poll.h>

enum { LOOK_MS = 50 };

void postgres_stoppable_cancel(PGconn *handle)
{
    char ignored[256];
    PGcancel *request = PQgetCancel(handle);
    if (request != NULL)
        PQcancel(request, ignored, sizeof ignored);
    PQfreeCancel(request);
}

/* For a moment.  False: stopped. */
static bool wait_readable(const struct postgres_db *db, PGconn *handle)
{
    struct pollfd ready = {.fd = PQsocket(handle), .events = POLLIN};
    if (adapter_is_stopped(db->config)) {
        postgres_stoppable_cancel(handle);
        return false;
    }
    poll(&ready, 1, LOOK_MS);
    return true;
}

bool postgres_stoppable_wait(const struct postgres_db *db, PGconn *handle)
{
    while (PQconsumeInput(handle) != 0 && PQisBusy(handle) != 0) {
        if (!wait_readable(db, handle))
            return false;
    }
    return true;
}

bool postgres_stoppable_wait_data(const struct postgres_db *db, PGconn *handle)
{
    if (!wait_readable(db, handle))
        return false;
    PQconsumeInput(handle); /* where it fails, the data tell */
    return true;
}

void postgres_stoppable_drain(PGconn *handle)
{
    PGresult *result;
    char *data;
    while ((result = PQgetResult(handle)) != NULL) {
        ExecStatusType status = PQresultStatus(result);
        PQclear(result);
        if (status == PGRES_COPY_OUT)
            while (PQgetCopyData(handle, &data, 0) > 0)
                PQfreemem(data);
        if (PQstatus(handle) != CONNECTION_OK)
            return;
    }
}

/* The rows, or the error; after it nothing of the statement is left. */
static PGresult *take_result(const struct postgres_db *db, PGconn *handle, bool *stopped)
{
    PGresult *kept = NULL;
    for (;;) {
        PGresult *result;
        if (!*stopped && !postgres_stoppable_wait(db, handle))
            *stopped = true;
        result = PQgetResult(handle);
        if (result == NULL)
            return kept;
        PQclear(kept);
        kept = result;
        if (PQresultStatus(result) == PGRES_COPY_OUT || PQstatus(handle) != CONNECTION_OK) {
            postgres_stoppable_drain(handle);
            return kept;
        }
    }
}

enum op_status postgres_stoppable_query(const struct postgres_db *db, PGconn *handle,
                                        const char *sql, const char *what, PGresult **result,
                                        struct op_error *why)
{
    bool stopped = false;
    PGresult *taken = NULL;
    ExecStatusType status;
    enum op_status failed;
    *result = NULL;
    if (adapter_is_stopped(db->config))
        return op_fail(why, OP_BUSY, 0, "stopped before %s", what);
    if (PQsendQuery(handle, sql) == 0)
        return postgres_fail(handle, NULL, why, what);
    taken = take_result(db, handle, &stopped);
    status = PQresultStatus(taken);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
        *result = taken;
        return OP_OK;
    }
    failed = stopped ? op_fail(why, OP_BUSY, 0, "stopped in %s", what)
                     : postgres_fail(handle, taken, why, what);
    PQclear(taken);
    return failed;
}

enum op_status postgres_stoppable_run(const struct postgres_db *db, PGconn *handle, const char *sql,
                                      const char *what, struct op_error *why)
{
    PGresult *result = NULL;
    enum op_status status = postgres_stoppable_query(db, handle, sql, what, &result, why);
    PQclear(result);
    return status;
}
