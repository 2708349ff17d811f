#include "report/families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"

enum { FACTOR_COLUMNS = 24, PHASE_COLUMNS = 24 };

/* Keys may take this share of the width; the figures need the rest. */
#define KEYS_SHARE 0.45

static void *allocate(size_t count, size_t size)
{
    void *items = calloc(count ? count : 1, size);
    if (!items)
        abort();
    return items;
}

/* ---- which groups belong together ---- */

/* The index of a text in an object that counts its members. */
static size_t place_of(json_t *places, const char *key)
{
    const json_t *place = json_object_get(places, key);
    if (place)
        return (size_t)json_integer_value(place);
    size_t next = json_object_size(places);
    json_object_set_new(places, key, json_integer((json_int_t)next));
    return next;
}

/* For each group the family it would have if each had one of its own. */
static size_t *find_places(const struct groups *groups, size_t *count)
{
    size_t *of = allocate(groups->count, sizeof *of);
    json_t *places = json_object();
    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        char *key = fs_path("%s\n%s", group->part ? group->part : "\t", group->phase);
        of[i] = place_of(places, key);
        free(key);
    }
    *count = json_object_size(places);
    json_decref(places);
    return of;
}

/* For each group the number of its combination in its part, from 1. */
static size_t *find_numbers(const struct groups *groups)
{
    size_t *numbers = allocate(groups->count, sizeof *numbers);
    json_t *parts = json_object();
    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        const char *part = group->part ? group->part : "\t";
        json_t *places = json_object_get(parts, part);
        if (!places) {
            places = json_object();
            json_object_set_new(parts, part, places);
        }
        char *key =
            group->factors ? json_dumps(group->factors, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
        numbers[i] = 1 + place_of(places, key ? key : "{}");
        free(key);
    }
    json_decref(parts);
    return numbers;
}

/* A search tries its numbers of streams in an order of its own; a reader wants them to rise. */
static bool is_later_step(const struct group *before, const struct group *group)
{
    static const char streams[] = "streams";
    if (!json_is_object(json_object_get(before->trials[0], "search")) ||
        !json_is_object(json_object_get(group->trials[0], "search")) ||
        !(json_number_at(before->factors, streams) > json_number_at(group->factors, streams)))
        return false;
    json_t *a = json_copy((json_t *)before->factors), *b = json_copy((json_t *)group->factors);
    json_object_del(a, streams);
    json_object_del(b, streams);
    bool same = json_equal(a, b);
    json_decref(a);
    json_decref(b);
    return same;
}

static void add_group(struct family *family, const struct group *group, size_t number, size_t most)
{
    if (!family->groups) {
        family->groups = allocate(most, sizeof *family->groups);
        family->numbers = allocate(most, sizeof *family->numbers);
    }
    size_t at = family->count++;
    for (; at > 0 && is_later_step(family->groups[at - 1], group); at--) {
        family->numbers[at] = family->numbers[at - 1];
        family->groups[at] = family->groups[at - 1];
    }
    family->numbers[at] = number;
    family->groups[at] = group;
}

/* ---- keys ---- */

static bool is_varying(const struct family *family, const char *factor)
{
    const json_t *first = json_object_get(family->groups[0]->factors, factor);
    for (size_t i = 1; i < family->count; i++) {
        const json_t *other = json_object_get(family->groups[i]->factors, factor);
        if (!first != !other || (first && !json_equal((json_t *)first, (json_t *)other)))
            return true;
    }
    return false;
}

bool family_varies(const struct family *family, const char *factor)
{
    for (size_t i = 0; i < family->varying_count; i++)
        if (strcmp(family->varying[i], factor) == 0)
            return true;
    return false;
}

static void find_varying(struct family *family)
{
    json_t *seen = json_object();
    const char *name;
    json_t *value;
    for (size_t i = 0; i < family->count; i++)
        json_object_foreach((json_t *)family->groups[i]->factors, name, value)
        {
            if (json_object_get(seen, name))
                continue;
            json_object_set_new(seen, name, json_true());
            if (!is_varying(family, name))
                continue;
            family->varying =
                realloc(family->varying, (family->varying_count + 1) * sizeof *family->varying);
            if (!family->varying)
                abort();
            family->varying[family->varying_count++] = name;
        }
    json_decref(seen);
}

