/* metrics_totals.h - what a run's samples add up to: totals that only grow, from its first sample
 * to now, over trials and phases.  Pure; main thread.
 *
 * What a device counted while it was out of sight (a disk that was replaced) is left out. */
#ifndef CLI_METRICS_TOTALS_H
#define CLI_METRICS_TOTALS_H

#include "driver/run.h"
#include "measure/sample.h"

/* The rows of one device that are read: the level that holds the file system, its whole disks. */
struct metrics_row {
    struct diskstats last;
    int64_t last_ns;
    uint32_t seen; /* bit per disk_field: it was there */
    uint64_t total[DISK_FIELDS];
};
struct metrics_device {
    unsigned target;
    const char *role;  /* "data" */
    char sampled[512]; /* "dm-0" */
    struct metrics_row row;
    size_t leaf_count;
    char (*leaf_names)[64]; /* heap */
    struct metrics_row *leaves;
};

struct metrics_totals {
    uint64_t commits, rows, retries;
    struct {
        unsigned trial;
        uint64_t commits, rows, retries; /* when it was seen last: they count over a trial */
    } last;
    bool begun;
    uint64_t latency_count; /* of COMMIT alone */
    double latency_sum_ns;
    /* Halves of the window that quantiles are taken over: the one before, and the one that grows.
     */
    struct hist *earlier, *recent, *window;
    int64_t recent_since_ns;
    double temperature_c; /* of the last sample; NaN unknown */
    struct metrics_device *devices;
    size_t device_count;
};

/* Quantiles look back over one to two of these. */
#define METRICS_WINDOW_NS (5 * INT64_C(1000000000))

void metrics_totals_init(struct metrics_totals *totals);
void metrics_totals_release(struct metrics_totals *totals);
void metrics_totals_add(struct metrics_totals *totals, const struct run_sight *sight);
/* Of the whole disks.  False: one of them, or all, do not tell. */
bool metrics_totals_of_leaves(const struct metrics_device *device, enum disk_field field,
                              uint64_t *total);
/* COMMIT's time at quantile q, as hist_quantile_ms(). */
double metrics_totals_quantile_ms(const struct metrics_totals *totals, double q);

#endif
