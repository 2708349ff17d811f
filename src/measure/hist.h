/* hist.h - a latency histogram with HdrHistogram's layout.
 *
 * 2 significant digits (buckets no wider than 1%) from 1 us to 1 hour, in nanoseconds: unit
 * 8 ns, 256 sub-buckets.  The struct is large but touched sparsely: allocate it zeroed
 * with hist_create() so that pages never used cost no memory.
 *
 * One owner thread; merge after the owner is done.  hist_record() costs a few ns. */
#ifndef MEASURE_HIST_H
#define MEASURE_HIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
    HIST_UNIT_SHIFT = 3, /* 8 ns */
    HIST_SUB_BITS = 8,   /* 256 sub-buckets: 2 significant digits */
    HIST_SUB_COUNT = 1 << HIST_SUB_BITS,
    HIST_SUB_HALF = HIST_SUB_COUNT / 2,
    HIST_BUCKETS = 32, /* 8 ns x 256 x 2^31 > 1 h */
    HIST_COUNTS = (HIST_BUCKETS + 1) * HIST_SUB_HALF,
};
#define HIST_MAX_NS INT64_C(3600000000000)

struct hist {
    uint64_t count;
    int64_t min_ns, max_ns; /* exact; max is what percentiles never pass */
    double sum_ns;
    uint32_t low, high; /* range of indices in use; low > high: empty */
    uint64_t counts[HIST_COUNTS];
};

/* HdrHistogram's index of a value (Tene, "HdrHistogram", countsArrayIndex). */
static inline uint32_t hist_index(int64_t value_ns)
{
    uint64_t v = (uint64_t)value_ns >> HIST_UNIT_SHIFT;
    unsigned bucket =
        (unsigned)(64 - HIST_SUB_BITS) - (unsigned)__builtin_clzll(v | (HIST_SUB_COUNT - 1));
    return (uint32_t)((bucket << (HIST_SUB_BITS - 1)) + (v >> bucket));
}

static inline void hist_record(struct hist *h, int64_t value_ns)
{
    int64_t v = value_ns < 0 ? 0 : value_ns > HIST_MAX_NS ? HIST_MAX_NS : value_ns;
    uint32_t i = hist_index(v);
    h->counts[i]++;
    h->count++;
    h->sum_ns += (double)v;
    if (i < h->low)
        h->low = i;
    if (i > h->high)
        h->high = i;
    if (v < h->min_ns)
        h->min_ns = v;
    if (v > h->max_ns)
        h->max_ns = v;
}

/* The smallest value of the bucket at `index`, and how many values are equivalent to it. */
int64_t hist_lowest_ns(uint32_t index);
int64_t hist_width_ns(uint32_t index);

struct hist *hist_create(void); /* empty; heap by mmap; aborts when memory is out */
void hist_destroy(struct hist *h);
void hist_reset(struct hist *h); /* touches only what was used */
void hist_add(struct hist *total, const struct hist *part);
/* The value at quantile q (0 to 1): the highest value equivalent to the bucket in which
 * the ceil(q x count)-th value lies, but never above max.  NaN when there are fewer than
 * 10/(1-q) samples (q < 1), or none. In milliseconds. */
double hist_quantile_ms(const struct hist *h, double q);
double hist_mean_ms(const struct hist *h); /* NaN when empty */
double hist_max_ms(const struct hist *h);  /* NaN when empty */

/* HdrHistogram's V2 compressed encoding in base64 (what .hlog files hold); heap.  Aborts when
 * memory is out.  (AbstractHistogram.encodeIntoCompressedByteBuffer of the reference.) */
char *hist_encode(const struct hist *h);
/* Reverse; only of histograms with this layout.  Untrusted input.  count, max and mean are
 * then those of the buckets.  `h` is overwritten; on failure it is empty. */
int hist_decode(const char *base64, struct hist *h, struct err *err);

#endif
