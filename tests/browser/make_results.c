/* Writes result logs for the pages that the browser tests look at: invented runs as golden/ has
 * them, but with the samples of every trial.
 *
 *     make_results DIRECTORY
 *
 * one.jsonl: one trial with events; parts.jsonl: a bulk part and one with single rows; forty.jsonl:
 * 40 trials; a.jsonl, b.jsonl: two drives to compare, 6 repeats each; postgres.jsonl: a server. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "result/record.h"
#include "run.h"

static const struct scene single_rows = {.kind = PHASE_INSERT,
                                         .streams = 1,
                                         .rows = 24000,
                                         .rows_per_commit = 1,
                                         .seconds = 30,
                                         .data_writes = 1.07,
                                         .flushes = 1,
                                         .bytes = 9626,
                                         .write_ms = 0.06,
                                         .flush_ms = 1.05,
                                         .host_busy = 0.06,
                                         .client_share = 0.11,
                                         .growing = 0.05,
                                         .lock_share = 0.003,
                                         .floor = 964};

static const struct run plain_run = {.workload_name = "million",
                                     .engine = "sqlite",
                                     .engine_version = "3.40.1",
                                     .write_cache = "write back",
                                     .path = "/mnt/ssd",
                                     .trials = 1};

static const struct trial_record plain_trial = {.ended_by = ENDED_DONE,
                                                .begin_locks = true,
                                                .commit_flushes = true,
                                                .create_ns = 12000000,
                                                .remove_ns = 9000000};

static struct scene deleting(struct scene scene)
{
    scene.kind = PHASE_DELETE;
    scene.seconds *= 0.9;
    scene.growing = 0;
    return scene;
}

/* Its samples are written, and its drive has a sensor. */
static struct log *open_sampled(const struct run *run, struct world *world)
{
    struct log *log = run_open(run, world);
    world->log = log;
    world->celsius = 38;
    world->timed = true;
    return log;
}

static void make_one(void)
{
    static const char *const keys[] = {"workload.streams", "1", "workload.rows_per_commit", "1",
                                       NULL};
    struct run run = plain_run;
    struct world world;
    run.name = "one";
    run.keys = keys;
    struct log *log = open_sampled(&run, &world);
    struct trial_record record = plain_trial;
    scene_write(log, event_json(9.25, 0, "checkpoint", "1000 pages of the WAL"));
    scene_write(log, event_json(17.5, 0, "checkpoint", "1000 pages of the WAL"));
    scene_write(log, event_json(21.0, 0, "warning", "nvme0n1 is 61% full"));
    run_trial(log, &world, &record, (struct scene[]){single_rows, deleting(single_rows)}, 2);
    run_end(&run, log, &world);
}

static void make_parts(void)
{
    static const char *const keys[] = {"workload.streams", "1", NULL};
    struct run run = plain_run;
    struct world world;
    run.name = "parts";
    run.keys = keys;
    run.trials = 2;
    run.parts = json_pack("[{s:s, s:s, s:s}, {s:s, s:s, s:s}]", "name", "bulk", "workload.rows",
                          "1000000", "workload.rows_per_commit", "1000", "name", "commits",
                          "workload.rows", "24000", "workload.rows_per_commit", "1");
    struct log *log = open_sampled(&run, &world);
    struct trial_record record = plain_trial;
    struct scene bulk = single_rows;
    bulk.rows = 1000000;
    bulk.rows_per_commit = 1000;
    bulk.seconds = 4.1;
    bulk.data_writes = 2;
    bulk.bytes = 259000;
    bulk.client_share = 0.51;
    record.part = "bulk";
    run_trial(log, &world, &record, (struct scene[]){bulk, deleting(bulk)}, 2);
    record.part = "commits";
    run_trial(log, &world, &record, (struct scene[]){single_rows, deleting(single_rows)}, 2);
    run_end(&run, log, &world);
    json_decref(run.parts);
}

/* Four numbers of streams in two layouts, five repeats, every second in reverse. */
static void make_forty(void)
{
    static const char *const keys[] = {"workload.streams",
                                       "1|10|20|40",
                                       "workload.rows_per_commit",
                                       "1",
                                       "workload.layout",
                                       "shared-table|file-per-stream",
                                       "run.repeats",
                                       "5",
                                       NULL};
    static const char *const layouts[] = {"shared-table", "file-per-stream"};
    static const double rates[2][4] = {{5070, 6100, 6000, 5900}, {5050, 12300, 12000, 12900}};
    static const unsigned streams[] = {1, 10, 20, 40};
    enum { POINTS = 8, REPEATS = 5 };
    struct run run = plain_run;
    struct world world;
    run.name = "forty";
    run.workload_name = "contention";
    run.keys = keys;
    run.trials = POINTS * REPEATS;
    struct log *log = open_sampled(&run, &world);
    for (unsigned i = 0; i < POINTS * REPEATS; i++) {
        unsigned repeat = i / POINTS, point = i % POINTS;
        if (repeat % 2)
            point = POINTS - 1 - point;
        unsigned own = point / 4, step = point % 4;
        char text[16];
        snprintf(text, sizeof text, "%u", streams[step]);
        const struct factor_record factors[] = {{"streams", text, streams[step]},
                                                {"layout", layouts[own], NAN}};
        struct trial_record record = plain_trial;
        record.repeat = repeat;
        record.factor_count = 2;
        record.factors = factors;
        double rate = rates[own][step] * (1 + 0.012 * ((double)repeat - 2));
        struct scene insert = single_rows;
        insert.streams = streams[step];
        insert.rows = rate * 20;
        insert.seconds = 20;
        insert.data_writes = own ? 1 + 0.04 * streams[step] : 1.07;
        insert.flushes = own ? fmax(0.13, 1.0 / streams[step]) : 1;
        insert.flush_ms = 0.12;
        insert.lock_share = own || step == 0 ? 0.02 : 0.9;
        insert.host_busy = own ? 0.14 + 0.01 * streams[step] : 0.2;
        insert.growing = 0;
        insert.floor = 7900;
        run_trial(log, &world, &record, (struct scene[]){insert, deleting(insert)}, 2);
    }
    run_end(&run, log, &world);
}

