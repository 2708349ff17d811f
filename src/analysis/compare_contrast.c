#include "analysis/compare_contrast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_drives.h"
#include "analysis/compare_facts.h"
#include "analysis/compare_place.h"
#include "base/fs.h"
#include "result/put.h"

struct contrast {
    json_t *comparison;
    const struct compare_model *model;
    const struct compare_options *options;
    struct compare_bars *bars;
    json_t *known; /* what differs, by name and values -> its entry; borrowed entries */
    json_t *same;  /* name -> value */
};

/* Distinct values of a name, in their order; by what they mean where `name` is a key. */
static json_t *distinct(const json_t *facts, const char *name)
{
    json_t *values = json_array(), *seen = json_object();
    bool is_key = strchr(name, '.') != NULL;
    size_t index;
    const json_t *object;
    json_array_foreach(facts, index, object)
    {
        const json_t *value = json_object_get(object, name);
        char *text = compare_place_text(value);
        char *same = is_key ? compare_place_normal(value) : fs_path("%s", text ? text : "\t");
        if (!json_object_get(seen, same)) {
            json_object_set_new(seen, same, json_true());
            json_array_append_new(values, json_text(text));
        }
        free(text);
        free(same);
    }
    json_decref(seen);
    return values;
}

static bool means_the_same(const json_t *a, const json_t *b, const char *name)
{
    if (json_equal((json_t *)a, (json_t *)b))
        return true;
    if (!strchr(name, '.'))
        return false;
    char *x = compare_place_normal(a), *y = compare_place_normal(b);
    bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* One value on either side, and the same.  A drive without any (nothing was measured there) is
 * like all. */
static bool is_alike(const json_t *values, size_t drive, const char *name)
{
    const json_t *a = json_array_get(values, 0), *b = json_array_get(values, drive);
    if (json_array_size(a) == 0 || json_array_size(b) == 0)
        return true;
    return json_array_size(a) == 1 && json_array_size(b) == 1 &&
           means_the_same(json_array_get(a, 0), json_array_get(b, 0), name);
}

static bool is_asked_for(const struct compare_options *options, const char *name)
{
    for (size_t i = 0; i < options->vary_count; i++) {
        const char *vary = options->vary[i];
        bool is_engine = strcmp(vary, "engine") == 0 && strncmp(name, "engine", 6) == 0;
        if (is_engine || strcmp(vary, name) == 0)
            return true;
        static const char setting[] = "engine setting ";
        size_t size = sizeof setting - 1;
        if (strncmp(name, setting, size) == 0 && strcmp(vary, name + size) == 0)
            return true;
    }
    return false;
}

static void bar(struct compare_bars *bars, const struct compare_model *model, size_t place,
                size_t drive)
{
    if (place == SIZE_MAX)
        bars->drives[drive] = true;
    else
        bars->cells[place * model->drive_count + drive] = true;
}

/* Puts an entry, or adds the place to the one that says the same.  Steals the values. */
static void put_difference(struct contrast *c, const char *name, json_t *values, const char *effect,
                           size_t place)
{
    char *dumped = json_dumps(values, JSON_COMPACT);
    char *key = fs_path("%s\n%s", name, dumped ? dumped : "");
    json_t *entry = json_object_get(c->known, key);
    if (!entry) {
        entry = json_object();
        put_text(entry, "name", name);
        put(entry, "values", json_incref(values));
        put_text(entry, "effect", effect);
        put(entry, "places", place == SIZE_MAX ? NULL : json_array());
        json_object_set(c->known, key, entry);
        json_array_append_new(json_object_get(c->comparison, "differ"), entry);
    }
    if (place != SIZE_MAX)
        json_array_append_new(json_object_get(entry, "places"), json_integer((json_int_t)place));
    json_decref(values);
    free(dumped);
    free(key);
}

static void judge_fact(struct contrast *c, json_t *const *facts, const char *name,
                       const char *effect, size_t place)
{
    size_t drives = c->model->drive_count;
    json_t *values = json_array();
    bool alike = true, refuses = strcmp(effect, "refuses") == 0;
    for (size_t d = 0; d < drives; d++) {
        json_array_append_new(values, distinct(facts[d], name));
        alike &= json_array_size(json_array_get(values, d)) < 2;
    }
    bool asked = refuses && is_asked_for(c->options, name);
    for (size_t d = 1; d < drives; d++) {
        bool same = is_alike(values, d, name);
        alike &= same;
        if (!same && refuses && !asked)
            bar(c->bars, c->model, place, d);
    }
    if (drives == 1 && !alike && refuses && !asked)
        bar(c->bars, c->model, place, 0);
    if (!alike)
        put_difference(c, name, values, asked ? "compared" : effect, place);
    else {
        json_t *value = json_array_get(json_array_get(values, 0), 0);
        if (place == SIZE_MAX && value && !json_is_null(value))
            json_object_set(c->same, name, value);
        json_decref(values);
    }
}

/* facts[drive]: arrays of objects, which are released. */
static void judge_facts(struct contrast *c, json_t **facts, const char *effect, size_t place)
{
    json_t *names = json_object();
    for (size_t d = 0; d < c->model->drive_count; d++) {
        size_t index;
        json_t *object, *ignored;
        const char *name;
        json_array_foreach(facts[d], index, object)
        {
            json_object_foreach(object, name, ignored)
            {
                json_object_set_new(names, name, json_true());
            }
        }
    }
    const char *name;
    json_t *ignored;
    json_object_foreach(names, name, ignored)
    {
        judge_fact(c, facts, name, effect, place);
    }
    json_decref(names);
    for (size_t d = 0; d < c->model->drive_count; d++)
        json_decref(facts[d]);
}

static void judge_targets(struct contrast *c, const char *effect,
                          json_t *(*facts_of)(const struct compare_source *, size_t))
{
    json_t *facts[COMPARE_DRIVES_MAX];
    for (size_t d = 0; d < c->model->drive_count; d++) {
        const struct compare_drive *drive = &c->model->drives[d];
        facts[d] = json_array();
        for (size_t i = 0; i < drive->count; i++)
            json_array_append_new(facts[d], facts_of(&c->model->sources[drive->members[i].source],
                                                     drive->members[i].target));
    }
    judge_facts(c, facts, effect, SIZE_MAX);
}

static size_t drives_at(const struct compare_place *place, size_t drive_count)
{
    size_t count = 0;
    for (size_t d = 0; d < drive_count; d++)
        count += place->cells[d].count > 0;
    return count;
}

static void judge_places(struct contrast *c)
{
    json_t *facts[COMPARE_DRIVES_MAX];
    for (size_t p = 0; p < c->model->place_count; p++) {
        const struct compare_place *place = &c->model->places[p];
        if (drives_at(place, c->model->drive_count) < 2)
            continue;
        for (size_t d = 0; d < c->model->drive_count; d++) {
            facts[d] = json_array();
            for (size_t i = 0; i < place->cells[d].count; i++)
                json_array_append_new(facts[d], compare_facts_load(place->cells[d].groups[i]));
        }
        judge_facts(c, facts, "refuses", p);
    }
}

/* The hash, where all have the same one; what both measured was alike, where places say so. */
static void put_workload(struct contrast *c)
{
    const char *hash = NULL;
    bool same = true;
    for (size_t s = 0; s < c->model->source_count; s++) {
        const char *other = json_text_at(c->model->sources[s].summary, "workload_hash");
        same &= other && (!hash || strcmp(hash, other) == 0);
        hash = other;
    }
    if (same && hash)
        put_text(c->same, "workload", hash);
}

static void put_same(struct contrast *c)
{
    const char *name;
    json_t *value, *list = json_object_get(c->comparison, "same");
    json_object_foreach(c->same, name, value)
    {
        json_t *entry = json_object();
        put_text(entry, "name", name);
        put(entry, "value", json_incref(value));
        json_array_append_new(list, entry);
    }
}

/* A name that --vary gives for nothing is likely misspelt. */
static void note_unused(const json_t *comparison, const struct compare_options *options,
                        const struct compare_model *model)
{
    for (size_t i = 0; i < options->vary_count; i++) {
        const struct compare_options one = {.vary = &options->vary[i], .vary_count = 1};
        bool used = false;
        size_t index;
        const json_t *entry;
        json_array_foreach(json_object_get(comparison, "differ"), index, entry)
        {
            const char *effect = json_text_at(entry, "effect");
            used |=
                strcmp(effect, "compared") == 0 && is_asked_for(&one, json_text_at(entry, "name"));
        }
        if (!used)
            compare_model_say(model->notes, "--vary %s: the results do not differ in it",
                              options->vary[i]);
    }
}

void compare_contrast_put(json_t *comparison, const struct compare_model *model,
                          const struct compare_options *options, struct compare_bars *bars)
{
    struct contrast c = {comparison, model, options, bars, json_object(), json_object()};
    put(comparison, "same", json_array());
    put(comparison, "differ", json_array());
    put_workload(&c);
    judge_places(&c);
    judge_targets(&c, "refuses", compare_facts_setting);
    judge_targets(&c, "none", compare_facts_nature);
    put_same(&c);
    note_unused(comparison, options, model);
    json_decref(c.known);
    json_decref(c.same);
}
