/* How fine a column must be. */
#include "page_common.h"

#include "page/chart_scale.h"

static void test_counts_share_their_largest_step(void **state)
{
    const double rows[] = {3000, 0, NAN, 5000, 12000}, bytes[] = {4096, 8192, 512};
    const double none[] = {0, 0}, unknown[] = {NAN};
    (void)state;
    assert_true(chart_scale(rows, 5, CHART_SCALE_COUNT) == 1000);
    assert_true(chart_scale(bytes, 3, CHART_SCALE_COUNT) == 512);
    assert_true(chart_scale(none, 2, CHART_SCALE_COUNT) == 1);
    assert_true(chart_scale(unknown, 1, CHART_SCALE_COUNT) == 1);
    assert_true(chart_scale(NULL, 0, CHART_SCALE_COUNT) == 1);
}

static void test_reals_lose_a_thousandth(void **state)
{
    const double depths[] = {1.4, 1.5, 1.7, 0}, small[] = {3e-7}, counts[] = {2, 2.5};
    (void)state;
    assert_true(fabs(chart_scale(depths, 4, CHART_SCALE_REAL) / 0.002 - 1) < 1e-9);
    assert_true(fabs(chart_scale(small, 1, CHART_SCALE_REAL) / 5e-10 - 1) < 1e-9);
    /* not whole: as reals */
    assert_true(fabs(chart_scale(counts, 2, CHART_SCALE_COUNT) / 0.002 - 1) < 1e-9);
    assert_true(chart_scale(depths, 4, CHART_SCALE_RATIO) == 0.002);
}

static void test_strange_numbers_have_a_scale(void **state)
{
    const double values[] = {INFINITY, 1e308, -1e308, 5e-324};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        double scale = chart_scale(&values[i], 1, CHART_SCALE_COUNT);
        assert_true(scale > 0 && isfinite(scale));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_share_their_largest_step),
        cmocka_unit_test(test_reals_lose_a_thousandth),
        cmocka_unit_test(test_strange_numbers_have_a_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
