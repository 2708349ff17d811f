/* summary.h - small sums over arrays.  Pure.  NaN where a figure has no meaning. */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include <stddef.h>

double summary_mean(const double *values, size_t count);
/* The middle one, or the mean of the two in the middle; does not change `values`. */
double summary_median(const double *values, size_t count);
/* Jain's fairness index, (sum x)^2 / (n x sum x^2): 1 all equal, 1/n one takes all.
 * (Jain, Chiu, Hawe 1984.)  NaN when all are 0. */
double summary_jain(const double *values, size_t count);

#endif
