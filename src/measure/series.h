/* series.h - one phase as differences from sample to sample: what correlations and
 * the parts of a phase are computed from.  Main thread. */
#ifndef MEASURE_SERIES_H
#define MEASURE_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device_set.h"
#include "measure/sample.h"

/* What the data device alone did in an interval, as differences; NaN unknown.  Counts of the
 * sampled level; a flush counts among the writes too (diskstats.h). */
struct interval_device {
    double reads, writes, read_bytes, write_bytes;
    double flushes, flush_ms; /* of its whole disks */
    double write_ms;
    double waiting_ms; /* read, write and discard: over 1000 x seconds it is the queue depth */
};

struct interval {
    double start_s, seconds; /* since the first sample of the series; true length */
    double commits, rows;
    double writes, bytes; /* of the devices of data and WAL (commit_rows.h); NaN unknown */
    double flushes;       /* likewise, of their whole disks */
    double in_flight;     /* of the data device */
    double temperature_c; /* at its end; NaN unknown */
    bool wal_growing;     /* the engine's gauge "wal_bytes" rose in this interval */
    double wal_bytes;     /* that gauge at its end; NaN unknown */
    double retries;       /* NaN unknown */
    double client_s;      /* CPU time of this process; NaN unknown */
    double host_busy;     /* share of all CPUs' time, 0 to 1; NaN unknown */
    double host_ticks;    /* of all CPUs that the share was taken from: what it weighs in a mean */
    struct interval_device device;
};

struct series {
    struct interval *items;
    size_t count, capacity;
    bool has_wal; /* the engine gives "wal_bytes" */
};

void series_release(struct series *series);
/* The interval between two samples of one phase.  Grows by doubling; aborts when memory is out. */
void series_add(struct series *series, const struct device_set *devices, const struct sample *first,
                const struct sample *earlier, const struct sample *later);

#endif