static char *factor_text(const struct view *view, const json_t *value)
{
    struct format_text number;
    const char *text = json_string_value(value);
    if (json_is_number(value)) {
        double n = json_number_value(value);
        text = n == floor(n) ? format_grouped(&number, n) : format_digits(&number, n);
    }
    return text_clean(text ? text : "-", view->options->utf8 ? TEXT_UTF8 : TEXT_ASCII,
                      FACTOR_COLUMNS);
}

/* "sqlite.page_size" is headed "page_size", streams by N. */
static char *key_name(const struct view *view, const char *factor)
{
    const char *dot = strrchr(factor, '.');
    const char *name = strcmp(factor, "streams") == 0 ? "N" : dot ? dot + 1 : factor;
    return text_clean(name, view->options->utf8 ? TEXT_UTF8 : TEXT_ASCII, FACTOR_COLUMNS);
}

static size_t key_width(const struct view *view, const struct family *family, const char *factor)
{
    char *text = key_name(view, factor);
    size_t width = text_columns(text);
    free(text);
    for (size_t i = 0; i < family->count; i++) {
        text = factor_text(view, json_object_get(family->groups[i]->factors, factor));
        width = text_columns(text) > width ? text_columns(text) : width;
        free(text);
    }
    return width;
}

static void name_keys(const struct view *view, struct family *family)
{
    size_t width = 0;
    bool fits = family->varying_count <= FAMILY_KEYS_SHOWN;
    for (size_t k = 0; fits && k < family->varying_count; k++)
        width += key_width(view, family, family->varying[k]) + 1;
    family->numbered = !fits || (double)width > (double)view->width * KEYS_SHARE;
    if (family->numbered)
        family->names[family->key_count++] = strdup("#");
    else
        while (family->key_count < family->varying_count) {
            family->names[family->key_count] = key_name(view, family->varying[family->key_count]);
            family->key_count++;
        }
}

/* ---- the lot ---- */

void families_init(struct families *families, const struct view *view)
{
    const struct groups *groups = &view->groups;
    size_t places, singles = 0;
    size_t *of = find_places(groups, &places), *numbers = find_numbers(groups);
    size_t *sizes = allocate(places, sizeof *sizes), *at = allocate(places, sizeof *at);
    for (size_t i = 0; i < groups->count; i++)
        sizes[of[i]]++;
    for (size_t p = 0; p < places; p++)
        singles += sizes[p] == 1;
    *families = (struct families){.items = allocate(places + 1, sizeof *families->items)};
    families->count = singles > 0;
    for (size_t p = 0; p < places; p++)
        at[p] = sizes[p] == 1 ? 0 : families->count++;
    for (size_t i = 0; i < groups->count; i++) {
        size_t most = sizes[of[i]] == 1 ? singles : sizes[of[i]];
        struct family *family = &families->items[at[of[i]]];
        family->kind = sizes[of[i]] == 1 ? FAMILY_SINGLES : FAMILY_SWEEP;
        add_group(family, &groups->items[i], numbers[i], most);
    }
    for (size_t f = 0; f < families->count; f++)
        if (families->items[f].kind == FAMILY_SWEEP) {
            find_varying(&families->items[f]);
            name_keys(view, &families->items[f]);
        } else
            families->items[f].key_count = 2;
    free(of);
    free(numbers);
    free(sizes);
    free(at);
}

void families_release(struct families *families)
{
    for (size_t f = 0; f < families->count; f++) {
        struct family *family = &families->items[f];
        for (size_t k = 0; k < FAMILY_KEYS_SHOWN; k++)
            free(family->names[k]);
        free(family->groups);
        free(family->numbers);
        free(family->varying);
    }
    free(families->items);
    *families = (struct families){0};
}

const struct group *families_single(const struct families *families, const struct group *group)
{
    const struct family *family = families->items;
    for (size_t i = 0; i < family->count && family->kind == FAMILY_SINGLES; i++)
        if (family->groups[i] == group)
            return group;
    return NULL;
}

char *families_place(const struct view *view, const struct group *group)
{
    for (size_t f = 0; f < view->families->count; f++) {
        const struct family *family = &view->families->items[f];
        for (size_t i = 0; family->numbered && i < family->count; i++)
            if (family->groups[i] == group)
                return fs_path("#%zu", family->numbers[i]);
    }
    return view_place(view, group);
}

