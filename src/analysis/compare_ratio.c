#include "analysis/compare_ratio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_doubts.h"
#include "result/put.h"
#include "stats/ratio.h"

#define SIGNIFICANT (1 - COMPARE_LEVEL)

struct test {
    size_t drive;
    enum ratio_design design;
    struct ratio ratio;
    double p_adjusted;
    bool all_zero; /* on both sides, in enough runs: the same, though no ratio */
};

/* ---- values side by side ---- */

/* Were both measured in the same results, in turns? */
static bool is_paired(const struct compare_cell *a, const struct compare_cell *b)
{
    if (a->count != b->count || a->count == 0)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->sources[i] != b->sources[i])
            return false;
    return true;
}

static void values_of(const struct compare_run *runs, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = runs[i].value;
}

/* Runs of one repeat of one result belong together. */
static size_t pair_up(const struct compare_run *a, size_t count_a, const struct compare_run *b,
                      size_t count_b, double *x, double *y)
{
    size_t i = 0, k = 0, pairs = 0;
    while (i < count_a && k < count_b) {
        int order = a[i].source != b[k].source
                        ? (a[i].source < b[k].source ? -1 : 1)
                        : (a[i].repeat > b[k].repeat) - (a[i].repeat < b[k].repeat);
        if (order == 0) {
            x[pairs] = a[i++].value;
            y[pairs++] = b[k++].value;
        } else if (order < 0)
            i++;
        else
            k++;
    }
    return pairs;
}

static bool is_zero_throughout(const double *values, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        known += isfinite(values[i]);
        if (isfinite(values[i]) && values[i] != 0)
            return false;
    }
    return known > 0;
}

static size_t runs_of(const struct test *test)
{
    return test->ratio.count_a < test->ratio.count_b ? test->ratio.count_a : test->ratio.count_b;
}

static size_t runs_least(enum ratio_design design)
{
    return design == RATIO_PAIRED ? COMPARE_PAIRS_LEAST : COMPARE_RUNS_LEAST;
}

static void test_drive(struct test *test, const struct compare_place *place,
                       struct compare_run *const *runs, const size_t *counts)
{
    size_t d = test->drive, most = counts[0] > counts[d] ? counts[0] : counts[d];
    size_t a = counts[0], b = counts[d];
    double *x = compare_model_alloc(most, sizeof *x), *y = compare_model_alloc(most, sizeof *y);
    test->design = RATIO_UNPAIRED;
    if (is_paired(&place->cells[0], &place->cells[d])) {
        test->design = RATIO_PAIRED;
        a = b = pair_up(runs[0], counts[0], runs[d], counts[d], x, y);
        ratio_paired(x, y, a, COMPARE_LEVEL, &test->ratio);
    } else {
        values_of(runs[0], a, x);
        values_of(runs[d], b, y);
        ratio_unpaired(x, a, y, b, COMPARE_LEVEL, &test->ratio);
    }
    test->all_zero = is_zero_throughout(x, a) && is_zero_throughout(y, b);
    test->p_adjusted = NAN;
    free(x);
    free(y);
}

/* ---- verdict ---- */

static const char *word(enum metric_sense sense, bool is_higher)
{
    if (sense == METRIC_NEUTRAL)
        return is_higher ? "higher" : "lower";
    return is_higher == (sense == METRIC_HIGHER_IS_BETTER) ? "better" : "worse";
}

/* Also why, where it is undetermined. */
static const char *judge(const struct test *test, enum metric_sense sense, const char **because)
{
    *because = NULL;
    if (runs_of(test) == 0) {
        *because = "not measured";
        return "undetermined";
    }
    if (runs_of(test) < runs_least(test->design)) {
        *because = "too few runs";
        return "undetermined";
    }
    if (test->all_zero)
        return "same";
    if (isnan(test->ratio.ratio)) {
        *because = "zero";
        return "undetermined";
    }
    enum ratio_verdict verdict = ratio_judge(&test->ratio, COMPARE_MARGIN);
    switch (verdict) {
    case RATIO_SAME:
        return "same";
    case RATIO_HIGHER:
    case RATIO_LOWER:
        if (test->p_adjusted < SIGNIFICANT)
            return word(sense, verdict == RATIO_HIGHER);
        *because = test->p_adjusted > test->ratio.p ? "several drives" : "interval";
        return "undetermined";
    case RATIO_UNDETERMINED:
        break;
    }
    *because = isnan(test->ratio.low) ? "too few runs" : "interval";
    return "undetermined";
}

