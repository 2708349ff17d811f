/* steady.h - did the drive settle, and what was its burst worth?  Pure.
 *
 * A finding (finding.h) for each part x phase x factors: verdict "steady", "not reached", "burst"
 * (too little written or too few rounds to say), "undetermined"; and
 *     "asked": the workload asked until = steady
 *     "rounds": [ { "round", "start_s", "elapsed_s", "bytes", "commits_per_s", "p99_ms" } ]
 *         medians over the repeats have no meaning here: it is those of the first repeat; further
 *         repeats in "others"
 *     "window": null | { "first", "last", "metrics": { "commits_per_s": { "average", "range",
 *         "fit_range", "slope", "holds" }, "p99_ms": {...} } }   SNIA window (stats/steady.h)
 *     "reached_at_round": null | n,  "bytes_written", "bytes_gate", "change_in_window"
 *     "levels": [ { "from_s", "to_s", "from_bytes", "commits_per_s" } ]   between change-points
 *     "changes": [ { "at_s", "at_bytes", "before", "after", "cause": null | "temperature" |
 *         "checkpoint" | "same bytes again" | "foreign I/O" | ..., "evidence" } ]
 *     "bytes_to_cliff": null | bytes until a level fell by a third and stayed
 *     "sustained_commits_per_s", "burst_commits_per_s", "sustained_of_burst"
 *     "worst_second": { "at_s", "commits_per_s" }, "share_below_half": of the time
 *     "stalls": [ { "at_s", "seconds", "device": "no writes in flight" | "flush in flight" ... } ]
 *     "after_pause": null | { "pause_s", "commits_per_s", "of_before", "of_burst" } */
#ifndef ANALYSIS_STEADY_H
#define ANALYSIS_STEADY_H

#include "analysis/evidence.h"

/* New reference; NULL (null) where there is nothing to say. */
json_t *steady_json(const struct evidence *evidence);

#endif
