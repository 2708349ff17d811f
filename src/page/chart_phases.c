#include <math.h>

#include "page/chart.h"
#include "result/put.h"

static json_t *phase_json(const struct chart_phase *phase)
{
    json_t *object = json_object();
    const char *name = json_text_at(phase->phase, "name");
    put_number(object, "trial", phase->trial_index);
    put_number(object, "repeat", json_number_at(phase->trial, "repeat"));
    put_number(object, "group", phase->group == CHART_NONE ? NAN : (double)phase->group);
    put(object, "phase", name ? json_text(name) : NULL);
    put_number(object, "cycle", json_number_at(phase->phase, "cycle"));
    put(object, "start_s", chart_time(phase->start_s));
    put(object, "end_s", chart_time(phase->end_s));
    put_number(object, "start_bytes", phase->start_bytes);
    put_count(object, "first", (double)phase->first);
    put_count(object, "count", (double)phase->count);
    return object;
}

json_t *chart_phases(const struct chart *chart)
{
    json_t *list = json_array();
    for (size_t i = 0; i < chart->phase_count; i++)
        json_array_append_new(list, phase_json(&chart->phases[i]));
    return list;
}
