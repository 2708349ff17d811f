#include "analysis/compare_metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_place.h"
#include "analysis/compare_ratio.h"
#include "result/put.h"
#include "stats/steady.h"
#include "stats/summary.h"

/* ---- which ---- */

static const struct compare_metric commit_metrics[] = {
    {"commits_per_s", "commits/s", "commits/s", 1, METRIC_HIGHER_IS_BETTER, true},
    {COMPARE_STEADY, "commits/s, steady", "commits/s", 1, METRIC_HIGHER_IS_BETTER, true},
    {"latency_ms.transaction.p50", "p50 ms", "ms", 1, METRIC_LOWER_IS_BETTER, true},
    {"latency_ms.transaction.p99", "p99 ms", "ms", 1, METRIC_LOWER_IS_BETTER, true},
    {"per_commit.bytes", "KiB/commit", "bytes/commit", 1.0 / 1024, METRIC_LOWER_IS_BETTER, true},
    {"per_commit.writes", "writes/commit", "writes/commit", 1, METRIC_LOWER_IS_BETTER, true},
    {"wal.flush_await_ms", "flush ms", "ms", 1, METRIC_LOWER_IS_BETTER, true},
};
static const struct compare_metric bulk_metrics[] = {
    {"rows_per_s", "rows/s", "rows/s", 1, METRIC_HIGHER_IS_BETTER, true},
};
enum {
    COMMIT_METRICS = sizeof commit_metrics / sizeof *commit_metrics,
    BULK_METRICS = sizeof bulk_metrics / sizeof *bulk_metrics
};

static size_t count_rows(void)
{
    size_t count = 0;
    while (metric_rows[count].path)
        count++;
    return count;
}

size_t compare_metric_list(const struct compare_place *place, const struct compare_options *options,
                           struct compare_metric **metrics)
{
    bool is_bulk = compare_place_is_bulk(place);
    const struct compare_metric *first = is_bulk ? bulk_metrics : commit_metrics;
    size_t headline = is_bulk ? BULK_METRICS : COMMIT_METRICS, count = headline;
    size_t most = headline + (options->all_metrics ? count_rows() : 0);
    struct compare_metric *list = *metrics = compare_model_alloc(most, sizeof *list);
    memcpy(list, first, headline * sizeof *list);
    for (size_t i = 0; count < most && metric_rows[i].path; i++) {
        const struct metric_row *row = &metric_rows[i];
        bool is_known = false;
        for (size_t k = 0; k < headline; k++)
            is_known |= strcmp(first[k].path, row->path) == 0;
        if (!is_known)
            list[count++] =
                (struct compare_metric){row->path, row->path, row->unit, 1, row->sense, false};
    }
    return count;
}

/* ---- values ---- */

static double steady_value(const json_t *trial, const char *phase)
{
    const char *ended = json_text_at(trial, "ended_by");
    const json_t *rounds = json_object_get(trial, "rounds");
    double values[STEADY_WINDOW];
    size_t count = 0;
    if (!ended || strcmp(ended, "steady") != 0)
        return NAN;
    for (size_t i = json_array_size(rounds); i > 0 && count < STEADY_WINDOW; i--) {
        const json_t *round = json_array_get(rounds, i - 1);
        if (json_is_true(json_object_get(round, "partial")) ||
            json_is_true(json_object_get(round, "after_pause")))
            continue;
        const json_t *of = json_object_get(json_object_get(round, "phases"), phase);
        values[count++] = json_number_at(of, "commits_per_s");
    }
    return count == STEADY_WINDOW ? summary_mean(values, count) : NAN;
}

double compare_metric_value(const char *path, const json_t *trial, const json_t *phase)
{
    if (strcmp(path, COMPARE_STEADY) != 0)
        return metric_value(phase, path);
    const char *name = json_text_at(phase, "name");
    return name ? steady_value(trial, name) : NAN;
}

static size_t count_runs(const struct compare_cell *cell)
{
    size_t count = 0;
    for (size_t g = 0; g < cell->count; g++)
        count += cell->groups[g]->count;
    return count;
}

