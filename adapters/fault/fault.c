/* A decorator: another engine, one of whose calls goes wrong on purpose.
 *
 * It has the adapter's own shape, so the driver needs no hook for tests. */
#include "fault/fault.h"

#include <stdlib.h>
#include <string.h>

struct fault_conn {
    _Alignas(64) struct adapter_conn base;
    struct fault_db *db;
    _Atomic(struct adapter_conn *) inner; /* interrupt reads it while the stream reconnects */
    struct row_batch *altered;            /* NULL unless fault.row alters batches */
};

struct fault_db {
    struct adapter_db base;
    struct adapter_config config; /* the inner engine's */
    const struct adapter *inner;
    struct adapter_db *inner_db;
    struct fault_plan plan;
    struct fault_conn *conns; /* [streams]; live until close, so interrupt finds them */
};

extern const struct adapter fault_adapter;

/* Wraps one call of the inner engine: delay, fail before it, do it, fail after it.  What the
 * inner engine says of itself goes first. */
#define FAULT_WRAP(plan, which, why, call)                                                         \
    bool hit = fault_plan_hits(plan, which);                                                       \
    if (hit)                                                                                       \
        fault_plan_delay(plan);                                                                    \
    if (hit && !(plan)->after && (plan)->status != OP_OK)                                          \
        return fault_plan_fail(plan, why);                                                         \
    enum op_status status = (call);                                                                \
    if (hit && status == OP_OK && (plan)->after && (plan)->status != OP_OK)                        \
    status = fault_plan_fail(plan, why)

static struct fault_db *db_of(const struct adapter_db *handle)
{
    return (struct fault_db *)handle;
}

static enum op_status fault_forecast(const struct adapter_config *config,
                                     struct adapter_forecast *forecast, struct op_error *why)
{
    struct fault_plan plan;
    struct adapter_config inside = *config;
    const struct adapter *inner = fault_plan_inner(config, why);
    if (inner == NULL)
        return OP_FATAL;
    inside.inner = NULL;
    fault_plan_read(&plan, config->load);
    FAULT_WRAP(&plan, FAULT_FORECAST, why, inner->forecast(&inside, forecast, why));
    return status;
}

static enum op_status fault_paths(const struct adapter_config *config,
                                  const struct adapter_sink *sink, struct op_error *why)
{
    struct fault_plan plan;
    struct adapter_config inside = *config;
    const struct adapter *inner = fault_plan_inner(config, why);
    if (inner == NULL)
        return OP_FATAL;
    inside.inner = NULL;
    fault_plan_read(&plan, config->load);
    FAULT_WRAP(&plan, FAULT_PATHS, why, inner->paths(&inside, sink, why));
    return status;
}

static void fault_close(struct adapter_db *handle)
{
    struct fault_db *db = db_of(handle);
    if (db->inner_db != NULL)
        db->inner->close(db->inner_db);
    for (unsigned stream = 0; db->conns != NULL && stream < db->config.load->streams; stream++)
        row_batch_destroy(db->conns[stream].altered);
    free(db->conns);
    free(db);
}

static enum op_status open_inner(struct fault_db *db, struct op_error *why)
{
    FAULT_WRAP(&db->plan, FAULT_OPEN, why, db->inner->open(&db->config, &db->inner_db, why));
    return status;
}

