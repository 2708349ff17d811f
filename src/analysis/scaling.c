#include "analysis/scaling.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding.h"
#include "analysis/knee.h"
#include "base/format.h"
#include "result/put.h"
#include "stats/usl.h"

#define SLOWER       1.10 /* p99 times what is worth a word */
#define SAME_MARGIN  0.05
#define MISFIT       0.15 /* a law that is off by more explains nothing */
#define WORTH_A_WORD 1.03 /* what more streams gain: less is noise */

enum {
    REPEATS_FOR_INTERVAL = 6, /* pairs: with fewer no interval has 95% */
    TIMES_SHOWN = 12,         /* more in a line nobody reads */
    FITS_MOST = 100,          /* a bound for strange files: a fit costs milliseconds */
    FIT_POINTS_MOST = 1000    /* likewise */
};

static const char *const verdicts[] = {
    [KNEE_UNDETERMINED] = "undetermined",
    [KNEE_FOUND] = "knee",
    [KNEE_RISING] = "rising",
    [KNEE_FLAT] = "flat",
    [KNEE_FALLING] = "falling",
};

/* ---- members ---- */

static json_t *points_json(const struct ladder *ladder)
{
    json_t *points = json_array();
    for (size_t i = 0; i < ladder->count; i++) {
        const struct rung *rung = &ladder->rungs[i];
        json_t *point = json_object();
        put_count(point, "streams", rung->streams);
        for (int rate = 0; rate < RATES; rate++)
            put_real(point, rate_names[rate], rung->rates[rate]);
        put_real(point, "flushes_per_s", rung->flushes_per_s);
        put_real(point, "p50_ms", rung->p50_ms);
        put_real(point, "p99_ms", rung->p99_ms);
        put_real(point, "elapsed_s", rung->elapsed_s);
        put_real(point, "elapsed_ratio", rung->elapsed_ratio);
        put_real(point, "trial_elapsed_s", rung->trial_elapsed_s);
        put_real(point, "trial_elapsed_ratio", rung->trial_elapsed_ratio);
        put_count(point, "repeats", (double)rung->group->count);
        json_array_append_new(points, point);
    }
    return points;
}

static json_t *knee_json(const struct ladder *ladder, const struct knee *knee)
{
    struct median median;
    if (knee->verdict == KNEE_UNDETERMINED || knee->verdict == KNEE_RISING)
        return NULL;
    json_t *object = json_object();
    ladder_median(knee->at, ladder->main, &median);
    put_count(object, "streams", knee->at->streams);
    put_real(object, "commits_per_s", knee->at->rates[RATE_COMMITS]);
    put_real(object, "rows_per_s", knee->at->rates[RATE_ROWS]);
    put_real(object, "low", median.low);
    put_real(object, "high", median.high);
    put_real(object, "gain_beyond", knee->gain.ratio);
    put_real(object, "gain_low", knee->gain.low);
    put_real(object, "gain_high", knee->gain.high);
    put_real(object, "p99_beyond", knee->p99_beyond);
    return object;
}

static json_t *plateau_json(const struct plateau *plateau)
{
    if (!plateau->from)
        return NULL;
    json_t *object = json_object(), *rises = json_object();
    put_text(object, "of", rate_names[plateau->still]);
    put_count(object, "streams", plateau->from->streams);
    put_count(object, "to_streams", plateau->to->streams);
    put_real(object, "from", plateau->from->whole[plateau->still]);
    put_real(object, "to", plateau->to->whole[plateau->still]);
    put_real(object, "ratio", plateau->still_ratio);
    put_text(rises, "of", rate_names[plateau->rises]);
    put_real(rises, "from", plateau->from->whole[plateau->rises]);
    put_real(rises, "to", plateau->to->whole[plateau->rises]);
    put_real(rises, "ratio", plateau->rises_ratio);
    put(object, "rises", rises);
    return object;
}

static json_t *value_json(const struct usl_value *value)
{
    json_t *object = json_object();
    put_real(object, "value", value->value);
    put_real(object, "low", value->low);
    put_real(object, "high", value->high);
    return object;
}

static json_t *usl_json(const struct usl *usl, const double *residuals, size_t count)
{
    if (!usl->fitted)
        return NULL;
    json_t *object = json_object(), *list = json_array();
    put(object, "gamma", value_json(&usl->gamma));
    put(object, "alpha", value_json(&usl->alpha));
    put(object, "beta", value_json(&usl->beta));
    put(object, "peak_streams", value_json(&usl->peak_streams));
    put(object, "peak_rate", value_json(&usl->peak_rate));
    put_real(object, "residual", usl->residual);
    put(object, "fits", json_boolean(usl->residual <= MISFIT));
    put_count(object, "points", (double)usl->points);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_measured(residuals[i]));
    put(object, "residuals", list);
    return object;
}

