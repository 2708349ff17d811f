/* chart_timeline.h - "timeline" of the page's data: all intervals of a result, column by column.
 *
 *     timeline_init; timeline_latency for every interval of every phase in order; timeline_json
 *
 * Neighbours are joined as chart.h says: counts are added, percentiles come from the merged
 * histograms.  A percentile of too few commits (hist.h) is taken over as many neighbours of a phase
 * as it takes, and is then the same for all of them.  Main thread. */
#ifndef PAGE_CHART_TIMELINE_H
#define PAGE_CHART_TIMELINE_H

#include "measure/hist.h"
#include "page/chart.h"

enum timeline_column {
    TIMELINE_START_S,
    TIMELINE_SECONDS,
    TIMELINE_COMMITS,
    TIMELINE_ROWS,
    TIMELINE_WRITES,
    TIMELINE_FLUSHES,
    TIMELINE_BYTES,
    TIMELINE_QUEUE_DEPTH,
    TIMELINE_IN_FLIGHT,
    TIMELINE_P50_MS,
    TIMELINE_P99_MS,
    TIMELINE_MAX_MS,
    TIMELINE_CPU_CLIENT,
    TIMELINE_CPU_HOST,
    TIMELINE_TEMPERATURE_C,
    TIMELINE_WAL_BYTES,
    TIMELINE_RETRIES,
    TIMELINE_COLUMNS
};

/* A quantile that is taken as soon as there is enough for it. */
struct timeline_window {
    double quantile;
    double *values;            /* the column */
    struct hist *now, *before; /* of the intervals since `from`; of those of the window before */
    size_t from;
};

struct timeline {
    const struct chart *chart;
    double *columns[TIMELINE_COLUMNS]; /* [chart->count] */
    struct timeline_window windows[2];
    struct hist *joined; /* of the interval that is being joined */
    bool is_known;       /* all of it so far */
};

void timeline_init(struct timeline *timeline, const struct chart *chart);
void timeline_release(struct timeline *timeline);
/* Of an interval of the course, from its first to its last; `hist` NULL: not known. */
void timeline_latency(struct timeline *timeline, const struct chart_phase *phase, size_t interval,
                      const struct hist *hist);
/* NULL (null): no samples. */
json_t *timeline_json(const struct timeline *timeline);

#endif
