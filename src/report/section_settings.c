#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "report/sections.h"

/* Sections whose keys are known by their own names. */
static const char *short_name(const char *key)
{
    static const char *const known[] = {"workload.", "row.", "sqlite.", "postgres."};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(key, known[i], strlen(known[i])) == 0)
            return key + strlen(known[i]);
    return key;
}

/* "24000" -> "24,000"; a page of 8192 -> "8 KiB"; all else as it was given. */
static void add_value(const struct view *view, struct text *text, const char *name,
                      const json_t *value)
{
    struct format_text shown;
    struct err ignored = {.kind = ERR_NONE};
    int64_t number;
    const char *given = json_string_value(value);
    if (json_is_number(value))
        view_add_clean(view, text, " ", format_digits(&shown, json_number_value(value)));
    else if (!given)
        text_add(text, " ?");
    else if (strchr(given, ',')) {
        view_add_clean(view, text, " \"", given);
        text_add(text, "\"");
    } else if (parse_integer(given, &number, &ignored) != 0)
        view_add_clean(view, text, " ", given);
    else if (strcmp(name, "page_size") == 0 && number >= 1024 && number % 1024 == 0)
        text_add(text, " %s KiB", format_grouped(&shown, (double)(number / 1024)));
    else
        text_add(text, " %s%s", format_grouped(&shown, (double)number),
                 strcmp(name, "payload") == 0 ? " B" : "");
}

static bool is_setting(const char *key, const json_t *value)
{
    const char *given = json_string_value(value);
    return strcmp(key, "name") != 0 && strcmp(key, "parts") != 0 &&
           !(given && (strcmp(given, "-") == 0 || *given == '\0'));
}

/* ", rows 24,000", or of a list ", streams 1 / 10 / 20". */
static void add_setting(const struct view *view, struct text *text, const char *key,
                        const json_t *value)
{
    const char *name = short_name(key);
    if (!value || !is_setting(key, value))
        return;
    view_add_clean(view, text, text->size > 0 ? ", " : "", name);
    if (!json_is_array(value)) {
        add_value(view, text, name, value);
        return;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        text_add(text, i > 0 ? " /" : "");
        add_value(view, text, name, json_array_get(value, i));
    }
}

static void add_all(const struct view *view, struct text *text, const json_t *settings)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)settings, key, value)
    {
        add_setting(view, text, key, value);
    }
}

/* An older result does not say what the defaults were: then all that it has. */
static void add_common(const struct view *view, struct text *text, const json_t *workload)
{
    const json_t *differs = json_object_get(view->summary, "workload_differs"), *name;
    size_t index;
    if (!json_is_array(differs)) {
        add_all(view, text, workload);
        return;
    }
    json_array_foreach(differs, index, name)
    {
        const char *key = json_string_value(name);
        if (key)
            add_setting(view, text, key, json_object_get(workload, key));
    }
    text_add(text, text->size > 0 ? "; the rest as default" : "all as default");
}

static void print_part(const struct view *view, const json_t *part)
{
    struct text own = {0}, text = {0};
    const char *name = json_text_at(part, "name");
    if (!json_is_object(part))
        return;
    add_all(view, &own, part);
    view_add_clean(view, &text, "", name ? name : "?");
    text_add(&text, ": %s", own.size > 0 ? own.data : "as above");
    view_line(view, "part", &text);
    text_release(&own);
}

/* Text has no room for these: the header names those that matter most. */
void section_settings(const struct view *view)
{
    const json_t *workload = json_object_get(view->summary, "workload"), *part;
    struct text text = {0};
    size_t index;
    if (view->sink->form->has_columns || !json_is_object(workload))
        return;
    add_common(view, &text, workload);
    view_line(view, "settings", &text);
    json_array_foreach(json_object_get(workload, "parts"), index, part)
    {
        print_part(view, part);
    }
}
