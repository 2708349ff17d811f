#include "report/engine_line.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "result/keys.h"

static const char *engine_name(const char *engine)
{
    static const struct {
        const char *name, *shown;
    } names[] = {{"sqlite", "SQLite"}, {"postgres", "PostgreSQL"}};
    for (size_t i = 0; engine && i < sizeof names / sizeof *names; i++)
        if (strcmp(engine, names[i].name) == 0)
            return names[i].shown;
    return engine ? engine : "unknown";
}

/* Engines differ in how they write WAL and FULL. */
static void add_upper(const struct view *view, struct text *text, const char *before,
                      const char *value)
{
    char *clean = view_clean(view, value);
    for (char *c = clean; *c; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    text_add(text, "%s%s", before, clean);
    free(clean);
}

/* Does a key differ between combinations or parts? */
static bool is_varying(const struct view *view, const char *key)
{
    const json_t *first = NULL;
    for (size_t i = 0; i < view->groups.count; i++) {
        const json_t *value = keys_value(view->summary, view->groups.items[i].trials[0], key);
        if (i == 0)
            first = value;
        else if (!first != !value || (first && !json_equal((json_t *)first, (json_t *)value)))
            return true;
    }
    return false;
}

/* " WAL/FULL 4 KiB", without what varies in this run. */
static void add_sqlite(const struct view *view, struct text *text, const json_t *settings)
{
    const char *mode = json_text_at(settings, "journal_mode");
    const char *sync = json_text_at(settings, "synchronous");
    const char *page = json_text_at(settings, "page_size");
    if (mode && sync && !is_varying(view, "sqlite.journal_mode") &&
        !is_varying(view, "sqlite.synchronous")) {
        add_upper(view, text, " ", mode);
        add_upper(view, text, "/", sync);
    }
    double page_bytes = page ? strtod(page, NULL) : NAN;
    if (page_bytes >= 512 && page_bytes <= 65536 && !is_varying(view, "sqlite.page_size"))
        text_add(text, " %g KiB", page_bytes / 1024);
}

/* What decides whether a PostgreSQL commit survives: "fsync on", or a value that tells itself. */
static const struct durability {
    const char *fact, *keys[2];
    bool names_itself;
} durability[] = {
    {"fsync", {"postgres.conf.fsync"}, false},
    {"synchronous_commit",
     {"postgres.synchronous_commit", "postgres.conf.synchronous_commit"},
     false},
    {"wal_sync_method", {"postgres.conf.wal_sync_method"}, true},
    {"full_page_writes", {"postgres.conf.full_page_writes"}, false},
};

static bool varies_here(const struct view *view, const struct durability *setting)
{
    bool varies = false;
    for (size_t i = 0; i < 2 && setting->keys[i]; i++)
        varies |= is_varying(view, setting->keys[i]);
    return varies;
}

/* " fsync on, synchronous_commit on, fdatasync, full_page_writes on; checksums". */
static void add_postgres(const struct view *view, struct text *text, const json_t *settings)
{
    const char *before = " ";
    for (size_t i = 0; i < sizeof durability / sizeof *durability; i++) {
        const char *value = json_string_value(json_object_get(settings, durability[i].fact));
        if (!value || varies_here(view, &durability[i]))
            continue;
        text_add(text, "%s%s", before, durability[i].names_itself ? "" : durability[i].fact);
        view_add_clean(view, text, durability[i].names_itself ? "" : " ", value);
        before = ", ";
    }
    const char *checksums = json_string_value(json_object_get(settings, "data_checksums"));
    if (checksums && !is_varying(view, "postgres.checksums"))
        text_add(text, strcmp(checksums, "on") == 0    ? "; checksums"
                       : strcmp(checksums, "off") == 0 ? "; no checksums"
                                                       : "; checksums unknown");
}

static void add_settings(const struct view *view, struct text *text)
{
    const json_t *settings = json_at(view->summary, "environment.engine_settings");
    const char *engine = json_text_at(view->summary, "environment.engine");
    if (engine && strcmp(engine, "postgres") == 0)
        add_postgres(view, text, settings);
    else
        add_sqlite(view, text, settings);
}

/* ", 100 B rows", or from the smallest to the largest. */
static void add_payloads(const struct view *view, struct text *text)
{
    double low = NAN, high = NAN;
    struct format_text from, to;
    for (size_t i = 0; i < view->groups.count; i++) {
        double payload = keys_number(view->summary, view->groups.items[i].trials[0], "row.payload");
        low = fmin(low, payload);
        high = fmax(high, payload);
    }
    if (low < high)
        text_add(text, ", %s to %s B rows", format_grouped(&from, low), format_grouped(&to, high));
    else if (!isnan(low))
        text_add(text, ", %s B rows", format_grouped(&from, low));
}

static void add_streams(const struct view *view, struct text *text)
{
    double low = NAN, high = NAN;
    for (size_t i = 0; i < view->groups.count; i++) {
        double streams = group_median(&view->groups.items[i], "stream_count");
        low = fmin(low, streams);
        high = fmax(high, streams);
    }
    if (low == high && low == 1)
        text_add(text, "; 1 stream");
    else if (low == high && !isnan(low))
        text_add(text, "; %.0f streams", low);
    else if (!isnan(low))
        text_add(text, "; %.0f to %.0f streams", low, high);
}

/* Every layout that occurs where several streams could share something. */
static void add_layouts(const struct view *view, struct text *text)
{
    json_t *seen = json_object();
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        const char *layout = view_key(view, group, "workload.layout");
        if (!layout || !(group_median(group, "stream_count") > 1) || json_object_get(seen, layout))
            continue;
        json_object_set_new(seen, layout, json_true());
        view_add_clean(view, text, ", ", layout);
    }
    json_decref(seen);
}

/* "SQLite 3.40.1", or with the engines of further targets: "SQLite 3.40.1 WAL/FULL, fsync". */
static void add_engines(const struct view *view, struct text *text)
{
    const char *first = json_text_at(view->summary, "environment.engine");
    json_t *seen = json_object();
    size_t index;
    const json_t *target;
    json_array_foreach(json_object_get(view->summary, "targets"), index, target)
    {
        const char *engine = json_text_at(target, "engine");
        if (!engine || (first && strcmp(engine, first) == 0) || json_object_get(seen, engine))
            continue;
        json_object_set_new(seen, engine, json_true());
        view_add_clean(view, text, ", ", engine_name(engine));
    }
    json_decref(seen);
}

void engine_line_print(const struct view *view)
{
    struct text text = {0};
    const char *version = json_text_at(view->summary, "environment.engine_version");
    view_add_clean(view, &text, "", engine_name(json_text_at(view->summary, "environment.engine")));
    if (version)
        view_add_clean(view, &text, " ", version);
    add_settings(view, &text);
    add_engines(view, &text);
    add_streams(view, &text);
    add_layouts(view, &text);
    add_payloads(view, &text);
    view_line(view, "engine", &text);
}
