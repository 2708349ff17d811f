#include "analysis/buyer_rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/place.h"
#include "stats/steady.h"
#include "stats/summary.h"

static bool is_sound(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (json_is_false(json_at(group->phases[i], "verify.ok")) ||
            json_is_true(json_object_get(group->phases[i], "measured_elsewhere")))
            return false;
    return true;
}

/* Which groups compete, and which is better. */
struct contest {
    bool one_stream, flushed_only;
    enum standing standing;
    double rows;       /* the fewest */
    const char *phase; /* the first with so few */
};

static bool competes(const struct contest *c, const struct group *group)
{
    enum standing standing = standing_of(group);
    if (standing >= STANDING_ELSEWHERE || standing == STANDING_BARE || !is_sound(group))
        return false;
    if (c->flushed_only && standing != STANDING_FLUSHED)
        return false;
    return !c->one_stream || group_median(group, "stream_count") == 1;
}

static double rate_of(const struct group *group)
{
    struct spread spread;
    group_rate(group, "commits_per_s", &spread);
    return spread.median > 0 && isfinite(spread.median) ? spread.median : NAN;
}

static double rows_of(const struct group *group)
{
    double rows = place_rows_per_commit(group);
    return isnan(rows) ? INFINITY : rows;
}

/* False: nobody competes. */
static bool contest_open(struct contest *c, const struct groups *groups)
{
    bool found = false;
    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        if (!competes(c, group) || isnan(rate_of(group)))
            continue;
        enum standing standing = standing_of(group);
        double rows = rows_of(group);
        if (found && (standing > c->standing || (standing == c->standing && rows >= c->rows)))
            continue;
        found = true;
        c->standing = standing;
        c->rows = rows;
        c->phase = group->phase;
    }
    return found;
}

static bool is_in(const struct contest *c, const struct group *group)
{
    return competes(c, group) && standing_of(group) == c->standing && rows_of(group) == c->rows &&
           strcmp(group->phase, c->phase) == 0;
}

static void take_higher(struct buyer_choice *choice, const struct group *group, double rate)
{
    if (rate > 0 && (!choice->group || rate > choice->commits_per_s))
        *choice = (struct buyer_choice){group, rate};
}

static void choose(struct contest *c, const struct groups *groups, struct buyer_choice *choice)
{
    *choice = (struct buyer_choice){NULL, NAN};
    if (!contest_open(c, groups))
        return;
    for (size_t i = 0; i < groups->count; i++)
        if (is_in(c, &groups->items[i]))
            take_higher(choice, &groups->items[i], rate_of(&groups->items[i]));
}

void buyer_rate_one_stream(const struct groups *groups, struct buyer_choice *choice)
{
    struct contest contest = {.one_stream = true, .flushed_only = true};
    choose(&contest, groups, choice);
}

void buyer_rate_highest(const struct groups *groups, struct buyer_choice *choice)
{
    struct contest contest = {.one_stream = false};
    choose(&contest, groups, choice);
}

double buyer_rate_percentile(const struct group *group, const char *percentile)
{
    char path[64];
    snprintf(path, sizeof path, "latency_ms.transaction.%s", percentile);
    return group_median(group, path);
}

void buyer_rate_under_slo(const struct groups *groups, const struct asked *asked,
                          struct buyer_choice *choice, double *best_ms)
{
    struct contest contest = {.one_stream = false};
    *choice = (struct buyer_choice){NULL, NAN};
    *best_ms = NAN;
    if (!asked->slo_percentile || !contest_open(&contest, groups))
        return;
    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        if (!is_in(&contest, group))
            continue;
        double ms = buyer_rate_percentile(group, asked->slo_percentile);
        *best_ms = fmin(*best_ms, ms);
        if (ms <= asked->slo_ms)
            take_higher(choice, group, rate_of(group));
    }
}

/* The mean of `key` over the last full rounds of a trial's phase; NaN: too few rounds, or one does
 * not know it. */
