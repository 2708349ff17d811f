#include <math.h>
#include <stdlib.h>

#include "page/chart.h"
#include "result/metric.h"
#include "result/put.h"
#include "result/waits.h"

enum { COLUMNS_MOST = 600 };

static json_t *shares_json(const double seen[WAITS_GROUPS])
{
    enum { DIGITS = 3 };
    json_t *list = json_array();
    double all = 0;
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        all += seen[g];
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        json_array_append_new(list, json_measured(chart_digits(seen[g] / all, DIGITS)));
    return list;
}

/* Medians over the repeats; NULL: nobody observed. */
static json_t *row_json(const struct group *group, size_t number)
{
    double seen[WAITS_GROUPS], all = 0;
    for (size_t g = 0; g < WAITS_GROUPS; g++) {
        char path[64];
        snprintf(path, sizeof path, "waits.groups.%s", waits_groups[g]);
        seen[g] = group_median(group, path);
        all += seen[g];
    }
    if (!(all > 0))
        return NULL;
    json_t *row = json_object();
    put_count(row, "group", (double)number);
    put(row, "shares", shares_json(seen));
    return row;
}

/* One column of up to `step` intervals; nothing where nobody looked. */
static void add_column(json_t *columns, const struct chart_phase *phase, size_t from, size_t step)
{
    const struct series *series = &phase->course->series;
    size_t to = from + step < series->count ? from + step : series->count;
    double seen[WAITS_GROUPS] = {0}, all = 0;
    for (size_t i = from; i < to; i++)
        for (size_t g = 0; g < WAITS_GROUPS; g++) {
            double value = phase->course->waits[i * WAITS_GROUPS + g];
            seen[g] += value > 0 ? value : 0;
        }
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        all += seen[g];
    if (!(all > 0 && isfinite(all)))
        return;
    const struct interval *last = &series->items[to - 1];
    json_t *column = json_array();
    json_array_append_new(column, chart_time(phase->start_s + series->items[from].start_s));
    json_array_append_new(column, chart_time(phase->start_s + last->start_s + last->seconds));
    json_array_append_new(column, shares_json(seen));
    json_array_append_new(columns, column);
}

static json_t *columns_json(const struct chart *chart)
{
    json_t *columns = json_array();
    size_t count = 0;
    for (size_t i = 0; i < chart->phase_count; i++)
        if (chart->phases[i].course && chart->phases[i].course->waits)
            count += chart->phases[i].course->series.count;
    size_t step = count / COLUMNS_MOST + 1;
    for (size_t i = 0; i < chart->phase_count; i++) {
        const struct chart_phase *phase = &chart->phases[i];
        if (!phase->course || !phase->course->waits)
            continue;
        for (size_t from = 0; from < phase->course->series.count; from += step)
            add_column(columns, phase, from, step);
    }
    return columns;
}

json_t *chart_waits(const struct chart *chart)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < chart->groups.count; i++) {
        json_t *row = row_json(&chart->groups.items[i], i);
        if (row)
            json_array_append_new(rows, row);
    }
    json_t *columns = columns_json(chart), *waits = NULL;
    if (json_array_size(rows) > 0 || json_array_size(columns) > 0) {
        json_t *names = json_array();
        for (size_t g = 0; g < WAITS_GROUPS; g++)
            json_array_append_new(names, json_string(waits_groups[g]));
        waits = json_object();
        put(waits, "names", names);
        put(waits, "rows", json_incref(rows));
        put(waits, "columns", json_incref(columns));
    }
    json_decref(rows);
    json_decref(columns);
    return waits;
}
