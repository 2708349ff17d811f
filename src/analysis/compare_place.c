#include "analysis/compare_place.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/parse.h"
#include "result/keys.h"
#include "result/put.h"

char *compare_place_text(const json_t *value)
{
    if (json_is_string(value))
        return fs_path("%s", json_string_value(value));
    if (json_is_integer(value))
        return fs_path("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    if (json_is_number(value))
        return fs_path("%.12g", json_number_value(value));
    if (json_is_boolean(value))
        return fs_path("%s", json_is_true(value) ? "yes" : "no");
    return NULL;
}

char *compare_place_normal(const json_t *value)
{
    char *text = compare_place_text(value);
    struct err ignored;
    uint64_t size;
    int64_t duration_ns;
    double share;
    char *normal = NULL;
    if (!text || *text < '0' || *text > '9')
        return text ? text : fs_path("\t");
    if (parse_size(text, &size, &ignored) == 0)
        normal = fs_path("%" PRIu64, size);
    else if (parse_duration(text, &duration_ns, &ignored) == 0)
        normal = fs_path("%" PRId64 " ns", duration_ns);
    else if (parse_share(text, &share, &ignored) == 0)
        normal = fs_path("%.12g%%", 100 * share);
    if (!normal)
        return text;
    free(text);
    return normal;
}

/* "streams" is short for "workload.streams"; heap. */
static char *key_of(const char *factor)
{
    return strchr(factor, '.') ? fs_path("%s", factor) : fs_path("workload.%s", factor);
}

/* Names of the factors that any result has, but for the target: that is a drive. */
static json_t *varying_names(const struct compare_model *model)
{
    json_t *names = json_object();
    for (size_t s = 0; s < model->source_count; s++)
        for (size_t g = 0; g < model->sources[s].groups.count; g++) {
            const char *name;
            json_t *value;
            json_object_foreach((json_t *)model->sources[s].groups.items[g].factors, name, value)
            {
                if (strcmp(name, "target") != 0)
                    json_object_set_new(names, name, json_true());
            }
        }
    return names;
}

/* A factor is a number where it can be; a key that has one value is a text.  New reference. */
static json_t *number_or_same(const json_t *value)
{
    const char *text = json_string_value(value);
    struct err ignored;
    uint64_t number;
    if (text && parse_size(text, &number, &ignored) == 0 && number <= INT64_MAX)
        return json_integer((json_int_t)number);
    return json_incref((json_t *)value);
}

/* The group's value of every name that varies; a new object. */
static json_t *factors_of(const struct group *group, const json_t *names)
{
    json_t *factors = json_object();
    const char *name;
    json_t *ignored;
    json_object_foreach((json_t *)names, name, ignored)
    {
        const json_t *value = json_object_get(group->factors, name);
        if (!value) {
            char *key = key_of(name);
            value = keys_value(group->summary, group->trials[0], key);
            free(key);
        }
        if (value)
            json_object_set_new(factors, name, number_or_same(value));
    }
    return factors;
}

static char *place_key(const struct group *group, const json_t *factors)
{
    json_t *normal = json_object();
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)factors, name, value)
    {
        char *text = compare_place_normal(value);
        json_object_set_new(normal, name, json_text(text));
        free(text);
    }
    char *dumped = json_dumps(normal, JSON_COMPACT | JSON_SORT_KEYS);
    char *key =
        fs_path("%s\n%s\n%s", group->part ? group->part : "\t", group->phase, dumped ? dumped : "");
    free(dumped);
    json_decref(normal);
    return key;
}

static double rows_per_commit(const struct group *group)
{
    double asked = keys_number(group->summary, group->trials[0], "workload.rows_per_commit");
    if (!isnan(asked))
        return asked;
    double commits = group_median(group, "commits");
    return commits > 0 ? group_median(group, "rows") / commits : NAN;
}

/* Steals the factors. */
static size_t place_add(struct compare_model *model, const struct group *group, json_t *factors)
{
    if (model->place_count == model->place_capacity) {
        model->place_capacity = model->place_capacity ? 2 * model->place_capacity : 16;
        model->places = realloc(model->places, model->place_capacity * sizeof *model->places);
        if (!model->places)
            abort();
    }
    model->places[model->place_count] = (struct compare_place){
        .part = group->part,
        .phase = group->phase,
        .factors = factors,
        .streams = group_median(group, "stream_count"),
        .rows_per_commit = rows_per_commit(group),
        .cells = compare_model_alloc(model->drive_count, sizeof(struct compare_cell))};
    return model->place_count++;
}

static void cell_add(struct compare_cell *cell, const struct group *group, size_t source)
{
    if (cell->count == cell->capacity) {
        cell->capacity = cell->capacity ? 2 * cell->capacity : 4;
        cell->groups = realloc(cell->groups, cell->capacity * sizeof *cell->groups);
        cell->sources = realloc(cell->sources, cell->capacity * sizeof *cell->sources);
        if (!cell->groups || !cell->sources)
            abort();
    }
    cell->groups[cell->count] = group;
    cell->sources[cell->count++] = source;
}

/* COMPARE_NO_DRIVE: a copy, or a target that the result does not list. */
static size_t drive_of(const struct compare_source *source, const struct group *group)
{
    double target = json_number_at(group->trials[0], "target");
    if (isnan(target))
        target = 0;
    return target >= 0 && target < (double)source->target_count ? source->drives[(size_t)target]
                                                                : COMPARE_NO_DRIVE;
}

void compare_place_find(struct compare_model *model)
{
    json_t *names = varying_names(model), *known = json_object();
    for (size_t s = 0; s < model->source_count; s++) {
        const struct compare_source *source = &model->sources[s];
        for (size_t g = 0; g < source->groups.count; g++) {
            const struct group *group = &source->groups.items[g];
            size_t drive = drive_of(source, group);
            if (drive == COMPARE_NO_DRIVE)
                continue;
            json_t *factors = factors_of(group, names);
            char *key = place_key(group, factors);
            const json_t *place = json_object_get(known, key);
            size_t at = (size_t)json_integer_value(place);
            if (place)
                json_decref(factors);
            else {
                at = place_add(model, group, factors);
                json_object_set_new(known, key, json_integer((json_int_t)at));
            }
            free(key);
            cell_add(&model->places[at].cells[drive], group, s);
        }
    }
    json_decref(names);
    json_decref(known);
}

void compare_place_release(struct compare_model *model)
{
    for (size_t p = 0; p < model->place_count; p++) {
        struct compare_place *place = &model->places[p];
        for (size_t d = 0; d < model->drive_count; d++) {
            free(place->cells[d].groups);
            free(place->cells[d].sources);
        }
        free(place->cells);
        json_decref(place->factors);
    }
    free(model->places);
    model->places = NULL;
    model->place_count = 0;
}

bool compare_place_is_bulk(const struct compare_place *place)
{
    return place->rows_per_commit >= COMPARE_BULK_ROWS;
}

void compare_place_put(json_t *object, const struct compare_place *place)
{
    put_text(object, "part", place->part);
    put_text(object, "phase", place->phase);
    put(object, "factors", json_deep_copy(place->factors));
    put_number(object, "streams", place->streams);
    put_number(object, "rows_per_commit", place->rows_per_commit);
    put(object, "bulk", json_boolean(compare_place_is_bulk(place)));
}
