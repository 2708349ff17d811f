#include "report/compare_head.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_MOST = 32, VALUE_MOST = 40, NAMES_SHOWN = 24, SAME_COLUMN = 6, DIFFER_COLUMN = 8 };

/* ---- drives ---- */

/* Label and model, or what was the target; heap, safe. */
static char *title_of(const struct view *view, const json_t *drive)
{
    const char *label = json_text_at(drive, "label"), *model = json_text_at(drive, "model");
    const char *path = json_text_at(drive, "path"), *target = json_text_at(drive, "target");
    const char *what = model ? model : path ? path : target ? target : "(drive unknown)";
    struct text text = {0};
    if (label)
        text_add(&text, "%s%s", label, model ? "  " : "");
    if (!label || model)
        text_add(&text, "%s", what);
    char *clean = view_clean(view, text.data);
    text_release(&text);
    return clean;
}

static void add_fill(struct text *text, const json_t *drive)
{
    double low = json_number_at(drive, "fill.low"), high = json_number_at(drive, "fill.high");
    if (isnan(low))
        text_add(text, ", fill unknown");
    else if (round(100 * low) == round(100 * high))
        text_add(text, ", %.0f%% full", 100 * low);
    else
        text_add(text, ", %.0f-%.0f%% full", 100 * low, 100 * high);
}

static void add_drive(const struct view *view, struct text *text, const json_t *drive)
{
    struct format_text size;
    const char *firmware = json_text_at(drive, "firmware"), *link = json_text_at(drive, "link");
    const char *transport = json_text_at(drive, "transport");
    double bytes = json_number_at(drive, "size_bytes"), runs = json_number_at(drive, "runs");
    bool is_device = json_text_at(drive, "path") != NULL;
    if (!isnan(bytes))
        text_add(text, ", %s", format_bytes(&size, bytes));
    if (firmware)
        view_add_clean(view, text, ", fw ", firmware);
    if (link || transport)
        view_add_clean(view, text, ", ", link ? link : transport);
    if (is_device)
        add_fill(text, drive);
    text_add(text, ", %.0f run%s", isnan(runs) ? 0 : runs, runs == 1 ? "" : "s");
}

static void print_drives(const struct view *view, const json_t *drives)
{
    size_t index, widest = 0;
    const json_t *drive;
    json_array_foreach(drives, index, drive)
    {
        char *title = title_of(view, drive);
        size_t columns = text_columns(title);
        widest = columns > widest ? columns : widest;
        free(title);
    }
    widest = widest < TITLE_MOST ? widest : TITLE_MOST;
    json_array_foreach(drives, index, drive)
    {
        struct text label = {0}, facts = {0}, text = {0};
        char *title = title_of(view, drive);
        const char *name = json_text_at(drive, "name");
        text_add(&label, "%.3s", name ? name : "?");
        add_drive(view, &facts, drive);
        text_add(&text, "%s", facts.data + strlen(", "));
        view_entry(view, label.data, title, widest, &text);
        text_release(&facts);
        free(title);
        text_release(&label);
    }
}

/* ---- same, differ ---- */

static const char *value_of(const json_t *list, const char *name)
{
    size_t index;
    const json_t *entry;
    json_array_foreach(list, index, entry)
    {
        const char *text = json_text_at(entry, "name");
        if (text && strcmp(text, name) == 0)
            return json_text_at(entry, "value");
    }
    return NULL;
}

/* "SQLite 3.40.1", "ext4 rw,noatime": an entry and its companion in one. */
static const struct joined {
    const char *name, *with;
} joined[] = {{"engine", "engine version"}, {"file system", "mount options"}};
enum { JOINED = sizeof joined / sizeof *joined };

static const char *engine_name(const char *engine)
{
    return strcmp(engine, "sqlite") == 0     ? "SQLite"
           : strcmp(engine, "postgres") == 0 ? "PostgreSQL"
                                             : engine;
}

static bool is_companion(const char *name)
{
    for (size_t i = 0; i < JOINED; i++)
        if (strcmp(name, joined[i].with) == 0)
            return true;
    return false;
}

