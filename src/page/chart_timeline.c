#include "page/chart_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/chart_scale.h"
#include "page/packed.h"
#include "result/put.h"

/* ---- intervals ---- */

/* What is known of each is added up; unknown stays unknown. */
struct sums {
    double seconds, waiting_ms, client_s, host_ticks, host_busy, in_flight;
    size_t count;
};

/* Each flush is a write of its own, without data (result/figures.h). */
static double writes_of(const struct interval *interval)
{
    double writes = interval->writes - interval->flushes;
    return writes < 0 ? 0 : writes;
}

static void add_interval(double *const columns[TIMELINE_COLUMNS], size_t at, struct sums *sums,
                         const struct interval *interval)
{
    sums->seconds += interval->seconds;
    sums->waiting_ms += interval->device.waiting_ms;
    sums->client_s += interval->client_s;
    sums->in_flight += interval->in_flight;
    sums->count++;
    if (!isnan(interval->host_busy)) {
        sums->host_ticks += interval->host_ticks;
        sums->host_busy += interval->host_busy * interval->host_ticks;
    }
    columns[TIMELINE_COMMITS][at] += interval->commits;
    columns[TIMELINE_ROWS][at] += interval->rows;
    columns[TIMELINE_WRITES][at] += writes_of(interval);
    columns[TIMELINE_FLUSHES][at] += interval->flushes;
    columns[TIMELINE_BYTES][at] += interval->bytes;
    columns[TIMELINE_RETRIES][at] += interval->retries;
    columns[TIMELINE_WAL_BYTES][at] = interval->wal_bytes;
    columns[TIMELINE_TEMPERATURE_C][at] =
        fmax(columns[TIMELINE_TEMPERATURE_C][at], interval->temperature_c);
}

static double quotient(double value, double by)
{
    return by > 0 ? value / by : NAN;
}

static void join(double *const columns[TIMELINE_COLUMNS], size_t at,
                 const struct chart_phase *phase, size_t from, size_t to)
{
    const struct interval *items = phase->course->series.items;
    struct sums sums = {0};
    columns[TIMELINE_TEMPERATURE_C][at] = NAN;
    for (size_t i = from; i < to; i++)
        add_interval(columns, at, &sums, &items[i]);
    columns[TIMELINE_START_S][at] = phase->course->start_s + items[from].start_s;
    columns[TIMELINE_SECONDS][at] = sums.seconds;
    columns[TIMELINE_QUEUE_DEPTH][at] = quotient(sums.waiting_ms / 1000, sums.seconds);
    columns[TIMELINE_IN_FLIGHT][at] = sums.in_flight / (double)sums.count;
    columns[TIMELINE_CPU_CLIENT][at] = quotient(sums.client_s, sums.seconds);
    columns[TIMELINE_CPU_HOST][at] = quotient(sums.host_busy, sums.host_ticks);
    columns[TIMELINE_P50_MS][at] = columns[TIMELINE_P99_MS][at] = NAN;
    columns[TIMELINE_MAX_MS][at] = NAN;
}

static void join_phase(struct timeline *timeline, const struct chart_phase *phase)
{
    size_t step = timeline->chart->joined;
    for (size_t i = 0; i < phase->count; i++) {
        size_t from = i * step, to = from + step;
        size_t end = phase->course->series.count;
        join(timeline->columns, phase->first + i, phase, from, to < end ? to : end);
    }
}

void timeline_init(struct timeline *timeline, const struct chart *chart)
{
    *timeline = (struct timeline){.chart = chart, .is_known = true, .joined = hist_create()};
    for (size_t c = 0; c < TIMELINE_COLUMNS; c++)
        timeline->columns[c] = chart_room(chart->count, sizeof **timeline->columns);
    for (size_t i = 0; i < chart->phase_count; i++)
        join_phase(timeline, &chart->phases[i]);
    timeline->windows[0] = (struct timeline_window){.quantile = 0.5,
                                                    .values = timeline->columns[TIMELINE_P50_MS],
                                                    .now = hist_create(),
                                                    .before = hist_create()};
    timeline->windows[1] = (struct timeline_window){.quantile = 0.99,
                                                    .values = timeline->columns[TIMELINE_P99_MS],
                                                    .now = hist_create(),
                                                    .before = hist_create()};
}

void timeline_release(struct timeline *timeline)
{
    for (size_t c = 0; c < TIMELINE_COLUMNS; c++)
        free(timeline->columns[c]);
    for (size_t i = 0; i < 2; i++) {
        hist_destroy(timeline->windows[i].now);
        hist_destroy(timeline->windows[i].before);
    }
    hist_destroy(timeline->joined);
    *timeline = (struct timeline){.chart = NULL};
}

/* ---- latencies ---- */

static void fill(const struct timeline_window *window, size_t to, double value)
{
    for (size_t i = window->from; i < to; i++)
        window->values[i] = value;
}

static void window_begin(struct timeline_window *window, size_t from)
{
    hist_reset(window->now);
    hist_reset(window->before);
    window->from = from;
}

static void window_add(struct timeline_window *window, size_t at, const struct hist *hist)
{
    hist_add(window->now, hist);
    double value = hist_quantile_ms(window->now, window->quantile);
    if (isnan(value))
        return;
    fill(window, at + 1, value);
    struct hist *old = window->before;
    window->before = window->now;
    window->now = old;
    hist_reset(window->now);
    window->from = at + 1;
}

