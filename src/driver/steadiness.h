/* steadiness.h - has the drive settled (workload.until = steady)?  Sees a trial's phases and rounds
 * as they pass.
 *
 *     steadiness_init
 *     steadiness_see_phase    after each phase: its intervals
 *     steadiness_see_round    after each full round (result/rounds.h)
 *     steadiness_holds        then: does the rule hold now?
 *
 * The rule: over the last STEADY_WINDOW rounds the window rule (stats/steady.h) holds for each
 * phase's commits/s, and for its p99 where that is known in all of them; the drive took at least
 * `gate_bytes`, since a cache makes a window of its own; and no phase's commits/s changed their
 * level inside the window (stats/changepoint.h).  A change counts when it lasts: every level before
 * it is STEADINESS_CHANGE or more away from every level after it, so that what comes again in each
 * cycle is none.
 *
 * Pure but for memory.  Main thread. */
#ifndef DRIVER_STEADINESS_H
#define DRIVER_STEADINESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "measure/series.h"
#include "stats/steady.h"
#include "workload/workload.h"

#define STEADINESS_CHANGE 0.10 /* of the level before */

enum { STEADINESS_WHY = 480 };

/* What one kind of phase did. */
struct steadiness_phase {
    double *commits_per_s, *p99_ms; /* [rounds]; NaN: unknown */
    double *intervals;              /* commits/s of the intervals of the last rounds */
    size_t count, capacity;
    size_t lengths[STEADY_WINDOW]; /* intervals of each of the last rounds, the newest last */
    double pending_commits, pending_s;
};

struct steadiness {
    const struct workload *load;
    double gate_bytes;  /* NaN: none */
    double bytes_total; /* NaN: unknown; then there is no gate */
    unsigned rounds;
    struct steadiness_phase phases[PHASE_KINDS];
};

/* Where the gate lies.  disk_bytes, filesystem_bytes: sizes, NaN where unknown.  *cut: it would be
 * more than half of limit.write_bytes.  NaN: nothing to take a third of. */
double steadiness_gate(const struct workload *load, double disk_bytes, double filesystem_bytes,
                       bool *cut);

void steadiness_init(struct steadiness *s, const struct workload *load, double gate_bytes);
void steadiness_release(struct steadiness *s);
void steadiness_see_phase(struct steadiness *s, enum phase_kind kind, const struct series *series);
/* At most steady.rounds of them. */
void steadiness_see_round(struct steadiness *s, const json_t *round);
/* After the last round that was seen.  `why` says what does not hold, all of it. */
bool steadiness_holds(const struct steadiness *s, char why[STEADINESS_WHY]);

#endif
