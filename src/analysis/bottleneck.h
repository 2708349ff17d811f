/* bottleneck.h - what stopped a phase, with the evidence.  Pure.
 *
 * The causes are shares of time (measurement.md, "Words that must be earned"): the lock's of a
 * transaction, the flushes' and writes' of the phase, the CPU's; of a server whose sessions were
 * observed what they waited for (waiting.h).  An open loop that does what it offers is held by that
 * alone: "client".  "unknown" is an answer. */
#ifndef ANALYSIS_BOTTLENECK_H
#define ANALYSIS_BOTTLENECK_H

#include "analysis/groups.h"

/* { part, phase, factors, cause, evidence, shares }.  New reference. */
json_t *bottleneck_json(const struct group *group);

#endif
