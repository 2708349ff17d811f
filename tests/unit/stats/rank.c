#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/rank.h"

enum { MOST = 12 };

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12;
}

/* Tables of U and of T, two-sided 5%: the largest value that is still significant; c is one more.
 * -1: there is none. */
static void critical_values_of_mann_and_whitney(void **state)
{
    (void)state;
    static const struct {
        size_t a, b;
        int u;
    } rows[] = {{2, 7, -1}, {2, 8, 0},  {3, 3, -1},   {3, 4, -1},   {3, 5, 0},    {4, 4, 0},
                {4, 5, 1},  {5, 5, 2},  {5, 6, 3},    {5, 7, 5},    {6, 6, 5},    {7, 7, 8},
                {8, 8, 13}, {9, 9, 17}, {10, 10, 23}, {12, 12, 37}, {15, 15, 64}, {20, 20, 127}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rank_cut cut = rank_sum_cut(rows[i].a, rows[i].b, 0.025);
        assert_int_equal(cut.c, rows[i].u + 1);
        assert_int_equal(rank_sum_cut(rows[i].b, rows[i].a, 0.025).c, cut.c);
        assert_true(cut.outside <= 0.025);
    }
    assert_true(near(rank_sum_cut(5, 5, 0.025).outside, 4.0 / 252)); /* 0, 1, 2: 1 + 1 + 2 ways */
}

static void critical_values_of_wilcoxon(void **state)
{
    (void)state;
    static const struct {
        size_t pairs;
        int t;
    } rows[] = {{1, -1},  {5, -1},  {6, 0},   {7, 2},   {8, 3},   {9, 5},   {10, 8},   {11, 10},
                {12, 13}, {13, 17}, {14, 21}, {15, 25}, {20, 52}, {25, 89}, {30, 137}, {50, 434}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(rank_signed_cut(rows[i].pairs, 0.025).c, rows[i].t + 1);
    assert_true(near(rank_signed_cut(6, 0.025).outside, 1.0 / 64));
    assert_true(near(rank_signed_cut(7, 0.025).outside, 3.0 / 128)); /* {}, {1}, {2} */
}

static void midranks(void **state)
{
    (void)state;
    const double values[] = {5, 1, 5, 3, 5, 3 + 1e-14};
    const size_t doubled[] = {10, 2, 10, 5, 10, 5};
    size_t ranks[6];
    rank_doubled(values, 6, 1e-12, ranks);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(ranks[i], doubled[i]);
    rank_doubled(values, 6, 0, ranks);
    assert_true(ranks[3] == 4 && ranks[5] == 6);
}

static size_t sum_of(const size_t *ranks, size_t count, unsigned set)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += set >> i & 1 ? ranks[i] : 0;
    return sum;
}

/* Every set of ranks, or only those of `chosen`: what share is at most `sum`, or at least. */
static struct rank_tails by_all_sets(const size_t *ranks, size_t count, int chosen, size_t sum)
{
    double below = 0, above = 0, all = 0;
    for (unsigned set = 0; set < 1U << count; set++) {
        if (chosen >= 0 && __builtin_popcount(set) != chosen)
            continue;
        size_t other = sum_of(ranks, count, set);
        below += other <= sum;
        above += other >= sum;
        all++;
    }
    return (struct rank_tails){below / all, above / all};
}

static void tails_are_those_of_all_sets_with_and_without_ties(void **state)
{
    (void)state;
    struct rng rng = {31};
    for (int round = 0; round < 60; round++) {
        size_t count = 1 + rng_below(&rng, MOST), chosen = rng_below(&rng, count + 1);
        double values[MOST];
        size_t ranks[MOST];
        for (size_t i = 0; i < count; i++)
            values[i] = (double)rng_below(&rng, round % 2 ? 4 : 1000000);
        rank_doubled(values, count, 0, ranks);
        unsigned set = (1U << chosen) - 1;
        size_t sum = sum_of(ranks, count, set);
        struct rank_tails tails = rank_sum_tails(ranks, count, chosen, sum);
        struct rank_tails known = by_all_sets(ranks, count, (int)chosen, sum);
        assert_true(near(tails.below, known.below) && near(tails.above, known.above));
        tails = rank_signed_tails(ranks, count, sum);
        known = by_all_sets(ranks, count, -1, sum);
        assert_true(near(tails.below, known.below) && near(tails.above, known.above));
    }
}

/* Of many values the normal approximation says the same, also with ties. */
static void the_approximation_is_near_the_count(void **state)
{
    (void)state;
    struct rng rng = {32};
    for (int round = 0; round < 6; round++) {
        double values[60];
        size_t ranks[60], sum = 0, first = 0;
        double near_enough = round % 2 ? 0.01 : 0.002;
        for (size_t i = 0; i < 60; i++)
            values[i] = (double)rng_below(&rng, round % 2 ? 8 : 1000000);
        rank_doubled(values, 60, 0, ranks);
        for (size_t i = 0; i < 30; i++)
            first += ranks[i];
        struct rank_tails exact = rank_sum_tails(ranks, 60, 30, first);
        struct rank_tails normal = rank_sum_tails_normal(ranks, 60, 30, first);
        /* With ties sums step by one instead of two: half a step more than is due. */
        assert_true(fabs(exact.below - normal.below) < near_enough);
        assert_true(fabs(exact.above - normal.above) < near_enough);
        rank_doubled(values, 50, 0, ranks);
        for (size_t i = 0; i < 50; i += 2)
            sum += ranks[i];
        exact = rank_signed_tails(ranks, 50, sum);
        normal = rank_signed_tails_normal(ranks, 50, sum);
        assert_true(fabs(exact.below - normal.below) < near_enough);
        assert_true(fabs(exact.above - normal.above) < near_enough);
    }
    for (size_t count = 20; count <= 50; count += 10) {
        size_t exact = rank_sum_cut(count, count, 0.025).c;
        size_t normal = rank_sum_cut_normal(count, count, 0.025).c;
        assert_true(normal + 1 >= exact && normal <= exact + 1);
        exact = rank_signed_cut(count, 0.025).c;
        normal = rank_signed_cut_normal(count, 0.025).c;
        assert_true(normal + 1 >= exact && normal <= exact + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(critical_values_of_mann_and_whitney),
        cmocka_unit_test(critical_values_of_wilcoxon),
        cmocka_unit_test(midranks),
        cmocka_unit_test(tails_are_those_of_all_sets_with_and_without_ties),
        cmocka_unit_test(the_approximation_is_near_the_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
