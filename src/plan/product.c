#include "plan/product.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static size_t value_count(const struct product *product, size_t key)
{
    size_t count;
    spec_values(product->spec, product->part, key, &count);
    return count;
}

/* A list of run.repeats makes combinations that end sooner than others. */
static void count_trials(struct product *product)
{
    for (size_t key = 0; key < spec_key_count(product->spec); key++) {
        if (strcmp(spec_key(product->spec, key)->name, "run.repeats") != 0)
            continue;
        size_t count;
        const char *const *values = spec_values(product->spec, product->part, key, &count);
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            double repeats = key_number(spec_key(product->spec, key), values[i]);
            sum += repeats;
            if (repeats > product->repeats)
                product->repeats = (unsigned)repeats;
        }
        product->trials = product->count / (double)count * sum;
    }
}

struct product *product_create(const struct spec *spec, size_t part)
{
    size_t keys = spec_key_count(spec);
    struct product *product = calloc(1, sizeof *product);
    if (product == NULL)
        abort();
    *product = (struct product){.spec = spec, .part = part, .count = 1};
    product->varying = calloc(keys, sizeof *product->varying);
    product->choice = calloc(keys, sizeof *product->choice);
    if (product->varying == NULL || product->choice == NULL)
        abort();
    for (size_t key = 0; key < keys; key++) {
        size_t count = value_count(product, key);
        product->count *= (double)count;
        if (count > 1)
            product->varying[product->varying_count++] = key;
    }
    count_trials(product);
    return product;
}

void product_destroy(struct product *product)
{
    if (product == NULL)
        return;
    free(product->varying);
    free(product->choice);
    free(product);
}

void product_choose(const struct product *product, uint64_t combination)
{
    assert((double)combination < product->count);
    for (size_t i = product->varying_count; i-- > 0;) {
        size_t count = value_count(product, product->varying[i]);
        product->choice[product->varying[i]] = combination % count;
        combination /= count;
    }
}
