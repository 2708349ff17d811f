#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bottleneck.h"
#include "report/figure.h"
#include "report/rights.h"
#include "report/sections.h"
#include "result/waits.h"

/* Groups of a family that know something, in the family's own order; heap. */
static struct family those_that_know(const struct family *family, const char *const *metrics)
{
    struct family some = *family;
    some.groups = calloc(family->count + 1, sizeof *some.groups);
    some.numbers = calloc(family->count + 1, sizeof *some.numbers);
    some.count = 0;
    if (!some.groups || !some.numbers)
        abort();
    for (size_t i = 0; i < family->count; i++) {
        bool knows = false;
        for (size_t m = 0; metrics[m]; m++)
            knows |= !isnan(group_median(family->groups[i], metrics[m]));
        if (!knows)
            continue;
        some.numbers[some.count] = family->numbers[i];
        some.groups[some.count++] = family->groups[i];
    }
    return some;
}

static void release(struct family *some)
{
    free(some->groups);
    free(some->numbers);
}

/* "waits of insert (bulk), PostgreSQL 15.18: ...": extension locks and more differ by version. */
static void print_title(const struct view *view, const struct family *family, const char *lead,
                        const char *tail)
{
    struct text text = {0};
    const struct group *group = family->groups[0];
    const char *engine = group_engine(group);
    const json_t *settings = json_object_get(group->trials[0], "engine_settings");
    const char *version = json_string_value(json_object_get(settings, "version"));
    if (!version)
        version = json_text_at(view->summary, "environment.engine_version");
    bool is_postgres = engine && strcmp(engine, "postgres") == 0;
    text_add(&text, "%s", lead);
    if (family->kind == FAMILY_SWEEP)
        view_add_clean(view, &text, " of ", group->phase);
    if (family->kind == FAMILY_SWEEP && group->part) {
        view_add_clean(view, &text, " (", group->part);
        text_add(&text, ")");
    }
    view_add_clean(view, &text, ", ", is_postgres ? "PostgreSQL" : engine ? engine : "engine");
    if (version)
        view_add_clean(view, &text, " ", version);
    text_add(&text, "%s", tail);
    view_gap(view);
    view_caption(view, &text);
}

/* ---- waits ---- */

enum { LOOKS_LEAST = 10 }; /* of fewer a share says nothing */

static bool has_looks(const struct group *group)
{
    return group_median(group, "waits.observations") >= LOOKS_LEAST;
}

static const struct wait_column {
    struct figure figure;
    enum waits_group group;
} wait_columns[] = {
#define WAIT(upper, lower, group, name)                                                            \
    {                                                                                              \
        {FIGURE_COLUMN(upper, lower, TABLE_KEPT, 0),                                               \
         "waits.groups." name,                                                                     \
         view_percent,                                                                             \
         NULL,                                                                                     \
         NULL,                                                                                     \
         has_looks},                                                                               \
            group                                                                                  \
    }
    WAIT("", "CPU", WAITS_CPU, "cpu"),
    WAIT("flush", "leader", WAITS_FLUSH, "flush"),
    WAIT("group", "commit", WAITS_GROUP, "group"),
    WAIT("WAL", "insert", WAITS_LOG_INSERT, "log_insert"),
    WAIT("", "extend", WAITS_EXTEND, "extend"),
    WAIT("row", "lock", WAITS_ROW, "row"),
    WAIT("", "page", WAITS_BUFFER, "buffer"),
    WAIT("data", "file", WAITS_FILE, "file"),
    WAIT("", "client", WAITS_CLIENT, "client"),
    WAIT("", "other", WAITS_OTHER, "other"),
};

/* Where a column would be 0% in every line it says nothing. */
static bool is_noticed(const struct family *family, const struct wait_column *column)
{
    const double least = 0.005;
    for (size_t i = 0; i < family->count; i++)
        if (group_median(family->groups[i], column->figure.metric) >= least)
            return true;
    return false;
}

/* "LWLock:WALWrite 43%": the event that was seen most. */
static const char *top_event(const struct group *group, struct format_text *out)
{
    const json_t *events = json_at(group->phases[0], "waits.events");
    void *first = json_object_iter((json_t *)events);
    if (!first || !has_looks(group))
        return "-";
    struct format_text percent;
    snprintf(out->text, sizeof out->text, "%.38s %s", json_object_iter_key(first),
             view_percent(&percent, json_number_value(json_object_iter_value(first))));
    for (char *c = out->text; *c; c++)
        *c = (*c < ' ' || *c > '~') ? '?' : *c; /* names of a server are ASCII */
    return out->text;
}

/* A share of few looks is a rough one. */
static void note_few(const struct view *view, const struct family *family)
{
    const double few = 200; /* the error of a share of one half is 7% below this */
    double least = INFINITY;
    struct text text = {0};
    for (size_t i = 0; i < family->count; i++)
        least = fmin(least, group_median(family->groups[i], "waits.observations"));
    if (least < few)
        text_add(&text, "few looks at the sessions (%.0f at least): %s", least,
                 least < LOOKS_LEAST ? "too few for shares" : "shares are rough");
    view_note(view, &text);
}