static void make_drive(const char *name, const char *label, double rate, double flush_ms)
{
    static const char *const keys[] = {"workload.streams",         "1", "run.repeats", "6",
                                       "workload.rows_per_commit", "1", NULL};
    static const double scatter[] = {0.985, 1.012, 1.0, 0.994, 1.021, 0.99};
    struct run run = plain_run;
    struct world world;
    run.name = run.run_id = name;
    run.label = label;
    run.keys = keys;
    run.trials = 6;
    struct log *log = open_sampled(&run, &world);
    for (unsigned i = 0; i < 6; i++) {
        struct trial_record record = plain_trial;
        record.repeat = i;
        struct scene insert = single_rows;
        insert.rows = rate * scatter[i] * 20;
        insert.seconds = 20;
        insert.flush_ms = flush_ms;
        insert.floor = rate * 1.2;
        insert.growing = 0;
        run_trial(log, &world, &record, (struct scene[]){insert, deleting(insert)}, 2);
    }
    run_end(&run, log, &world);
}

static const struct wait_record shared[] = {{"Lock:extend", "extend", 0.69},
                                            {"CPU", "cpu", 0.14},
                                            {"IO:WALSync", "flush", 0.05},
                                            {"LWLock:WALWrite", "group", 0.05},
                                            {"LWLock:BufferContent", "buffer", 0.04},
                                            {"LWLock:WALInsert", "log_insert", 0.03},
                                            {NULL, NULL, 0}};
static const struct wait_record separate[] = {{"CPU", "cpu", 0.58},
                                              {"LWLock:WALWrite", "group", 0.17},
                                              {"LWLock:WALInsert", "log_insert", 0.09},
                                              {"IO:WALSync", "flush", 0.07},
                                              {"Client:ClientRead", "client", 0.06},
                                              {"IO:DataFileExtend", "file", 0.03},
                                              {NULL, NULL, 0}};

static void make_postgres(void)
{
    static const char *const keys[] = {"workload.streams",
                                       "16",
                                       "workload.rows_per_commit",
                                       "1000",
                                       "workload.layout",
                                       "shared-table|table-per-stream",
                                       NULL};
    static const char *const layouts[] = {"shared-table", "table-per-stream"};
    static const char *const settings[] = {"version", "15.18", "fsync", "on", "synchronous_commit",
                                           "on",      NULL};
    const struct metric metrics[] = {
        {"wal_bytes", true, 181e6}, {"wal_sync_count", true, 9760}, {NULL, false, 0}};
    struct run run = plain_run;
    struct world world;
    run.name = "postgres";
    run.workload_name = "postgres-contention";
    run.engine = "postgres";
    run.engine_version = "15.18";
    run.keys = keys;
    run.settings = settings;
    run.has_log = true;
    run.trials = 2;
    struct log *log = open_sampled(&run, &world);
    for (unsigned i = 0; i < 2; i++) {
        const struct factor_record factor = {"layout", layouts[i], NAN};
        struct trial_record record = plain_trial;
        record.begin_locks = false;
        record.factor_count = 1;
        record.factors = &factor;
        struct scene insert = {.kind = PHASE_INSERT,
                               .streams = 16,
                               .rows_per_commit = 1000,
                               .rows = 16e6,
                               .seconds = i ? 32 : 64,
                               .data_writes = 4.6,
                               .flushes = 0.5,
                               .bytes = 214000,
                               .write_ms = 0.21,
                               .flush_ms = 0.62,
                               .host_busy = i ? 0.93 : 0.34,
                               .client_share = 0.4,
                               .floor = 3520,
                               .metrics = metrics,
                               .waits = i ? separate : shared,
                               .looks = 16000};
        run_trial(log, &world, &record, (struct scene[]){insert}, 1);
    }
    run_end(&run, log, &world);
}

int main(int argc, char **argv)
{
    if (argc != 2 || chdir(argv[1]) != 0) {
        fputs("usage: make_results DIRECTORY\n", stderr);
        return 2;
    }
    make_one();
    make_parts();
    make_forty();
    make_drive("a", "Example 240GB PLP", 5070, 0.12);
    make_drive("b", "\xE6\xA4\x9C\xE8\xA8\xBC\xE6\xA9\x9F B\xE5\x8F\xB7", 800, 1.05);
    make_postgres();
    return 0;
}
