#include "postgres/call.h"
#include "postgres/encode.h"
#include "postgres/method.h"
#include "postgres/sql.h"

/* The run of neighbours from `first` to `last`, which may go down. */
static enum op_status finish(struct postgres_conn *conn, struct op_error *why)
{
    uint64_t affected = 0, expected = conn->pending;
    if (expected == 0)
        return OP_OK;
    conn->pending = 0;
    if (conn->first <= conn->last)
        postgres_encode_range(conn->encode, conn->first, conn->last);
    else
        postgres_encode_range(conn->encode, conn->last, conn->first);
    enum op_status status = postgres_call(conn, "delete_range", "DELETE from", &affected, why);
    if (status == OP_OK && affected != expected)
        status = postgres_missing(conn, postgres_sql_missing_range(conn->table), affected, expected,
                                  why);
    return status;
}

static bool goes_on(const struct postgres_conn *conn, int64_t id)
{
    if (conn->pending == 1)
        return id == conn->last + 1 || id == conn->last - 1;
    return conn->first < conn->last ? id == conn->last + 1 : id == conn->last - 1;
}

static enum op_status remove_rows(struct postgres_conn *conn, const struct row_batch *keys,
                                  struct op_error *why)
{
    enum op_status status = OP_OK;
    for (size_t i = 0; i < keys->count && status == OP_OK; i++) {
        int64_t id = keys->ids[i];
        if (conn->pending > 0 && !goes_on(conn, id))
            status = finish(conn, why);
        if (conn->pending == 0)
            conn->first = id;
        conn->last = id;
        conn->pending++;
    }
    return status;
}

const struct postgres_way postgres_range_remove = {.take = remove_rows, .finish = finish};
