#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/lag.h"

enum { COUNT = 300, SERIES = 200 };

static double x[COUNT], y[COUNT], source[3 * COUNT];

static double uniform(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct rng *rng) /* Box and Muller 1958 */
{
    double radius = sqrt(-2 * log(uniform(rng)));
    return radius * cos(2 * acos(-1) * uniform(rng));
}

/* y[i] is gain x[i - shift], and noise. */
static void shifted(uint64_t seed, int shift, double gain, double spread)
{
    struct rng rng = {seed};
    for (size_t i = 0; i < 3 * COUNT; i++)
        source[i] = 100 + 10 * normal(&rng);
    for (int i = 0; i < COUNT; i++) {
        x[i] = source[COUNT + i];
        y[i] = gain * source[COUNT + i - shift] + spread * normal(&rng);
    }
}

static void a_shift_is_found_on_both_sides(void **state)
{
    (void)state;
    struct lag lag;
    for (int shift = -12; shift <= 12; shift++) {
        shifted(5, shift, 3, 0);
        lag_find(x, y, COUNT, 12, &lag);
        assert_int_equal(lag.lag, shift);
        assert_true(fabs(lag.r - 1) < 1e-9);
        assert_true(shift == 0 ? lag.r_zero == lag.r : fabs(lag.r_zero) < 0.6);
        shifted(6, shift, -1, 5); /* the other way, in noise: r = -1 / sqrt(1 + 5^2 / 10^2) */
        lag_find(x, y, COUNT, 12, &lag);
        assert_int_equal(lag.lag, shift);
        assert_true(fabs(lag.r + 0.894) < 0.05);
    }
    shifted(7, 9, 1, 0); /* out of sight */
    lag_find(x, y, COUNT, 5, &lag);
    assert_int_equal(lag.lag, 0);
    assert_true(lag.r == lag.r_zero && fabs(lag.r) < 0.3);
}

/* Pearson's r of the differences by hand: x differs by 1, -1, 1, -1 ..., y by 2, -1, 2, -1 ... */
static void by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < 41; i++) {
        x[i] = (double)(i % 2);
        y[i] = (double)(i / 2) + (i % 2 ? 2 : 0);
    }
    struct lag lag;
    lag_find(x, y, 41, 3, &lag);
    assert_int_equal(lag.lag, 0);
    assert_true(fabs(lag.r - 1) < 1e-12 && lag.r_zero == lag.r);
    for (size_t i = 0; i < 41; i++)
        y[i] = -7 * x[i];
    lag_find(x, y, 41, 3, &lag);
    assert_int_equal(lag.lag, 0);
    assert_true(fabs(lag.r + 1) < 1e-12);
}

/* Two series that both rise have an r near 1 as they are; their differences have none. */
static void a_trend_alone_is_no_lag(void **state)
{
    (void)state;
    struct lag lag;
    size_t found = 0;
    for (uint64_t seed = 0; seed < SERIES; seed++) {
        struct rng rng = {seed * 31};
        for (size_t i = 0; i < COUNT; i++) {
            x[i] = 5 * (double)i + 10 * normal(&rng);
            y[i] = 1000 + 3 * (double)i + 10 * normal(&rng);
        }
        lag_find(x, y, COUNT, 20, &lag);
        found += lag.lag != 0;
        assert_true(fabs(lag.r_zero) < 0.35);
    }
    assert_in_range(found, 0, SERIES / 20);
    for (size_t i = 0; i < COUNT; i++) { /* without noise, in steps that no double holds */
        x[i] = 0.1 * (double)i;
        y[i] = 1e6 / 3 + 0.7 * (double)i;
    }
    lag_find(x, y, COUNT, 20, &lag);
    assert_int_equal(lag.lag, 0);
    assert_true(isnan(lag.r) && isnan(lag.r_zero));
}

static void chance_is_no_lag(void **state)
{
    (void)state;
    for (int slow = 0; slow < 3; slow++) {
        size_t found = 0;
        for (uint64_t seed = 0; seed < SERIES; seed++) {
            struct rng rng = {seed * 77 + (uint64_t)slow};
            double a = 0, b = 0, keep = 0.5 * slow; /* white, AR(1), walks */
            for (size_t i = 0; i < COUNT; i++) {
                x[i] = a = keep * a + normal(&rng);
                y[i] = b = keep * b + normal(&rng);
            }
            struct lag lag;
            lag_find(x, y, COUNT, 20, &lag);
            found += lag.lag != 0;
            assert_true(lag.lag != 0 || lag.r == lag.r_zero);
        }
        assert_in_range(found, 0, SERIES / 20);
    }
}

static void too_few_values_or_no_variation(void **state)
{
    (void)state;
    struct lag lag;
    shifted(8, 2, 1, 0);
    lag_find(x, y, LAG_VALUES_MIN - 1, 5, &lag);
    assert_true(lag.lag == 0 && isnan(lag.r) && isnan(lag.r_zero));
    lag_find(x, y, LAG_VALUES_MIN, 0, &lag);
    assert_true(lag.lag == 0 && isfinite(lag.r));
    for (size_t i = 0; i < COUNT; i++)
        y[i] = 42;
    lag_find(x, y, COUNT, 5, &lag);
    assert_true(lag.lag == 0 && isnan(lag.r) && isnan(lag.r_zero));
    lag_find(NULL, NULL, 0, 5, &lag);
    assert_true(isnan(lag.r));
}

static void what_is_unknown_is_left_out(void **state)
{
    (void)state;
    struct lag lag;
    shifted(9, 4, 2, 0);
    for (size_t i = 0; i < COUNT; i += 11)
        x[i] = NAN;
    y[3] = INFINITY;
    lag_find(x, y, COUNT, 10, &lag);
    assert_int_equal(lag.lag, 4);
    assert_true(fabs(lag.r - 1) < 1e-9);
    for (size_t i = 0; i < COUNT; i++)
        if (i % 12 != 0 && i % 12 != 1)
            x[i] = NAN; /* 25 differences are left */
    lag_find(x, y, COUNT, 10, &lag);
    assert_true(isnan(lag.r) && lag.lag == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shift_is_found_on_both_sides),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(a_trend_alone_is_no_lag),
        cmocka_unit_test(chance_is_no_lag),
        cmocka_unit_test(too_few_values_or_no_variation),
        cmocka_unit_test(what_is_unknown_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
