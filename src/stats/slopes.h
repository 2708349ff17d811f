/* slopes.h - order statistics of the slopes between all pairs of points.  Pure.
 *
 * Of many pairs only those near the wanted rank are written down: a sample of the pairs tells
 * between which slopes it must lie, the others are counted (Floyd and Rivest 1975).  What is found
 * is exact: where the sample misled, all are written down. */
#ifndef STATS_SLOPES_H
#define STATS_SLOPES_H

#include <stddef.h>

struct slopes {
    const double *x, *y; /* finite, the caller's */
    size_t points;
    size_t total;          /* pairs with different x */
    double *sample;        /* slopes of some pairs, sorted; none: too few to matter */
    size_t sampled;        /* how many */
    double *near;          /* those between the bounds, rearranged by each look */
    size_t below, between; /* how many are below the bounds, and between them */
};

void slopes_init(struct slopes *slopes, const double *x, const double *y, size_t points);
void slopes_release(struct slopes *slopes);
/* The slope at `rank` (from 0, below total), were they sorted. */
double slopes_at(struct slopes *slopes, size_t rank);
/* The middle one, or the mean of the two in the middle; total > 0. */
double slopes_median(struct slopes *slopes);

#endif
