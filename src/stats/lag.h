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
/* Looks from -most to +most.  r beyond 2 / sqrt(n) of 0 is more than chance at 95%: below that
 * lag is 0 and r is r_zero. */
void lag_find(const double *x, const double *y, size_t count, int most, struct lag *lag);

#endif
