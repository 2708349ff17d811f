/* order.h - seeded orders: bijections of 0 .. count-1, in constant memory, with inverse.
 *
 * A random order is a Feistel network over just enough bits, its halves as equal as they
 * can be, walked until it falls inside the range (Black and Rogaway 2002, "cycle walking"):
 * fewer than two steps in the mean. */
#ifndef WORKLOAD_ORDER_H
#define WORKLOAD_ORDER_H

#include <stdint.h>

enum order_kind { ORDER_ASCENDING, ORDER_DESCENDING, ORDER_RANDOM };

struct order {
    enum order_kind kind;
    uint64_t count;
    unsigned half_bits; /* of the lower half; the upper one has as many, or one less */
    unsigned upper_bits;
    uint64_t round_key[4];
};

void order_init(struct order *order, enum order_kind kind, uint64_t count, uint64_t seed);
/* The item at a position; position < count. */
uint64_t order_at(const struct order *order, uint64_t position);
/* The position of an item: order_at's inverse; item < count. */
uint64_t order_position(const struct order *order, uint64_t item);

#endif
