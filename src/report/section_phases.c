#include <math.h>
#include <stdbool.h>

#include "report/detail.h"
#include "report/figure.h"
#include "report/sections.h"

/* Rates and the time of a transaction. */
static const struct figure rates[] = {
    FIGURE_METRIC("time", "s", TABLE_KEPT, 0, "elapsed_s", view_seconds),
    FIGURE_METRIC("", "rows/s", TABLE_KEPT, 0, "rows_per_s", format_digits),
    FIGURE_METRIC("", "commits/s", TABLE_KEPT, 0, "commits_per_s", format_digits),
    FIGURE_TEXT("range of", "commits/s", TABLE_DROPPED, 0, figure_phase_range),
    FIGURE_METRIC("transaction ms", "p50", TABLE_KEPT, 3, "latency_ms.transaction.p50", view_ms),
    FIGURE_METRIC("", "p99", TABLE_KEPT, 0, "latency_ms.transaction.p99", view_ms),
    FIGURE_METRIC("", "p99.9", TABLE_KEPT, 0, "latency_ms.transaction.p999", view_ms),
    FIGURE_METRIC("", "max", TABLE_KEPT, 0, "latency_ms.transaction.max", view_ms),
};

/* What a commit cost the drive, and what the drive did. */
static const struct figure costs[] = {
    FIGURE_METRIC("data", "writes", TABLE_KEPT, 0, "per_commit.data_writes", view_decimals),
    FIGURE_METRIC("", "flushes", TABLE_KEPT, 0, "per_commit.flushes", view_decimals),
    FIGURE_METRIC("", "KiB", TABLE_KEPT, 0, "per_commit.bytes", view_kib),
    FIGURE_METRIC("data", "w/s", TABLE_KEPT, 1, "data.write_iops", format_short),
    FIGURE_METRIC("", "KiB/w", TABLE_KEPT, 0, "data.write_request_bytes", view_kib),
    FIGURE_METRIC("write", "ms", TABLE_KEPT, 0, "data.write_await_ms", view_ms),
    FIGURE_METRIC("flush", "ms", TABLE_KEPT, 0, "data.flush_await_ms", view_ms),
    FIGURE_VALUE("", "MB/s", TABLE_KEPT, 0, figure_mb_per_s, format_digits),
};

void section_phases(const struct view *view)
{
    /* In lines, that the figures below are of a commit; where there are captions they say so. */
    const char *over = view->sink->form->has_columns ? "per" : "";
    for (size_t f = 0; f < view->families->count; f++) {
        const struct family *family = &view->families->items[f];
        if (family->kind != FAMILY_SINGLES)
            continue;
        figure_table(view, family, "rates and latencies", "", rates, sizeof rates / sizeof *rates);
        view_gap(view);
        if (!detail_knows_drive(family))
            continue;
        if (detail_has_roles(family)) {
            detail_roles(view, family);
            continue;
        }
        figure_table(view, family, "what a commit cost, and what the drive did", over, costs,
                     sizeof costs / sizeof *costs);
        detail_note_writes(view, family);
        view_gap(view);
    }
}
