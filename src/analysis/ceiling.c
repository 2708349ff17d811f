#include "analysis/ceiling.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/finding.h"
#include "analysis/ladder.h"
#include "base/format.h"
#include "result/put.h"

#define GAIN_LEAST 1.03 /* what the search asks of a step */
#define FAR_APART  0.05 /* of the median: a mean that differs more is said beside it */
/* As far as this: commits come in bursts longer than a sample, or the step is hardly longer. */
#define TOO_FAR_APART 0.50
#define LEVEL         0.95

/* The ceiling of one rate. */
struct top {
    const struct rung *best, *fewest; /* the fewest streams that carry nearly as much; NULL */
    double mean;                      /* the best rung's rate over its whole time */
    struct median median;
    const char *of; /* what the interval is taken over: "intervals", "repeats", or NULL */
    size_t steps;   /* whose rate is known: one alone shows no trend */
    bool reached;
    bool coarse; /* median and mean of the samples have nothing to do with each other */
};

struct search_end {
    const char *name, *verdict;
    const char *key; /* that bounded the search */
};

/* What happened to several searches (repeats) is told by the one that comes last here. */
static const struct search_end ends[] = {
    {"found", "found", NULL},
    {"slo", "slo", NULL},
    {"streams", "bounded", "search.streams_max"},
    {"steps", "bounded", "search.steps"},
    {"time", "bounded", "search.time"},
    {"bytes", "bounded", "limit.write_bytes"},
    {"space", "bounded", "limit.free_space"},
};
enum { ENDS = sizeof ends / sizeof *ends };

/* NULL: no trial says how its search ended. */
static const struct search_end *end_of(const struct ladder *ladder)
{
    const struct search_end *last = NULL;
    for (size_t i = 0; i < ladder->count; i++)
        for (size_t k = 0; k < ladder->rungs[i].group->count; k++) {
            const char *end = json_text_at(ladder->rungs[i].group->trials[k], "search.end");
            for (size_t e = 0; end && e < ENDS; e++)
                if (strcmp(end, ends[e].name) == 0 && (!last || &ends[e] > last))
                    last = &ends[e];
        }
    return last;
}

/* ---- the ceiling of a rate ---- */

static void find_best(const struct ladder *ladder, enum rate rate, struct top *top)
{
    double before = NAN, last = NAN; /* the most with fewer streams than the last */
    for (size_t i = 0; i < ladder->count; i++) {
        const struct rung *rung = &ladder->rungs[i];
        double value = rung->rates[rate];
        if (isnan(value))
            continue;
        before = fmax(before, last);
        last = value;
        top->steps++;
        if (!top->best || value > top->mean) {
            top->best = rung;
            top->mean = value;
        }
    }
    top->reached = last < before * GAIN_LEAST;
    for (size_t i = 0; top->best && i < ladder->count; i++) {
        const struct rung *rung = &ladder->rungs[i];
        if (rung->streams < top->best->streams && rung->rates[rate] * GAIN_LEAST > top->mean) {
            top->fewest = rung;
            return;
        }
    }
}

static void find_median(const struct rates_index *index, enum rate rate, struct top *top)
{
    struct rates rates;
    ladder_median(top->best, rate, &top->median);
    if (top->best->group->count > 1) {
        top->of = isnan(top->median.low) ? NULL : "repeats";
        return;
    }
    rates_init(&rates, index, top->best->group);
    struct median median;
    median_series(rates.values[rate], rates.count, LEVEL, EVIDENCE_SEED, &median);
    rates_release(&rates);
    if (isnan(median.low)) /* too few samples */
        return;
    top->coarse = fabs(top->mean / median.value - 1) > TOO_FAR_APART;
    if (top->coarse) {
        top->median = (struct median){top->mean, NAN, NAN, median.count};
        return;
    }
    top->median = median;
    top->of = "intervals";
}

static void find_top(const struct ladder *ladder, const struct rates_index *index, enum rate rate,
                     struct top *top)
{
    *top = (struct top){.mean = NAN, .median = {NAN, NAN, NAN, 0}};
    find_best(ladder, rate, top);
    if (top->best)
        find_median(index, rate, top);
}

static json_t *top_json(const struct top *top)
{
    if (!top->best)
        return NULL;
    json_t *object = json_object();
    put_real(object, "value", top->median.value);
    put_real(object, "low", top->median.low);
    put_real(object, "high", top->median.high);
    put_count(object, "streams", top->best->streams);
    put(object, "reached", top->steps < 2 ? NULL : json_boolean(top->reached));
    put_real(object, "mean", top->mean);
    put_text(object, "interval_of", top->of);
    put_count(object, "values", (double)top->median.count);
    put_count(object, "fewest_streams", top->fewest ? top->fewest->streams : top->best->streams);
    return object;
}

/* ---- under the service level ---- */

struct level {
    const struct rung *best, *least; /* carries most under it; has the lowest percentile */
    double best_ms, least_ms;
};

