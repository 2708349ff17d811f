/* steady.h - did the drive settle, and what was its burst worth?  Pure.
 *
 * A finding (finding.h) for each part x phase x factors: verdict "steady", "not reached", "burst"
 * (too little written or too few rounds to say), "undetermined".  A trial is judged as a whole:
 * its phases have one verdict.  Of several repeats the first one is told, the others in brief; the
 * verdict is "steady" where all of them were.  Its sentences have "labels" (steady_words.h).
 *     "asked": the workload asked until = steady
 *     "rounds": [ { "round", "start_s", "elapsed_s", "bytes", "bytes_total", "commits_per_s",
 *         "p99_ms", "judged", "holds", "after_pause" } ]
 *     "window": null | { "first", "last", "metrics": { "commits_per_s": { "average", "range",
 *         "fit_range", "slope", "holds" }, "p99_ms": {...} } }   SNIA window (stats/steady.h)
 *     "reached_at_round": null | the first "round" of those at which it held up to the end
 *     "rounds_judged", "bytes_written" and "elapsed_s" of the trial, "bytes_gate",
 *     "change_in_window", "why": null | what does not hold
 *     "levels": [ { "from_s", "to_s", "from_bytes", "commits_per_s" } ]   between change-points
 *     "changes": [ { "at_s", "at_bytes", "before", "after", "cause": null | "temperature" | "WAL" |
 *         "same bytes again" | "foreign I/O" | an event's kind ("checkpoint"), "evidence" } ]
 *     "bytes_to_cliff", "seconds_to_cliff": null | since the trial began, until commits/s had
 *         lost a third of their highest level for good
 *     "burst_commits_per_s": the first level; "sustained_commits_per_s": the median of the steady
 *         window, else the last level, else the mean of the last window; "sustained_of_burst",
 *         "median_commits_per_s"
 *     "worst_second": { "at_s", "commits_per_s", "seconds" }, "share_below_half": of the time
 *     "stalls": [ { "at_s", "seconds", "device": null | "nothing in flight" | "flush in flight" |
 *         "writes at 48 MB/s" ..., "event": null | kind } ]   the longest; "stall_count",
 *         "stalled_s": of all
 *     "after_pause": null | { "pause_s", "commits_per_s", "of_before", "of_burst", "elapsed_s" }
 *     "repeats", "repeats_steady", "others": [ { "repeat", "verdict", figures as above } ]
 * Times are seconds since the run's start, bytes since the trial's. */
#ifndef ANALYSIS_STEADY_H
#define ANALYSIS_STEADY_H

#include "analysis/evidence.h"

/* New reference; NULL (null) where there is nothing to say. */
json_t *steady_json(const struct evidence *evidence);

#endif
