/* The GNU Scientific Library as an oracle. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#ifdef WITH_GSL

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "stats/distribution.h"
#include "stats/median.h"
#include "stats/regression.h"
#include "unit/stats/ar1.h"

static bool near(double a, double b, double share)
{
    return fabs(a - b) <= share * fabs(b);
}

static void normal_distribution(void **state)
{
    (void)state;
    for (double z = -8; z <= 8; z += 0.37)
        assert_true(near(distribution_normal(z), gsl_cdf_ugaussian_P(z), 1e-12));
}

static void students_distribution_and_its_inverse(void **state)
{
    (void)state;
    for (size_t freedom = 1; freedom < 1500; freedom += 1 + freedom / 5) {
        for (double t = 0.05; t < 20; t *= 1.5)
            assert_true(near(distribution_student(t, freedom),
                             1 - 2 * gsl_cdf_tdist_Q(t, (double)freedom), 1e-9));
        for (double level = 0.5; level < 0.999; level += 0.045)
            assert_true(near(distribution_student_inverse(level, freedom),
                             gsl_cdf_tdist_Qinv((1 - level) / 2, (double)freedom), 1e-9));
    }
}

static void binomial_distribution(void **state)
{
    (void)state;
    for (unsigned n = 1; n < 3000; n += 1 + n / 3)
        for (unsigned k = 0; k <= n; k += 1 + n / 20)
            assert_true(near(distribution_coin(k, n), gsl_cdf_binomial_P(k, 0.5, n), 1e-9));
}

/* The median by GSL's quantile, its interval by GSL's binomial distribution. */
static void medians(void **state)
{
    (void)state;
    static double values[400];
    struct rng rng = {21};
    for (size_t n = 1; n < 400; n += 1 + n / 10) {
        struct median median;
        ar1_fill(values, n, 0, &rng);
        median_exact(values, n, 0.95, &median);
        gsl_sort(values, 1, n);
        double middle = gsl_stats_quantile_from_sorted_data(values, 1, n, 0.5);
        assert_true(fabs(median.value - middle) < 1e-12);
        unsigned outside = 0;
        while (gsl_cdf_binomial_P(outside, 0.5, (unsigned)n) <= 0.025)
            outside++;
        if (outside == 0) {
            assert_true(isnan(median.low) && isnan(median.high));
        } else {
            assert_true(median.low == values[outside - 1]);
            assert_true(median.high == values[n - outside]);
        }
    }
}

static void correlations(void **state)
{
    (void)state;
    static double x[300], y[300];
    struct rng rng = {22};
    for (size_t n = 30; n <= 300; n += 27) {
        struct regression fit;
        ar1_fill(x, n, 0.5, &rng);
        ar1_fill(y, n, 0.5, &rng);
        for (size_t i = 0; i < n; i++)
            y[i] += x[i] * (double)n / 150;
        regression_fit(x, y, n, &fit);
        assert_true(near(fit.r, gsl_stats_correlation(x, 1, y, 1, n), 1e-10));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_distribution),
        cmocka_unit_test(students_distribution_and_its_inverse),
        cmocka_unit_test(binomial_distribution),
        cmocka_unit_test(medians),
        cmocka_unit_test(correlations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("the oracle is missing: install libgsl-dev and configure again");
    return 77;
}

#endif
