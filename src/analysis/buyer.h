/* buyer.h - what a person who buys a drive asks.  Pure.
 *
 *     { "flushed_at_one_stream": null | { "part", "phase", "factors", "commits_per_s", "low",
 * "high", "p50_ms", "p99_ms", "repeats" }, "sustained": null | { ..., "commits_per_s", "steady":
 * bool, "slo": null | {...} }, "flush_honesty": [ { "engine", "mode", "streams",
 * "flushes_per_commit", "expected", "verdict": "as asked" | "merged" | "NOT FLUSHED" | "unknown" }
 * ], "endurance": null | { "tbw_bytes", "bytes_per_s", "days", "rows_per_tbw",
 * "device_bytes_per_row", "nand_amplification" }, "price": null | { "price", "per_commit_per_s" },
 *       "thermal": null | { "start_c", "max_c", "rise_c", "per_target": [...] },
 *       "sentences": [...] }
 * "expected": what a commit of one stream must flush in this mode (measurement.md). */
#ifndef ANALYSIS_BUYER_H
#define ANALYSIS_BUYER_H

#include "analysis/evidence.h"

/* New reference; NULL (null) where there is nothing to say. */
json_t *buyer_json(const struct evidence *evidence);

#endif
