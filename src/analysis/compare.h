/* compare.h - several results as one comparison: which drive is better, and is that certain?  Pure.
 *
 * Results are grouped into drives A, B, C...: by their label, else by the model, firmware and size
 * of the data device of each target (without a model by its sampled name and path); every target
 * of a result with several is a drive of its own.  A is the first that was named.  Where all are
 * one drive, each result is taken for a side of its own.
 *
 * The unit is the run: one value for each repeat of a trial, figures of the whole phase.  Drives
 * that were measured in the same results are paired by repeat (ABBA), others are not
 * (stats/ratio.h).  With more than two drives, p-values are adjusted (Holm), each metric by itself.
 *
 *  { "loadline", "schema": 1, "level": 0.95, "margin": 0.05, "baseline": null | path,
 *    "drives": [ { "name": "A", "label", "model", "firmware", "size_bytes", "link", "transport",
 *                  "write_cache", "filesystem", "path", "target", "fill": { "low", "high" },
 *                  "runs", "results": [ { "path", "run_id", "started", "target" } ] } ],
 *    "same": [ { "name": "kernel", "value" } ],
 *    "differ": [ { "name": "kernel", "values": [["6.1"], ["6.2"]], "effect", "places": null | [0] }
 *        one list for each drive, in their order; a value that is not known is null
 *        effect: "refuses" a winner | "compared" (asked for by --vary) | "none" (drives' nature) ],
 *    "against": [ { "kind", "drives": ["B"], "places": null | [0], "text" } ]
 *        why no winner is named; places null: in all
 *        kind: "settings", "partial", "verification", "flush", "disturbed", "ended early",
 *              "memory", "elsewhere", "label"
 *    "groups": [ { "place": 0, "part", "phase", "factors", "streams", "rows_per_commit", "bulk",
 *        "metrics": [ { "path", "name", "unit", "scale", "sense", "headline",
 *            "drives": [ { "drive": "A", "count", "median", "low", "high", "values": [...] } ],
 *            "ratios": [ { "drive": "B", "design": "paired" | "unpaired", "ratio", "low", "high",
 *                "coverage", "p", "p_adjusted", "count_a", "count_b", "verdict", "because",
 *                "more_runs" } ] } ] } ],
 *        verdict: better, worse (of a metric without a sense: higher, lower), same, undetermined,
 *                 or "not ranked" where something is against it
 *        because: why undetermined: "too few runs", "interval" (it holds 1 and more than the
 *                 margin), "several drives" (too few runs for as many), "zero" (no ratio),
 *                 "not measured"; else null
 *        more_runs: that each side needs until the interval tells; null: none, or 1,000 and more
 *    "left_out": [ { "drives": ["A"], "part", "phase", "factors" } ]   measured by these alone
 *    "notes": [ "..." ],
 *    "verdict": { "sentences": [...], "classes": [ { "drive", "class": "small commits" | "bulk" |
 *        "sustained small commits", "better", "worse", "same", "undetermined", "not_ranked",
 *        "more_runs" } ] },
 *    "thresholds": [ threshold.h ] } */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/threshold.h"
#include "base/json.h"

struct compare_input {
    const char *path;
    const json_t *summary; /* "analysis" is not read */
};

struct compare_options {
    bool has_baseline;       /* the first input is drive A, alone */
    bool all_metrics;        /* else those of the headline set */
    const char *const *vary; /* [vary_count]; names in "differ" that are what is compared */
    size_t vary_count;
    const struct threshold *thresholds; /* [threshold_count] */
    size_t threshold_count;
};

/* As output.md's example: from this many rows in a commit on rows/s count, as in report/view.h. */
#define COMPARE_BULK_ROWS 100
#define COMPARE_LEVEL     0.95
#define COMPARE_MARGIN    0.05

/* New reference.  NULL: ERR_USAGE (one drive only where two are needed, too many drives, a
 * threshold that names nothing that was measured). */
json_t *compare_json(const struct compare_input *inputs, size_t count,
                     const struct compare_options *options, struct err *err);

#endif
