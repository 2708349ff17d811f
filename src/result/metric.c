#include "result/metric.h"

#include <string.h>

#define HIGHER METRIC_HIGHER_IS_BETTER
#define LOWER  METRIC_LOWER_IS_BETTER
#define NONE   METRIC_NEUTRAL

#define LATENCY(name, what)                                                                        \
    {"latency_ms." name ".count", "", NONE, what ": how many were measured"},                      \
        {"latency_ms." name ".mean", "ms", LOWER, what ": mean"},                                  \
        {"latency_ms." name ".p50", "ms", LOWER, what ": median"},                                 \
        {"latency_ms." name ".p90", "ms", LOWER, what ": 90% are not above"},                      \
        {"latency_ms." name ".p99", "ms", LOWER, what ": 99% are not above"},                      \
        {"latency_ms." name ".p999", "ms", LOWER, what ": 99.9% are not above"},                   \
    {                                                                                              \
        "latency_ms." name ".max", "ms", LOWER, what ": the longest"                               \
    }

#define COST(name, when)                                                                           \
    {name ".writes", "writes/commit", LOWER, "writes of a commit " when ", flushes included"},     \
        {name ".data_writes", "writes/commit", LOWER, "writes of a commit with data " when},       \
        {name ".flushes", "flushes/commit", LOWER, "flushes of a commit " when},                   \
    {                                                                                              \
        name ".bytes", "bytes/commit", LOWER, "bytes of a commit on the drive " when               \
    }

#define WAIT(group, what)                                                                          \
    {                                                                                              \
        "waits.groups." group, "", LOWER, "of the streams' time: " what                            \
    }

