#include "page/page_data.h"

#include <stdlib.h>
#include <string.h>

#include "page/chart_heat.h"
#include "page/chart_latency.h"
#include "page/chart_timeline.h"
#include "page/packed.h"
#include "report/text.h"
#include "result/put.h"

const char *page_data_file(const struct report_source *source)
{
    const char *slash = source->path ? strrchr(source->path, '/') : NULL;
    return slash ? slash + 1 : source->path;
}

static const char *model_of(const json_t *summary)
{
    size_t index;
    const json_t *device;
    json_array_foreach(json_object_get(summary, "devices"), index, device)
    {
        const char *role = json_text_at(device, "role"), *model = json_text_at(device, "model");
        if (role && strcmp(role, "data") == 0 && model && *model)
            return model;
    }
    return NULL;
}

char *page_data_name(const struct report_source *source)
{
    const char *name = json_text_at(source->summary, "label");
    if (!name || !*name)
        name = model_of(source->summary);
    if (!name)
        name = page_data_file(source);
    return text_clean(name ? name : "result", TEXT_UTF8, PAGE_NAME_COLUMNS);
}

/* ---- the intervals, each decoded once ---- */

struct looks {
    struct timeline timeline;
    struct heat heat;
    struct latency latency;
};

static const struct hist *decode(const struct course *course, size_t interval, struct hist *hist)
{
    struct err ignored;
    const char *text = course->latencies ? course->latencies[interval] : NULL;
    return text && hist_decode(text, hist, &ignored) == 0 ? hist : NULL;
}

static void look_at(struct looks *looks, const struct chart *chart)
{
    struct hist *room = hist_create();
    for (size_t p = 0; p < chart->phase_count; p++) {
        const struct chart_phase *phase = &chart->phases[p];
        size_t count = phase->course ? phase->course->series.count : 0;
        for (size_t i = 0; i < count; i++) {
            const struct hist *hist = decode(phase->course, i, room);
            timeline_latency(&looks->timeline, phase, i, hist);
            heat_take(&looks->heat, phase, i, hist);
            latency_take(&looks->latency, phase, hist);
        }
    }
    hist_destroy(room);
}

static void put_intervals(json_t *result, const struct chart *chart, size_t heat_columns)
{
    struct looks looks;
    timeline_init(&looks.timeline, chart);
    heat_init(&looks.heat, chart, heat_columns);
    latency_init(&looks.latency, chart);
    look_at(&looks, chart);
    put(result, "timeline", timeline_json(&looks.timeline));
    put(result, "heat", heat_json(&looks.heat));
    put(result, "latency", latency_json(&looks.latency));
    timeline_release(&looks.timeline);
    heat_release(&looks.heat);
    latency_release(&looks.latency);
}

/* ---- results ---- */

static json_t *result_json(const struct report_source *source, size_t joined, size_t heat_columns)
{
    struct chart chart;
    json_t *result = json_object();
    char *name = page_data_name(source);
    chart_init(&chart, source, joined);
    put(result, "name", json_text(name));
    put(result, "file", json_text(page_data_file(source)));
    put(result, "partial", json_boolean(json_is_true(json_object_get(source->summary, "partial"))));
    put(result, "groups", chart_groups(&chart));
    put(result, "phases", chart_phases(&chart));
    put(result, "events", chart_events(&chart));
    put(result, "changes", chart_changes(&chart));
    put_intervals(result, &chart, heat_columns);
    put(result, "fairness", chart_fairness(&chart));
    put(result, "waits", chart_waits(&chart));
    put(result, "analysis", json_incref(json_object_get(source->summary, "analysis")));
    chart_release(&chart);
    free(name);
    return result;
}

json_t *page_data(const struct report_source *sources, size_t count, const json_t *comparison)
{
    enum { HEAT_COLUMNS_LEAST = 100 };
    size_t intervals = 0, heat = PAGE_HEAT_COLUMNS / (count ? count : 1);
    for (size_t i = 0; i < count; i++)
        intervals += chart_intervals(sources[i].courses);
    size_t joined = (intervals + PAGE_INTERVALS_MOST - 1) / PAGE_INTERVALS_MOST;
    json_t *data = json_object(), *results = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(results,
                              result_json(&sources[i], joined > 0 ? joined : 1,
                                          heat > HEAT_COLUMNS_LEAST ? heat : HEAT_COLUMNS_LEAST));
    put_text(data, "loadline", LOADLINE_VERSION);
    put(data, "results", results);
    put(data, "comparison", comparison ? json_incref((json_t *)comparison) : NULL);
    return data;
}

char *page_data_text(const json_t *data)
{
    enum { DIGITS = 10 };
    struct packed packed = {0};
    char *json = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    if (!json)
        abort();
    packed_bytes(&packed, json, strlen(json));
    free(json);
    char *text = packed_text(&packed);
    packed_release(&packed);
    return text;
}
