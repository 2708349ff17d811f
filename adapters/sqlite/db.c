#include "sqlite/db.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/fs.h"
#include "files.h"
#include "sqlite/classify.h"
#include "sqlite/sql.h"
#include "workload/layout.h"

/* Memory statistics take one lock of the whole process for every allocation: many streams
 * would wait for it.  SQLite says no (and nothing is lost) if it was started before. */
static void configure_once(void)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static void db_release(struct sqlite_db *db)
{
    if (db == NULL)
        return;
    for (unsigned i = 0; db->files != NULL && i < db->file_count; i++) {
        free(db->files[i].path);
        free(db->files[i].wal_path);
    }
    for (unsigned i = 0; db->conns != NULL && i < db->conn_count; i++)
        pthread_mutex_destroy(&db->conns[i].mutex);
    free(db->files);
    free(db->conns);
    free(db);
}

enum op_status sqlite_db_open(const struct adapter_config *config, struct adapter_db **out,
                              struct op_error *why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct workload *load = config->load;
    struct sqlite_db *db = calloc(1, sizeof *db);
    pthread_once(&once, configure_once);
    if (db == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for a trial");
    *db = (struct sqlite_db){.base.ops = &sqlite_adapter, .config = config, .load = load};
    sqlite_settings_read(&db->settings, load);
    db->files = calloc(layout_files(load), sizeof *db->files);
    db->conns = aligned_alloc(_Alignof(struct sqlite_conn), load->streams * sizeof *db->conns);
    if (db->files == NULL || db->conns == NULL) {
        db_release(db);
        return op_fail(why, OP_FATAL, 0, "no memory for %u streams", load->streams);
    }
    for (unsigned file = 0; file < layout_files(load); file++) {
        db->files[file].path = files_path(config, file, "db");
        db->files[file].wal_path = fs_path("%s-wal", db->files[file].path);
        db->file_count++;
    }
    for (unsigned stream = 0; stream < load->streams; stream++) {
        struct sqlite_conn *conn = &db->conns[stream];
        *conn = (struct sqlite_conn){.base.ops = &sqlite_adapter,
                                     .db = db,
                                     .file = &db->files[layout_file_of_stream(load, stream)],
                                     .stream = stream};
        pthread_mutex_init(&conn->mutex, NULL);
        db->conn_count++;
    }
    *out = &db->base;
    return OP_OK;
}

void sqlite_db_close(struct adapter_db *handle)
{
    db_release((struct sqlite_db *)handle);
}

enum op_status sqlite_db_run(sqlite3 *handle, const char *text, const char *what, const char *file,
                             struct op_error *why)
{
    if (text == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for a statement on %s", file);
    if (sqlite3_exec(handle, text, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_fail(handle, why, what, file);
    return OP_OK;
}

/* Without SQLITE_OPEN_URI a path is a path, whatever characters it holds. */
static enum op_status open_handle(const char *path, sqlite3 **handle, struct op_error *why)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, handle, flags, NULL) != SQLITE_OK) {
        enum op_status status = *handle == NULL
                                    ? op_fail(why, OP_FATAL, 0, "no memory to open %s", path)
                                    : sqlite_fail(*handle, why, "open", path);
        sqlite3_close(*handle);
        *handle = NULL;
        return status;
    }
    sqlite3_extended_result_codes(*handle, 1);
    return OP_OK;
}

enum op_status sqlite_db_open_file(const struct sqlite_db *db, const struct sqlite_file *file,
                                   sqlite3 **handle, struct op_error *why)
{
    enum op_status status = open_handle(file->path, handle, why);
    if (status != OP_OK)
        return status;
    status = sqlite_settings_apply(&db->settings, *handle, file->path, why);
    if (status != OP_OK) {
        sqlite3_close(*handle);
        *handle = NULL;
    }
    return status;
}

static enum op_status create_table(const struct sqlite_db *db, sqlite3 *handle, const char *path,
                                   unsigned table, struct op_error *why)
{
    struct sql_table name = sqlite_sql_table(db->load, table);
    char *text = sqlite_sql_create_table(db->load, name.name);
    enum op_status status = sqlite_db_run(handle, text, "CREATE TABLE in", path, why);
    free(text);
    for (unsigned key = 1; key <= db->load->indexes && status == OP_OK; key++) {
        text = sqlite_sql_create_index(name.name, key);
        status = sqlite_db_run(handle, text, "CREATE INDEX in", path, why);
        free(text);
    }
    return status;
}

static enum op_status create_file(const struct sqlite_db *db, unsigned number, sqlite3 **handle,
                                  struct op_error *why)
{
    struct sqlite_file *file = &db->files[number];
    enum op_status status = files_make(file->path, why);
    if (status != OP_OK)
        return status;
    file->made = true;
    if ((status = open_handle(file->path, handle, why)) != OP_OK)
        return status;
    /* The driver flushes the file system before the first phase: no need to wait for each. */
    status = sqlite_db_run(*handle, "PRAGMA synchronous = off", "PRAGMA on", file->path, why);
    if (status == OP_OK)
        status = sqlite_settings_shape(&db->settings, *handle, file->path, why);
    if (status == OP_OK)
        status = sqlite_db_run(*handle, sqlite_sql_text("begin.sql"), "BEGIN on", file->path, why);
    for (unsigned table = 0; table < layout_tables(db->load) && status == OP_OK; table++)
        if (layout_file_of_table(db->load, table) == number)
            status = create_table(db, *handle, file->path, table, why);
    if (status == OP_OK)
        status =
            sqlite_db_run(*handle, sqlite_sql_text("commit.sql"), "COMMIT on", file->path, why);
    return status;
}

enum op_status sqlite_db_create(struct adapter_db *handle, struct op_error *why)
{
    struct sqlite_db *db = (struct sqlite_db *)handle;
    enum op_status status = OP_OK;
    for (unsigned file = 0; file < db->file_count && status == OP_OK; file++) {
        if (adapter_is_stopped(db->config))
            return op_fail(why, OP_FATAL, 0, "stopped before %s was made", db->files[file].path);
        sqlite3 *connection = NULL;
        status = create_file(db, file, &connection, why);
        sqlite3_close(connection);
    }
    return status;
}

enum op_status sqlite_db_destroy(struct adapter_db *handle, struct op_error *why)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    struct sqlite_db *db = (struct sqlite_db *)handle;
    enum op_status result = OP_OK;
    for (unsigned file = 0; file < db->file_count; file++) {
        if (!db->files[file].made)
            continue;
        for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
            char *path = fs_path("%s%s", db->files[file].path, suffixes[i]);
            enum op_status status = files_remove(path, why);
            free(path);
            if (status != OP_OK)
                result = status;
        }
    }
    return result;
}
