/* Writes the result logs of the golden tests: invented runs with figures that could be.
 *
 *     make_logs DIRECTORY
 *
 * Every run of it writes the same bytes: no clock, no machine. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "postgres.h"
#include "result/record.h"
#include "run.h"
#include "search.h"
#include "steady.h"

static const struct scene commit_insert = {.kind = PHASE_INSERT,
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
static const struct scene bulk_insert = {.kind = PHASE_INSERT,
                                         .streams = 1,
                                         .rows = 1000000,
                                         .rows_per_commit = 1000,
                                         .seconds = 4.1,
                                         .data_writes = 2.0,
                                         .flushes = 1.1,
                                         .bytes = 259000,
                                         .write_ms = 0.43,
                                         .flush_ms = 1.05,
                                         .host_busy = 0.09,
                                         .client_share = 0.51,
                                         .lock_share = 0.001,
                                         .floor = 410};

static struct scene deleting(struct scene scene)
{
    scene.kind = PHASE_DELETE;
    scene.seconds *= 0.9;
    scene.growing = 0;
    return scene;
}

/* With so much of what the drive wrote from others. */
static struct scene beside(struct scene scene, enum foreign_method method, double share)
{
    scene.foreign_method = method;
    scene.foreign = share;
    return scene;
}

static json_t *million_parts(void)
{
    return json_pack("[{s:s, s:s, s:s}, {s:s, s:s, s:s}]", "name", "bulk", "workload.rows",
                     "1000000", "workload.rows_per_commit", "1000", "name", "commits",
                     "workload.rows", "24000", "workload.rows_per_commit", "1");
}

static const char *const million_keys[] = {"workload.streams", "1", NULL};
static const struct run million_run = {.name = "million",
                                       .workload_name = "million",
                                       .engine = "sqlite",
                                       .engine_version = "3.40.1",
                                       .write_cache = "write back",
                                       .path = "/mnt/ssd",
                                       .keys = million_keys,
                                       .trials = 2};

static const struct trial_record plain_trial = {.ended_by = ENDED_DONE,
                                                .begin_locks = true,
                                                .commit_flushes = true,
                                                .create_ns = 12000000,
                                                .remove_ns = 9000000};

/* What its drive said when so much had been written. */
static struct drive_reading said(double celsius, double host_bytes, double nand_bytes)
{
    struct drive_reading reading;
    drive_reading_init(&reading);
    reading.count = 1;
    reading.temperature_c = celsius;
    reading.host_bytes = 51200e9 + round(host_bytes / 512000) * 512000;
    reading.host_step = 512000;
    reading.nand_bytes = 70400e9 + round(nand_bytes / 1e6) * 1e6;
    reading.nand_step = 1e6;
    reading.wear_used_pct = 4;
    reading.power_hours = 4711;
    reading.passed = 1;
    reading.diskstats_bytes = 930e9 + host_bytes;
    return reading;
}

/* A bulk part and a part with one row a commit. */
static void make_million(void)
{
    struct run run = million_run;
    struct world world;
    struct drive_reading before = said(38, 0, 0), after = said(43, 1.113e9, 1.29e9);
    run.parts = million_parts();
    run.before = &before;
    run.after = &after;
    struct log *log = run_open(&run, &world);
    world.celsius = 38;
    struct trial_record record = plain_trial;
    struct scene bulk = beside(bulk_insert, FOREIGN_CGROUP2, 0.0031);
    struct scene commits = beside(commit_insert, FOREIGN_CGROUP2, 0.0022);
    record.part = "bulk";
    run_trial(log, &world, &record, (struct scene[]){bulk, deleting(bulk)}, 2);
    record.part = "commits";
    run_trial(log, &world, &record, (struct scene[]){commits, deleting(commits)}, 2);
    run_end(&run, log, &world);
    json_decref(run.parts);
}

/* The same, killed in the second trial: half a record at the end. */
static void make_partial(void)
{
    struct run run = million_run;
    struct world world;
    run.name = "partial";
    run.parts = million_parts();
    run.result_on_target = true;
    struct log *log = run_open(&run, &world);
    struct trial_record record = plain_trial;
    record.part = "bulk";
    run_trial(log, &world, &record, (struct scene[]){bulk_insert, deleting(bulk_insert)}, 2);
    record.part = "commits";
    record.index = 1;
    record.floor_before = commit_insert.floor;
    scene_write(log, trial_start_json(world.now_s, &record));
    world.log = log;
    world.phase = 0;
    json_decref(scene_play(&world, &commit_insert, SCENE_TICKS));
    struct scene cut = deleting(commit_insert);
    scene_play(&world, &cut, 12);
    run_close(log, &world);
    FILE *file = fopen("partial.jsonl", "ae");
    if (file) {
        fputs("{\"record\":\"sample\",\"t0\":98.", file);
        fclose(file);
    }
    json_decref(run.parts);
}

