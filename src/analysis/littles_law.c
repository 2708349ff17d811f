#include "analysis/littles_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/keys.h"
#include "result/metric.h"
#include "result/put.h"
#include "stats/summary.h"

/* By the streams' own time, for streams end at different moments; cycles that were merged have no
 * streams, then by the time until the first one ended. */
static double rate_of(const json_t *phase)
{
    double commits = 0, seconds = 0;
    size_t index;
    const json_t *stream, *streams = json_object_get(phase, "streams");
    json_array_foreach(streams, index, stream)
    {
        commits += json_number_at(stream, "commits");
        seconds += json_number_at(stream, "elapsed_s");
    }
    if (seconds > 0)
        return commits / (seconds / (double)json_array_size(streams));
    double rate = metric_value(phase, "all_streams.commits_per_s");
    return isnan(rate) ? metric_value(phase, "commits_per_s") : rate;
}

bool littles_law_read(const struct group *group, struct littles_law *law)
{
    double *rates = calloc(group->count ? group->count : 1, sizeof *rates);
    double *products = calloc(group->count ? group->count : 1, sizeof *products);
    size_t count = 0;
    for (size_t i = 0; rates && products && i < group->count; i++) {
        double rate = rate_of(group->phases[i]);
        double latency_s = metric_value(group->phases[i], "latency_ms.transaction.mean") / 1e3;
        if (!(rate * latency_s > 0) || !isfinite(rate * latency_s))
            continue;
        rates[count] = rate;
        products[count++] = rate * latency_s;
    }
    const char *offered = keys_text(group->summary, group->trials[0], "workload.rate");
    *law = (struct littles_law){
        .latency_s = group_median(group, "latency_ms.transaction.mean") / 1e3,
        .commits_per_s = summary_median(rates, count),
        .product = summary_median(products, count),
        .streams = group_median(group, "stream_count"),
        .open_loop = (offered && strcmp(offered, "-") != 0) ||
                     keys_number(group->summary, group->trials[0], "workload.rate") > 0,
    };
    free(rates);
    free(products);
    return law->product > 0 && law->streams > 0;
}

bool littles_law_agrees(const struct littles_law *law)
{
    return fabs(law->product / law->streams - 1) <= LITTLES_LAW_MARGIN;
}

json_t *littles_law_json(const struct group *group)
{
    struct littles_law law;
    if (!littles_law_read(group, &law))
        return NULL;
    json_t *object = json_object();
    put_real(object, "latency_s", law.latency_s);
    put_real(object, "commits_per_s", law.commits_per_s);
    put_real(object, "product", law.product);
    put_count(object, "streams", law.streams);
    put(object, "agrees", law.open_loop ? NULL : json_boolean(littles_law_agrees(&law)));
    return object;
}
