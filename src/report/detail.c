#include "report/detail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bottleneck.h"
#include "report/figure.h"
#include "report/retries.h"

bool detail_knows_drive(const struct family *family)
{
    for (size_t i = 0; i < family->count; i++)
        if (!isnan(group_median(family->groups[i], "data.writes")))
            return true;
    return false;
}

void detail_note_writes(const struct view *view, const struct family *family)
{
    bool merged = false;
    for (size_t i = 0; i < family->count; i++)
        merged |= group_median(family->groups[i], "stream_count") > 1;
    struct text text = {0};
    if (merged)
        text_add(&text, "data writes of several streams: an upper bound, as flushes merge");
    view_note(view, &text);
}

/* ---- where a transaction's time goes: a line for each of its parts ---- */

static const char *const parts[][2] = {
    {"lock_wait", "lock wait"}, {"statement", "statements"}, {"commit", "commit"}};

static void add_part(struct table *table, const struct group *group, const char *name,
                     const char *shown)
{
    static const struct {
        const char *name;
        const char *(*format)(struct format_text *, double);
    } figures[] = {
        {"mean", view_ms}, {"p50", view_ms}, {"p99", view_ms}, {"p999", view_ms}, {"max", view_ms}};
    char path[64];
    struct format_text cell;
    table_cell(table, shown);
    snprintf(path, sizeof path, "latency_ms.%s.mean", name);
    double share = group_median(group, path) / group_median(group, "latency_ms.transaction.mean");
    table_cell(table, view_percent(&cell, share));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        snprintf(path, sizeof path, "latency_ms.%s.%s", name, figures[i].name);
        table_cell(table, figures[i].format(&cell, group_median(group, path)));
    }
}

void detail_times(const struct view *view, const struct family *family)
{
    static const struct table_column figures[] = {
        {"", "part", TABLE_LEFT, 0, 0, TABLE_KEPT},    {"", "share", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"ms", "mean", TABLE_RIGHT, 0, 4, TABLE_KEPT}, {"", "p50", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "p99", TABLE_RIGHT, 0, 0, TABLE_KEPT},    {"", "p99.9", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "max", TABLE_RIGHT, 0, 0, TABLE_KEPT},
    };
    enum { FIGURES = sizeof figures / sizeof *figures };
    struct table_column columns[FAMILY_KEYS_SHOWN + FIGURES];
    family_columns(family, "", columns);
    memcpy(columns + family->key_count, figures, sizeof figures);
    struct table *table = table_create(columns, family->key_count + FIGURES);
    table_keys(table, family->key_count + 1);
    for (size_t g = 0; g < family->count; g++) {
        bool is_first = true;
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            char path[64];
            snprintf(path, sizeof path, "latency_ms.%s.mean", parts[p][0]);
            /* Statements that COMMIT carries out have no time of their own: a line of dashes. */
            bool is_part = strcmp(parts[p][0], "statement") == 0 &&
                           !isnan(group_median(family->groups[g], "latency_ms.commit.mean"));
            if (!is_part && isnan(group_median(family->groups[g], path)))
                continue;
            if (is_first)
                family_row(view, family, g, table);
            else
                family_more_row(family, table);
            add_part(table, family->groups[g], parts[p][0], parts[p][1]);
            is_first = false;
        }
    }
    if (table_rows(table) > 0) {
        view_table(view, "where the time of a transaction goes", table);
        view_gap(view);
    }
    table_destroy(table);
}

/* What stopped it, in a word. */
static const char *cause(const struct group *group, struct format_text *out)
{
    json_t *found = bottleneck_json(group);
    const char *word = json_text_at(found, "cause");
    snprintf(out->text, sizeof out->text, "%s", word ? word : "-");
    json_decref(found);
    return out->text;
}

/* ---- what a commit costs, what else was busy ---- */

void detail_costs(const struct view *view, const struct family *family)
{
    static const struct figure figures[] = {
        FIGURE_METRIC("per commit", "data w", TABLE_KEPT, 2, "per_commit.data_writes",
                      view_decimals),
        FIGURE_METRIC("", "flushes", TABLE_KEPT, 0, "per_commit.flushes", view_decimals),
        FIGURE_METRIC("", "KiB", TABLE_KEPT, 0, "per_commit.bytes", view_kib),
        FIGURE_METRIC("KiB/", "write", TABLE_KEPT, 0, "data.write_request_bytes", view_kib),
        FIGURE_METRIC("device", "B/row B", TABLE_KEPT, 0, "device_bytes_per_row_byte",
                      view_decimals),
        FIGURE_METRIC("write", "ms", TABLE_KEPT, 0, "data.write_await_ms", view_ms),
        FIGURE_METRIC("flush", "ms", TABLE_KEPT, 0, "data.flush_await_ms", view_ms),
        FIGURE_METRIC("queue", "depth", TABLE_KEPT, 0, "data.queue_depth", view_decimals),
    };
    if (!detail_knows_drive(family))
        return;
    if (detail_has_roles(family)) {
        detail_roles(view, family);
        return;
    }
    figure_table(view, family, "what a commit costs", "", figures,
                 sizeof figures / sizeof *figures);
    detail_note_writes(view, family);
    view_gap(view);
}

