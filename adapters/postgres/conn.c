#include <stdio.h>
#include <stdlib.h>

#include "postgres/call.h"
#include "postgres/encode.h"
#include "postgres/method.h"
#include "postgres/sql.h"

enum { ROLLBACK_TRIES = 3 };

static struct postgres_conn *conn_of(struct adapter_conn *handle)
{
    return (struct postgres_conn *)handle;
}

static const struct postgres_way *insert_way(const struct postgres_settings *settings)
{
    if (settings->single_call)
        return &postgres_single_insert;
    switch (settings->insert) {
    case POSTGRES_PIPELINE:
        return &postgres_pipeline_insert;
    case POSTGRES_ARRAY:
        return &postgres_array_insert;
    case POSTGRES_COPY:
        return &postgres_copy_insert;
    default:
        return &postgres_statement_insert;
    }
}

static const struct postgres_way *remove_way(const struct postgres_settings *settings)
{
    if (settings->single_call)
        return &postgres_single_remove;
    switch (settings->remove) {
    case POSTGRES_PIPELINE:
        return &postgres_pipeline_remove;
    case POSTGRES_ARRAY:
        return &postgres_array_remove;
    case POSTGRES_RANGE:
        return &postgres_range_remove;
    default:
        return &postgres_statement_remove;
    }
}

static unsigned parts_of(const struct postgres_settings *settings)
{
    unsigned parts = 0;
    if (settings->single_call)
        parts |= POSTGRES_ENCODE_KEEP;
    if (settings->insert == POSTGRES_ARRAY)
        parts |= POSTGRES_ENCODE_ROW_ARRAYS;
    if (settings->insert == POSTGRES_COPY)
        parts |= POSTGRES_ENCODE_COPY;
    if (settings->remove == POSTGRES_ARRAY)
        parts |= POSTGRES_ENCODE_ID_ARRAY;
    return parts;
}

