#include <sqlite3.h>

#include "base/clock.h"
#include "sqlite/db.h"

/* The hook is called after the write lock was given back, so other connections may be
 * between two commits: the two numbers of a file are then off by one commit, no more. */
static void note_frames(struct sqlite_file *file, int frames)
{
    int seen = atomic_load_explicit(&file->frames_seen, memory_order_relaxed);
    if (frames < seen) /* the WAL began anew */
        atomic_store_explicit(&file->frames_moved, 0, memory_order_relaxed);
    if (frames != seen)
        atomic_store_explicit(&file->frames_seen, frames, memory_order_relaxed);
}

/* What SQLite's own hook does, counted and timed.  Like that one it ignores failures (another
 * connection checkpoints: BUSY): the transaction is committed, the next hook tries again. */
static int on_commit(void *ctx, sqlite3 *handle, const char *schema, int frames)
{
    struct sqlite_conn *conn = ctx;
    struct sqlite_file *file = conn->file;
    int in_log = 0, moved = 0;
    note_frames(file, frames);
    if (frames < conn->db->settings.wal_autocheckpoint_pages)
        return SQLITE_OK;
    int64_t start_ns = clock_now_ns();
    int rc = sqlite3_wal_checkpoint_v2(handle, schema, SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
    conn->counters.checkpoint_ns += clock_now_ns() - start_ns;
    if (rc != SQLITE_OK)
        return SQLITE_OK;
    conn->counters.checkpoints++;
    int before = atomic_exchange_explicit(&file->frames_moved, moved, memory_order_relaxed);
    if (moved > before)
        conn->counters.checkpoint_frames += (uint64_t)(moved - before);
    return SQLITE_OK;
}

void sqlite_hook_install(struct sqlite_conn *conn)
{
    sqlite3_wal_autocheckpoint(conn->handle, 0);
    if (conn->db->settings.wal_autocheckpoint_pages > 0)
        sqlite3_wal_hook(conn->handle, on_commit, conn);
}

/* The delays of SQLite's own handler, in ms, the last one repeated; ours can be interrupted
 * and counts. */
static int on_busy(void *ctx, int count)
{
    static const int delays_ms[] = {1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100};
    enum { DELAYS = sizeof delays_ms / sizeof *delays_ms };
    struct sqlite_conn *conn = ctx;
    int64_t now_ns = clock_now_ns();
    if (count == 0) {
        conn->wait_since_ns = now_ns;
        conn->counters.busy_waits++;
    }
    int64_t end_ns = conn->wait_since_ns + conn->db->settings.busy_timeout_ns;
    if (now_ns >= end_ns || atomic_load(&conn->interrupted))
        return 0;
    int64_t wake_ns = now_ns + delays_ms[count < DELAYS ? count : DELAYS - 1] * NS_PER_MS;
    clock_sleep_until(wake_ns < end_ns ? wake_ns : end_ns);
    conn->counters.busy_wait_ns += clock_now_ns() - now_ns;
    return 1;
}

void sqlite_hook_wait(struct sqlite_conn *conn, bool wait)
{
    sqlite3_busy_handler(conn->handle, wait ? on_busy : NULL, conn);
}

static uint64_t take(sqlite3 *handle, int which)
{
    int now = 0, highest = 0;
    return sqlite3_db_status(handle, which, &now, &highest, 1) == SQLITE_OK ? (uint64_t)now : 0;
}

void sqlite_hook_harvest(struct sqlite_conn *conn)
{
    conn->counters.cache_spills += take(conn->handle, SQLITE_DBSTATUS_CACHE_SPILL);
    conn->counters.cache_writes += take(conn->handle, SQLITE_DBSTATUS_CACHE_WRITE);
}

enum op_status sqlite_hook_stats(struct adapter_db *handle, const struct adapter_sink *sink,
                                 struct op_error *why)
{
    struct sqlite_db *db = (struct sqlite_db *)handle;
    struct sqlite_counters sum = {0};
    (void)why;
    for (unsigned stream = 0; stream < db->conn_count; stream++) {
        struct sqlite_conn *conn = &db->conns[stream];
        pthread_mutex_lock(&conn->mutex);
        if (conn->handle != NULL)
            sqlite_hook_harvest(conn);
        pthread_mutex_unlock(&conn->mutex);
        sum.checkpoints += conn->counters.checkpoints;
        sum.checkpoint_frames += conn->counters.checkpoint_frames;
        sum.checkpoint_ns += conn->counters.checkpoint_ns;
        sum.busy_waits += conn->counters.busy_waits;
        sum.busy_wait_ns += conn->counters.busy_wait_ns;
        sum.cache_spills += conn->counters.cache_spills;
        sum.cache_writes += conn->counters.cache_writes;
    }
    if (sqlite_settings_wal(&db->settings)) {
        sink->metric(sink->ctx, "checkpoints", METRIC_COUNTER, (double)sum.checkpoints);
        sink->metric(sink->ctx, "checkpoint_ms", METRIC_COUNTER, (double)sum.checkpoint_ns / 1e6);
        sink->metric(sink->ctx, "checkpoint_frames", METRIC_COUNTER, (double)sum.checkpoint_frames);
    }
    sink->metric(sink->ctx, "busy_waits", METRIC_COUNTER, (double)sum.busy_waits);
    sink->metric(sink->ctx, "busy_wait_ms", METRIC_COUNTER, (double)sum.busy_wait_ns / 1e6);
    sink->metric(sink->ctx, "cache_spills", METRIC_COUNTER, (double)sum.cache_spills);
    sink->metric(sink->ctx, "cache_writes", METRIC_COUNTER, (double)sum.cache_writes);
    return OP_OK;
}
