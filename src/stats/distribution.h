/* distribution.h - distribution functions that intervals are made of.  Pure. */
#ifndef STATS_DISTRIBUTION_H
#define STATS_DISTRIBUTION_H

#include <stddef.h>

/* P(Z <= z) of the standard normal distribution. */
double distribution_normal(double z);
/* P(|T| <= t) of Student's t with `freedom` >= 1 degrees: the finite sums of Abramowitz and
 * Stegun, 26.7.3 and 26.7.4. */
double distribution_student(double t, size_t freedom);
/* The t at which that is `level`, 0 < level < 1. */
double distribution_student_inverse(double level, size_t freedom);
/* P(K <= k) of heads in `count` throws of a fair coin. */
double distribution_coin(size_t k, size_t count);

#endif