/* Five numbers of streams, three repeats, the second in reverse. */
static void make_streams(void)
{
    static const char *const keys[] = {"workload.streams",
                                       "1|10|20|30|40",
                                       "workload.rows_per_commit",
                                       "1",
                                       "workload.rows",
                                       "10000",
                                       "workload.layout",
                                       "file-per-stream",
                                       "run.repeats",
                                       "3",
                                       NULL};
    static const struct {
        unsigned streams;
        double rate, median_ms, writes, flushes, bytes, flush_ms, busy;
    } steps[] = {
        {1, 5070, 0.17, 1.07, 1, 9600, 0.12, 0.14},
        {10, 12300, 0.59, 1.92, 0.34, 9400, 0.22, 0.33},
        {20, 12000, 1.41, 2.37, 0.21, 10900, 0.36, 0.44},
        {30, 12500, 2.05, 2.55, 0.16, 11400, 0.47, 0.50},
        {40, 12900, 2.69, 2.69, 0.13, 11800, 0.55, 0.55},
    };
    enum { STEPS = sizeof steps / sizeof *steps, REPEATS = 3 };
    const struct run run = {.name = "streams",
                            .workload_name = "streams",
                            .engine = "sqlite",
                            .engine_version = "3.40.1",
                            .write_cache = "write back",
                            .path = "/mnt/ssd",
                            .keys = keys,
                            .trials = STEPS * REPEATS};
    struct world world;
    struct log *log = run_open(&run, &world);
    for (unsigned i = 0; i < STEPS * REPEATS; i++) {
        unsigned repeat = i / STEPS;
        unsigned step = repeat % 2 ? STEPS - 1 - i % STEPS : i % STEPS;
        char text[16];
        snprintf(text, sizeof text, "%u", steps[step].streams);
        const struct factor_record factor = {"streams", text, steps[step].streams};
        struct trial_record record = plain_trial;
        record.repeat = repeat;
        record.factor_count = 1;
        record.factors = &factor;
        double rate = steps[step].rate * (1 + 0.015 * ((double)repeat - 1));
        struct scene insert = {.kind = PHASE_INSERT,
                               .streams = steps[step].streams,
                               .rows_per_commit = 1,
                               .rows = rate * 20,
                               .seconds = 20,
                               .data_writes = steps[step].writes,
                               .flushes = steps[step].flushes,
                               .bytes = steps[step].bytes,
                               .write_ms = 0.09,
                               .flush_ms = steps[step].flush_ms,
                               .median_ms = steps[step].median_ms,
                               .lock_share = 0.02,
                               .host_busy = steps[step].busy,
                               .client_share = 0.6,
                               .floor = 7900};
        run_trial(log, &world, &record, (struct scene[]){insert, deleting(insert)}, 2);
    }
    run_end(&run, log, &world);
}

/* Two factors that are words and sizes, one run of each. */
static void make_layouts(void)
{
    static const char *const keys[] = {"workload.streams",
                                       "16",
                                       "workload.rows_per_commit",
                                       "10",
                                       "workload.rows",
                                       "100000",
                                       "workload.layout",
                                       "shared-table|file-per-stream",
                                       "sqlite.page_size",
                                       "4096|8192",
                                       NULL};
    static const char *const layouts[] = {"shared-table", "file-per-stream"};
    const struct run run = {.name = "layouts",
                            .workload_name = "contention",
                            .engine = "sqlite",
                            .engine_version = "3.40.1",
                            .write_cache = "write through",
                            .path = "/mnt/ssd",
                            .keys = keys,
                            .trials = 4};
    struct world world;
    struct log *log = run_open(&run, &world);
    for (unsigned i = 0; i < 4; i++) {
        bool own_file = i >= 2;
        double page = i % 2 ? 8192 : 4096;
        const struct factor_record factors[] = {{"layout", layouts[own_file], NAN},
                                                {"sqlite.page_size", "", page}};
        struct trial_record record = plain_trial;
        record.factor_count = 2;
        record.factors = factors;
        struct scene insert = {.kind = PHASE_INSERT,
                               .streams = 16,
                               .rows_per_commit = 10,
                               .rows = own_file ? 1200000 : 310000,
                               .seconds = 20,
                               .data_writes = own_file ? 1.4 : 1.1,
                               .flushes = own_file ? 0.3 : 1,
                               .bytes = 2.9 * page,
                               .write_ms = 0.1,
                               .flush_ms = 0.3,
                               .median_ms = own_file ? 2.6 : 10.1,
                               .lock_share = own_file ? 0.03 : 0.85,
                               .host_busy = own_file ? 0.93 : 0.2,
                               .client_share = 1.4,
                               .floor = 2900};
        run_trial(log, &world, &record, (struct scene[]){insert}, 1);
    }
    run_end(&run, log, &world);
}

