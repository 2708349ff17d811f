#include "analysis/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_doubts.h"
#include "analysis/compare_drives.h"
#include "analysis/compare_metric.h"
#include "analysis/compare_order.h"
#include "analysis/compare_place.h"
#include "analysis/compare_verdict.h"
#include "base/format.h"
#include "result/keys.h"
#include "result/put.h"

enum { COMPARE_SCHEMA = 1 };

/* ---- drives ---- */

static size_t most_runs(const struct compare_model *model, size_t drive)
{
    size_t most = 0;
    for (size_t p = 0; p < model->place_count; p++) {
        const struct compare_cell *cell = &model->places[p].cells[drive];
        size_t runs = 0;
        for (size_t g = 0; g < cell->count; g++)
            runs += cell->groups[g]->count;
        most = runs > most ? runs : most;
    }
    return most;
}

static json_t *results_json(const struct compare_model *model, const struct compare_drive *drive)
{
    json_t *results = json_array();
    for (size_t i = 0; i < drive->count; i++) {
        const struct compare_source *source = &model->sources[drive->members[i].source];
        const json_t *target = compare_drives_target(source, drive->members[i].target);
        json_t *result = json_object();
        put(result, "path", json_text(source->path));
        put_text(result, "run_id", json_text_at(source->summary, "run_id"));
        put_text(result, "started", json_text_at(source->summary, "started"));
        put_text(result, "target", json_text_at(target, "target"));
        json_array_append_new(results, result);
    }
    return results;
}

static json_t *fill_json(const struct compare_model *model, const struct compare_drive *drive)
{
    double low = NAN, high = NAN;
    json_t *fill = json_object();
    for (size_t i = 0; i < drive->count; i++) {
        const struct compare_member *member = &drive->members[i];
        const json_t *device =
            compare_drives_device(&model->sources[member->source], member->target, "data");
        double share = json_number_at(device, "fill");
        low = fmin(low, share);
        high = fmax(high, share);
    }
    put_real(fill, "low", low);
    put_real(fill, "high", high);
    return fill;
}

static json_t *drive_json(const struct compare_model *model, size_t at)
{
    static const char *const facts[] = {"model",       "firmware",   "link", "transport",
                                        "write_cache", "filesystem", "path"};
    const struct compare_drive *drive = &model->drives[at];
    const struct compare_member *first = &drive->members[0];
    const struct compare_source *source = &model->sources[first->source];
    const json_t *device = compare_drives_device(source, first->target, "data");
    json_t *object = json_object();
    put_text(object, "name", drive->name);
    put_text(object, "label", drive->label);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        put_text(object, facts[i], json_text_at(device, facts[i]));
    put_count(object, "size_bytes", json_number_at(device, "size_bytes"));
    put_text(object, "target",
             json_text_at(compare_drives_target(source, first->target), "target"));
    put(object, "fill", fill_json(model, drive));
    put_count(object, "runs", (double)most_runs(model, at));
    put(object, "results", results_json(model, drive));
    return object;
}

/* ---- what they measured ---- */

static size_t drives_at(const struct compare_model *model, const struct compare_place *place)
{
    size_t count = 0;
    for (size_t d = 0; d < model->drive_count; d++)
        count += place->cells[d].count > 0;
    return count;
}

static json_t *left_out_json(const struct compare_model *model, const struct compare_place *place)
{
    json_t *object = json_object(), *drives = json_array();
    for (size_t d = 0; d < model->drive_count; d++)
        if (place->cells[d].count > 0)
            json_array_append_new(drives, json_string(model->drives[d].name));
    put(object, "drives", drives);
    compare_place_put(object, place);
    return object;
}

static json_t *group_json(const struct compare_model *model, const struct compare_bars *bars,
                          const struct compare_options *options, size_t at)
{
    const struct compare_place *place = &model->places[at];
    struct compare_metric *metrics;
    size_t count = compare_metric_list(place, options, &metrics);
    json_t *object = json_object(), *list = json_array();
    put_count(object, "place", (double)at);
    compare_place_put(object, place);
    for (size_t i = 0; i < count; i++) {
        json_t *metric = compare_metric_json(model, bars, at, &metrics[i]);
        if (metric)
            json_array_append_new(list, metric);
    }
    put(object, "metrics", list);
    free(metrics);
    return object;
}

