#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stats/ratio.h"
#include "unit/stats/ar1.h"

enum { MOST = 200 };

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* Published examples are of differences: those of logarithms, here. */
static void exponentials(const double *values, size_t count, double *into)
{
    for (size_t i = 0; i < count; i++)
        into[i] = exp(values[i]);
}

/* Hollander and Wolfe, examples 4.1, 4.3 and 4.4: permeability of a membrane at term and before. */
static void unpaired_published_example(void **state)
{
    (void)state;
    const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const double before[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    double a[10], b[5];
    struct ratio ratio;
    exponentials(term, 10, a);
    exponentials(before, 5, b);
    ratio_unpaired(a, 10, b, 5, 0.95, &ratio);
    assert_true(near(log(ratio.ratio), -0.305));
    assert_true(near(log(ratio.low), -0.76) && near(log(ratio.high), 0.15));
    assert_true(fabs(ratio.p - 2 * 0.1272) < 1e-4);
    assert_true(ratio.coverage >= 0.95 && ratio.coverage < 0.97);
    assert_true(ratio.count_a == 10 && ratio.count_b == 5);
}

/* The same, examples 3.1, 3.3 and 3.4: nine patients before and after a treatment. */
static void paired_published_example(void **state)
{
    (void)state;
    const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double a[9], b[9];
    struct ratio ratio;
    exponentials(before, 9, a);
    exponentials(after, 9, b);
    ratio_paired(a, b, 9, 0.95, &ratio);
    assert_true(near(log(ratio.ratio), -0.46));
    assert_true(near(log(ratio.low), -0.786) && near(log(ratio.high), -0.010));
    assert_true(near(ratio.p, 2 * 10.0 / 512));
    assert_true(near(ratio.coverage, 1 - 2 * 10.0 / 512));
}

static void fill_far_apart(double *a, double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        a[i] = 100 + (double)i;
        b[i] = 1000 + 11 * (double)i;
    }
}

/* How few values can say anything at all. */
static void the_least_numbers(void **state)
{
    (void)state;
    const double least_unpaired[] = {NAN, 1, 1.0 / 3, 0.10, 1.0 / 35, 1.0 / 126};
    const double least_paired[] = {NAN, 1, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625};
    double a[8], b[8];
    struct ratio ratio;
    fill_far_apart(a, b, 8);
    for (size_t n = 1; n <= 5; n++) {
        ratio_unpaired(a, n, b, n, 0.95, &ratio);
        assert_true(near(ratio.p, least_unpaired[n]));
        assert_true(isnan(ratio.low) == (n < 4) && isnan(ratio.high) == (n < 4));
        assert_true(isnan(ratio.coverage) == (n < 4));
        assert_true(ratio_judge(&ratio, 0.05) == (n < 4 ? RATIO_UNDETERMINED : RATIO_HIGHER));
    }
    for (size_t n = 1; n <= 7; n++) {
        ratio_paired(a, b, n, 0.95, &ratio);
        assert_true(near(ratio.p, least_paired[n]));
        assert_true(isnan(ratio.low) == (n < 6) && isnan(ratio.high) == (n < 6));
        assert_true(!isnan(ratio.ratio));
    }
}

