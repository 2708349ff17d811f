#include "postgres.h"

#include <math.h>
#include <stdio.h>

#include "run.h"

static const char *const settings[] = {"version",
                                       "15.18",
                                       "fsync",
                                       "on",
                                       "synchronous_commit",
                                       "on",
                                       "wal_sync_method",
                                       "fdatasync",
                                       "full_page_writes",
                                       "on",
                                       "data_checksums",
                                       "on",
                                       NULL};

static const struct trial_record plain_trial = {
    .ended_by = ENDED_DONE, .commit_flushes = true, .create_ns = 12000000, .remove_ns = 9000000};

/* A server's counters for so many commits and rows. */
static void count(struct metric *metrics, double commits, double rows, double bytes_a_row,
                  double records_a_row, double syncs, double backend_buffers)
{
    const struct metric counted[] = {{"wal_bytes", true, round(rows * bytes_a_row)},
                                     {"wal_records", true, round(rows * records_a_row + commits)},
                                     {"wal_full_page_images", true, round(rows * 0.002)},
                                     {"wal_sync_count", true, round(commits * syncs)},
                                     {"checkpoints", true, 1},
                                     {"checkpoint_buffers", true, round(rows / 60)},
                                     {"background_buffers", true, 0},
                                     {"backend_buffers", true, backend_buffers},
                                     {"deadlocks", true, 0},
                                     {"autovacuums", true, 0},
                                     {"dead_rows", false, 0},
                                     {"heap_bytes", false, round(rows / 53) * 8192},
                                     {"index_bytes", false, round(rows / 367) * 8192},
                                     {NULL, false, 0}};
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        metrics[i] = counted[i];
}
enum { METRICS = 14 };

static const struct wait_record alone[] = {{"CPU", "cpu", 0.71},
                                           {"IO:WALSync", "flush", 0.14},
                                           {"IO:WALWrite", "flush", 0.05},
                                           {"Client:ClientRead", "client", 0.08},
                                           {"IO:DataFileExtend", "file", 0.02},
                                           {NULL, NULL, 0}};
static const struct wait_record shared[] = {{"Lock:extend", "extend", 0.69},
                                            {"CPU", "cpu", 0.12},
                                            {"IO:WALSync", "flush", 0.05},
                                            {"LWLock:WALWrite", "group", 0.05},
                                            {"LWLock:BufferContent", "buffer", 0.04},
                                            {"LWLock:WALInsert", "log_insert", 0.03},
                                            {"Client:ClientRead", "client", 0.02},
                                            {NULL, NULL, 0}};
static const struct wait_record separate[] = {{"CPU", "cpu", 0.58},
                                              {"LWLock:WALWrite", "group", 0.17},
                                              {"LWLock:WALInsert", "log_insert", 0.09},
                                              {"IO:WALSync", "flush", 0.07},
                                              {"Client:ClientRead", "client", 0.06},
                                              {"IO:DataFileExtend", "file", 0.03},
                                              {NULL, NULL, 0}};

/* One table or one for each stream, alone and with 16. */
static void make_contention(void)
{
    static const char *const keys[] = {"workload.streams",
                                       "1|16",
                                       "workload.rows_per_commit",
                                       "1000",
                                       "workload.rows",
                                       "1000000",
                                       "workload.layout",
                                       "shared-table|table-per-stream",
                                       NULL};
    static const char *const layouts[] = {"shared-table", "table-per-stream"};
    static const struct {
        unsigned streams, layout;
        double rows_per_s, flushes, busy;
        const struct wait_record *waits;
    } steps[] = {{1, 0, 228e3, 1.02, 0.21, alone},
                 {16, 0, 251e3, 0.61, 0.34, shared},
                 {1, 1, 231e3, 1.02, 0.21, alone},
                 {16, 1, 498e3, 0.42, 0.93, separate}};
    const struct run run = {.name = "postgres",
                            .workload_name = "postgres-contention",
                            .engine = "postgres",
                            .engine_version = "15.18",
                            .write_cache = "write back",
                            .path = "/mnt/ssd",
                            .keys = keys,
                            .trials = 4,
                            .has_log = true,
                            .settings = settings};
    struct world world;
    struct log *log = run_open(&run, &world);
    for (unsigned i = 0; i < 4; i++) {
        char text[16];
        struct metric metrics[METRICS];
        snprintf(text, sizeof text, "%u", steps[i].streams);
        const struct factor_record factors[] = {{"streams", text, steps[i].streams},
                                                {"layout", layouts[steps[i].layout], NAN}};
        struct trial_record record = plain_trial;
        record.factor_count = 2;
        record.factors = factors;
        double rows = 1e6 * steps[i].streams;
        count(metrics, rows / 1000, rows, 181, 0.034, steps[i].flushes, round(rows / 70));
        struct scene insert = {.kind = PHASE_INSERT,
                               .streams = steps[i].streams,
                               .rows_per_commit = 1000,
                               .rows = rows,
                               .seconds = rows / steps[i].rows_per_s,
                               .data_writes = 4.6,
                               .flushes = steps[i].flushes,
                               .bytes = 214000,
                               .write_ms = 0.21,
                               .flush_ms = 0.62,
                               .median_ms = 1000 * steps[i].streams / steps[i].rows_per_s * 1000,
                               .host_busy = steps[i].busy,
                               .client_share = 0.1 * sqrt(steps[i].streams),
                               .floor = 880 * sqrt(steps[i].streams),
                               .metrics = metrics,
                               .waits = steps[i].waits,
                               .looks = rows / steps[i].rows_per_s * 10 * steps[i].streams};
        run_trial(log, &world, &record, (struct scene[]){insert}, 1);
    }
    run_end(&run, log, &world);
}

