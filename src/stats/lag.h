/* lag.h - does y follow x, and how much later?  Pure.
 *
 * Cross-correlation of first differences (differencing takes trends away, which would make any two
 * series look alike): the lag at which it is largest in size. */
#ifndef STATS_LAG_H
#define STATS_LAG_H

#include <stddef.h>

struct lag {
    int lag;       /* y follows x by so many values; negative: it leads */
    double r;      /* there; NaN: too few values or no variation */
    double r_zero; /* at lag 0 */
};

enum { LAG_VALUES_MIN = 30 };
/* Looks from -most to +most; pairs in which either is not finite are left out.  What is no more
 * than chance at 95% leaves lag at 0 and r at r_zero.  Chance is 2 / sqrt(n) for one lag, for the
 * largest of L lags sqrt(4 + 2 log L) / sqrt(n) (the tail of the normal distribution), and more for
 * series that repeat themselves (Bartlett 1935, J. R. Stat. Soc. 98). */
void lag_find(const double *x, const double *y, size_t count, int most, struct lag *lag);

#endif
