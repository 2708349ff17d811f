#include "report/figure.h"

#include <assert.h>
#include <math.h>

#include "analysis/standing.h"

const char *figure_cell(const struct figure *figure, const struct group *group,
                        struct format_text *out)
{
    if (figure->text)
        return figure->text(group, out);
    if (figure->is_known && !figure->is_known(group))
        return figure->format(out, NAN);
    return figure->format(out, figure->value ? figure->value(group)
                                             : group_median(group, figure->metric));
}

void figure_table(const struct view *view, const struct family *family, const char *name,
                  const char *label, const struct figure *figures, size_t count)
{
    struct table_column columns[TABLE_COLUMNS_MAX];
    size_t keys = family->key_count;
    assert(keys + count <= TABLE_COLUMNS_MAX);
    family_columns(family, label, columns);
    for (size_t i = 0; i < count; i++)
        columns[keys + i] = figures[i].column;
    struct table *table = table_create(columns, keys + count);
    table_keys(table, keys);
    for (size_t g = 0; g < family->count; g++) {
        family_row(view, family, g, table);
        for (size_t i = 0; i < count; i++) {
            struct format_text cell;
            table_cell(table, figure_cell(&figures[i], family->groups[g], &cell));
        }
    }
    view_table(view, name, table);
    table_destroy(table);
}

static double rate(const struct group *group, const char *name)
{
    struct spread spread;
    group_rate(group, name, &spread);
    return spread.median;
}

double figure_rows_per_s(const struct group *group)
{
    return rate(group, "rows_per_s");
}

double figure_commits_per_s(const struct group *group)
{
    return rate(group, "commits_per_s");
}

static double per_second(const struct group *group, const char *metric)
{
    double seconds = group_median(group, "data.seconds");
    return seconds > 0 ? group_median(group, metric) / seconds : NAN;
}

double figure_flushes_per_s(const struct group *group)
{
    return per_second(group, "wal.flushes");
}

double figure_mb_per_s(const struct group *group)
{
    return per_second(group, "data.write_bytes") / 1e6;
}

double figure_own_cpu(const struct group *group)
{
    double elapsed = group_median(group, "elapsed_s");
    return elapsed > 0 ? group_median(group, "cpu.client_s") / elapsed : NAN;
}

double figure_jain(const struct group *group)
{
    return group_median(group, "stream_count") > 1 ? group_median(group, "fairness") : NAN;
}

double figure_floor(const struct group *group)
{
    enum standing standing = standing_of(group);
    bool says_nothing = standing_is_loose(standing) || standing == STANDING_ELSEWHERE;
    return says_nothing ? NAN : group_median(group, "share_of_floor");
}

const char *figure_range(const struct spread *spread, struct format_text *out)
{
    struct format_text low, high;
    snprintf(out->text, sizeof out->text, spread->count > 1 ? "%.20s-%.20s" : "-",
             format_digits(&low, spread->low), format_digits(&high, spread->high));
    return out->text;
}

const char *figure_phase_range(const struct group *group, struct format_text *out)
{
    struct spread spread;
    group_spread(group, "commits_per_s", &spread);
    return figure_range(&spread, out);
}

const char *figure_rows_range(const struct group *group, struct format_text *out)
{
    struct spread spread;
    group_rate(group, "rows_per_s", &spread);
    return figure_range(&spread, out);
}

const char *figure_commits_range(const struct group *group, struct format_text *out)
{
    struct spread spread;
    group_rate(group, "commits_per_s", &spread);
    return figure_range(&spread, out);
}
