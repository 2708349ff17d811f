#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef WITH_GSL
#include <gsl/gsl_multifit_nlinear.h>
#endif

#include "base/rng.h"
#include "stats/usl.h"

static double uniform(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct rng *rng) /* Box and Muller 1958 */
{
    double radius = sqrt(-2 * log(uniform(rng)));
    return radius * cos(2 * acos(-1) * uniform(rng));
}

static double law(double gamma, double alpha, double beta, double n)
{
    return gamma * n / (1 + alpha * (n - 1) + beta * n * (n - 1));
}

static bool near(double a, double b, double relative)
{
    return a == b || fabs(a - b) <= relative * fabs(b);
}

static void exact_points_give_their_coefficients(void **state)
{
    (void)state;
    const double n[] = {1, 2, 4, 8, 16, 32, 64, 128};
    const double alphas[] = {0, 1e-4, 0.03, 0.5, 0.9, 1.5}, betas[] = {0, 1e-6, 1e-4, 0.01, 0.3};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 5; j++) {
            double rates[8], residuals[8];
            for (size_t k = 0; k < 8; k++)
                rates[k] = law(1234, alphas[i], betas[j], n[k]);
            struct usl usl;
            usl_fit(n, rates, 8, 1, &usl, residuals);
            assert_true(usl.fitted);
            assert_int_equal(usl.points, 8);
            assert_true(near(usl.gamma.value, 1234, 1e-9));
            assert_true(fabs(usl.alpha.value - alphas[i]) < 1e-9 * alphas[i] + 1e-12);
            assert_true(fabs(usl.beta.value - betas[j]) < 1e-9 * betas[j] + 1e-12);
            assert_true(usl.residual < 1e-9);
            for (size_t k = 0; k < 8; k++) {
                assert_true(fabs(residuals[k]) < 1e-9);
                assert_true(near(usl_rate(&usl, n[k]), rates[k], 1e-9));
            }
            assert_true(near(usl.alpha.high, usl.alpha.low, 1e-6) || usl.alpha.high < 1e-9);
        }
}

static void the_peak_by_hand(void **state)
{
    (void)state;
    /* sqrt((1 - 0.19) / 0.0025) = 18; there 100 x 18 / (1 + 0.19 x 17 + 0.0025 x 306). */
    const double n[] = {1, 3, 10, 18, 30, 60};
    double rates[6];
    for (size_t k = 0; k < 6; k++)
        rates[k] = law(100, 0.19, 0.0025, n[k]);
    assert_true(rates[5] < rates[4] && rates[4] < rates[3]); /* retrograde */
    struct usl usl;
    usl_fit(n, rates, 6, 1, &usl, NULL);
    assert_true(near(usl.peak_streams.value, 18, 1e-7));
    assert_true(near(usl.peak_rate.value, 1800 / 4.995, 1e-9));
}

static void a_bound_gives_a_peak_far_away_or_at_once(void **state)
{
    (void)state;
    const double n[] = {1, 2, 4, 8, 16, 32};
    double rates[6];
    struct usl usl;
    /* Faster than linear: alpha would be negative. */
    for (size_t k = 0; k < 6; k++)
        rates[k] = 100 * pow(n[k], 1.1);
    usl_fit(n, rates, 6, 1, &usl, NULL);
    assert_true(usl.fitted && usl.alpha.value == 0 && usl.beta.value == 0);
    assert_true(isinf(usl.peak_streams.value) && isinf(usl.peak_rate.value));
    /* Its best gamma is the geometric mean of X / N: 100 x 2^(0.1 x 2.5). */
    assert_true(near(usl.gamma.value, 100 * pow(2, 0.25), 1e-9));
    /* Contention alone levels off at gamma / alpha. */
    for (size_t k = 0; k < 6; k++)
        rates[k] = law(100, 0.2, 0, n[k]) * (k == 5 ? 1.02 : 1); /* beta would be negative */
    usl_fit(n, rates, 6, 1, &usl, NULL);
    assert_true(usl.beta.value == 0 && usl.beta.low == 0 && usl.alpha.value > 0.15);
    assert_true(isinf(usl.peak_streams.value));
    assert_true(near(usl.peak_rate.value, usl.gamma.value / usl.alpha.value, 1e-12));
    assert_true(near(usl_rate(&usl, 1e12), usl.peak_rate.value, 1e-6));
    /* Each stream more makes it slower: one stream is the peak. */
    for (size_t k = 0; k < 6; k++)
        rates[k] = law(100, 1.5, 0.01, n[k]);
    usl_fit(n, rates, 6, 1, &usl, NULL);
    assert_true(usl.peak_streams.value == 1 && near(usl.peak_rate.value, 100, 1e-9));
}

