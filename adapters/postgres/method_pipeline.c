#include "postgres/call.h"
#include "postgres/encode.h"
#include "postgres/method.h"

/* After so many statements the server is asked for their answers, and those of the statements
 * before are read: it always has some to work on, and no more than twice as many answers lie
 * anywhere. */
enum { PART = POSTGRES_PIPELINE_MAX / 2 };

static int64_t *place_of(struct postgres_conn *conn, uint64_t number)
{
    return &conn->encode->sent[number % POSTGRES_PIPELINE_MAX];
}

/* The answer of the oldest statement.  `expected` counts what was sent since the pipeline began. */
static enum op_status take_answer(struct postgres_conn *conn, struct op_error *why)
{
    uint64_t affected = 0;
    int64_t id = *place_of(conn, conn->expected - conn->unanswered);
    enum op_status status = postgres_call_answer(conn, &affected, why);
    if (status != OP_OK || affected == 1)
        return status;
    return conn->rows == POSTGRES_INSERTS ? postgres_call_check(conn, affected, 1, why)
                                          : postgres_call_no_row(conn, id, why);
}

static enum op_status send(struct postgres_conn *conn, const char *statement, const char *doing,
                           int64_t id, struct op_error *why)
{
    if (conn->unanswered == 0 && PQpipelineStatus(conn->handle) == PQ_PIPELINE_OFF) {
        conn->expected = conn->unflushed = 0;
        if (!PQenterPipelineMode(conn->handle))
            return postgres_call_fail(conn, NULL, doing, why);
    }
    *place_of(conn, conn->expected) = id;
    enum op_status status = postgres_call_queue(conn, statement, doing, why);
    if (status != OP_OK)
        return status;
    conn->expected++;
    if (++conn->unflushed < PART)
        return OP_OK;
    conn->unflushed = 0;
    if (!PQsendFlushRequest(conn->handle) || PQflush(conn->handle) != 0)
        return postgres_call_fail(conn, NULL, doing, why);
    while (conn->unanswered > PART && status == OP_OK)
        status = take_answer(conn, why);
    return status;
}

static enum op_status insert(struct postgres_conn *conn, const struct row_batch *rows,
                             struct op_error *why)
{
    enum op_status status = OP_OK;
    for (size_t i = 0; i < rows->count && status == OP_OK; i++) {
        postgres_encode_row(conn->encode, rows, i);
        status = send(conn, "insert", "INSERT into", rows->ids[i], why);
    }
    return status;
}

static enum op_status remove_rows(struct postgres_conn *conn, const struct row_batch *keys,
                                  struct op_error *why)
{
    enum op_status status = OP_OK;
    for (size_t i = 0; i < keys->count && status == OP_OK; i++) {
        postgres_encode_id(conn->encode, keys->ids[i]);
        status = send(conn, "delete", "DELETE from", keys->ids[i], why);
    }
    return status;
}

static enum op_status finish(struct postgres_conn *conn, struct op_error *why)
{
    enum op_status status = OP_OK;
    if (PQpipelineStatus(conn->handle) == PQ_PIPELINE_OFF)
        return OP_OK;
    if (!PQpipelineSync(conn->handle))
        return postgres_call_fail(conn, NULL, conn->doing, why);
    conn->synced = true;
    while (conn->unanswered > 0 && status == OP_OK)
        status = take_answer(conn, why);
    return status == OP_OK ? postgres_call_leave(conn, why) : status;
}

const struct postgres_way postgres_pipeline_insert = {.take = insert, .finish = finish};
const struct postgres_way postgres_pipeline_remove = {.take = remove_rows, .finish = finish};