void detail_load(const struct view *view, const struct family *family)
{
    static const struct figure figures[] = {
        FIGURE_VALUE("flush", "/s", TABLE_DROPPED, 0, figure_flushes_per_s, format_short),
        FIGURE_METRIC("queue", "depth", TABLE_DROPPED, 1, "wal.queue_depth", view_decimals),
        FIGURE_METRIC("", "max", TABLE_DROPPED, 0, "wal.max_in_flight", format_grouped),
        FIGURE_METRIC("CPU", "host", TABLE_KEPT, 1, "cpu.host_busy", view_percent),
        FIGURE_VALUE("", "own", TABLE_KEPT, 0, figure_own_cpu, view_percent),
        FIGURE_VALUE("", "Jain", TABLE_DROPPED, 0, figure_jain, view_decimals),
        FIGURE_VALUE("of", "floor", TABLE_DROPPED, 0, figure_floor, view_percent),
        FIGURE_METRIC("device", "B/row B", TABLE_DROPPED, 0, "device_bytes_per_row_byte",
                      view_decimals),
        {{"", "limit", TABLE_LEFT, 0, 0, TABLE_KEPT}, NULL, NULL, NULL, cause, NULL},
    };
    figure_table(view, family, "queue, CPU and limit", "", figures,
                 sizeof figures / sizeof *figures);
    view_gap(view);
}

void detail_waits(const struct view *view, const struct family *family)
{
    static const struct figure figures[] = {
        FIGURE_METRIC("lock wait ms", "p50", TABLE_DROPPED, 2, "latency_ms.lock_wait.p50", view_ms),
        FIGURE_METRIC("", "p99", TABLE_DROPPED, 0, "latency_ms.lock_wait.p99", view_ms),
        FIGURE_METRIC("", "max", TABLE_DROPPED, 0, "latency_ms.lock_wait.max", view_ms),
        FIGURE_METRIC("commit ms", "p50", TABLE_KEPT, 2, "latency_ms.commit.p50", view_ms),
        FIGURE_METRIC("", "p99", TABLE_KEPT, 0, "latency_ms.commit.p99", view_ms),
        FIGURE_METRIC("", "max", TABLE_KEPT, 0, "latency_ms.commit.max", view_ms),
        FIGURE_VALUE("of", "floor", TABLE_DROPPED, 0, figure_floor, view_percent),
        FIGURE_METRIC("CPU", "host", TABLE_KEPT, 1, "cpu.host_busy", view_percent),
        FIGURE_VALUE("", "own", TABLE_KEPT, 0, figure_own_cpu, view_percent),
        FIGURE_VALUE("", "Jain", TABLE_DROPPED, 0, figure_jain, view_decimals),
        {{"", "limit", TABLE_LEFT, 0, 0, TABLE_KEPT}, NULL, NULL, NULL, cause, NULL},
    };
    figure_table(view, family, "waits, CPU and limit", "", figures,
                 sizeof figures / sizeof *figures);
    view_gap(view);
}

/* ---- what was repeated ---- */

void detail_retries(const struct view *view, const struct family *family)
{
    enum { SHOWN = 20 };
    size_t shown = 0;
    for (size_t i = 0; i < family->count; i++) {
        struct text counts = {0}, text = {0};
        retries_add(&counts, family->groups[i], 1);
        if (counts.size > 0 && ++shown <= SHOWN) {
            char *place = view_place(view, family->groups[i]);
            char *phase = view_clean(view, family->groups[i]->phase);
            text_add(&text, "%s, %s: %s", phase, place, counts.data);
            view_line(view, "retries", &text);
            free(place);
            free(phase);
        }
        text_release(&counts);
    }
    struct text text = {0};
    if (shown > SHOWN)
        text_add(&text, "... and in %zu more combinations", shown - SHOWN);
    view_line(view, "retries", &text);
    if (shown > 0)
        view_gap(view);
}
