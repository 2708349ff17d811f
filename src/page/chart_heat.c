#include "page/chart_heat.h"

#include <math.h>
#include <string.h>

#include "result/put.h"

static size_t bin_of(uint32_t index)
{
    double ns = (double)hist_lowest_ns(index) + (double)hist_width_ns(index) / 2;
    double bin = floor(HEAT_BINS_PER_OCTAVE * log2(ns / 1e6 / HEAT_LEAST_MS));
    return bin < 0 ? 0 : bin >= HEAT_BINS ? HEAT_BINS - 1 : (size_t)bin;
}

static size_t columns_with(const struct chart *chart, size_t step)
{
    size_t count = 0;
    for (size_t i = 0; i < chart->phase_count; i++)
        if (chart->phases[i].course)
            count += (chart->phases[i].course->series.count + step - 1) / step;
    return count;
}

void heat_init(struct heat *heat, const struct chart *chart, size_t columns)
{
    *heat = (struct heat){.columns = json_array(), .step = 1};
    for (uint32_t i = 0; i < HIST_COUNTS; i++)
        heat->bins[i] = (unsigned char)bin_of(i);
    heat->breaks = 2 * columns_with(chart, SIZE_MAX / 2) <= columns;
    if (heat->breaks) {
        while (columns_with(chart, heat->step) > columns)
            heat->step += (heat->step + 9) / 10;
    } else {
        heat->step = chart_intervals(chart->source->courses) / columns + 1;
    }
}

void heat_release(struct heat *heat)
{
    json_decref(heat->columns);
    heat->columns = NULL;
}

static void end_column(struct heat *heat)
{
    size_t first = 0, end = HEAT_BINS;
    while (first < end && heat->counts[first] == 0)
        first++;
    while (end > first && heat->counts[end - 1] == 0)
        end--;
    if (first < end) {
        json_t *column = json_array(), *counts = json_array();
        for (size_t i = first; i < end; i++)
            json_array_append_new(counts, json_integer((json_int_t)heat->counts[i]));
        json_array_append_new(column, chart_time(heat->start_s));
        json_array_append_new(column, chart_time(heat->end_s));
        json_array_append_new(column, json_integer((json_int_t)first));
        json_array_append_new(column, counts);
        json_array_append_new(heat->columns, column);
    }
    memset(heat->counts, 0, sizeof heat->counts);
    heat->taken = 0;
}

void heat_take(struct heat *heat, const struct chart_phase *phase, size_t interval,
               const struct hist *hist)
{
    const struct series *series = &phase->course->series;
    const struct interval *item = &series->items[interval];
    if (heat->taken++ == 0)
        heat->start_s = phase->start_s + item->start_s;
    heat->end_s = phase->start_s + item->start_s + item->seconds;
    if (hist)
        for (uint32_t i = hist->low; i <= hist->high && i < HIST_COUNTS; i++)
            heat->counts[heat->bins[i]] += hist->counts[i];
    if (heat->taken >= heat->step || (heat->breaks && interval + 1 == series->count))
        end_column(heat);
}

json_t *heat_json(struct heat *heat)
{
    if (heat->taken > 0)
        end_column(heat);
    if (json_array_size(heat->columns) == 0)
        return NULL;
    json_t *object = json_object();
    put_real(object, "least_ms", HEAT_LEAST_MS);
    put_real(object, "ratio", exp2(1.0 / HEAT_BINS_PER_OCTAVE));
    put(object, "columns", json_incref(heat->columns));
    return object;
}
