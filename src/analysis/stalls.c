#include "analysis/stalls.h"

#include <math.h>
#include <stdio.h>

#include "base/format.h"

#define JITTER          0.99 /* of STALLS_LEAST_S: ticks are never quite on time */
#define FLUSH_SHARE     0.5  /* of the stall that flushes took */
#define TRICKLE_BYTES_S 1e5  /* below it nobody would speak of writes that go on */

/* The way through the intervals. */
struct way {
    struct stalls *stalls;
    const struct joined *joined;
    const struct levels *levels;
    size_t level;
    struct stall open; /* seconds 0: none */
};

static void keep(struct stalls *stalls, const struct stall *stall)
{
    size_t at = stalls->count < STALLS_SHOWN ? stalls->count++ : STALLS_SHOWN;
    stalls->total++;
    stalls->total_s += stall->seconds;
    if (at == STALLS_SHOWN && stall->seconds <= stalls->items[STALLS_SHOWN - 1].seconds)
        return;
    if (at == STALLS_SHOWN)
        at--;
    for (; at > 0 && stalls->items[at - 1].seconds < stall->seconds; at--)
        stalls->items[at] = stalls->items[at - 1];
    stalls->items[at] = *stall;
}

/* `next`: the interval after it, NULL at a cycle's end. */
static void close_stall(struct way *w, double rate, const struct interval *next)
{
    struct stall *stall = &w->open;
    double late_ms = next ? next->device.flush_ms - next->seconds * 1000 : NAN;
    stall->late_flush_ms = late_ms > 0 ? late_ms : 0;
    if (stall->seconds >= STALLS_LEAST_S * JITTER && rate * stall->seconds >= STALLS_COMMITS_LEAST)
        keep(w->stalls, stall);
    w->open = (struct stall){.seconds = 0};
}

static void extend(struct stall *stall, const struct interval *interval, double at_s)
{
    if (stall->seconds == 0)
        *stall = (struct stall){.at_s = at_s, .in_flight = NAN};
    stall->seconds += interval->seconds;
    stall->writes += interval->device.writes;
    stall->write_bytes += interval->device.write_bytes;
    stall->flush_ms += interval->device.flush_ms;
    stall->in_flight = fmax(stall->in_flight, interval->in_flight);
}

/* The median where the interval lies. */
static double rate_at(struct way *w, double at_s)
{
    while (w->level + 1 < w->levels->count &&
           at_s >= w->joined->seconds[w->levels->items[w->level + 1].from].at_s)
        w->level++;
    return w->levels->items[w->level].commits_per_s;
}

static void walk(struct way *w, const struct joined_piece *piece)
{
    double rate = 0;
    for (size_t i = 0; i < piece->count; i++) {
        const struct interval *interval = &piece->course->series.items[i];
        double at_s = piece->course->start_s + interval->start_s;
        bool sound = joined_is_sound(interval);
        double own = rate_at(w, at_s);
        if (sound && interval->commits < STALLS_SHARE * own * interval->seconds) {
            rate = own;
            extend(&w->open, interval, at_s);
        } else if (w->open.seconds > 0) {
            close_stall(w, rate, sound ? interval : NULL);
        }
    }
    if (w->open.seconds > 0)
        close_stall(w, rate, NULL);
}

void stalls_find(struct stalls *stalls, const struct joined *joined, const struct levels *levels)
{
    struct way way = {.stalls = stalls, .joined = joined, .levels = levels};
    stalls->count = stalls->total = 0;
    stalls->total_s = 0;
    for (size_t i = 0; levels->count > 0 && i < joined->piece_count; i++)
        walk(&way, &joined->pieces[i]);
}

const char *stalls_device(const struct stall *stall, char text[64])
{
    struct format_text rate;
    double flush_ms = stall->flush_ms + stall->late_flush_ms;
    double bytes_per_s = stall->write_bytes / stall->seconds;
    if (flush_ms >= FLUSH_SHARE * stall->seconds * 1000)
        return "flush in flight";
    if (bytes_per_s >= TRICKLE_BYTES_S) {
        snprintf(text, 64, "writes at %s/s", format_bytes(&rate, bytes_per_s));
        return text;
    }
    if (stall->in_flight > 0)
        return "I/O in flight, hardly any completed";
    return stall->in_flight == 0 ? "nothing in flight" : NULL;
}
