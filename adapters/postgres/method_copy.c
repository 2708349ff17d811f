#include "postgres/call.h"
#include "postgres/encode.h"
#include "postgres/method.h"

#define DOING "COPY into"

/* The server ends a COPY that it cannot go on with, and waits for nothing: libpq finds that out
 * when it reads, and says then why. */
static enum op_status copy_fail(struct postgres_conn *conn, struct op_error *why)
{
    conn->in_copy = false;
    PGresult *result = PQgetResult(conn->handle);
    if (PQresultStatus(result) == PGRES_COPY_IN) { /* still on: it was the connection's error */
        PQclear(result);
        result = NULL;
    }
    enum op_status status = postgres_call_fail(conn, result, DOING, why);
    PQclear(result);
    return status;
}

static enum op_status start(struct postgres_conn *conn, struct op_error *why)
{
    static const size_t begin_bytes = sizeof "BEGIN;" - 1;
    conn->doing = DOING;
    conn->expected = 0;
    PGresult *result =
        PQexec(conn->handle, conn->in_transaction ? conn->copy_sql + begin_bytes : conn->copy_sql);
    enum op_status status = OP_OK;
    if (PQresultStatus(result) == PGRES_COPY_IN) {
        conn->in_transaction = conn->in_copy = true;
        postgres_encode_copy_begin(conn->encode);
    } else {
        status = postgres_call_fail(conn, result, DOING, why);
    }
    PQclear(result);
    return status;
}

static enum op_status put(struct postgres_conn *conn, const unsigned char *bytes, size_t size,
                          struct op_error *why)
{
    while (size > 0) {
        size_t part = size < POSTGRES_COPY_BYTES ? size : POSTGRES_COPY_BYTES;
        if (PQputCopyData(conn->handle, (const char *)bytes, (int)part) != 1)
            return copy_fail(conn, why);
        bytes += part;
        size -= part;
    }
    return OP_OK;
}

static enum op_status put_buffer(struct postgres_conn *conn, struct op_error *why)
{
    enum op_status status = OP_OK;
    /* Sees an error of the server's while there is still something to save. */
    if (!PQconsumeInput(conn->handle))
        return copy_fail(conn, why);
    status = put(conn, conn->encode->copy, conn->encode->copied, why);
    conn->encode->copied = 0;
    return status;
}

static enum op_status put_large(struct postgres_conn *conn, const struct row_batch *rows, size_t i,
                                struct op_error *why)
{
    enum op_status status = OP_OK;
    if (!postgres_encode_copy_head(conn->encode, rows, i)) {
        status = put_buffer(conn, why);
        postgres_encode_copy_head(conn->encode, rows, i);
    }
    if (status == OP_OK)
        status = put_buffer(conn, why);
    if (status == OP_OK)
        status = put(conn, row_batch_payload(rows, i), rows->payload_bytes, why);
    return status;
}

static enum op_status insert(struct postgres_conn *conn, const struct row_batch *rows,
                             struct op_error *why)
{
    enum op_status status = conn->in_copy || rows->count == 0 ? OP_OK : start(conn, why);
    bool large = postgres_encode_copy_is_large(conn->encode);
    for (size_t i = 0; i < rows->count && status == OP_OK; i++) {
        if (large) {
            status = put_large(conn, rows, i, why);
        } else if (!postgres_encode_copy_row(conn->encode, rows, i)) {
            status = put_buffer(conn, why);
            postgres_encode_copy_row(conn->encode, rows, i);
        }
    }
    conn->expected += rows->count;
    return status;
}

static enum op_status finish(struct postgres_conn *conn, struct op_error *why)
{
    enum op_status status = OP_OK;
    if (!conn->in_copy)
        return OP_OK;
    if (!postgres_encode_copy_end(conn->encode)) {
        status = put_buffer(conn, why);
        postgres_encode_copy_end(conn->encode);
    }
    if (status == OP_OK)
        status = put_buffer(conn, why);
    if (status != OP_OK)
        return status;
    if (PQputCopyEnd(conn->handle, NULL) != 1)
        return copy_fail(conn, why);
    conn->in_copy = false;
    PGresult *result = PQgetResult(conn->handle);
    if (PQresultStatus(result) == PGRES_COMMAND_OK)
        status = postgres_call_check(conn, postgres_call_rows(result), conn->expected, why);
    else
        status = postgres_call_fail(conn, result, DOING, why);
    PQclear(result);
    while ((result = PQgetResult(conn->handle)) != NULL)
        PQclear(result);
    return status;
}

const struct postgres_way postgres_copy_insert = {.take = insert, .finish = finish};