/* Mount options but for what nearly every mount has. */
static void add_options(const struct view *view, struct text *text, const char *options)
{
    char *clean = view_clean(view, options), *rest = NULL;
    for (char *word = strtok_r(clean, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (strcmp(word, "rw") != 0 && strcmp(word, "relatime") != 0)
            text_add(text, " %s", word);
    free(clean);
}

static void add_same(const struct view *view, struct text *text, const json_t *same,
                     const char *name, const char *value)
{
    const char *comma = text->size > 0 ? ", " : "";
    if (strcmp(name, "workload") == 0) {
        text_add(text, "%sworkload", comma);
        char shown[5];
        snprintf(shown, sizeof shown, "%s", value);
        view_add_clean(view, text, " ", shown);
    } else if (strcmp(name, "engine") == 0) {
        const char *version = value_of(same, "engine version");
        view_add_clean(view, text, comma, engine_name(value));
        if (version)
            view_add_clean(view, text, " ", version);
    } else if (strcmp(name, "file system") == 0) {
        const char *options = value_of(same, "mount options");
        view_add_clean(view, text, comma, value);
        if (options)
            add_options(view, text, options);
    } else
        view_add_clean(view, text, comma, name);
}

/* What says nothing when it is the same. */
static bool is_dull(const char *name, const char *value)
{
    static const char *const dull[] = {"I/O limit",   "WAL",        "rotational",
                                       "write cache", "block size", NULL};
    (void)value;
    for (size_t i = 0; dull[i]; i++)
        if (strcmp(name, dull[i]) == 0)
            return true;
    return false;
}

static void print_same(const struct view *view, const json_t *same)
{
    struct text text = {0};
    size_t index;
    const json_t *entry;
    json_array_foreach(same, index, entry)
    {
        const char *name = json_text_at(entry, "name"), *value = json_text_at(entry, "value");
        if (!name || !value || is_dull(name, value))
            continue;
        bool alone = is_companion(name);
        for (size_t i = 0; i < JOINED; i++)
            if (strcmp(name, joined[i].with) == 0 && value_of(same, joined[i].name))
                alone = false;
        if (!is_companion(name) || alone)
            add_same(view, &text, same, name, value);
    }
    view_line_at(view, "same:", SAME_COLUMN, &text);
}

/* " (60%, 61%)": one for each drive; several of one drive with "/" between. */
static void add_values(const struct view *view, struct text *text, const json_t *values)
{
    size_t d, i;
    const json_t *of, *value;
    json_array_foreach(values, d, of)
    {
        text_add(text, "%s", d == 0 ? " (" : ", ");
        json_array_foreach(of, i, value)
        {
            const char *shown = json_string_value(value);
            char *clean = text_clean(shown ? shown : "unknown",
                                     view->options->utf8 ? TEXT_UTF8 : TEXT_ASCII, VALUE_MOST);
            text_add(text, "%s%s", i > 0 ? "/" : "", clean);
            free(clean);
        }
        if (json_array_size(of) == 0)
            text_add(text, "-");
    }
    text_add(text, ")");
}

/* The model and what the lines of the drives say need no repetition. */
static bool is_on_line(const char *name)
{
    return strcmp(name, "model") == 0 || strcmp(name, "firmware") == 0 ||
           strcmp(name, "capacity") == 0;
}

static void print_differ(const struct view *view, const json_t *differ, const char *effect,
                         const char *meaning)
{
    struct text text = {0};
    size_t index, shown = 0;
    const json_t *entry;
    json_array_foreach(differ, index, entry)
    {
        const char *name = json_text_at(entry, "name"), *is = json_text_at(entry, "effect");
        if (!name || !is || strcmp(is, effect) != 0 || shown++ >= NAMES_SHOWN)
            continue;
        view_add_clean(view, &text, text.size > 0 ? ", " : "", name);
        if (!is_on_line(name))
            add_values(view, &text, json_object_get(entry, "values"));
    }
    if (shown > NAMES_SHOWN)
        text_add(&text, " and %zu more", shown - NAMES_SHOWN);
    if (text.size > 0)
        text_add(&text, ": %s", meaning);
    view_line_at(view, "differ:", DIFFER_COLUMN, &text);
}

void compare_head_print(const struct view *view, const json_t *comparison)
{
    const json_t *differ = json_object_get(comparison, "differ");
    print_drives(view, json_object_get(comparison, "drives"));
    print_same(view, json_object_get(comparison, "same"));
    print_differ(view, differ, "none", "no effect on validity");
    print_differ(view, differ, "compared", "what is compared");
    print_differ(view, differ, "refuses", "NO WINNER");
    view_gap(view);
}
