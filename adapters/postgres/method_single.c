#include "postgres/call.h"
#include "postgres/encode.h"
#include "postgres/method.h"

/* A second row makes it a transaction of several statements after all. */
static enum op_status send_kept(struct postgres_conn *conn, struct op_error *why)
{
    uint64_t affected = 0;
    bool inserts = conn->rows == POSTGRES_INSERTS;
    conn->pending = 0;
    enum op_status status = postgres_call(conn, inserts ? "insert" : "delete",
                                          inserts ? "INSERT into" : "DELETE from", &affected, why);
    return status == OP_OK ? postgres_call_check(conn, affected, 1, why) : status;
}

static bool can_keep(const struct postgres_conn *conn, const struct row_batch *batch)
{
    return batch->count == 1 && conn->pending == 0 && !conn->in_transaction;
}

enum op_status postgres_single_flush(struct postgres_conn *conn, struct op_error *why)
{
    return conn->pending == 0 ? OP_OK : send_kept(conn, why);
}

static enum op_status insert(struct postgres_conn *conn, const struct row_batch *rows,
                             struct op_error *why)
{
    if (can_keep(conn, rows)) {
        postgres_encode_keep(conn->encode, rows, 0);
        conn->pending = 1;
        return OP_OK;
    }
    enum op_status status = postgres_single_flush(conn, why);
    return status == OP_OK ? postgres_statement_insert.take(conn, rows, why) : status;
}

static enum op_status remove_row(struct postgres_conn *conn, const struct row_batch *keys,
                                 struct op_error *why)
{
    if (can_keep(conn, keys)) {
        postgres_encode_id(conn->encode, keys->ids[0]);
        conn->first = keys->ids[0];
        conn->pending = 1;
        return OP_OK;
    }
    enum op_status status = postgres_single_flush(conn, why);
    return status == OP_OK ? postgres_statement_remove.take(conn, keys, why) : status;
}

enum op_status postgres_single_commit(struct postgres_conn *conn, struct op_error *why)
{
    uint64_t affected = 0;
    bool inserts = conn->rows == POSTGRES_INSERTS;
    conn->pending = 0;
    enum op_status status =
        postgres_call_alone(conn, inserts ? "insert" : "delete",
                            inserts ? "INSERT into" : "DELETE from", &affected, why);
    if (status != OP_OK || affected == 1)
        return status;
    return inserts ? postgres_call_check(conn, affected, 1, why)
                   : postgres_call_no_row(conn, conn->first, why);
}

/* execute() leaves the row to commit(): only what follows it in the transaction would send it. */
const struct postgres_way postgres_single_insert = {.take = insert};
const struct postgres_way postgres_single_remove = {.take = remove_row};
