#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/pelt.h"

enum { MOST = 80 };

static double squares(const double *values, size_t from, size_t to)
{
    double mean = 0, sum = 0;
    for (size_t i = from; i < to; i++)
        mean += values[i] / (double)(to - from);
    for (size_t i = from; i < to; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sum;
}

static double cost_of(const double *values, size_t count, double penalty, const size_t *starts,
                      size_t changes)
{
    double cost = penalty * (double)changes;
    for (size_t i = 0; i <= changes; i++)
        cost += squares(values, i == 0 ? 0 : starts[i - 1], i == changes ? count : starts[i]);
    return cost;
}

/* Every last segment of every length, nothing left out. */
static double cheapest_of_all(const double *values, size_t count, size_t shortest, double penalty)
{
    double best[MOST + 1];
    for (size_t end = 0; end <= count; end++) {
        best[end] = end == 0 ? -penalty : INFINITY;
        for (size_t from = 0; from + shortest <= end; from++)
            best[end] = fmin(best[end], best[from] + penalty + squares(values, from, end));
    }
    return best[count];
}

static void check(const double *values, size_t count, size_t shortest, double penalty)
{
    size_t starts[MOST];
    size_t changes = pelt_find(values, count, shortest, penalty, starts);
    for (size_t i = 0; i < changes; i++)
        assert_true(starts[i] >= (i == 0 ? 0 : starts[i - 1]) + shortest);
    assert_true(changes == 0 || starts[changes - 1] + shortest <= count);
    double ours = cost_of(values, count, penalty, starts, changes);
    double best = cheapest_of_all(values, count, shortest, penalty);
    assert_true(fabs(ours - best) <= 1e-9 * (1 + fabs(best)));
}

/* Levels that come and go, small integers (many ties) and walks, with penalties that allow many
 * changes and few. */
static void no_division_is_cheaper(void **state)
{
    (void)state;
    struct rng rng = {9};
    for (int round = 0; round < 600; round++) {
        double values[MOST], level = 100;
        size_t count = 1 + rng_below(&rng, MOST);
        for (size_t i = 0; i < count; i++) {
            if (rng_below(&rng, 8) == 0)
                level = (double)rng_below(&rng, 200);
            values[i] = round % 3 == 0   ? (double)rng_below(&rng, 3)
                        : round % 3 == 1 ? level + (double)rng_below(&rng, 20)
                                         : (i ? values[i - 1] : 0) + (double)rng_below(&rng, 21);
        }
        for (size_t shortest = 1; shortest <= 10; shortest += 1 + rng_below(&rng, 4))
            for (double penalty = 0.1; penalty < 1e5; penalty *= 7)
                check(values, count, shortest, penalty);
    }
}

static void by_hand(void **state)
{
    (void)state;
    const double values[] = {1, 1, 1, 5, 5, 5, 5, 2, 2, 2};
    size_t starts[10];
    /* As one segment 30.9 (115 - 29^2 / 10), cut at 3 alone 15.43 (112 - 26^2 / 7), at 7 alone
     * 27.43, at both 0. */
    assert_int_equal(pelt_find(values, 10, 2, 1, starts), 2);
    assert_true(starts[0] == 3 && starts[1] == 7);
    assert_int_equal(pelt_find(values, 10, 2, 15.42, starts), 2); /* 30.84 < 15.43 + 15.42 */
    assert_int_equal(pelt_find(values, 10, 2, 15.45, starts), 1); /* 15.43 + 15.45 < 30.9 */
    assert_int_equal(starts[0], 3);
    assert_int_equal(pelt_find(values, 10, 2, 15.5, starts), 0);
    assert_int_equal(pelt_find(values, 10, 6, 1e-3, starts), 0); /* no room for two segments */
    assert_int_equal(pelt_find(values, 1, 1, 1, starts), 0);
    assert_int_equal(pelt_find(values, 0, 1, 1, starts), 0);
    assert_int_equal(pelt_find((double[]){1, 9}, 2, 1, 1, starts), 1);
    assert_int_equal(starts[0], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_division_is_cheaper),
        cmocka_unit_test(by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
