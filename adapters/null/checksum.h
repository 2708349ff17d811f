/* checksum.h - a fast 64-bit checksum of rows that does not depend on their order.
 *
 * The checksum of many rows is the sum of theirs, modulo 2^64: streams add up their own
 * and a test makes the same number from the seed.  Within a row each 8 bytes (little-endian)
 * are multiplied by an odd number of their position, so that a flipped bit or a swap
 * always changes the row's sum, and the products do not wait for each other; SplitMix64's
 * finaliser then spreads it. */
#ifndef ADAPTERS_NULL_CHECKSUM_H
#define ADAPTERS_NULL_CHECKSUM_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/rng.h"

static inline uint64_t checksum_row(int64_t id, const unsigned char *payload, size_t size)
{
    uint64_t factor = RNG_STEP;
    uint64_t sum = (uint64_t)id * factor + size;
    uint64_t word;
    size_t at = 0;
    for (; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, payload + at, sizeof word);
        factor += 2 * RNG_STEP;
        sum += le64toh(word) * factor;
    }
    if (at < size) {
        word = 0;
        memcpy(&word, payload + at, size - at);
        factor += 2 * RNG_STEP;
        sum += le64toh(word) * factor;
    }
    return rng_mix64(sum);
}

/* As the gauge shows it: exact in a double. */
static inline double checksum_gauge(uint64_t sum)
{
    return (double)(sum & ((UINT64_C(1) << 52) - 1));
}

#endif
