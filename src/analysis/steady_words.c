#include "analysis/steady_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding.h"
#include "analysis/number.h"
#include "analysis/standing.h"
#include "result/put.h"

enum { SHOWN_LEVELS = 6 };
#define SLOW_SHARE 0.5 /* of the median: a second worth a word */

static void say(json_t *finding, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void say(json_t *finding, const char *label, const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        abort();
    va_end(args);
    finding_say(finding, "%s", text);
    json_array_append_new(json_object_get(finding, "labels"), json_text(label));
    free(text);
}

/* Above what is allowed as the reasons say it: never so that it reads like what is allowed. */
static const char *write_share(struct format_text *out, double share, double most)
{
    if (!(share > most))
        return number_percent(out, share);
    snprintf(out->text, sizeof out->text, "%.0f%%", ceil(share * 100));
    return out->text;
}

/* "range 3.6%, trend 1.5%" */
static void write_window(const struct steady *window, char text[64])
{
    struct format_text range, trend;
    snprintf(text, 64, "range %.24s, trend %.24s",
             write_share(&range, window->range, STEADY_RANGE_MAX),
             write_share(&trend, window->fit_range, STEADY_FIT_MAX));
}

static void say_window(json_t *finding, const struct steady_repeat *r)
{
    char commits[64], p99[64], tail[140] = "";
    struct format_text rate, ms;
    if (isnan(r->commits.range))
        return;
    write_window(&r->commits, commits);
    write_window(&r->p99, p99);
    if (!isnan(r->p99.range))
        snprintf(tail, sizeof tail, "; p99 %s ms, %s", number_ms(&ms, r->p99.average), p99);
    say(finding, "window", "%s commits/s over the last %d rounds, %s%s",
        format_digits(&rate, r->commits.average), STEADY_WINDOW, commits, tail);
}

/* "after 9 rounds, 187 GB" */
static void write_extent(const struct steady_repeat *r, char *text, size_t size)
{
    struct format_text bytes;
    size_t count = r->rule->count;
    double written = count > 0 ? r->rule->bytes_total[count - 1] : NAN;
    snprintf(text, size, isnan(written) ? "after %zu round%s" : "after %zu round%s, %s", count,
             count == 1 ? "" : "s", format_bytes(&bytes, written));
}

/* The run's own words where the rule holds by what is left of it. */
static const char *why_of(const struct steady_repeat *r)
{
    const char *own = json_text_at(r->trial, "steady.why");
    if (*r->rule->why)
        return r->rule->why;
    return own ? own : "the run itself found that it was not steady";
}

static void say_rule(json_t *finding, const struct steady_repeat *r)
{
    char extent[80];
    struct format_text bytes, seconds;
    write_extent(r, extent, sizeof extent);
    switch (r->verdict) {
    case STEADY_REACHED:
        say(finding, "rule", "reached %s (range up to %.0f%%, trend up to %.0f%%)", extent,
            STEADY_RANGE_MAX * 100, STEADY_FIT_MAX * 100);
        break;
    case STEADY_NOT_REACHED:
        say(finding, "rule", "NOT REACHED %s: %s", extent, why_of(r));
        break;
    case STEADY_BURST:
        format_seconds(&seconds, r->written_s);
        say(finding, "rule", "%s in %s says nothing of sustained load",
            format_bytes(&bytes, r->written_bytes), seconds.text);
        break;
    case STEADY_UNDETERMINED:
        if (r->rule->count >= STEADY_WINDOW)
            say(finding, "rule", "whether it was steady cannot be told %s: %s", extent,
                r->rule->why);
        break;
    }
}

/* "5-15, 20-22": the rounds at which it held. */
static void write_held(const struct rounds_rule *rule, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0, end; i < rule->count && used < size - 1; i = end + 1) {
        for (end = i; end < rule->count && rule->holds[end] == RULE_YES;)
            end++;
        if (end == i)
            continue;
        const char *comma = used > 0 ? ", " : "";
        used += (size_t)(end == i + 1
                             ? snprintf(text + used, size - used, "%s%zu", comma, end)
                             : snprintf(text + used, size - used, "%s%zu-%zu", comma, i + 1, end));
    }
}

/* It held, and then no more. */
static void say_lost(json_t *finding, const struct steady_repeat *r)
{
    char held[64];
    write_held(r->rule, held, sizeof held);
    if (r->verdict == STEADY_NOT_REACHED && *held)
        say(finding, "lost", "the rule held at rounds %s and no more at the end", held);
}

static void add_cause(char *text, size_t size, const json_t *cause)
{
    const char *evidence = json_text_at(cause, "evidence");
    if (!cause)
        text[0] = '\0';
    else if (json_is_string(json_object_get(cause, "cause")))
        snprintf(text, size, "; seen with it: %s", evidence ? evidence : "-");
    else
        snprintf(text, size, evidence ? "; no cause seen (%s)" : "; no cause seen", evidence);
}

static double highest_before(const struct levels *levels, size_t level)
{
    double highest = 0;
    for (size_t i = 0; i < level; i++)
        highest = fmax(highest, levels->items[i].commits_per_s);
    return highest;
}

