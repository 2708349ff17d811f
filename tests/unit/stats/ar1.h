/* ar1.h - series for tests: normal values with variance 1, each correlated with the one before. */
#ifndef TEST_STATS_AR1_H
#define TEST_STATS_AR1_H

#include <math.h>
#include <stddef.h>

#include "base/rng.h"

static inline double ar1_uniform(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

static inline double ar1_normal(struct rng *rng)
{
    double radius = sqrt(-2 * log(ar1_uniform(rng)));
    return radius * cos(2 * acos(-1) * ar1_uniform(rng));
}

static inline void ar1_fill(double *values, size_t count, double correlation, struct rng *rng)
{
    double value = ar1_normal(rng), fresh = sqrt(1 - correlation * correlation);
    for (size_t i = 0; i < count; i++) {
        value = correlation * value + fresh * ar1_normal(rng);
        values[i] = value;
    }
}

#endif
