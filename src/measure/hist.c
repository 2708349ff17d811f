#include "measure/hist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

_Static_assert(((uint64_t)HIST_SUB_COUNT << (HIST_UNIT_SHIFT + HIST_BUCKETS - 1)) > HIST_MAX_NS,
               "the last bucket reaches the highest value");

static void set_empty(struct hist *h)
{
    h->count = 0;
    h->min_ns = INT64_MAX;
    h->max_ns = 0;
    h->sum_ns = 0;
    h->low = HIST_COUNTS;
    h->high = 0;
}

/* By mmap and not by calloc: a thousand streams hold three each, and most pages are never
 * touched. */
struct hist *hist_create(void)
{
    struct hist *h =
        mmap(NULL, sizeof *h, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (h == MAP_FAILED)
        abort();
    set_empty(h);
    return h;
}

void hist_destroy(struct hist *h)
{
    if (h != NULL)
        munmap(h, sizeof *h);
}

void hist_reset(struct hist *h)
{
    if (h->low <= h->high)
        memset(&h->counts[h->low], 0, (h->high - h->low + 1) * sizeof h->counts[0]);
    set_empty(h);
}

void hist_add(struct hist *total, const struct hist *part)
{
    if (part->count == 0)
        return;
    for (uint32_t i = part->low; i <= part->high; i++)
        if (part->counts[i] != 0)
            total->counts[i] += part->counts[i];
    total->count += part->count;
    total->sum_ns += part->sum_ns;
    total->low = part->low < total->low ? part->low : total->low;
    total->high = part->high > total->high ? part->high : total->high;
    total->min_ns = part->min_ns < total->min_ns ? part->min_ns : total->min_ns;
    total->max_ns = part->max_ns > total->max_ns ? part->max_ns : total->max_ns;
}

int64_t hist_lowest_ns(uint32_t index)
{
    uint32_t bucket = index >> (HIST_SUB_BITS - 1), sub = index & (HIST_SUB_HALF - 1);
    if (bucket == 0)
        return (int64_t)sub << HIST_UNIT_SHIFT;
    return (int64_t)(sub + HIST_SUB_HALF) << (bucket - 1 + HIST_UNIT_SHIFT);
}

int64_t hist_width_ns(uint32_t index)
{
    uint32_t bucket = index >> (HIST_SUB_BITS - 1);
    return INT64_C(1) << ((bucket == 0 ? 0 : bucket - 1) + HIST_UNIT_SHIFT);
}

/* Slack for what q has lost in binary: 0.999 of 10,000 samples is the 9,990th, and enough. */
static const double slack = 1e-9;

static int64_t value_at(const struct hist *h, double q)
{
    double rank = ceil(q * (double)h->count - slack);
    uint64_t wanted = rank < 1 ? 1 : (uint64_t)rank, seen = 0;
    for (uint32_t i = h->low; i <= h->high; i++) {
        seen += h->counts[i];
        if (seen >= wanted) {
            int64_t highest = hist_lowest_ns(i) + hist_width_ns(i) - 1;
            return highest < h->max_ns ? highest : h->max_ns;
        }
    }
    return h->max_ns;
}

double hist_quantile_ms(const struct hist *h, double q)
{
    if (h->count == 0 || !(q >= 0 && q <= 1))
        return NAN;
    if (q < 1 && (double)h->count * (1 + slack) < 10 / (1 - q))
        return NAN;
    return (double)(q < 1 ? value_at(h, q) : h->max_ns) / 1e6;
}

double hist_mean_ms(const struct hist *h)
{
    return h->count == 0 ? NAN : h->sum_ns / (double)h->count / 1e6;
}

double hist_max_ms(const struct hist *h)
{
    return h->count == 0 ? NAN : (double)h->max_ns / 1e6;
}
