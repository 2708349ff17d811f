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

static inline uint64_t checksum_word(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return le64toh(word);
}

static inline uint64_t checksum_row(int64_t id, const unsigned char *payload, size_t size)
{
    const uint64_t step = 2 * RNG_STEP;
    uint64_t factor = RNG_STEP + step; /* of the next word; the id's is RNG_STEP */
    uint64_t sum = (uint64_t)id * RNG_STEP + size, other = 0;
    const unsigned char *at = payload, *end = payload + size;
    for (; end - at >= 32; at += 32, factor += 4 * step) {
        sum += checksum_word(at) * factor;
        other += checksum_word(at + 8) * (factor + step);
        sum += checksum_word(at + 16) * (factor + 2 * step);
        other += checksum_word(at + 24) * (factor + 3 * step);
    }
    for (; end - at >= 8; at += 8, factor += step)
        sum += checksum_word(at) * factor;
    if (at < end) {
        unsigned char tail[8] = {0};
        memcpy(tail, at, (size_t)(end - at));
        sum += checksum_word(tail) * factor;
    }
    return rng_mix64(sum + other);
}

/* As the gauge shows it: exact in a double. */
static inline double checksum_gauge(uint64_t sum)
{
    return (double)(sum & ((UINT64_C(1) << 52) - 1));
}

#endif