static enum op_status fault_open(const struct adapter_config *config, struct adapter_db **out,
                                 struct op_error *why)
{
    unsigned streams = config->load->streams;
    const struct adapter *inner = fault_plan_inner(config, why);
    if (inner == NULL)
        return OP_FATAL;
    struct fault_db *db = calloc(1, sizeof *db);
    if (db == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for a trial");
    db->base.ops = &fault_adapter;
    db->config = *config;
    db->config.inner = NULL;
    if ((inner->caps & ADAPTER_LOCAL_FILES) == 0)
        db->config.directory = db->config.log_directory = NULL;
    db->inner = inner;
    db->conns = aligned_alloc(_Alignof(struct fault_conn), streams * sizeof *db->conns);
    for (unsigned i = 0; db->conns != NULL && i < streams; i++)
        db->conns[i] = (struct fault_conn){.base.ops = &fault_adapter, .db = db};
    fault_plan_read(&db->plan, config->load);
    enum op_status status = db->conns == NULL
                                ? op_fail(why, OP_FATAL, 0, "no memory for %u streams", streams)
                                : open_inner(db, why);
    if (status != OP_OK) {
        fault_close(&db->base);
        return status;
    }
    *out = &db->base;
    return OP_OK;
}

static enum op_status fault_facts(struct adapter_db *handle, const struct adapter_sink *sink,
                                  struct op_error *why)
{
    struct fault_db *db = db_of(handle);
    FAULT_WRAP(&db->plan, FAULT_FACTS, why, db->inner->facts(db->inner_db, sink, why));
    return status;
}

static enum op_status fault_create(struct adapter_db *handle, struct op_error *why)
{
    struct fault_db *db = db_of(handle);
    FAULT_WRAP(&db->plan, FAULT_CREATE, why, db->inner->create(db->inner_db, why));
    return status;
}

/* What the inner engine leaves out is no failure here either. */
static enum op_status fault_maintain(struct adapter_db *handle, enum phase_kind next,
                                     struct op_error *why)
{
    struct fault_db *db = db_of(handle);
    FAULT_WRAP(&db->plan, FAULT_MAINTAIN, why,
               db->inner->maintain == NULL ? OP_OK : db->inner->maintain(db->inner_db, next, why));
    return status;
}

static enum op_status fault_settle(struct adapter_db *handle, struct op_error *why)
{
    struct fault_db *db = db_of(handle);
    FAULT_WRAP(&db->plan, FAULT_SETTLE, why, db->inner->settle(db->inner_db, why));
    return status;
}

static enum op_status fault_stats(struct adapter_db *handle, const struct adapter_sink *sink,
                                  struct op_error *why)
{
    struct fault_db *db = db_of(handle);
    FAULT_WRAP(&db->plan, FAULT_STATS, why, db->inner->stats(db->inner_db, sink, why));
    return status;
}

static enum op_status fault_scan(struct adapter_db *handle, unsigned table,
                                 const struct row_visitor *visit, struct op_error *why)
{
    struct fault_db *db = db_of(handle);
    FAULT_WRAP(&db->plan, FAULT_SCAN, why, db->inner->scan(db->inner_db, table, visit, why));
    return status;
}

static enum op_status fault_integrity(struct adapter_db *handle, bool *ok, struct op_error *why)
{
    struct fault_db *db = db_of(handle);
    FAULT_WRAP(&db->plan, FAULT_INTEGRITY, why, db->inner->integrity(db->inner_db, ok, why));
    return status;
}

static enum op_status fault_destroy(struct adapter_db *handle, struct op_error *why)
{
    struct fault_db *db = db_of(handle);
    FAULT_WRAP(&db->plan, FAULT_DESTROY, why, db->inner->destroy(db->inner_db, why));
    return status;
}

static int fault_lock_domain(const struct adapter_db *handle, unsigned stream)
{
    const struct fault_db *db = db_of(handle);
    return db->inner->lock_domain(db->inner_db, stream);
}

static void fault_observe(struct adapter_db *handle, const struct adapter_sink *sink)
{
    struct fault_db *db = db_of(handle);
    db->inner->observe(db->inner_db, sink);
}

static void fault_disconnect(struct adapter_conn *handle)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    conn->inner->ops->disconnect(conn->inner);
}

