#include "stats/rank.h"

#include <math.h>
#include <stdlib.h>

#include "stats/distribution.h"

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

struct placed {
    double value;
    size_t index;
};

static int by_value(const void *a, const void *b)
{
    double x = ((const struct placed *)a)->value, y = ((const struct placed *)b)->value;
    return (x > y) - (x < y);
}

void rank_doubled(const double *values, size_t count, double equal, size_t *ranks)
{
    struct placed *sorted = zeroed(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct placed){values[i], i};
    qsort(sorted, count, sizeof *sorted, by_value);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && sorted[next].value - sorted[next - 1].value <= equal;)
            next++;
        for (size_t j = i; j < next; j++)
            ranks[sorted[j].index] = i + 1 + next;
    }
    free(sorted);
}

static size_t total_of(const size_t *ranks, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += ranks[i];
    return total;
}

/* ways[s]: choices whose sum is s.  As doubles they round, but only additions of positive numbers
 * are made, so that each is right to some 14 digits. */
static double *ways_of_choice(const size_t *ranks, size_t count, size_t chosen, size_t width)
{
    double *ways = zeroed((chosen + 1) * width, sizeof *ways);
    ways[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i < chosen ? i + 1 : chosen; k > 0; k--) {
            double *with = ways + k * width + ranks[i];
            const double *without = ways + (k - 1) * width;
            for (size_t s = 0; s + ranks[i] < width; s++)
                with[s] += without[s];
        }
    return ways;
}

/* The same of signs, as shares of all 2^count. */
static double *shares_of_signs(const size_t *ranks, size_t count, size_t width)
{
    double *shares = zeroed(width, sizeof *shares);
    shares[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t s = width; s-- > 0;)
            shares[s] = (shares[s] + (s >= ranks[i] ? shares[s - ranks[i]] : 0)) / 2;
    return shares;
}

static struct rank_tails tails_at(const double *ways, size_t width, size_t sum)
{
    double below = 0, at = sum < width ? ways[sum] : 0, above = 0;
    for (size_t s = 0; s < width; s++) {
        below += s < sum ? ways[s] : 0;
        above += s > sum ? ways[s] : 0;
    }
    double all = below + at + above;
    return (struct rank_tails){(below + at) / all, (above + at) / all};
}

struct rank_tails rank_sum_tails(const size_t *ranks, size_t count, size_t chosen, size_t sum)
{
    size_t width = total_of(ranks, count) + 1;
    double *ways = ways_of_choice(ranks, count, chosen, width);
    struct rank_tails tails = tails_at(ways + chosen * width, width, sum);
    free(ways);
    return tails;
}

struct rank_tails rank_signed_tails(const size_t *ranks, size_t count, size_t sum)
{
    size_t width = total_of(ranks, count) + 1;
    double *shares = shares_of_signs(ranks, count, width);
    struct rank_tails tails = tails_at(shares, width, sum);
    free(shares);
    return tails;
}

/* Doubled ranks step by 2 where none are tied: half a step is 1. */
static struct rank_tails tails_normal(double sum, double mean, double variance)
{
    double sd = sqrt(variance);
    if (!(sd > 0))
        return (struct rank_tails){1, 1};
    return (struct rank_tails){distribution_normal((sum + 1 - mean) / sd),
                               distribution_normal((mean - sum + 1) / sd)};
}

struct rank_tails rank_sum_tails_normal(const size_t *ranks, size_t count, size_t chosen,
                                        size_t sum)
{
    double n = (double)count, m = (double)chosen, mean = (double)total_of(ranks, count) / n;
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += ((double)ranks[i] - mean) * ((double)ranks[i] - mean);
    return tails_normal((double)sum, m * mean, m * (n - m) / (n * (n - 1)) * squares);
}

struct rank_tails rank_signed_tails_normal(const size_t *ranks, size_t count, size_t sum)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (double)ranks[i] * (double)ranks[i];
    return tails_normal((double)sum, (double)total_of(ranks, count) / 2, squares / 4);
}

/* `tail` is 1 - level as a double: it must not lose to a probability that equals it. */
static double rounded_up(double tail)
{
    return tail * (1 + 1e-9);
}

static size_t *whole_numbers(size_t count)
{
    size_t *numbers = zeroed(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = i + 1;
    return numbers;
}

static struct rank_cut cut_of(const double *ways, size_t width, double all, double tail)
{
    struct rank_cut cut = {0, 0};
    double below = 0;
    for (size_t s = 0; s < width; s++) {
        below += ways[s];
        if (below / all > rounded_up(tail))
            break;
        cut = (struct rank_cut){s + 1, below / all};
    }
    return cut;
}

struct rank_cut rank_sum_cut(size_t count_a, size_t count_b, double tail)
{
    size_t count = count_a + count_b, chosen = count_a < count_b ? count_a : count_b;
    size_t *ranks = whole_numbers(count);
    size_t width = total_of(ranks, count) - total_of(ranks, count - chosen) + 1;
    size_t least = total_of(ranks, chosen);
    double *ways = ways_of_choice(ranks, count, chosen, width), all = 0;
    const double *of_sum = ways + chosen * width;
    for (size_t s = least; s < width; s++)
        all += of_sum[s];
    struct rank_cut cut = cut_of(of_sum + least, width - least, all, tail);
    free(ways);
    free(ranks);
    return cut;
}

struct rank_cut rank_signed_cut(size_t count, double tail)
{
    size_t *ranks = whole_numbers(count);
    size_t width = total_of(ranks, count) + 1;
    double *shares = shares_of_signs(ranks, count, width);
    struct rank_cut cut = cut_of(shares, width, 1, tail);
    free(shares);
    free(ranks);
    return cut;
}

static struct rank_cut cut_normal(double mean, double variance, double tail)
{
    double sd = sqrt(variance);
    size_t low = 0, high = (size_t)mean + 1; /* c of low is allowed, of high is not */
    while (high - low > 1) {
        size_t c = low + (high - low) / 2;
        if (distribution_normal(((double)c - 0.5 - mean) / sd) <= rounded_up(tail))
            low = c;
        else
            high = c;
    }
    double outside = distribution_normal(((double)low - 0.5 - mean) / sd);
    return (struct rank_cut){low, low > 0 ? outside : 0};
}

struct rank_cut rank_sum_cut_normal(size_t count_a, size_t count_b, double tail)
{
    double m = (double)count_a, n = (double)count_b;
    return cut_normal(m * n / 2, m * n * (m + n + 1) / 12, tail);
}

struct rank_cut rank_signed_cut_normal(size_t count, double tail)
{
    double n = (double)count;
    return cut_normal(n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24, tail);
}
