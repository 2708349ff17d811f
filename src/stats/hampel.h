/* hampel.h - single values that stand out from their neighbours are cut back.  Pure.
 *
 * Hampel's filter in its cutting form (Davies and Gather 1993, JASA 88; Pearson et al. 2016,
 * EURASIP J. Adv. Signal Process.): a value further than `limit` scaled MADs (1.4826 x MAD) from
 * the median of its neighbourhood becomes median -+ limit scaled MADs.  A level that lasts longer
 * than `reach` values is left as it is. */
#ifndef STATS_HAMPEL_H
#define STATS_HAMPEL_H

#include <stddef.h>

enum { HAMPEL_REACH_MAX = 50 };

/* The neighbourhood of i is i - reach .. i + reach, as far as there are values; reach is 1 to
 * HAMPEL_REACH_MAX; all values finite.  Time count x reach.  The arrays differ. */
void hampel_cut(const double *values, size_t count, size_t reach, double limit, double *cut);

#endif
