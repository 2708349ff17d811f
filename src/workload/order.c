#include "workload/order.h"

#include <assert.h>

#include "base/rng.h"

enum { ROUNDS = 4 };

void order_init(struct order *order, enum order_kind kind, uint64_t count, uint64_t seed)
{
    unsigned bits = 2;
    while (bits < 64 && (UINT64_C(1) << bits) < count)
        bits++;
    *order = (struct order){
        .kind = kind, .count = count, .half_bits = bits - bits / 2, .upper_bits = bits / 2};
    struct rng rng = {.state = rng_mix64(seed + RNG_STEP)};
    for (unsigned i = 0; i < ROUNDS; i++)
        order->round_key[i] = rng_next(&rng);
}

/* The top `bits` of a hash of the other half. */
static inline uint64_t hash(uint64_t half, uint64_t key, unsigned bits)
{
    uint64_t z = (half ^ key) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 32)) * UINT64_C(0x94d049bb133111eb);
    return z >> (64 - bits);
}

/* Each round changes one half by the other, so that rounds in reverse order undo it. */
static inline uint64_t encrypt(const struct order *order, uint64_t value)
{
    uint64_t upper = value >> order->half_bits;
    uint64_t lower = value & ((UINT64_C(1) << order->half_bits) - 1);
    upper ^= hash(lower, order->round_key[0], order->upper_bits);
    lower ^= hash(upper, order->round_key[1], order->half_bits);
    upper ^= hash(lower, order->round_key[2], order->upper_bits);
    lower ^= hash(upper, order->round_key[3], order->half_bits);
    return (upper << order->half_bits) | lower;
}

static inline uint64_t decrypt(const struct order *order, uint64_t value)
{
    uint64_t upper = value >> order->half_bits;
    uint64_t lower = value & ((UINT64_C(1) << order->half_bits) - 1);
    lower ^= hash(upper, order->round_key[3], order->half_bits);
    upper ^= hash(lower, order->round_key[2], order->upper_bits);
    lower ^= hash(upper, order->round_key[1], order->half_bits);
    upper ^= hash(lower, order->round_key[0], order->upper_bits);
    return (upper << order->half_bits) | lower;
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
