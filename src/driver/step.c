#include "driver/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "stats/median.h"

#define JUDGE_EVERY_NS (NS_PER_S / 2)
#define LEVEL          0.95
/* A rate from fewer commits is a number of few different values. */
#define COMMITS_OF_VALUE 30.0
/* What a phase that only makes rows for another one makes more than that seems to need. */
#define SUPPLY_MARGIN 1.2

enum { VALUES_MAX = 200 }; /* more of them would take time from the streams */

void step_release(struct step *step)
{
    for (size_t kind = 0; kind < PHASE_KINDS; kind++)
        series_release(&step->rates[kind]);
}

static unsigned occurrences(const struct workload *load, enum phase_kind kind)
{
    unsigned count = 0;
    for (size_t i = 0; i < load->phase_count; i++)
        count += load->phases[i] == kind;
    return count;
}

static int64_t least_ns(const struct workload *load, enum phase_kind kind)
{
    return load->search_step_ns * occurrences(load, kind);
}

static int64_t most_ns(const struct workload *load, enum phase_kind kind)
{
    return load->search_step_max_ns * occurrences(load, kind);
}

/* ---- is the median known well enough? ---- */

struct pool {
    const struct interval **items;
    size_t count;
    double commits;
};

/* The last interval of a phase ends where the phase does: a short one says little. */
static void pool_add(struct pool *pool, const struct series *series, double least_s)
{
    for (size_t i = 0; i < series->count; i++) {
        if (series->items[i].seconds < least_s)
            continue;
        pool->items[pool->count++] = &series->items[i];
        pool->commits += series->items[i].commits;
    }
}

static size_t value_count(const struct pool *pool)
{
    double wanted = fmin(fmax(pool->commits / COMMITS_OF_VALUE, MEDIAN_SERIES_MIN), VALUES_MAX);
    return pool->count < (size_t)wanted ? pool->count : (size_t)wanted;
}

/* Rates of runs of intervals that follow each other. */
static size_t pool_values(const struct pool *pool, double *values)
{
    size_t count = value_count(pool);
    for (size_t i = 0; i < count; i++) {
        double commits = 0, seconds = 0;
        for (size_t k = i * pool->count / count; k < (i + 1) * pool->count / count; k++) {
            commits += pool->items[k]->commits;
            seconds += pool->items[k]->seconds;
        }
        values[i] = commits / seconds;
    }
    return count;
}

static bool is_precise(const struct step *step, const struct workload *load, enum phase_kind kind,
                       const struct series *series)
{
    const struct series *before = &step->rates[kind];
    double least_s = (double)load->interval_ns / (double)NS_PER_S / 2;
    double values[VALUES_MAX];
    struct median median;
    struct pool pool = {.items = calloc(before->count + series->count + 1, sizeof *pool.items)};
    if (pool.items == NULL)
        abort();
    pool_add(&pool, before, least_s);
    pool_add(&pool, series, least_s);
    median_series(values, pool_values(&pool, values), LEVEL, load->shape.seed, &median);
    free((void *)pool.items);
    return median.value > 0 && median.low >= median.value * (1 - STEP_PRECISION) &&
           median.high <= median.value * (1 + STEP_PRECISION);
}

/* ---- phases and cycles ---- */

/* Costs a bootstrap: not for every tick. */
static bool is_stable(struct step *step, const struct workload *load, enum phase_kind kind,
                      const struct series *series, int64_t phase_ns)
{
    if (step->judged_ns != 0 && phase_ns - step->judged_ns < JUDGE_EVERY_NS)
        return false;
    step->judged_ns = phase_ns;
    return is_precise(step, load, kind, series);
}

/* How long another kind of phase must still go on; 0: none. */
static int64_t missing_ns(const struct step *step, const struct workload *load,
                          enum phase_kind kind, enum phase_kind *other)
{
    for (size_t i = 0; i < load->phase_count; i++) {
        *other = load->phases[i];
        if (*other == kind || step->enough[*other])
            continue;
        int64_t missing = least_ns(load, *other) - step->counted_ns[*other];
        /* Long enough, but not stable: as much again as it has. */
        return missing > 0 ? missing : step->counted_ns[*other] + 1;
    }
    return 0;
}

/* In a cycle that is made for another phase's sake: has this one done its part?  An insert makes
 * the rows that the other needs by what it took before; a delete takes away all that is there. */
static bool has_served(const struct step *step, const struct workload *load, enum phase_kind kind,
                       int64_t phase_ns)
{
    enum phase_kind other;
    int64_t missing = missing_ns(step, load, kind, &other);
    if (missing == 0)
        return true;
    if (kind != PHASE_INSERT || step->counted_ns[other] == 0)
        return false;
    double ratio = (double)step->counted_ns[kind] / (double)step->counted_ns[other];
    return (double)phase_ns >= SUPPLY_MARGIN * ratio * (double)missing;
}

bool step_is_enough(struct step *step, const struct workload *load, enum phase_kind kind,
                    const struct series *series, int64_t phase_ns)
{
    if (step->phases_done < load->phase_count) {
        if (phase_ns < load->search_step_ns)
            return false;
        return phase_ns >= load->search_step_max_ns ||
               is_stable(step, load, kind, series, phase_ns);
    }
    int64_t counted_ns = step->counted_ns[kind] + phase_ns;
    if (counted_ns >= most_ns(load, kind))
        return true;
    if (step->enough[kind])
        return has_served(step, load, kind, phase_ns);
    return counted_ns >= least_ns(load, kind) && is_stable(step, load, kind, series, phase_ns) &&
           has_served(step, load, kind, phase_ns);
}

static void append(struct series *all, const struct series *series)
{
    if (series->count == 0)
        return;
    struct interval *items =
        reallocarray(all->items, all->count + series->count, sizeof *all->items);
    if (items == NULL)
        abort();
    memcpy(items + all->count, series->items, series->count * sizeof *items);
    all->items = items;
    all->count += series->count;
    all->capacity = all->count;
}

void step_take(struct step *step, enum phase_kind kind, const struct series *series,
               int64_t phase_ns)
{
    append(&step->rates[kind], series);
    step->counted_ns[kind] += phase_ns;
    step->phases_done++;
    step->judged_ns = 0;
}

bool step_wants_more(struct step *step, const struct workload *load)
{
    static const struct series none = {.items = NULL};
    bool more = false;
    for (size_t i = 0; i < load->phase_count; i++) {
        enum phase_kind kind = load->phases[i];
        if (step->counted_ns[kind] >= most_ns(load, kind))
            return false;
        step->enough[kind] =
            step->counted_ns[kind] >= least_ns(load, kind) && is_precise(step, load, kind, &none);
        more |= !step->enough[kind];
    }
    return more && step->phases_done < STEP_CYCLES_MAX * load->phase_count;
}
