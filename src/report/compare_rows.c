#include "report/compare_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"

static void *grow(void *items, size_t *capacity, size_t size)
{
    *capacity = *capacity ? 2 * *capacity : 8;
    items = realloc(items, *capacity * size);
    if (!items)
        abort();
    return items;
}

char *compare_rows_place(const struct view *view, const json_t *place)
{
    struct text text = {0};
    struct format_text shown;
    double streams = json_number_at(place, "streams");
    double rows = json_number_at(place, "rows_per_commit");
    const json_t *factors = json_object_get(place, "factors");
    const char *name, *phase = json_text_at(place, "phase");
    json_t *value;
    text_add(&text, "%s", phase ? phase : "?");
    if (streams > 0 && !json_object_get(factors, "streams"))
        text_add(&text, ", %s stream%s", format_grouped(&shown, streams), streams > 1 ? "s" : "");
    json_object_foreach((json_t *)factors, name, value)
    {
        if (strcmp(name, "rows_per_commit") != 0)
            view_add_factor(&text, name, value);
    }
    if (rows > 0)
        text_add(&text, ", %s row%s/commit",
                 rows == floor(rows) ? format_grouped(&shown, rows) : format_digits(&shown, rows),
                 rows == 1 ? "" : "s");
    char *clean = view_clean(view, text.data);
    text_release(&text);
    return clean;
}

/* Phase, streams and factors, but for the rows in a commit: bulk load joins what it shares these
 * with; heap. */
static char *place_key(const json_t *group)
{
    json_t *factors = json_copy(json_object_get(group, "factors"));
    json_object_del(factors, "rows_per_commit");
    json_t *key = json_pack("[O?, o?, O?]", json_object_get(group, "phase"), factors,
                            json_object_get(group, "streams"));
    char *text = json_dumps(key, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(key);
    if (!text)
        abort();
    return text;
}

static void row_add(struct compare_section *section, const struct compare_row *row)
{
    if (section->count == section->capacity)
        section->rows = grow(section->rows, &section->capacity, sizeof *section->rows);
    section->rows[section->count++] = *row;
}

static const json_t *ratio_of(const json_t *metric, const char *drive)
{
    size_t index;
    const json_t *ratio;
    json_array_foreach(json_object_get(metric, "ratios"), index, ratio)
    {
        const char *of = json_text_at(ratio, "drive");
        if (of && strcmp(of, drive) == 0)
            return ratio;
    }
    return NULL;
}

static void add_metric(struct compare_section *section, const struct view *view,
                       const json_t *metric, const char *prefix)
{
    const json_t *drives = json_object_get(metric, "drives");
    size_t count = json_array_size(drives);
    const char *name = json_text_at(metric, "name");
    double scale = json_number_at(metric, "scale");
    for (size_t d = count > 1 ? 1 : 0; d < count; d++) {
        const json_t *other = json_array_get(drives, d);
        const char *drive = json_text_at(other, "drive");
        const json_t *ratio = drive ? ratio_of(metric, drive) : NULL;
        if (count > 1 && !ratio)
            continue;
        struct text text = {0};
        text_add(&text, "%s%s", prefix, name ? name : "?");
        row_add(section, &(struct compare_row){.name = view_clean(view, text.data),
                                               .drive = drive ? drive : "?",
                                               .first = json_array_get(drives, 0),
                                               .other = other,
                                               .ratio = ratio,
                                               .scale = isnan(scale) ? 1 : scale});
        text_release(&text);
    }
}

static void add_group(struct compare_section *section, const struct view *view, const json_t *group,
                      const char *prefix, enum compare_choice choice)
{
    size_t index;
    const json_t *metric;
    json_array_foreach(json_object_get(group, "metrics"), index, metric)
    {
        if (choice == COMPARE_ALL || json_is_true(json_object_get(metric, "headline")))
            add_metric(section, view, metric, prefix);
    }
}

static bool is_bulk(const json_t *group)
{
    return json_is_true(json_object_get(group, "bulk"));
}

/* Groups of one place get the name of their part. */
static void tell_apart(struct compare_section *sections, const json_t *const *groups, size_t count,
                       const struct view *view)
{
    json_t *titles = json_object();
    for (size_t i = 0; i < count; i++) {
        json_int_t seen = json_integer_value(json_object_get(titles, sections[i].title));
        json_object_set_new(titles, sections[i].title, json_integer(seen + 1));
    }
    for (size_t i = 0; i < count; i++) {
        const char *part = json_text_at(groups[i], "part");
        if (json_integer_value(json_object_get(titles, sections[i].title)) < 2 || !part)
            continue;
        char *clean = view_clean(view, part);
        char *title = fs_path("%s, %s", sections[i].title, clean);
        free(sections[i].title);
        sections[i].title = title;
        free(clean);
    }
    json_decref(titles);
}

/* Those that no section of few rows a commit takes in have one of their own. */
static json_t *keys_of_small(const json_t *groups)
{
    json_t *keys = json_object();
    size_t index;
    const json_t *group;
    json_array_foreach(groups, index, group)
    {
        if (is_bulk(group))
            continue;
        char *key = place_key(group);
        if (!json_object_get(keys, key))
            json_object_set_new(keys, key, json_integer((json_int_t)index));
        free(key);
    }
    return keys;
}

static void join_bulk(struct compare_section *section, const struct view *view, const json_t *group,
                      enum compare_choice choice)
{
    const char *part = json_text_at(group, "part");
    char *clean = view_clean(view, part ? part : "bulk");
    char *prefix = fs_path("%s ", clean);
    add_group(section, view, group, prefix, choice);
    free(clean);
    free(prefix);
}

void compare_rows_init(struct compare_rows *rows, const struct view *view, const json_t *comparison,
                       enum compare_choice choice)
{
    const json_t *groups = json_object_get(comparison, "groups"), *group;
    size_t index, all = json_array_size(groups);
    *rows = (struct compare_rows){.drive_count =
                                      json_array_size(json_object_get(comparison, "drives"))};
    json_t *small = keys_of_small(groups);
    size_t *at = calloc(all + 1, sizeof *at); /* a group's section, from 1 */
    const json_t **heads = calloc(all + 1, sizeof *heads);
    rows->sections = calloc(all + 1, sizeof *rows->sections);
    if (!at || !heads || !rows->sections)
        abort();
    json_array_foreach(groups, index, group)
    {
        char *key = is_bulk(group) ? place_key(group) : NULL;
        bool joins = key && json_object_get(small, key);
        free(key);
        if (joins)
            continue;
        if (rows->count == COMPARE_SECTIONS_SHOWN) {
            rows->left++;
            continue;
        }
        heads[rows->count] = group;
        at[index] = rows->count + 1;
        rows->sections[rows->count].title = compare_rows_place(view, group);
        add_group(&rows->sections[rows->count++], view, group, "", choice);
    }
    json_array_foreach(groups, index, group)
    {
        char *key = is_bulk(group) ? place_key(group) : NULL;
        const json_t *with = key ? json_object_get(small, key) : NULL;
        free(key);
        size_t section = with ? at[json_integer_value(with)] : 0;
        if (section > 0)
            join_bulk(&rows->sections[section - 1], view, group, choice);
    }
    tell_apart(rows->sections, heads, rows->count, view);
    json_decref(small);
    free(at);
    free(heads);
}

void compare_rows_release(struct compare_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        for (size_t k = 0; k < rows->sections[i].count; k++)
            free(rows->sections[i].rows[k].name);
        free(rows->sections[i].rows);
        free(rows->sections[i].title);
    }
    free(rows->sections);
    *rows = (struct compare_rows){.count = 0};
}
