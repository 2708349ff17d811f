/* search.h - a search for the number of streams with the highest rate.  Pure.
 *
 *     search_init, then while search_next() says a number: run it, search_take() its outcome
 *
 * Streams double from the first until the commits/s of no phase gained SEARCH_GAIN over the best
 * so far in two steps in a row, or until the service level is passed; then the gaps on both sides
 * of each phase's best are halved until they are not wider than an eighth of it.  A step beyond
 * the service level is nobody's best.  The bounds (steps, time, bytes, streams) end it earlier,
 * and it says so. */
#ifndef PLAN_SEARCH_H
#define PLAN_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "workload/workload.h"

#define SEARCH_GAIN 0.03

enum search_end {
    SEARCH_GOES_ON,
    SEARCH_FOUND,      /* two steps in a row gained too little, and the best is refined */
    SEARCH_SLO,        /* the percentile passed the service level; refined below that */
    SEARCH_BY_STEPS,   /* search.steps */
    SEARCH_BY_TIME,    /* search.time */
    SEARCH_BY_BYTES,   /* limit.write_bytes */
    SEARCH_BY_STREAMS, /* search.streams_max */
    SEARCH_BY_SPACE,   /* limit.free_space; said by the driver alone */
};
/* "found", "slo", "steps", "time", "bytes", "streams", "space"; NULL while it goes on. */
const char *search_end_name(enum search_end end);

enum { SEARCH_STEPS_MAX = 100 };

struct search_outcome {
    unsigned streams;
    double commits_per_s[PHASE_KINDS]; /* while all streams ran; NaN: no such phase */
    double slo_ms;                     /* the worst phase's percentile; NaN: none asked, unknown */
};

struct search_bounds {
    unsigned steps, streams_max;
    unsigned first; /* streams of the first step; 0: 1 */
    double time_s;
    double slo_ms; /* NaN: none */
};

struct search {
    struct search_bounds bounds;
    struct search_outcome done[SEARCH_STEPS_MAX];
    size_t count;
    enum search_end end;
};

void search_init(struct search *search, const struct search_bounds *bounds);
/* The streams to try next; 0: it is over, and `end` says why.  elapsed_s: of the search so far;
 * no_bytes: limit.write_bytes would not carry another step. */
unsigned search_next(struct search *search, double elapsed_s, bool no_bytes);
void search_take(struct search *search, const struct search_outcome *outcome);
/* The step with the highest rate in phases of this kind within the service level; NULL: none. */
const struct search_outcome *search_best(const struct search *search, enum phase_kind kind);

#endif
