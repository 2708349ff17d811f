/* No database: the same bytes into fixed slots of a file that has its size already, and
 * fdatasync.  The floor of what a commit costs on a drive. */
#include "adapter.h"

#include <stdlib.h>

#include "files.h"
#include "fsync/store.h"
#include "workload/layout.h"

static enum op_status fsync_paths(const struct adapter_config *config,
                                  const struct adapter_sink *sink, struct op_error *why)
{
    (void)why;
    sink->path(sink->ctx, DEVICE_DATA, config->directory);
    return OP_OK;
}

static enum op_status fsync_facts(struct adapter_db *handle, const struct adapter_sink *sink,
                                  struct op_error *why)
{
    (void)handle;
    (void)why;
    sink->fact(sink->ctx, "version", LOADLINE_VERSION);
    return OP_OK;
}

/* A commit dirties the 4 KiB blocks under its slots, and each is written once: at random
 * slots one or more blocks a row, else as many as the rows fill and one that is shared with the
 * next commit.  2 KiB for what the file system adds now and then. */
static enum op_status fsync_forecast(const struct adapter_config *config,
                                     struct adapter_forecast *forecast, struct op_error *why)
{
    const struct workload *load = config->load;
    double block = 4096, slot = (double)row_bytes(&load->shape);
    double rows = (double)(load->rows_per_commit < load->rows ? load->rows_per_commit : load->rows);
    double commits = (double)((load->rows + load->rows_per_commit - 1) / load->rows_per_commit);
    bool random = load->key_order == ORDER_RANDOM || load->delete_order == ORDER_RANDOM;
    (void)why;
    *forecast = (struct adapter_forecast){.commit_flushes = true};
    for (int phase = 0; phase < PHASE_KINDS; phase++)
        forecast->write_bytes[phase] =
            commits * (random ? rows * (slot + block) : rows * slot + block) + commits * 2048;
    forecast->space_bytes = (double)load->rows * slot + block;
    return OP_OK;
}

static enum op_status fsync_settle(struct adapter_db *db, struct op_error *why)
{
    (void)db;
    (void)why;
    return OP_OK;
}

static enum op_status fsync_stats(struct adapter_db *handle, const struct adapter_sink *sink,
                                  struct op_error *why)
{
    const struct fsync_db *db = (const struct fsync_db *)handle;
    uint64_t writes = 0, syncs = 0;
    (void)why;
    for (unsigned stream = 0; stream < db->load->streams; stream++) {
        writes += db->conns[stream].writes;
        syncs += db->conns[stream].syncs;
    }
    sink->metric(sink->ctx, "pwrite_calls", METRIC_COUNTER, (double)writes);
    sink->metric(sink->ctx, "fdatasync_calls", METRIC_COUNTER, (double)syncs);
    return OP_OK;
}

static int fsync_lock_domain(const struct adapter_db *db, unsigned stream)
{
    (void)db;
    (void)stream;
    return -1;
}

static void fsync_observe(struct adapter_db *db, const struct adapter_sink *sink)
{
    (void)db;
    (void)sink;
}

/* A call in progress is a pwrite or an fdatasync: nothing can make those return. */
static void fsync_interrupt(struct adapter_conn *conn)
{
    (void)conn;
}

const struct adapter fsync_adapter = {
    .name = "fsync",
    .summary = "no database: write and fdatasync, the floor of a commit",
    .caps = ADAPTER_LOCAL_FILES | ADAPTER_KEEPS_ROWS,
    .options = NULL,
    .forecast = fsync_forecast,
    .paths = fsync_paths,
    .open = fsync_store_open,
    .facts = fsync_facts,
    .create = fsync_store_create,
    .settle = fsync_settle,
    .stats = fsync_stats,
    .scan = fsync_scan_table,
    .integrity = fsync_scan_integrity,
    .destroy = fsync_store_destroy,
    .close = fsync_store_close,
    .lock_domain = fsync_lock_domain,
    .observe = fsync_observe,
    .connect = fsync_conn_connect,
    .begin = fsync_conn_begin,
    .insert = fsync_conn_insert,
    .remove = fsync_conn_remove,
    .commit = fsync_conn_commit,
    .rollback = fsync_conn_rollback,
    .disconnect = fsync_conn_disconnect,
    .interrupt = fsync_interrupt,
};
