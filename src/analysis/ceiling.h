/* ceiling.h - what a search of the number of streams found: the ceilings of rows/s, of commits/s
 * and of device writes/s, each for itself, and what is carried under the service level.  Pure.
 *
 * A finding (finding.h) for each part x phase x other factors of trials that a search made
 * ("search" in the trial: { "step", "end" }): verdict "found", "slo" (the level ended it),
 * "bounded" (time, bytes, steps or streams did), "undetermined"; and
 *     "ended_by": "found" | "slo" | "time" | "bytes" | "steps" | "streams" | null
 *     "rows_per_s", "commits_per_s", "write_iops": { "value", "low", "high", "streams", "reached" }
 *         value: median of the intervals (and repeats) of the best step, low and high its 95%
 *         interval (stats/median.h); reached: steps with more streams gained less than 3%
 *     "under_slo": null | { "percentile", "ms", "streams", "commits_per_s", "rows_per_s",
 *         "percentile_ms" }
 *     "steps": [ { "streams", "rows_per_s", "commits_per_s", "write_iops", "p99_ms" } ] by streams
 */
#ifndef ANALYSIS_CEILING_H
#define ANALYSIS_CEILING_H

#include "analysis/evidence.h"

/* New reference; NULL (null) where there is nothing to say. */
json_t *ceiling_json(const struct evidence *evidence);

#endif
