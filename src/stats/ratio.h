/* ratio.h - is B larger than A, and by what factor?  Rank tests on logarithms.  Pure.
 *
 * The ratio B/A is exp of the Hodges-Lehmann estimate of log B - log A (Hodges and Lehmann 1963,
 * Ann. Math. Stat. 34): unpaired the median of all differences b - a, paired the median of the
 * Walsh averages of the pairs' differences.  Intervals are exact: the order statistics of those
 * differences (averages) at which the Mann-Whitney (Wilcoxon signed-rank) distribution leaves at
 * most (1 - level) / 2 outside on each side (Hollander and Wolfe, sections 3.3 and 4.3; the
 * distributions are counted, not approximated, up to RATIO_EXACT_MAX values).  The p-values are
 * two-sided (twice the smaller tail) of the same distributions; ties are given midranks, and then
 * the permutation distribution of those midranks is counted.  Pairs without a difference are left
 * out of p, not of the interval.  Without ties p <= 1 - level exactly where the interval excludes
 * 1. */
#ifndef STATS_RATIO_H
#define STATS_RATIO_H

#include <stddef.h>

enum {
    RATIO_EXACT_MAX = 50
}; /* values of either side, or pairs; above, the normal approximation
    * with continuity and tie correction */

struct ratio {
    double ratio;     /* B / A; NaN, and all that follows: no values, or one is not above 0 */
    double low, high; /* NaN: so few values that no interval has this level */
    double p;         /* that the ratio is 1, two-sided; NaN without a ratio */
    double coverage;  /* what the interval truly covers, at least `level`; NaN without one */
    size_t count_a, count_b; /* used */
};

/* Values that are not finite are left out.  `level` 0.95. */
void ratio_unpaired(const double *a, size_t count_a, const double *b, size_t count_b, double level,
                    struct ratio *ratio);
/* a[i] belongs to b[i]; pairs in which either is not finite are left out. */
void ratio_paired(const double *a, const double *b, size_t count, double level,
                  struct ratio *ratio);

enum ratio_verdict {
    RATIO_UNDETERMINED, /* too few values, or the interval holds 1 and more than the margin */
    RATIO_HIGHER,       /* the whole interval is above 1 */
    RATIO_LOWER,        /* below 1 */
    RATIO_SAME,         /* within [1 / (1 + margin), 1 + margin], whether or not it holds 1 */
};
/* measurement.md's words: `margin` 0.05.  An interval that excludes 1 and lies inside the margin is
 * RATIO_SAME: a difference that nobody would notice. */
enum ratio_verdict ratio_judge(const struct ratio *ratio, double margin);

/* Holm's step-down adjustment (Holm 1979, Scand. J. Statist. 6): adjusted[i] for p[i], monotone, at
 * most 1; NaN stays NaN and does not count.  The arrays may be the same. */
void ratio_holm(const double *p, size_t count, double *adjusted);

/* How many more values a side (or pairs) until the interval would no longer hold 1, were ratio and
 * scatter to stay as they are: its width shrinks with the root of the number.  At least one, and
 * enough for an interval (95%) to exist at all, which is the whole answer while there is none; 0:
 * it excludes 1 already; RATIO_MORE_MAX: so many or more, or never.  `to_same` the same for the
 * interval to lie inside the margin. */
enum { RATIO_MORE_MAX = 1000 };
struct ratio_more {
    size_t to_differ, to_same; /* the smaller one is what a person is told */
};
enum ratio_design { RATIO_UNPAIRED, RATIO_PAIRED };
void ratio_more(const struct ratio *ratio, enum ratio_design design, double margin,
                struct ratio_more *more);

#endif
