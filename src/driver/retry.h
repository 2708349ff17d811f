/* retry.h - how long to wait before a transaction is tried again, the same for every engine.
 *
 * Exponential with full jitter: uniform in (0, min(0.5 ms x 2^attempt, 100 ms)], so that
 * streams that collided once do not collide again in step. */
#ifndef DRIVER_RETRY_H
#define DRIVER_RETRY_H

#include <stdint.h>

#include "base/rng.h"

/* A transaction that has not been acknowledged this long after it failed first ends the trial;
 * connecting is tried as long. */
#define RETRY_GIVE_UP_NS INT64_C(60000000000)

int64_t retry_delay_ns(unsigned attempt, struct rng *rng);

#endif
