#include "analysis/analysis.h"

#include "analysis/bottleneck.h"
#include "analysis/reached.h"
#include "result/put.h"

json_t *analysis_make(const json_t *summary, const struct courses *courses)
{
    (void)courses;
    struct groups groups;
    groups_init(&groups, summary);
    json_t *bottlenecks = json_array();
    for (size_t i = 0; i < groups.count; i++)
        json_array_append_new(bottlenecks, bottleneck_json(&groups.items[i]));
    json_t *analysis = json_object();
    put(analysis, "bottleneck", bottlenecks);
    put(analysis, "reached", reached_json(&groups));
    put(analysis, "ceiling", NULL);
    put(analysis, "scaling", NULL);
    put(analysis, "contention", NULL);
    put(analysis, "steady", NULL);
    groups_release(&groups);
    return analysis;
}