const struct metric_row metric_rows[] = {
    {"rows_per_s", "rows/s", HIGHER, "rows in acknowledged commits, from start to last commit"},
    {"commits_per_s", "commits/s", HIGHER, "acknowledged commits, from start to last commit"},
    {"all_streams.rows_per_s", "rows/s", HIGHER, "rows until the first stream finished"},
    {"all_streams.commits_per_s", "commits/s", HIGHER, "commits until the first stream finished"},
    {"all_streams.elapsed_s", "s", NONE, "time until the first stream finished"},
    {"elapsed_s", "s", LOWER, "from the start to the last acknowledged commit"},
    {"settle_s", "s", LOWER, "checkpoint, file system sync and drain after the phase"},
    {"rows", "rows", NONE, "rows in acknowledged commits"},
    {"commits", "commits", NONE, "acknowledged commits"},
    LATENCY("transaction", "whole transaction, lock wait to commit"),
    LATENCY("lock_wait", "waiting for the writer's lock"),
    LATENCY("statement", "all rows of a transaction"),
    LATENCY("commit", "COMMIT alone"),
    {"retries.busy", "", LOWER, "transactions repeated: lock not granted"},
    {"retries.conflict", "", LOWER, "transactions repeated: conflict"},
    {"retries.deadlock", "", LOWER, "transactions repeated: deadlock"},
    {"reconnects", "", LOWER, "connections made again"},
    {"in_doubt_rows", "rows", LOWER, "rows of commits whose outcome was lost"},
    {"fairness", "", HIGHER, "Jain's index of the streams' commits: 1 is fair"},
    {"concurrency", "streams", NONE, "transactions in progress at one time, mean"},
    COST("per_commit", "in the phase"),
    COST("per_commit_settled", "with the settle"),
    COST("wal_growing.per_commit", "while the WAL grew"),
    COST("wal_recycled.per_commit", "while the WAL was reused"),
    {"device_bytes_per_row_byte", "", LOWER, "device bytes, settle included, per byte of rows"},
    {"share_of_floor", "", HIGHER, "commits/s as a share of plain write and fdatasync"},
    {"floor_commits_per_s", "commits/s", NONE, "plain write and fdatasync of a commit's bytes"},
    {"cpu.client_s", "s", LOWER, "CPU time of loadline and the engine inside it"},
    {"cpu.host_busy", "", LOWER, "busy share of all CPUs"},
    {"cpu.client_us_per_commit", "us", LOWER, "client CPU time of a commit"},
    {"cpu.client_us_per_row", "us", LOWER, "client CPU time of a row"},
    {"data.reads", "", NONE, "reads completed by the data device"},
    {"data.writes", "", NONE, "writes completed, flushes' zero-sector writes included"},
    {"data.write_merges", "", NONE, "writes that were joined to others in the queue"},
    {"data.data_writes", "", NONE, "writes with data; an upper bound where flushes merged"},
    {"data.flushes", "", NONE, "flushes executed by the whole disks"},
    {"data.read_bytes", "bytes", NONE, "bytes read"},
    {"data.write_bytes", "bytes", NONE, "bytes written in the phase"},
    {"data.settle_write_bytes", "bytes", NONE, "bytes written while settling"},
    {"data.discards", "", NONE, "discards completed"},
    {"data.write_iops", "writes/s", NONE, "writes with data per second"},
    {"data.write_request_bytes", "bytes", NONE, "mean size of a write with data"},
    {"data.write_await_ms", "ms", LOWER, "mean time of a write with data"},
    {"data.flush_await_ms", "ms", LOWER, "mean time of a flush"},
    {"data.queue_depth", "", NONE, "requests in the device at one time, mean"},
    {"data.max_in_flight", "", NONE, "most requests in flight at any sample"},
    {"data.temperature_c.start", "C", NONE, "of the first disk when the phase began"},
    {"data.temperature_c.max", "C", LOWER, "of the first disk, the highest in the phase"},
    {"data.foreign.write_bytes", "bytes", NONE, "bytes that others wrote to the drive"},
    {"data.foreign.read_bytes", "bytes", NONE, "bytes that others read from the drive"},
    {"data.foreign.share", "", LOWER, "others' share of what the drive wrote, or wrote and read"},
    {"wal.flushes", "", NONE, "flushes executed by the whole disks that the log lies on"},
    {"wal.write_bytes", "bytes", NONE, "bytes written to the device that the log lies on"},
    {"wal.write_iops", "writes/s", NONE, "writes with data per second to that device"},
    {"wal.write_request_bytes", "bytes", NONE, "mean size of a write with data to that device"},
    {"wal.write_await_ms", "ms", LOWER, "mean time of a write with data to that device"},
    {"wal.flush_await_ms", "ms", LOWER, "mean time of a flush of that device"},
    {"wal.queue_depth", "", NONE, "requests in that device at one time, mean"},
    {"wal.foreign.write_bytes", "bytes", NONE, "bytes that others wrote to that device's drive"},
    {"wal.foreign.read_bytes", "bytes", NONE, "bytes that others read from that drive"},
    {"wal.foreign.share", "", LOWER, "others' share of what that drive wrote, or wrote and read"},
    {"correlation.commits_vs_writes.slope", "writes/commit", LOWER, "slope over intervals"},
    {"correlation.commits_vs_writes.r", "", NONE, "correlation of commits and writes"},
    {"correlation.commits_vs_flushes.slope", "flushes/commit", LOWER, "slope over intervals"},
    {"correlation.commits_vs_flushes.r", "", NONE, "correlation of commits and flushes"},
    {"server.per_commit.wal_bytes", "bytes/commit", LOWER, "the server's log for a commit"},
    {"server.per_commit.wal_records", "records/commit", LOWER, "records of the log for a commit"},
    {"server.per_commit.wal_full_page_images", "images/commit", LOWER,
     "whole pages in the log for a commit"},
    {"server.per_commit.wal_sync_count", "syncs/commit", LOWER, "syncs of the log for a commit"},
    {"server.per_row.wal_bytes", "bytes/row", LOWER, "the server's log for a row"},
    {"server.per_row.wal_records", "records/row", LOWER, "records of the log for a row"},
    {"server.per_row.wal_full_page_images", "images/row", LOWER,
     "whole pages in the log for a row"},
    {"engine.checkpoints", "", NONE, "checkpoints that the engine made"},
    {"engine.checkpoint_buffers", "", NONE, "buffers that the checkpointer wrote"},
    {"engine.background_buffers", "", NONE, "buffers that the background writer wrote"},
    {"engine.backend_buffers", "", LOWER, "buffers that the sessions had to write themselves"},
    {"engine.deadlocks", "", LOWER, "deadlocks that the server found"},
    {"engine.autovacuums", "", NONE, "tables that autovacuum cleaned"},
    {"gauges.dead_rows", "rows", LOWER, "dead rows at the end, by the server's estimate"},
    {"gauges.heap_bytes", "bytes", LOWER, "size of the tables at the end"},
    {"gauges.index_bytes", "bytes", LOWER, "size of their indexes at the end"},
    {"waits.observations", "", NONE, "how often a stream's session was looked at"},
    {"waits.groups.cpu", "", NONE, "of the streams' time: work without a wait"},
    WAIT("flush", "writing or flushing the log"),
    WAIT("group", "waiting for another one's flush"),
    WAIT("log_insert", "waiting for room in the log's buffer"),
    WAIT("extend", "waiting to extend a table"),
    WAIT("row", "waiting for row and transaction locks"),
    WAIT("buffer", "waiting for a page that another one uses"),
    WAIT("file", "waiting for data files"),
    {"waits.groups.client", "", NONE, "of the streams' time: the server waits for loadline"},
    {"waits.groups.other", "", NONE, "of the streams' time: other waits"},
    {"verify.lost_rows", "rows", LOWER, "acknowledged rows that were not found"},
    {"verify.surplus_rows", "rows", LOWER, "rows found that should not be there"},
    {"verify.wrong_rows", "rows", LOWER, "rows with other contents than were written"},
    {NULL, NULL, NONE, NULL},
};

static const json_t *device_of(const json_t *phase, const char *wanted)
{
    const char *name;
    json_t *device;
    json_object_foreach((json_t *)json_at(phase, "devices"), name, device)
    {
        const char *role = json_text_at(device, "role");
        if (role && strcmp(role, wanted) == 0)
            return device;
    }
    return NULL;
}

/* The object that the path leads from, and the rest of the path. */
static const json_t *path_start(const json_t *phase, const char **path)
{
    static const char data[] = "data.", wal[] = "wal.";
    if (strncmp(*path, data, sizeof data - 1) == 0) {
        *path += sizeof data - 1;
        return device_of(phase, "data");
    }
    if (strncmp(*path, wal, sizeof wal - 1) != 0)
        return phase;
    *path += sizeof wal - 1;
    const json_t *device = device_of(phase, "wal");
    return device ? device : device_of(phase, "data");
}

double metric_value(const json_t *phase, const char *path)
{
    const json_t *from = path_start(phase, &path);
    return json_number_at(from, path);
}

const char *metric_text(const json_t *phase, const char *path)
{
    const json_t *from = path_start(phase, &path);
    return json_text_at(from, path);
}
