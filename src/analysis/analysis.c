#include "analysis/analysis.h"

#include "analysis/bottleneck.h"
#include "analysis/buyer.h"
#include "analysis/ceiling.h"
#include "analysis/contention.h"
#include "analysis/correlation.h"
#include "analysis/reached.h"
#include "analysis/scaling.h"
#include "analysis/steady.h"
#include "result/put.h"

json_t *analysis_make(const json_t *summary, const struct courses *courses)
{
    struct groups groups;
    groups_init(&groups, summary);
    struct evidence evidence = {.summary = summary, .groups = &groups, .courses = courses};
    asked_read(summary, &evidence.asked);
    json_t *steady = steady_json(&evidence);
    evidence.steady = steady;
    json_t *bottlenecks = json_array();
    for (size_t i = 0; i < groups.count; i++)
        json_array_append_new(bottlenecks, bottleneck_json(&groups.items[i]));
    json_t *analysis = json_object();
    put(analysis, "bottleneck", bottlenecks);
    put(analysis, "reached", reached_json(&groups));
    put(analysis, "ceiling", ceiling_json(&evidence));
    put(analysis, "scaling", scaling_json(&evidence));
    put(analysis, "contention", contention_json(&evidence));
    put(analysis, "steady", steady);
    put(analysis, "correlation", correlation_json(&evidence));
    put(analysis, "buyer", buyer_json(&evidence));
    groups_release(&groups);
    return analysis;
}
