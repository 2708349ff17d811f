/* resample.h - how far the sum of a series strays: circular block bootstrap (Politis and Romano
 * 1992).  Pure.
 *
 * Blocks of neighbours are drawn with replacement, the series being closed to a ring, so that
 * dependence within a block stays.  For an order statistic (of values: a median; of slopes: a
 * slope) it is the sum of its estimating function that is drawn again, as in Hu and Zidek 1995
 * (Biometrika 82): signs about the median, or the parts of Kendall's sum.  What that sum may be is
 * then a range of ranks, and the values at those ranks are the interval.  This costs one look-up a
 * block instead of a sort a resample.
 *
 * Few blocks make percentiles too narrow: they are taken at the level that Student's t asks for
 * (Hesterberg 2015, The American Statistician 69, "expanded percentiles"). */
#ifndef STATS_RESAMPLE_H
#define STATS_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

struct resample {
    size_t block, draws; /* values in a block, at most half of them; resamples */
    double level;        /* 0.95 */
    uint64_t seed;       /* the same one gives the same range */
};

struct resample_range {
    double low, high; /* of (sum of a resample) - (sum as it is) */
};

void resample_sum(const double *values, size_t count, const struct resample *how,
                  struct resample_range *range);

#endif
