/* chart_latency.h - "latency" of the page's data: of each group, which share of its latencies is
 * above so many ms.
 *
 *     latency_init; latency_take for every interval of every phase; latency_json
 *
 * Of whole transactions, from the histograms of the phases; where the document has none, of
 * commits, from those of the samples.  Main thread. */
#ifndef PAGE_CHART_LATENCY_H
#define PAGE_CHART_LATENCY_H

#include "measure/hist.h"
#include "page/chart.h"

enum { LATENCY_CURVES = 12, LATENCY_POINTS = 150 };

struct latency {
    const struct chart *chart;
    struct hist **hists; /* [groups.count]; NULL: not shown, or known from the phases */
    json_t **curves;     /* [groups.count]; NULL */
};

void latency_init(struct latency *latency, const struct chart *chart);
void latency_release(struct latency *latency);
void latency_take(struct latency *latency, const struct chart_phase *phase,
                  const struct hist *hist);
json_t *latency_json(struct latency *latency);

/* [[ms, share of those above it], ...]: one point for each bucket in use, thinned out below the
 * last ones; those of p50, p99 and p99.9 are always there.  The last two are [max, share at it],
 * [max, 0].  New reference. */
json_t *latency_points(const struct hist *hist);

#endif
