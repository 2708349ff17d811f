#include "stats/ratio.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stats/rank.h"

/* Logarithms this near are equal: the same ratio of different values differs in its last digits. */
static const double log_equal = 1e-12;
static const double usual_level = 0.95;

static const struct ratio unknown = {NAN, NAN, NAN, NAN, NAN, 0, 0};

static void *memory(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (block == NULL)
        abort();
    return block;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
}

/* All differences b - a of two sorted arrays, or all averages (d_i + d_j) / 2, i <= j, of one:
 * counted without being written down, since there are as many as the square of the values. */
struct all_pairs {
    enum ratio_design design;
    const double *a, *b; /* paired: the differences are in a */
    size_t count_a, count_b;
};

static size_t pairs_total(const struct all_pairs *pairs)
{
    size_t n = pairs->count_a;
    return pairs->design == RATIO_UNPAIRED ? n * pairs->count_b : n * (n + 1) / 2;
}

static size_t pairs_up_to(const struct all_pairs *pairs, double limit)
{
    size_t total = 0;
    if (pairs->design == RATIO_UNPAIRED) {
        size_t j = 0;
        for (size_t i = 0; i < pairs->count_a; i++) {
            while (j < pairs->count_b && pairs->b[j] - pairs->a[i] <= limit)
                j++;
            total += j;
        }
        return total;
    }
    size_t j = pairs->count_a;
    for (size_t i = 0; i < j; i++) {
        while (j > i && (pairs->a[i] + pairs->a[j - 1]) / 2 > limit)
            j--;
        total += j - i;
    }
    return total;
}

/* Doubles as whole numbers in the same order, and back: halving between these ends after 64 steps,
 * at a value that occurs. */
static uint64_t place_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_at(uint64_t place)
{
    uint64_t bits = place >> 63 ? place & ~(UINT64_C(1) << 63) : ~place;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The one at `rank` (from 0), were they sorted. */
static double pairs_at(const struct all_pairs *pairs, size_t rank)
{
    uint64_t low = place_of(-INFINITY), high = place_of(INFINITY);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (pairs_up_to(pairs, value_at(middle)) > rank)
            high = middle;
        else
            low = middle + 1;
    }
    return value_at(high);
}

static void estimate(const struct all_pairs *pairs, const struct rank_cut *cut, struct ratio *ratio)
{
    size_t total = pairs_total(pairs);
    ratio->ratio = exp((pairs_at(pairs, (total - 1) / 2) + pairs_at(pairs, total / 2)) / 2);
    if (cut->c > 0) {
        ratio->low = exp(pairs_at(pairs, cut->c - 1));
        ratio->high = exp(pairs_at(pairs, total - cut->c));
        ratio->coverage = 1 - 2 * cut->outside;
    }
}

static double two_sided(struct rank_tails tails)
{
    return fmin(1, 2 * fmin(tails.below, tails.above));
}

static bool exact(size_t count_a, size_t count_b)
{
    return count_a <= RATIO_EXACT_MAX && count_b <= RATIO_EXACT_MAX;
}

static double rank_sum_p(const double *a, size_t count_a, const double *b, size_t count_b)
{
    size_t count = count_a + count_b, sum = 0;
    double *both = memory(count, sizeof *both);
    size_t *ranks = memory(count, sizeof *ranks);
    memcpy(both, a, count_a * sizeof *a);
    memcpy(both + count_a, b, count_b * sizeof *b);
    rank_doubled(both, count, log_equal, ranks);
    for (size_t i = 0; i < count_a; i++)
        sum += ranks[i];
    double p =
        two_sided(exact(count_a, count_b) ? rank_sum_tails(ranks, count, count_a, sum)
                                          : rank_sum_tails_normal(ranks, count, count_a, sum));
    free(both);
    free(ranks);
    return p;
}

/* Pairs without a difference say nothing and are left out (Hollander and Wolfe, section 3.1). */
static double signed_rank_p(const double *differences, size_t count)
{
    double *sizes = memory(count, sizeof *sizes);
    bool *positive = memory(count, sizeof *positive);
    size_t *ranks = memory(count, sizeof *ranks), used = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        if (fabs(differences[i]) > log_equal) {
            positive[used] = differences[i] > 0;
            sizes[used++] = fabs(differences[i]);
        }
    rank_doubled(sizes, used, log_equal, ranks);
    for (size_t i = 0; i < used; i++)
        sum += positive[i] ? ranks[i] : 0;
    double p = two_sided(exact(used, 0) ? rank_signed_tails(ranks, used, sum)
                                        : rank_signed_tails_normal(ranks, used, sum));
    free(sizes);
    free(positive);
    free(ranks);
    return p;
}

/* Returns how many values are finite, the logarithms of which are put into `logs`; *above_zero
 * becomes false where one has none. */
static size_t logs_of(const double *values, size_t count, double *logs, bool *above_zero)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            *above_zero = *above_zero && values[i] > 0;
            logs[used++] = values[i] > 0 ? log(values[i]) : 0;
        }
    return used;
}

