#include "steady.h"

#include <math.h>
#include <stdio.h>

#include "result/record.h"
#include "run.h"

/* Cycles of an insert and a delete phase of 33 s each, so that one is a round. */
#define PHASE_S 33.0

static const struct scene common = {.streams = 8,
                                    .rows_per_commit = 1,
                                    .seconds = PHASE_S,
                                    .data_writes = 1.3,
                                    .flushes = 0.4,
                                    .bytes = 90000,
                                    .write_ms = 0.12,
                                    .host_busy = 0.3,
                                    .client_share = 0.6,
                                    .lock_share = 0.02,
                                    .foreign_method = FOREIGN_CGROUP2,
                                    .foreign = 0.002,
                                    .floor = 9000};

/* One cycle at this rate of inserts. */
static void add_cycle(struct scene *scenes, size_t *count, double rate)
{
    struct scene insert = common;
    insert.kind = PHASE_INSERT;
    insert.cycle = (unsigned)*count / 2;
    insert.rows = rate * PHASE_S;
    insert.flush_ms = 500 / rate;
    struct scene delete = insert;
    delete.kind = PHASE_DELETE;
    delete.rows *= 1.06;
    scenes[(*count)++] = insert;
    scenes[(*count)++] = delete;
}

/* All phases of one trial; the drive rests for `pause_s` before the phase `rested`. */
static void play(struct log *log, struct world *world, struct trial_record *record,
                 const struct scene *scenes, size_t count, size_t rested, double pause_s)
{
    world->log = log;
    scene_write(log, trial_start_json(world->now_s, record));
    record->phases = json_array();
    for (size_t i = 0; i < count; i++) {
        world->now_s += i == rested ? pause_s : 0;
        double start_s = world->now_s;
        json_t *phase = scene_play(world, &scenes[i], SCENE_TICKS);
        json_object_set_new(phase, "start_s", json_real(start_s));
        if (i >= rested)
            json_object_set_new(phase, "after_pause", json_true());
        json_array_append_new(record->phases, phase);
    }
    record->phase_count = count;
    record->floor_before = record->floor_after = common.floor;
    scene_write(log, trial_json(record));
    json_decref(record->phases);
}

static const char *const keys[] = {"workload.streams",
                                   "8",
                                   "workload.layout",
                                   "file-per-stream",
                                   "workload.rows_per_commit",
                                   "1",
                                   "workload.until",
                                   "steady",
                                   "workload.pause",
                                   "10m",
                                   "steady.write_bytes",
                                   "100G",
                                   "limit.write_bytes",
                                   "2T",
                                   "run.interval",
                                   "1s",
                                   NULL};
static const struct run steady_run = {.name = "steady",
                                      .workload_name = "sustained",
                                      .engine = "sqlite",
                                      .engine_version = "3.40.1",
                                      .write_cache = "write back",
                                      .path = "/mnt/ssd",
                                      .keys = keys,
                                      .trials = 1};

enum { CYCLES_MOST = 12 };

/* A cache of 112 GB, then what the flash behind it carries; rested, the cache is there again. */
static void make_steady(void)
{
    static const double rates[] = {12300, 12200, 5150, 4080, 3950, 4010, 3970, 3990, 11900};
    enum { CYCLES = sizeof rates / sizeof *rates };
    struct scene scenes[2 * CYCLES_MOST];
    struct world world;
    struct log *log = run_open(&steady_run, &world);
    size_t count = 0;
    world.celsius = 41;
    for (size_t i = 0; i < CYCLES; i++)
        add_cycle(scenes, &count, rates[i]);
    struct trial_record record = {.ended_by = ENDED_STEADY,
                                  .begin_locks = true,
                                  .commit_flushes = true,
                                  .create_ns = 12000000,
                                  .remove_ns = 9000000,
                                  .steady = {true, true, 7, 100e9, NULL}};
    play(log, &world, &record, scenes, count, count - 2, 600);
    run_end(&steady_run, log, &world);
}

/* The end of workload.duration came before the drive was steady. */
static void make_not_reached(void)
{
    static const double rates[] = {12300, 12200, 11800, 9400, 7900, 6600, 5800};
    enum { CYCLES = sizeof rates / sizeof *rates };
    struct run run = steady_run;
    struct scene scenes[2 * CYCLES_MOST];
    struct world world;
    run.name = "unsteady";
    struct log *log = run_open(&run, &world);
    size_t count = 0;
    for (size_t i = 0; i < CYCLES; i++)
        add_cycle(scenes, &count, rates[i]);
    struct trial_record record = {
        .ended_by = ENDED_DURATION,
        .begin_locks = true,
        .commit_flushes = true,
        .create_ns = 12000000,
        .remove_ns = 9000000,
        .steady = {true, false, 0, 100e9, "workload.duration was over; it fell all the time"}};
    play(log, &world, &record, scenes, count, count, 0);
    run_end(&run, log, &world);
}

void steady_logs(void)
{
    make_steady();
    make_not_reached();
}
