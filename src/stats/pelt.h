/* pelt.h - the cheapest division of a series into segments of one mean each.  Pure.
 *
 * Exact: it minimises the sum of squares about the segments' means plus `penalty` for each change,
 * over all divisions whose segments have at least `shortest` values, by dynamic programming with
 * the pruning of Killick, Fearnhead and Eckley 2012 (JASA 107, PELT).  Linear time where changes
 * come at a steady pace, count^2 / 2 sums where there is none. */
#ifndef STATS_PELT_H
#define STATS_PELT_H

#include <stddef.h>

/* The first indices of the second and later segments, ascending; returns how many.  `starts` has
 * room for count / shortest of them; shortest >= 1, penalty > 0, all values finite. */
size_t pelt_find(const double *values, size_t count, size_t shortest, double penalty,
                 size_t *starts);

#endif
