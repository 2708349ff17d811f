#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "sqlite/classify.h"
#include "sqlite/db.h"
#include "sqlite/sql.h"
#include "workload/layout.h"

static struct sqlite_conn *conn_of(struct adapter_conn *handle)
{
    return (struct sqlite_conn *)handle;
}

static enum op_status prepare(struct sqlite_conn *conn, const char *text, sqlite3_stmt **statement,
                              struct op_error *why)
{
    if (text == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for a statement on %s", conn->file->path);
    if (sqlite3_prepare_v3(conn->handle, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) !=
        SQLITE_OK)
        return sqlite_fail(conn->handle, why, "prepare a statement on", conn->file->path);
    return OP_OK;
}

/* Heap text in, freed here. */
static enum op_status prepare_own(struct sqlite_conn *conn, char *text, sqlite3_stmt **statement,
                                  struct op_error *why)
{
    enum op_status status = prepare(conn, text, statement, why);
    free(text);
    return status;
}

/* The stream is the same in every row of a conn: bound once, it stays bound. */
static void bind_stream(const struct sqlite_conn *conn, sqlite3_stmt *statement, int rows)
{
    int columns = 3 + (int)conn->db->load->shape.key_columns;
    for (int i = 0; i < rows; i++)
        sqlite3_bind_int64(statement, i * columns + 2, (sqlite3_int64)conn->stream);
}

static enum op_status prepare_all(struct sqlite_conn *conn, struct op_error *why)
{
    const struct workload *load = conn->db->load;
    struct sql_table table = sqlite_sql_table(load, layout_table_of_stream(load, conn->stream));
    int many = conn->db->settings.rows_per_insert;
    enum op_status status = prepare(conn, sqlite_sql_text("begin.sql"), &conn->begin, why);
    if (status == OP_OK)
        status = prepare(conn, sqlite_sql_text("commit.sql"), &conn->commit, why);
    if (status == OP_OK)
        status = prepare(conn, sqlite_sql_text("rollback.sql"), &conn->rollback, why);
    if (status == OP_OK)
        status = prepare_own(conn, sqlite_sql_insert(load, table.name, 1), &conn->insert, why);
    if (status == OP_OK)
        status = prepare_own(conn, sqlite_sql_delete(table.name), &conn->remove, why);
    if (status == OP_OK && load->row_keys == ROW_KEYS_OVERLAPPING)
        status = prepare_own(conn, sqlite_sql_upsert(load, table.name), &conn->upsert, why);
    if (status == OP_OK && many > 1)
        status =
            prepare_own(conn, sqlite_sql_insert(load, table.name, many), &conn->insert_many, why);
    if (status != OP_OK)
        return status;
    bind_stream(conn, conn->insert, 1);
    if (many > 1)
        bind_stream(conn, conn->insert_many, many);
    if (conn->upsert != NULL)
        bind_stream(conn, conn->upsert, 1);
    return OP_OK;
}

enum op_status sqlite_conn_connect(struct adapter_db *handle, unsigned stream,
                                   struct adapter_conn **out, struct op_error *why)
{
    struct sqlite_db *db = (struct sqlite_db *)handle;
    struct sqlite_conn *conn = &db->conns[stream];
    sqlite3 *connection = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    enum op_status status = OP_OK;
    int rc = sqlite3_open_v2(conn->file->path, &connection, flags, NULL);

