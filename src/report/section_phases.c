#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/sections.h"
#include "report/table.h"
#include "result/metric.h"

/* Shown here: what has one combination of factors.  The others are section_sweep.c's. */
static bool is_shown(const struct view *view, const struct group *group)
{
    return view_combinations(view, group) == 1;
}

static size_t count_shown(const struct view *view)
{
    size_t count = 0;
    for (size_t i = 0; i < view->groups.count; i++)
        count += is_shown(view, &view->groups.items[i]);
    return count;
}

/* Two lines of one phase with the same rows a commit can be told apart by their part only. */
static bool needs_part(const struct view *view, const struct group *group)
{
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *other = &view->groups.items[i];
        if (other != group && is_shown(view, other) && strcmp(other->phase, group->phase) == 0 &&
            view_rows_per_commit(view, other) == view_rows_per_commit(view, group))
            return group->part != NULL;
    }
    return false;
}

static void add_phase_cell(const struct view *view, const struct group *group, struct table *table)
{
    enum { PHASE_COLUMNS = 24 };
    struct text text = {0};
    text_add(&text, "%s", group->phase);
    if (needs_part(view, group))
        text_add(&text, " %s", group->part);
    double cycles = group_median(group, "cycles");
    if (cycles > 1)
        text_add(&text, " x%.0f", cycles);
    if (json_is_true(json_object_get(group->phases[0], "partial")))
        text_add(&text, " (cut)");
    char *clean =
        text_clean(text.data, view->options->utf8 ? TEXT_UTF8 : TEXT_ASCII, PHASE_COLUMNS);
    table_cell(table, clean);
    free(clean);
    text_release(&text);
}

static void add_number(struct table *table, const char *(*format)(struct format_text *, double),
                       double value)
{
    struct format_text cell;
    table_cell(table, format(&cell, value));
}

static const char *two_decimals(struct format_text *out, double value)
{
    return value >= 99.95 ? format_grouped(out, value)
                          : format_fixed(out, value, value >= 9.995 ? 1 : 2);
}

static void add_start(const struct view *view, const struct group *group, struct table *table)
{
    table_row(table);
    add_phase_cell(view, group, table);
    add_number(table, format_grouped, round(view_rows_per_commit(view, group)));
}

static void add_range(struct table *table, const struct group *group, const char *metric)
{
    struct spread spread;
    struct format_text low, high;
    char cell[100] = "-";
    group_spread(group, metric, &spread);
    if (spread.count > 1)
        snprintf(cell, sizeof cell, "%s-%s", format_digits(&low, spread.low),
                 format_digits(&high, spread.high));
    table_cell(table, cell);
}

/* Rates and the time of a transaction. */
static void print_rates(const struct view *view)
{
    static const struct table_column columns[] = {
        {"", "phase", TABLE_LEFT, 0, 0, TABLE_KEPT},
        {"rows/", "commit", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"time", "s", TABLE_RIGHT, 4, 0, TABLE_KEPT},
        {"", "rows/s", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "commits/s", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"range of", "commits/s", TABLE_RIGHT, 5, 0, TABLE_KEPT},
        {"transaction ms", "p50", TABLE_RIGHT, 1, 3, TABLE_KEPT},
        {"", "p99", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "p99.9", TABLE_RIGHT, 6, 0, TABLE_KEPT},
        {"", "max", TABLE_RIGHT, 3, 0, TABLE_KEPT},
    };
    enum { RANGE = 5, COLUMNS = sizeof columns / sizeof *columns };
    struct table_column used[COLUMNS];
    bool ranged = view_repeats(view) > 1;
    size_t count = 0;
    for (size_t i = 0; i < COLUMNS; i++)
        if (i != RANGE || ranged)
            used[count++] = columns[i];
    struct table *table = table_create(used, count);
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        if (!is_shown(view, group))
            continue;
        add_start(view, group, table);
        add_number(table, view_seconds, group_median(group, "elapsed_s"));
        add_number(table, format_digits, group_median(group, "rows_per_s"));
        add_number(table, format_digits, group_median(group, "commits_per_s"));
        if (ranged)
            add_range(table, group, "commits_per_s");
        add_number(table, view_ms, group_median(group, "latency_ms.transaction.p50"));
        add_number(table, view_ms, group_median(group, "latency_ms.transaction.p99"));
        add_number(table, view_ms, group_median(group, "latency_ms.transaction.p999"));
        add_number(table, view_ms, group_median(group, "latency_ms.transaction.max"));
    }
    table_print(table, view->out, view->width);
    table_destroy(table);
    view_gap(view);
}

