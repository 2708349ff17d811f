#include <math.h>
#include <string.h>

#include "page/chart.h"
#include "result/put.h"

enum { EVENTS_MOST = 5000 };

static json_t *event_json(const json_t *event)
{
    json_t *object = json_object();
    put(object, "at_s", chart_time(json_number_at(event, "at_s")));
    put_number(object, "trial", json_number_at(event, "trial"));
    put(object, "kind", json_text(json_text_at(event, "kind")));
    put(object, "text", json_text(json_text_at(event, "text")));
    return object;
}

json_t *chart_events(const struct chart *chart)
{
    json_t *list = json_array();
    const json_t *events = json_object_get(chart->source->summary, "events"), *event;
    size_t index, step = json_array_size(events) / EVENTS_MOST + 1;
    json_array_foreach(events, index, event)
    {
        if (index % step == 0 && json_text_at(event, "kind"))
            json_array_append_new(list, event_json(event));
    }
    return list;
}

/* ---- changes of the level of commits/s ---- */

static bool is_same(const json_t *finding, const struct group *group)
{
    const char *part = json_text_at(finding, "part"), *phase = json_text_at(finding, "phase");
    const json_t *factors = json_object_get(finding, "factors");
    bool same_part = part && group->part ? strcmp(part, group->part) == 0 : part == group->part;
    bool same_factors = json_object_size(factors) == json_object_size(group->factors) &&
                        (!group->factors || json_equal(factors, group->factors));
    return phase && strcmp(phase, group->phase) == 0 && same_part && same_factors;
}

/* A finding tells of its group's first repeat. */
static double trial_of(const struct chart *chart, const json_t *finding)
{
    for (size_t i = 0; i < chart->groups.count; i++)
        if (is_same(finding, &chart->groups.items[i]))
            return json_number_at(chart->groups.items[i].trials[0], "index");
    return NAN;
}

static json_t *change_json(const json_t *change, double trial, const char *phase)
{
    json_t *object = json_object();
    put(object, "at_s", chart_time(json_number_at(change, "at_s")));
    put_number(object, "trial", trial);
    put(object, "phase", json_text(phase));
    put(object, "before", chart_number(json_number_at(change, "before")));
    put(object, "after", chart_number(json_number_at(change, "after")));
    put(object, "cause", json_text(json_text_at(change, "cause")));
    return object;
}

json_t *chart_changes(const struct chart *chart)
{
    json_t *list = json_array();
    size_t f, c;
    const json_t *finding, *change;
    json_array_foreach(json_at(chart->source->summary, "analysis.steady.findings"), f, finding)
    {
        double trial = trial_of(chart, finding);
        json_array_foreach(json_object_get(finding, "changes"), c, change)
        {
            json_array_append_new(list, change_json(change, trial, json_text_at(finding, "phase")));
        }
    }
    return list;
}
