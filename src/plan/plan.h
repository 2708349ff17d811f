/* plan.h - from a spec to the ordered list of trials.  Pure.
 *
 * Every part is a plan of its own: the product of all lists.  Values are interleaved:
 * repeat 0 runs all combinations in order, repeat 1 in reverse (ABBA), and so on, so
 * that a drifting drive favours none.  Parts run one after the other within a repeat.
 *
 * workload.streams = auto makes a template: its trials, the steps of a search (search.h), are made
 * as the run goes, each by plan_step_create().  Repeat 0 searches, further repeats run the same
 * steps again, odd ones backward. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "workload/spec.h"

enum { PLAN_TRIALS_MAX = 10000 };

struct factor {
    const char *name;  /* the key without `workload.` ("streams", "sqlite.page_size", "target") */
    const char *value; /* its text */
    double number;     /* the value as workload_number() sees it; NaN for text */
};

struct trial_plan {
    unsigned index; /* in the plan; of a step, and of a trial beside templates, in the run */
    unsigned group; /* trials that differ in their repeat alone have the same; below group_count */
    const char *part; /* NULL: no parts */
    unsigned repeat;
    unsigned target; /* which --target */
    struct workload *load;
    struct factor *factors;
    size_t factor_count;
};

struct plan {
    struct trial_plan *trials;
    size_t count;
    unsigned repeats;
    size_t group_count;
    size_t template_count; /* trials with load->streams_auto */
};

/* The targets outlive the plan: factors point to them.
 * ERR_USAGE when the product is larger than PLAN_TRIALS_MAX or a combination is wrong. */
int plan_create(const struct spec *spec, const char *const *targets, size_t target_count,
                struct plan **plan, struct err *err);
void plan_destroy(struct plan *plan);
/* The trial of a template with this number of streams; the plan outlives it. */
struct trial_plan *plan_step_create(const struct trial_plan *of, unsigned index, unsigned streams);
void plan_step_destroy(struct trial_plan *step);
/* The lowest limit.write_bytes of all trials: each holds from the run's start, so this one bounds
 * the whole. */
uint64_t plan_write_limit(const struct plan *plan);

#endif