/* What stopped each combination, where something did. */
static void print_limits(const struct view *view, const struct family *family)
{
    enum { SHOWN = 8 };
    size_t shown = 0;
    for (size_t i = 0; i < family->count && family->kind == FAMILY_SWEEP && shown < SHOWN; i++) {
        struct text text = {0};
        json_t *found = bottleneck_json(family->groups[i]);
        const char *cause = json_text_at(found, "cause");
        const json_t *first = json_array_get(json_object_get(found, "evidence"), 0);
        if (cause && strcmp(cause, "unknown") != 0 && json_is_string(first)) {
            char *place = families_place(view, family->groups[i]);
            text_add(&text, "%s: ", place);
            view_add_clean(view, &text, "", json_string_value(first));
            free(place);
            shown++;
        }
        view_line(view, "limit", &text);
        json_decref(found);
    }
}

static void print_waits(const struct view *view, const struct family *family)
{
    enum { COLUMNS = sizeof wait_columns / sizeof *wait_columns };
    static const char *const known[] = {"waits.observations", NULL};
    static const struct figure top = {
        {"", "largest event", TABLE_LEFT, 1, 0, TABLE_DROPPED}, NULL, NULL, NULL, top_event, NULL};
    struct family some = those_that_know(family, known);
    struct figure figures[COLUMNS + 1];
    size_t count = 0;
    for (size_t i = 0; i < COLUMNS; i++)
        if (is_noticed(&some, &wait_columns[i]))
            figures[count++] = wait_columns[i].figure;
    figures[count++] = top;
    if (some.count > 0) {
        print_title(view, &some, "waits", ": shares of the streams' time");
        figure_table(view, &some, "waits", "", figures, count);
        note_few(view, &some);
        print_limits(view, &some);
    }
    release(&some);
}

/* ---- the server's own account ---- */

static const char *mib(struct format_text *out, double bytes)
{
    return format_digits(out, bytes / (1 << 20));
}

static const char *whole(struct format_text *out, double value)
{
    return value >= 1e6 ? format_short(out, value) : format_grouped(out, value);
}

/* Where the run may ask for no checkpoint and the server made none by itself, none was counted. */
static double checkpoint_buffers(const struct group *group)
{
    bool none = rights_lack_checkpoint(group) && !(group_median(group, "engine.checkpoints") > 0);
    return none ? NAN : group_median(group, "engine.checkpoint_buffers");
}

static const struct figure of_commit[] = {
    FIGURE_METRIC("WAL per commit", "B", TABLE_DROPPED, 3, "server.per_commit.wal_bytes",
                  format_grouped),
    FIGURE_METRIC("", "records", TABLE_DROPPED, 0, "server.per_commit.wal_records", view_ms),
    FIGURE_METRIC("", "FPI", TABLE_DROPPED, 0, "server.per_commit.wal_full_page_images", view_ms),
    FIGURE_METRIC("", "syncs", TABLE_DROPPED, 0, "server.per_commit.wal_sync_count", view_decimals),
};
static const struct figure of_row[] = {
    FIGURE_METRIC("per row", "B", TABLE_DROPPED, 2, "server.per_row.wal_bytes", format_grouped),
    FIGURE_METRIC("", "records", TABLE_DROPPED, 0, "server.per_row.wal_records", view_ms),
    FIGURE_METRIC("", "FPI", TABLE_DROPPED, 0, "server.per_row.wal_full_page_images", view_ms),
};
static const struct figure of_phase[] = {
    FIGURE_METRIC("check-", "points", TABLE_DROPPED, 0, "engine.checkpoints", whole),
    FIGURE_VALUE("buffers written by", "ckpt", TABLE_DROPPED, 2, checkpoint_buffers, whole),
    FIGURE_METRIC("", "bgwriter", TABLE_DROPPED, 0, "engine.background_buffers", whole),
    FIGURE_METRIC("", "backends", TABLE_DROPPED, 0, "engine.backend_buffers", whole),
    FIGURE_METRIC("dead-", "locks", TABLE_DROPPED, 0, "engine.deadlocks", whole),
    FIGURE_METRIC("dead", "rows", TABLE_DROPPED, 0, "gauges.dead_rows", whole),
    FIGURE_METRIC("auto-", "vacuums", TABLE_DROPPED, 0, "engine.autovacuums", whole),
    FIGURE_METRIC("MiB of", "heap", TABLE_DROPPED, 1, "gauges.heap_bytes", mib),
    FIGURE_METRIC("", "index", TABLE_DROPPED, 0, "gauges.index_bytes", mib),
};

static size_t add(struct figure *figures, size_t at, const struct figure *more, size_t count)
{
    memcpy(figures + at, more, count * sizeof *more);
    return at + count;
}

static void print_account(const struct view *view, const struct family *family)
{
    enum {
        COMMIT = sizeof of_commit / sizeof *of_commit,
        ROW = sizeof of_row / sizeof *of_row,
        PHASE = sizeof of_phase / sizeof *of_phase
    };
    static const char *const known[] = {"server.per_commit.wal_bytes", "engine.checkpoint_buffers",
                                        NULL};
    struct family some = those_that_know(family, known);
    struct figure figures[COMMIT + ROW + PHASE];
    bool one_row = true; /* a commit: then a row costs the same */
    for (size_t i = 0; i < some.count; i++)
        one_row &= view_rows_per_commit(view, some.groups[i]) == 1;
    size_t count = add(figures, 0, of_commit, COMMIT);
    if (!one_row)
        count = add(figures, count, of_row, ROW);
    count = add(figures, count, of_phase, PHASE);
    if (some.count > 0) {
        print_title(view, &some, "the server's own account", ": settle included");
        figure_table(view, &some, "account", "", figures, count);
    }
    release(&some);
}

void section_server(const struct view *view)
{
    for (size_t f = 0; f < view->families->count; f++) {
        print_waits(view, &view->families->items[f]);
        print_account(view, &view->families->items[f]);
    }
}
