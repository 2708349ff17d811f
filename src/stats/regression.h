/* regression.h - a robust line through points.  Pure.
 *
 * Slope by Theil and Sen: the median of the slopes of all pairs with different x; its 95% interval
 * by Sen's rank method (Sen 1968, JASA 63; Hollander and Wolfe, section 9.3), with ties.
 * r is Pearson's.  Above REGRESSION_MAX points, neighbours are summed in groups of equal size. */
#ifndef STATS_REGRESSION_H
#define STATS_REGRESSION_H

#include <stddef.h>

enum { REGRESSION_MIN = 30, REGRESSION_MAX = 1200 };

struct regression {
    double slope, low, high, r; /* NaN: fewer than REGRESSION_MIN points, or x does not vary */
    size_t n;                   /* points given */
};

void regression_fit(const double *x, const double *y, size_t count, struct regression *fit);
/* Same without the lower bound on points, for tests against published examples. */
void regression_fit_any(const double *x, const double *y, size_t count, struct regression *fit);

#endif
