/* interval_hist.h - a histogram that one thread fills and the sampler empties at each tick.
 *
 * Two halves: the writer records into the active one, the sampler makes the other active,
 * waits until the writer is not inside the old one, and takes it.  No lock; a record costs one
 * atomic exchange.  (The idea of HdrHistogram's writer-reader phaser, for one writer.) */
#ifndef MEASURE_INTERVAL_HIST_H
#define MEASURE_INTERVAL_HIST_H

#include <sched.h>
#include <stdatomic.h>

#include "measure/hist.h"

struct interval_hist {
    struct hist *half[2];
    _Atomic unsigned active;  /* the half to record into; set by the sampler */
    _Atomic unsigned writing; /* 1 + the half that the writer is inside of; 0: none */
};

static inline void interval_hist_init(struct interval_hist *h)
{
    h->half[0] = hist_create();
    h->half[1] = hist_create();
    atomic_init(&h->active, 0);
    atomic_init(&h->writing, 0);
}

static inline void interval_hist_release(struct interval_hist *h)
{
    hist_destroy(h->half[0]);
    hist_destroy(h->half[1]);
}

/* Writer thread. */
static inline void interval_hist_record(struct interval_hist *h, int64_t value_ns)
{
    unsigned half = atomic_load(&h->active);
    for (;;) { /* sequential consistency: either we see the switch or the sampler sees us */
        atomic_store(&h->writing, half + 1);
        unsigned now = atomic_load(&h->active);
        if (now == half)
            break;
        half = now;
    }
    hist_record(h->half[half], value_ns);
    atomic_store_explicit(&h->writing, 0, memory_order_release);
}

/* Sampler thread: adds what was recorded since the last call to `total`. */
static inline void interval_hist_take(struct interval_hist *h, struct hist *total)
{
    unsigned old = atomic_load(&h->active);
    atomic_store(&h->active, 1 - old);
    while (atomic_load(&h->writing) == old + 1)
        sched_yield();
    if (h->half[old]->count == 0)
        return;
    hist_add(total, h->half[old]);
    hist_reset(h->half[old]);
}

#endif