static enum op_status connect_inner(struct fault_conn *conn, unsigned stream, bool *connected,
                                    struct op_error *why)
{
    struct fault_db *db = conn->db;
    if (db->plan.row != FAULT_ROW_NONE && conn->altered == NULL) {
        conn->altered = row_batch_create(&db->config.load->shape, stream);
        if (conn->altered == NULL)
            return op_fail(why, OP_FATAL, 0, "no memory for stream %u", stream);
    }
    struct adapter_conn *inner = NULL;
    enum op_status status = db->inner->connect(db->inner_db, stream, &inner, why);
    if (status == OP_OK)
        conn->inner = inner;
    *connected = status == OP_OK;
    return status;
}

static enum op_status fault_connect(struct adapter_db *handle, unsigned stream,
                                    struct adapter_conn **out, struct op_error *why)
{
    struct fault_db *db = db_of(handle);
    struct fault_conn *conn = &db->conns[stream];
    bool connected = false;
    FAULT_WRAP(&db->plan, FAULT_CONNECT, why, connect_inner(conn, stream, &connected, why));
    if (status != OP_OK && connected)
        fault_disconnect(&conn->base); /* the caller gets no conn, so it will not */
    if (status == OP_OK)
        *out = &conn->base;
    return status;
}

static enum op_status fault_begin(struct adapter_conn *handle, struct op_error *why)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    FAULT_WRAP(&conn->db->plan, FAULT_BEGIN, why, conn->inner->ops->begin(conn->inner, why));
    return status;
}

/* A copy of a batch from row `first` on. */
static const struct row_batch *copy_rows(struct fault_conn *conn, const struct row_batch *rows,
                                         size_t first, bool whole)
{
    struct row_batch *copy = conn->altered;
    copy->count = rows->count - first;
    memcpy(copy->ids, rows->ids + first, copy->count * sizeof *copy->ids);
    if (whole) {
        memcpy(copy->keys, row_batch_keys(rows, first),
               copy->count * copy->key_columns * sizeof *copy->keys);
        memcpy(copy->payloads, row_batch_payload(rows, first), copy->count * copy->payload_bytes);
    }
    return copy;
}

static enum op_status insert_altered(struct fault_conn *conn, const struct row_batch *rows,
                                     struct op_error *why)
{
    struct fault_plan *plan = &conn->db->plan;
    if (rows->count > 0 && fault_plan_hits_row(plan, FAULT_ROW_DROP)) {
        rows = copy_rows(conn, rows, 1, true);
    } else if (rows->count > 0 && fault_plan_hits_row(plan, FAULT_ROW_CORRUPT)) {
        rows = copy_rows(conn, rows, 0, true);
        if (rows->payload_bytes > 0)
            conn->altered->payloads[rows->payload_bytes / 2] ^= 0x01;
        else
            conn->altered->keys[0] ^= 0x01;
    }
    return conn->inner->ops->insert(conn->inner, rows, why);
}

static enum op_status fault_insert(struct adapter_conn *handle, const struct row_batch *rows,
                                   struct op_error *why)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    FAULT_WRAP(&conn->db->plan, FAULT_INSERT, why, insert_altered(conn, rows, why));
    return status;
}

static enum op_status remove_altered(struct fault_conn *conn, const struct row_batch *keys,
                                     struct op_error *why)
{
    if (keys->count > 0 && fault_plan_hits_row(&conn->db->plan, FAULT_ROW_KEEP))
        keys = copy_rows(conn, keys, 1, false);
    return conn->inner->ops->remove(conn->inner, keys, why);
}

static enum op_status fault_remove(struct adapter_conn *handle, const struct row_batch *keys,
                                   struct op_error *why)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    FAULT_WRAP(&conn->db->plan, FAULT_REMOVE, why, remove_altered(conn, keys, why));
    return status;
}

static enum op_status lacks(const struct fault_conn *conn, const char *slot, struct op_error *why)
{
    return op_fail(why, OP_FATAL, 0, "the engine %s inside fault has no %s", conn->db->inner->name,
                   slot);
}

