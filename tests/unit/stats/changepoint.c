#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/changepoint.h"
#include "stats/summary.h"

enum { SERIES = 200, MANY = 100000 };

static double v[MANY];
static struct changepoint changes[CHANGEPOINT_MAX];

static double uniform(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct rng *rng) /* Box and Muller 1958 */
{
    double radius = sqrt(-2 * log(uniform(rng)));
    return radius * cos(2 * acos(-1) * uniform(rng));
}

/* Rates about 100 whose noise has the standard deviation `spread` and the correlation phi. */
static void noise(uint64_t seed, size_t count, double spread, double phi)
{
    struct rng rng = {seed * 7919 + 13};
    double e = spread * normal(&rng);
    for (size_t i = 0; i < count; i++) {
        v[i] = 100 * (1 + e);
        e = phi * e + spread * sqrt(1 - phi * phi) * normal(&rng);
    }
}

static size_t find(size_t count, size_t shortest)
{
    const struct changepoint_options options = {shortest, 0.10};
    return changepoint_find(v, count, &options, changes);
}

static bool within(size_t at, size_t wanted, size_t reach)
{
    return at + reach >= wanted && at <= wanted + reach;
}

/* At most 5% of the series have a change where there is none: 10 of 200. */
static void noise_is_no_change(void **state)
{
    (void)state;
    const size_t counts[] = {60, 200, 600, 3600}, shortests[] = {2, 10, 30};
    const double phis[] = {0, 0.3, 0.6}, spreads[] = {0.03, 0.1, 0.3};
    for (size_t c = 0; c < 4; c++)
        for (size_t p = 0; p < 3; p++)
            for (size_t s = 0; s < 3; s++) {
                size_t found = 0;
                for (uint64_t seed = 0; seed < SERIES; seed++) {
                    noise(seed, counts[c], spreads[s], phis[p]);
                    found += find(counts[c], shortests[(c + p + s) % 3]) > 0;
                    if (counts[c] == 3600) /* ten times as long: a tenth of the series */
                        seed += 9;
                }
                assert_in_range(found, 0, counts[c] == 3600 ? 1 : SERIES / 20);
            }
}

static void cliffs(size_t count, size_t shortest, size_t one_least, size_t near_least)
{
    size_t one = 0, near = 0, cliff = count / 3;
    for (uint64_t seed = 0; seed < SERIES; seed++) {
        noise(seed, count, 0.1, 0);
        for (size_t i = cliff; i < count; i++)
            v[i] *= 0.7;
        if (find(count, shortest) != 1)
            continue;
        one++;
        near += within(changes[0].at, cliff, 2);
        assert_true(fabs(changes[0].before - 100) < 15 && fabs(changes[0].after - 70) < 10);
    }
    assert_in_range(one, one_least, SERIES);
    assert_in_range(near, near_least, SERIES);
}

static void a_cliff_is_found_where_it_is(void **state)
{
    (void)state;
    cliffs(90, 5, SERIES * 97 / 100, SERIES * 95 / 100);
    cliffs(600, 10, SERIES * 99 / 100, SERIES * 98 / 100);
    cliffs(3600, 10, SERIES * 99 / 100, SERIES * 98 / 100); /* beyond CHANGEPOINT_POINTS */
}

static void what_is_said_of_an_exact_step(void **state)
{
    (void)state;
    for (size_t i = 0; i < 50; i++)
        v[i] = i < 31 ? 80 : 40;
    assert_int_equal(find(50, 2), 1);
    assert_int_equal(changes[0].at, 31);
    assert_true(changes[0].before == 80 && changes[0].after == 40);
    assert_int_equal(find(50, 20), 1); /* 19 values are left: the nearest place that may be */
    assert_int_equal(changes[0].at, 30);
    assert_int_equal(find(50, 26), 0); /* no room for two levels */
    for (size_t i = 0; i < 50; i++)
        v[i] = i < 31 ? 0 : 40; /* no share of nothing: any change is one */
    assert_int_equal(find(50, 2), 1);
}

static void two_changes(void **state)
{
    (void)state;
    size_t right = 0;
    for (uint64_t seed = 0; seed < SERIES; seed++) {
        noise(seed, 900, 0.1, 0.3);
        for (size_t i = 300; i < 900; i++)
            v[i] *= i < 520 ? 0.6 : 0.85;
        right += find(900, 10) == 2 && within(changes[0].at, 300, 3) &&
                 within(changes[1].at, 520, 6) && fabs(changes[0].after - 60) < 6 &&
                 changes[0].after == changes[1].before;
    }
    assert_in_range(right, SERIES * 95 / 100, SERIES);
}

/* From 100% to 60% in a straight line: at no place a level changes. */
static void a_slow_drift_is_no_change(void **state)
{
    (void)state;
    const size_t counts[] = {200, 600, 3600};
    for (size_t c = 0; c < 3; c++) {
        size_t found = 0;
        for (uint64_t seed = 0; seed < SERIES; seed += c == 2 ? 10 : 1) {
            noise(seed, counts[c], seed % 2 ? 0.1 : 0.01, 0);
            for (size_t i = 0; i < counts[c]; i++)
                v[i] *= 1 - 0.4 * (double)i / (double)counts[c];
            found += find(counts[c], 10) > 0;
        }
        assert_in_range(found, 0, SERIES * 5 / 100);
    }
    for (size_t i = 0; i < 500; i++)
        v[i] = 1000 - (double)i; /* without noise */
    assert_int_equal(find(500, 10), 0);
}

