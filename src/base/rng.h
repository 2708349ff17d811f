/* rng.h - seeded random numbers.  Not for secrets. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection on 64 bits. */
static inline uint64_t rng_mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#define RNG_STEP UINT64_C(0x9e3779b97f4a7c15)

__extension__ typedef unsigned __int128 rng_wide; /* for products only */

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
    return rng_mix64(rng->state += RNG_STEP);
}

/* Uniform below `bound` (> 0), by Lemire's multiply; bias below 2^-32 for bounds < 2^32. */
static inline uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    return (uint64_t)(((rng_wide)rng_next(rng) * bound) >> 64);
}

#endif