/* Puts "usl".  Few numbers of streams: usl->fitted is false. */
static void put_usl(json_t *finding, const struct ladder *ladder, bool may_fit, struct usl *usl)
{
    size_t count = may_fit && ladder->count <= FIT_POINTS_MOST ? ladder->count : 0;
    double *all = calloc(3 * count + 1, sizeof *all);
    if (!all)
        abort();
    double *streams = all, *rates = all + count, *residuals = all + 2 * count;
    for (size_t i = 0; i < count; i++) {
        streams[i] = ladder->rungs[i].streams;
        rates[i] = ladder->rungs[i].rates[ladder->main];
    }
    usl_fit(streams, rates, count, EVIDENCE_SEED, usl, residuals);
    put(finding, "usl", usl_json(usl, residuals, count));
    free(all);
}

/* ---- sentences ---- */

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

static const char *unit_of(const struct ladder *ladder)
{
    return ladder->main == RATE_ROWS ? "rows" : "commits";
}

struct words {
    char text[192];
};

/* "12,300 flushed commits/s (12,000-12,500)" */
static const char *words_of(const struct ladder *ladder, const struct rung *rung,
                            struct words *words)
{
    struct format_text rate, interval;
    struct median median;
    ladder_median(rung, ladder->main, &median);
    snprintf(words->text, sizeof words->text, "%s %s%s",
             format_digits(&rate, rung->rates[ladder->main]),
             ladder->main == RATE_ROWS ? "rows/s" : ladder_commits(rung->group),
             ladder_interval(&interval, median.low, median.high));
    return words->text;
}

static void say_verdict(json_t *finding, const struct ladder *ladder, const struct knee *knee)
{
    struct words words;
    const struct rung *rung = knee->verdict == KNEE_RISING ? knee->last : knee->at;
    if (knee->verdict == KNEE_UNDETERMINED)
        return;
    words_of(ladder, rung, &words);
    switch (knee->verdict) {
    case KNEE_UNDETERMINED:
        return;
    case KNEE_FOUND:
        finding_say(finding, "knee at %.0f stream%s: %s", rung->streams, plural(rung->streams),
                    words.text);
        break;
    case KNEE_RISING:
        finding_say(finding, "no knee up to %.0f streams: %s, %.0f%% more than at %.0f",
                    rung->streams, words.text,
                    (rung->rates[ladder->main] / knee->before->rates[ladder->main] - 1) * 100,
                    knee->before->streams);
        break;
    case KNEE_FLAT:
        finding_say(finding, "flat: %.0f stream%s carr%s %s, %s", rung->streams,
                    plural(rung->streams), rung->streams == 1 ? "ies" : "y",
                    knee->gain.ratio > WORTH_A_WORD ? "nearly all" : "it all", words.text);
        break;
    case KNEE_FALLING:
        finding_say(finding, "falling: %s at %.0f stream%s, %.0f carry less", words.text,
                    rung->streams, plural(rung->streams), knee->last->streams);
        break;
    }
    ladder_label(finding, "");
}

