#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "report/detail.h"
#include "report/findings.h"

static double number_of(const json_t *finding, const char *line, const char *key)
{
    const json_t *against = json_object_get(finding, "against");
    return json_number_at(json_object_get(against, line), key);
}

static void add_slope(struct table *table, const json_t *finding, const char *line)
{
    struct format_text cell, from, to;
    char interval[120];
    double low = number_of(finding, line, "low"), high = number_of(finding, line, "high");
    table_cell(table, view_decimals(&cell, number_of(finding, line, "slope")));
    snprintf(interval, sizeof interval, low < 0 ? "%s to %s" : "%s-%s", view_decimals(&from, low),
             view_decimals(&to, high));
    table_cell(table, isnan(low) || isnan(high) ? "-" : interval);
    table_cell(table, format_fixed(&cell, number_of(finding, line, "r"), 2));
}

static bool has_slopes(const struct view *view, const struct family *family)
{
    size_t hint = 0;
    for (size_t i = 0; i < family->count; i++)
        if (!isnan(number_of(findings_find(view, "correlation", family->groups[i], &hint), "writes",
                             "slope")))
            return true;
    return false;
}

/* Phases of one combination have a sentence each in section_correlation.c.  The average commit's
 * cost has its bytes too: those are left out first. */
void detail_slopes(const struct view *view, const struct family *family)
{
    static const struct table_column figures[] = {
        {"all writes/commit", "slope", TABLE_RIGHT, 0, 2, TABLE_KEPT},
        {"", "95%", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "r", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"flushes/commit", "slope", TABLE_RIGHT, 0, 2, TABLE_DROPPED},
        {"", "95%", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
        {"", "r", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
        {"KiB", "slope", TABLE_RIGHT, 1, 1, TABLE_DROPPED},
        {"", "r", TABLE_RIGHT, 1, 0, TABLE_DROPPED},
        {"", "n", TABLE_RIGHT, 0, 0, TABLE_KEPT},
    };
    enum { FIGURES = sizeof figures / sizeof *figures };
    struct table_column columns[FAMILY_KEYS_SHOWN + FIGURES];
    struct format_text cell;
    size_t hint = 0;
    if (family->kind != FAMILY_SWEEP || !has_slopes(view, family))
        return;
    family_columns(family, "", columns);
    memcpy(columns + family->key_count, figures, sizeof figures);
    struct table *table = table_create(columns, family->key_count + FIGURES);
    table_keys(table, family->key_count);
    for (size_t g = 0; g < family->count; g++) {
        const json_t *finding = findings_find(view, "correlation", family->groups[g], &hint);
        family_row(view, family, g, table);
        add_slope(table, finding, "writes");
        add_slope(table, finding, "flushes");
        table_cell(table, view_kib(&cell, number_of(finding, "bytes", "slope")));
        table_cell(table, format_fixed(&cell, number_of(finding, "bytes", "r"), 2));
        table_cell(table, format_grouped(&cell, number_of(finding, "writes", "n")));
    }
    view_table(view, "what one more commit costs", table);
    table_destroy(table);
    view_gap(view);
}