static void find_level(const struct ladder *ladder, const struct asked *asked, struct level *level)
{
    char path[64];
    *level = (struct level){.best_ms = NAN, .least_ms = NAN};
    if (!asked->slo_percentile)
        return;
    snprintf(path, sizeof path, "latency_ms.transaction.%s", asked->slo_percentile);
    for (size_t i = 0; i < ladder->count; i++) {
        const struct rung *rung = &ladder->rungs[i];
        double ms = group_median(rung->group, path);
        if (isnan(ms))
            continue;
        if (!level->least || ms < level->least_ms) {
            level->least = rung;
            level->least_ms = ms;
        }
        double rate = rung->rates[ladder->main];
        if (ms > asked->slo_ms || isnan(rate) ||
            (level->best && rate <= level->best->rates[ladder->main]))
            continue;
        level->best = rung;
        level->best_ms = ms;
    }
}

static json_t *level_json(const struct level *level, const struct asked *asked)
{
    if (!level->best)
        return NULL;
    json_t *object = json_object();
    put_text(object, "percentile", asked->slo_percentile);
    put_real(object, "ms", asked->slo_ms);
    put_count(object, "streams", level->best->streams);
    put_real(object, "commits_per_s", level->best->rates[RATE_COMMITS]);
    put_real(object, "rows_per_s", level->best->rates[RATE_ROWS]);
    put_real(object, "percentile_ms", level->best_ms);
    return object;
}

static json_t *steps_json(const struct ladder *ladder)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < ladder->count; i++) {
        const struct rung *rung = &ladder->rungs[i];
        json_t *step = json_object();
        put_count(step, "streams", rung->streams);
        for (int rate = 0; rate < RATES; rate++)
            put_real(step, rate_names[rate], rung->rates[rate]);
        put_real(step, "p99_ms", rung->p99_ms);
        json_array_append_new(steps, step);
    }
    return steps;
}

/* ---- sentences ---- */

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

/* As it was given: "10", "2.5". */
static const char *limit_of(struct format_text *out, const struct asked *asked)
{
    snprintf(out->text, sizeof out->text, "%.6g", asked->slo_ms);
    return out->text;
}

struct words {
    char text[160];
};

/* "12,300 flushed commits/s (12,000-12,600) at 16 streams" */
static const char *words_of(const struct top *top, enum rate rate, struct words *words)
{
    struct format_text value, interval, mean;
    char also[64] = "";
    double apart = fabs(top->mean / top->median.value - 1);
    if (apart > FAR_APART)
        snprintf(also, sizeof also, ", mean %s,", format_digits(&mean, top->mean));
    const char *what = rate == RATE_ROWS      ? "rows/s"
                       : rate == RATE_COMMITS ? ladder_commits(top->best->group)
                                              : "data writes/s";
    snprintf(words->text, sizeof words->text, "%s %s%s%s at %.0f stream%s",
             format_digits(&value, top->median.value), what,
             ladder_interval(&interval, top->median.low, top->median.high), also,
             top->best->streams, plural(top->best->streams));
    return words->text;
}

/* What the steps with more streams say of it. */
static const char *trend_of(const struct top *top, const char *reached, const char *rising)
{
    return top->steps < 2 ? ": one step shows no trend" : top->reached ? reached : rising;
}

static void say_main(json_t *finding, const struct ladder *ladder, const struct top *top,
                     const struct search_end *end, const struct asked *asked)
{
    struct words words;
    struct format_text limit;
    words_of(top, ladder->main, &words);
    if (!end)
        finding_say(finding, "%s at most, before the search was cut off", words.text);
    else if (strcmp(end->verdict, "slo") == 0 && asked->slo_percentile)
        finding_say(finding, "%s at most; %s passed %s ms, which ended the search", words.text,
                    asked->slo_percentile, limit_of(&limit, asked));
    else if (strcmp(end->verdict, "slo") == 0)
        finding_say(finding, "%s at most; the service level was passed, which ended the search",
                    words.text);
    else if (end->key)
        finding_say(finding, "%s when %s ended the search%s", words.text, end->key,
                    trend_of(top, "; more streams gained less than 3%", ", still rising"));
    else
        finding_say(finding, "%s is the ceiling%s", words.text,
                    top->reached ? ": more streams gain less than 3%"
                                 : ", the most that was tried");
    ladder_label(finding, "");
}

static void say_other(json_t *finding, const char *label, enum rate rate, const struct top *top)
{
    struct words words;
    if (!top->best)
        return;
    finding_say(finding, "%s%s", words_of(top, rate, &words),
                trend_of(top, "", ": still rising with the streams"));
    ladder_label(finding, label);
}

static void say_fewest(json_t *finding, const struct ladder *ladder, const struct top *top)
{
    if (!top->fewest)
        return;
    finding_say(finding, "%.0f stream%s carr%s %.0f%% of it", top->fewest->streams,
                plural(top->fewest->streams), top->fewest->streams == 1 ? "ies" : "y",
                top->fewest->rates[ladder->main] / top->mean * 100);
    ladder_label(finding, "fewer");
}

