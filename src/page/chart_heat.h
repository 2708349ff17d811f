/* chart_heat.h - "heat" of the page's data: how many commits took how long, over time.
 *
 *     heat_init; heat_take for every interval of every phase in order; heat_json
 *
 * A column holds neighbouring intervals of one phase, or where there are too many phases for that
 * of several.  Every commit whose latency is known is counted once.  Main thread. */
#ifndef PAGE_CHART_HEAT_H
#define PAGE_CHART_HEAT_H

#include "measure/hist.h"
#include "page/chart.h"

#define HEAT_LEAST_MS 0.001
enum { HEAT_BINS_PER_OCTAVE = 4, HEAT_BINS = 129 }; /* up to an hour */

struct heat {
    json_t *columns;
    size_t step;  /* intervals in a column */
    bool breaks;  /* at the end of a phase */
    size_t taken; /* intervals in the column so far */
    double start_s, end_s;
    uint64_t counts[HEAT_BINS];
    unsigned char bins[HIST_COUNTS]; /* of the histogram's buckets */
};

/* At most so many columns. */
void heat_init(struct heat *heat, const struct chart *chart, size_t columns);
void heat_release(struct heat *heat);
void heat_take(struct heat *heat, const struct chart_phase *phase, size_t interval,
               const struct hist *hist);
/* NULL (null): no latency is known. */
json_t *heat_json(struct heat *heat);

#endif
