/* SQLite, one connection a stream: the table of slots, and the slots of one line. */
#include "adapter.h"

#include <sqlite3.h>
#include <string.h>

#include "sqlite/db.h"
#include "workload/layout.h"

static enum op_status sqlite_paths(const struct adapter_config *config,
                                   const struct adapter_sink *sink, struct op_error *why)
{
    /* SQLite opens no path of more than 512 bytes; its files lie two folders below. */
    enum { PATH_MOST = 511, BELOW = sizeof "/loadline-data/t10000/shared.db-journal" - 1 };
    size_t length = strlen(config->directory);
    if (length + BELOW > PATH_MOST)
        return op_fail(why, OP_FATAL, 0,
                       "the path has %zu bytes, and SQLite opens no file whose path has more than "
                       "%d; use a target with a path of at most %d",
                       length, PATH_MOST, PATH_MOST - BELOW);
    sink->path(sink->ctx, DEVICE_DATA, config->directory);
    return OP_OK;
}

/* Each connection reads its settings back, so what is asked for is what is in effect. */
static enum op_status sqlite_facts(struct adapter_db *handle, const struct adapter_sink *sink,
                                   struct op_error *why)
{
    const struct sqlite_db *db = (const struct sqlite_db *)handle;
    (void)why;
    sink->fact(sink->ctx, "version", sqlite3_libversion());
    sink->fact(sink->ctx, "source_id", sqlite3_sourceid());
    sqlite_settings_facts(&db->settings, sink);
    return OP_OK;
}

static int sqlite_lock_domain(const struct adapter_db *handle, unsigned stream)
{
    const struct sqlite_db *db = (const struct sqlite_db *)handle;
    return db->settings.queue ? (int)layout_file_of_stream(db->load, stream) : -1;
}

const struct adapter sqlite_adapter = {
    .name = "sqlite",
    .summary = "SQLite files, one connection a stream",
    .caps = ADAPTER_ROLLBACK | ADAPTER_LOCAL_FILES | ADAPTER_KEEPS_ROWS,
    .options = sqlite_options,
    .forecast = sqlite_forecast,
    .paths = sqlite_paths,
    .open = sqlite_db_open,
    .facts = sqlite_facts,
    .create = sqlite_db_create,
    .settle = sqlite_check_settle,
    .stats = sqlite_hook_stats,
    .scan = sqlite_check_scan,
    .integrity = sqlite_check_integrity,
    .destroy = sqlite_db_destroy,
    .close = sqlite_db_close,
    .lock_domain = sqlite_lock_domain,
    .observe = sqlite_check_observe,
    .connect = sqlite_conn_connect,
    .begin = sqlite_conn_begin,
    .insert = sqlite_conn_insert,
    .remove = sqlite_conn_remove,
    .upsert = sqlite_conn_upsert,
    .erase = sqlite_conn_erase,
    .commit = sqlite_conn_commit,
    .rollback = sqlite_conn_rollback,
    .disconnect = sqlite_conn_disconnect,
    .interrupt = sqlite_conn_interrupt,
};
