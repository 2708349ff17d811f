#include "analysis/groups.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "result/metric.h"
#include "result/rounds.h"
#include "stats/summary.h"

static void *grow(void *items, size_t *capacity, size_t size)
{
    *capacity = *capacity ? *capacity * 2 : 4;
    items = realloc(items, *capacity * size);
    if (!items) {
        fputs("loadline: out of memory\n", stderr);
        abort();
    }
    return items;
}

static const json_t *device_of(const struct group *group, const char *wanted)
{
    double target = json_number_at(group->trials[0], "target");
    size_t index;
    const json_t *device;
    json_array_foreach(json_object_get(group->summary, "devices"), index, device)
    {
        double of = json_number_at(device, "target");
        bool is_ours = isnan(of) || isnan(target) || of == target;
        const char *role = json_text_at(device, "role");
        if (is_ours && role && strcmp(role, wanted) == 0)
            return device;
    }
    return NULL;
}

const json_t *group_device(const struct group *group)
{
    return device_of(group, "data");
}

const json_t *group_log_device(const struct group *group)
{
    const json_t *device = device_of(group, "wal");
    return device ? device : group_device(group);
}

const char *group_memory(const struct group *group)
{
    const char *memory = json_text_at(group_log_device(group), "in_memory");
    return memory && *memory ? memory : NULL;
}

const char *group_log_apart(const struct group *group)
{
    const char *name;
    json_t *device;
    json_object_foreach(json_object_get(group->phases[0], "devices"), name, device)
    {
        const char *role = json_text_at(device, "role");
        if (role && strcmp(role, "wal") == 0)
            return name;
    }
    return NULL;
}

static const json_t *target_of(const struct group *group)
{
    double target = json_number_at(group->trials[0], "target");
    const json_t *targets = json_object_get(group->summary, "targets");
    return target >= 0 && target < 65536 ? json_array_get(targets, (size_t)target) : NULL;
}

bool group_is_elsewhere(const struct group *group)
{
    return json_is_true(json_object_get(target_of(group), "wal_elsewhere"));
}

const char *group_engine(const struct group *group)
{
    const char *engine = json_text_at(target_of(group), "engine");
    return engine ? engine : json_text_at(group->summary, "environment.engine");
}

static void group_add(struct group *group, const json_t *trial, const json_t *phase)
{
    if (group->count == group->capacity) {
        size_t capacity = group->capacity;
        group->phases = grow(group->phases, &group->capacity, sizeof *group->phases);
        group->trials = grow(group->trials, &capacity, sizeof *group->trials);
    }
    group->phases[group->count] = phase;
    group->trials[group->count++] = trial;
}

/* The same text for what belongs together; heap. */
static char *group_key(const char *part, const json_t *factors, const char *phase)
{
    char *sorted = factors ? json_dumps(factors, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    char *key = fs_path("%s\n%s\n%s", part ? part : "\t", phase, sorted ? sorted : "{}");
    free(sorted);
    return key;
}

static struct group *find_or_add(struct groups *groups, json_t *places, const json_t *trial,
                                 const json_t *phase, const char *name)
{
    const char *part = json_text_at(trial, "part");
    const json_t *factors = json_object_get(trial, "factors");
    factors = json_is_object(factors) ? factors : NULL;
    char *key = group_key(part, factors, name);
    const json_t *place = json_object_get(places, key);
    if (!place) {
        if (groups->count == groups->capacity)
            groups->items = grow(groups->items, &groups->capacity, sizeof *groups->items);
        groups->items[groups->count] =
            (struct group){.part = part, .factors = factors, .phase = name};
        json_object_set_new(places, key, json_integer((json_int_t)groups->count++));
        place = json_object_get(places, key);
    }
    free(key);
    struct group *group = &groups->items[json_integer_value(place)];
    group->summary = groups->summary;
    group_add(group, trial, phase);
    return group;
}

void groups_init(struct groups *groups, const json_t *summary)
{
    *groups = (struct groups){.summary = summary};
    json_t *places = json_object(); /* key -> index */
    size_t t, p;
    const json_t *trial, *phase;
    json_array_foreach(json_object_get(summary, "trials"), t, trial)
    {
        const json_t *phases = json_object_get(trial, "all_cycles");
        if (!json_is_array(phases))
            phases = json_object_get(trial, "phases");
        json_array_foreach(phases, p, phase)
        {
            const char *name = json_text_at(phase, "name");
            if (name && !rounds_is_after_pause(phase))
                find_or_add(groups, places, trial, phase, name);
        }
    }
    json_decref(places);
}

void groups_release(struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->items[i].phases);
        free(groups->items[i].trials);
    }
    free(groups->items);
    *groups = (struct groups){0};
}

static void spread_of(double *values, size_t count, struct spread *spread)
{
    *spread = (struct spread){NAN, NAN, NAN, count};
    if (count == 0)
        return;
    spread->median = summary_median(values, count);
    for (size_t i = 0; i < count; i++) {
        spread->low = fmin(spread->low, values[i]);
        spread->high = fmax(spread->high, values[i]);
    }
}

/* `path`, or where that is not known `fallback`. */
static void spread_either(const struct group *group, const char *path, const char *fallback,
                          struct spread *spread)
{
    double *values = calloc(group->count ? group->count : 1, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; values && i < group->count; i++) {
        double value = metric_value(group->phases[i], path);
        if (isnan(value) && fallback)
            value = metric_value(group->phases[i], fallback);
        if (!isnan(value))
            values[count++] = value;
    }
    spread_of(values, count, spread);
    free(values);
}

void group_spread(const struct group *group, const char *metric, struct spread *spread)
{
    spread_either(group, metric, NULL, spread);
}

double group_median(const struct group *group, const char *metric)
{
    struct spread spread;
    group_spread(group, metric, &spread);
    return spread.median;
}

void group_rate(const struct group *group, const char *rate, struct spread *spread)
{
    char path[64];
    snprintf(path, sizeof path, "all_streams.%s", rate);
    spread_either(group, path, rate, spread);
}
