#include "analysis/along.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Part, phase and the other factors as text; heap. */
static char *others_of(const struct group *group, const char *factor)
{
    json_t *key = json_deep_copy(group->factors);
    json_object_del(key, factor);
    /* A factor's name has no blank in front. */
    json_object_set_new(key, " part", json_text(group->part));
    json_object_set_new(key, " phase", json_text(group->phase));
    char *text = json_dumps(key, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(key);
    if (!text)
        abort();
    return text;
}

static struct along *find_or_add(struct alongs *alongs, json_t *places, const char *key)
{
    const json_t *place = json_object_get(places, key);
    if (place)
        return &alongs->items[json_integer_value(place)];
    if (alongs->count == alongs->capacity)
        alongs->items = grow(alongs->items, &alongs->capacity, sizeof *alongs->items);
    json_object_set_new(places, key, json_integer((json_int_t)alongs->count));
    alongs->items[alongs->count] = (struct along){.groups = NULL};
    return &alongs->items[alongs->count++];
}

static void add(struct along *along, const struct group *group, const json_t *value)
{
    if (along->count == along->capacity) {
        size_t capacity = along->capacity;
        along->groups = grow(along->groups, &along->capacity, sizeof *along->groups);
        along->values = grow(along->values, &capacity, sizeof *along->values);
    }
    along->groups[along->count] = group;
    along->values[along->count++] = value;
}

struct place {
    double number;
    const struct group *group;
    const json_t *value;
};

/* Groups lie in one array, in order of appearance. */
static int by_number(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static void sort(struct along *along)
{
    struct place *places = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < along->count; i++) {
        if (!json_is_number(along->values[i])) {
            free(places);
            return;
        }
        if (i == capacity)
            places = grow(places, &capacity, sizeof *places);
        places[i] =
            (struct place){json_number_value(along->values[i]), along->groups[i], along->values[i]};
    }
    qsort(places, along->count, sizeof *places, by_number);
    for (size_t i = 0; i < along->count; i++) {
        along->groups[i] = places[i].group;
        along->values[i] = places[i].value;
    }
    free(places);
}

static void along_release(struct along *along)
{
    free(along->groups);
    free(along->values);
}

void alongs_init(struct alongs *alongs, const struct groups *groups, const char *factor)
{
    alongs_init_from(alongs, groups, factor, 2);
}

void alongs_init_from(struct alongs *alongs, const struct groups *groups, const char *factor,
                      size_t least)
{
    *alongs = (struct alongs){.items = NULL};
    json_t *places = json_object(); /* key -> index */
    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        const json_t *value = json_object_get(group->factors, factor);
        if (!value)
            continue;
        char *key = others_of(group, factor);
        add(find_or_add(alongs, places, key), group, value);
        free(key);
    }
    json_decref(places);
    size_t kept = 0;
    for (size_t i = 0; i < alongs->count; i++)
        if (alongs->items[i].count >= least) {
            sort(&alongs->items[i]);
            alongs->items[kept++] = alongs->items[i];
        } else {
            along_release(&alongs->items[i]);
        }
    alongs->count = kept;
}

void alongs_release(struct alongs *alongs)
{
    for (size_t i = 0; i < alongs->count; i++)
        along_release(&alongs->items[i]);
    free(alongs->items);
    *alongs = (struct alongs){.items = NULL};
}
