/* steady_repeat.h - one repeat of a group, over time: what its rounds, its levels and its stalls
 * say.  Pure. */
#ifndef ANALYSIS_STEADY_REPEAT_H
#define ANALYSIS_STEADY_REPEAT_H

#include "analysis/groups.h"
#include "analysis/levels.h"
#include "analysis/recovery.h"
#include "analysis/rounds_rule.h"
#include "analysis/stalls.h"

enum steady_verdict { STEADY_UNDETERMINED, STEADY_REACHED, STEADY_NOT_REACHED, STEADY_BURST };
/* "undetermined", "steady", "not reached", "burst" */
extern const char *const steady_verdicts[];

struct steady_repeat {
    const struct group *group;
    const json_t *trial;
    const struct rounds_rule *rule;        /* of the trial; borrowed */
    const struct rounds_rule_phase *phase; /* of the group; NULL: it has no rounds */
    enum rounds_rule_answer itself; /* what the run itself found; unknown: it did not judge */
    enum steady_verdict verdict;
    double written_bytes, written_s; /* by all phases of the trial; NaN unknown */
    struct steady commits, p99;      /* of the last window; NaN: there is none */

    struct joined joined;
    struct levels levels;
    struct stalls stalls;
    double cliff_bytes, cliff_s;       /* since the trial began; NaN: there is none, or not known */
    double median, burst, sustained;   /* commits/s; NaN unknown */
    const struct joined_second *worst; /* NULL: no samples */
    double below_half;                 /* share of the time below half the median; NaN */

    bool recovered; /* something ran after a pause */
    struct recovery recovery;
};

void steady_repeat_init(struct steady_repeat *repeat, const struct group *group, size_t at,
                        const struct rounds_rule *rule, const struct rates_index *index);

/* What the devices of data and WAL took in a phase and while it settled; NaN unknown. */
double steady_repeat_bytes(const json_t *phase);
void steady_repeat_release(struct steady_repeat *repeat);
/* Is anything known of it: a verdict, samples? */
bool steady_repeat_says(const struct steady_repeat *repeat);

#endif
