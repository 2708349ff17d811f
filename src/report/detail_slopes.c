#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/detail.h"
#include "report/figure.h"
#include "stats/summary.h"

/* Slopes of one group: one a run, and one a cycle where a run went round. */
struct slopes {
    double *values;
    size_t count;
    const json_t *only; /* the correlation, where there is one */
    double n, r;        /* sums */
};

static void add_run(struct slopes *slopes, const json_t *trial, const char *phase,
                    const char *against)
{
    size_t index;
    const json_t *item;
    json_array_foreach(json_object_get(trial, "phases"), index, item)
    {
        const char *name = json_text_at(item, "name");
        const json_t *fit = json_object_get(json_object_get(item, "correlation"), against);
        double slope = json_number_at(fit, "slope");
        if (!name || strcmp(name, phase) != 0 || isnan(slope))
            continue;
        slopes->values = realloc(slopes->values, (slopes->count + 1) * sizeof *slopes->values);
        if (!slopes->values)
            abort();
        slopes->only = fit;
        slopes->n += json_number_at(fit, "n");
        slopes->r += json_number_at(fit, "r");
        slopes->values[slopes->count++] = slope;
    }
}

static void find_slopes(struct slopes *slopes, const struct group *group, const char *against)
{
    *slopes = (struct slopes){0};
    for (size_t i = 0; i < group->count; i++)
        add_run(slopes, group->trials[i], group->phase, against);
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void add_interval(struct table *table, double low, double high)
{
    struct format_text from, to;
    char cell[120];
    snprintf(cell, sizeof cell, low < 0 ? "%s to %s" : "%s-%s", view_decimals(&from, low),
             view_decimals(&to, high));
    table_cell(table, isnan(low) ? "-" : cell);
}

/* Of one run the interval of its fit, of several the range of their slopes. */
static void add_slope(struct table *table, const struct group *group, const char *against)
{
    struct slopes s;
    struct format_text cell;
    find_slopes(&s, group, against);
    if (s.count > 0)
        qsort(s.values, s.count, sizeof *s.values, by_size);
    table_cell(table, view_decimals(&cell, summary_median(s.values, s.count)));
    if (s.count > 1)
        add_interval(table, s.values[0], s.values[s.count - 1]);
    else
        add_interval(table, json_number_at(s.only, "low"), json_number_at(s.only, "high"));
    double count = s.count > 0 ? (double)s.count : NAN;
    table_cell(table, format_fixed(&cell, s.r / count, 2));
    table_cell(table, format_grouped(&cell, s.n > 0 ? s.n / count : NAN));
    free(s.values);
}

/* The most slopes of any group; 0: there is nothing to show. */
static size_t most_slopes(const struct family *family)
{
    size_t most = 0;
    for (size_t i = 0; i < family->count; i++) {
        struct slopes s;
        find_slopes(&s, family->groups[i], "commits_vs_writes");
        most = s.count > most ? s.count : most;
        free(s.values);
    }
    return most;
}

void detail_slopes(const struct view *view, const struct family *family)
{
    size_t most = most_slopes(family);
    const char *interval = most > 1 ? "range" : "95%";
    const struct table_column figures[] = {
        {"all writes/commit", "slope", TABLE_RIGHT, 0, 3, TABLE_KEPT},
        {"", interval, TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "r", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "n", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"flushes/commit", "slope", TABLE_RIGHT, 0, 3, TABLE_DROPPED},
        {"", interval, TABLE_RIGHT, 0, 0, TABLE_DROPPED},
        {"", "r", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
        {"", "n", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
    };
    enum { FIGURES = sizeof figures / sizeof *figures };
    struct table_column columns[FAMILY_KEYS_SHOWN + FIGURES];
    if (most == 0)
        return;
    family_columns(family, "", columns);
    memcpy(columns + family->key_count, figures, sizeof figures);
    struct table *table = table_create(columns, family->key_count + FIGURES);
    table_keys(table, family->key_count);
    for (size_t g = 0; g < family->count; g++) {
        family_row(view, family, g, table);
        add_slope(table, family->groups[g], "commits_vs_writes");
        add_slope(table, family->groups[g], "commits_vs_flushes");
    }
    table_print(table, view->out, view->width);
    table_destroy(table);
    view_gap(view);
}
