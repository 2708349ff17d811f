/* compare_metric.h - one metric at one place: what each drive had, and their ratios.  Pure. */
#ifndef ANALYSIS_COMPARE_METRIC_H
#define ANALYSIS_COMPARE_METRIC_H

#include "analysis/compare_contrast.h"
#include "result/metric.h"

/* measurement.md's least numbers: with fewer the verdict is "undetermined", whatever they say. */
enum { COMPARE_PAIRS_LEAST = 6, COMPARE_RUNS_LEAST = 5 };

struct compare_metric {
    const char *path; /* of metric.h, or COMPARE_STEADY */
    const char *name; /* "p99 ms": what it is times `scale` */
    const char *unit; /* of the path */
    double scale;
    enum metric_sense sense;
    bool headline;
};

/* The last rounds of a trial that ran until its drive was steady, and found it so
 * (result/rounds.h): the mean of its window, as SNIA PTS 2.0.2 reports it. */
#define COMPARE_STEADY "steady.commits_per_s"

/* The metrics of a place in the order in which they are shown: the headline ones, then, if all are
 * wanted, those of metric.h.  Returns how many; the caller frees the array. */
size_t compare_metric_list(const struct compare_place *place, const struct compare_options *options,
                           struct compare_metric **metrics);
/* The value in one repeat; NaN. */
double compare_metric_value(const char *path, const json_t *trial, const json_t *phase);
/* The median over all repeats of a cell; NaN.  `count`: how many of them know it. */
double compare_metric_median(const struct compare_cell *cell, const char *path, size_t *count);

/* An entry of "metrics" (compare.h); NULL where no drive knows it.  New reference. */
json_t *compare_metric_json(const struct compare_model *model, const struct compare_bars *bars,
                            size_t place, const struct compare_metric *metric);

#endif
