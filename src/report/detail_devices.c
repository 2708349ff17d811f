#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/detail.h"
#include "report/figure.h"

bool detail_has_roles(const struct family *family)
{
    for (size_t i = 0; i < family->count; i++)
        if (group_log_apart(family->groups[i]))
            return true;
    return false;
}

static double value_of(const struct group *group, const char *role, const char *member)
{
    char path[64];
    snprintf(path, sizeof path, "%s.%s", role, member);
    return group_median(group, path);
}

static void add_cells(struct table *table, const struct group *group, const char *role)
{
    static const struct {
        const char *member;
        const char *(*format)(struct format_text *, double);
        enum { OF_PHASE, OF_COMMIT, OF_SECOND } of;
    } figures[] = {
        {"data_writes", view_decimals, OF_COMMIT}, {"flushes", view_decimals, OF_COMMIT},
        {"write_bytes", view_kib, OF_COMMIT},      {"write_request_bytes", view_kib, OF_PHASE},
        {"write_await_ms", view_ms, OF_PHASE},     {"flush_await_ms", view_ms, OF_PHASE},
        {"queue_depth", view_decimals, OF_PHASE},  {"write_bytes", format_digits, OF_SECOND},
    };
    double commits = group_median(group, "commits");
    double seconds = value_of(group, role, "seconds");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        struct format_text cell;
        double value = value_of(group, role, figures[i].member);
        if (figures[i].of == OF_COMMIT)
            value = commits > 0 ? value / commits : NAN;
        if (figures[i].of == OF_SECOND)
            value = seconds > 0 ? value / seconds / 1e6 : NAN;
        table_cell(table, figures[i].format(&cell, value));
    }
    double row_bytes = group_median(group, "rows") * group_median(group, "row_bytes");
    double bytes =
        value_of(group, role, "write_bytes") + value_of(group, role, "settle_write_bytes");
    struct format_text cell;
    table_cell(table, view_decimals(&cell, row_bytes > 0 ? bytes / row_bytes : NAN));
}

void detail_roles(const struct view *view, const struct family *family)
{
    static const struct table_column figures[] = {
        {"", "role", TABLE_LEFT, 0, 0, TABLE_KEPT},
        {"per commit", "data w", TABLE_RIGHT, 0, 2, TABLE_KEPT},
        {"", "flushes", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "KiB", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"KiB/", "write", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"write", "ms", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"flush", "ms", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"queue", "depth", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "MB/s", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"device", "B/row B", TABLE_RIGHT, 0, 0, TABLE_KEPT},
    };
    enum { FIGURES = sizeof figures / sizeof *figures };
    struct table_column columns[FAMILY_KEYS_SHOWN + FIGURES];
    family_columns(family, "", columns);
    memcpy(columns + family->key_count, figures, sizeof figures);
    struct table *table = table_create(columns, family->key_count + FIGURES);
    table_keys(table, family->key_count + 1);
    for (size_t g = 0; g < family->count; g++) {
        const struct group *group = family->groups[g];
        bool apart = group_log_apart(group) != NULL;
        family_row(view, family, g, table);
        table_cell(table, apart ? "data" : "both");
        add_cells(table, group, "data");
        if (!apart)
            continue;
        family_more_row(family, table);
        table_cell(table, "WAL");
        add_cells(table, group, "wal");
    }
    view_table(view, "what a commit costs on each device", table);
    table_destroy(table);
    detail_note_writes(view, family);
    view_gap(view);
}
