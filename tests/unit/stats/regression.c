#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/rng.h"
#include "stats/regression.h"
#include "stats/select.h"
#include "unit/stats/ar1.h"

enum { MANY = 1200 };

static double x[4 * MANY], y[4 * MANY];

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* Sen 1968, section 5: slope 4, and 3.71 to 4.38 at 93% (26/7 and 35/8). */
static void sens_own_example(void **state)
{
    (void)state;
    const double sx[] = {1, 2, 3, 4, 10, 12, 18}, sy[] = {9, 15, 19, 20, 45, 55, 78};
    struct regression fit;
    regression_fit_level(sx, sy, 7, 1.811910673, &fit);
    assert_true(near(fit.slope, 4));
    assert_true(near(fit.low, 26.0 / 7));
    assert_true(near(fit.high, 35.0 / 8));
    assert_int_equal(fit.n, 7);
}

static int by_value(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Kendall's variance by its definition: over pairs of pairs, the sum of products of signs has an
 * expectation that depends on how many points two pairs share.  Independent of the formula with
 * groups of ties that the program uses. */
static double variance_by_pairs(size_t count)
{
    double n = (double)count, pairs_x = 0, pairs_y = 0, rows_x = 0, rows_y = 0;
    for (size_t i = 0; i < count; i++) {
        double sum_x = 0, sum_y = 0;
        for (size_t j = 0; j < count; j++) {
            sum_x += (x[j] > x[i]) - (x[j] < x[i]);
            sum_y += (y[j] > y[i]) - (y[j] < y[i]);
            pairs_x += x[j] != x[i];
            pairs_y += y[j] != y[i];
        }
        rows_x += sum_x * sum_x;
        rows_y += sum_y * sum_y;
    }
    /* Daniels 1944 for the generalised correlation coefficient, sum over ordered pairs; the sum
     * over i < j is half of it. */
    double total = 4 * (rows_x - pairs_x) * (rows_y - pairs_y) / (n * (n - 1) * (n - 2)) +
                   2 * pairs_x * pairs_y / (n * (n - 1));
    return total / 4;
}

static void check_against_brute_force(size_t count)
{
    struct regression fit;
    static double slopes[60 * 60];
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (x[i] != x[j])
                slopes[total++] = (y[i] - y[j]) / (x[i] - x[j]);
    qsort(slopes, total, sizeof *slopes, by_value);
    double half = 1.959963984540054 * sqrt(variance_by_pairs(count));
    double rank = round(((double)total - half) / 2);
    regression_fit_any(x, y, count, &fit);
    assert_true(near(fit.slope, (slopes[(total - 1) / 2] + slopes[total / 2]) / 2));
    if (rank < 1) {
        assert_true(isnan(fit.low) && isnan(fit.high));
        return;
    }
    assert_true(near(fit.low, slopes[(size_t)rank - 1]));
    assert_true(near(fit.high, slopes[total - (size_t)rank]));
    assert_true(fit.low <= fit.slope && fit.slope <= fit.high);
}

static void agrees_with_brute_force_with_and_without_ties(void **state)
{
    (void)state;
    struct rng rng = {11};
    for (int round = 0; round < 200; round++) {
        size_t count = 5 + rng_below(&rng, 50);
        uint64_t kinds = round % 2 ? 1000000 : 2 + rng_below(&rng, 12);
        for (size_t i = 0; i < count; i++) {
            x[i] = (double)rng_below(&rng, kinds);
            y[i] = (double)rng_below(&rng, kinds) + (round % 4 < 2 ? 2 * x[i] : 0);
        }
        x[0] = 0;
        x[1] = 1;
        check_against_brute_force(count);
    }
}

static void fill(size_t count, uint64_t seed)
{
    struct rng rng = {seed};
    for (size_t i = 0; i < count; i++) {
        x[i] = 1000 + (double)rng_below(&rng, 500);
        y[i] = 2.06 * x[i] + (double)rng_below(&rng, 100);
    }
}

static void a_line_in_other_units_is_the_same_line(void **state)
{
    (void)state;
    struct regression fit, other;
    fill(200, 3);
    regression_fit(x, y, 200, &fit);
    for (size_t i = 0; i < 200; i++)
        y[i] = -3 * y[i] + 17;
    regression_fit(x, y, 200, &other);
    assert_true(near(other.slope, -3 * fit.slope));
    assert_true(near(other.low, -3 * fit.high));
    assert_true(near(other.high, -3 * fit.low));
    assert_true(near(other.r, -fit.r));
}

static void outliers_do_not_move_it(void **state)
{
    (void)state;
    struct regression fit;
    fill(300, 5);
    for (size_t i = 0; i < 300; i += 10)
        y[i] += 1e6;
    regression_fit(x, y, 300, &fit);
    assert_true(fit.low < 2.06 && 2.06 < fit.high && fit.high - fit.low < 0.2);
}

/* Anscombe's first set: r = 0.81642. */
static void pearson_of_a_published_set(void **state)
{
    (void)state;
    const double ax[] = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    const double ay[] = {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    struct regression fit;
    regression_fit_any(ax, ay, 11, &fit);
    assert_true(fabs(fit.r - 0.81642) < 5e-6);
}

static void too_little_is_unknown(void **state)
{
    (void)state;
    struct regression fit;
    fill(30, 1);
    regression_fit(x, y, 29, &fit);
    assert_true(isnan(fit.slope) && isnan(fit.low) && isnan(fit.high) && isnan(fit.r));
    assert_int_equal(fit.n, 29);
    regression_fit(x, y, 30, &fit);
    assert_false(isnan(fit.slope) || isnan(fit.low) || isnan(fit.r));
    for (size_t i = 0; i < 40; i++)
        x[i] = 5;
    regression_fit(x, y, 40, &fit);
    assert_true(isnan(fit.slope) && isnan(fit.low) && isnan(fit.high) && isnan(fit.r));
    for (size_t count = 30; count < 90; count++) { /* of some counts the mean is not quite 0.1 */
        for (size_t i = 0; i < count; i++) {
            x[i] = (double)i;
            y[i] = 0.1;
        }
        regression_fit(x, y, count, &fit);
        assert_true(fit.slope == 0 && isnan(fit.r));
        regression_fit(y, x, count, &fit);
        assert_true(isnan(fit.slope) && isnan(fit.r));
    }
    regression_fit(NULL, NULL, 0, &fit);
    assert_true(isnan(fit.slope));
}

static void what_is_unknown_is_left_out(void **state)
{
    (void)state;
    struct regression fit, without;
    fill(60, 8);
    regression_fit(x, y, 59, &without);
    y[59] = NAN;
    regression_fit(x, y, 60, &fit);
    assert_int_equal(fit.n, 59);
    assert_true(fit.slope == without.slope && fit.r == without.r);
}

static void many_points_are_summed_and_fast(void **state)
{
    (void)state;
    struct regression fit;
    fill(4 * MANY, 9);
    int64_t start_ns = clock_now_ns();
    regression_fit(x, y, MANY, &fit);
    double ms = (double)(clock_now_ns() - start_ns) / NS_PER_MS;
    print_message("  %d points in %.1f ms\n", MANY, ms);
    assert_true(fabs(fit.slope - 2.06) < 0.01);
    regression_fit(x, y, 4 * MANY, &fit);
    assert_int_equal(fit.n, 4 * MANY);
    assert_true(fabs(fit.slope - 2.06) < 0.01 && fit.low < fit.slope && fit.slope < fit.high);
    /* An exact line stays one through the sums, and so does its rate per x. */
    for (size_t i = 0; i < 3 * MANY + 1; i++)
        y[i] = 7 * x[i];
    regression_fit(x, y, 3 * MANY + 1, &fit);
    assert_true(near(fit.slope, 7) && near(fit.low, 7) && near(fit.high, 7) && near(fit.r, 1));
}

/* Samples that follow each other: both x and what the line leaves over, about y = 2 x. */
static void fill_series(size_t count, double correlation, struct rng *rng)
{
    ar1_fill(x, count, correlation, rng);
    ar1_fill(y, count, correlation, rng);
    for (size_t i = 0; i < count; i++) {
        x[i] = 1000 + 100 * x[i];
        y[i] = 2 * x[i] + 60 * y[i];
    }
}

struct coverage {
    double series, sen;
};

static struct coverage covered(size_t count, double correlation, int rounds)
{
    struct coverage c = {0, 0};
    struct rng rng = {71};
    for (int round = 0; round < rounds; round++) {
        struct regression series, sen;
        fill_series(count, correlation, &rng);
        regression_fit_series(x, y, count, (uint64_t)round, &series);
        regression_fit(x, y, count, &sen);
        c.series += (series.low <= 2 && 2 <= series.high) / (double)rounds;
        c.sen += (sen.low <= 2 && 2 <= sen.high) / (double)rounds;
    }
    print_message("  %zu points, correlation %g: covers %.3f, Sen's %.3f\n", count, correlation,
                  c.series, c.sen);
    return c;
}

static void a_series_interval_covers_the_slope(void **state)
{
    (void)state;
    struct coverage c = covered(400, 0.8, 600); /* standard error 0.009 */
    assert_true(c.series > 0.91 && c.series < 0.98 && c.sen < 0.8);
    c = covered(1000, 0.9, 150); /* 0.018 */
    assert_true(c.series > 0.89 && c.sen < 0.7);
    c = covered(200, 0, 1000); /* independent points lose nothing */
    assert_true(c.series > 0.925 && c.series < 0.975 && fabs(c.series - c.sen) < 0.025);
}

/* Beyond REGRESSION_MAX neighbours are summed, before the blocks are drawn. */
static void a_long_series_too(void **state)
{
    (void)state;
    struct coverage c = covered(2 * MANY, 0.9, 80); /* standard error 0.024 */
    assert_true(c.series > 0.87 && c.sen < c.series);
}

static void a_series_has_the_same_line(void **state)
{
    (void)state;
    struct rng rng = {72};
    for (size_t count = 30; count <= 3 * MANY; count *= 4) {
        struct regression fit, series, again, turned;
        fill_series(count, 0.7, &rng);
        regression_fit(x, y, count, &fit);
        regression_fit_series(x, y, count, 5, &series);
        assert_true(series.slope == fit.slope && series.r == fit.r && series.n == fit.n);
        assert_true(series.low < series.slope && series.slope < series.high);
        regression_fit_series(x, y, count, 5, &again);
        assert_memory_equal(&series, &again, sizeof series);
        for (size_t i = 0; i < count; i++)
            y[i] = 4 * y[i] + 64;
        regression_fit_series(x, y, count, 5, &turned);
        assert_true(near(turned.slope, 4 * series.slope));
        assert_true(near(turned.low, 4 * series.low) && near(turned.high, 4 * series.high));
    }
}

static void another_seed_gives_nearly_the_same(void **state)
{
    (void)state;
    struct rng rng = {73};
    struct regression one, other;
    fill_series(600, 0.7, &rng);
    regression_fit_series(x, y, 600, 1, &one);
    int differ = 0;
    for (uint64_t seed = 2; seed < 8; seed++) {
        regression_fit_series(x, y, 600, seed, &other);
        differ += one.low != other.low;
        assert_true(fabs(one.low - other.low) < (one.high - one.low) / 5);
        assert_true(fabs(one.high - other.high) < (one.high - one.low) / 5);
    }
    assert_true(differ > 0);
}

static void a_series_at_its_limits(void **state)
{
    (void)state;
    struct rng rng = {74};
    struct regression fit, without;
    fill_series(60, 0.5, &rng);
    regression_fit_series(x, y, 29, 1, &fit);
    assert_true(isnan(fit.slope) && isnan(fit.low) && isnan(fit.high) && isnan(fit.r));
    assert_int_equal(fit.n, 29);
    regression_fit_series(x, y, 59, 1, &without);
    y[59] = NAN;
    regression_fit_series(x, y, 60, 1, &fit);
    assert_memory_equal(&fit, &without, sizeof fit);
    for (size_t i = 0; i < 60; i++)
        y[i] = 3 * x[i];
    regression_fit_series(x, y, 60, 1, &fit);
    assert_true(near(fit.slope, 3) && near(fit.low, 3) && near(fit.high, 3) && near(fit.r, 1));
    for (size_t i = 0; i < 60; i++)
        x[i] = 5;
    regression_fit_series(x, y, 60, 1, &fit);
    assert_true(isnan(fit.slope) && isnan(fit.low) && isnan(fit.high) && isnan(fit.r));
    regression_fit_series(NULL, NULL, 0, 1, &fit);
    assert_true(isnan(fit.slope) && fit.n == 0);
}

static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * NS_PER_S / NS_PER_MS + (double)now.tv_nsec / NS_PER_MS;
}

/* On the same machine, beside one median of all slopes written down: fitting each resample again
 * would take hundreds of them. */
static void an_hour_of_samples_is_fast(void **state)
{
    (void)state;
    double *slopes = malloc(MANY * (MANY - 1) / 2 * sizeof *slopes);
    struct rng rng = {75};
    double naive_ms = INFINITY, series_ms = INFINITY;
    assert_non_null(slopes);
    fill_series(3 * MANY, 0.5, &rng);
    for (int round = 0; round < 5; round++) {
        struct regression fit;
        size_t total = 0;
        double start = cpu_ms();
        for (size_t i = 0; i < MANY; i++)
            for (size_t j = i + 1; j < MANY; j++)
                slopes[total++] = (y[j] - y[i]) / (x[j] - x[i]);
        double median = select_median(slopes, total), middle = cpu_ms();
        regression_fit_series(x, y, 3 * MANY, 1, &fit);
        assert_true(fabs(median - fit.slope) < 0.5);
        naive_ms = fmin(naive_ms, middle - start);
        series_ms = fmin(series_ms, cpu_ms() - middle);
    }
    free(slopes);
    print_message("  %d points: %.1f ms, one median of all slopes %.1f ms\n", 3 * MANY, series_ms,
                  naive_ms);
    assert_true(series_ms < 4 * naive_ms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sens_own_example),
        cmocka_unit_test(agrees_with_brute_force_with_and_without_ties),
        cmocka_unit_test(a_line_in_other_units_is_the_same_line),
        cmocka_unit_test(outliers_do_not_move_it),
        cmocka_unit_test(pearson_of_a_published_set),
        cmocka_unit_test(too_little_is_unknown),
        cmocka_unit_test(what_is_unknown_is_left_out),
        cmocka_unit_test(many_points_are_summed_and_fast),
        cmocka_unit_test(a_series_interval_covers_the_slope),
        cmocka_unit_test(a_long_series_too),
        cmocka_unit_test(a_series_has_the_same_line),
        cmocka_unit_test(another_seed_gives_nearly_the_same),
        cmocka_unit_test(a_series_at_its_limits),
        cmocka_unit_test(an_hour_of_samples_is_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
