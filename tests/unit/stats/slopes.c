#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stats/slopes.h"
#include "unit/stats/ar1.h"

enum { POINTS = 400, PAIRS = POINTS * (POINTS - 1) / 2 };

static double x[POINTS], y[POINTS], sorted[PAIRS];

static int by_value(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static size_t all_sorted(size_t points)
{
    size_t total = 0;
    for (size_t i = 0; i < points; i++)
        for (size_t j = i + 1; j < points; j++)
            if (x[i] != x[j])
                sorted[total++] = (y[j] - y[i]) / (x[j] - x[i]);
    qsort(sorted, total, sizeof *sorted, by_value);
    return total;
}

static void check_ranks(size_t points)
{
    struct slopes slopes;
    size_t total = all_sorted(points), step = total / 37 + 1;
    slopes_init(&slopes, x, y, points);
    assert_int_equal(slopes.total, total);
    if (total > 0)
        assert_true(slopes_median(&slopes) == (sorted[(total - 1) / 2] + sorted[total / 2]) / 2);
    for (size_t rank = 0; rank < total; rank += step)
        assert_true(slopes_at(&slopes, rank) == sorted[rank]);
    if (total > 0)
        assert_true(slopes_at(&slopes, total - 1) == sorted[total - 1]);
    slopes_release(&slopes);
}

static void every_rank_is_that_of_sorting(void **state)
{
    (void)state;
    struct rng rng = {41};
    for (size_t points = 0; points <= POINTS; points += points < 5 ? 1 : 79) {
        ar1_fill(x, points, 0.9, &rng);
        ar1_fill(y, points, 0.9, &rng);
        check_ranks(points);
    }
}

static void also_with_many_ties(void **state)
{
    (void)state;
    struct rng rng = {42};
    for (uint64_t kinds = 1; kinds < 40; kinds += 5) {
        for (size_t i = 0; i < POINTS; i++) {
            x[i] = (double)rng_below(&rng, kinds);
            y[i] = (double)rng_below(&rng, 3);
        }
        check_ranks(POINTS);
    }
    for (size_t i = 0; i < POINTS; i++) /* nearly all pairs have the same x */
        x[i] = i == 7;
    check_ranks(POINTS);
    for (size_t i = 0; i < POINTS; i++) /* all slopes are equal */
        y[i] = 2 * (x[i] = (double)i);
    check_ranks(POINTS);
}

/* A few points hold nearly all that lies at the ends: the sample must see none of them as sure. */
static void also_at_the_ends(void **state)
{
    (void)state;
    struct rng rng = {43};
    ar1_fill(x, POINTS, 0, &rng);
    ar1_fill(y, POINTS, 0, &rng);
    y[3] = 1e9;
    x[5] = x[6] + 1e-9;
    check_ranks(POINTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_is_that_of_sorting),
        cmocka_unit_test(also_with_many_ties),
        cmocka_unit_test(also_at_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
