#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postgres/call.h"
#include "postgres/encode.h"
#include "postgres/method.h"

enum { OID_INT8 = 20 };

static bool find(struct postgres_conn *conn, const char *sql, int64_t *id)
{
    const struct postgres_encode *encode = conn->encode;
    bool found = false;
    PGresult *result = PQexecParams(conn->handle, sql, encode->count, NULL, encode->values,
                                    encode->lengths, encode->formats, 1);
    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1 &&
        PQgetlength(result, 0, 0) == (int)sizeof *id) {
        uint64_t value;
        memcpy(&value, PQgetvalue(result, 0, 0), sizeof value);
        *id = (int64_t)be64toh(value);
        found = true;
    }
    PQclear(result);
    return found;
}

enum op_status postgres_missing(struct postgres_conn *conn, char *sql, uint64_t affected,
                                uint64_t expected, struct op_error *why)
{
    struct op_error ignored;
    int64_t id;
    /* Those that were there are gone in this transaction. */
    enum op_status status = sql == NULL ? OP_FATAL : postgres_conn_rollback(&conn->base, &ignored);
    if (status == OP_OK && find(conn, sql, &id))
        status = postgres_call_no_row(conn, id, why);
    else
        status = postgres_call_check(conn, affected, expected, why);
    free(sql);
    return status;
}