/* A cliff, and then a slow decline: the cliff alone. */
static void a_cliff_before_a_drift(void **state)
{
    (void)state;
    size_t right = 0;
    for (uint64_t seed = 0; seed < SERIES; seed++) {
        noise(seed, 900, 0.05, 0);
        for (size_t i = 300; i < 900; i++)
            v[i] *= 0.6 - 0.1 * (double)(i - 300) / 600;
        right += find(900, 10) == 1 && within(changes[0].at, 300, 2);
    }
    assert_in_range(right, SERIES * 95 / 100, SERIES);
}

static void stalls_are_no_change(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t seed = 0; seed < SERIES; seed++) {
        noise(seed, 600, 0.1, 0);
        struct rng rng = {seed};
        for (size_t i = rng_below(&rng, 10); i < 600; i += 9 + rng_below(&rng, 30))
            v[i] = rng_below(&rng, 4) ? 0 : 400;
        found += find(600, 5) > 0;
    }
    assert_in_range(found, 0, SERIES * 2 / 100);
    noise(1, 600, 0.1, 0);
    for (size_t i = 200; i < 208; i++)
        v[i] = 0;
    assert_int_equal(find(600, 30), 0); /* a quarter of what makes a level */
    assert_int_equal(find(600, 8), 2);
    assert_true(changes[0].at == 200 && changes[1].at == 208 && changes[0].after == 0);
}

static void a_small_step_is_none(void **state)
{
    (void)state;
    size_t small = 0, large = 0;
    for (uint64_t seed = 0; seed < SERIES; seed++) {
        noise(seed, 600, 0.02, 0);
        for (size_t i = 300; i < 600; i++)
            v[i] *= 0.92;
        small += find(600, 10) > 0;
        const struct changepoint_options finer = {10, 0.05};
        large += changepoint_find(v, 600, &finer, changes) == 1;
    }
    assert_int_equal(small, 0);
    assert_int_equal(large, SERIES);
}

/* Rates fall by 40% up to each checkpoint and jump back after it. */
static void checkpoints_at_a_steady_pace_are_no_change(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t seed = 0; seed < SERIES; seed++) {
        struct rng rng = {seed};
        size_t period = 20 + rng_below(&rng, 60), first = rng_below(&rng, period);
        noise(seed, 600, seed % 2 ? 0.1 : 0.02, 0);
        for (size_t i = 0; i < 600; i++)
            v[i] *= 1 - 0.4 * (double)((i + first) % period) / (double)period;
        found += find(600, 10) > 0;
    }
    assert_in_range(found, 0, SERIES * 5 / 100);
}

static void what_is_unknown_takes_the_value_before(void **state)
{
    (void)state;
    for (size_t i = 0; i < 60; i++)
        v[i] = i < 30 ? 100 : 50;
    v[0] = v[1] = v[10] = v[59] = NAN;
    v[30] = INFINITY;
    assert_int_equal(find(60, 5), 1);
    assert_int_equal(changes[0].at, 31);
    assert_true(changes[0].before == 100 && changes[0].after == 50);
    for (size_t i = 0; i < 60; i++)
        v[i] = NAN;
    assert_int_equal(find(60, 5), 0);
    for (size_t i = 0; i < 60; i++)
        v[i] = 0;
    assert_int_equal(find(60, 5), 0);
    assert_int_equal(find(0, 5), 0);
    assert_int_equal(find(9, 5), 0);
}

/* A restless beginning, then quiet: 31 steps of 40%, then 10 of 20%.  One of those is kept. */
static void the_largest_of_many(void **state)
{
    (void)state;
    const struct changepoint_options options = {4, 0.05};
    for (size_t i = 0; i < 1000; i++) {
        size_t level = i / 6;
        v[i] = level < 31 ? (level % 2 ? 60 : 100) : level < 42 && level % 2 == 0 ? 48 : 60;
    }
    assert_int_equal(changepoint_find(v, 1000, &options, changes), CHANGEPOINT_MAX);
    for (size_t i = 0; i < 31; i++) {
        assert_int_equal(changes[i].at, 6 * (i + 1));
        assert_true(changes[i].before == (i % 2 ? 60 : 100));
    }
    assert_true(changes[31].before == changes[30].after);
}

/* A bound that only another order of growth would cross: it takes 2 and 30 ms. */
static void long_series_take_no_long_time(void **state)
{
    (void)state;
    noise(1, MANY, 0.1, 0);
    for (size_t i = 33333; i < MANY; i++)
        v[i] *= 0.7;
    clock_t begun = clock();
    assert_int_equal(find(MANY, 10), 1);
    assert_true(within(changes[0].at, 33333, 2));
    noise(2, 3600, 0.1, 0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(find(3600, 10), 0);
    assert_true(clock() - begun < 5 * CLOCKS_PER_SEC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_no_change),
        cmocka_unit_test(a_cliff_is_found_where_it_is),
        cmocka_unit_test(what_is_said_of_an_exact_step),
        cmocka_unit_test(two_changes),
        cmocka_unit_test(a_slow_drift_is_no_change),
        cmocka_unit_test(a_cliff_before_a_drift),
        cmocka_unit_test(stalls_are_no_change),
        cmocka_unit_test(a_small_step_is_none),
        cmocka_unit_test(checkpoints_at_a_steady_pace_are_no_change),
        cmocka_unit_test(what_is_unknown_takes_the_value_before),
        cmocka_unit_test(the_largest_of_many),
        cmocka_unit_test(long_series_take_no_long_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
