#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "stats/median.h"
#include "unit/stats/ar1.h"

enum { MOST = 3600 };

static double values[MOST];

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* Of 1 ... n in any order the values tell their ranks.  Tables of the sign test, two-sided 5%. */
static void published_ranks(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        double low;
    } rows[] = {{5, NAN}, {6, 1},  {8, 1},  {9, 2},   {10, 2},
                {15, 4},  {20, 6}, {25, 8}, {50, 18}, {100, 40}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = rows[i].count;
        struct median median;
        for (size_t v = 0; v < n; v++)
            values[v] = (double)(v * 7 % n + 1); /* 7 divides none of them */
        median_exact(values, n, 0.95, &median);
        assert_true(median.value == ((double)n + 1) / 2 && median.count == n);
        if (isnan(rows[i].low)) {
            assert_true(isnan(median.low) && isnan(median.high));
            continue;
        }
        assert_true(median.low == rows[i].low);
        assert_true(median.high == (double)n + 1 - rows[i].low);
    }
}

/* From all 2^n sides on which n values can fall. */
static void ranks_by_all_sides(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 14; n++)
        for (double level = 0.5; level < 1; level += 0.07) {
            double ways[15] = {0}, outside = 0;
            size_t c = 0;
            for (unsigned set = 0; set < 1U << n; set++)
                ways[__builtin_popcount(set)]++;
            while ((outside + ways[c]) / (double)(1U << n) <= (1 - level) / 2)
                outside += ways[c++];
            for (size_t i = 0; i < n; i++)
                values[i] = (double)(n - i);
            struct median median;
            median_exact(values, n, level, &median);
            assert_true(c > 0 ? median.low == (double)c : isnan(median.low));
            assert_true(c > 0 ? median.high == (double)(n + 1 - c) : isnan(median.high));
        }
}

static void what_is_unknown_is_left_out(void **state)
{
    (void)state;
    const double some[] = {4, NAN, 1, 6, INFINITY, 2, 5, 3, -INFINITY};
    struct median median;
    median_exact(some, 9, 0.95, &median);
    assert_true(median.count == 6 && median.value == 3.5 && median.low == 1 && median.high == 6);
    median_exact(some + 1, 1, 0.95, &median);
    assert_true(median.count == 0 && isnan(median.value) && isnan(median.low));
    median_exact(NULL, 0, 0.95, &median);
    assert_true(median.count == 0 && isnan(median.value) && isnan(median.high));

    struct rng rng = {61};
    struct median with, without;
    ar1_fill(values, 200, 0.5, &rng);
    median_series(values, 200, 0.95, 1, &without);
    memmove(values + 101, values + 100, 100 * sizeof *values);
    values[100] = NAN;
    median_series(values, 201, 0.95, 1, &with);
    assert_true(with.count == 200 && with.value == without.value);
    assert_true(with.low == without.low && with.high == without.high);
}

static void a_short_series_has_no_interval(void **state)
{
    (void)state;
    struct rng rng = {62};
    struct median median;
    ar1_fill(values, 20, 0, &rng);
    median_series(values, 19, 0.95, 1, &median);
    assert_true(!isnan(median.value) && isnan(median.low) && isnan(median.high));
    median_series(values, 20, 0.95, 1, &median);
    assert_true(median.low < median.value && median.value < median.high);
    median_series(NULL, 0, 0.95, 1, &median);
    assert_true(isnan(median.value) && isnan(median.low) && median.count == 0);
    for (size_t i = 0; i < 50; i++)
        values[i] = 7;
    median_series(values, 50, 0.95, 1, &median);
    assert_true(median.value == 7 && median.low == 7 && median.high == 7);
}

static void repeatable_and_free_of_units(void **state)
{
    (void)state;
    struct rng rng = {63};
    struct median one, again, turned;
    ar1_fill(values, 500, 0.6, &rng);
    median_series(values, 500, 0.95, 9, &one);
    median_series(values, 500, 0.95, 9, &again);
    assert_memory_equal(&one, &again, sizeof one);
    for (size_t i = 0; i < 500; i++)
        values[i] = 1000 + 8 * values[i];
    median_series(values, 500, 0.95, 9, &turned);
    assert_true(near(turned.low, 1000 + 8 * one.low) && near(turned.high, 1000 + 8 * one.high));
    median_series(values, 500, 0.80, 9, &again);
    assert_true(again.low > turned.low && again.high < turned.high);
    bool differs = false;
    for (uint64_t seed = 10; seed < 20; seed++) {
        median_series(values, 500, 0.95, seed, &again);
        differs = differs || again.low != turned.low || again.high != turned.high;
        assert_true(fabs(again.high - again.low - (turned.high - turned.low)) <
                    (turned.high - turned.low) / 2);
    }
    assert_true(differs);
}

