/* sampler.h - the one thread that reads the streams' counters and the drive's, in the same
 * tick, between two readings of one clock.
 *
 * The sampler fills a ring; the main thread empties it.  No stream ever waits for either, and the
 * sampler never waits for the main thread: when the ring is full a tick is left out, and the next
 * interval is longer (rates divide by the true interval).  Everything is allocated by
 * sampler_create().  Ticks are taken only between SAMPLE_PHASE_START and SAMPLE_PHASE_END. */
#ifndef MEASURE_SAMPLER_H
#define MEASURE_SAMPLER_H

#include "base/err.h"
#include "device/device_set.h"
#include "measure/counters.h"
#include "measure/interval_hist.h"
#include "measure/sample.h"
#include "measure/thermometer.h"

struct sampler;

struct sampler_config {
    int64_t interval_ns;
    unsigned trial;
    size_t stream_count;
    uint64_t row_bytes;
    const struct stream_counters *counters; /* [stream_count] */
    struct interval_hist *commits;          /* [stream_count] */
    const struct device_set *devices;
    /* Puts the engine's gauges of this moment into the sample.  NULL: none. */
    void (*observe)(void *ctx, struct sample *sample);
    void *ctx;
    struct thermometer *thermometer; /* the sampler's while it runs; NULL: none */
};

int sampler_create(const struct sampler_config *config, struct sampler **sampler, struct err *err);
/* Stops and joins the thread. */
void sampler_destroy(struct sampler *sampler);

/* Main thread: a sample now, by the sampler's thread; the pointer is valid until the next
 * mark. Empty the ring afterwards and before using it: older ticks are there. */
const struct sample *sampler_mark(struct sampler *sampler, enum sample_mark mark, unsigned phase,
                                  unsigned cycle);
/* Main thread: the oldest tick in the ring, or NULL; valid until sampler_pop(). */
const struct sample *sampler_peek(struct sampler *sampler);
void sampler_pop(struct sampler *sampler);
/* Ticks that were left out because the ring was full. */
uint64_t sampler_missed(const struct sampler *sampler);

#endif
