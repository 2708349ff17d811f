/* rounds_change.h - did commits/s change their level for good inside the last rounds?  Pure.
 *
 * Looks at the intervals of the samples, as the running program does: pieces shorter than half of
 * run.interval, at a phase's end, go to the next one. */
#ifndef ANALYSIS_ROUNDS_CHANGE_H
#define ANALYSIS_ROUNDS_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/rates.h"
#include "stats/changepoint.h"

/* One phase of a trial, round after round. */
struct rounds_change {
    double *values; /* commits/s of its intervals; own */
    size_t *ends;   /* [count] of values at the end of each round; own */
    size_t count;   /* rounds; 0: no samples */
};

/* `rounds`: consecutive ones from the trial's first on. */
void rounds_change_init(struct rounds_change *change, const json_t *summary, const json_t *trial,
                        const json_t *const *rounds, size_t count, const char *phase,
                        const struct rates_index *index);
void rounds_change_release(struct rounds_change *change);

/* In the rounds [last - 4 .. last]; `found`, where it is true, says from what to what. */
bool rounds_change_lasts(const struct rounds_change *change, size_t last,
                         struct changepoint *found);

#endif