static void say_cliff(json_t *finding, const struct steady_repeat *r, const json_t *cause)
{
    struct format_text bytes, time, from, to, last, share;
    char why[280], where[120], sustained[120] = "";
    add_cause(why, sizeof why, cause);
    format_seconds(&time, r->cliff_s);
    format_digits(&from, highest_before(&r->levels, r->levels.cliff));
    format_digits(&to, r->levels.items[r->levels.cliff].commits_per_s);
    if (isnan(r->cliff_bytes))
        snprintf(where, sizeof where, "%s", time.text);
    else
        snprintf(where, sizeof where, "%s (%s)", format_bytes(&bytes, r->cliff_bytes), time.text);
    if (r->burst > 0 && r->sustained >= 0)
        snprintf(sustained, sizeof sustained, "; sustained %s, %s of the burst",
                 format_digits(&last, r->sustained),
                 number_percent(&share, r->sustained / r->burst));
    say(finding, "cliff", "after %s commits/s fell from %s to %s for good%s%s", where, from.text,
        to.text, sustained, why);
}

static void say_levels(json_t *finding, const struct steady_repeat *r)
{
    char list[SHOWN_LEVELS * 24] = "";
    size_t used = 0;
    for (size_t i = 0; i < r->levels.count && i < SHOWN_LEVELS; i++) {
        struct format_text rate;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                                 format_digits(&rate, r->levels.items[i].commits_per_s));
        if (used >= sizeof list)
            break;
    }
    say(finding, "levels", "commits/s changed %zu time%s: %s%s", r->levels.count - 1,
        r->levels.count == 2 ? "" : "s", list, r->levels.count > SHOWN_LEVELS ? ", ..." : "");
}

static void say_slow(json_t *finding, const struct steady_repeat *r)
{
    struct format_text worst, at, median, share;
    if (!r->worst || r->joined.count < LEVELS_SECONDS ||
        !(r->worst->commits_per_s < SLOW_SHARE * r->median))
        return;
    say(finding, "slow",
        "worst second %s commits/s at %s, of %s in the median; %s of the time below "
        "half of that",
        format_digits(&worst, r->worst->commits_per_s), format_seconds(&at, r->worst->at_s),
        format_digits(&median, r->median), number_percent(&share, r->below_half));
}

static void say_stalls(json_t *finding, const struct steady_repeat *r)
{
    char text[64];
    struct format_text all, longest, at;
    if (r->stalls.total == 0)
        return;
    const char *device = stalls_device(&r->stalls.items[0], text);
    format_digits(&all, r->stalls.total_s);
    format_digits(&longest, r->stalls.items[0].seconds);
    format_seconds(&at, r->stalls.items[0].at_s);
    if (r->stalls.total == 1)
        say(finding, "stalls", "1 stall of %s s at %s: %s", longest.text, at.text,
            device ? device : "what the device did is unknown");
    else
        say(finding, "stalls", "%zu stalls, %s s in all; the longest %s s at %s: %s",
            r->stalls.total, all.text, longest.text, at.text,
            device ? device : "what the device did is unknown");
}

static void say_pause(json_t *finding, const struct steady_repeat *r)
{
    struct format_text pause, rate, before, burst;
    char of_burst[64] = "";
    if (!r->recovered)
        return;
    if (r->burst > 0)
        snprintf(of_burst, sizeof of_burst, ", %s of the burst",
                 number_percent(&burst, r->recovery.commits_per_s / r->burst));
    say(finding, "pause", "after a pause of %s %s commits/s, %s times the last round before it%s",
        format_seconds(&pause, r->recovery.pause_s),
        format_digits(&rate, r->recovery.commits_per_s),
        number_decimals(&before, r->recovery.of_before), of_burst);
}

static void doubt(json_t *finding, const struct steady_repeat *r)
{
    const char *ended = json_text_at(r->trial, "ended_by");
    if (r->itself == RULE_YES && r->verdict != STEADY_REACHED)
        finding_doubt(finding, "the run itself found that it was steady: its samples or rounds are "
                               "not all here");
    else if (r->verdict == STEADY_BURST)
        finding_doubt(finding, "--until steady runs rounds until it settles");
    else if (r->verdict == STEADY_NOT_REACHED && !r->rule->asked)
        finding_doubt(finding, "--until steady goes on until the rule holds");
    else if (r->verdict == STEADY_NOT_REACHED)
        finding_doubt(finding, "%s gives it more time",
                      ended && strcmp(ended, "write_bytes") == 0 ? "a larger limit.write_bytes"
                      : ended && strcmp(ended, "duration") == 0  ? "a longer workload.duration"
                                                                 : "a larger steady.rounds");
    else if (r->verdict == STEADY_REACHED && r->rule->change == RULE_UNKNOWN)
        finding_doubt(finding, "without samples a change of level inside the window is not seen");
    else if (r->verdict == STEADY_REACHED && standing_of(r->group) != STANDING_NO_DRIVE &&
             !(r->rule->bytes_total[r->rule->count - 1] >= r->rule->gate_bytes))
        finding_doubt(finding, "how much the drive took, or how large it is, is not known: all of "
                               "it may have gone into a cache");
}

void steady_words_say(json_t *finding, const struct steady_repeat *r, const json_t *cause)
{
    put(finding, "labels", json_array());
    say_rule(finding, r);
    say_window(finding, r);
    say_lost(finding, r);
    if (r->levels.cliff > 0)
        say_cliff(finding, r, cause);
    else if (r->levels.count > 1)
        say_levels(finding, r);
    say_slow(finding, r);
    say_stalls(finding, r);
    say_pause(finding, r);
    doubt(finding, r);
}

void steady_words_repeats(json_t *finding, size_t repeats, size_t steady)
{
    say(finding, "repeats", "%zu of %zu repeats were steady; all else is told of the first", steady,
        repeats);
}
