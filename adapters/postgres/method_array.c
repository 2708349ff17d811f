#include "postgres/call.h"
#include "postgres/encode.h"
#include "postgres/method.h"
#include "postgres/sql.h"

/* While the server works on one statement, the next one's rows are made and gathered. */
static enum op_status collect_insert(struct postgres_conn *conn, struct op_error *why)
{
    uint64_t affected = 0;
    if (conn->unanswered == 0)
        return OP_OK;
    enum op_status status = postgres_call_collect(conn, &affected, why);
    return status == OP_OK ? postgres_call_check(conn, affected, conn->expected, why) : status;
}

static enum op_status send_insert(struct postgres_conn *conn, struct op_error *why)
{
    enum op_status status = collect_insert(conn, why);
    if (status != OP_OK || conn->encode->rows == 0)
        return status;
    conn->expected = conn->encode->rows;
    postgres_encode_row_arrays(conn->encode);
    return postgres_call_send(conn, "insert_array", "INSERT into", why);
}

static enum op_status insert(struct postgres_conn *conn, const struct row_batch *rows,
                             struct op_error *why)
{
    enum op_status status = OP_OK;
    for (size_t i = 0; i < rows->count && status == OP_OK;) {
        i += postgres_encode_add_rows(conn->encode, rows, i);
        if (conn->encode->rows == conn->encode->capacity)
            status = send_insert(conn, why);
    }
    return status;
}

static enum op_status finish_insert(struct postgres_conn *conn, struct op_error *why)
{
    enum op_status status = send_insert(conn, why);
    return status == OP_OK ? collect_insert(conn, why) : status;
}

static enum op_status finish_remove(struct postgres_conn *conn, struct op_error *why)
{
    uint64_t affected = 0, expected = conn->encode->rows;
    if (expected == 0)
        return OP_OK;
    postgres_encode_id_array(conn->encode);
    enum op_status status = postgres_call(conn, "delete_array", "DELETE from", &affected, why);
    if (status == OP_OK && affected != expected)
        status = postgres_missing(conn, postgres_sql_missing_array(conn->table), affected, expected,
                                  why);
    return status;
}

static enum op_status remove_rows(struct postgres_conn *conn, const struct row_batch *keys,
                                  struct op_error *why)
{
    enum op_status status = OP_OK;
    for (size_t i = 0; i < keys->count && status == OP_OK;) {
        i += postgres_encode_add_ids(conn->encode, keys, i);
        if (conn->encode->rows == conn->encode->capacity)
            status = finish_remove(conn, why);
    }
    return status;
}

const struct postgres_way postgres_array_insert = {.take = insert, .finish = finish_insert};
const struct postgres_way postgres_array_remove = {.take = remove_rows, .finish = finish_remove};