/* The least p-value that so many runs can have, were the drives as unlike as can be. */
static double least_p(enum ratio_design design, size_t runs)
{
    double n = (double)runs;
    if (design == RATIO_PAIRED)
        return pow(2, 1 - n);
    return 2 * exp(2 * lgamma(n + 1) - lgamma(2 * n + 1));
}

/* Until the interval tells and, with several drives, p can. */
static size_t more_runs(const struct test *test, size_t tests)
{
    struct ratio_more more;
    ratio_more(&test->ratio, test->design, COMPARE_MARGIN, &more);
    size_t wanted = more.to_differ;
    if (wanted == 0 || (more.to_same > 0 && more.to_same < wanted))
        wanted = more.to_same > 0 && wanted > 0 ? more.to_same : wanted;
    size_t have = runs_of(test), least = runs_least(test->design);
    while (least < RATIO_MORE_MAX && (double)tests * least_p(test->design, least) >= SIGNIFICANT)
        least++;
    if (have + wanted < least)
        wanted = least - have;
    return wanted > 0 ? wanted : 1;
}

static json_t *test_json(const struct compare_model *model, const struct test *test, size_t tests,
                         enum metric_sense sense, bool allowed)
{
    const struct ratio *r = &test->ratio;
    const char *because, *verdict = judge(test, sense, &because);
    bool open = strcmp(verdict, "undetermined") == 0;
    size_t more = open ? more_runs(test, tests) : 0;
    bool told = allowed && more > 0 && more < RATIO_MORE_MAX && runs_of(test) > 0;
    json_t *object = json_object();
    put_text(object, "drive", model->drives[test->drive].name);
    put_text(object, "design", test->design == RATIO_PAIRED ? "paired" : "unpaired");
    put_real(object, "ratio", r->ratio);
    put_real(object, "low", r->low);
    put_real(object, "high", r->high);
    put_real(object, "coverage", r->coverage);
    put_real(object, "p", r->p);
    put_real(object, "p_adjusted", test->p_adjusted);
    put_count(object, "count_a", (double)r->count_a);
    put_count(object, "count_b", (double)r->count_b);
    put_text(object, "verdict", allowed ? verdict : "not ranked");
    put_text(object, "because", allowed ? because : NULL);
    put_count(object, "more_runs", told ? (double)more : NAN);
    return object;
}

json_t *compare_ratio_json(const struct compare_model *model, const struct compare_bars *bars,
                           size_t place, enum metric_sense sense, struct compare_run *const *runs,
                           const size_t *counts)
{
    struct test tests[COMPARE_DRIVES_MAX];
    double p[COMPARE_DRIVES_MAX] = {0};
    size_t count = 0, told = 0;
    for (size_t d = 1; d < model->drive_count; d++) {
        const struct compare_cell *cells = model->places[place].cells;
        if (cells[0].count == 0 || cells[d].count == 0)
            continue;
        tests[count] = (struct test){.drive = d};
        test_drive(&tests[count], &model->places[place], runs, counts);
        p[count] = tests[count].ratio.p;
        told += isnan(p[count]) ? 0 : 1;
        count++;
    }
    ratio_holm(p, count, p);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        tests[i].p_adjusted = p[i];
        bool allowed = compare_doubts_allow(model, bars, place, tests[i].drive);
        json_array_append_new(list, test_json(model, &tests[i], told, sense, allowed));
    }
    return list;
}
