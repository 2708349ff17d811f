#include "analysis/ladder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/standing.h"
#include "result/keys.h"
#include "result/metric.h"
#include "result/put.h"
#include "result/rounds.h"
#include "stats/summary.h"

#define BULK_ROWS 100   /* in a commit: from here on rows/s are what counts */
#define SAME_ROWS 0.005 /* of the rows of a stream: as much may be missing */
#define LEVEL     0.95

enum {
    REPEATS_MOST = 500, /* are paired: a ratio of n pairs looks at n^2 / 2 averages */
    PHASES_MOST = 64    /* of a trial that are added up: a bound for strange files */
};

static void *sized(size_t count, size_t size)
{
    void *items = calloc(count ? count : 1, size);
    if (!items) {
        fputs("loadline: out of memory\n", stderr);
        abort();
    }
    return items;
}

/* ---- one rung ---- */

static double phase_rate(const json_t *phase, enum rate rate)
{
    static const char *const paths[RATES] = {"all_streams.rows_per_s", "all_streams.commits_per_s",
                                             "data.write_iops"};
    double value = metric_value(phase, paths[rate]);
    return isnan(value) && rate != RATE_WRITES ? metric_value(phase, rate_names[rate]) : value;
}

static void fill_rates(struct rung *rung)
{
    const struct group *group = rung->group;
    struct spread spread;
    for (enum rate rate = RATE_ROWS; rate < RATE_WRITES; rate++) {
        group_rate(group, rate_names[rate], &spread);
        rung->rates[rate] = spread.median;
        rung->whole[rate] = group_median(group, rate_names[rate]);
        if (isnan(rung->whole[rate]))
            rung->whole[rate] = rung->rates[rate];
    }
    rung->rates[RATE_WRITES] = rung->whole[RATE_WRITES] = group_median(group, "data.write_iops");
    double seconds = group_median(group, "wal.seconds");
    rung->flushes_per_s = seconds > 0 ? group_median(group, "wal.flushes") / seconds : NAN;
    rung->p50_ms = group_median(group, "latency_ms.transaction.p50");
    rung->p99_ms = group_median(group, "latency_ms.transaction.p99");
    rung->elapsed_s = group_median(group, "elapsed_s");
}

/* All phases, cycles merged; NaN where one is not known. */
static double trial_seconds(const json_t *trial)
{
    const json_t *phases = json_object_get(trial, "all_cycles"), *phase;
    if (!json_is_array(phases))
        phases = json_object_get(trial, "phases");
    double sum = 0;
    size_t i;
    if (json_array_size(phases) == 0 || json_array_size(phases) > PHASES_MOST)
        return NAN;
    json_array_foreach(phases, i, phase)
    {
        if (!rounds_is_after_pause(phase))
            sum += json_number_at(phase, "elapsed_s");
    }
    return sum;
}

static double trial_median_s(const struct group *group)
{
    double *values = sized(group->count, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        double value = trial_seconds(group->trials[i]);
        if (!isnan(value))
            values[count++] = value;
    }
    double median = count ? summary_median(values, count) : NAN;
    free(values);
    return median;
}

/* ---- elapsed(N) / elapsed(least N) ---- */

/* NaN: something else than the rows ended a trial. */
static double rows_of_a_stream(const struct rung *rung)
{
    for (size_t i = 0; i < rung->group->count; i++) {
        const char *ended_by = json_text_at(rung->group->trials[i], "ended_by");
        if ((ended_by && strcmp(ended_by, "done") != 0) ||
            json_is_object(json_object_get(rung->group->trials[i], "search")))
            return NAN;
    }
    return group_median(rung->group, "rows") / rung->streams;
}

static double ratio_of(double value, double base)
{
    return base > 0 ? value / base : NAN;
}

static void fill_ratios(struct ladder *ladder)
{
    const struct rung *first = ladder->rungs;
    double rows = ladder->count ? rows_of_a_stream(first) : NAN;
    for (size_t i = 0; i < ladder->count; i++) {
        struct rung *rung = &ladder->rungs[i];
        bool same = rows > 0 && fabs(rows_of_a_stream(rung) / rows - 1) <= SAME_ROWS;
        rung->elapsed_ratio = same ? ratio_of(rung->elapsed_s, first->elapsed_s) : NAN;
        rung->trial_elapsed_ratio =
            same ? ratio_of(rung->trial_elapsed_s, first->trial_elapsed_s) : NAN;
    }
}

/* ---- the ladder ---- */

static double rows_per_commit(const struct rung *rung)
{
    double asked =
        keys_number(rung->group->summary, rung->group->trials[0], "workload.rows_per_commit");
    if (!isnan(asked))
        return asked;
    double commits = group_median(rung->group, "commits");
    return commits > 0 ? group_median(rung->group, "rows") / commits : NAN;
}

