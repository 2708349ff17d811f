#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/sections.h"
#include "report/table.h"

/* The figures of a line; factor columns stand before them. */
enum figure {
    RATE,
    RANGE,
    OTHER_RATE,
    P50,
    P99,
    DATA_WRITES,
    REQUEST,
    FLUSHES,
    FLUSH_MS,
    CPU,
    JAIN,
    FIGURES
};

struct sweep {
    const struct view *view;
    const struct group *first;
    bool bulk, ranged, fair;
    bool tails; /* some streams went on alone after the first had finished */
    const char *factors[8];
    size_t factor_count;
};

static struct table_column figure_column(const struct sweep *sweep, enum figure figure)
{
    const char *rate = sweep->bulk ? "rows/s" : "commits/s";
    const char *other = sweep->bulk ? "commits/s" : "rows/s";
    const struct table_column columns[FIGURES] = {
        [RATE] = {sweep->first->phase, rate, TABLE_RIGHT, 0, 0, TABLE_KEPT},
        [RANGE] = {"", "range", TABLE_RIGHT, 1, 0, TABLE_KEPT},
        [OTHER_RATE] = {"", other, TABLE_RIGHT, 8, 0, TABLE_KEPT},
        [P50] = {"p50", "ms", TABLE_RIGHT, 5, 0, TABLE_KEPT},
        [P99] = {"p99", "ms", TABLE_RIGHT, 1, 0, TABLE_KEPT},
        [DATA_WRITES] = {"data", "w/s", TABLE_RIGHT, 2, 0, TABLE_DROPPED},
        [REQUEST] = {"KiB/", "write", TABLE_RIGHT, 2, 0, TABLE_DROPPED},
        [FLUSHES] = {"flush", "/s", TABLE_RIGHT, 4, 0, TABLE_DROPPED},
        [FLUSH_MS] = {"flush", "ms", TABLE_RIGHT, 3, 0, TABLE_DROPPED},
        [CPU] = {"", "CPU", TABLE_RIGHT, 6, 0, TABLE_KEPT},
        [JAIN] = {"", "Jain", TABLE_RIGHT, 7, 0, TABLE_KEPT},
    };
    return columns[figure];
}

static bool figure_shown(const struct sweep *sweep, enum figure figure)
{
    if (figure == RANGE)
        return sweep->ranged;
    if (figure == OTHER_RATE)
        return view_rows_per_commit(sweep->view, sweep->first) != 1;
    return figure != JAIN || sweep->fair;
}

static const char *figure_cell(const struct sweep *sweep, const struct group *group,
                               enum figure figure, struct format_text *out)
{
    struct spread spread;
    struct format_text low, high;
    double seconds = group_median(group, "data.seconds");
    group_rate(group, sweep->bulk ? "rows_per_s" : "commits_per_s", &spread);
    switch (figure) {
    case RATE:
        return format_digits(out, spread.median);
    case RANGE:
        snprintf(out->text, sizeof out->text, spread.count > 1 ? "%.20s-%.20s" : "-",
                 format_digits(&low, spread.low), format_digits(&high, spread.high));
        return out->text;
    case OTHER_RATE:
        group_rate(group, sweep->bulk ? "commits_per_s" : "rows_per_s", &spread);
        return format_digits(out, spread.median);
    case P50:
        return view_ms(out, group_median(group, "latency_ms.transaction.p50"));
    case P99:
        return view_ms(out, group_median(group, "latency_ms.transaction.p99"));
    case DATA_WRITES:
        return format_short(out, group_median(group, "data.write_iops"));
    case REQUEST:
        return view_kib(out, group_median(group, "data.write_request_bytes"));
    case FLUSHES:
        return format_short(out, seconds > 0 ? group_median(group, "data.flushes") / seconds : NAN);
    case FLUSH_MS:
        return view_ms(out, group_median(group, "data.flush_await_ms"));
    case CPU:
        return view_percent(out, group_median(group, "cpu.host_busy"));
    case JAIN:
        return format_fixed(out, group_median(group, "fairness"), 2);
    case FIGURES:
        break;
    }
    return "";
}

static void find_factors(struct sweep *sweep)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)sweep->first->factors, name, value)
    {
        if (sweep->factor_count < sizeof sweep->factors / sizeof *sweep->factors)
            sweep->factors[sweep->factor_count++] = name;
    }
}

static bool same_family(const struct group *a, const struct group *b)
{
    bool same_part = a->part == b->part || (a->part && b->part && strcmp(a->part, b->part) == 0);
    return same_part && strcmp(a->phase, b->phase) == 0;
}

