/* rank.h - midranks, and how rank statistics are distributed where nothing differs.  Pure.
 *
 * The Mann-Whitney and Wilcoxon distributions by counting: how many of the choices of ranks (of
 * the signs) have each sum (Hollander and Wolfe, sections 3.1 and 4.1).  Given midranks, the same
 * count is the permutation distribution with ties.  The normal approximations beside them have a
 * continuity correction; their variances are corrected for ties. */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stddef.h>

/* ranks[i] is twice the midrank of values[i], so that it is whole.  What lies within `equal` of the
 * value below it is tied with it. */
void rank_doubled(const double *values, size_t count, double equal, size_t *ranks);

struct rank_tails {
    double below, above; /* P(W <= sum), P(W >= sum) */
};

/* W is the sum of `chosen` of the ranks, all choices being alike. */
struct rank_tails rank_sum_tails(const size_t *ranks, size_t count, size_t chosen, size_t sum);
struct rank_tails rank_sum_tails_normal(const size_t *ranks, size_t count, size_t chosen,
                                        size_t sum);
/* W is the sum of those ranks whose coin shows heads. */
struct rank_tails rank_signed_tails(const size_t *ranks, size_t count, size_t sum);
struct rank_tails rank_signed_tails_normal(const size_t *ranks, size_t count, size_t sum);

/* The largest c with P(statistic <= c - 1) <= tail, and that probability, of the statistic that
 * starts at 0 and has no ties; c = 0: there is none.  Of all differences (averages) in order, the
 * c-th from below and the c-th from above are then the ends of an interval. */
struct rank_cut {
    size_t c;
    double outside;
};
struct rank_cut rank_sum_cut(size_t count_a, size_t count_b, double tail);
struct rank_cut rank_sum_cut_normal(size_t count_a, size_t count_b, double tail);
struct rank_cut rank_signed_cut(size_t count, double tail);
struct rank_cut rank_signed_cut_normal(size_t count, double tail);

#endif
