/* knee.h - where more streams stop gaining, and where one rate stands still while another rises.
 * Pure. */
#ifndef ANALYSIS_KNEE_H
#define ANALYSIS_KNEE_H

#include "analysis/ladder.h"

enum knee_verdict {
    KNEE_UNDETERMINED, /* the rate is known at fewer than two numbers of streams */
    KNEE_FOUND,        /* more streams gain little after it */
    KNEE_RISING,       /* the largest number still gains on all smaller ones */
    KNEE_FLAT,         /* the smallest number carries it all */
    KNEE_FALLING,      /* the largest number carries clearly less than the best */
};

#define KNEE_GAIN 1.10 /* what gains less is little; the same the other way round is a loss */

struct knee {
    enum knee_verdict verdict;
    size_t known; /* rungs with the ladder's main rate; below only those */
    const struct rung *first, *at, *before; /* at: the fewest streams from which on no more gain
                                             * KNEE_GAIN; before: the last but one */
    const struct rung *last;
    struct ratio gain; /* of `last` on `at`; while rising on `first` */
    double p99_beyond; /* likewise, times what; NaN */
};
void knee_find(const struct ladder *ladder, struct knee *knee);

/* From `from` to `to`, the last rung that knows both, one rate stands still: it ends within 5% of
 * where it began; where that is nowhere so, three points and more lie within 10% of their middle
 * and it changes by less than a third of the other's rise.  The other rises more than 10%.  Both
 * over whole phases. */
struct plateau {
    const struct rung *from, *to; /* NULL: there is none */
    enum rate still, rises;
    double still_ratio, rises_ratio;
};
void knee_plateau(const struct ladder *ladder, struct plateau *plateau);

#endif
