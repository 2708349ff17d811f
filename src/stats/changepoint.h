/* changepoint.h - where a series of rates changes its level.  Pure.
 *
 * PELT (Killick, Fearnhead, Eckley 2012, JASA 107) over a change of the mean of ranks-robust
 * values: cost of a segment is its sum of squares about its mean, of values whose outliers are cut
 * to the local median +- 3 scaled MADs (a stall is no change of level), with a penalty of
 * 3 log(n) times the noise's variance, which comes from the differences of neighbours (MAD of
 * first differences / sqrt 2; inflated by the lag-1 autocorrelation of the residuals).  A change
 * smaller than `least` of the level before it is none. */
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
    double least;    /* 0.10: levels nearer than this are one */
};

/* The changes in order; at most CHANGEPOINT_MAX, the largest ones.  Returns how many.  Values that
 * are not finite take the value before them.  Linear time where changes exist, n^2 at worst; more
 * than CHANGEPOINT_POINTS values are taken as means of neighbours. */
enum { CHANGEPOINT_POINTS = 4000 };
size_t changepoint_find(const double *values, size_t count,
                        const struct changepoint_options *options,
                        struct changepoint changes[CHANGEPOINT_MAX]);

#endif
