#include "workload/order.h"

#include <assert.h>

#include "base/rng.h"

enum { ROUNDS = 4 };

void order_init(struct order *order, enum order_kind kind, uint64_t count, uint64_t seed)
{
    *order = (struct order){.kind = kind, .count = count, .half_bits = 1};
    while (order->half_bits < 32 && (UINT64_C(1) << (2 * order->half_bits)) < count)
        order->half_bits++;
    struct rng rng = {.state = rng_mix64(seed + RNG_STEP)};
    for (unsigned i = 0; i < ROUNDS; i++)
        order->round_key[i] = rng_next(&rng);
}

/* The high half_bits of a hash of one half. */
static inline uint64_t round_value(const struct order *order, uint64_t half, unsigned round)
{
    uint64_t z = (half ^ order->round_key[round]) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 32)) * UINT64_C(0x94d049bb133111eb);
    return z >> (64 - order->half_bits);
}

static inline uint64_t encrypt(const struct order *order, uint64_t value)
{
    const uint64_t mask = (UINT64_C(1) << order->half_bits) - 1;
    uint64_t left = value >> order->half_bits;
    uint64_t right = value & mask;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t next = left ^ round_value(order, right, round);
        left = right;
        right = next;
    }
    return (left << order->half_bits) | right;
}

static inline uint64_t decrypt(const struct order *order, uint64_t value)
{
    const uint64_t mask = (UINT64_C(1) << order->half_bits) - 1;
    uint64_t left = value >> order->half_bits;
    uint64_t right = value & mask;
    for (unsigned round = ROUNDS; round-- > 0;) {
        uint64_t before = right ^ round_value(order, left, round);
        right = left;
        left = before;
    }
    return (left << order->half_bits) | right;
}

uint64_t order_at(const struct order *order, uint64_t position)
{
    assert(position < order->count);
    switch (order->kind) {
    case ORDER_ASCENDING:
        return position;
    case ORDER_DESCENDING:
        return order->count - 1 - position;
    case ORDER_RANDOM:
        break;
    }
    do
        position = encrypt(order, position);
    while (position >= order->count);
    return position;
}

uint64_t order_position(const struct order *order, uint64_t item)
{
    assert(item < order->count);
    switch (order->kind) {
    case ORDER_ASCENDING:
        return item;
    case ORDER_DESCENDING:
        return order->count - 1 - item;
    case ORDER_RANDOM:
        break;
    }
    do
        item = decrypt(order, item);
    while (item >= order->count);
    return item;
}
