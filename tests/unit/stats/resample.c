#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "stats/resample.h"
#include "unit/stats/ar1.h"

enum { COUNT = 2000, DRAWS = 20000 };

static double values[COUNT];

static struct resample_range drawn(size_t count, size_t block, double level)
{
    struct resample how = {block, DRAWS, level, 81};
    struct resample_range range;
    resample_sum(values, count, &how, &range);
    return range;
}

/* Half of the values -1, half +1: a sum of n has the standard deviation sqrt(n). */
static void independent_signs(void **state)
{
    (void)state;
    struct rng rng = {82};
    for (size_t i = 0; i < COUNT; i++)
        values[i] = rng_below(&rng, 2) ? 1 : -1;
    struct resample_range range = drawn(COUNT, 1, 0.95);
    assert_true(fabs(range.high / (1.96 * sqrt(COUNT)) - 1) < 0.04);
    assert_true(fabs(range.low / (-1.96 * sqrt(COUNT)) - 1) < 0.04);
    range = drawn(COUNT, 1, 0.99);
    assert_true(fabs(range.high / (2.576 * sqrt(COUNT)) - 1) < 0.06);
}

/* Runs of ten equal signs: the sum of n of them strays by sqrt(10 n), if blocks keep them whole. */
static void runs_need_blocks(void **state)
{
    (void)state;
    struct rng rng = {83};
    for (size_t i = 0; i < COUNT; i++)
        values[i] = i % 10 ? values[i - 1] : rng_below(&rng, 2) ? 1 : -1;
    double single = drawn(COUNT, 1, 0.95).high, blocks = drawn(COUNT, 40, 0.95).high;
    double expected = 1.96 * sqrt(10 * COUNT);
    assert_true(single < 0.4 * expected);
    assert_true(blocks > 0.8 * expected && blocks < 1.25 * expected);
}

/* One value in twenty stands out.  Of 60 drawn, none do in 4.6% and seven or more in 3.0%, both
 * more than 2.5%: sums stray further up than down. */
static void skewed_values_have_a_skewed_range(void **state)
{
    (void)state;
    for (size_t i = 0; i < 60; i++)
        values[i] = i % 20 ? 0 : 1;
    struct resample_range range = drawn(60, 1, 0.95);
    assert_true(range.high == 4 && range.low == -3);
    for (size_t i = 0; i < 60; i++)
        values[i] = 5;
    range = drawn(60, 7, 0.95); /* nothing varies, also where blocks leave a remainder */
    assert_true(range.low == 0 && range.high == 0);
}

/* With four blocks Student's t has three degrees of freedom: nearly everything is inside. */
static void few_blocks_widen_it(void **state)
{
    (void)state;
    struct rng rng = {84};
    ar1_fill(values, COUNT, 0, &rng);
    struct resample_range few = drawn(40, 10, 0.95), many = drawn(40, 1, 0.95);
    double sum = 0, squares = 0;
    for (size_t start = 0; start < 40; start++) {
        double block = 0;
        for (size_t i = start; i < start + 10; i++)
            block += values[i % 40];
        sum += block / 40;
        squares += block * block / 40;
    }
    double sd = sqrt(4 * (squares - sum * sum)); /* of four blocks drawn */
    assert_true(few.high > 2.3 * sd && few.low < -2.3 * sd);
    assert_true(many.high > 0 && many.low < 0);
}

static void the_same_seed_gives_the_same_range(void **state)
{
    (void)state;
    struct rng rng = {85};
    ar1_fill(values, COUNT, 0.5, &rng);
    struct resample how = {10, 500, 0.95, 1};
    struct resample_range one, other;
    resample_sum(values, COUNT, &how, &one);
    resample_sum(values, COUNT, &how, &other);
    assert_true(one.low == other.low && one.high == other.high);
    how.seed = 2;
    resample_sum(values, COUNT, &how, &other);
    assert_true(one.low != other.low && fabs(one.low / other.low - 1) < 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_signs),
        cmocka_unit_test(runs_need_blocks),
        cmocka_unit_test(skewed_values_have_a_skewed_range),
        cmocka_unit_test(few_blocks_widen_it),
        cmocka_unit_test(the_same_seed_gives_the_same_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
