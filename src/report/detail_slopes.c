#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "report/detail.h"

static void spread_of(const struct group *group, const char *line, const char *key,
                      struct spread *spread)
{
    char path[96];
    snprintf(path, sizeof path, "correlation.commits_vs_%s.%s", line, key);
    group_spread(group, path, spread);
}

static double median_of(const struct group *group, const char *line, const char *key)
{
    struct spread spread;
    spread_of(group, line, key, &spread);
    return spread.median;
}

static void add_interval(struct table *table, double low, double high)
{
    struct format_text from, to;
    char cell[120];
    snprintf(cell, sizeof cell, low < 0 ? "%s to %s" : "%s-%s", view_decimals(&from, low),
             view_decimals(&to, high));
    table_cell(table, isnan(low) || isnan(high) ? "-" : cell);
}

/* Of one run the interval of its fit, of several the range of their slopes. */
static void add_slope(struct table *table, const struct group *group, const char *line)
{
    struct spread slope;
    struct format_text cell;
    spread_of(group, line, "slope", &slope);
    table_cell(table, view_decimals(&cell, slope.median));
    if (slope.count > 1)
        add_interval(table, slope.low, slope.high);
    else
        add_interval(table, median_of(group, line, "low"), median_of(group, line, "high"));
    table_cell(table, format_fixed(&cell, median_of(group, line, "r"), 2));
}

/* The most slopes of any group; 0: there is nothing to show. */
static size_t most_slopes(const struct family *family)
{
    size_t most = 0;
    for (size_t i = 0; i < family->count; i++) {
        struct spread slope;
        spread_of(family->groups[i], "writes", "slope", &slope);
        most = slope.count > most ? slope.count : most;
    }
    return most;
}

/* Phases of one combination have a sentence each in section_correlation.c. */
void detail_slopes(const struct view *view, const struct family *family)
{
    size_t most = family->kind == FAMILY_SWEEP ? most_slopes(family) : 0;
    const char *interval = most > 1 ? "range" : "95%";
    const struct table_column figures[] = {
        {"all writes/commit", "slope", TABLE_RIGHT, 0, 2, TABLE_KEPT},
        {"", interval, TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "r", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"flushes/commit", "slope", TABLE_RIGHT, 0, 2, TABLE_DROPPED},
        {"", interval, TABLE_RIGHT, 0, 0, TABLE_DROPPED},
        {"", "r", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
        {"KiB", "slope", TABLE_RIGHT, 1, 1, TABLE_DROPPED},
        {"", "r", TABLE_RIGHT, 1, 0, TABLE_DROPPED},
        {"", "n", TABLE_RIGHT, 0, 0, TABLE_KEPT},
    };
    enum { FIGURES = sizeof figures / sizeof *figures };
    struct table_column columns[FAMILY_KEYS_SHOWN + FIGURES];
    struct format_text cell;
    /* The cost of the average commit has its bytes too: those are left out first. */
    if (most == 0)
        return;
    family_columns(family, "", columns);
    memcpy(columns + family->key_count, figures, sizeof figures);
    struct table *table = table_create(columns, family->key_count + FIGURES);
    table_keys(table, family->key_count);
    for (size_t g = 0; g < family->count; g++) {
        const struct group *group = family->groups[g];
        family_row(view, family, g, table);
        add_slope(table, group, "writes");
        add_slope(table, group, "flushes");
        table_cell(table, view_kib(&cell, median_of(group, "bytes", "slope")));
        table_cell(table, format_fixed(&cell, median_of(group, "bytes", "r"), 2));
        table_cell(table, format_grouped(&cell, median_of(group, "writes", "n")));
    }
    table_print(table, view->out, view->width);
    table_destroy(table);
    view_gap(view);
}
