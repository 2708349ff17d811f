/* changepoint.h - where a series of rates changes its level.  Pure.
 *
 * 1. Outliers are cut to the local median +- 3 scaled MADs (hampel.h): a stall is no change of
 *    level, nor is anything else that lasts 3 values or less.
 * 2. PELT (pelt.h) over a change of the mean: the cost of a segment is its sum of squares about its
 *    mean, the penalty of a change 3 log(n) times the variance of the noise.  That comes from the
 *    differences of neighbours: MAD of first differences / sqrt 2, inflated by their lag-1
 *    autocorrelation as of an AR(1) process; and no less than what the differences of the means of
 *    2, 4, 8 ... n / 32 neighbours say, so that checkpoints at a steady pace are noise too.
 * 3. A change smaller than `least` of the level before it is none, nor is one where a straight line
 *    through both segments comes as close as their two levels do: a drift.  The least worthy goes
 *    first, and its two segments are one. */
#ifndef STATS_CHANGEPOINT_H
#define STATS_CHANGEPOINT_H

#include <stddef.h>

enum { CHANGEPOINT_MAX = 32 };

struct changepoint {
    size_t at;            /* index of the first value of the new level */
    double before, after; /* medians of the segments on both sides */
};

struct changepoint_options {
    size_t shortest; /* a segment has at least so many values (>= 2) */
    double least;    /* 0.10: levels nearer than this are one (> 0) */
};

/* The changes in order; at most CHANGEPOINT_MAX, the largest ones.  Returns how many.  Values that
 * are not finite take the value before them.  More than CHANGEPOINT_POINTS values are taken as
 * means of neighbours first, and the places looked for again among the values: 2 ms for 3,600
 * values, 30 ms for 100,000. */
enum { CHANGEPOINT_POINTS = 1000 };
size_t changepoint_find(const double *values, size_t count,
                        const struct changepoint_options *options,
                        struct changepoint changes[CHANGEPOINT_MAX]);

#endif
