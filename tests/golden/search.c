#include "search.h"

#include <math.h>
#include <stdio.h>

#include "run.h"

struct step {
    unsigned streams;
    double rate, median_ms, writes, flushes, flush_ms, busy;
};

static const char *const keys[] = {"workload.streams",
                                   "auto",
                                   "workload.rows_per_commit",
                                   "1",
                                   "workload.layout",
                                   "file-per-stream",
                                   "search.streams_max",
                                   "256",
                                   NULL};

static void play(const struct run *run, const struct step *steps, size_t count, const char *end)
{
    struct world world;
    struct log *log = run_open(run, &world);
    for (size_t i = 0; i < count; i++) {
        const struct step *step = &steps[i];
        world.log = i + 1 == count ? log : NULL; /* samples of the last step, the best one */
        char text[16];
        snprintf(text, sizeof text, "%u", step->streams);
        const struct factor_record factor = {"streams", text, step->streams};
        struct trial_record record = {.ended_by = ENDED_DURATION,
                                      .begin_locks = true,
                                      .commit_flushes = true,
                                      .search_step = (unsigned)i + 1,
                                      .search_end = i + 1 == count ? end : NULL,
                                      .factor_count = 1,
                                      .factors = &factor,
                                      .create_ns = 12000000,
                                      .remove_ns = 9000000};
        struct scene insert = {.kind = PHASE_INSERT,
                               .streams = step->streams,
                               .rows_per_commit = 1,
                               .rows = step->rate * 5,
                               .seconds = 5,
                               .data_writes = step->writes,
                               .flushes = step->flushes,
                               .bytes = 9600 + 500 * step->writes,
                               .write_ms = 0.09,
                               .flush_ms = step->flush_ms,
                               .median_ms = step->median_ms,
                               .lock_share = 0.02,
                               .host_busy = step->busy,
                               .client_share = 0.6,
                               .floor = 7900};
        struct scene delete = insert;
        delete.kind = PHASE_DELETE;
        delete.rows *= 1.08;
        run_trial(log, &world, &record, (struct scene[]){insert, delete}, 2);
    }
    run_end(run, log, &world);
}

/* Doubled until two steps in a row gained too little, then between. */
static void make_search(void)
{
    static const struct step steps[] = {
        {1, 5070, 0.17, 1.07, 1, 0.12, 0.14},    {2, 8100, 0.22, 1.3, 0.7, 0.14, 0.2},
        {4, 10900, 0.33, 1.6, 0.5, 0.17, 0.26},  {8, 12250, 0.57, 1.8, 0.36, 0.21, 0.32},
        {16, 12400, 1.1, 2.2, 0.25, 0.31, 0.41}, {32, 12300, 2.2, 2.6, 0.15, 0.49, 0.51},
        {6, 11900, 0.44, 1.7, 0.42, 0.19, 0.29}, {12, 12650, 0.82, 2.0, 0.3, 0.27, 0.37},
    };
    const struct asked asked = {"p99", 2.5, NAN, NAN};
    const struct run run = {.name = "search",
                            .workload_name = "ceiling",
                            .engine = "sqlite",
                            .engine_version = "3.40.1",
                            .write_cache = "write back",
                            .path = "/mnt/ssd",
                            .keys = keys,
                            .asked = &asked,
                            .trials = sizeof steps / sizeof *steps};
    play(&run, steps, sizeof steps / sizeof *steps, "found");
}

/* Its time was over while it was still rising. */
static void make_search_bounded(void)
{
    static const struct step steps[] = {
        {1, 5070, 0.17, 1.07, 1, 0.12, 0.14},
        {2, 8100, 0.22, 1.3, 0.7, 0.14, 0.2},
        {4, 10900, 0.33, 1.6, 0.5, 0.17, 0.26},
    };
    const struct run run = {.name = "search-time",
                            .workload_name = "ceiling",
                            .engine = "sqlite",
                            .engine_version = "3.40.1",
                            .write_cache = "write back",
                            .path = "/mnt/ssd",
                            .keys = keys,
                            .trials = sizeof steps / sizeof *steps};
    play(&run, steps, sizeof steps / sizeof *steps, "time");
}

void search_logs(void)
{
    make_search();
    make_search_bounded();
}