/* What a commit cost the drive. */
static void print_costs(const struct view *view)
{
    static const struct table_column columns[] = {
        {"per", "commit", TABLE_LEFT, 0, 0, TABLE_KEPT},
        {"rows/", "commit", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"data", "writes", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "flushes", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "KiB", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "KiB/write", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"write", "ms", TABLE_RIGHT, 2, 0, TABLE_KEPT},
        {"flush", "ms", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "MB/s", TABLE_RIGHT, 1, 0, TABLE_KEPT},
    };
    struct table *table = table_create(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        if (!is_shown(view, group))
            continue;
        double seconds = group_median(group, "data.seconds");
        double bytes = group_median(group, "data.write_bytes");
        add_start(view, group, table);
        add_number(table, two_decimals, group_median(group, "per_commit.data_writes"));
        add_number(table, two_decimals, group_median(group, "per_commit.flushes"));
        add_number(table, view_kib, group_median(group, "per_commit.bytes"));
        add_number(table, view_kib, group_median(group, "data.write_request_bytes"));
        add_number(table, view_ms, group_median(group, "data.write_await_ms"));
        add_number(table, view_ms, group_median(group, "data.flush_await_ms"));
        add_number(table, format_digits, seconds > 0 ? bytes / seconds / 1e6 : NAN);
    }
    table_print(table, view->out, view->width);
    table_destroy(table);
    view_gap(view);
}

/* Waiting, queues, CPU. */
static void print_waits(const struct view *view)
{
    static const struct table_column columns[] = {
        {"", "phase", TABLE_LEFT, 0, 0, TABLE_KEPT},
        {"rows/", "commit", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"lock wait ms", "p50", TABLE_RIGHT, 4, 2, TABLE_DROPPED},
        {"", "p99", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
        {"", "max", TABLE_RIGHT, 3, 0, TABLE_DROPPED},
        {"queue", "depth", TABLE_RIGHT, 0, 1, TABLE_DROPPED},
        {"", "max", TABLE_RIGHT, 5, 0, TABLE_DROPPED},
        {"CPU", "host", TABLE_RIGHT, 0, 1, TABLE_KEPT},
        {"", "own", TABLE_RIGHT, 2, 0, TABLE_KEPT},
        {"", "Jain", TABLE_RIGHT, 1, 0, TABLE_DROPPED},
        {"of", "floor", TABLE_RIGHT, 1, 0, TABLE_DROPPED},
        {"device", "B/row B", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
    };
    struct table *table = table_create(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        if (!is_shown(view, group))
            continue;
        double elapsed = group_median(group, "elapsed_s");
        double own = group_median(group, "cpu.client_s");
        add_start(view, group, table);
        add_number(table, view_ms, group_median(group, "latency_ms.lock_wait.p50"));
        add_number(table, view_ms, group_median(group, "latency_ms.lock_wait.p99"));
        add_number(table, view_ms, group_median(group, "latency_ms.lock_wait.max"));
        add_number(table, two_decimals, group_median(group, "data.queue_depth"));
        add_number(table, format_grouped, group_median(group, "data.max_in_flight"));
        add_number(table, view_percent, group_median(group, "cpu.host_busy"));
        add_number(table, view_percent, elapsed > 0 ? own / elapsed : NAN);
        double streams = group_median(group, "stream_count");
        add_number(table, two_decimals, streams > 1 ? group_median(group, "fairness") : NAN);
        add_number(table, view_percent, group_median(group, "share_of_floor"));
        add_number(table, two_decimals, group_median(group, "device_bytes_per_row_byte"));
    }
    table_print(table, view->out, view->width);
    table_destroy(table);
    view_gap(view);
}

static void add_cost(struct text *text, const struct group *group, const char *part)
{
    struct format_text writes, flushes, bytes, seconds;
    char path[64];
    snprintf(path, sizeof path, "%s.per_commit.data_writes", part);
    double data_writes = group_median(group, path);
    snprintf(path, sizeof path, "%s.per_commit.flushes", part);
    double flush_count = group_median(group, path);
    snprintf(path, sizeof path, "%s.per_commit.bytes", part);
    double byte_count = group_median(group, path);
    snprintf(path, sizeof path, "%s.seconds", part);
    text_add(text, "%s data writes, %s flushes, %s KiB a commit (%s)",
             two_decimals(&writes, data_writes), two_decimals(&flushes, flush_count),
             view_kib(&bytes, byte_count), format_seconds(&seconds, group_median(group, path)));
}

/* Does the growing part make the phase look dearer (or cheaper) than what follows it? */
static bool wal_matters(const struct group *group)
{
    const double noticeable = 0.02;
    static const char *const costs[][2] = {
        {"per_commit.bytes", "wal_recycled.per_commit.bytes"},
        {"per_commit.flushes", "wal_recycled.per_commit.flushes"},
    };
    if (isnan(group_median(group, "wal_growing.per_commit.writes")))
        return false;
    if (isnan(group_median(group, "wal_recycled.per_commit.writes")))
        return true;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (fabs(group_median(group, costs[i][0]) / group_median(group, costs[i][1]) - 1) >
            noticeable)
            return true;
    return false;
}

static bool print_wal(const struct view *view, const struct group *group)
{
    if (!wal_matters(group))
        return false;
    struct text text = {0};
    struct format_text rows;
    double per_commit = view_rows_per_commit(view, group);
    char *phase = view_clean(view, group->phase);
    text_add(&text, "%s, %s row%s/commit: growing ", phase, format_grouped(&rows, per_commit),
             per_commit == 1 ? "" : "s");
    free(phase);
    add_cost(&text, group, "wal_growing");
    if (!isnan(group_median(group, "wal_recycled.per_commit.writes"))) {
        text_add(&text, "; reused ");
        add_cost(&text, group, "wal_recycled");
    } else
        text_add(&text, "; never reused here: a longer phase would cost something else");
    view_line(view, "WAL", &text);
    return true;
}

static void add_slope(struct table *table, const struct group *group, const char *against)
{
    char path[64], cell[100];
    struct format_text low, high, r;
    double figures[4];
    static const char *const names[] = {"slope", "low", "high", "r"};
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "correlation.%s.%s", against, names[i]);
        figures[i] = group_median(group, path);
    }
    add_number(table, two_decimals, figures[0]);
    snprintf(cell, sizeof cell, figures[1] < 0 ? "%s to %s" : "%s-%s",
             two_decimals(&low, figures[1]), two_decimals(&high, figures[2]));
    table_cell(table, isnan(figures[1]) ? "-" : cell);
    table_cell(table, format_fixed(&r, figures[3], 2));
}

