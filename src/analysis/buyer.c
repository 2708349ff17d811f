#include "analysis/buyer.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/buyer_point.h"
#include "analysis/buyer_rate.h"
#include "analysis/buyer_worth.h"
#include "analysis/flush_honesty.h"
#include "analysis/number.h"
#include "analysis/place.h"
#include "result/keys.h"
#include "result/put.h"

struct buyer {
    const struct evidence *evidence;
    json_t *points;
    struct buyer_choice one_stream, highest, under_slo;
    struct buyer_sustained sustained;
    double best_ms; /* lowest percentile that the service level is about */
};

static json_t *choice_json(const struct buyer_choice *choice)
{
    const struct group *group = choice->group;
    struct spread spread;
    json_t *object = json_object();
    group_rate(group, "commits_per_s", &spread);
    bool repeated = spread.count > 1;
    put_text(object, "part", group->part);
    put_text(object, "phase", group->phase);
    put(object, "factors", group->factors ? json_deep_copy(group->factors) : json_object());
    put_number(object, "streams", group_median(group, "stream_count"));
    put_real(object, "commits_per_s", choice->commits_per_s);
    put_real(object, "low", repeated ? spread.low : NAN);
    put_real(object, "high", repeated ? spread.high : NAN);
    put_count(object, "repeats", (double)group->count);
    return object;
}

static const char *p99_words(char *text, size_t size, double ms)
{
    struct format_text shown;
    if (isnan(ms))
        snprintf(text, size, "unknown (too few)");
    else
        snprintf(text, size, "%s ms", number_ms(&shown, ms));
    return text;
}

static json_t *one_stream_json(struct buyer *b)
{
    const struct group *group = b->one_stream.group;
    struct format_text rate, rows, p50, low, high;
    char place[PLACE_TEXT], p99[64];
    if (!group) {
        buyer_point(b->points, "commits",
                    "no flushed commits at one stream were measured: "
                    "--streams 1 with settings that flush at each commit "
                    "shows what a single writer gets");
        return NULL;
    }
    double p50_ms = buyer_rate_percentile(group, "p50");
    double p99_ms = buyer_rate_percentile(group, "p99");
    double rows_per_commit = place_rows_per_commit(group);
    json_t *object = choice_json(&b->one_stream);
    put_real(object, "p50_ms", p50_ms);
    put_real(object, "p99_ms", p99_ms);
    place_write(group, place);
    double from = json_number_at(object, "low"), to = json_number_at(object, "high");
    bool ranged = !isnan(from) && !isnan(to);
    buyer_point(b->points, "commits",
                "%s flushed commits/s%s%s%s%s%s of %s row%s, %s; p50 %s ms, p99 %s",
                format_digits(&rate, b->one_stream.commits_per_s), ranged ? " (" : "",
                ranged ? format_digits(&low, from) : "", ranged ? "-" : "",
                ranged ? format_digits(&high, to) : "", ranged ? ")" : "",
                format_grouped(&rows, rows_per_commit), rows_per_commit == 1 ? "" : "s", place,
                number_ms(&p50, p50_ms), p99_words(p99, sizeof p99, p99_ms));
    return object;
}

static json_t *slo_json(const struct asked *asked, double percentile_ms)
{
    if (!asked->slo_percentile)
        return NULL;
    json_t *object = json_object();
    put_text(object, "percentile", asked->slo_percentile);
    put_real(object, "ms", asked->slo_ms);
    put_real(object, "percentile_ms", percentile_ms);
    return object;
}

/* As a person wrote it: 10, 0.5, 1500. */
static const char *limit_text(struct format_text *out, double ms)
{
    snprintf(out->text, sizeof out->text, "%.15g", ms);
    return out->text;
}

/* " with p99 at most 10 ms (6.2 ms)", or "". */
static void write_slo(const struct asked *asked, double percentile_ms, char *text, size_t size)
{
    struct format_text limit, ms;
    text[0] = 0;
    if (asked->slo_percentile)
        snprintf(text, size, " with %s at most %s ms (%s ms)", asked->slo_percentile,
                 limit_text(&limit, asked->slo_ms), number_ms(&ms, percentile_ms));
}

static bool asked_for_steady(const struct buyer *b)
{
    const struct group *group = b->sustained.choice.group;
    const char *until = keys_text(group->summary, group->trials[0], "workload.until");
    return until && strcmp(until, "steady") == 0;
}