static int by_value(const void *x, const void *y)
{
    double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

/* The distribution from all C(m + n, m) places that the a could take, the differences sorted. */
static void check_unpaired(const double *a, unsigned m, const double *b, unsigned n)
{
    double differences[64], below = 0, all = 0, outside = 0;
    unsigned wins[65] = {0}, less = 0, c = 0;
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j < n; j++) {
            less += b[j] < a[i];
            differences[i * n + j] = log(b[j]) - log(a[i]);
        }
    qsort(differences, (size_t)m * n, sizeof *differences, by_value);
    for (unsigned set = 0; set < 1U << (m + n); set++) {
        unsigned u = 0, of_b = 0;
        if ((unsigned)__builtin_popcount(set) != m)
            continue;
        for (unsigned i = 0; i < m + n; i++) {
            of_b += !(set >> i & 1);
            u += set >> i & 1 ? of_b : 0;
        }
        wins[u]++;
        all++;
    }
    for (unsigned u = 0; u <= less; u++)
        below += wins[u];
    double above = all - below + wins[less], p = fmin(1, 2 * fmin(below, above) / all);
    while ((outside + wins[c]) / all <= 0.025)
        outside += wins[c++];
    struct ratio ratio;
    ratio_unpaired(a, m, b, n, 0.95, &ratio);
    assert_true(near(ratio.p, p));
    assert_true(isnan(ratio.low) == (c == 0));
    if (c > 0) {
        assert_true(near(log(ratio.low), differences[c - 1]));
        assert_true(near(log(ratio.high), differences[m * n - c]));
        assert_true(near(ratio.coverage, 1 - 2 * outside / all));
        assert_true((p <= 0.05) == (ratio.low > 1 || ratio.high < 1));
    }
    unsigned middle = (m * n - 1) / 2, upper = m * n / 2;
    assert_true(near(log(ratio.ratio), (differences[middle] + differences[upper]) / 2));
}

static void unpaired_agrees_with_all_places(void **state)
{
    (void)state;
    struct rng rng = {51};
    for (int round = 0; round < 80; round++) {
        double a[8], b[8];
        unsigned m = 1 + (unsigned)rng_below(&rng, 7), n = 1 + (unsigned)rng_below(&rng, 7);
        for (unsigned i = 0; i < m; i++)
            a[i] = exp(ar1_normal(&rng));
        for (unsigned i = 0; i < n; i++)
            b[i] = exp(ar1_normal(&rng) + round % 4);
        check_unpaired(a, m, b, n);
    }
}

/* The distribution from all 2^n signs, the averages sorted. */
static void check_paired(const double *a, const double *b, unsigned n)
{
    double averages[66], d[11], ways[67] = {0}, below = 0, all = (double)(1U << n), outside = 0;
    unsigned total = 0, negative = 0, c = 0;
    for (unsigned i = 0; i < n; i++)
        d[i] = log(b[i]) - log(a[i]);
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i; j < n; j++) {
            negative += d[i] + d[j] < 0; /* Tukey: as many as the sum of the negative ranks */
            averages[total++] = (d[i] + d[j]) / 2;
        }
    qsort(averages, total, sizeof *averages, by_value);
    for (unsigned set = 0; set < 1U << n; set++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < n; i++)
            sum += set >> i & 1 ? i + 1 : 0;
        ways[sum]++;
    }
    for (unsigned t = 0; t <= negative; t++)
        below += ways[t];
    double p = fmin(1, 2 * fmin(below, all - below + ways[negative]) / all);
    while ((outside + ways[c]) / all <= 0.025)
        outside += ways[c++];
    struct ratio ratio;
    ratio_paired(a, b, n, 0.95, &ratio);
    assert_true(near(ratio.p, p));
    assert_true(isnan(ratio.low) == (c == 0));
    if (c > 0) {
        assert_true(near(log(ratio.low), averages[c - 1]));
        assert_true(near(log(ratio.high), averages[total - c]));
        assert_true(near(ratio.coverage, 1 - 2 * outside / all));
        assert_true((p <= 0.05) == (ratio.low > 1 || ratio.high < 1));
    }
    assert_true(near(log(ratio.ratio), (averages[(total - 1) / 2] + averages[total / 2]) / 2));
}

static void paired_agrees_with_all_signs(void **state)
{
    (void)state;
    struct rng rng = {52};
    for (int round = 0; round < 80; round++) {
        double a[11], b[11];
        unsigned n = 1 + (unsigned)rng_below(&rng, 11);
        for (unsigned i = 0; i < n; i++) {
            a[i] = exp(ar1_normal(&rng));
            b[i] = a[i] * exp(ar1_normal(&rng) + 0.4 * (round % 4));
        }
        check_paired(a, b, n);
    }
}

