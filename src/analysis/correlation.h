/* correlation.h - what one more commit costs the drive, and whether the numbers agree.  Pure.
 *
 * A finding (finding.h) for each part x phase x factors: verdict "explained" (r >= 0.9 and the
 * slope lies within 10% of the cost per commit), "loose", "undetermined"; and
 *     "against": { "writes": { "slope", "low", "high", "r", "lag_s", "lag_r", "n" }, "flushes",
 *         "bytes" }   medians over the repeats of the phases' correlation; null unknown
 *     "littles_law": { "latency_s", "commits_per_s", "product", "streams", "agrees" }: mean time of
 *         a transaction x rate = streams (Little 1961), within 2% in a closed loop */
#ifndef ANALYSIS_CORRELATION_H
#define ANALYSIS_CORRELATION_H

#include "analysis/evidence.h"

/* New reference; NULL (null) where there is nothing to say. */
json_t *correlation_json(const struct evidence *evidence);

#endif
