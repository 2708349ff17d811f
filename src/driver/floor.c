#include "driver/floor.h"

#include <math.h>

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

/* Cycles of inserts over the same slots until the time is over. */
static int run_streams(struct stage *stage, const struct workload *floor, const volatile int *stop,
                       double *commits_per_s, struct err *err)
{
    int64_t spent_ns = 0;
    uint64_t before = 0, commits = 0;
    bool stopped = false;
    while (!stopped && spent_ns < floor->floor_ns) {
        if (!stage_wait(stage, NS_PER_S / 50)) {
            stopped = stop != NULL && *stop != 0;
            continue;
        }
        if (stage->failed) {
            *err = stage->failure;
            return -1;
        }
        stage_prepare(stage, PHASE_INSERT);
        stage_start(stage, 0, floor->floor_ns - spent_ns);
        while (!stage_wait(stage, NS_PER_S / 50) && !stopped)
            stopped = stop != NULL && *stop != 0;
        if (stopped) {
            stage_stop(stage, STOP_SIGNAL);
            break;
        }
        before = commits;
        commits = 0;
        for (unsigned i = 0; i < stage->stream_count; i++)
            commits += counter_read(&stage->counters[i].commits);
        spent_ns += clock_now_ns() - stage->order.start_ns;
        if (commits == before)
            break;
    }
    *commits_per_s = stopped || spent_ns == 0 ? NAN : (double)commits * 1e9 / (double)spent_ns;
    if (stage->failed) {
        *err = stage->failure;
        return -1;
    }
    return 0;
}

int floor_measure(const struct workload *load, const char *directory, const volatile int *stop,
                  double *commits_per_s, struct err *err)
{
    const struct adapter *adapter = adapter_find("fsync");
    struct adapter_db *db = NULL;
    struct op_error why;
    struct workload floor;
    struct stage stage;
    int result = -1;
    *commits_per_s = NAN;
    if (load->floor_ns == 0 || floor_space_bytes(load) == 0)
        return 0;
    floor_workload(load, &floor);
    struct adapter_config config = {
        .target = directory, .directory = directory, .load = &floor, .stop = stop};
    if (adapter->open(&config, &db, &why) != OP_OK)
        return err_set(err, ERR_FAILED, "the floor: %s", why.text);
    if (adapter->create(db, &why) != OP_OK) {
        err_set(err, ERR_FAILED, "the floor: %s", why.text);
        goto out;
    }
    if (stage_open(&stage, adapter, db, &floor, false, err) != 0)
        goto out;
    result = run_streams(&stage, &floor, stop, commits_per_s, err);
    stage_close(&stage);
    if (result != 0)
        err_context(err, "the floor");
out:
    if (adapter->destroy(db, &why) != OP_OK && result == 0)
        result = err_set(err, ERR_FAILED, "the floor: %s", why.text);
    adapter->close(db);
    return result;
}