static int decimals(double value)
{
    return value < 2.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* "x1.05 (1.01-1.09)" */
static const char *times(struct format_text *out, const struct ratio *ratio)
{
    if (isfinite(ratio->low) && isfinite(ratio->high))
        snprintf(out->text, sizeof out->text, "x%.2f (%.2f-%.2f)", ratio->ratio, ratio->low,
                 ratio->high);
    else
        snprintf(out->text, sizeof out->text, "x%.2f", ratio->ratio);
    return out->text;
}

static void say_beyond(json_t *finding, const struct ladder *ladder, const struct knee *knee)
{
    struct format_text gain, from;
    char p99[48] = "";
    if (knee->verdict == KNEE_UNDETERMINED)
        return;
    if (!isnan(knee->p99_beyond))
        snprintf(p99, sizeof p99, ", x%.*f p99", knee->p99_beyond < 99.95, knee->p99_beyond);
    from.text[0] = 0;
    if (knee->verdict == KNEE_RISING)
        snprintf(from.text, sizeof from.text, "%.0f to ", knee->first->streams);
    bool slower = knee->verdict != KNEE_RISING && knee->p99_beyond > SLOWER;
    finding_say(finding, "%s%.0f streams: %s %s%s%s", from.text, knee->last->streams,
                times(&gain, &knee->gain), unit_of(ladder), p99, slower ? ": not worth it" : "");
    ladder_label(finding, knee->verdict == KNEE_RISING ? "gain" : "beyond");
}

static void say_plateau(json_t *finding, const struct ladder *ladder, const struct plateau *plateau)
{
    if (!plateau->from)
        return;
    const char *of = group_log_apart(plateau->from->group) ? " to the tables' drive" : "";
    double still = (plateau->still_ratio - 1) * 100, rise = (plateau->rises_ratio - 1) * 100;
    if (plateau->still == RATE_WRITES)
        finding_say(finding,
                    "%s/s still rise %.0f%% from %.0f to %.0f streams; writes/s%s %.0f%%: this "
                    "plateau of IOPS is not the database's ceiling",
                    unit_of(ladder), rise, plateau->from->streams, plateau->to->streams, of, still);
    else
        finding_say(finding, "writes/s%s still rise %.0f%% from %.0f to %.0f streams; %s %.0f%%",
                    of, rise, plateau->from->streams, plateau->to->streams, unit_of(ladder), still);
    ladder_label(finding, plateau->still == RATE_WRITES ? "IOPS" : "not IOPS");
}

enum time_kind { TIME_PHASE, TIME_TRIAL, TIME_OF_RATES };

static double time_of(const struct ladder *ladder, const struct rung *rung, enum time_kind kind)
{
    const struct rung *first = ladder->rungs;
    switch (kind) {
    case TIME_PHASE:
        return rung->elapsed_ratio;
    case TIME_TRIAL:
        return rung->trial_elapsed_ratio;
    case TIME_OF_RATES:
        break;
    }
    double same = rung->rates[RATE_ROWS] / first->rates[RATE_ROWS];
    return rung->streams / first->streams / same;
}

/* "4.1 8.4 12.2"; or false: one is not known, or there are too many. */
static bool list_times(const struct ladder *ladder, enum time_kind kind, struct words *words)
{
    size_t used = 0;
    words->text[0] = 0;
    if (ladder->count < 2 || ladder->count > TIMES_SHOWN)
        return false;
    for (size_t i = 1; i < ladder->count; i++) {
        double value = time_of(ladder, &ladder->rungs[i], kind);
        if (!isfinite(value) || used >= sizeof words->text)
            return false;
        used += (size_t)snprintf(words->text + used, sizeof words->text - used, "%s%.*f",
                                 i > 1 ? " " : "", decimals(value), value);
    }
    return used < sizeof words->text;
}

/* The same for every phase of a trial, so only the first one says it. */
static bool is_first_phase(const struct group *group)
{
    const json_t *phases = json_object_get(group->trials[0], "phases");
    const char *first = json_text_at(json_array_get(phases, 0), "name");
    return first && json_array_size(phases) > 1 && strcmp(first, group->phase) == 0;
}

static void say_times(json_t *finding, const struct ladder *ladder)
{
    struct words phase, trial;
    if (ladder->count < 2 || ladder->is_search)
        return;
    const struct rung *first = ladder->rungs;
    bool measured = list_times(ladder, TIME_PHASE, &phase);
    if (!measured && !list_times(ladder, TIME_OF_RATES, &phase))
        return;
    bool whole = measured && is_first_phase(first->group) && list_times(ladder, TIME_TRIAL, &trial);
    finding_say(finding, "time(N)/time(%.0f), same rows a stream%s: %s%s%s", first->streams,
                measured ? "" : ", by the rates", phase.text,
                whole ? "; all phases together: " : "", whole ? trial.text : "");
    ladder_label(finding, "time");
}

/* Nothing, or so little that no digit of it is worth reading. */
static const char *percent(struct format_text *out, double value)
{
    const double least = 0.0001;
    if (value > 0 && value < least)
        snprintf(out->text, sizeof out->text, "<0.01");
    else if (value == 0)
        snprintf(out->text, sizeof out->text, "0");
    else if (value < 0.1)
        format_fixed(out, value * 100, 2);
    else
        format_digits(out, value * 100);
    return out->text;
}

/* "4.10% (3.00-5.20)" */
static const char *share(struct words *words, const struct usl_value *value)
{
    struct format_text middle, low, high;
    /* A bootstrap may go beyond what a share can be. */
    snprintf(words->text, sizeof words->text, "%s%% (%s-%s)", percent(&middle, value->value),
             percent(&low, value->low), percent(&high, fmin(value->high, 1)));
    return words->text;
}

static void say_usl(json_t *finding, const struct ladder *ladder, const struct usl *usl)
{
    struct format_text rate;
    struct words contention, coherency, peak;
    if (!usl->fitted)
        return;
    if (!(usl->residual <= MISFIT)) {
        finding_say(finding, "no scalability law fits: the nearest is off by %.0f%%",
                    usl->residual * 100);
        ladder_label(finding, "law");
        return;
    }
    format_digits(&rate, usl->peak_rate.value);
    double most = ladder->rungs[ladder->count - 1].streams;
    if (isfinite(usl->peak_streams.value))
        snprintf(peak.text, sizeof peak.text, "peak of %s %s/s at %.0f streams%s", rate.text,
                 unit_of(ladder), usl->peak_streams.value,
                 usl->peak_streams.value > most ? ", not tried" : "");
    else if (isfinite(usl->peak_rate.value))
        snprintf(peak.text, sizeof peak.text, "no peak, at most %s %s/s", rate.text,
                 unit_of(ladder));
    else
        snprintf(peak.text, sizeof peak.text, "no peak");
    finding_say(finding, "scalability law: contention %s, coherency %s; %s; fits within %.1f%%",
                share(&contention, &usl->alpha), share(&coherency, &usl->beta), peak.text,
                usl->residual * 100);
    ladder_label(finding, "law");
}

/* ---- certainty ---- */

static void add_repeats(const struct knee *knee, char *text, size_t size)
{
    struct ratio_more more;
    if (knee->verdict == KNEE_RISING) {
        snprintf(text, size, "more than %.0f streams would show where it ends",
                 knee->last->streams);
        return;
    }
    if (knee->gain.count_a < 2) {
        snprintf(text, size, "run.repeats = %d would give intervals", REPEATS_FOR_INTERVAL);
        return;
    }
    if (ratio_judge(&knee->gain, SAME_MARGIN) != RATIO_UNDETERMINED)
        return;
    ratio_more(&knee->gain, RATIO_PAIRED, SAME_MARGIN, &more);
    bool differ = more.to_differ && (more.to_differ <= more.to_same || !more.to_same);
    size_t least = differ ? more.to_differ : more.to_same;
    if (least >= RATIO_MORE_MAX)
        snprintf(text, size, "no number of repeats would separate %.0f from %.0f streams",
                 knee->at->streams, knee->last->streams);
    else if (least > 0)
        snprintf(text, size, "%zu repeat%s more would %s %.0f %s %.0f streams%s", least,
                 plural((double)least), differ ? "separate" : "show", knee->at->streams,
                 differ ? "from" : "and", knee->last->streams, differ ? "" : " to be the same");
}

/* What more streams or repeats would tell is for a search's own finding to say (ceiling.h). */
static void doubt(json_t *finding, const struct ladder *ladder, const struct knee *knee,
                  const struct usl *usl)
{
    char repeats[128] = "", points[128] = "";
    if (knee->verdict == KNEE_UNDETERMINED) {
        finding_doubt(finding, "rates at two numbers of streams at least are needed; %zu known",
                      knee->known);
        return;
    }
    if (!ladder->is_search)
        add_repeats(knee, repeats, sizeof repeats);
    if (!usl->fitted && usl->points > 0 && usl->points < USL_POINTS_MIN)
        snprintf(points, sizeof points, "a scalability law needs %zu more number%s of streams",
                 USL_POINTS_MIN - usl->points, plural((double)(USL_POINTS_MIN - usl->points)));
    if (*repeats || *points)
        finding_doubt(finding, "%s%s%s", repeats, *repeats && *points ? "; " : "", points);
}

static json_t *ladder_json(const struct ladder *ladder, bool may_fit, bool *fitted)
{
    static const char *const left_out[] = {"streams", NULL};
    json_t *finding = finding_create(ladder->rungs[0].group, left_out);
    struct knee knee;
    struct plateau plateau;
    struct usl usl;
    knee_find(ladder, &knee);
    knee_plateau(ladder, &plateau);
    /* What the verdict calls flat is not said to rise, though whole phases with their tails may. */
    if (knee.verdict == KNEE_FLAT && plateau.from && plateau.rises == ladder->main)
        plateau.from = NULL;
    put_text(finding, "rate", rate_names[ladder->main]);
    put(finding, "search", json_boolean(ladder->is_search));
    put(finding, "points", points_json(ladder));
    put(finding, "knee", knee_json(ladder, &knee));
    put(finding, "plateau", plateau_json(&plateau));
    put_usl(finding, ladder, may_fit, &usl);
    *fitted = usl.fitted;
    if (ladder->spoilt) {
        finding_doubt(finding, "%s", ladder->spoilt);
        return finding;
    }
    finding_judge(finding, verdicts[knee.verdict]);
    say_verdict(finding, ladder, &knee);
    say_beyond(finding, ladder, &knee);
    say_plateau(finding, ladder, &plateau);
    say_times(finding, ladder);
    say_usl(finding, ladder, &usl);
    doubt(finding, ladder, &knee, &usl);
    return finding;
}

json_t *scaling_json(const struct evidence *evidence)
{
    struct alongs alongs;
    json_t *list = json_array();
    size_t fits = 0;
    alongs_init(&alongs, evidence->groups, "streams");
    for (size_t i = 0; i < alongs.count; i++) {
        struct ladder ladder;
        bool fitted = false;
        ladder_init(&ladder, &alongs.items[i]);
        if (ladder.count >= 2)
            json_array_append_new(list, ladder_json(&ladder, fits < FITS_MOST, &fitted));
        fits += fitted;
        ladder_release(&ladder);
    }
    alongs_release(&alongs);
    return findings_json(list);
}