/* Settings with which commits do not wait, beside such with which they do; some were repeated. */
static void make_durability(void)
{
    static const char *const keys[] = {
        "workload.streams", "1", "workload.rows_per_commit", "1", "sqlite.synchronous",
        "off|normal|full",  NULL};
    static const struct {
        const char *synchronous;
        double seconds, flushes, flush_ms, writes;
    } steps[] = {
        {"off", 0.6, 0.0, 0, 0.03}, {"normal", 0.9, 0.01, 90, 0.04}, {"full", 30, 1.0, 1.05, 1.07}};
    struct run run = million_run;
    struct world world;
    run.name = run.workload_name = "durability";
    run.keys = keys;
    run.trials = 3;
    struct log *log = run_open(&run, &world);
    for (unsigned i = 0; i < 3; i++) {
        const struct factor_record factor = {"sqlite.synchronous", steps[i].synchronous, NAN};
        struct trial_record record = plain_trial;
        record.ended_by = ENDED_DURATION;
        record.factor_count = 1;
        record.factors = &factor;
        record.commit_flushes = i == 2;
        struct scene insert = commit_insert;
        insert.seconds = steps[i].seconds;
        insert.flushes = steps[i].flushes;
        insert.flush_ms = steps[i].flush_ms;
        insert.data_writes = steps[i].writes;
        insert.restless = i == 1;
        insert.busy = i == 2 ? 1204 : 0;
        insert.conflicts = i == 2;
        insert.reconnects = i == 1 ? 2 : 0;
        run_trial(log, &world, &record, (struct scene[]){insert}, 1);
    }
    run_end(&run, log, &world);
}

/* More lists than a table has columns for: some of their many combinations. */
static void make_factors(void)
{
    static const char *const names[] = {"streams",           "layout",
                                        "rows_per_commit",   "row.payload",
                                        "row.indexes",       "sqlite.journal_mode",
                                        "sqlite.page_size",  "sqlite.wal_autocheckpoint",
                                        "sqlite.synchronous"};
    static const char *const texts[][2] = {[1] = {"shared-table", "file-per-stream"},
                                           [5] = {"wal", "truncate"},
                                           [8] = {"full", "extra"}};
    static const double numbers[][2] = {
        [0] = {4, 16},       [2] = {1, 10},       [3] = {100, 1000}, [4] = {0, 2},
        [6] = {4096, 16384}, [7] = {1000, 10000}, [8] = {NAN, NAN}};
    enum { FACTORS = sizeof names / sizeof *names, TRIALS = FACTORS + 1 };
    static const char *const keys[] = {NULL};
    struct run run = million_run;
    struct world world;
    run.name = run.workload_name = "factors";
    run.keys = keys;
    run.trials = TRIALS;
    struct log *log = run_open(&run, &world);
    for (unsigned i = 0; i < TRIALS; i++) {
        struct factor_record factors[FACTORS];
        for (unsigned f = 0; f < FACTORS; f++) {
            unsigned which = f + 1 == i; /* trial 0 has the first of each, the others one second */
            const char *text = texts[f][which];
            factors[f] =
                (struct factor_record){names[f], text ? text : "", text ? NAN : numbers[f][which]};
        }
        struct trial_record record = plain_trial;
        record.factor_count = FACTORS;
        record.factors = factors;
        struct scene insert = commit_insert;
        insert.streams = (unsigned)factors[0].number;
        insert.rows_per_commit = factors[2].number;
        insert.rows *= 1 + 0.05 * i;
        run_trial(log, &world, &record, (struct scene[]){insert, deleting(insert)}, 2);
    }
    run_end(&run, log, &world);
}

/* Rows that were acknowledged are not there, and the drive itself fails. */
static void make_failed(void)
{
    struct run run = million_run;
    struct world world;
    static const char *const keys[] = {"workload.streams", "1", "workload.rows_per_commit", "1",
                                       NULL};
    run.name = "failed";
    run.keys = keys;
    run.trials = 1;
    struct log *log = run_open(&run, &world);
    struct trial_record record = plain_trial;
    struct scene insert = commit_insert;
    insert.lost_rows = 17;
    run_trial(log, &world, &record, (struct scene[]){insert}, 1);
    scene_write(log, event_json(world.now_s, -1, "smart change",
                                "nvme0n1 changed while it was measured: health passed -> FAILED, "
                                "critical warning bits 0 -> 4, media errors 2 -> 5"));
    run_end(&run, log, &world);
}

