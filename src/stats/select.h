/* select.h - order statistics of an array, which is rearranged.  Pure.  No NaN inside. */
#ifndef STATS_SELECT_H
#define STATS_SELECT_H

#include <stddef.h>

/* The value that would stand at `rank` (from 0) if the array were sorted; smaller ones are then
 * in front of it.  Linear time on average.  (Hoare 1961, "Find".) */
double select_rank(double *values, size_t count, size_t rank);
/* The middle value, or the mean of the two in the middle.  count > 0. */
double select_median(double *values, size_t count);

#endif