    pthread_mutex_lock(&conn->mutex);
    conn->handle = connection;
    pthread_mutex_unlock(&conn->mutex);
    if (rc != SQLITE_OK) {
        status = connection == NULL
                     ? op_fail(why, OP_FATAL, 0, "no memory to open %s", conn->file->path)
                     : sqlite_fail(connection, why, "open", conn->file->path);
        goto out;
    }
    sqlite3_extended_result_codes(connection, 1);
    /* Connections that come together to a new WAL meet each other's locks for a moment. */
    sqlite_hook_wait(conn, true);
    status = sqlite_settings_apply(&db->settings, connection, conn->file->path, why);
    if (status == OP_OK)
        status = prepare_all(conn, why);
    if (status != OP_OK)
        goto out;
    sqlite_hook_install(conn);
    sqlite_hook_wait(conn, !db->settings.queue);
    *out = &conn->base;
out:
    if (status != OP_OK)
        sqlite_conn_disconnect(&conn->base);
    return status;
}

static void finalize(sqlite3_stmt **statement)
{
    sqlite3_finalize(*statement);
    *statement = NULL;
}

void sqlite_conn_disconnect(struct adapter_conn *handle)
{
    struct sqlite_conn *conn = conn_of(handle);
    finalize(&conn->begin);
    finalize(&conn->commit);
    finalize(&conn->rollback);
    finalize(&conn->insert);
    finalize(&conn->insert_many);
    finalize(&conn->remove);
    finalize(&conn->upsert);
    pthread_mutex_lock(&conn->mutex);
    sqlite3 *connection = conn->handle;
    if (connection != NULL)
        sqlite_hook_harvest(conn);
    conn->handle = NULL;
    pthread_mutex_unlock(&conn->mutex);
    sqlite3_close(connection); /* may checkpoint, so not under the mutex */
}

void sqlite_conn_interrupt(struct adapter_conn *handle)
{
    struct sqlite_conn *conn = conn_of(handle);
    atomic_store(&conn->interrupted, true);
    pthread_mutex_lock(&conn->mutex);
    if (conn->handle != NULL)
        sqlite3_interrupt(conn->handle);
    pthread_mutex_unlock(&conn->mutex);
}

/* Steps a statement that gives no rows and makes it ready again. */
static enum op_status run(struct sqlite_conn *conn, sqlite3_stmt *statement, const char *what,
                          struct op_error *why)
{
    enum op_status status = OP_OK;
    errno = 0; /* COMMIT does not always keep the system's error: see sqlite_fail() */
    if (sqlite3_step(statement) != SQLITE_DONE)
        status = sqlite_fail(conn->handle, why, what, conn->file->path);
    sqlite3_reset(statement);
    return status;
}

enum op_status sqlite_conn_begin(struct adapter_conn *handle, struct op_error *why)
{
    struct sqlite_conn *conn = conn_of(handle);
    atomic_store(&conn->interrupted, false);
    return run(conn, conn->begin, "BEGIN on", why);
}

enum op_status sqlite_conn_commit(struct adapter_conn *handle, struct op_error *why)
{
    struct sqlite_conn *conn = conn_of(handle);
    return run(conn, conn->commit, "COMMIT on", why);
}

enum op_status sqlite_conn_rollback(struct adapter_conn *handle, struct op_error *why)
{
    struct sqlite_conn *conn = conn_of(handle);
    if (sqlite3_get_autocommit(conn->handle)) /* SQLite rolled back by itself, or never began */
        return OP_OK;
    enum op_status status = run(conn, conn->rollback, "ROLLBACK on", why);
    if (sqlite3_get_autocommit(conn->handle))
        return OP_OK;
    return status == OP_OK ? op_fail(why, OP_FATAL, 0, "ROLLBACK on %s left the transaction open",
                                     conn->file->path)
                           : OP_FATAL;
}

/* Binds row `i` of the batch from parameter `at` on; returns the next parameter. */
static int bind_row(sqlite3_stmt *statement, int at, const struct row_batch *rows, size_t i)
{
    const int32_t *keys = row_batch_keys(rows, i);
    sqlite3_bind_int64(statement, at, rows->ids[i]);
    at += 2; /* the stream is bound */
    for (unsigned key = 0; key < rows->key_columns; key++)
        sqlite3_bind_int(statement, at++, keys[key]);
    sqlite3_bind_blob(statement, at++, row_batch_payload(rows, i), (int)rows->payload_bytes,
                      SQLITE_STATIC);
    return at;
}

enum op_status sqlite_conn_insert(struct adapter_conn *handle, const struct row_batch *rows,
                                  struct op_error *why)
{
    struct sqlite_conn *conn = conn_of(handle);
    size_t many = (size_t)conn->db->settings.rows_per_insert;
    size_t i = 0;
    enum op_status status = OP_OK;
    for (; many > 1 && i + many <= rows->count && status == OP_OK;) {
        int at = 1;
        for (size_t end = i + many; i < end; i++)
            at = bind_row(conn->insert_many, at, rows, i);
        status = run(conn, conn->insert_many, "INSERT into", why);
    }
    for (; i < rows->count && status == OP_OK; i++) {
        bind_row(conn->insert, 1, rows, i);
        status = run(conn, conn->insert, "INSERT into", why);
    }
    return status;
}

enum op_status sqlite_conn_remove(struct adapter_conn *handle, const struct row_batch *keys,
                                  struct op_error *why)
{
    struct sqlite_conn *conn = conn_of(handle);
    for (size_t i = 0; i < keys->count; i++) {
        sqlite3_bind_int64(conn->remove, 1, keys->ids[i]);
        enum op_status status = run(conn, conn->remove, "DELETE from", why);
        if (status != OP_OK)
            return status;
        if (sqlite3_changes(conn->handle) != 1)
            return op_fail(why, OP_FATAL, 0, "DELETE from %s: there is no row with id %lld",
                           conn->file->path, (long long)keys->ids[i]);
    }
    return OP_OK;
}

enum op_status sqlite_conn_upsert(struct adapter_conn *handle, const struct row_batch *rows,
                                  struct op_error *why)
{
    struct sqlite_conn *conn = conn_of(handle);
    enum op_status status = OP_OK;
    for (size_t i = 0; i < rows->count && status == OP_OK; i++) {
        bind_row(conn->upsert, 1, rows, i);
        status = run(conn, conn->upsert, "INSERT .. ON CONFLICT into", why);
    }
    return status;
}

enum op_status sqlite_conn_erase(struct adapter_conn *handle, const struct row_batch *keys,
                                 bool *there, struct op_error *why)
{
    struct sqlite_conn *conn = conn_of(handle);
    for (size_t i = 0; i < keys->count; i++) {
        sqlite3_bind_int64(conn->remove, 1, keys->ids[i]);
        enum op_status status = run(conn, conn->remove, "DELETE from", why);
        if (status != OP_OK)
            return status;
        there[i] = sqlite3_changes(conn->handle) != 0;
    }
    return OP_OK;
}