/* Sync is on, the cache is volatile, and the drive saw no flush; stopped by Ctrl-C. */
static void make_unflushed(void)
{
    struct run run = million_run;
    struct world world;
    static const char *const keys[] = {"workload.streams", "1", "workload.rows_per_commit", "1",
                                       NULL};
    run.name = "unflushed";
    run.keys = keys;
    run.trials = 1;
    run.warning = "the file system is mounted with nobarrier: it never flushes the drive's cache";
    struct log *log = run_open(&run, &world);
    struct trial_record record = plain_trial;
    struct scene insert = beside(commit_insert, FOREIGN_BASELINE, 0.12);
    record.ended_by = ENDED_SIGNAL;
    insert.flushes = 0;
    insert.seconds = 8.5;
    insert.unchecked = true;
    scene_write(log, event_json(12.03, 0, "signal", "SIGINT: the run stops"));
    scene_write(log, event_json(12.03, 0, "disturbed",
                                "about 12 MB (12%) of what nvme0n1 wrote in the insert phase came "
                                "from others, by what it wrote while no stream ran"));
    run_trial(log, &world, &record, (struct scene[]){insert}, 1);
    scene_write(log, end_json(json_object(), true));
    run_close(log, &world);
}

/* Loadline itself: no drive. */
static void make_null(void)
{
    static const char *const keys[] = {"workload.streams", "4", "workload.rows_per_commit", "1",
                                       NULL};
    const struct run run = {.name = "null",
                            .workload_name = "million",
                            .engine = "null",
                            .engine_version = "0.1.0",
                            .path = "",
                            .keys = keys,
                            .trials = 1,
                            .no_device = true};
    struct world world;
    struct log *log = run_open(&run, &world);
    struct trial_record record = plain_trial;
    record.commit_flushes = record.begin_locks = false;
    struct scene insert = {.kind = PHASE_INSERT,
                           .streams = 4,
                           .rows_per_commit = 1,
                           .rows = 8000000,
                           .seconds = 1.1,
                           .median_ms = 0.0006,
                           .host_busy = 0.97,
                           .client_share = 3.9,
                           .floor = NAN,
                           .unchecked = true};
    run_trial(log, &world, &record, (struct scene[]){insert, deleting(insert)}, 2);
    run_end(&run, log, &world);
}

/* Twelve cycles in an hour, and names that are not ASCII. */
static void make_cycles(void)
{
    static const char *const keys[] = {"workload.streams",
                                       "4",
                                       "workload.rows_per_commit",
                                       "100",
                                       "workload.duration",
                                       "1h",
                                       NULL};
    const struct run run = {.name = "cycles",
                            .workload_name = "夜間の負荷",
                            .label = "検証機 A号",
                            .engine = "sqlite",
                            .engine_version = "3.40.1",
                            .path = "/mnt/ディスク/試験 用",
                            .keys = keys,
                            .trials = 1};
    struct world world;
    struct log *log = run_open(&run, &world);
    struct trial_record record = plain_trial;
    record.ended_by = ENDED_DURATION;
    struct scene scenes[24];
    for (unsigned i = 0; i < 24; i++) {
        scenes[i] = bulk_insert;
        scenes[i].rows_per_commit = 100;
        scenes[i].data_writes = 1.6;
        scenes[i].bytes = 61000;
        scenes[i].streams = 4;
        scenes[i].lock_share = 0.7;
        scenes[i].seconds = 22 + i % 5;
        scenes[i].cycle = i / 2;
        scenes[i].growing = i == 0 ? 0.1 : 0;
        if (i % 2)
            scenes[i] = deleting(scenes[i]);
    }
    run_trial(log, &world, &record, scenes, 24);
    run_end(&run, log, &world);
}

int main(int argc, char **argv)
{
    if (argc != 2 || chdir(argv[1]) != 0) {
        fputs("usage: make_logs DIRECTORY\n", stderr);
        return 2;
    }
    make_million();
    make_partial();
    make_streams();
    make_layouts();
    make_durability();
    make_factors();
    make_failed();
    make_unflushed();
    make_null();
    make_cycles();
    postgres_logs();
    search_logs();
    steady_logs();
    return 0;
}
