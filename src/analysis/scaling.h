/* scaling.h - how rates grow with the number of streams.  Pure.
 *
 * A finding (finding.h) for each part x phase x other factors where streams vary: verdict "knee"
 * (more streams gain little after it), "rising" (the last step still gains), "flat" (one stream
 * carries it all), "falling" (more streams carry less than fewer); and
 *     "points": [ { "streams", "rows_per_s", "commits_per_s", "write_iops", "flushes_per_s",
 *         "p50_ms", "p99_ms", "elapsed_s", "elapsed_ratio", "repeats" } ]   elapsed_ratio:
 *         elapsed(N) / elapsed(least N), the same rows a stream; null where rows are cut by time
 *     "knee": null | { "streams", "commits_per_s", "gain_beyond", "gain_low", "gain_high",
 *         "p99_beyond" }: the fewest streams from which on no more gain 10%; what the largest
 *         number gains on it (ratio with interval where there are repeats), and p99 times what
 *     "plateau": null | { "of": "write_iops" | "commits_per_s", "streams", "rises": {...} }: one
 *         stands still (under 5%) while the other rises (over 10%) from there to the last point
 *     "usl": null | { "gamma": {"value","low","high"}, "alpha", "beta", "peak_streams",
 *         "peak_rate", "residual", "residuals": [..] }: with 6 points or more (stats/usl.h) */
#ifndef ANALYSIS_SCALING_H
#define ANALYSIS_SCALING_H

#include "analysis/evidence.h"

/* New reference; NULL (null) where there is nothing to say. */
json_t *scaling_json(const struct evidence *evidence);

#endif