/* What is left at the end is too little by itself: it counts with the window before it. */
static void window_end(struct timeline_window *window, size_t end)
{
    if (window->from == end || window->before->count == 0)
        return;
    hist_add(window->before, window->now);
    fill(window, end, hist_quantile_ms(window->before, window->quantile));
}

static void take(struct timeline *timeline, const struct chart_phase *phase, size_t at,
                 const struct hist *hist)
{
    size_t end = phase->first + phase->count;
    for (size_t i = 0; i < 2; i++) {
        struct timeline_window *window = &timeline->windows[i];
        if (at == phase->first)
            window_begin(window, at);
        if (hist) {
            window_add(window, at, hist);
        } else { /* a gap */
            window_end(window, at);
            window_begin(window, at + 1);
        }
        if (at + 1 == end)
            window_end(window, end);
    }
    if (hist)
        timeline->columns[TIMELINE_MAX_MS][at] = hist_max_ms(hist);
}

void timeline_latency(struct timeline *timeline, const struct chart_phase *phase, size_t interval,
                      const struct hist *hist)
{
    size_t step = timeline->chart->joined, count = phase->course->series.count;
    bool ends = (interval + 1) % step == 0 || interval + 1 == count;
    /* Without a commit there is nothing to know. */
    bool is_empty = phase->course->series.items[interval].commits == 0;
    timeline->is_known = timeline->is_known && (hist || is_empty);
    if (step > 1 && hist)
        hist_add(timeline->joined, hist);
    if (!ends)
        return;
    const struct hist *whole = step > 1 || !hist ? timeline->joined : hist;
    take(timeline, phase, phase->first + interval / step, timeline->is_known ? whole : NULL);
    hist_reset(timeline->joined);
    timeline->is_known = true;
}

/* ---- the form ---- */

static const struct {
    const char *name;
    enum chart_scale_kind kind;
} forms[TIMELINE_COLUMNS] = {
    [TIMELINE_START_S] = {"start_s", CHART_SCALE_GIVEN},
    [TIMELINE_SECONDS] = {"seconds", CHART_SCALE_GIVEN},
    [TIMELINE_COMMITS] = {"commits", CHART_SCALE_COUNT},
    [TIMELINE_ROWS] = {"rows", CHART_SCALE_COUNT},
    [TIMELINE_WRITES] = {"writes", CHART_SCALE_COUNT},
    [TIMELINE_FLUSHES] = {"flushes", CHART_SCALE_COUNT},
    [TIMELINE_BYTES] = {"bytes", CHART_SCALE_COUNT},
    [TIMELINE_QUEUE_DEPTH] = {"queue_depth", CHART_SCALE_REAL},
    [TIMELINE_IN_FLIGHT] = {"in_flight", CHART_SCALE_COUNT},
    [TIMELINE_P50_MS] = {"p50_ms", CHART_SCALE_RATIO},
    [TIMELINE_P99_MS] = {"p99_ms", CHART_SCALE_RATIO},
    [TIMELINE_MAX_MS] = {"max_ms", CHART_SCALE_RATIO},
    [TIMELINE_CPU_CLIENT] = {"cpu_client", CHART_SCALE_REAL},
    [TIMELINE_CPU_HOST] = {"cpu_host", CHART_SCALE_REAL},
    [TIMELINE_TEMPERATURE_C] = {"temperature_c", CHART_SCALE_COUNT},
    [TIMELINE_WAL_BYTES] = {"wal_bytes", CHART_SCALE_COUNT},
    [TIMELINE_RETRIES] = {"retries", CHART_SCALE_COUNT},
};

/* False: nothing in it is known. */
static bool is_known(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            return true;
    return false;
}

static json_t *column_json(const struct timeline *timeline, size_t column, struct packed *packed)
{
    const double *values = timeline->columns[column];
    size_t count = timeline->chart->count;
    enum chart_scale_kind kind = forms[column].kind;
    if (!is_known(values, count))
        return NULL;
    double scale = kind == CHART_SCALE_GIVEN
                       ? chart_scale(timeline->columns[TIMELINE_SECONDS], count, CHART_SCALE_REAL)
                       : chart_scale(values, count, kind);
    enum packed_kind form = kind == CHART_SCALE_RATIO ? PACKED_LOG : PACKED_LINEAR;
    json_t *object = json_object();
    put_text(object, "name", forms[column].name);
    put(object, "log", json_boolean(form == PACKED_LOG));
    put_number(object, "scale", scale);
    put_count(object, "size", (double)packed_column(packed, values, count, form, scale));
    return object;
}

json_t *timeline_json(const struct timeline *timeline)
{
    if (timeline->chart->count == 0)
        return NULL;
    struct packed packed = {0};
    json_t *columns = json_array();
    for (size_t c = 0; c < TIMELINE_COLUMNS; c++) {
        json_t *column = column_json(timeline, c, &packed);
        if (column)
            json_array_append_new(columns, column);
    }
    char *data = packed_text(&packed);
    json_t *object = json_object();
    put_count(object, "count", (double)timeline->chart->count);
    put_count(object, "merged", (double)timeline->chart->joined);
    put(object, "columns", columns);
    put(object, "data", json_string(data));
    free(data);
    packed_release(&packed);
    return object;
}