static int by_run(const void *a, const void *b)
{
    const struct compare_run *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->repeat > y->repeat) - (x->repeat < y->repeat);
}

/* In the order of results and repeats. */
static struct compare_run *collect(const struct compare_cell *cell, const char *path, size_t *count)
{
    struct compare_run *runs = compare_model_alloc(count_runs(cell), sizeof *runs);
    *count = 0;
    for (size_t g = 0; g < cell->count; g++)
        for (size_t i = 0; i < cell->groups[g]->count; i++) {
            const struct group *group = cell->groups[g];
            double repeat = json_number_at(group->trials[i], "repeat");
            runs[(*count)++] = (struct compare_run){
                .value = compare_metric_value(path, group->trials[i], group->phases[i]),
                .repeat = isnan(repeat) ? 0 : repeat,
                .source = cell->sources[g]};
        }
    if (*count > 0)
        qsort(runs, *count, sizeof *runs, by_run);
    return runs;
}

/* Those that are known, in place of all; returns how many. */
static size_t finite_values(const struct compare_run *runs, size_t count, double *values)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(runs[i].value))
            values[known++] = runs[i].value;
    return known;
}

double compare_metric_median(const struct compare_cell *cell, const char *path, size_t *count)
{
    size_t all;
    struct compare_run *runs = collect(cell, path, &all);
    double *values = compare_model_alloc(all, sizeof *values);
    *count = finite_values(runs, all, values);
    double median = *count > 0 ? summary_median(values, *count) : NAN;
    free(values);
    free(runs);
    return median;
}

/* ---- as JSON ---- */

static json_t *drive_json(const char *name, const struct compare_run *runs, size_t count)
{
    double *values = compare_model_alloc(count, sizeof *values);
    size_t known = finite_values(runs, count, values);
    double low = NAN, high = NAN;
    json_t *object = json_object(), *list = json_array();
    for (size_t i = 0; i < known; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
        json_array_append_new(list, json_real(values[i]));
    }
    put_text(object, "drive", name);
    put_count(object, "count", (double)known);
    put_real(object, "median", known > 0 ? summary_median(values, known) : NAN);
    put_real(object, "low", low);
    put_real(object, "high", high);
    put(object, "values", list);
    free(values);
    return object;
}

static const char *sense_name(enum metric_sense sense)
{
    switch (sense) {
    case METRIC_HIGHER_IS_BETTER:
        return "higher is better";
    case METRIC_LOWER_IS_BETTER:
        return "lower is better";
    case METRIC_NEUTRAL:
        break;
    }
    return NULL;
}

static json_t *metric_head(const struct compare_metric *metric)
{
    json_t *object = json_object();
    put_text(object, "path", metric->path);
    put_text(object, "name", metric->name);
    put_text(object, "unit", metric->unit);
    put_real(object, "scale", metric->scale);
    put_text(object, "sense", sense_name(metric->sense));
    put(object, "headline", json_boolean(metric->headline));
    return object;
}

json_t *compare_metric_json(const struct compare_model *model, const struct compare_bars *bars,
                            size_t place, const struct compare_metric *metric)
{
    struct compare_run *runs[COMPARE_DRIVES_MAX];
    size_t counts[COMPARE_DRIVES_MAX], known = 0;
    json_t *drives = json_array();
    for (size_t d = 0; d < model->drive_count; d++) {
        runs[d] = collect(&model->places[place].cells[d], metric->path, &counts[d]);
        json_t *drive = drive_json(model->drives[d].name, runs[d], counts[d]);
        known += json_array_size(json_object_get(drive, "values"));
        json_array_append_new(drives, drive);
    }
    json_t *object = NULL;
    if (known > 0) {
        object = metric_head(metric);
        put(object, "drives", json_incref(drives));
        put(object, "ratios", compare_ratio_json(model, bars, place, metric->sense, runs, counts));
    }
    json_decref(drives);
    for (size_t d = 0; d < model->drive_count; d++)
        free(runs[d]);
    return object;
}
