/* ceiling.h - what a search of the number of streams found: the ceilings of rows/s, of commits/s
 * and of device writes/s, each for itself, and what is carried under the service level.  Pure.
 *
 * A finding (finding.h) for each part x phase x other factors of trials that a search made
 * ("search" in the trial: { "step", "end" }): verdict "found", "slo" (the level ended it),
 * "bounded" (time, bytes, steps or streams did), "undetermined"; and
 *     "ended_by": "found" | "slo" | "time" | "bytes" | "space" | "steps" |
 *         "streams" | null
 *     "rows_per_s", "commits_per_s", "write_iops": { "value", "low", "high", "streams", "reached",
 *         "mean", "interval_of", "values", "fewest_streams" }
 *         value: median of the intervals of the best step, or of its repeats where there are
 *         several; low and high its 95% interval (stats/median.h), interval_of: "intervals" |
 *         "repeats" | null (there is none), of so many values; mean: over the step, by which steps
 *         are compared; reached: steps with more streams gained less than 3%; fewest_streams:
 *         carry all of it but 3%
 *     "under_slo": null | { "percentile", "ms", "streams", "commits_per_s", "rows_per_s",
 *         "percentile_ms" }
 *     "steps": [ { "streams", "rows_per_s", "commits_per_s", "write_iops", "p99_ms" } ] by streams
 *     "labels": [ .. ]   a short name for each sentence */
#ifndef ANALYSIS_CEILING_H
#define ANALYSIS_CEILING_H

#include "analysis/evidence.h"

/* New reference; NULL (null) where there is nothing to say. */
json_t *ceiling_json(const struct evidence *evidence);

#endif