/* ---- cells ---- */

void family_columns(const struct family *family, const char *label, struct table_column *columns)
{
    if (family->kind == FAMILY_SINGLES) {
        columns[0] =
            (struct table_column){label, *label ? "commit" : "phase", TABLE_LEFT, 0, 0, TABLE_KEPT};
        columns[1] = (struct table_column){"rows/", "commit", TABLE_RIGHT, 0, 0, TABLE_KEPT};
        return;
    }
    for (size_t k = 0; k < family->key_count; k++) {
        bool is_number = family->numbered;
        if (!is_number)
            is_number =
                json_is_number(json_object_get(family->groups[0]->factors, family->varying[k]));
        columns[k] = (struct table_column){
            "", family->names[k], is_number ? TABLE_RIGHT : TABLE_LEFT, 0, 0, TABLE_KEPT};
    }
}

/* Two lines of one phase with the same rows a commit can be told apart by their part only. */
static bool needs_part(const struct view *view, const struct family *family, size_t at)
{
    const struct group *group = family->groups[at];
    for (size_t i = 0; i < family->count; i++) {
        const struct group *other = family->groups[i];
        if (other != group && strcmp(other->phase, group->phase) == 0 &&
            view_rows_per_commit(view, other) == view_rows_per_commit(view, group))
            return group->part != NULL;
    }
    return false;
}

static void add_phase_cell(const struct view *view, const struct family *family, size_t at,
                           struct table *table)
{
    const struct group *group = family->groups[at];
    struct text text = {0};
    text_add(&text, "%s", group->phase);
    if (needs_part(view, family, at))
        text_add(&text, " %s", group->part);
    double cycles = group_median(group, "cycles");
    if (cycles > 1)
        text_add(&text, " x%.0f", cycles);
    if (json_is_true(json_object_get(group->phases[0], "partial")))
        text_add(&text, " (cut)");
    char *clean =
        text_clean(text.data, view->options->utf8 ? TEXT_UTF8 : TEXT_ASCII, PHASE_COLUMNS);
    table_cell(table, clean);
    free(clean);
    text_release(&text);
}

void family_row(const struct view *view, const struct family *family, size_t at,
                struct table *table)
{
    struct format_text number;
    table_row(table);
    if (family->kind == FAMILY_SINGLES) {
        add_phase_cell(view, family, at, table);
        table_cell(table,
                   format_grouped(&number, round(view_rows_per_commit(view, family->groups[at]))));
        return;
    }
    if (family->numbered) {
        table_cell(table, format_grouped(&number, (double)family->numbers[at]));
        return;
    }
    for (size_t k = 0; k < family->key_count; k++) {
        char *text =
            factor_text(view, json_object_get(family->groups[at]->factors, family->varying[k]));
        table_cell(table, text);
        free(text);
    }
}

void family_more_row(const struct family *family, struct table *table)
{
    table_row(table);
    for (size_t k = 0; k < family->key_count; k++)
        table_cell(table, "");
}

char *family_place(const struct view *view, const struct family *family, size_t at)
{
    struct text text = {0};
    text_add(&text, "%s", "");
    for (size_t k = 0; k < family->varying_count; k++) {
        const json_t *value = json_object_get(family->groups[at]->factors, family->varying[k]);
        if (value)
            view_add_factor(&text, family->varying[k], value);
    }
    char *clean = view_clean(view, text.data);
    text_release(&text);
    return clean;
}

static bool same_part(const struct group *a, const struct group *b)
{
    return a->part == b->part || (a->part && b->part && strcmp(a->part, b->part) == 0);
}

/* The numbers are the same in all phases of a part: said once. */
static bool was_said(const struct view *view, const struct family *family)
{
    for (const struct family *f = view->families->items; f < family; f++)
        if (f->numbered && f->count >= family->count && same_part(f->groups[0], family->groups[0]))
            return true;
    return false;
}

void family_legend(const struct view *view, const struct family *family)
{
    if (!family->numbered || was_said(view, family))
        return;
    for (size_t i = 0; i < family->count; i++) {
        struct text text = {0};
        char label[32];
        snprintf(label, sizeof label, "%5zu", family->numbers[i]);
        char *place = family_place(view, family, i);
        text_add(&text, "%s", place);
        view_line(view, label, &text);
        free(place);
    }
    view_gap(view);
}