struct coverage {
    double series, exact, width_series, width_exact;
};

/* The median is 1: e to the power of what is symmetric about 0. */
static struct coverage covered(size_t count, double correlation, int rounds)
{
    struct coverage c = {0, 0, 0, 0};
    struct rng rng = {64};
    for (int round = 0; round < rounds; round++) {
        struct median series, exact;
        ar1_fill(values, count, correlation, &rng);
        for (size_t i = 0; i < count; i++)
            values[i] = exp(values[i]);
        median_series(values, count, 0.95, (uint64_t)round, &series);
        median_exact(values, count, 0.95, &exact);
        c.series += (series.low <= 1 && 1 <= series.high) / (double)rounds;
        c.exact += (exact.low <= 1 && 1 <= exact.high) / (double)rounds;
        c.width_series += (series.high - series.low) / rounds;
        c.width_exact += (exact.high - exact.low) / rounds;
    }
    print_message("  %zu values, correlation %g: covers %.3f, as if independent %.3f\n", count,
                  correlation, c.series, c.exact);
    return c;
}

static void covers_the_median_of_dependent_values(void **state)
{
    (void)state;
    struct coverage c = covered(600, 0.7, 1000); /* standard error 0.007 */
    assert_true(c.series > 0.925 && c.series < 0.975 && c.exact < 0.75);
    c = covered(2000, 0.9, 400); /* 0.011 */
    assert_true(c.series > 0.91 && c.series < 0.98 && c.exact < 0.5);
    c = covered(60, 0.5, 1000);
    assert_true(c.series > 0.91 && c.series < 0.98 && c.exact < 0.9);
}

static void independent_values_have_the_exact_interval(void **state)
{
    (void)state;
    struct coverage c = covered(400, 0, 1000);
    assert_true(c.series > 0.93 && c.series < 0.985);
    assert_true(fabs(c.width_series / c.width_exact - 1) < 0.1);
}

static void blocks_are_as_long_as_the_dependence(void **state)
{
    (void)state;
    struct rng rng = {65};
    ar1_fill(values, 1000, 0, &rng);
    size_t none = median_block(values, 1000);
    assert_in_range(none, 10, 14); /* the cube root, but for chance */
    ar1_fill(values, 1000, 0.8, &rng);
    size_t some = median_block(values, 1000);
    ar1_fill(values, 1000, 0.97, &rng);
    size_t much = median_block(values, 1000);
    assert_true(some > 3 * none / 2 && much > 3 * some / 2 && much <= 250);
    /* Stalls do not hide it. */
    ar1_fill(values, 1000, 0.8, &rng);
    some = median_block(values, 1000);
    for (size_t i = 0; i < 1000; i += 97)
        values[i] -= 1e9;
    size_t stalled = median_block(values, 1000);
    assert_true(stalled > 3 * none / 2 && stalled <= some + 5);
    for (size_t i = 0; i < 1000; i++)
        values[i] = (double)i;
    assert_in_range(median_block(values, 1000), 50, 250);
    for (size_t i = 0; i < 1000; i++)
        values[i] = 5;
    assert_int_equal(median_block(values, 1000), 10);
    for (size_t count = 0; count < 200; count++)
        assert_in_range(median_block(values, count), 1, count < 8 ? 1 : count / 4);
}

static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Measured in sorts of the same values on the same machine: sorting each resample would take
 * MEDIAN_RESAMPLES of them. */
static void an_hour_of_values_is_fast(void **state)
{
    (void)state;
    static double sorted[MOST];
    struct rng rng = {66};
    struct median median;
    double sort_ms = INFINITY, series_ms = INFINITY;
    ar1_fill(values, MOST, 0.3, &rng);
    for (int round = 0; round < 5; round++) {
        memcpy(sorted, values, sizeof values);
        double start = cpu_ms();
        qsort(sorted, MOST, sizeof *sorted, by_value);
        double middle = cpu_ms();
        median_series(values, MOST, 0.95, 1, &median);
        sort_ms = fmin(sort_ms, middle - start);
        series_ms = fmin(series_ms, cpu_ms() - middle);
    }
    print_message("  %d values: %.2f ms, a sort of them %.2f ms\n", MOST, series_ms, sort_ms);
    assert_true(series_ms < 60 * sort_ms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_ranks),
        cmocka_unit_test(ranks_by_all_sides),
        cmocka_unit_test(what_is_unknown_is_left_out),
        cmocka_unit_test(a_short_series_has_no_interval),
        cmocka_unit_test(repeatable_and_free_of_units),
        cmocka_unit_test(covers_the_median_of_dependent_values),
        cmocka_unit_test(independent_values_have_the_exact_interval),
        cmocka_unit_test(blocks_are_as_long_as_the_dependence),
        cmocka_unit_test(an_hour_of_values_is_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
