/* median.h - the interval of a median, and of a median of values that follow each other.  Pure.
 *
 * Of independent values (repeats): the exact interval between two order statistics by the binomial
 * distribution (Conover 1999, section 3.2).  Of the intervals of one run, which depend on their
 * neighbours: the order statistics between which a circular block bootstrap of the signs about the
 * median (resample.h) leaves the number of values below it; with independent values that is the
 * exact interval again.  Blocks have the length of Politis and White 2004 (Econometric Reviews 23,
 * corrected by Patton, Politis and White 2009), from the autocorrelation of ranks up to where it
 * has died away, and at least the cube root of n. */
#ifndef STATS_MEDIAN_H
#define STATS_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

struct median {
    double value, low, high; /* NaN: none; low and high also where too few values exist */
    size_t count;            /* without those that are not finite */
};

void median_exact(const double *values, size_t count, double level, struct median *median);

enum { MEDIAN_RESAMPLES = 1000, MEDIAN_SERIES_MIN = 20 };
/* Seeded and repeatable: the same values and seed give the same interval.  Fewer than
 * MEDIAN_SERIES_MIN values, or so much dependence that nothing can be said: no interval.  Covers
 * less than `level` where the series is short against its dependence: of 60 values with a lag-1
 * correlation of 0.7 90% for 95%, of 300 93%. */
void median_series(const double *values, size_t count, double level, uint64_t seed,
                   struct median *median);
/* Length of a block for such a series: 1 to count / 4; also what a bootstrap of a regression
 * uses. */
size_t median_block(const double *values, size_t count);

#endif