/* Heap text in, freed here. */
static enum op_status prepare(struct postgres_conn *conn, const char *name, char *text,
                              struct op_error *why)
{
    if (text == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for a statement on %s", conn->table);
    enum op_status status = OP_OK;
    PGresult *result = PQprepare(conn->handle, name, text, 0, NULL);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        status = postgres_call_fail(conn, result, "prepare a statement on", why);
    PQclear(result);
    free(text);
    return status;
}

/* What each way needs, and the statements of single rows. */
static enum op_status prepare_all(struct postgres_conn *conn, struct op_error *why)
{
    const struct workload *load = conn->db->load;
    const struct postgres_settings *settings = &conn->db->settings;
    enum op_status status = prepare(conn, "begin", postgres_sql_text("begin.sql"), why);
    if (status == OP_OK)
        status = prepare(conn, "commit", postgres_sql_text("commit.sql"), why);
    if (status == OP_OK)
        status = prepare(conn, "insert", postgres_sql_insert(load, conn->table), why);
    if (status == OP_OK)
        status = prepare(conn, "upsert", postgres_sql_upsert(load, conn->table), why);
    if (status == OP_OK)
        status = prepare(conn, "delete", postgres_sql_delete(conn->table), why);
    if (status == OP_OK && settings->insert == POSTGRES_ARRAY)
        status = prepare(conn, "insert_array", postgres_sql_insert_array(load, conn->table), why);
    if (status == OP_OK && settings->remove == POSTGRES_ARRAY)
        status = prepare(conn, "delete_array", postgres_sql_delete_array(conn->table), why);
    if (status == OP_OK && settings->remove == POSTGRES_RANGE)
        status = prepare(conn, "delete_range", postgres_sql_delete_range(conn->table), why);
    return status;
}

static enum op_status make_buffers(struct postgres_conn *conn, struct op_error *why)
{
    const struct postgres_db *db = conn->db;
    conn->encode = postgres_encode_create(&db->load->shape, parts_of(&db->settings));
    bool made = conn->encode != NULL;
    if (made && db->settings.insert == POSTGRES_COPY) {
        char *copy = postgres_sql_copy(db->load, conn->table);
        made = copy != NULL && asprintf(&conn->copy_sql, "BEGIN;%s", copy) >= 0;
        free(copy);
    }
    return made ? OP_OK
                : op_fail(why, OP_FATAL, 0, "no memory for the buffers of stream %u", conn->stream);
}

static enum op_status run_session(struct postgres_conn *conn, struct op_error *why)
{
    char *text = postgres_sql_text("session_stream.sql");
    enum op_status status =
        text == NULL ? op_fail(why, OP_FATAL, 0, "no memory for a connection's settings")
                     : postgres_run(conn->handle, text, "set up a stream's connection", why);
    free(text);
    return status;
}

/* Nothing under way, nothing kept back. */
static void forget(struct postgres_conn *conn)
{
    conn->in_copy = conn->in_transaction = false;
    conn->begin_unanswered = conn->synced = false;
    conn->unanswered = conn->unflushed = conn->pending = 0;
    conn->expected = 0;
    conn->rows = POSTGRES_IDLE;
    conn->encode->rows = conn->encode->copied = 0;
}

enum op_status postgres_conn_connect(struct adapter_db *handle, unsigned stream,
                                     struct adapter_conn **out, struct op_error *why)
{
    struct postgres_db *db = (struct postgres_db *)handle;
    struct postgres_conn *conn = &db->conns[stream];
    enum op_status status = make_buffers(conn, why);
    if (status == OP_OK)
        status = postgres_connect(db, conn->file->database, "_s", &conn->handle, why);
    if (status == OP_OK)
        status = run_session(conn, why);
    if (status == OP_OK)
        status = prepare_all(conn, why);
    if (status != OP_OK) {
        postgres_conn_disconnect(&conn->base);
        return status;
    }
    forget(conn);
    pthread_mutex_lock(&conn->mutex);
    conn->cancel = PQgetCancel(conn->handle);
    conn->socket = PQsocket(conn->handle);
    pthread_mutex_unlock(&conn->mutex);
    *out = &conn->base;
    return OP_OK;
}

void postgres_conn_disconnect(struct adapter_conn *handle)
{
    struct postgres_conn *conn = conn_of(handle);
    pthread_mutex_lock(&conn->mutex);
    PQfreeCancel(conn->cancel);
    conn->cancel = NULL;
    pthread_mutex_unlock(&conn->mutex);
    PQfinish(conn->handle);
    conn->handle = NULL;
    postgres_encode_destroy(conn->encode);
    conn->encode = NULL;
    free(conn->copy_sql);
    conn->copy_sql = NULL;
}

/* BEGIN goes out with the first rows: see call.h. */
enum op_status postgres_conn_begin(struct adapter_conn *handle, struct op_error *why)
{
    struct postgres_conn *conn = conn_of(handle);
    (void)why;
    forget(conn);
    return OP_OK;
}

enum op_status postgres_conn_execute(struct adapter_conn *handle, struct op_error *why)
{
    struct postgres_conn *conn = conn_of(handle);
    const struct postgres_settings *settings = &conn->db->settings;
    const struct postgres_way *way = NULL;
    if (conn->rows == POSTGRES_INSERTS)
        way = insert_way(settings);
    else if (conn->rows == POSTGRES_REMOVES)
        way = remove_way(settings);
    return way == NULL || way->finish == NULL ? OP_OK : way->finish(conn, why);
}

/* Finishes what was done before, if it was another thing. */
static enum op_status turn_to(struct postgres_conn *conn, enum postgres_rows rows,
                              struct op_error *why)
{
    enum op_status status = OP_OK;
    if (conn->rows != POSTGRES_IDLE && conn->rows != rows) {
        if (conn->db->settings.single_call && conn->pending > 0)
            status = postgres_single_flush(conn, why);
        else
            status = postgres_conn_execute(&conn->base, why);
    }
    conn->rows = rows;
    return status;
}

enum op_status postgres_conn_insert(struct adapter_conn *handle, const struct row_batch *rows,
                                    struct op_error *why)
{
    struct postgres_conn *conn = conn_of(handle);
    enum op_status status = turn_to(conn, POSTGRES_INSERTS, why);
    return status == OP_OK ? insert_way(&conn->db->settings)->take(conn, rows, why) : status;
}

enum op_status postgres_conn_remove(struct adapter_conn *handle, const struct row_batch *keys,
                                    struct op_error *why)
{
    struct postgres_conn *conn = conn_of(handle);
    enum op_status status = turn_to(conn, POSTGRES_REMOVES, why);
    return status == OP_OK ? remove_way(&conn->db->settings)->take(conn, keys, why) : status;
}

enum op_status postgres_conn_upsert(struct adapter_conn *handle, const struct row_batch *rows,
                                    struct op_error *why)
{
    struct postgres_conn *conn = conn_of(handle);
    enum op_status status = turn_to(conn, POSTGRES_IDLE, why);
    return status == OP_OK ? postgres_statement_upsert(conn, rows, why) : status;
}

enum op_status postgres_conn_erase(struct adapter_conn *handle, const struct row_batch *keys,
                                   bool *there, struct op_error *why)
{
    struct postgres_conn *conn = conn_of(handle);
    enum op_status status = turn_to(conn, POSTGRES_IDLE, why);
    return status == OP_OK ? postgres_statement_erase(conn, keys, there, why) : status;
}

enum op_status postgres_conn_commit(struct adapter_conn *handle, struct op_error *why)
{
    struct postgres_conn *conn = conn_of(handle);
    if (conn->db->settings.single_call && conn->pending > 0)
        return postgres_single_commit(conn, why);
    enum op_status status = postgres_conn_execute(handle, why);
    if (status != OP_OK || !conn->in_transaction)
        return status;
    return postgres_call_commit(conn, why);
}

/* Ends whatever is under way, so that a statement can be sent; false: the connection is gone. */
static bool come_to_rest(struct postgres_conn *conn)
{
    PGconn *handle = conn->handle;
    bool pipeline = PQpipelineStatus(handle) != PQ_PIPELINE_OFF;
    bool synced = conn->synced;
    if (pipeline && !synced)
        synced = PQpipelineSync(handle);
    /* In a pipeline a NULL stands behind each statement's answer: two are the end. */
    for (int ends = 0; PQstatus(handle) == CONNECTION_OK && ends < (pipeline ? 2 : 1);) {
        PGresult *result = PQgetResult(handle);
        ExecStatusType got = PQresultStatus(result);
        ends = result == NULL ? ends + 1 : 0;
        PQclear(result);
        if (got == PGRES_COPY_IN && PQputCopyEnd(handle, "rolled back") != 1)
            return false;
        if (got == PGRES_PIPELINE_SYNC)
            break;
    }
    return PQstatus(handle) == CONNECTION_OK && (!pipeline || PQexitPipelineMode(handle));
}

enum op_status postgres_conn_rollback(struct adapter_conn *handle, struct op_error *why)
{
    struct postgres_conn *conn = conn_of(handle);
    enum op_status status = OP_OK;
    if (!come_to_rest(conn))
        return op_fail(why, OP_LOST, 0, "ROLLBACK on %s: the connection is gone", conn->table);
    /* A cancel that was meant for the statement before may strike this one. */
    for (int tries = 0; tries < ROLLBACK_TRIES; tries++) {
        if (PQtransactionStatus(conn->handle) == PQTRANS_IDLE)
            break;
        PGresult *result = PQexec(conn->handle, "ROLLBACK");
        status = PQresultStatus(result) == PGRES_COMMAND_OK
                     ? OP_OK
                     : postgres_call_fail(conn, result, "ROLLBACK on", why);
        PQclear(result);
    }
    forget(conn);
    if (PQtransactionStatus(conn->handle) == PQTRANS_IDLE)
        return OP_OK;
    return status == OP_OK
               ? op_fail(why, OP_FATAL, 0, "ROLLBACK on %s left the transaction open", conn->table)
               : status;
}
