/* threshold.h - an expression after --fail-if, and whether results cross it.
 *
 *     [PART:]PHASE.METRIC (< | <= | > | >=) NUMBER[x]
 *
 *     insert.commits_per_s < 0.95x           fails where a drive has less than 0.95 times A's
 *     bulk:insert.latency_ms.commit.p99 > 10      fails above 10 ms
 *
 * METRIC is a path of result/metric.h, in its unit there.  The median over the repeats counts.
 * With x every drive but A is checked against A, without it all are; where factors vary, each
 * combination is.  What was not measured fails like a threshold that is crossed, and says so.
 *
 *     { "expression", "part", "phase", "metric", "operator", "value", "relative",
 *       "status": "passed" | "crossed" | "cannot be told",
 *       "checks": [ { "drive": "B", "part", "phase", "factors", "streams", "found", "of", "limit",
 *                     "status", "reason": null | "..." } ] }
 *     found, limit: numbers or null; of: A's, where the threshold is relative */
#ifndef ANALYSIS_THRESHOLD_H
#define ANALYSIS_THRESHOLD_H

#include <stdbool.h>

#include "base/json.h"
#include "result/metric.h"

enum threshold_relation {
    THRESHOLD_BELOW,
    THRESHOLD_BELOW_OR_EQUAL,
    THRESHOLD_ABOVE,
    THRESHOLD_ABOVE_OR_EQUAL
};

struct threshold {
    const char *text; /* borrowed */
    char *part;       /* NULL: any */
    char *phase;
    const struct metric_row *metric;
    enum threshold_relation relation;
    double value;
    bool is_relative;
};

/* ERR_USAGE with the position and what would be right.  Release it in either case. */
int threshold_parse(const char *text, struct threshold *threshold, struct err *err);
void threshold_release(struct threshold *threshold);

struct compare_model;
/* New reference; NULL: ERR_USAGE, no result has such a phase or part. */
json_t *threshold_json(const struct threshold *threshold, const struct compare_model *model,
                       struct err *err);
/* How many of a comparison's thresholds are crossed or cannot be told. */
size_t threshold_crossed(const json_t *comparison);

#endif