static void add_factor_cell(const struct view *view, struct table *table, const json_t *value)
{
    enum { FACTOR_COLUMNS = 24 };
    struct format_text number;
    if (json_is_number(value)) {
        double n = json_number_value(value);
        table_cell(table, n == floor(n) ? format_grouped(&number, n) : format_digits(&number, n));
        return;
    }
    const char *text = json_string_value(value);
    char *clean =
        text_clean(text ? text : "-", view->options->utf8 ? TEXT_UTF8 : TEXT_ASCII, FACTOR_COLUMNS);
    table_cell(table, clean);
    free(clean);
}

/* Factor headings are names from the document: "sqlite.page_size" in two lines. */
static size_t factor_columns(const struct sweep *sweep, struct table_column *columns, char **names)
{
    for (size_t i = 0; i < sweep->factor_count; i++) {
        const char *name = sweep->factors[i];
        bool is_number = json_is_number(json_object_get(sweep->first->factors, name));
        const char *dot = strrchr(name, '.');
        names[i] = strcmp(name, "streams") == 0 ? view_clean(sweep->view, "N")
                                                : view_clean(sweep->view, dot ? dot + 1 : name);
        columns[i] = (struct table_column){"", names[i], is_number ? TABLE_RIGHT : TABLE_LEFT,
                                           0,  0,        TABLE_KEPT};
    }
    return sweep->factor_count;
}

static void print_table(const struct sweep *sweep)
{
    struct table_column columns[TABLE_COLUMNS_MAX];
    char *names[8] = {NULL};
    size_t count = factor_columns(sweep, columns, names);
    for (int f = 0; f < FIGURES; f++)
        if (figure_shown(sweep, (enum figure)f))
            columns[count++] = figure_column(sweep, (enum figure)f);
    struct table *table = table_create(columns, count);
    const struct view *view = sweep->view;
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        if (!same_family(group, sweep->first))
            continue;
        table_row(table);
        for (size_t k = 0; k < sweep->factor_count; k++)
            add_factor_cell(view, table, json_object_get(group->factors, sweep->factors[k]));
        for (int f = 0; f < FIGURES; f++) {
            struct format_text cell;
            if (figure_shown(sweep, (enum figure)f))
                table_cell(table, figure_cell(sweep, group, (enum figure)f, &cell));
        }
    }
    table_print(table, view->out, view->width);
    table_destroy(table);
    for (size_t i = 0; i < sweep->factor_count; i++)
        free(names[i]);
}

static void print_title(const struct sweep *sweep)
{
    const struct view *view = sweep->view;
    const struct group *group = sweep->first;
    struct text text = {0}, line = {0};
    struct format_text rows;
    text_add(&text, "%s", group->phase);
    if (group->part)
        text_add(&text, " (%s)", group->part);
    text_add(&text, ":");
    if (json_object_get(group->factors, "streams"))
        text_add(&text, " N streams");
    else
        text_add(&text, " %.0f streams", group_median(group, "stream_count"));
    const char *layout = view_key(view, group, "workload.layout");
    if (layout && !json_object_get(group->factors, "layout"))
        text_add(&text, ", %s", layout);
    double per_commit = view_rows_per_commit(view, group);
    if (!json_object_get(group->factors, "rows_per_commit"))
        text_add(&text, ", %s row%s/commit", format_grouped(&rows, per_commit),
                 per_commit == 1 ? "" : "s");
    if (group->count > 1)
        text_add(&text, "; %zu runs", group->count);
    if (sweep->tails)
        text_add(&text, "; while all ran");
    char *clean = view_clean(view, text.data);
    text_add(&line, "%s", clean);
    text_print(view->out, "", 0, line.data, view->width, "", "");
    free(clean);
    text_release(&text);
    text_release(&line);
}

static void print_sweep(const struct view *view, const struct group *first)
{
    struct sweep sweep = {.view = view, .first = first};
    sweep.bulk = view_rows_per_commit(view, first) >= VIEW_BULK_ROWS;
    sweep.ranged = view_repeats(view) > 1;
    const double noticeable = 0.99; /* of the time */
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        if (!same_family(group, first))
            continue;
        sweep.fair |= group_median(group, "stream_count") > 1;
        sweep.tails |= group_median(group, "all_streams.elapsed_s") <
                       group_median(group, "elapsed_s") * noticeable;
    }
    find_factors(&sweep);
    print_title(&sweep);
    print_table(&sweep);
    view_gap(view);
}

void section_sweep(const struct view *view)
{
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        if (view_combinations(view, group) > 1 && view_is_first(view, group))
            print_sweep(view, group);
    }
}
