#include "postgres/call.h"
#include "postgres/encode.h"
#include "postgres/method.h"

static enum op_status rows_one_by_one(struct postgres_conn *conn, const struct row_batch *rows,
                                      const char *statement, const char *doing,
                                      struct op_error *why)
{
    enum op_status status = OP_OK;
    for (size_t i = 0; i < rows->count && status == OP_OK; i++) {
        uint64_t affected = 0;
        postgres_encode_row(conn->encode, rows, i);
        status = postgres_call(conn, statement, doing, &affected, why);
        if (status == OP_OK)
            status = postgres_call_check(conn, affected, 1, why);
    }
    return status;
}

static enum op_status insert(struct postgres_conn *conn, const struct row_batch *rows,
                             struct op_error *why)
{
    return rows_one_by_one(conn, rows, "insert", "INSERT into", why);
}

enum op_status postgres_statement_upsert(struct postgres_conn *conn, const struct row_batch *rows,
                                         struct op_error *why)
{
    return rows_one_by_one(conn, rows, "upsert", "upsert into", why);
}

static enum op_status delete_one(struct postgres_conn *conn, int64_t id, uint64_t *affected,
                                 struct op_error *why)
{
    postgres_encode_id(conn->encode, id);
    return postgres_call(conn, "delete", "DELETE from", affected, why);
}

static enum op_status remove_rows(struct postgres_conn *conn, const struct row_batch *keys,
                                  struct op_error *why)
{
    enum op_status status = OP_OK;
    for (size_t i = 0; i < keys->count && status == OP_OK; i++) {
        uint64_t affected = 0;
        status = delete_one(conn, keys->ids[i], &affected, why);
        if (status == OP_OK && affected != 1)
            status = postgres_call_no_row(conn, keys->ids[i], why);
    }
    return status;
}

enum op_status postgres_statement_erase(struct postgres_conn *conn, const struct row_batch *keys,
                                        bool *there, struct op_error *why)
{
    enum op_status status = OP_OK;
    for (size_t i = 0; i < keys->count && status == OP_OK; i++) {
        uint64_t affected = 0;
        status = delete_one(conn, keys->ids[i], &affected, why);
        there[i] = affected == 1;
    }
    return status;
}

const struct postgres_way postgres_statement_insert = {.take = insert};
const struct postgres_way postgres_statement_remove = {.take = remove_rows};