static json_t *sustained_json(struct buyer *b)
{
    const struct asked *asked = &b->evidence->asked;
    const struct buyer_sustained *s = &b->sustained;
    struct format_text rate, limit;
    char place[PLACE_TEXT], slo[96];
    if (!s->choice.group) {
        if (s->has_rounds)
            buyer_point(b->points, "sustained",
                        "nothing lasts within the service level: in the last rounds %s was above "
                        "%s ms",
                        asked->slo_percentile, limit_text(&limit, asked->slo_ms));
        else
            buyer_point(b->points, "sustained",
                        "sustained load unknown: the run was too short to tell; --until steady "
                        "measures it");
        return NULL;
    }
    place_write(s->choice.group, place);
    write_slo(asked, s->percentile_ms, slo, sizeof slo);
    buyer_point(b->points, "sustained", "%s %s%s, %s: %s",
                format_digits(&rate, s->choice.commits_per_s), buyer_rate_words(s->choice.group),
                slo, place,
                s->steady             ? "steady state reached"
                : asked_for_steady(b) ? "where it ended; steady state was NOT REACHED"
                                      : "where it ended; --until steady tells whether that lasts");
    json_t *object = choice_json(&s->choice);
    /* The range is that of whole phases. */
    put(object, "low", NULL);
    put(object, "high", NULL);
    put(object, "steady", json_boolean(s->steady));
    put(object, "slo", slo_json(asked, s->percentile_ms));
    return object;
}

static json_t *under_slo_json(struct buyer *b)
{
    const struct asked *asked = &b->evidence->asked;
    struct format_text rate, limit, best;
    char place[PLACE_TEXT], slo[96];
    if (!asked->slo_percentile)
        return NULL;
    if (!b->under_slo.group) {
        if (isnan(b->best_ms))
            buyer_point(b->points, "slo", "%s is not known: too few transactions",
                        asked->slo_percentile);
        else
            buyer_point(b->points, "slo",
                        "no combination keeps %s within %s ms: the best has %s ms",
                        asked->slo_percentile, limit_text(&limit, asked->slo_ms),
                        number_ms(&best, b->best_ms));
        return NULL;
    }
    double ms = buyer_rate_percentile(b->under_slo.group, asked->slo_percentile);
    place_write(b->under_slo.group, place);
    write_slo(asked, ms, slo, sizeof slo);
    buyer_point(b->points, "slo", "%s %s%s, %s: whole phases, a burst",
                format_digits(&rate, b->under_slo.commits_per_s),
                buyer_rate_words(b->under_slo.group), slo, place);
    json_t *object = choice_json(&b->under_slo);
    put(object, "slo", slo_json(asked, ms));
    return object;
}

/* What the drive is bought for: what lasts, else what the service level allows, else one stream's
 * commits, else whatever was highest. */
static const struct buyer_choice *load_of(const struct buyer *b)
{
    if (b->sustained.choice.group)
        return &b->sustained.choice;
    if (b->under_slo.group)
        return &b->under_slo;
    return b->one_stream.group ? &b->one_stream : &b->highest;
}

/* One rating and one price belong to one drive. */
static void put_worth(json_t *object, struct buyer *b)
{
    const struct asked *asked = &b->evidence->asked;
    const struct buyer_choice *load = load_of(b);
    bool lasts = load == &b->sustained.choice && b->sustained.steady;
    bool one = json_array_size(json_object_get(b->evidence->summary, "targets")) <= 1;
    if (one) {
        put(object, "endurance", buyer_worth_endurance(asked, load, b->points));
        put(object, "price",
            buyer_worth_price(asked, load, lasts ? BUYER_SUSTAINED : BUYER_BURST, b->points));
        return;
    }
    put(object, "endurance", NULL);
    put(object, "price", NULL);
    if (!isnan(asked->tbw_bytes) || !isnan(asked->price))
        buyer_point(b->points, isnan(asked->price) ? "endurance" : "price",
                    "not told: --tbw and --price are of one drive, and this result has several "
                    "targets; run each by itself");
}

static json_t *sentences_of(const json_t *points)
{
    json_t *sentences = json_array();
    size_t index;
    const json_t *point;
    json_array_foreach(points, index, point)
        json_array_append(sentences, json_object_get(point, "sentence"));
    return sentences;
}

json_t *buyer_json(const struct evidence *evidence)
{
    struct buyer b = {.evidence = evidence, .points = json_array()};
    buyer_rate_one_stream(evidence->groups, &b.one_stream);
    buyer_rate_highest(evidence->groups, &b.highest);
    if (!b.highest.group) {
        json_decref(b.points);
        return NULL;
    }
    buyer_rate_under_slo(evidence->groups, &evidence->asked, &b.under_slo, &b.best_ms);
    buyer_rate_sustained(evidence, &b.sustained);
    json_t *object = json_object();
    put(object, "flushed_at_one_stream", one_stream_json(&b));
    put(object, "sustained", sustained_json(&b));
    put(object, "under_slo", under_slo_json(&b));
    put(object, "flush_honesty", flush_honesty_json(evidence->groups, b.points));
    put_worth(object, &b);
    put(object, "thermal", buyer_worth_thermal(evidence->groups, b.points));
    put(object, "sentences", sentences_of(b.points));
    put(object, "points", b.points);
    return object;
}