void ratio_unpaired(const double *a, size_t count_a, const double *b, size_t count_b, double level,
                    struct ratio *ratio)
{
    double *logs_a = memory(count_a, sizeof *logs_a), *logs_b = memory(count_b, sizeof *logs_b);
    bool above_zero = true;
    *ratio = unknown;
    size_t m = ratio->count_a = logs_of(a, count_a, logs_a, &above_zero);
    size_t n = ratio->count_b = logs_of(b, count_b, logs_b, &above_zero);
    if (m > 0 && n > 0 && above_zero) {
        double tail = (1 - level) / 2;
        struct rank_cut cut =
            exact(m, n) ? rank_sum_cut(m, n, tail) : rank_sum_cut_normal(m, n, tail);
        sort(logs_a, m);
        sort(logs_b, n);
        estimate(&(struct all_pairs){RATIO_UNPAIRED, logs_a, logs_b, m, n}, &cut, ratio);
        ratio->p = rank_sum_p(logs_a, m, logs_b, n);
    }
    free(logs_a);
    free(logs_b);
}

void ratio_paired(const double *a, const double *b, size_t count, double level, struct ratio *ratio)
{
    double *differences = memory(count, sizeof *differences);
    size_t used = 0;
    bool above_zero = true;
    for (size_t i = 0; i < count; i++)
        if (isfinite(a[i]) && isfinite(b[i])) {
            bool both = a[i] > 0 && b[i] > 0;
            above_zero = above_zero && both;
            differences[used++] = both ? log(b[i]) - log(a[i]) : 0;
        }
    *ratio = unknown;
    ratio->count_a = ratio->count_b = used;
    if (used > 0 && above_zero) {
        double tail = (1 - level) / 2;
        struct rank_cut cut =
            exact(used, 0) ? rank_signed_cut(used, tail) : rank_signed_cut_normal(used, tail);
        sort(differences, used);
        estimate(&(struct all_pairs){RATIO_PAIRED, differences, NULL, used, 0}, &cut, ratio);
        ratio->p = signed_rank_p(differences, used);
    }
    free(differences);
}

enum ratio_verdict ratio_judge(const struct ratio *ratio, double margin)
{
    if (isnan(ratio->low) || isnan(ratio->high))
        return RATIO_UNDETERMINED;
    if (ratio->low >= 1 / (1 + margin) && ratio->high <= 1 + margin)
        return RATIO_SAME;
    if (ratio->low > 1)
        return RATIO_HIGHER;
    return ratio->high < 1 ? RATIO_LOWER : RATIO_UNDETERMINED;
}

struct p_value {
    double p;
    size_t index;
};

static int by_p(const void *a, const void *b)
{
    double x = ((const struct p_value *)a)->p, y = ((const struct p_value *)b)->p;
    return (x > y) - (x < y);
}

void ratio_holm(const double *p, size_t count, double *adjusted)
{
    struct p_value *sorted = memory(count, sizeof *sorted);
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(p[i]))
            sorted[known++] = (struct p_value){p[i], i};
        adjusted[i] = p[i];
    }
    qsort(sorted, known, sizeof *sorted, by_p);
    double largest = 0;
    for (size_t i = 0; i < known; i++) {
        largest = fmax(largest, fmin(1, (double)(known - i) * sorted[i].p));
        adjusted[sorted[i].index] = largest;
    }
    free(sorted);
}

static bool interval_exists(enum ratio_design design, size_t count_a, size_t count_b)
{
    double tail = (1 - usual_level) / 2;
    if (design == RATIO_PAIRED)
        return (exact(count_a, 0) ? rank_signed_cut : rank_signed_cut_normal)(count_a, tail).c > 0;
    return (exact(count_a, count_b) ? rank_sum_cut : rank_sum_cut_normal)(count_a, count_b, tail)
               .c > 0;
}

/* 1 more value, 2 more, ...: until an interval exists and is narrower than now by `factor`; not
 * before 1. */
static size_t more_until(const struct ratio *ratio, enum ratio_design design, double factor)
{
    double a = (double)ratio->count_a, b = (double)ratio->count_b;
    double now = design == RATIO_PAIRED ? 1 / a : 1 / a + 1 / b;
    for (size_t more = 1; more < RATIO_MORE_MAX; more++) {
        double k = (double)more;
        double then = design == RATIO_PAIRED ? 1 / (a + k) : 1 / (a + k) + 1 / (b + k);
        bool narrow = factor <= 1 || then * factor * factor < now;
        if (narrow && interval_exists(design, ratio->count_a + more, ratio->count_b + more))
            return more;
    }
    return RATIO_MORE_MAX;
}

/* By how much narrower the interval (all are logarithms) must be to stay within (low, high);
 * infinite where the estimate itself does not. */
static double narrowing(double estimate, double from, double to, double low, double high)
{
    if (!(estimate > low && estimate < high))
        return INFINITY;
    return fmax((estimate - from) / (estimate - low), (to - estimate) / (high - estimate));
}

void ratio_more(const struct ratio *ratio, enum ratio_design design, double margin,
                struct ratio_more *more)
{
    bool interval = !isnan(ratio->low) && !isnan(ratio->high);
    double d = log(ratio->ratio), edge = log(1 + margin);
    double from = interval ? log(ratio->low) : d, to = interval ? log(ratio->high) : d;
    if (ratio->count_a == 0 || ratio->count_b == 0) { /* nothing is known but when it is too few */
        more->to_differ = more->to_same = more_until(ratio, design, 1);
        return;
    }
    if (isnan(d)) {
        more->to_differ = more->to_same = RATIO_MORE_MAX;
        return;
    }
    double differ =
        d > 0 ? narrowing(d, from, to, 0, INFINITY) : narrowing(d, from, to, -INFINITY, 0);
    double same = narrowing(d, from, to, -edge, edge);
    more->to_differ = interval && (from > 0 || to < 0) ? 0 : more_until(ratio, design, differ);
    more->to_same =
        interval && ratio_judge(ratio, margin) == RATIO_SAME ? 0 : more_until(ratio, design, same);
}