static const struct wait_record flushing[] = {{"LWLock:WALWrite", "group", 0.66},
                                              {"IO:WALSync", "flush", 0.11},
                                              {"CPU", "cpu", 0.09},
                                              {"Client:ClientRead", "client", 0.08},
                                              {"IO:WALWrite", "flush", 0.02},
                                              {"IPC:ProcArrayGroupUpdate", "other", 0.03},
                                              {"LWLock:BufferContent", "buffer", 0.01},
                                              {NULL, NULL, 0}};
static const struct wait_record working[] = {{"CPU", "cpu", 0.52},
                                             {"Client:ClientRead", "client", 0.37},
                                             {"IO:WALWrite", "flush", 0.06},
                                             {"LWLock:WALWrite", "group", 0.05},
                                             {NULL, NULL, 0}};

static const char *const single_keys[] = {"workload.streams",
                                          "8",
                                          "workload.rows_per_commit",
                                          "1",
                                          "workload.rows",
                                          "20000",
                                          "postgres.wal",
                                          "/mnt/log",
                                          NULL};

static struct scene single_rows(enum phase_kind kind, double seconds)
{
    return (struct scene){.kind = kind,
                          .streams = 8,
                          .rows_per_commit = 1,
                          .rows = 160000,
                          .seconds = seconds,
                          .data_writes = 0.04,
                          .bytes = 2100,
                          .write_ms = 0.07,
                          .flush_ms = 0.66,
                          .median_ms = seconds * 8 / 160000 * 1000,
                          .host_busy = 0.31,
                          .client_share = 0.55,
                          .floor = 5200,
                          .looks = seconds * 80,
                          .single_call = true};
}

/* The log on a drive of its own. */
static void make_placement(void)
{
    const struct run run = {.name = "placement",
                            .workload_name = "postgres-wal-placement",
                            .engine = "postgres",
                            .engine_version = "15.18",
                            .write_cache = "write back",
                            .path = "/mnt/ssd",
                            .log_path = "/mnt/log",
                            .keys = single_keys,
                            .trials = 1,
                            .settings = settings};
    struct world world;
    struct log *log = run_open(&run, &world);
    struct trial_record record = plain_trial;
    struct metric inserted[METRICS], deleted[METRICS];
    struct scene insert = single_rows(PHASE_INSERT, 22.5), delete = single_rows(PHASE_DELETE, 19.8);
    count(inserted, 160000, 160000, 285, 2.02, 0.27, 0);
    count(deleted, 160000, 160000, 152, 1.01, 0.28, 0);
    deleted[10].value = 160000; /* dead rows */
    insert.metrics = inserted;
    delete.metrics = deleted;
    insert.waits = delete.waits = flushing;
    insert.flushes = 0.27;
    delete.flushes = 0.28;
    insert.log_writes = 0.31;
    insert.log_bytes = 3350;
    delete.log_writes = 0.30;
    delete.log_bytes = 2690;
    run_trial(log, &world, &record, (struct scene[]){insert, delete}, 2);
    run_end(&run, log, &world);
}

static const char fsync_is_off[] =
    "fsync is off: a crash of the operating system or a power cut can lose commits and corrupt the "
    "cluster";

/* Fast, and worth nothing. */
static void make_fsync_off(void)
{
    static const char *const off[] = {"version",
                                      "15.18",
                                      "durability",
                                      fsync_is_off,
                                      "fsync",
                                      "off",
                                      "synchronous_commit",
                                      "on",
                                      "wal_sync_method",
                                      "fdatasync",
                                      "full_page_writes",
                                      "on",
                                      "data_checksums",
                                      "on",
                                      NULL};
    static const struct setting_record records[] = {
        {"version", "15.18"}, {"durability", fsync_is_off}, {"fsync", "off"}};
    const struct run run = {.name = "fsync-off",
                            .workload_name = "postgres-million",
                            .engine = "postgres",
                            .engine_version = "15.18",
                            .write_cache = "write back",
                            .path = "/mnt/ssd",
                            .keys = single_keys,
                            .trials = 1,
                            .has_log = true,
                            .settings = off};
    struct world world;
    struct log *log = run_open(&run, &world);
    struct trial_record record = plain_trial;
    struct metric inserted[METRICS];
    struct scene insert = single_rows(PHASE_INSERT, 3.9);
    count(inserted, 160000, 160000, 285, 2.02, 0, 0);
    inserted[3] = inserted[2]; /* nothing is synced, so nothing counts it */
    record.settings = records;
    record.setting_count = sizeof records / sizeof *records;
    insert.metrics = inserted;
    insert.waits = working;
    insert.host_busy = 0.72;
    insert.data_writes = 0.05;
    insert.bytes = 2400;
    run_trial(log, &world, &record, (struct scene[]){insert}, 1);
    run_end(&run, log, &world);
}

void postgres_logs(void)
{
    make_contention();
    make_placement();
    make_fsync_off();
}