static void too_few_different_streams_give_no_fit(void **state)
{
    (void)state;
    const double n[] = {1, 2, 4, 8, 16, 16, 8, 4, 0.5, NAN, 64, 32, INFINITY};
    const double rates[] = {10, 19, 30, 50, 60, 61, 49, 31, 5, 10, 0, -1, 70};
    struct usl usl;
    double residuals[13];
    memset(residuals, 0, sizeof residuals);
    usl_fit(n, rates, 13, 1, &usl, residuals);
    assert_false(usl.fitted);
    assert_int_equal(usl.points, 5);
    assert_true(isnan(usl.gamma.value) && isnan(usl.alpha.low) && isnan(usl.beta.high));
    assert_true(isnan(usl.peak_streams.value) && isnan(usl.peak_rate.value));
    assert_true(isnan(usl.residual) && isnan(usl_rate(&usl, 4)));
    for (size_t k = 0; k < 13; k++)
        assert_true(isnan(residuals[k]));
    usl_fit(NULL, NULL, 0, 1, &usl, NULL);
    assert_false(usl.fitted);
    assert_int_equal(usl.points, 0);
}

static void what_is_unknown_is_left_out(void **state)
{
    (void)state;
    const double n[] = {1, 2, NAN, 4, 8, 16, 0, 32, 32};
    double rates[9], residuals[9];
    for (size_t k = 0; k < 9; k++)
        rates[k] = k == 2 || k == 6 ? 7 : law(100, 0.1, 0.001, n[k]);
    rates[8] = NAN;
    struct usl usl;
    usl_fit(n, rates, 9, 1, &usl, residuals);
    assert_true(usl.fitted);
    assert_int_equal(usl.points, 6);
    assert_true(near(usl.alpha.value, 0.1, 1e-9) && near(usl.beta.value, 0.001, 1e-9));
    for (size_t k = 0; k < 9; k++)
        assert_int_equal(isnan(residuals[k]), k == 2 || k == 6 || k == 8);
}

/* The sum of squares as it is defined, of X or of log X. */
enum scale { ABSOLUTE, LOGARITHMIC };
struct data {
    const double *n, *rates;
    size_t count;
    enum scale scale;
};

static double squares(const struct data *data, const double at[3])
{
    double sum = 0;
    for (size_t i = 0; i < data->count; i++) {
        double fit = law(exp(at[0]), fabs(at[1]), fabs(at[2]), data->n[i]), x = data->rates[i];
        double r = data->scale == ABSOLUTE ? x - fit : log(x) - log(fit);
        sum += r * r;
    }
    return sum;
}

/* A search that shares nothing with the program's: a step along one axis at a time, and along
 * what the last round has moved (Hooke and Jeeves 1961). */
static void search(const struct data *data, double at[3])
{
    double size[3] = {0.1, 0.3 * at[1], 0.3 * at[2]}, best = squares(data, at);
    for (int rounds = 0; rounds < 400000 && size[0] > 1e-13; rounds++) {
        double before[3];
        bool better = false;
        memcpy(before, at, sizeof before);
        for (int k = 0; k < 3; k++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double old = at[k];
                at[k] += sign * size[k];
                double found = squares(data, at);
                if (found < best) {
                    best = found;
                    better = true;
                    break;
                }
                at[k] = old;
            }
        for (int k = 0; k < 3 && !better; k++)
            size[k] *= 0.7;
        for (double far = 1; better; far *= 2) {
            double further[3];
            for (int k = 0; k < 3; k++)
                further[k] = at[k] + far * (at[k] - before[k]);
            if (!(squares(data, further) < best))
                break;
            best = squares(data, further);
            memcpy(at, further, sizeof further);
        }
    }
}

