/* searches_inner.h - what searches.c (steps, one after the other), searches_judge.c (what they came
 * to, what comes next) and searches_tell.c (the sentences) share. */
#ifndef DRIVER_SEARCHES_INNER_H
#define DRIVER_SEARCHES_INNER_H

#include "base/clock.h"
#include "driver/searches.h"
#include "plan/search.h"

/* What repeats need to know of the search that they repeat. */
struct steps {
    unsigned streams[SEARCH_STEPS_MAX];
    double bytes[SEARCH_STEPS_MAX];
    size_t count;
};

struct searches {
    const struct plan *plan;
    struct steps *groups; /* [plan->group_count] */
    size_t done;          /* trials of the plan, templates among them, that are over */
    bool warned_of_rows;

    /* The search that runs. */
    const struct trial_plan *of;
    struct search search;
    unsigned step, next; /* from 1, 0: none runs; streams of the next one, 0: none */
    bool searching;      /* false: its steps are repeated */
    bool capped;         /* streams_max is what open files allow */
    bool too_many;       /* the engine does not carry the streams of the step that ran last */
    bool connected;      /* the streams of the step that runs */
    int64_t begun_ns;
    double ends_at_bytes; /* limit_written() when its share is used up */
    double step_began_bytes;
    double last_bytes; /* that the last step wrote */
    double rows_per_s; /* the most that any step inserted */
};

static inline double searches_elapsed_s(const struct searches *s)
{
    return (double)(clock_now_ns() - s->begun_ns) / (double)NS_PER_S;
}

/* Chooses the next step; *why says what was in the way, where something other than a key's own
 * bound was. */
void searches_choose(const struct run_context *ctx, struct err *why);
/* The event of the search's end. */
void searches_tell_end(struct run_context *ctx, int trial, const struct err *why);

#endif