static void choose_main(struct ladder *ladder)
{
    double low = INFINITY, high = -INFINITY;
    bool commits = false;
    for (size_t i = 0; i < ladder->count; i++) {
        double rows = rows_per_commit(&ladder->rungs[i]);
        low = fmin(low, rows);
        high = fmax(high, rows);
        commits |= !isnan(ladder->rungs[i].rates[RATE_COMMITS]);
    }
    bool known = low <= high;
    ladder->rows_per_commit = known && high - low <= SAME_ROWS * high ? low : NAN;
    ladder->main = commits && !(known && low >= BULK_ROWS) ? RATE_COMMITS : RATE_ROWS;
}

static const char *spoilt_by(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        if (json_is_false(json_at(group->phases[i], "verify.ok")))
            return "verification failed: the rates count work that was not done right";
        if (json_is_true(json_object_get(group->phases[i], "measured_elsewhere")))
            return "the drive under test saw no write: the rates are of something else";
    }
    return NULL;
}

void ladder_init(struct ladder *ladder, const struct along *along)
{
    *ladder = (struct ladder){.rungs = sized(along->count, sizeof *ladder->rungs)};
    for (size_t i = 0; i < along->count; i++) {
        double streams =
            json_is_number(along->values[i]) ? json_number_value(along->values[i]) : NAN;
        if (!(streams >= 1 && isfinite(streams)))
            continue;
        struct rung *rung = &ladder->rungs[ladder->count++];
        *rung = (struct rung){.streams = streams, .group = along->groups[i]};
        fill_rates(rung);
        rung->trial_elapsed_s = trial_median_s(rung->group);
        if (!ladder->spoilt)
            ladder->spoilt = spoilt_by(rung->group);
        for (size_t k = 0; k < rung->group->count; k++)
            ladder->is_search |= json_is_object(json_object_get(rung->group->trials[k], "search"));
    }
    fill_ratios(ladder);
    choose_main(ladder);
}

void ladder_release(struct ladder *ladder)
{
    free(ladder->rungs);
    *ladder = (struct ladder){.rungs = NULL};
}

/* ---- over the repeats ---- */

void ladder_median(const struct rung *rung, enum rate rate, struct median *median)
{
    double *values = sized(rung->group->count, sizeof *values);
    for (size_t i = 0; i < rung->group->count; i++)
        values[i] = phase_rate(rung->group->phases[i], rate);
    median_exact(values, rung->group->count, LEVEL, median);
    free(values);
}

struct repeat {
    double number, value;
};

static int by_number(const void *a, const void *b)
{
    const struct repeat *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static size_t fill_repeats(const struct group *group, enum rate rate, struct repeat *repeats)
{
    size_t count = group->count < REPEATS_MOST ? group->count : REPEATS_MOST;
    for (size_t i = 0; i < count; i++) {
        double number = json_number_at(group->trials[i], "repeat");
        repeats[i].number = isnan(number) ? (double)i : number;
        repeats[i].value = phase_rate(group->phases[i], rate);
    }
    qsort(repeats, count, sizeof *repeats, by_number);
    return count;
}

void ladder_ratio(const struct rung *from, const struct rung *to, enum rate rate,
                  struct ratio *ratio)
{
    struct repeat a[REPEATS_MOST], b[REPEATS_MOST];
    double before[REPEATS_MOST], after[REPEATS_MOST];
    size_t count_a = fill_repeats(from->group, rate, a);
    size_t count_b = fill_repeats(to->group, rate, b), count = 0;
    for (size_t i = 0, k = 0; i < count_a && k < count_b;) {
        if (a[i].number < b[k].number) {
            i++;
        } else if (a[i].number > b[k].number) {
            k++;
        } else {
            before[count] = a[i++].value;
            after[count++] = b[k++].value;
        }
    }
    ratio_paired(before, after, count, LEVEL, ratio);
}

/* ---- words ---- */

const char *ladder_commits(const struct group *group)
{
    enum standing standing = standing_of(group);
    if (standing == STANDING_NO_DRIVE)
        return "commits/s";
    if (standing == STANDING_ELSEWHERE)
        return "commits/s that wait for another drive";
    switch (standing_flushed(group)) {
    case FLUSHED_YES:
        return "flushed commits/s";
    case FLUSHED_NOT_SEEN:
        return "commits/s NOT FLUSHED";
    case FLUSHED_NOT_ASKED:
        return "commits/s, not durable";
    case FLUSHED_UNKNOWN:
        break;
    }
    return "commits/s";
}

const char *ladder_interval(struct format_text *out, double low, double high)
{
    struct format_text from, to;
    out->text[0] = 0;
    if (isfinite(low) && isfinite(high))
        snprintf(out->text, sizeof out->text, " (%.16s-%.16s)", format_digits(&from, low),
                 format_digits(&to, high));
    return out->text;
}

void ladder_label(json_t *finding, const char *label)
{
    json_t *labels = json_object_get(finding, "labels");
    if (!labels) {
        put(finding, "labels", json_array());
        labels = json_object_get(finding, "labels");
    }
    json_array_append_new(labels, json_text(label));
}
