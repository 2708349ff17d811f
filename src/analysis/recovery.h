/* recovery.h - what a drive did after it had time to itself (workload.pause).  Pure. */
#ifndef ANALYSIS_RECOVERY_H
#define ANALYSIS_RECOVERY_H

#include <stdbool.h>

#include "base/json.h"

struct recovery {
    double pause_s;       /* as asked for; NaN unknown */
    double commits_per_s; /* of the first round after it */
    double elapsed_s;     /* of the phase in that round */
    double before;        /* of the last round before it; NaN unknown */
    double of_before;     /* ratio; NaN */
};

/* False: nothing ran after a pause, or its rate is not known. */
bool recovery_find(struct recovery *recovery, const json_t *summary, const json_t *trial,
                   const char *phase);

#endif