/* SPEC SDM91 on a SPARCcenter 2000 (Gunther 2007).  Published for it by the R package usl, least
 * squares of X: alpha 0.0277285, beta 0.0001044, gamma 89.995, peak at 96.5.  The same of log X
 * gives the first point (64.9, 28% below the published line) its full weight: gamma and
 * alpha are lower, the published alpha and beta lie within a standard error or two of them. */
static void spec_sdm91(void **state)
{
    (void)state;
    const double n[] = {1, 18, 36, 72, 108, 144, 216};
    const double rates[] = {64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2};
    struct data data = {n, rates, 7, ABSOLUTE};
    double at[3] = {log(80), 0.02, 1e-4};
    search(&data, at);
    assert_true(fabs(exp(at[0]) - 89.9952) < 0.01);
    assert_true(fabs(at[1] - 0.0277285) < 1e-6);
    assert_true(fabs(at[2] - 0.0001044) < 1e-7);

    struct usl usl;
    usl_fit(n, rates, 7, 1, &usl, NULL);
    data.scale = LOGARITHMIC;
    search(&data, at);
    assert_true(near(usl.gamma.value, exp(at[0]), 1e-5));
    assert_true(near(usl.alpha.value, at[1], 1e-4));
    assert_true(near(usl.beta.value, at[2], 1e-4));
    assert_true(near(7 * usl.residual * usl.residual, squares(&data, at), 1e-9));

    assert_true(fabs(usl.alpha.value - 0.0277285) < 2 * 0.0091217);
    assert_true(fabs(usl.beta.value - 0.0001044) < 0.0000199);
    assert_true(usl.beta.low < 0.0001044 && usl.beta.high > 0.0001044);
    assert_true(usl.peak_streams.low < 96.5 && usl.peak_streams.high > 96.5);
    assert_true(usl.peak_rate.value > 1850 && usl.peak_rate.value < 2100);
}

static void noisy(struct rng *rng, double spread, double *n, double *rates, size_t count,
                  double alpha, double beta)
{
    for (size_t k = 0; k < count; k++) {
        n[k] = pow(2, (double)(k % 6));
        rates[k] = law(500, alpha, beta, n[k]) * exp(spread * normal(rng));
    }
}

static void noisy_points_agree_with_another_search(void **state)
{
    (void)state;
    struct rng rng = {11};
    for (int i = 0; i < 20; i++) {
        double n[12], rates[12];
        noisy(&rng, 0.05, n, rates, 12, 0.1, 4e-3);
        struct usl usl;
        usl_fit(n, rates, 12, 1, &usl, NULL);
        struct data data = {n, rates, 12, LOGARITHMIC};
        double at[3] = {log(400), 0.2, 1e-3};
        search(&data, at);
        double theirs = squares(&data, at), ours = 12 * usl.residual * usl.residual;
        assert_true(ours <= theirs * (1 + 1e-9));
        assert_true(near(ours, theirs, 1e-4));
        assert_true(near(usl.gamma.value, exp(at[0]), 1e-2));
        assert_int_equal(usl.points, 6);
    }
}

#ifdef WITH_GSL
static int gsl_residuals(const gsl_vector *at, void *context, gsl_vector *f)
{
    const struct data *data = context;
    for (size_t i = 0; i < data->count; i++) {
        double fit = law(exp(gsl_vector_get(at, 0)), gsl_vector_get(at, 1), gsl_vector_get(at, 2),
                         data->n[i]);
        gsl_vector_set(f, i, log(fit) - log(data->rates[i]));
    }
    return GSL_SUCCESS;
}

