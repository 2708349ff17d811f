/* sample.h - what one tick of the sampler saw: the streams' counters and the drive's, read
 * between two readings of one clock.  All counters are raw and cumulative. */
#ifndef MEASURE_SAMPLE_H
#define MEASURE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "device/diskstats.h"
#include "measure/environment.h"
#include "measure/hist.h"

enum { SAMPLE_GAUGES_MAX = 16 };

enum sample_mark {
    SAMPLE_TICK,
    SAMPLE_PHASE_START, /* streams stand at the barrier */
    SAMPLE_WARM,        /* warm-up over: what is counted begins here */
    SAMPLE_PHASE_END,   /* the last stream has finished */
    SAMPLE_SETTLED,     /* checkpoint done, file system synced, nothing in flight */
};
extern const char
    *const sample_mark_names[]; /* "tick", "phase_start", "warm", "phase_end", "settled" */

struct gauge {
    const char *name; /* static */
    double value;
};

struct sample {
    int64_t t0_ns, t1_ns; /* the bracket, CLOCK_MONOTONIC */
    enum sample_mark mark;
    unsigned trial, phase, cycle;    /* phase: index into the trial's list of phases done so far */
    uint64_t commits, rows, retries; /* all streams */
    uint64_t row_bytes;              /* of one row, as row_bytes() counts: rows x this = bytes */
    size_t stream_count;
    uint64_t *stream_commits, *stream_rows; /* [stream_count] */
    size_t disk_count;
    struct diskstats *disks; /* [disk_count], in the order of device_set.names */
    size_t gauge_count;
    struct gauge gauges[SAMPLE_GAUGES_MAX]; /* what the engine observed */
    int64_t client_cpu_ns;                  /* this process */
    struct host_cpu host;
    double temperature_c; /* NaN: unknown */
    struct hist *commit;  /* commit latencies since the sample before; NULL: not kept */
};

struct sample *
sample_create(size_t stream_count,
              size_t disk_count);           /* heap, zeroed, commit NULL, temperature unknown */
void sample_destroy(struct sample *sample); /* not the histogram: it has its own owner */
/* Copies all but the histogram; both have the same counts. */
void sample_copy(struct sample *to, const struct sample *from);

#endif
