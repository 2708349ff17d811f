/* metric.h - the table of metrics: what a phase can say, with unit and sense.
 *
 * JSON, text, compare and list iterate over it; a new metric is one row. */
#ifndef RESULT_METRIC_H
#define RESULT_METRIC_H

#include "base/json.h"

enum metric_sense { METRIC_NEUTRAL, METRIC_HIGHER_IS_BETTER, METRIC_LOWER_IS_BETTER };

struct metric_row {
    const char *path; /* in a phase object: "latency_ms.commit.p99"; a leading "data." means the
                       * first device of the role data: "data.write_iops"; "wal." the one that
                       * the log lies on: that of the role wal, else of the role data */
    const char *unit; /* "commits/s", "ms", "bytes", "" */
    enum metric_sense sense;
    const char *help;
};

extern const struct metric_row metric_rows[]; /* ends with a NULL path */

/* The metric's value in a phase object; NaN where it is null or missing. */
double metric_value(const json_t *phase, const char *path);
/* A text by such a path, or NULL; borrowed. */
const char *metric_text(const json_t *phase, const char *path);

#endif