/* The GNU Scientific Library's Levenberg-Marquardt with differences for derivatives. */
static void noisy_points_agree_with_gsl(void **state)
{
    (void)state;
    struct rng rng = {12};
    for (int i = 0; i < 50; i++) {
        double n[18], rates[18];
        noisy(&rng, 0.03, n, rates, 18, 0.1, 4e-3);
        struct data data = {n, rates, 18, LOGARITHMIC};
        gsl_multifit_nlinear_fdf fdf = {
            .f = gsl_residuals, .n = data.count, .p = 3, .params = &data};
        gsl_multifit_nlinear_parameters options = gsl_multifit_nlinear_default_parameters();
        gsl_multifit_nlinear_workspace *work =
            gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &options, fdf.n, fdf.p);
        gsl_vector *start = gsl_vector_alloc(3);
        gsl_vector_set(start, 0, log(500));
        gsl_vector_set(start, 1, 0.1);
        gsl_vector_set(start, 2, 4e-3);
        int info;
        gsl_multifit_nlinear_init(start, &fdf, work);
        assert_int_equal(gsl_multifit_nlinear_driver(200, 1e-12, 1e-12, 0, NULL, NULL, &info, work),
                         GSL_SUCCESS);
        const gsl_vector *theirs = gsl_multifit_nlinear_position(work);
        struct usl usl;
        usl_fit(n, rates, 18, 1, &usl, NULL);
        assert_true(near(usl.gamma.value, exp(gsl_vector_get(theirs, 0)), 1e-5));
        assert_true(near(usl.alpha.value, gsl_vector_get(theirs, 1), 1e-4));
        assert_true(near(usl.beta.value, gsl_vector_get(theirs, 2), 1e-4));
        gsl_vector_free(start);
        gsl_multifit_nlinear_free(work);
    }
}
#endif

static void the_same_seed_gives_the_same_interval(void **state)
{
    (void)state;
    struct rng rng = {5};
    double n[12], rates[12];
    noisy(&rng, 0.05, n, rates, 12, 0.1, 4e-3);
    struct usl first, again, other;
    memset(&first, 0, sizeof first);
    memset(&again, 0, sizeof again);
    usl_fit(n, rates, 12, 7, &first, NULL);
    usl_fit(n, rates, 12, 7, &again, NULL);
    usl_fit(n, rates, 12, 8, &other, NULL);
    assert_memory_equal(&first, &again, sizeof first);
    assert_true(first.alpha.value == other.alpha.value && first.alpha.low != other.alpha.low);
    assert_true(near(other.gamma.high - other.gamma.low, first.gamma.high - first.gamma.low, 0.2));
    assert_true(first.beta.low <= first.beta.value && first.beta.value <= first.beta.high);
}

/* 95% intervals, by simulation: the standard error of a share of 300 is 1.3%. */
static void intervals_cover_the_truth(void **state)
{
    (void)state;
    enum { SERIES = 300 };
    const size_t counts[] = {6, 18};
    const double peak = sqrt(0.95 / 1e-3), peak_rate = law(500, 0.05, 1e-3, peak);
    for (size_t c = 0; c < 2; c++) {
        int held[5] = {0};
        for (uint64_t s = 0; s < SERIES; s++) {
            struct rng rng = {1000 * s + c};
            double n[18], rates[18];
            noisy(&rng, 0.04, n, rates, counts[c], 0.05, 1e-3);
            struct usl usl;
            usl_fit(n, rates, counts[c], s, &usl, NULL);
            held[0] += usl.gamma.low <= 500 && 500 <= usl.gamma.high;
            held[1] += usl.alpha.low <= 0.05 && 0.05 <= usl.alpha.high;
            held[2] += usl.beta.low <= 1e-3 && 1e-3 <= usl.beta.high;
            held[3] += usl.peak_streams.low <= peak && peak <= usl.peak_streams.high;
            held[4] += usl.peak_rate.low <= peak_rate && peak_rate <= usl.peak_rate.high;
        }
        for (int k = 0; k < 5; k++) {
            assert_in_range(held[k], SERIES * 89 / 100, SERIES * 995 / 1000);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_points_give_their_coefficients),
        cmocka_unit_test(the_peak_by_hand),
        cmocka_unit_test(a_bound_gives_a_peak_far_away_or_at_once),
        cmocka_unit_test(too_few_different_streams_give_no_fit),
        cmocka_unit_test(what_is_unknown_is_left_out),
        cmocka_unit_test(spec_sdm91),
        cmocka_unit_test(noisy_points_agree_with_another_search),
#ifdef WITH_GSL
        cmocka_unit_test(noisy_points_agree_with_gsl),
#endif
        cmocka_unit_test(the_same_seed_gives_the_same_interval),
        cmocka_unit_test(intervals_cover_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