/* By hand.  1 1 | 1 2: midranks 2 2 | 2 4; of six choices of two, b's sum 6 or more in three. */
static void ties(void **state)
{
    (void)state;
    const double a[] = {1, 1}, b[] = {1, 2}, same[] = {3, 3, 3, 3, 3, 3};
    struct ratio ratio;
    ratio_unpaired(a, 2, b, 2, 0.95, &ratio);
    assert_true(near(ratio.p, 1));
    ratio_unpaired(same, 6, same, 6, 0.95, &ratio);
    assert_true(ratio.ratio == 1 && ratio.low == 1 && ratio.high == 1 && near(ratio.p, 1));
    assert_int_equal(ratio_judge(&ratio, 0.05), RATIO_SAME);
    ratio_paired(same, same, 6, 0.95, &ratio);
    assert_true(ratio.ratio == 1 && ratio.low == 1 && ratio.high == 1 && near(ratio.p, 1));
    /* Six pairs with one ratio, whose logarithms differ in the last digits: ranks are all 3.5. */
    const double from[] = {1, 3, 7, 11, 1e3, 1e-3}, to[] = {1.1, 3.3, 7.7, 12.1, 1.1e3, 1e-3 / 1.1};
    ratio_paired(from, to, 6, 0.95, &ratio);
    assert_true(near(ratio.p, 2.0 / 64 * 7)); /* one negative: that or none, of 64 */
}

static void fill(double *values, size_t count, double level, struct rng *rng)
{
    for (size_t i = 0; i < count; i++)
        values[i] = level * exp(0.3 * ar1_normal(rng));
}

static void check_inverse(const struct ratio *ab, const struct ratio *ba)
{
    assert_true(near(ab->ratio * ba->ratio, 1) && near(ab->p, ba->p));
    assert_true(near(ab->low * ba->high, 1) && near(ab->high * ba->low, 1));
    assert_true(near(ab->coverage, ba->coverage));
}

static void check_equal(const struct ratio *one, const struct ratio *other, double factor)
{
    assert_true(near(one->ratio * factor, other->ratio) && near(one->low * factor, other->low));
    assert_true(near(one->high * factor, other->high) && near(one->coverage, other->coverage));
}

/* Also beyond the numbers that are counted. */
static void exchange_and_units(void **state)
{
    (void)state;
    static double a[MOST], b[MOST];
    struct rng rng = {53};
    for (size_t count = 6; count <= MOST; count = count * 3 / 2) {
        struct ratio ab, ba, scaled;
        fill(a, count, 100, &rng);
        fill(b, count, 110, &rng);
        ratio_unpaired(a, count, b, count - 1, 0.95, &ab);
        ratio_unpaired(b, count - 1, a, count, 0.95, &ba);
        check_inverse(&ab, &ba);
        ratio_paired(a, b, count, 0.95, &ab);
        ratio_paired(b, a, count, 0.95, &ba);
        check_inverse(&ab, &ba);
        for (size_t i = 0; i < count; i++)
            a[i] *= 0.001;
        ratio_paired(a, b, count, 0.95, &scaled);
        check_equal(&ab, &scaled, 1000);
        for (size_t i = 0; i < count; i++)
            b[i] *= 0.001;
        ratio_paired(a, b, count, 0.95, &scaled);
        check_equal(&ab, &scaled, 1);
        assert_true(near(ab.p, scaled.p));
    }
}

static void check_coverage(size_t count, enum ratio_design design)
{
    enum { ROUNDS = 4000 };
    struct rng rng = {54 + count};
    double a[60], b[60], held = 0, claimed = 0, rejected = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct ratio ratio;
        fill(a, count, 100, &rng);
        fill(b, count, 100, &rng);
        if (design == RATIO_PAIRED)
            ratio_paired(a, b, count, 0.95, &ratio);
        else
            ratio_unpaired(a, count, b, count, 0.95, &ratio);
        held += (ratio.low <= 1 && 1 <= ratio.high) / (double)ROUNDS;
        claimed = ratio.coverage;
        rejected += (ratio.p <= 0.05) / (double)ROUNDS;
    }
    print_message("  %zu %s: covers %.3f, says %.3f\n", count,
                  design == RATIO_PAIRED ? "pairs" : "a side", held, claimed);
    assert_true(claimed >= 0.95 && fabs(held - claimed) < 0.012);
    assert_true(near(rejected, 1 - held));
}

