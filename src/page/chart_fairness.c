#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/chart.h"
#include "result/put.h"

enum { STREAMS_MOST = 10000 };

/* A stream's commits up to the moment when the first of all finished, at its own mean rate: over a
 * fixed amount of work all would have the same number. */
static double commits_of(const json_t *stream, double first_s)
{
    double commits = json_number_at(stream, "commits"), own_s = json_number_at(stream, "elapsed_s");
    return own_s > first_s && first_s > 0 ? commits * first_s / own_s : commits;
}

static void add_phase(double *sums, size_t count, const json_t *phase)
{
    const json_t *streams = json_object_get(phase, "streams");
    double first_s = json_number_at(phase, "all_streams.elapsed_s");
    for (size_t i = 0; i < count; i++) {
        const json_t *stream = json_array_get(streams, i);
        sums[i] += stream ? commits_of(stream, first_s) : NAN;
    }
}

static json_t *commits_json(const double *sums, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, chart_number(sums[i]));
    return list;
}

/* NULL: one stream, or not known. */
static json_t *group_json(const struct chart *chart, size_t group, const size_t *phases,
                          size_t phase_count)
{
    const json_t *first = chart->phases[phases[0]].phase;
    size_t count = json_array_size(json_object_get(first, "streams"));
    if (count < 2 || count > STREAMS_MOST)
        return NULL;
    double *sums = chart_room(count, sizeof *sums);
    for (size_t i = 0; i < phase_count; i++)
        add_phase(sums, count, chart->phases[phases[i]].phase);
    json_t *object = json_object();
    put_count(object, "group", (double)group);
    put(object, "commits", commits_json(sums, count));
    put(object, "jain", chart_number(group_median(&chart->groups.items[group], "fairness")));
    free(sums);
    return object;
}

json_t *chart_fairness(const struct chart *chart)
{
    json_t *list = json_array();
    size_t *phases = chart_room(chart->phase_count, sizeof *phases);
    for (size_t g = 0; g < chart->groups.count; g++) {
        size_t count = 0;
        for (size_t i = 0; i < chart->phase_count; i++)
            if (chart->phases[i].group == g)
                phases[count++] = i;
        json_t *object = count > 0 ? group_json(chart, g, phases, count) : NULL;
        if (object)
            json_array_append_new(list, object);
    }
    free(phases);
    return list;
}
