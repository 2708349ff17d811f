/* compare_ratio.h - the ratios of all drives to the first one, and what they say.  Pure. */
#ifndef ANALYSIS_COMPARE_RATIO_H
#define ANALYSIS_COMPARE_RATIO_H

#include "analysis/compare_metric.h"

/* One value of a metric; NaN: the run does not know it. */
struct compare_run {
    double value, repeat;
    size_t source;
};

/* "ratios" of compare.h.  runs[drive][counts[drive]] in the order of sources and repeats.  New
 * reference. */
json_t *compare_ratio_json(const struct compare_model *model, const struct compare_bars *bars,
                           size_t place, enum metric_sense sense, struct compare_run *const *runs,
                           const size_t *counts);

#endif
