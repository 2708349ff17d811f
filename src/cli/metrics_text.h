/* metrics_text.h - the state of a run as Prometheus text (exposition format 0.0.4), what
 * node_exporter's textfile collector reads.  Pure; main thread.
 *
 * Every series has the label run_id, so that the files of several runs can lie in one folder. */
#ifndef CLI_METRICS_TEXT_H
#define CLI_METRICS_TEXT_H

#include "cli/metrics_totals.h"
#include "report/text.h"

/* The first line: by it a file is known as one that may be replaced. */
#define METRICS_TEXT_MARKER                                                                        \
    "# loadline --metrics-file: a run replaces this file at every interval\n"

enum metrics_end { METRICS_RUNNING, METRICS_DONE, METRICS_FAILED };

struct metrics_run {
    const char *workload;             /* its name */
    const char *label;                /* NULL */
    const struct run_target *targets; /* borrowed */
    size_t target_count;
};

/* Adds to `text`.  What is unknown is left out. */
void metrics_text_add(struct text *text, const struct metrics_run *run,
                      const struct run_progress *now, const struct metrics_totals *totals,
                      enum metrics_end end);

#endif
