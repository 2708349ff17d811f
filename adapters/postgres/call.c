#include "postgres/call.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgres/encode.h"

enum op_status postgres_call_fail(struct postgres_conn *conn, const PGresult *result,
                                  const char *doing, struct op_error *why)
{
    char what[128];
    snprintf(what, sizeof what, "%s %s", doing, conn->table);
    return postgres_fail(conn->handle, result, why, what);
}

enum op_status postgres_call_check(const struct postgres_conn *conn, uint64_t affected,
                                   uint64_t expected, struct op_error *why)
{
    if (affected == expected)
        return OP_OK;
    return op_fail(why, OP_FATAL, 0,
                   "%s %s: the server says %" PRIu64 " rows where %" PRIu64 " were asked for",
                   conn->doing, conn->table, affected, expected);
}

enum op_status postgres_call_no_row(const struct postgres_conn *conn, int64_t id,
                                    struct op_error *why)
{
    return op_fail(why, OP_FATAL, 0, "%s %s: there is no row with id %" PRId64, conn->doing,
                   conn->table, id);
}

uint64_t postgres_call_rows(PGresult *result)
{
    return strtoull(PQcmdTuples(result), NULL, 10);
}

enum op_status postgres_call_queue(struct postgres_conn *conn, const char *statement,
                                   const char *doing, struct op_error *why)
{
    const struct postgres_encode *encode = conn->encode;
    conn->doing = doing;
    if (!conn->in_transaction) {
        if (!PQsendQueryPrepared(conn->handle, "begin", 0, NULL, NULL, NULL, 1))
            return postgres_call_fail(conn, NULL, "BEGIN on", why);
        conn->in_transaction = conn->begin_unanswered = true;
    }
    if (!PQsendQueryPrepared(conn->handle, statement, encode->count, encode->values,
                             encode->lengths, encode->formats, 1))
        return postgres_call_fail(conn, NULL, doing, why);
    conn->unanswered++;
    return OP_OK;
}

enum op_status postgres_call_send(struct postgres_conn *conn, const char *statement,
                                  const char *doing, struct op_error *why)
{
    if (conn->in_transaction)
        return postgres_call_queue(conn, statement, doing, why);
    if (!PQenterPipelineMode(conn->handle))
        return postgres_call_fail(conn, NULL, doing, why);
    enum op_status status = postgres_call_queue(conn, statement, doing, why);
    if (status != OP_OK)
        return status;
    if (!PQpipelineSync(conn->handle))
        return postgres_call_fail(conn, NULL, doing, why);
    conn->synced = true;
    return OP_OK;
}

/* The answer of one statement; in a pipeline each ends with a NULL of its own.  A statement that
 * commits by itself does so after its own answer: what comes then may still be a failure. */
static enum op_status answer(struct postgres_conn *conn, const char *doing, uint64_t *affected,
                             struct op_error *why)
{
    PGresult *result = PQgetResult(conn->handle);
    ExecStatusType got = PQresultStatus(result);
    enum op_status status = OP_OK;
    if (got == PGRES_COMMAND_OK || got == PGRES_TUPLES_OK)
        *affected = postgres_call_rows(result);
    else
        status = postgres_call_fail(conn, result, doing, why);
    PQclear(result);
    PGresult *end = result == NULL ? NULL : PQgetResult(conn->handle);
    if (end != NULL && status == OP_OK)
        status = postgres_call_fail(conn, end, doing, why);
    PQclear(end);
    return status;
}

enum op_status postgres_call_answer(struct postgres_conn *conn, uint64_t *affected,
                                    struct op_error *why)
{
    uint64_t ignored;
    enum op_status status = OP_OK;
    if (conn->begin_unanswered) {
        status = answer(conn, "BEGIN on", &ignored, why);
        conn->begin_unanswered = false;
    }
    if (status == OP_OK && conn->unanswered > 0) {
        status = answer(conn, conn->doing, affected, why);
        conn->unanswered--;
    }
    return status;
}

enum op_status postgres_call_leave(struct postgres_conn *conn, struct op_error *why)
{
    PGresult *result = PQgetResult(conn->handle);
    bool good = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
    conn->synced = !good;
    enum op_status status = good && PQexitPipelineMode(conn->handle)
                                ? OP_OK
                                : postgres_call_fail(conn, result, conn->doing, why);
    PQclear(result);
    return status;
}

enum op_status postgres_call_collect(struct postgres_conn *conn, uint64_t *affected,
                                     struct op_error *why)
{
    enum op_status status = postgres_call_answer(conn, affected, why);
    return status == OP_OK && conn->synced ? postgres_call_leave(conn, why) : status;
}

enum op_status postgres_call(struct postgres_conn *conn, const char *statement, const char *doing,
                             uint64_t *affected, struct op_error *why)
{
    enum op_status status = postgres_call_send(conn, statement, doing, why);
    return status == OP_OK ? postgres_call_collect(conn, affected, why) : status;
}

enum op_status postgres_call_alone(struct postgres_conn *conn, const char *statement,
                                   const char *doing, uint64_t *affected, struct op_error *why)
{
    const struct postgres_encode *encode = conn->encode;
    conn->doing = doing;
    if (!PQsendQueryPrepared(conn->handle, statement, encode->count, encode->values,
                             encode->lengths, encode->formats, 1))
        return postgres_call_fail(conn, NULL, doing, why);
    return answer(conn, doing, affected, why);
}

enum op_status postgres_call_commit(struct postgres_conn *conn, struct op_error *why)
{
    static const char doing[] = "COMMIT on";
    enum op_status status = OP_OK;
    PGresult *result = PQexecPrepared(conn->handle, "commit", 0, NULL, NULL, NULL, 1);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        status = postgres_call_fail(conn, result, doing, why);
    else if (strcmp(PQcmdStatus(result), "COMMIT") != 0)
        status = op_fail(why, OP_FATAL, 0, "%s %s: the server rolled the transaction back", doing,
                         conn->table);
    PQclear(result);
    conn->in_transaction = conn->in_transaction && status != OP_OK;
    return status;
}
