#include "analysis/level_cause.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "result/figures.h"

#define NEAR_S      1.0 /* of an event to a change */
#define CHANCE_MOST 0.2 /* share of the time that is as near to an event: then it says nothing */
#define WAL_LOOK_S  10.0
#define WAL_MOST    0.8 /* of the time it grew, and at most 1 - this of the time it did not */

/* A change and what lies around it. */
struct scene {
    const struct joined *joined;
    const struct levels *levels;
    size_t change;
    const struct level *before, *after;
    const struct joined_second *at; /* the first second of the new level */
};

static bool is_fall(const struct levels *levels, size_t change)
{
    return levels->items[change].commits_per_s < levels->items[change - 1].commits_per_s;
}

static void name(struct level_cause *cause, const char *text)
{
    snprintf(cause->name, sizeof cause->name, "%.*s", (int)strnlen(text, sizeof cause->name - 1),
             text);
}

static bool by_event(struct level_cause *cause, const struct scene *s,
                     const struct incidents *incidents, double trial)
{
    const struct incident *incident =
        incidents_find(incidents, trial, s->at->at_s - NEAR_S, s->at->at_s + NEAR_S);
    if (!incident)
        return false;
    const struct joined *joined = s->joined;
    const struct joined_second *last = &joined->seconds[joined->count - 1];
    double count = (double)incidents_count(incidents, trial, incident->kind);
    if (!(count * 2 * NEAR_S <= CHANCE_MOST * (last->at_s + last->seconds - joined->begin_s)))
        return false;
    struct format_text at;
    name(cause, incident->kind);
    snprintf(cause->evidence, sizeof cause->evidence, "%s at %s: %.120s", cause->name,
             format_seconds(&at, incident->at_s), incident->text);
    return true;
}

/* Share of the time in which the WAL grew, in the seconds next to the change. */
static double growing(const struct scene *s, bool after)
{
    double seconds = 0, grew = 0;
    size_t first = s->after->from;
    if (after)
        for (size_t i = first; i < s->after->to && seconds < WAL_LOOK_S; i++) {
            seconds += s->joined->seconds[i].seconds;
            grew += s->joined->seconds[i].growing * s->joined->seconds[i].seconds;
        }
    else
        for (size_t i = first; i > s->before->from && seconds < WAL_LOOK_S; i--) {
            seconds += s->joined->seconds[i - 1].seconds;
            grew += s->joined->seconds[i - 1].growing * s->joined->seconds[i - 1].seconds;
        }
    return grew / seconds;
}

static bool by_wal(struct level_cause *cause, const struct scene *s)
{
    double before = growing(s, false), after = growing(s, true);
    bool stopped = before >= WAL_MOST && after <= 1 - WAL_MOST;
    bool began = before <= 1 - WAL_MOST && after >= WAL_MOST;
    if (!stopped && !began)
        return false;
    name(cause, "WAL");
    snprintf(cause->evidence, sizeof cause->evidence, "%s",
             stopped ? "the WAL grew until then and is written again from then on"
                     : "the WAL was written again until then and grows from then on");
    return true;
}

/* Bytes that the drive took since the last rise, or since the beginning; NaN unknown. */
static double bytes_since_rise(const struct joined *joined, const struct levels *levels,
                               size_t change)
{
    size_t from = change - 1;
    while (from > 0 && is_fall(levels, from))
        from--;
    return joined->seconds[levels->items[change].from].bytes -
           joined->seconds[levels->items[from].from].bytes;
}