/* What the first drive and another one measured; or all, where there is one drive. */
static void put_groups(json_t *comparison, const struct compare_model *model,
                       const struct compare_bars *bars, const struct compare_options *options)
{
    json_t *groups = json_array(), *left_out = json_array();
    for (size_t p = 0; p < model->place_count; p++) {
        const struct compare_place *place = &model->places[p];
        size_t drives = drives_at(model, place);
        if (model->drive_count > 1 && (place->cells[0].count == 0 || drives < 2)) {
            json_array_append_new(left_out, left_out_json(model, place));
            continue;
        }
        json_array_append_new(groups, group_json(model, bars, options, p));
        if (drives < model->drive_count)
            json_array_append_new(left_out, left_out_json(model, place));
    }
    put(comparison, "groups", groups);
    put(comparison, "left_out", left_out);
}

/* How long, and how far, the runs went. */
struct reach {
    double longest_s;      /* NaN: not known */
    size_t asked, reached; /* trials that should run until the drive is steady */
};

static void reach_of(const struct group *group, struct reach *reach)
{
    for (size_t i = 0; i < group->count; i++) {
        const json_t *trial = group->trials[i];
        const char *ended = json_text_at(trial, "ended_by");
        const char *until = keys_text(group->summary, trial, "workload.until");
        bool is_steady = ended && strcmp(ended, "steady") == 0;
        double elapsed_s = json_number_at(group->phases[i], "elapsed_s");
        reach->asked += is_steady || (until && strcmp(until, "steady") == 0);
        reach->reached += is_steady;
        reach->longest_s = fmax(reach->longest_s, elapsed_s);
    }
}

/* A figure of a minute is no figure of an hour. */
static void note_reach(struct compare_model *model)
{
    struct reach reach = {.longest_s = NAN};
    struct format_text shown;
    for (size_t p = 0; p < model->place_count; p++)
        for (size_t d = 0; d < model->drive_count; d++)
            for (size_t g = 0; g < model->places[p].cells[d].count; g++)
                reach_of(model->places[p].cells[d].groups[g], &reach);
    if (reach.reached < reach.asked)
        compare_model_say(model->notes,
                          "the steady state was NOT REACHED in %zu of %zu phases that asked for it",
                          reach.asked - reach.reached, reach.asked);
    else if (reach.asked == 0 && !isnan(reach.longest_s))
        compare_model_say(model->notes,
                          "burst: no phase ran longer than %s and none until the steady state, "
                          "which says nothing of sustained load (--until steady)",
                          format_seconds(&shown, reach.longest_s));
}

static int put_thresholds(json_t *comparison, const struct compare_model *model,
                          const struct compare_options *options, struct err *err)
{
    json_t *list = json_array();
    put(comparison, "thresholds", list);
    for (size_t i = 0; i < options->threshold_count; i++) {
        json_t *threshold = threshold_json(&options->thresholds[i], model, err);
        if (!threshold)
            return -1;
        json_array_append_new(list, threshold);
    }
    return 0;
}

static int fill_comparison(json_t *comparison, struct compare_model *model,
                           const struct compare_options *options, struct err *err)
{
    size_t cells = model->place_count * model->drive_count;
    struct compare_bars bars = {.drives =
                                    compare_model_alloc(model->drive_count, sizeof *bars.drives),
                                .cells = compare_model_alloc(cells, sizeof *bars.cells)};
    put_text(comparison, "loadline", LOADLINE_VERSION);
    put_count(comparison, "schema", COMPARE_SCHEMA);
    put_real(comparison, "level", COMPARE_LEVEL);
    put_real(comparison, "margin", COMPARE_MARGIN);
    put(comparison, "baseline", options->has_baseline ? json_text(model->sources[0].path) : NULL);
    json_t *drives = json_array();
    for (size_t d = 0; d < model->drive_count; d++)
        json_array_append_new(drives, drive_json(model, d));
    put(comparison, "drives", drives);
    compare_contrast_put(comparison, model, options, &bars);
    compare_doubts_put(comparison, model, &bars);
    put_groups(comparison, model, &bars, options);
    note_reach(model);
    compare_order_note(model);
    put(comparison, "notes", json_incref(model->notes));
    put(comparison, "verdict", compare_verdict_json(comparison, model));
    free(bars.drives);
    free(bars.cells);
    return put_thresholds(comparison, model, options, err);
}

json_t *compare_json(const struct compare_input *inputs, size_t count,
                     const struct compare_options *options, struct err *err)
{
    struct compare_model model;
    json_t *comparison = json_object();
    int status = compare_model_init(&model, inputs, count, options, err);
    if (status == 0)
        status = fill_comparison(comparison, &model, options, err);
    compare_model_release(&model);
    if (status == 0)
        return comparison;
    json_decref(comparison);
    return NULL;
}
