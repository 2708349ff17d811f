/* level_cause.h - what was seen where commits/s changed their level.  Pure.
 *
 * A cause is named only where something was seen with the change; the first of these:
 *
 *     event             one of the log (its kind), a second or less away, unless such events are so
 *                       frequent that one is always near
 *     WAL               it grew before and is written again after, or the other way round
 *     same bytes again  as many bytes since the last rise (or the beginning) as at an earlier fall,
 *                       within LEVEL_CAUSE_SAME
 *     temperature       it rose by LEVEL_CAUSE_WARMER, and to LEVEL_CAUSE_WARM or more, in the
 *                       LEVEL_CAUSE_BEFORE_S before a fall, or to LEVEL_CAUSE_HOT; or it fell as
 *                       much from there before a rise
 *     foreign I/O       more than FOREIGN_DISTURBS of what the drive wrote in that cycle came from
 *                       others, and twice as much as in the one before
 *
 * That both came together does not prove that one made the other. */
#ifndef ANALYSIS_LEVEL_CAUSE_H
#define ANALYSIS_LEVEL_CAUSE_H

#include "analysis/incidents.h"
#include "analysis/levels.h"

#define LEVEL_CAUSE_SAME     0.10
#define LEVEL_CAUSE_WARMER   5.0  /* C */
#define LEVEL_CAUSE_WARM     60.0 /* C: no drive throttles below, and any load warms it up */
#define LEVEL_CAUSE_HOT      70.0 /* C: where drives begin to throttle */
#define LEVEL_CAUSE_BEFORE_S 120.0

enum { LEVEL_CAUSE_EVIDENCE = 200 };

struct level_cause {
    char name[32];                       /* "": none was seen */
    char evidence[LEVEL_CAUSE_EVIDENCE]; /* of the cause; without one what could not be looked at */
};

/* Of the change between levels[change - 1] and levels[change]; `trial` is the trial's "index". */
void level_cause_find(struct level_cause *cause, const struct joined *joined,
                      const struct levels *levels, size_t change, const struct incidents *incidents,
                      double trial);

#endif