static enum op_status fault_upsert(struct adapter_conn *handle, const struct row_batch *rows,
                                   struct op_error *why)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    const struct adapter *ops = conn->inner->ops;
    FAULT_WRAP(&conn->db->plan, FAULT_UPSERT, why,
               ops->upsert == NULL ? lacks(conn, "upsert", why)
                                   : ops->upsert(conn->inner, rows, why));
    return status;
}

static enum op_status fault_erase(struct adapter_conn *handle, const struct row_batch *keys,
                                  bool *there, struct op_error *why)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    const struct adapter *ops = conn->inner->ops;
    FAULT_WRAP(&conn->db->plan, FAULT_ERASE, why,
               ops->erase == NULL ? lacks(conn, "erase", why)
                                  : ops->erase(conn->inner, keys, there, why));
    return status;
}

static enum op_status fault_execute(struct adapter_conn *handle, struct op_error *why)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    const struct adapter *ops = conn->inner->ops;
    FAULT_WRAP(&conn->db->plan, FAULT_EXECUTE, why,
               ops->execute == NULL ? OP_OK : ops->execute(conn->inner, why));
    return status;
}

static enum op_status fault_commit(struct adapter_conn *handle, struct op_error *why)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    FAULT_WRAP(&conn->db->plan, FAULT_COMMIT, why, conn->inner->ops->commit(conn->inner, why));
    return status;
}

static enum op_status fault_rollback(struct adapter_conn *handle, struct op_error *why)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    FAULT_WRAP(&conn->db->plan, FAULT_ROLLBACK, why, conn->inner->ops->rollback(conn->inner, why));
    return status;
}

static void fault_interrupt(struct adapter_conn *handle)
{
    struct fault_conn *conn = (struct fault_conn *)handle;
    conn->inner->ops->interrupt(conn->inner);
}

/* Without a workload nothing says which engine is inside: there is nothing to clean. */
static enum op_status fault_clean(const struct adapter_config *config, unsigned *removed,
                                  struct op_error *why)
{
    struct fault_plan plan;
    struct adapter_config inside = *config;
    const struct adapter *inner =
        config->load == NULL ? config->inner : fault_plan_inner(config, why);
    *removed = 0;
    if (inner == NULL)
        return config->load == NULL ? OP_OK : OP_FATAL;
    inside.inner = NULL;
    if (config->load == NULL)
        return inner->clean == NULL ? OP_OK : inner->clean(&inside, removed, why);
    fault_plan_read(&plan, config->load);
    FAULT_WRAP(&plan, FAULT_CLEAN, why,
               inner->clean == NULL ? OP_OK : inner->clean(&inside, removed, why));
    return status;
}

/* A log on a directory of its own is PostgreSQL's; for the others its key is not set. */
const struct adapter fault_adapter = {
    .name = "fault",
    .summary = "another engine, one of whose calls goes wrong on purpose",
    .caps = ADAPTER_ROLLBACK | ADAPTER_LOCAL_FILES | ADAPTER_KEEPS_ROWS | ADAPTER_HIDDEN |
            ADAPTER_OTHER_USER,
    .options = fault_options,
    .log_key = "postgres.wal",
    .forecast = fault_forecast,
    .paths = fault_paths,
    .open = fault_open,
    .facts = fault_facts,
    .create = fault_create,
    .maintain = fault_maintain,
    .settle = fault_settle,
    .stats = fault_stats,
    .scan = fault_scan,
    .integrity = fault_integrity,
    .destroy = fault_destroy,
    .close = fault_close,
    .lock_domain = fault_lock_domain,
    .clean = fault_clean,
    .observe = fault_observe,
    .connect = fault_connect,
    .begin = fault_begin,
    .insert = fault_insert,
    .remove = fault_remove,
    .upsert = fault_upsert,
    .erase = fault_erase,
    .execute = fault_execute,
    .commit = fault_commit,
    .rollback = fault_rollback,
    .disconnect = fault_disconnect,
    .interrupt = fault_interrupt,
};
