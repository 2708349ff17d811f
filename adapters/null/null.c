/* The engine that keeps nothing: what is left is the cost of loadline itself. */
#include "adapter.h"

#include <stdlib.h>

#include "null/checksum.h"

/* One stream's; a cache line of its own. */
struct null_conn {
    _Alignas(64) struct adapter_conn base;
    uint64_t checksum;
    uint64_t inserted;
    uint64_t removed;
};

struct null_db {
    struct adapter_db base;
    unsigned streams;
    struct null_conn *conns; /* [streams]; live until close, so interrupt finds them */
};

extern const struct adapter null_adapter;

static enum op_status null_forecast(const struct adapter_config *config,
                                    struct adapter_forecast *forecast, struct op_error *why)
{
    (void)config;
    (void)why;
    *forecast = (struct adapter_forecast){.commit_flushes = false};
    return OP_OK;
}

static enum op_status null_paths(const struct adapter_config *config,
                                 const struct adapter_sink *sink, struct op_error *why)
{
    (void)config;
    (void)sink;
    (void)why;
    return OP_OK;
}

static enum op_status null_open(const struct adapter_config *config, struct adapter_db **out,
                                struct op_error *why)
{
    unsigned streams = config->load->streams;
    struct null_db *db = calloc(1, sizeof *db);
    struct null_conn *conns = aligned_alloc(_Alignof(struct null_conn), streams * sizeof *conns);
    if (db == NULL || conns == NULL) {
        free(db);
        free(conns);
        return op_fail(why, OP_FATAL, 0, "no memory for %u streams", streams);
    }
    for (unsigned stream = 0; stream < streams; stream++)
        conns[stream] = (struct null_conn){.base.ops = &null_adapter};
    *db = (struct null_db){.base.ops = &null_adapter, .streams = streams, .conns = conns};
    *out = &db->base;
    return OP_OK;
}

static enum op_status null_facts(struct adapter_db *db, const struct adapter_sink *sink,
                                 struct op_error *why)
{
    (void)db;
    (void)why;
    sink->fact(sink->ctx, "version", LOADLINE_VERSION);
    return OP_OK;
}

static enum op_status null_db_nothing(struct adapter_db *db, struct op_error *why)
{
    (void)db;
    (void)why;
    return OP_OK;
}

static enum op_status null_stats(struct adapter_db *handle, const struct adapter_sink *sink,
                                 struct op_error *why)
{
    const struct null_db *db = (const struct null_db *)handle;
    uint64_t checksum = 0, inserted = 0, removed = 0;
    (void)why;
    for (unsigned stream = 0; stream < db->streams; stream++) {
        checksum += db->conns[stream].checksum;
        inserted += db->conns[stream].inserted;
        removed += db->conns[stream].removed;
    }
    sink->metric(sink->ctx, "rows_inserted", METRIC_COUNTER, (double)inserted);
    sink->metric(sink->ctx, "rows_removed", METRIC_COUNTER, (double)removed);
    sink->metric(sink->ctx, "payload_checksum", METRIC_GAUGE, checksum_gauge(checksum));
    return OP_OK;
}

static enum op_status null_scan(struct adapter_db *db, unsigned table,
                                const struct row_visitor *visit, struct op_error *why)
{
    (void)db;
    (void)table;
    (void)visit;
    (void)why;
    return OP_OK;
}

static enum op_status null_integrity(struct adapter_db *db, bool *ok, struct op_error *why)
{
    (void)db;
    (void)why;
    *ok = true;
    return OP_OK;
}

static void null_close(struct adapter_db *handle)
{
    struct null_db *db = (struct null_db *)handle;
    free(db->conns);
    free(db);
}

static int null_lock_domain(const struct adapter_db *db, unsigned stream)
{
    (void)db;
    (void)stream;
    return -1;
}

static void null_observe(struct adapter_db *db, const struct adapter_sink *sink)
{
    (void)db;
    (void)sink;
}

static enum op_status null_connect(struct adapter_db *handle, unsigned stream,
                                   struct adapter_conn **conn, struct op_error *why)
{
    struct null_db *db = (struct null_db *)handle;
    (void)why;
    *conn = &db->conns[stream].base;
    return OP_OK;
}

static enum op_status null_conn_nothing(struct adapter_conn *conn, struct op_error *why)
{
    (void)conn;
    (void)why;
    return OP_OK;
}

static enum op_status null_insert(struct adapter_conn *handle, const struct row_batch *rows,
                                  struct op_error *why)
{
    struct null_conn *conn = (struct null_conn *)handle;
    uint64_t sum = 0;
    (void)why;
    for (size_t i = 0; i < rows->count; i++)
        sum += checksum_row(rows->ids[i], row_batch_payload(rows, i), rows->payload_bytes);
    conn->checksum += sum;
    conn->inserted += rows->count;
    return OP_OK;
}

static enum op_status null_remove(struct adapter_conn *handle, const struct row_batch *keys,
                                  struct op_error *why)
{
    struct null_conn *conn = (struct null_conn *)handle;
    (void)why;
    conn->removed += keys->count;
    return OP_OK;
}

static void null_release(struct adapter_conn *conn)
{
    (void)conn;
}

const struct adapter null_adapter = {
    .name = "null",
    .summary = "does nothing: measures loadline itself",
    .caps = 0,
    .options = NULL,
    .forecast = null_forecast,
    .paths = null_paths,
    .open = null_open,
    .facts = null_facts,
    .create = null_db_nothing,
    .settle = null_db_nothing,
    .stats = null_stats,
    .scan = null_scan,
    .integrity = null_integrity,
    .destroy = null_db_nothing,
    .close = null_close,
    .lock_domain = null_lock_domain,
    .observe = null_observe,
    .connect = null_connect,
    .begin = null_conn_nothing,
    .insert = null_insert,
    .remove = null_remove,
    .commit = null_conn_nothing,
    .rollback = null_conn_nothing,
    .disconnect = null_release,
    .interrupt = null_release,
};
