#include "driver/floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "driver/stage.h"

#define FILE_BYTES_MIN (UINT64_C(1) << 20) /* a file smaller than this wraps too often */

/* The trial's workload as the floor runs it. */
static void floor_workload(const struct workload *load, struct workload *floor)
{
    uint64_t rows = FILE_BYTES_MIN / row_bytes(&load->shape);
    *floor = *load;
    floor->layout = LAYOUT_FILE_PER_STREAM;
    floor->files = 1;
    if (floor->rows_per_commit > load->rows)
        floor->rows_per_commit = load->rows;
    floor->rows = rows > 2 * floor->rows_per_commit ? rows : 2 * floor->rows_per_commit;
    floor->key_order = ORDER_ASCENDING;
    floor->rate = 0;
}

double floor_space_bytes(const struct workload *load)
{
    struct workload floor;
    if (load->floor_ns == 0)
        return 0;
    floor_workload(load, &floor);
    /* A record of the file is 8 bytes a number. */
    double record = 16 + 8.0 * load->shape.key_columns + (double)load->shape.payload_bytes;
    double bytes = record * (double)floor.rows * load->streams;
    return bytes > (double)FLOOR_BYTES_MAX ? 0 : bytes;
}

/* What the streams use: on the heap, since one that hangs after a signal is left behind with it. */
struct floor_run {
    struct workload load;
    struct adapter_config config;
    struct adapter_db *db;
    struct stage stage;
    const volatile int *stop;
    bool stuck;
};

static bool is_stopped(const struct floor_run *run)
{
    return run->stop != NULL && *run->stop != 0;
}

/* All streams stand at the gate.  False: stopped by a signal (and maybe stuck). */
static bool await_streams(struct floor_run *run)
{
    while (!stage_wait(&run->stage, NS_PER_S / 50)) {
        if (!is_stopped(run))
            continue;
        stage_stop(&run->stage, STOP_SIGNAL);
        run->stuck = !stage_wait(&run->stage, STAGE_SIGNAL_NS);
        return false;
    }
    return !is_stopped(run);
}

static uint64_t count_commits(const struct stage *stage)
{
    uint64_t commits = 0;
    for (unsigned i = 0; i < stage->stream_count; i++)
        commits += counter_read(&stage->counters[i].commits);
    return commits;
}

/* Cycles of inserts over the same slots until the time is over. */
static int run_streams(struct floor_run *run, double *commits_per_s, struct err *err)
{
    struct stage *stage = &run->stage;
    int64_t spent_ns = 0;
    uint64_t before, commits = 0;
    bool going = await_streams(run);
    while (going && !stage->failed && spent_ns < run->load.floor_ns) {
        stage_prepare(stage, PHASE_INSERT);
        stage_start(stage, 0, run->load.floor_ns - spent_ns);
        going = await_streams(run);
        before = commits;
        commits = count_commits(stage);
        spent_ns += clock_now_ns() - stage->order.start_ns;
        going = going && commits > before;
    }
    if (run->stuck)
        return 0;
    if (stage->failed) {
        *err = stage->failure;
        return -1;
    }
    if (!is_stopped(run) && spent_ns > 0)
        *commits_per_s = (double)commits * 1e9 / (double)spent_ns;
    return 0;
}

static int run_database(struct floor_run *run, double *commits_per_s, struct err *err)
{
    const struct adapter *adapter = adapter_find("fsync");
    struct op_error why;
    int result = -1;
    if (adapter->open(&run->config, &run->db, &why) != OP_OK)
        return err_set(err, ERR_FAILED, "%s", why.text);
    if (adapter->create(run->db, &why) != OP_OK)
        err_set(err, ERR_FAILED, "%s", why.text);
    else if (stage_open(&run->stage, adapter, run->db, &run->load, false, err) == 0) {
        result = run_streams(run, commits_per_s, err);
        if (run->stuck)
            return result;
        stage_close(&run->stage);
    }
    if (adapter->destroy(run->db, &why) != OP_OK && result == 0)
        result = err_set(err, ERR_FAILED, "%s", why.text);
    adapter->close(run->db);
    return result;
}

int floor_measure(const struct workload *load, const char *directory, const volatile int *stop,
                  double *commits_per_s, bool *stuck, struct err *err)
{
    *commits_per_s = NAN;
    *stuck = false;
    if (load->floor_ns == 0 || floor_space_bytes(load) == 0)
        return 0;
    struct floor_run *run = aligned_alloc(128, (sizeof *run + 127) / 128 * 128);
    if (run == NULL)
        abort();
    memset(run, 0, sizeof *run);
    floor_workload(load, &run->load);
    run->stop = stop;
    run->config = (struct adapter_config){
        .target = directory, .directory = directory, .load = &run->load, .stop = stop};
    int result = run_database(run, commits_per_s, err);
    *stuck = run->stuck;
    if (!run->stuck)
        free(run);
    return result == 0 ? 0 : err_context(err, "the floor");
}
