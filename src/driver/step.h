/* step.h - has a step of a search (workload.streams = auto) seen enough?
 *
 * Each phase of a step is counted for at least search.step, and goes on until the interval of the
 * median of its intervals' commits/s (stats/median.h) is within STEP_PRECISION of it on both sides,
 * or search.step_max is over; where its rows are done before, the cycle of phases is repeated, but
 * not more than STEP_CYCLES_MAX times.  Main thread. */
#ifndef DRIVER_STEP_H
#define DRIVER_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/series.h"
#include "workload/workload.h"

#define STEP_PRECISION 0.03

enum { STEP_CYCLES_MAX = 50 };

struct step {
    int64_t counted_ns[PHASE_KINDS];  /* of the phases done so far */
    struct series rates[PHASE_KINDS]; /* their intervals */
    bool enough[PHASE_KINDS];         /* after what is done so far */
    unsigned phases_done;
    int64_t judged_ns; /* of the phase that runs, when its median was judged last */
};

void step_release(struct step *step);
/* Is the phase that runs, with this series so far, long enough with what came before it?  Cheap
 * enough for every tick: judges at most twice a second. */
bool step_is_enough(struct step *step, const struct workload *load, enum phase_kind kind,
                    const struct series *series, int64_t phase_ns);
/* A phase is over: its series is kept. */
void step_take(struct step *step, enum phase_kind kind, const struct series *series,
               int64_t phase_ns);
/* Does some phase need another cycle?  Asked when a cycle is over. */
bool step_wants_more(struct step *step, const struct workload *load);

#endif
