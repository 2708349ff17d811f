#include "analysis/contention_row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/metric.h"
#include "result/put.h"
#include "stats/summary.h"

/* The waits of a server that come from others, not from the drive. */
static const enum waits_group lock_groups[] = {WAITS_ROW, WAITS_EXTEND, WAITS_BUFFER,
                                               WAITS_LOG_INSERT};
enum { LOCK_GROUPS = sizeof lock_groups / sizeof *lock_groups };

enum sharing contention_sharing(const char *layout)
{
    static const struct {
        const char *layout;
        enum sharing sharing;
    } known[] = {{"shared-table", SHARING_TABLE},
                 {"table-per-stream", SHARING_FILE},
                 {"file-per-stream", SHARING_NOTHING},
                 {"database-per-stream", SHARING_NOTHING}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].layout, layout) == 0)
            return known[i].sharing;
    return SHARING_UNKNOWN;
}

/* Commits/s while all streams ran, else of the whole phase. */
static double rate_of(const json_t *phase)
{
    double rate = metric_value(phase, "all_streams.commits_per_s");
    return isnan(rate) ? metric_value(phase, "commits_per_s") : rate;
}

static double streams_time_s(const json_t *phase)
{
    double seconds = 0;
    size_t index;
    const json_t *stream;
    json_array_foreach(json_object_get(phase, "streams"), index, stream) seconds +=
        json_number_at(stream, "elapsed_s");
    if (seconds > 0)
        return seconds;
    return metric_value(phase, "elapsed_s") * metric_value(phase, "stream_count");
}

static double lock_share_of(const json_t *phase)
{
    double seconds = streams_time_s(phase);
    double waited_s =
        metric_value(phase, "latency_ms.lock_wait.mean") / 1e3 * metric_value(phase, "commits");
    return seconds > 0 && waited_s >= 0 ? fmin(waited_s / seconds, 1) : NAN;
}

static double median_of(const struct group *group, double (*value)(const json_t *phase))
{
    double *values = calloc(group->count ? group->count : 1, sizeof *values), median = NAN;
    size_t count = 0;
    for (size_t i = 0; values && i < group->count; i++) {
        double one = value(group->phases[i]);
        if (!isnan(one))
            values[count++] = one;
    }
    if (values)
        median = summary_median(values, count);
    free(values);
    return median;
}

static double repeat_of(const struct group *group, size_t at)
{
    return json_number_at(group->trials[at], "repeat");
}

/* Where each repeat has a number, those of one number belong together. */
static size_t find_repeat(const struct group *group, double repeat)
{
    size_t at = 0;
    while (at < group->count && repeat_of(group, at) != repeat)
        at++;
    return at;
}

static bool is_numbered(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (isnan(repeat_of(group, i)) || find_repeat(group, repeat_of(group, i)) != i)
            return false;
    return true;
}

static void compare(struct contention_row *row)
{
    const struct group *a = row->against, *b = row->group;
    double *of_a = calloc(a->count, sizeof *of_a), *of_b = calloc(b->count, sizeof *of_b);
    size_t pairs = 0;
    if (!of_a || !of_b)
        abort();
    row->design = is_numbered(a) && is_numbered(b) ? RATIO_PAIRED : RATIO_UNPAIRED;
    if (row->design == RATIO_PAIRED) {
        for (size_t i = 0; i < a->count; i++) {
            size_t other = find_repeat(b, repeat_of(a, i));
            if (other == b->count || pairs == b->count)
                continue;
            of_a[pairs] = rate_of(a->phases[i]);
            of_b[pairs++] = rate_of(b->phases[other]);
        }
        ratio_paired(of_a, of_b, pairs, CONTENTION_LEVEL, &row->ratio);
    } else {
        for (size_t i = 0; i < a->count; i++)
            of_a[i] = rate_of(a->phases[i]);
        for (size_t i = 0; i < b->count; i++)
            of_b[i] = rate_of(b->phases[i]);
        ratio_unpaired(of_a, a->count, of_b, b->count, CONTENTION_LEVEL, &row->ratio);
    }
    row->verdict = ratio_judge(&row->ratio, CONTENTION_MARGIN);
    ratio_more(&row->ratio, row->design, CONTENTION_MARGIN, &row->more);
    free(of_a);
    free(of_b);
}

void contention_row_read(const struct group *group, const char *layout, const struct group *against,
                         const char *against_layout, struct contention_row *row)
{
    *row = (struct contention_row){
        .group = group,
        .against = against,
        .layout = layout,
        .against_layout = against_layout,
        .sharing = contention_sharing(layout),
        .streams = group_median(group, "stream_count"),
        .commits_per_s = median_of(group, rate_of),
        .fairness = group_median(group, "fairness"),
        .lock_p99_ms = group_median(group, "latency_ms.lock_wait.p99"),
        .lock_share = median_of(group, lock_share_of),
        .ratio = {NAN, NAN, NAN, NAN, NAN, 0, 0},
        .verdict = RATIO_UNDETERMINED,
        .repeats = group->count,
    };
    row->has_waiting = waiting_read(group, &row->waiting);
    if (row->has_waiting) {
        row->lock_share = 0;
        for (size_t i = 0; i < LOCK_GROUPS; i++)
            row->lock_share += row->waiting.groups[lock_groups[i]];
    }
    if (against)
        compare(row);
}

size_t contention_row_more(const struct contention_row *row)
{
    if (!row->against || row->verdict != RATIO_UNDETERMINED)
        return 0;
    return row->more.to_differ < row->more.to_same ? row->more.to_differ : row->more.to_same;
}

const char *contention_verdict(enum ratio_verdict verdict)
{
    static const char *const words[] = {[RATIO_UNDETERMINED] = "undetermined",
                                        [RATIO_HIGHER] = "better",
                                        [RATIO_LOWER] = "worse",
                                        [RATIO_SAME] = "same"};
    return words[verdict];
}

static json_t *waits_of(const struct contention_row *row)
{
    if (!row->has_waiting)
        return NULL;
    json_t *waits = json_object();
    for (size_t i = 0; i < LOCK_GROUPS; i++)
        put_real(waits, waits_groups[lock_groups[i]], row->waiting.groups[lock_groups[i]]);
    return waits;
}

json_t *contention_row_json(const struct contention_row *row)
{
    json_t *object = json_object();
    put_number(object, "streams", row->streams);
    put_text(object, "layout", row->layout);
    put_text(object, "against", row->against_layout);
    put_real(object, "commits_per_s", row->commits_per_s);
    put_real(object, "ratio", row->ratio.ratio);
    put_real(object, "low", row->ratio.low);
    put_real(object, "high", row->ratio.high);
    put_text(object, "verdict", row->against ? contention_verdict(row->verdict) : NULL);
    size_t more = contention_row_more(row);
    put_count(object, "more_repeats", more > 0 && more < RATIO_MORE_MAX ? (double)more : NAN);
    put_real(object, "lock_share", row->lock_share);
    put_real(object, "lock_p99_ms", row->lock_p99_ms);
    put(object, "lock_waits", waits_of(row));
    put_real(object, "fairness", row->fairness);
    put_count(object, "repeats", (double)row->repeats);
    return object;
}
