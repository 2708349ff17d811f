/* rounds_rule.h - the rule of the steady state over a trial's rounds (result/rounds.h).  Pure.
 *
 * At a round it holds when, over the last STEADY_WINDOW rounds, the window rule (stats/steady.h)
 * holds for each phase's commits/s, and for its p99 where that is known in all of them; when the
 * drive took at least the gate's bytes by then; and when no phase's commits/s changed their level
 * inside the window.  A change counts when it lasts: every level before it is ROUNDS_RULE_CHANGE or
 * more away from every level after it.  That is how a run with workload.until = steady judges while
 * it goes on; from the same samples comes the same answer.
 *
 * Partial rounds and those after the pause are not judged; where the run itself judged, nor is a
 * last round that is shorter than steady.round. */
#ifndef ANALYSIS_ROUNDS_RULE_H
#define ANALYSIS_ROUNDS_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/rates.h"
#include "stats/steady.h"

#define ROUNDS_RULE_CHANGE 0.10 /* of the level before */

enum { ROUNDS_RULE_PHASES = 8, ROUNDS_RULE_WHY = 480 };

struct rounds_rule_phase {
    const char *name;
    double *commits_per_s, *p99_ms; /* [count]; NaN unknown */
};

enum rounds_rule_answer { RULE_NO, RULE_YES, RULE_UNKNOWN };

struct rounds_rule {
    const json_t *trial;
    const json_t **rounds; /* [count], those that are judged; borrowed */
    size_t count;
    double *bytes_total; /* [count], that the drive had taken at its end; NaN unknown */
    double gate_bytes;   /* NaN: none */
    bool asked;          /* the workload asked until = steady */
    struct rounds_rule_phase phases[ROUNDS_RULE_PHASES];
    size_t phase_count;
    enum rounds_rule_answer *holds; /* [count]; unknown: the window's rates are not known */
    enum rounds_rule_answer change; /* inside the last window; unknown: no samples */
    char why[ROUNDS_RULE_WHY];      /* what does not hold at the last round, all of it; "" */
};

/* Of a trial of the summary; `index` may be empty: then nothing is known of changes. */
void rounds_rule_init(struct rounds_rule *rule, const json_t *summary, const json_t *trial,
                      const struct rates_index *index);
void rounds_rule_release(struct rounds_rule *rule);

/* The first round of those that hold up to the last one, as an index into `rounds`; count: it does
 * not hold at the end. */
size_t rounds_rule_since(const struct rounds_rule *rule);
/* NULL: the trial has no such phase. */
const struct rounds_rule_phase *rounds_rule_phase(const struct rounds_rule *rule, const char *name);

#endif
