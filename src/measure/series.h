/* series.h - one phase as differences from sample to sample: what correlations and
 * the parts of a phase are computed from.  Main thread. */
#ifndef MEASURE_SERIES_H
#define MEASURE_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device_set.h"
#include "measure/sample.h"

struct interval {
    double start_s, seconds; /* since the first sample of the series; true length */
    double commits, rows;
    double writes, bytes; /* of the devices of data and WAL (commit_rows.h); NaN unknown */
    double flushes;       /* likewise, of their whole disks */
    double in_flight;     /* of the data device */
    double temperature_c; /* at its end; NaN unknown */
    bool wal_growing;     /* the engine's gauge "wal_bytes" rose in this interval */
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