static void intervals_cover_what_they_say(void **state)
{
    (void)state;
    check_coverage(5, RATIO_UNPAIRED);
    check_coverage(6, RATIO_PAIRED);
    check_coverage(9, RATIO_PAIRED);
    check_coverage(55, RATIO_PAIRED); /* by the approximation */
    check_coverage(52, RATIO_UNPAIRED);
}

static void unknown_values(void **state)
{
    (void)state;
    double a[] = {1, NAN, 2, 3, 4, INFINITY, 5}, b[] = {11, 12, NAN, 13, 14, 15, 16};
    const double clean_a[] = {1, 2, 3, 4, 5}, clean_b[] = {11, 12, 13, 14, 15, 16};
    const double pair_a[] = {1, 3, 4, 5}, pair_b[] = {11, 13, 14, 16};
    struct ratio ratio, clean;
    ratio_unpaired(a, 7, b, 7, 0.95, &ratio);
    ratio_unpaired(clean_a, 5, clean_b, 6, 0.95, &clean);
    check_equal(&clean, &ratio, 1);
    assert_true(ratio.count_a == 5 && ratio.count_b == 6);
    ratio_paired(a, b, 7, 0.5, &ratio);
    ratio_paired(pair_a, pair_b, 4, 0.5, &clean);
    check_equal(&clean, &ratio, 1);
    assert_true(ratio.count_a == 4 && ratio.count_b == 4);
    a[0] = 0;
    ratio_unpaired(a, 7, b, 7, 0.95, &ratio);
    assert_true(isnan(ratio.ratio) && isnan(ratio.low) && isnan(ratio.high) && isnan(ratio.p));
    ratio_paired(a, b, 7, 0.5, &ratio);
    assert_true(isnan(ratio.ratio) && isnan(ratio.low) && isnan(ratio.high) && isnan(ratio.p));
    assert_true(ratio.count_a == 4);
    ratio_unpaired(NULL, 0, b, 7, 0.95, &ratio);
    assert_true(isnan(ratio.ratio) && isnan(ratio.p) && ratio.count_b == 6);
    ratio_paired(NULL, NULL, 0, 0.95, &ratio);
    assert_true(isnan(ratio.ratio) && isnan(ratio.p) && ratio.count_a == 0);
}

static enum ratio_verdict judged(double low, double high)
{
    struct ratio ratio = {sqrt(low * high), low, high, NAN, 0.95, 6, 6};
    return ratio_judge(&ratio, 0.05);
}

static void verdicts(void **state)
{
    (void)state;
    assert_int_equal(judged(1.01, 1.2), RATIO_HIGHER);
    assert_int_equal(judged(0.8, 0.99), RATIO_LOWER);
    assert_int_equal(judged(0.97, 1.04), RATIO_SAME);
    assert_int_equal(judged(1.01, 1.04), RATIO_SAME);
    assert_int_equal(judged(0.94, 1.04), RATIO_UNDETERMINED);
    assert_int_equal(judged(1, 1.2), RATIO_UNDETERMINED);
    assert_int_equal(judged(NAN, NAN), RATIO_UNDETERMINED);
}

/* By hand: 0.005 x 4, 0.01 x 3, 0.03 x 2, and 0.04 may not be below the one before it. */
static void holms_adjustment(void **state)
{
    (void)state;
    double p[] = {0.01, 0.04, NAN, 0.03, 0.005}, adjusted[5];
    ratio_holm(p, 5, adjusted);
    assert_true(near(adjusted[0], 0.03) && near(adjusted[1], 0.06) && isnan(adjusted[2]));
    assert_true(near(adjusted[3], 0.06) && near(adjusted[4], 0.02));
    ratio_holm(p, 5, p);
    assert_true(near(p[0], 0.03) && near(p[4], 0.02));
    double large[] = {0.9, 0.6, 0.0};
    ratio_holm(large, 3, large);
    assert_true(near(large[0], 1) && near(large[1], 1) && near(large[2], 0));
    ratio_holm(NULL, 0, NULL);
}

