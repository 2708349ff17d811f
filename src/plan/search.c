/* Everything follows from the steps done so far, in their order: there is no other state. */
#include "plan/search.h"

#include <assert.h>
#include <math.h>

/* A best is refined until its neighbours are within this part of it. */
enum { REFINED_PART = 8 };

const char *search_end_name(enum search_end end)
{
    static const char *const names[] = {
        [SEARCH_GOES_ON] = NULL,         [SEARCH_FOUND] = "found",    [SEARCH_SLO] = "slo",
        [SEARCH_BY_STEPS] = "steps",     [SEARCH_BY_TIME] = "time",   [SEARCH_BY_BYTES] = "bytes",
        [SEARCH_BY_STREAMS] = "streams", [SEARCH_BY_SPACE] = "space",
    };
    assert((size_t)end < sizeof names / sizeof *names);
    return names[end];
}

void search_init(struct search *search, const struct search_bounds *bounds)
{
    *search = (struct search){.bounds = *bounds};
    if (search->bounds.first == 0)
        search->bounds.first = 1;
    if (search->bounds.steps > SEARCH_STEPS_MAX)
        search->bounds.steps = SEARCH_STEPS_MAX;
}

void search_take(struct search *search, const struct search_outcome *outcome)
{
    assert(search->count < SEARCH_STEPS_MAX);
    search->done[search->count++] = *outcome;
}

/* An unknown percentile has not passed. */
static bool is_beyond(const struct search *search, const struct search_outcome *outcome)
{
    return outcome->slo_ms > search->bounds.slo_ms;
}

const struct search_outcome *search_best(const struct search *search, enum phase_kind kind)
{
    const struct search_outcome *best = NULL;
    for (size_t i = 0; i < search->count; i++) {
        const struct search_outcome *step = &search->done[i];
        double rate = step->commits_per_s[kind];
        if (isnan(rate) || is_beyond(search, step))
            continue;
        double most = best == NULL ? -INFINITY : best->commits_per_s[kind];
        if (rate > most || (rate == most && step->streams < best->streams))
            best = step;
    }
    return best;
}

/* ---- the rise ---- */

static bool gains(const double *best, const struct search_outcome *step)
{
    for (size_t kind = 0; kind < PHASE_KINDS; kind++) {
        double rate = step->commits_per_s[kind];
        if (!isnan(rate) && (isnan(best[kind]) || rate >= best[kind] * (1 + SEARCH_GAIN)))
            return true;
    }
    return false;
}

static void remember(double *best, const struct search_outcome *step)
{
    for (size_t kind = 0; kind < PHASE_KINDS; kind++)
        best[kind] = fmax(best[kind], step->commits_per_s[kind]);
}

/* Follows the rise through the steps: the streams to try next; 0: it has ended, and why. */
static unsigned rise(const struct search *search, enum search_end *why)
{
    double best[PHASE_KINDS];
    unsigned streams = search->bounds.first, idle = 0;
    for (size_t kind = 0; kind < PHASE_KINDS; kind++)
        best[kind] = NAN;
    for (size_t i = 0; i < search->count; i++) {
        const struct search_outcome *step = &search->done[i];
        assert(step->streams == streams);
        idle = gains(best, step) ? 0 : idle + 1;
        remember(best, step);
        *why = is_beyond(search, step)                 ? SEARCH_SLO
               : idle == 2                             ? SEARCH_FOUND
               : streams >= search->bounds.streams_max ? SEARCH_BY_STREAMS
                                                       : SEARCH_GOES_ON;
        if (*why != SEARCH_GOES_ON)
            return 0;
        streams =
            streams > search->bounds.streams_max / 2 ? search->bounds.streams_max : streams * 2;
    }
    return streams;
}

/* ---- the refinement ---- */

/* In the middle of the wider of the gaps beside a best; 0: both are narrow. */
static unsigned refine(const struct search *search, unsigned best)
{
    unsigned below = 0, above = 0;
    for (size_t i = 0; i < search->count; i++) {
        unsigned streams = search->done[i].streams;
        if (streams < best && streams > below)
            below = streams;
        if (streams > best && (above == 0 || streams < above))
            above = streams;
    }
    unsigned down = below == 0 ? 0 : best - below, up = above == 0 ? 0 : above - best;
    unsigned gap = up >= down ? up : down;
    if (gap < 2 || gap * REFINED_PART <= best)
        return 0;
    return up >= down ? best + up / 2 : best - down / 2;
}

static unsigned refine_bests(const struct search *search)
{
    for (size_t kind = 0; kind < PHASE_KINDS; kind++) {
        const struct search_outcome *best = search_best(search, (enum phase_kind)kind);
        unsigned next = best == NULL ? 0 : refine(search, best->streams);
        if (next != 0)
            return next;
    }
    return 0;
}

unsigned search_next(struct search *search, double elapsed_s, bool no_bytes)
{
    enum search_end why = SEARCH_GOES_ON;
    if (search->end != SEARCH_GOES_ON)
        return 0;
    unsigned next = rise(search, &why);
    if (next == 0)
        next = refine_bests(search);
    if (next == 0)
        search->end = why;
    else if (search->count >= search->bounds.steps)
        search->end = SEARCH_BY_STEPS;
    else if (elapsed_s >= search->bounds.time_s)
        search->end = SEARCH_BY_TIME;
    else if (no_bytes)
        search->end = SEARCH_BY_BYTES;
    return search->end == SEARCH_GOES_ON ? next : 0;
}
