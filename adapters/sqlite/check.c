#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sqlite/classify.h"
#include "sqlite/db.h"
#include "sqlite/sql.h"
#include "workload/layout.h"

/* A connection to look at a whole file with: a fresh one, but where a stream's keeps the
 * file's exclusive lock it must be that one. */
struct visit {
    sqlite3 *handle;
    bool borrowed;
};

static enum op_status visit_open(const struct sqlite_db *db, unsigned number, struct visit *visit,
                                 struct op_error *why)
{
    struct sqlite_file *file = &db->files[number];
    *visit = (struct visit){.handle = NULL};
    for (unsigned i = 0; sqlite_settings_exclusive(&db->settings) && i < db->conn_count; i++)
        if (db->conns[i].file == file && db->conns[i].handle != NULL) {
            *visit = (struct visit){.handle = db->conns[i].handle, .borrowed = true};
            return OP_OK;
        }
    return sqlite_db_open_file(db, file, &visit->handle, why);
}

static void visit_close(struct visit *visit)
{
    if (!visit->borrowed)
        sqlite3_close(visit->handle);
}

enum op_status sqlite_check_settle(struct adapter_db *handle, struct op_error *why)
{
    const struct sqlite_db *db = (const struct sqlite_db *)handle;
    enum op_status status = OP_OK;
    if (!sqlite_settings_wal(&db->settings))
        return OP_OK;
    for (unsigned file = 0; file < db->file_count && status == OP_OK; file++) {
        struct visit visit;
        if (adapter_is_stopped(db->config))
            return op_fail(why, OP_BUSY, 0, "stopped before %s", db->files[file].path);
        status = visit_open(db, file, &visit, why);
        if (status == OP_OK &&
            sqlite3_wal_checkpoint_v2(visit.handle, "main", SQLITE_CHECKPOINT_RESTART, NULL,
                                      NULL) != SQLITE_OK)
            status = sqlite_fail(visit.handle, why, "checkpoint of", db->files[file].path);
        visit_close(&visit);
        atomic_store_explicit(&db->files[file].frames_moved, 0, memory_order_relaxed);
    }
    return status;
}

static bool show_row(sqlite3_stmt *statement, unsigned key_columns,
                     const struct row_visitor *visitor)
{
    int64_t keys[ROW_KEYS_MAX];
    for (unsigned key = 0; key < key_columns; key++)
        keys[key] = sqlite3_column_int64(statement, 2 + (int)key);
    int last = 2 + (int)key_columns;
    struct row row = {.id = sqlite3_column_int64(statement, 0),
                      .stream = sqlite3_column_int64(statement, 1),
                      .keys = keys};
    row.payload.data = sqlite3_column_blob(statement, last);
    row.payload.size = (size_t)sqlite3_column_bytes(statement, last);
    return visitor->row(visitor->ctx, &row);
}

enum op_status sqlite_check_scan(struct adapter_db *handle, unsigned table,
                                 const struct row_visitor *visitor, struct op_error *why)
{
    const struct sqlite_db *db = (const struct sqlite_db *)handle;
    unsigned number = layout_file_of_table(db->load, table);
    const char *path = db->files[number].path;
    struct sql_table name = sqlite_sql_table(db->load, table);
    char *text = NULL;
    sqlite3_stmt *statement = NULL;
    struct visit visit;
    enum op_status status = visit_open(db, number, &visit, why);
    if (status != OP_OK)
        return status;
    text = sqlite_sql_scan(db->load, name.name);
    if (text == NULL) {
        status = op_fail(why, OP_FATAL, 0, "no memory for a statement on %s", path);
        goto out;
    }
    int rc = sqlite3_prepare_v2(visit.handle, text, -1, &statement, NULL);
    if (rc == SQLITE_OK) {
        do
            rc = sqlite3_step(statement);
        while (rc == SQLITE_ROW && show_row(statement, db->load->shape.key_columns, visitor));
    }
    if (rc != SQLITE_DONE && rc != SQLITE_ROW)
        status = sqlite_fail(visit.handle, why, "SELECT from", path);
out:
    sqlite3_finalize(statement);
    free(text);
    visit_close(&visit);
    return status;
}

/* Not 0: SQLite gives up what it is doing. */
static int give_up(void *config)
{
    return adapter_is_stopped(config);
}

/* *ok turns false at the first file that is not sound; *why then has SQLite's first words. */
static enum op_status check_file(const struct sqlite_db *db, unsigned number, bool *ok,
                                 struct op_error *why)
{
    const char *path = db->files[number].path;
    sqlite3_stmt *statement = NULL;
    struct visit visit;
    enum op_status status = visit_open(db, number, &visit, why);
    if (status != OP_OK)
        return status;
    sqlite3_progress_handler(visit.handle, 10000, give_up, (void *)db->config);
    int rc = sqlite3_prepare_v2(visit.handle, "PRAGMA integrity_check", -1, &statement, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(statement);
    if (rc == SQLITE_ROW) {
        const char *words = (const char *)sqlite3_column_text(statement, 0);
        if (words == NULL || strcmp(words, "ok") != 0) {
            *ok = false;
            op_fail(why, OP_OK, 0, "integrity_check of %s: %s", path, words ? words : "nothing");
        }
    } else if ((rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB) {
        *ok = false;
        sqlite_fail(visit.handle, why, "integrity_check of", path);
    } else {
        status = sqlite_fail(visit.handle, why, "integrity_check of", path);
    }
    sqlite3_finalize(statement);
    sqlite3_progress_handler(visit.handle, 0, NULL, NULL); /* it may be a stream's */
    visit_close(&visit);
    return status;
}

enum op_status sqlite_check_integrity(struct adapter_db *handle, bool *ok, struct op_error *why)
{
    const struct sqlite_db *db = (const struct sqlite_db *)handle;
    enum op_status status = OP_OK;
    *ok = true;
    for (unsigned file = 0; file < db->file_count && *ok && status == OP_OK; file++)
        status = check_file(db, file, ok, why);
    return status;
}

void sqlite_check_observe(struct adapter_db *handle, const struct adapter_sink *sink)
{
    const struct sqlite_db *db = (const struct sqlite_db *)handle;
    double bytes = 0;
    struct stat info;
    if (!sqlite_settings_wal(&db->settings))
        return;
    for (unsigned file = 0; file < db->file_count; file++)
        if (stat(db->files[file].wal_path, &info) == 0)
            bytes += (double)info.st_size;
    sink->metric(sink->ctx, "wal_bytes", METRIC_GAUGE, bytes);
}