static void say_level(json_t *finding, const struct ladder *ladder, const struct top *top,
                      const struct level *level, const struct asked *asked)
{
    struct format_text limit, rate, ms;
    if (!asked->slo_percentile)
        return;
    limit_of(&limit, asked);
    if (level->best && level->best == top->best)
        finding_say(finding, "%s within %s ms: kept at %.0f stream%s (%s ms)",
                    asked->slo_percentile, limit.text, top->best->streams,
                    plural(top->best->streams), format_digits(&ms, level->best_ms));
    else if (level->best)
        finding_say(finding, "%s within %s ms: %s %s at %.0f stream%s (%s %s ms)",
                    asked->slo_percentile, limit.text,
                    format_digits(&rate, level->best->rates[ladder->main]),
                    ladder->main == RATE_ROWS ? "rows/s" : ladder_commits(level->best->group),
                    level->best->streams, plural(level->best->streams), asked->slo_percentile,
                    format_digits(&ms, level->best_ms));
    else if (level->least)
        finding_say(finding,
                    "%s is within %s ms at no number of streams: the least is %s ms at %.0f",
                    asked->slo_percentile, limit.text, format_digits(&ms, level->least_ms),
                    level->least->streams);
    else
        finding_say(finding, "%s within %s ms: unknown, no step has enough transactions for it",
                    asked->slo_percentile, limit.text);
    ladder_label(finding, "SLO");
}

/* What the intervals are of, or how to get some. */
static void say_interval(json_t *finding, const struct top *top)
{
    if (!top->of)
        return;
    bool one_run = strcmp(top->of, "intervals") == 0;
    finding_say(finding, "95%% intervals of the median of %zu %s", top->median.count,
                one_run ? "samples of one run: they hold for this run alone" : "repeats");
    ladder_label(finding, "interval");
}

static void doubt(json_t *finding, const struct top *top, const struct search_end *end)
{
    enum { REPEATS = 6 }; /* from which on the median has an exact interval */
    size_t repeats = top->best ? top->best->group->count : 0;
    char more[96] = "";
    bool is_room = end && strcmp(end->name, "space") == 0; /* that limit is a floor */
    if (repeats > 0 && repeats < REPEATS)
        snprintf(more, sizeof more, "%zu repeats more of the search would show how runs differ",
                 REPEATS - repeats);
    if (top->coarse)
        finding_doubt(finding, "median and mean of the samples lie far apart: longer steps "
                               "(workload.rows, search.step) would tell");
    else if (!end)
        finding_doubt(finding, "the search was cut off: a whole one would name the ceiling");
    else if (end->key)
        finding_doubt(finding, "%s%s would let the search go on%s%s",
                      is_room ? "more free room than " : "a higher ", end->key, *more ? "; " : "",
                      more);
    else if (*more)
        finding_doubt(finding, "%s", more);
}

static json_t *search_json(const struct ladder *ladder, const struct rates_index *index,
                           const struct asked *asked)
{
    static const char *const left_out[] = {"streams", NULL};
    json_t *finding = finding_create(ladder->rungs[0].group, left_out);
    const struct search_end *end = end_of(ladder);
    struct top tops[RATES];
    struct level level;
    for (enum rate rate = RATE_ROWS; rate < RATES; rate++) {
        find_top(ladder, index, rate, &tops[rate]);
        put(finding, rate_names[rate], top_json(&tops[rate]));
    }
    const struct top *top = &tops[ladder->main];
    find_level(ladder, asked, &level);
    put_text(finding, "ended_by", end ? end->name : NULL);
    put(finding, "under_slo", level_json(&level, asked));
    put(finding, "steps", steps_json(ladder));
    if (!top->best || ladder->spoilt) {
        finding_doubt(finding, "%s", ladder->spoilt ? ladder->spoilt : "no step has a rate");
        return finding;
    }
    if (end && !top->coarse)
        finding_judge(finding, end->verdict);
    say_main(finding, ladder, top, end, asked);
    say_fewest(finding, ladder, top);
    if (ladder->rows_per_commit != 1) {
        enum rate other = ladder->main == RATE_ROWS ? RATE_COMMITS : RATE_ROWS;
        say_other(finding, other == RATE_ROWS ? "rows/s" : "commits/s", other, &tops[other]);
    }
    say_other(finding, "IOPS", RATE_WRITES, &tops[RATE_WRITES]);
    say_level(finding, ladder, top, &level, asked);
    say_interval(finding, top);
    doubt(finding, top, end);
    return finding;
}

json_t *ceiling_json(const struct evidence *evidence)
{
    struct alongs alongs;
    struct rates_index index;
    json_t *list = json_array();
    alongs_init_from(&alongs, evidence->groups, "streams", 1);
    rates_index_init(&index, evidence->courses);
    for (size_t i = 0; i < alongs.count; i++) {
        struct ladder ladder;
        ladder_init(&ladder, &alongs.items[i]);
        if (ladder.is_search)
            json_array_append_new(list, search_json(&ladder, &index, &evidence->asked));
        ladder_release(&ladder);
    }
    rates_index_release(&index);
    alongs_release(&alongs);
    return findings_json(list);
}
