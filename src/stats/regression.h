/* regression.h - a robust line through points.  Pure.
 *
 * Slope by Theil and Sen: the median of the slopes of all pairs with different x; its 95% interval
 * by Sen's rank method (Sen 1968, JASA 63; Hollander and Wolfe, section 9.3): the ranks next to
 * (N -+ z sqrt(V)) / 2 of the N slopes, V being Kendall's variance with ties in x and in y
 * (Kendall 1970, Rank Correlation Methods, chapter 4).  r is Pearson's.  Above REGRESSION_MAX
 * points, neighbours are summed in groups of equal size for the slope (the last few that
 * fill no group are left out of it); r is of the points as given. */
#ifndef STATS_REGRESSION_H
#define STATS_REGRESSION_H

#include <stddef.h>
#include <stdint.h>

enum { REGRESSION_MIN = 30, REGRESSION_MAX = 1200 };

struct regression {
    double slope, low, high, r; /* NaN: fewer than REGRESSION_MIN points, or x does not vary; low
                                 * and high also where too few slopes exist for an interval; r
                                 * also where y does not vary */
    size_t n;                   /* points given, without those that are not finite */
};

void regression_fit(const double *x, const double *y, size_t count, struct regression *fit);
/* Same without the lower bound on points, for tests against published examples. */
void regression_fit_any(const double *x, const double *y, size_t count, struct regression *fit);
/* Same slope and r, but the interval from a seeded circular block bootstrap of the points in their
 * order in time: samples that follow each other are not independent, and Sen's interval of them is
 * too narrow.  As with Sen its ends are ranks of the slopes; how far Kendall's sum strays comes
 * from resamples of its parts, point by point (resample.h, Hoeffding's projection), in blocks of
 * median_block of those parts or of the residuals, the longer one.  No slope is fitted again, so
 * that 3,600 points take some milliseconds.  The same points and seed give the same interval.  It
 * covers less than 95% where points are few against their dependence: with a lag-1 correlation of
 * 0.8 in both x and y 88% for 60 points, 93% for 300. */
enum { REGRESSION_RESAMPLES = 1000 };
void regression_fit_series(const double *x, const double *y, size_t count, uint64_t seed,
                           struct regression *fit);
/* Same with another interval: `z` is the normal quantile of its upper end, 1.96 for 95%. */
void regression_fit_level(const double *x, const double *y, size_t count, double z,
                          struct regression *fit);

#endif
