#include "analysis/rates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/rounds.h"

#define SHORT_SHARE 0.5   /* of the middle length: a shorter interval is a rest */
#define LATE_S      0.005 /* the sampler may look so much after the first stream finished */
#define INDEX_LIMIT 4294967295.0

const char *const rate_names[RATES] = {"rows_per_s", "commits_per_s", "write_iops"};

struct amount {
    double seconds, sums[RATES];
};
struct amounts {
    struct amount *items;
    size_t count, capacity;
};

static void *sized(void *items, size_t count, size_t size)
{
    items = reallocarray(items, count ? count : 1, size);
    if (!items) {
        fputs("loadline: out of memory\n", stderr);
        abort();
    }
    return items;
}

static int by_place(const void *a, const void *b)
{
    const struct course *x = *(const struct course *const *)a,
                        *y = *(const struct course *const *)b;
    if (x->trial != y->trial)
        return x->trial < y->trial ? -1 : 1;
    return (x->phase > y->phase) - (x->phase < y->phase);
}

void rates_index_init(struct rates_index *index, const struct courses *courses)
{
    *index = (struct rates_index){.count = courses ? courses->count : 0};
    index->courses = sized(NULL, index->count, sizeof *index->courses);
    for (size_t i = 0; i < index->count; i++)
        index->courses[i] = &courses->items[i];
    qsort(index->courses, index->count, sizeof *index->courses, by_place);
}

void rates_index_release(struct rates_index *index)
{
    free(index->courses);
    *index = (struct rates_index){.count = 0};
}

static const struct course *find(const struct rates_index *index, double trial, size_t phase)
{
    if (!(trial >= 0 && trial < INDEX_LIMIT) || index->count == 0)
        return NULL;
    const struct course wanted = {.trial = (unsigned)trial, .phase = (unsigned)phase};
    const struct course *key = &wanted;
    const struct course *const *found =
        bsearch(&key, index->courses, index->count, sizeof *index->courses, by_place);
    return found ? *found : NULL;
}

static double not_below_zero(double value)
{
    return value < 0 ? 0 : value; /* NaN stays */
}

static void add(struct amounts *amounts, const struct interval *interval)
{
    if (amounts->count == amounts->capacity) {
        amounts->capacity = amounts->capacity ? amounts->capacity * 2 : 256;
        amounts->items = sized(amounts->items, amounts->capacity, sizeof *amounts->items);
    }
    amounts->items[amounts->count++] = (struct amount){
        interval->seconds,
        {[RATE_ROWS] = interval->rows,
         [RATE_COMMITS] = interval->commits,
         [RATE_WRITES] = not_below_zero(interval->device.writes - interval->device.flushes)}};
}

/* A tail of few streams is another load. */
static void add_course(struct amounts *amounts, const struct course *course, const json_t *phase)
{
    double until_s = json_number_at(phase, "all_streams.elapsed_s");
    if (isnan(until_s))
        until_s = INFINITY;
    for (size_t i = 0; i < course->series.count; i++) {
        const struct interval *interval = &course->series.items[i];
        if (interval->seconds > 0 && interval->start_s + interval->seconds <= until_s + LATE_S)
            add(amounts, interval);
    }
}

static void add_trial(struct amounts *amounts, const struct rates_index *index, const json_t *trial,
                      const char *name)
{
    double number = json_number_at(trial, "index");
    size_t place;
    const json_t *phase;
    json_array_foreach(json_object_get(trial, "phases"), place, phase)
    {
        const char *own = json_text_at(phase, "name");
        const struct course *course = own && strcmp(own, name) == 0 && !rounds_is_after_pause(phase)
                                          ? find(index, number, place)
                                          : NULL;
        if (course)
            add_course(amounts, course, phase);
    }
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void drop_rests(struct amounts *amounts)
{
    double *lengths = sized(NULL, amounts->count, sizeof *lengths);
    for (size_t i = 0; i < amounts->count; i++)
        lengths[i] = amounts->items[i].seconds;
    qsort(lengths, amounts->count, sizeof *lengths, by_value);
    double least = amounts->count ? lengths[amounts->count / 2] * SHORT_SHARE : 0;
    size_t kept = 0;
    for (size_t i = 0; i < amounts->count; i++)
        if (amounts->items[i].seconds >= least)
            amounts->items[kept++] = amounts->items[i];
    amounts->count = kept;
    free(lengths);
}

static void fill(struct rates *rates, const struct amounts *amounts)
{
    size_t stride = (amounts->count + RATES_MOST - 1) / RATES_MOST;
    rates->count = stride ? amounts->count / stride : 0;
    for (int kind = 0; kind < RATES; kind++)
        rates->values[kind] = sized(NULL, rates->count, sizeof **rates->values);
    for (size_t i = 0; i < rates->count; i++) {
        struct amount sum = {0};
        for (size_t k = i * stride; k < (i + 1) * stride; k++) {
            sum.seconds += amounts->items[k].seconds;
            for (int kind = 0; kind < RATES; kind++)
                sum.sums[kind] += amounts->items[k].sums[kind];
        }
        for (int kind = 0; kind < RATES; kind++)
            rates->values[kind][i] = sum.sums[kind] / sum.seconds;
    }
}

void rates_init(struct rates *rates, const struct rates_index *index, const struct group *group)
{
    struct amounts amounts = {.items = NULL};
    *rates = (struct rates){.count = 0};
    for (size_t i = 0; i < group->count; i++)
        if (i == 0 || group->trials[i] != group->trials[i - 1]) /* cycles that are not merged */
            add_trial(&amounts, index, group->trials[i], group->phase);
    drop_rests(&amounts);
    fill(rates, &amounts);
    free(amounts.items);
}

void rates_release(struct rates *rates)
{
    for (int kind = 0; kind < RATES; kind++)
        free(rates->values[kind]);
    *rates = (struct rates){.count = 0};
}