static double last_rounds(const json_t *trial, const char *phase, const char *key)
{
    double values[STEADY_WINDOW] = {0};
    size_t count = 0, index;
    const json_t *round;
    json_array_foreach(json_object_get(trial, "rounds"), index, round)
    {
        if (json_is_true(json_object_get(round, "partial")) ||
            json_is_true(json_object_get(round, "after_pause")))
            continue;
        const json_t *own = json_object_get(json_object_get(round, "phases"), phase);
        memmove(values, values + 1, (STEADY_WINDOW - 1) * sizeof *values);
        values[STEADY_WINDOW - 1] = json_number_at(own, key);
        count++;
    }
    return count >= STEADY_WINDOW ? summary_mean(values, STEADY_WINDOW) : NAN;
}

static double last_rounds_median(const struct group *group, const char *key)
{
    double *values = calloc(group->count ? group->count : 1, sizeof *values), median = NAN;
    size_t count = 0;
    for (size_t i = 0; values && i < group->count; i++) {
        double value = last_rounds(group->trials[i], group->phase, key);
        if (!isnan(value))
            values[count++] = value;
    }
    if (values)
        median = summary_median(values, count);
    free(values);
    return median;
}

static bool ended_steady(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const char *ended = json_text_at(group->trials[i], "ended_by");
        if (!ended || strcmp(ended, "steady") != 0)
            return false;
    }
    return true;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const json_t *finding_of(const json_t *steady, const struct group *group)
{
    size_t index;
    const json_t *finding;
    json_array_foreach(json_object_get(steady, "findings"), index, finding)
    {
        const json_t *factors = json_object_get(finding, "factors");
        bool same_factors =
            group->factors ? json_equal(factors, group->factors) : json_object_size(factors) == 0;
        if (same_factors && same_text(json_text_at(finding, "part"), group->part) &&
            same_text(json_text_at(finding, "phase"), group->phase))
            return finding;
    }
    return NULL;
}

/* Of the same rounds where they know it, else of whole phases. */
static double sustained_percentile(const struct group *group, const char *percentile)
{
    if (!percentile)
        return NAN;
    double ms = strcmp(percentile, "p99") == 0 ? last_rounds_median(group, "p99_ms") : NAN;
    return isnan(ms) ? buyer_rate_percentile(group, percentile) : ms;
}

static bool has_rounds(const struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        for (size_t k = 0; k < groups->items[i].count; k++)
            if (json_array_size(json_object_get(groups->items[i].trials[k], "rounds")) >=
                STEADY_WINDOW)
                return true;
    return false;
}

static void consider(struct buyer_sustained *sustained, const struct group *group,
                     const json_t *steady, const struct asked *asked)
{
    const json_t *finding = finding_of(steady, group);
    const char *verdict = json_text_at(finding, "verdict");
    double rate = json_number_at(finding, "sustained_commits_per_s");
    double ms = sustained_percentile(group, asked->slo_percentile);
    if (!(rate > 0))
        rate = last_rounds_median(group, "commits_per_s");
    sustained->has_rounds |= rate > 0;
    if (asked->slo_percentile && !(ms <= asked->slo_ms))
        return;
    struct buyer_choice before = sustained->choice;
    take_higher(&sustained->choice, group, rate);
    if (sustained->choice.group == before.group)
        return;
    sustained->percentile_ms = ms;
    bool judged = verdict && strcmp(verdict, "undetermined") != 0;
    sustained->steady = judged ? strcmp(verdict, "steady") == 0 : ended_steady(group);
}

void buyer_rate_sustained(const struct evidence *evidence, struct buyer_sustained *sustained)
{
    struct contest contest = {.one_stream = false};
    *sustained = (struct buyer_sustained){.choice = {NULL, NAN}, .percentile_ms = NAN};
    if (!has_rounds(evidence->groups) || !contest_open(&contest, evidence->groups))
        return;
    for (size_t i = 0; i < evidence->groups->count; i++)
        if (is_in(&contest, &evidence->groups->items[i]))
            consider(sustained, &evidence->groups->items[i], evidence->steady, &evidence->asked);
}

const char *buyer_rate_words(const struct group *group)
{
    switch (standing_of(group)) {
    case STANDING_FLUSHED:
        return "flushed commits/s";
    case STANDING_UNFLUSHED:
        return "commits/s, not durable,";
    default:
        return "commits/s";
    }
}
