/* PostgreSQL by libpq: the tables of slots of its two engines, a private cluster and a server that
 * runs already. */
#include "postgres/db.h"

/* Also whether a cluster could be made there, before any load.  The log's own directory is the
 * driver's to make; without one it lies with the data. */
static enum op_status private_paths(const struct adapter_config *config,
                                    const struct adapter_sink *sink, struct op_error *why)
{
    struct postgres_settings settings;
    postgres_settings_read(&settings, config->load);
    enum op_status status = postgres_cluster_check(config, &settings, why);
    if (status != OP_OK)
        return status;
    sink->path(sink->ctx, DEVICE_DATA, config->directory);
    if (config->log_directory != NULL)
        sink->path(sink->ctx, DEVICE_WAL, config->log_directory);
    return OP_OK;
}

/* The server has queues of its own. */
static int no_lock_domain(const struct adapter_db *handle, unsigned stream)
{
    (void)handle;
    (void)stream;
    return -1;
}

/* What both share. */
#define SHARED_SLOTS                                                                               \
    .options = postgres_options, .open = postgres_db_open, .facts = postgres_facts,                \
    .create = postgres_db_create, .settle = postgres_check_settle,                                 \
    .maintain = postgres_check_maintain, .stats = postgres_stats, .scan = postgres_check_scan,     \
    .integrity = postgres_check_integrity, .destroy = postgres_db_destroy,                         \
    .close = postgres_db_close, .lock_domain = no_lock_domain, .observe = postgres_waits_observe,  \
    .connect = postgres_conn_connect, .begin = postgres_conn_begin,                                \
    .insert = postgres_conn_insert, .remove = postgres_conn_remove,                                \
    .upsert = postgres_conn_upsert, .erase = postgres_conn_erase,                                  \
    .execute = postgres_conn_execute, .commit = postgres_conn_commit,                              \
    .rollback = postgres_conn_rollback, .disconnect = postgres_conn_disconnect,                    \
    .interrupt = postgres_conn_interrupt

const struct adapter postgres_adapter = {
    .name = "postgres",
    .scheme = "postgres",
    .summary = "a private PostgreSQL cluster, made under the directory",
    .caps = ADAPTER_ROLLBACK | ADAPTER_LOCAL_FILES | ADAPTER_KEEPS_ROWS | ADAPTER_OTHER_USER,
    .log_key = "postgres.wal",
    .forecast = postgres_forecast_private,
    .paths = private_paths,
    .clean = postgres_cluster_reclaim,
    SHARED_SLOTS,
};

const struct adapter postgresql_adapter = {
    .name = "postgres",
    .scheme = "postgresql",
    .summary = "a PostgreSQL server that runs already, in a schema of loadline's own",
    .caps = ADAPTER_ROLLBACK | ADAPTER_KEEPS_ROWS,
    .forecast = postgres_forecast_server,
    .paths = postgres_place_paths,
    .clean = postgres_place_clean,
    SHARED_SLOTS,
};
