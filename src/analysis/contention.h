/* contention.h - what sharing costs: the layouts side by side.  Pure.
 *
 * A finding (finding.h) for each part x phase x other factors but streams, where layouts vary:
 * verdict "separate-better", "separate-worse", "same", "mixed" (it depends on the streams),
 * "undetermined"; and
 *     "rows": [ { "streams", "layout", "against", "commits_per_s", "ratio", "low", "high",
 *         "verdict", "lock_share", "lock_p99_ms", "lock_waits": {...} | null, "fairness",
 *         "repeats" } ]   `against`: the layout that shares most; lock_share: of the streams'
 *         time (lock wait histogram, or the row, buffer, extend and log waits of a server)
 * The sentences say what follows ("separate tables in one SQLite file do not help: one writer a
 * file; separate files give x3.4"). */
#ifndef ANALYSIS_CONTENTION_H
#define ANALYSIS_CONTENTION_H

#include "analysis/evidence.h"

/* New reference; NULL (null) where there is nothing to say. */
json_t *contention_json(const struct evidence *evidence);

#endif