static bool has_slope(const struct view *view, const struct group *group)
{
    /* Intervals are one run's. */
    return is_shown(view, group) && group->count == 1 &&
           !isnan(group_median(group, "correlation.commits_vs_writes.slope"));
}

/* How closely the drive's counters follow the commits, interval by interval. */
static bool print_slopes(const struct view *view)
{
    static const struct table_column columns[] = {
        {"slope", "phase", TABLE_LEFT, 0, 0, TABLE_KEPT},
        {"rows/", "commit", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"all writes/commit", "slope", TABLE_RIGHT, 0, 2, TABLE_KEPT},
        {"", "95%", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"", "r", TABLE_RIGHT, 0, 0, TABLE_KEPT},
        {"flushes/commit", "slope", TABLE_RIGHT, 1, 2, TABLE_DROPPED},
        {"", "95%", TABLE_RIGHT, 1, 0, TABLE_DROPPED},
        {"", "r", TABLE_RIGHT, 1, 0, TABLE_DROPPED},
        {"", "n", TABLE_RIGHT, 0, 0, TABLE_KEPT},
    };
    struct table *table = table_create(columns, sizeof columns / sizeof *columns);
    bool any = false;
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        if (!has_slope(view, group))
            continue;
        any = true;
        add_start(view, group, table);
        add_slope(table, group, "commits_vs_writes");
        add_slope(table, group, "commits_vs_flushes");
        add_number(table, format_grouped, group_median(group, "correlation.commits_vs_writes.n"));
    }
    if (any)
        table_print(table, view->out, view->width);
    table_destroy(table);
    return any;
}

static bool knows_drive(const struct view *view)
{
    for (size_t i = 0; i < view->groups.count; i++)
        if (is_shown(view, &view->groups.items[i]) &&
            !isnan(group_median(&view->groups.items[i], "data.writes")))
            return true;
    return false;
}

void section_phases(const struct view *view)
{
    if (count_shown(view) == 0)
        return;
    print_rates(view);
    if (knows_drive(view))
        print_costs(view);
    print_waits(view);
    if (print_slopes(view))
        view_gap(view);
    bool said = false;
    for (size_t i = 0; i < view->groups.count; i++)
        if (is_shown(view, &view->groups.items[i]))
            said |= print_wal(view, &view->groups.items[i]);
    if (said)
        view_gap(view);
}
