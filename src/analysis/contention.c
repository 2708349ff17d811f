#include "analysis/contention.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/along.h"
#include "analysis/contention_row.h"
#include "analysis/contention_words.h"
#include "analysis/finding.h"
#include "result/put.h"

/* All layouts and streams of one part, phase and combination of the other factors. */
struct place {
    json_t *finding;
    const struct group *first;
    struct contention_row *rows;
    size_t count, capacity;
};
struct places {
    struct place *items;
    size_t count, capacity;
    json_t *index; /* part, phase and factors as text -> place */
};

static void *grow(void *items, size_t *capacity, size_t size)
{
    *capacity = *capacity ? *capacity * 2 : 4;
    items = reallocarray(items, *capacity, size);
    if (!items) {
        fputs("loadline: out of memory\n", stderr);
        abort();
    }
    return items;
}

static struct place *place_of(struct places *places, const struct group *group)
{
    static const char *const left_out[] = {"layout", "streams", NULL};
    json_t *finding = finding_create(group, left_out);
    char *key = json_dumps(finding, JSON_COMPACT | JSON_SORT_KEYS);
    if (!key)
        abort();
    const json_t *found = json_object_get(places->index, key);
    size_t at = found ? (size_t)json_integer_value(found) : places->count;
    if (!found) {
        if (places->count == places->capacity)
            places->items = grow(places->items, &places->capacity, sizeof *places->items);
        places->items[places->count++] = (struct place){.finding = finding, .first = group};
        json_object_set_new(places->index, key, json_integer((json_int_t)at));
    } else {
        json_decref(finding);
    }
    free(key);
    return &places->items[at];
}

static struct contention_row *new_row(struct place *place)
{
    if (place->count == place->capacity)
        place->rows = grow(place->rows, &place->capacity, sizeof *place->rows);
    return &place->rows[place->count++];
}

/* The layout that shares most; among equals the one that comes first. */
static size_t find_reference(const struct along *along)
{
    size_t reference = 0;
    for (size_t i = 1; i < along->count; i++)
        if (contention_sharing(json_string_value(along->values[i])) <
            contention_sharing(json_string_value(along->values[reference])))
            reference = i;
    return reference;
}

static bool are_names(const struct along *along)
{
    for (size_t i = 0; i < along->count; i++)
        if (!json_is_string(along->values[i]))
            return false;
    return true;
}

static void add_layouts(struct places *places, const struct along *along)
{
    if (!are_names(along))
        return;
    size_t reference = find_reference(along);
    struct place *place = place_of(places, along->groups[reference]);
    const char *against = json_string_value(along->values[reference]);
    for (size_t i = 0; i < along->count; i++)
        contention_row_read(along->groups[i], json_string_value(along->values[i]),
                            i == reference ? NULL : along->groups[reference],
                            i == reference ? NULL : against, new_row(place));
}

static int by_streams(const void *a, const void *b)
{
    const struct contention_row *x = a, *y = b;
    double of_x = isnan(x->streams) ? -1 : x->streams;
    double of_y = isnan(y->streams) ? -1 : y->streams;
    if (of_x != of_y)
        return of_x > of_y ? 1 : -1;
    if (!x->against != !y->against)
        return x->against ? 1 : -1;
    return (x->sharing > y->sharing) - (x->sharing < y->sharing);
}

/* Gives the finding away. */
static json_t *finish(struct place *place)
{
    json_t *rows = json_array();
    qsort(place->rows, place->count, sizeof *place->rows, by_streams);
    for (size_t i = 0; i < place->count; i++)
        json_array_append_new(rows, contention_row_json(&place->rows[i]));
    put(place->finding, "rows", rows);
    contention_words(place->finding, place->rows, place->count, group_engine(place->first));
    free(place->rows);
    return place->finding;
}

json_t *contention_json(const struct evidence *evidence)
{
    struct alongs alongs;
    struct places places = {.index = json_object()};
    json_t *list = json_array();
    alongs_init(&alongs, evidence->groups, "layout");
    for (size_t i = 0; i < alongs.count; i++)
        add_layouts(&places, &alongs.items[i]);
    for (size_t i = 0; i < places.count; i++)
        json_array_append_new(list, finish(&places.items[i]));
    alongs_release(&alongs);
    json_decref(places.index);
    free(places.items);
    return findings_json(list);
}