static bool by_bytes(struct level_cause *cause, const struct scene *s)
{
    struct format_text now, then;
    double bytes = bytes_since_rise(s->joined, s->levels, s->change);
    bool has_risen = false;
    if (!is_fall(s->levels, s->change))
        return false;
    for (size_t i = s->change - 1; i > 0; i--) {
        double earlier = bytes_since_rise(s->joined, s->levels, i);
        has_risen = has_risen || !is_fall(s->levels, i);
        if (!has_risen || !is_fall(s->levels, i) ||
            !(fabs(bytes - earlier) <= LEVEL_CAUSE_SAME * earlier))
            continue;
        name(cause, "same bytes again");
        snprintf(cause->evidence, sizeof cause->evidence,
                 "%s since commits/s rose, and it fell after %s before: a cache of that size",
                 format_bytes(&now, bytes), format_bytes(&then, earlier));
        return true;
    }
    return false;
}

static bool by_temperature(struct level_cause *cause, const struct scene *s)
{
    const struct joined_second *seconds = s->joined->seconds;
    double low = NAN, high = NAN, now = s->at->temperature_c;
    for (size_t i = s->after->from; i > 0; i--) {
        if (seconds[i - 1].at_s < s->at->at_s - LEVEL_CAUSE_BEFORE_S)
            break;
        low = fmin(low, seconds[i - 1].temperature_c);
        high = fmax(high, seconds[i - 1].temperature_c);
    }
    bool fall = is_fall(s->levels, s->change);
    bool warmer = now - low >= LEVEL_CAUSE_WARMER && now >= fmax(high - 1, LEVEL_CAUSE_WARM);
    bool hot = low < LEVEL_CAUSE_HOT && fmax(now, high) >= LEVEL_CAUSE_HOT;
    bool cooler = high - now >= LEVEL_CAUSE_WARMER && high >= LEVEL_CAUSE_WARM && now <= low + 1;
    if (!(fall ? warmer || hot : cooler))
        return false;
    name(cause, "temperature");
    snprintf(cause->evidence, sizeof cause->evidence,
             "the drive went from %.0f to %.0f C before it", fall ? low : high,
             fall && !warmer ? fmax(now, high) : now);
    return true;
}

/* The highest share of what a device wrote that came from others; NaN unknown. */
static double foreign_of(const json_t *phase)
{
    const char *device;
    json_t *value;
    double most = NAN;
    json_object_foreach(json_object_get(phase, "devices"), device, value)
    {
        most = fmax(most, json_number_at(value, "foreign.share"));
    }
    return most;
}

static bool by_foreign(struct level_cause *cause, const struct scene *s)
{
    size_t piece = s->at->piece;
    double share = foreign_of(s->joined->pieces[piece].phase);
    double before = piece > 0 ? foreign_of(s->joined->pieces[piece - 1].phase) : NAN;
    if (!(share > FOREIGN_DISTURBS) || share < 2 * before)
        return false;
    name(cause, "foreign I/O");
    snprintf(cause->evidence, sizeof cause->evidence,
             "%.0f%% of what the drive wrote in this phase came from others", share * 100);
    return true;
}

static void say_unknown(struct level_cause *cause, const struct scene *s)
{
    bool warm = !isnan(s->at->temperature_c);
    bool foreign = !isnan(foreign_of(s->joined->pieces[s->at->piece].phase));
    if (warm && foreign)
        return;
    snprintf(cause->evidence, sizeof cause->evidence, "%s%s%s unknown", warm ? "" : "temperature",
             warm || foreign ? "" : " and ", foreign ? "" : "foreign I/O");
}

void level_cause_find(struct level_cause *cause, const struct joined *joined,
                      const struct levels *levels, size_t change, const struct incidents *incidents,
                      double trial)
{
    const struct scene scene = {.joined = joined,
                                .levels = levels,
                                .change = change,
                                .before = &levels->items[change - 1],
                                .after = &levels->items[change],
                                .at = &joined->seconds[levels->items[change].from]};
    *cause = (struct level_cause){.name = ""};
    bool found = by_event(cause, &scene, incidents, trial) || by_wal(cause, &scene) ||
                 by_bytes(cause, &scene) || by_temperature(cause, &scene) ||
                 by_foreign(cause, &scene);
    if (!found)
        say_unknown(cause, &scene);
}
