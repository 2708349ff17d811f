/* counters.h - what a stream counts and the sampler reads.
 *
 * Single writer (the stream), any reader; cache-line aligned, so that streams do not
 * disturb each other.  Cumulative over the trial. */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "measure/hist.h"

struct stream_counters {
    _Alignas(128) _Atomic uint64_t commits; /* acknowledged */
    _Atomic uint64_t rows;                  /* in acknowledged commits */
    _Atomic uint64_t retries;
};

static inline void counter_add(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
                          memory_order_release);
}
static inline uint64_t counter_read(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit((_Atomic uint64_t *)counter, memory_order_acquire);
}

#endif
