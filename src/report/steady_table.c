#include "report/steady_table.h"

#include <math.h>
#include <stdlib.h>

#include "report/table.h"
#include "stats/steady.h"

enum { PHASES_SHOWN = 6, COLUMNS_FIRST = 3 };

static void add_columns(struct table_column *columns, size_t *count, const char *phase)
{
    columns[(*count)++] =
        (struct table_column){.upper = phase, .lower = "commits/s", TABLE_RIGHT, .spread = 1};
    columns[(*count)++] = (struct table_column){.upper = "", .lower = "p99 ms", TABLE_RIGHT};
}

/* The first of the last rounds that are shown: the window, and what ran after a pause. */
static size_t first_shown(const json_t *rounds)
{
    size_t judged = 0, at = json_array_size(rounds);
    for (; at > 0 && judged < STEADY_WINDOW; at--) {
        const json_t *own = json_object_get(json_array_get(rounds, at - 1), "judged");
        judged += json_is_true(own); /* a macro that looks twice */
    }
    return at;
}

static double unit_of(const json_t *rounds)
{
    const json_t *last = json_array_get(rounds, json_array_size(rounds) - 1);
    return json_number_at(last, "bytes_total") < 1e9 ? 1e6 : 1e9;
}

static void add_row(struct table *table, const json_t *const *findings, size_t count, size_t at)
{
    struct format_text cell;
    const json_t *rounds = json_object_get(findings[0], "rounds");
    const json_t *round = json_array_get(rounds, at);
    double unit = unit_of(rounds);
    struct text number = {0};
    text_add(&number, "%s%s", format_grouped(&cell, json_number_at(round, "round") + 1),
             json_is_true(json_object_get(round, "after_pause")) ? " rested" : "");
    table_row(table);
    table_cell(table, number.data);
    text_release(&number);
    table_cell(table, format_digits(&cell, json_number_at(round, "bytes") / unit));
    table_cell(table, format_digits(&cell, json_number_at(round, "bytes_total") / unit));
    for (size_t i = 0; i < count; i++) {
        round = json_array_get(json_object_get(findings[i], "rounds"), at);
        table_cell(table, format_digits(&cell, json_number_at(round, "commits_per_s")));
        table_cell(table, view_ms(&cell, json_number_at(round, "p99_ms")));
    }
}

void steady_table_print(const struct view *view, const json_t *const *findings, size_t count)
{
    struct table_column columns[COLUMNS_FIRST + 2 * PHASES_SHOWN] = {
        {.upper = "", .lower = "round", TABLE_LEFT},
        {.upper = "GB", .lower = "written", TABLE_RIGHT, .spread = 1, .empty = TABLE_DROPPED},
        {.upper = "", .lower = "in all", TABLE_RIGHT, .empty = TABLE_DROPPED},
    };
    size_t used = COLUMNS_FIRST, size;
    char *names[PHASES_SHOWN];
    if (count > PHASES_SHOWN)
        count = PHASES_SHOWN;
    const json_t *rounds = count > 0 ? json_object_get(findings[0], "rounds") : NULL;
    size = json_array_size(rounds);
    if (size == 0)
        return;
    columns[1].upper = unit_of(rounds) < 1e9 ? "MB" : "GB";
    for (size_t i = 0; i < count; i++) {
        names[i] = view_clean(view, json_text_at(findings[i], "phase"));
        add_columns(columns, &used, names[i]);
    }
    struct table *table = table_create(columns, used);
    table_keys(table, 1);
    for (size_t at = first_shown(rounds); at < size; at++)
        add_row(table, findings, count, at);
    view_gap(view);
    view_table(view, "the last rounds", table);
    view_gap(view);
    table_destroy(table);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
}
