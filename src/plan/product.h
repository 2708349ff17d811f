/* product.h - the product of all lists of one part.  Pure. */
#ifndef PLAN_PRODUCT_H
#define PLAN_PRODUCT_H

#include <stddef.h>
#include <stdint.h>

#include "workload/spec.h"

struct product {
    const struct spec *spec;
    size_t part;
    size_t *varying; /* keys with more than one value, in table order */
    size_t varying_count;
    double count;     /* combinations; a double, since long lists overflow any integer */
    double trials;    /* combinations x their repeats, for one target */
    unsigned repeats; /* most of them, where run.repeats is a list */
    size_t *choice;   /* [keys] */
};

/* Never NULL. */
struct product *product_create(const struct spec *spec, size_t part);
void product_destroy(struct product *product);
/* Sets `choice` to a combination, below `count`: the last key varies fastest. */
void product_choose(const struct product *product, uint64_t combination);

#endif
