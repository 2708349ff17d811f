#include <math.h>
#include <stdlib.h>

#include "report/detail.h"
#include "report/figure.h"

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

void detail_wal(const struct view *view, const struct family *family)
{
    static const struct figure figures[] = {
        FIGURE_METRIC("WAL growing", "s", TABLE_KEPT, 3, "wal_growing.seconds", view_seconds),
        FIGURE_METRIC("", "data w", TABLE_KEPT, 0, "wal_growing.per_commit.data_writes",
                      view_decimals),
        FIGURE_METRIC("", "flush", TABLE_KEPT, 0, "wal_growing.per_commit.flushes", view_decimals),
        FIGURE_METRIC("", "KiB", TABLE_KEPT, 0, "wal_growing.per_commit.bytes", view_kib),
        FIGURE_METRIC("WAL reused", "s", TABLE_KEPT, 3, "wal_recycled.seconds", view_seconds),
        FIGURE_METRIC("", "data w", TABLE_KEPT, 0, "wal_recycled.per_commit.data_writes",
                      view_decimals),
        FIGURE_METRIC("", "flush", TABLE_KEPT, 0, "wal_recycled.per_commit.flushes", view_decimals),
        FIGURE_METRIC("", "KiB", TABLE_KEPT, 0, "wal_recycled.per_commit.bytes", view_kib),
    };
    bool matters = false;
    struct family some = *family; /* those that know it */
    some.groups = calloc(family->count, sizeof *some.groups);
    some.numbers = calloc(family->count, sizeof *some.numbers);
    some.count = 0;
    for (size_t i = 0; some.groups && some.numbers && i < family->count; i++) {
        const struct group *group = family->groups[i];
        matters |= wal_matters(group);
        if (isnan(group_median(group, "wal_growing.seconds")) &&
            isnan(group_median(group, "wal_recycled.seconds")))
            continue;
        some.numbers[some.count] = family->numbers[i];
        some.groups[some.count++] = group;
    }
    if (matters) {
        figure_table(view, &some, "while the WAL grew, and when it was reused", "", figures,
                     sizeof figures / sizeof *figures);
        view_gap(view);
    }
    free(some.groups);
    free(some.numbers);
}