static struct ratio_more more_of(double center, double half, size_t count_a, size_t count_b,
                                 enum ratio_design design)
{
    struct ratio ratio = {exp(center), exp(center - half), exp(center + half), NAN, 0.95, count_a,
                          count_b};
    struct ratio_more more;
    ratio_more(&ratio, design, 0.05, &more);
    return more;
}

/* log 1.05 is 0.04879. */
static void how_many_more(void **state)
{
    (void)state;
    struct ratio_more more = more_of(0.1, 0.19, 10, 10, RATIO_UNPAIRED);
    assert_int_equal(more.to_differ, 27); /* more than 10 x 1.9^2 = 36.1 */
    assert_int_equal(more.to_same, RATIO_MORE_MAX);
    more = more_of(0, 0.1, 10, 10, RATIO_PAIRED);
    assert_int_equal(more.to_differ, RATIO_MORE_MAX);
    assert_int_equal(more.to_same, 33); /* more than 10 x (0.1 / 0.04879)^2 = 42.01 */
    more = more_of(-0.01, 0.1, 8, 8, RATIO_PAIRED);
    assert_int_equal(more.to_differ, 793); /* more than 8 x 10^2: 800 would touch 1 */
    assert_int_equal(more.to_same, 46);    /* more than 8 x (0.1 / 0.03879)^2 = 53.2 */
    more = more_of(0.1, 0.15, 6, 12, RATIO_UNPAIRED);
    assert_int_equal(more.to_differ, 10); /* 1/16 + 1/22 < (1/6 + 1/12) / 1.5^2 < 1/15 + 1/21 */
    more = more_of(0.01, 0.03, 10, 10, RATIO_UNPAIRED);
    assert_int_equal(more.to_same, 0);
    assert_int_equal(more.to_differ, 81);
}

static void how_many_more_from_values(void **state)
{
    (void)state;
    double a[8], b[8];
    struct ratio ratio;
    struct ratio_more more;
    fill_far_apart(a, b, 8);
    ratio_paired(a, b, 6, 0.95, &ratio);
    ratio_more(&ratio, RATIO_PAIRED, 0.05, &more);
    assert_true(more.to_differ == 0 && more.to_same == RATIO_MORE_MAX);
    for (size_t n = 1; n < 6; n++) {
        ratio_paired(a, b, n, 0.95, &ratio);
        ratio_more(&ratio, RATIO_PAIRED, 0.05, &more);
        assert_int_equal(more.to_differ, 6 - n);
    }
    for (size_t n = 1; n < 4; n++) {
        ratio_unpaired(a, n, b, n, 0.95, &ratio);
        ratio_more(&ratio, RATIO_UNPAIRED, 0.05, &more);
        assert_int_equal(more.to_differ, 4 - n);
    }
    ratio_paired(a, b, 0, 0.95, &ratio);
    ratio_more(&ratio, RATIO_PAIRED, 0.05, &more);
    assert_true(more.to_differ == 6 && more.to_same == 6);
    a[0] = 0; /* there is no ratio, and there will be none */
    ratio_paired(a, b, 8, 0.95, &ratio);
    ratio_more(&ratio, RATIO_PAIRED, 0.05, &more);
    assert_true(more.to_differ == RATIO_MORE_MAX && more.to_same == RATIO_MORE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unpaired_published_example),
        cmocka_unit_test(paired_published_example),
        cmocka_unit_test(the_least_numbers),
        cmocka_unit_test(unpaired_agrees_with_all_places),
        cmocka_unit_test(paired_agrees_with_all_signs),
        cmocka_unit_test(ties),
        cmocka_unit_test(exchange_and_units),
        cmocka_unit_test(intervals_cover_what_they_say),
        cmocka_unit_test(unknown_values),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(holms_adjustment),
        cmocka_unit_test(how_many_more),
        cmocka_unit_test(how_many_more_from_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
