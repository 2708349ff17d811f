/* scaling.h - how rates grow with the number of streams.  Pure.
 *
 * A finding (finding.h) for each part x phase x other factors where streams vary: verdict "knee"
 * (more streams gain little after it), "rising" (the last step still gains), "flat" (one stream
 * carries it all), "falling" (more streams carry less than fewer); and
 *     "rate": "commits_per_s" | "rows_per_s"   by which it is judged: rows from 100 a commit on
 *     "search": true   the numbers of streams were searched (ceiling.h), not listed
 *     "points": [ { "streams", "rows_per_s", "commits_per_s", "write_iops", "flushes_per_s",
 *         "p50_ms", "p99_ms", "elapsed_s", "elapsed_ratio", "trial_elapsed_s",
 *         "trial_elapsed_ratio", "repeats" } ]   medians over the repeats, rates while all streams
 *         ran; elapsed_ratio: elapsed(N) / elapsed(least N), the same rows a stream; null where
 *         rows are cut by time; trial_*: the same of all phases of the trial together
 *     "knee": null | { "streams", "commits_per_s", "rows_per_s", "low", "high", "gain_beyond",
 *         "gain_low", "gain_high", "p99_beyond" }: the fewest streams from which on no more gain
 *         10%, their rate with its interval over the repeats; what the largest number gains on it
 *         (ratio with interval where there are repeats), and p99 times what
 *     "plateau": null | { "of": "write_iops" | "commits_per_s" | "rows_per_s", "streams",
 *         "to_streams", "from", "to", "ratio", "rises": { "of", "from", "to", "ratio" } }: one
 *         stands still (under 5%; knee.h) while the other rises (over 10%) from there to the last
 *         point; both over whole phases
 *     "usl": null | { "gamma": {"value","low","high"}, "alpha", "beta", "peak_streams",
 *         "peak_rate", "residual", "points", "residuals": [..] }: with 6 points or more
 *         (stats/usl.h), residuals in the order of the points
 *     "labels": [ .. ]   a short name for each sentence */
#ifndef ANALYSIS_SCALING_H
#define ANALYSIS_SCALING_H

#include "analysis/evidence.h"

/* New reference; NULL (null) where there is nothing to say. */
json_t *scaling_json(const struct evidence *evidence);

#endif
