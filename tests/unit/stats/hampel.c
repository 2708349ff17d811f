#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/hampel.h"
#include "stats/summary.h"

enum { COUNT = 120 };

static void agrees_with_its_definition(void **state)
{
    (void)state;
    struct rng rng = {2};
    for (size_t round = 0; round < 200; round++) {
        double values[COUNT], cut[COUNT];
        size_t count = 1 + rng_below(&rng, COUNT), reach = 1 + rng_below(&rng, HAMPEL_REACH_MAX);
        for (size_t i = 0; i < count; i++)
            values[i] = (double)rng_below(&rng, round % 2 ? 1000000 : 4); /* no ties, and many */
        hampel_cut(values, count, reach, 3, cut);
        for (size_t i = 0; i < count; i++) {
            size_t from = i > reach ? i - reach : 0, to = i + reach < count ? i + reach + 1 : count;
            double median = summary_median(values + from, to - from), distances[COUNT];
            for (size_t k = from; k < to; k++)
                distances[k - from] = fabs(values[k] - median);
            double most = 3 * 1.482602218505602 * summary_median(distances, to - from);
            assert_true(fabs(cut[i] - fmax(median - most, fmin(median + most, values[i]))) < 1e-6);
        }
    }
}

static void a_stall_goes_and_a_level_stays(void **state)
{
    (void)state;
    double values[COUNT], cut[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        values[i] = i < 60 ? 100 : 70;
    values[20] = values[21] = values[22] = 0;
    values[90] = 1000;
    hampel_cut(values, COUNT, 3, 3, cut);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(cut[i] == (i < 60 ? 100 : 70));
    for (size_t i = 40; i < 44; i++) /* four values are more than the reach of three */
        values[i] = 50;
    hampel_cut(values, COUNT, 3, 3, cut);
    for (size_t i = 40; i < 44; i++)
        assert_true(cut[i] == 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_its_definition),
        cmocka_unit_test(a_stall_goes_and_a_level_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
