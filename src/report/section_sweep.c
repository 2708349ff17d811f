#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/detail.h"
#include "report/figure.h"
#include "report/sections.h"

struct sweep {
    const struct view *view;
    const struct family *family;
    bool bulk;              /* rows/s count */
    bool both;              /* commits/s and rows/s differ */
    bool tails;             /* some streams went on alone after the first had finished */
    bool streams;           /* more than one somewhere */
    double rows_per_commit; /* NaN: they vary */
};

/* Shown again with the details, where there is no room here: what has a rank. */
#define AGAIN(upper, lower, rank)                                                                  \
    {                                                                                              \
        upper, lower, TABLE_RIGHT, rank, 0, TABLE_DROPPED                                          \
    }

static const struct figure rows_rate[] = {
    FIGURE_VALUE("", "rows/s", TABLE_KEPT, 0, figure_rows_per_s, format_digits),
    FIGURE_TEXT("", "range", TABLE_DROPPED, 0, figure_rows_range),
};
static const struct figure commits_rate[] = {
    FIGURE_VALUE("", "commits/s", TABLE_KEPT, 0, figure_commits_per_s, format_digits),
    FIGURE_TEXT("", "range", TABLE_DROPPED, 0, figure_commits_range),
};
static const struct figure others[] = {
    FIGURE_METRIC("ms", "p50", TABLE_KEPT, 1, "latency_ms.transaction.p50", view_ms),
    FIGURE_METRIC("", "p99", TABLE_KEPT, 0, "latency_ms.transaction.p99", view_ms),
    FIGURE_METRIC("data", "w/s", TABLE_DROPPED, 1, "data.write_iops", format_short),
    FIGURE_METRIC("", "KiB/w", TABLE_DROPPED, 0, "data.write_request_bytes", view_kib),
    FIGURE_VALUE("flush", "/s", TABLE_DROPPED, 0, figure_flushes_per_s, format_short),
    {AGAIN("flush", "ms", 1), "data.flush_await_ms", view_ms, NULL, NULL, NULL},
    {AGAIN("", "CPU", 2), "cpu.host_busy", view_percent, NULL, NULL, NULL},
    {AGAIN("", "Jain", 3), NULL, view_decimals, figure_jain, NULL, NULL},
};
/* Where the log has a device of its own, commits wait for that one; the details have both. */
static const struct figure log_others[] = {
    FIGURE_METRIC("ms", "p50", TABLE_KEPT, 1, "latency_ms.transaction.p50", view_ms),
    FIGURE_METRIC("", "p99", TABLE_KEPT, 0, "latency_ms.transaction.p99", view_ms),
    FIGURE_METRIC("WAL", "w/s", TABLE_DROPPED, 1, "wal.write_iops", format_short),
    FIGURE_METRIC("", "KiB/w", TABLE_DROPPED, 0, "wal.write_request_bytes", view_kib),
    FIGURE_VALUE("flush", "/s", TABLE_DROPPED, 0, figure_flushes_per_s, format_short),
    {AGAIN("flush", "ms", 1), "wal.flush_await_ms", view_ms, NULL, NULL, NULL},
    {AGAIN("", "CPU", 2), "cpu.host_busy", view_percent, NULL, NULL, NULL},
    {AGAIN("", "Jain", 3), NULL, view_decimals, figure_jain, NULL, NULL},
};
_Static_assert(sizeof log_others == sizeof others, "the same columns of another device");

static size_t add(struct figure *figures, size_t at, const struct figure *more, size_t count)
{
    memcpy(figures + at, more, count * sizeof *more);
    return at + count;
}

static void print_table(const struct sweep *sweep)
{
    enum { OTHERS = sizeof others / sizeof *others };
    struct figure figures[OTHERS + 4];
    size_t count = add(figures, 0, sweep->bulk ? rows_rate : commits_rate, 2);
    if (sweep->both)
        count = add(figures, count, sweep->bulk ? commits_rate : rows_rate, 1);
    count = add(figures, count, detail_has_roles(sweep->family) ? log_others : others, OTHERS);
    figure_table(sweep->view, sweep->family, "rates and latencies", "", figures, count);
}

static void print_title(const struct sweep *sweep)
{
    const struct view *view = sweep->view;
    const struct group *group = sweep->family->groups[0];
    struct text text = {0};
    struct format_text rows;
    double streams = group_median(group, "stream_count");
    text_add(&text, "%s", group->phase);
    if (group->part)
        text_add(&text, " (%s)", group->part);
    if (family_varies(sweep->family, "streams"))
        text_add(&text, ": N streams");
    else
        text_add(&text, ": %.0f stream%s", streams, streams == 1 ? "" : "s");
    const char *layout = view_key(view, group, "workload.layout");
    if (layout && sweep->streams && !family_varies(sweep->family, "layout"))
        text_add(&text, ", %s", layout);
    if (!isnan(sweep->rows_per_commit))
        text_add(&text, ", %s row%s/commit", format_grouped(&rows, sweep->rows_per_commit),
                 sweep->rows_per_commit == 1 ? "" : "s");
    if (group->count > 1)
        text_add(&text, "; %zu runs", group->count);
    if (sweep->tails)
        text_add(&text, "; rates while all ran");
    struct text safe = {0};
    view_add_clean(view, &safe, "", text.data);
    view_caption(view, &safe);
    text_release(&text);
}

static void find_facts(struct sweep *sweep)
{
    const double noticeable = 0.99; /* of the time */
    const struct family *family = sweep->family;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < family->count; i++) {
        const struct group *group = family->groups[i];
        double rows = view_rows_per_commit(sweep->view, group);
        low = fmin(low, rows);
        high = fmax(high, rows);
        sweep->streams |= group_median(group, "stream_count") > 1;
        sweep->tails |= group_median(group, "all_streams.elapsed_s") <
                        group_median(group, "elapsed_s") * noticeable;
    }
    sweep->rows_per_commit = low == high ? low : NAN;
    sweep->both = !(low == 1 && high == 1);
    sweep->bulk = low >= VIEW_BULK_ROWS || low < high;
}

void section_sweep(const struct view *view)
{
    for (size_t f = 0; f < view->families->count; f++) {
        struct sweep sweep = {.view = view, .family = &view->families->items[f]};
        if (sweep.family->kind != FAMILY_SWEEP)
            continue;
        find_facts(&sweep);
        print_title(&sweep);
        family_legend(view, sweep.family);
        print_table(&sweep);
        view_gap(view);
    }
}
