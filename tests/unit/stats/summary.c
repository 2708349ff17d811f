#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/select.h"
#include "stats/summary.h"

static void mean_of_values(void **state)
{
    (void)state;
    assert_true(isnan(summary_mean(NULL, 0)));
    assert_true(summary_mean((double[]){2, 4, 9}, 3) == 5);
}

static void median_is_the_middle_and_keeps_the_array(void **state)
{
    (void)state;
    double odd[] = {9, 1, 5}, even[] = {8, 1, 4, 2};
    assert_true(isnan(summary_median(NULL, 0)));
    assert_true(summary_median(odd, 3) == 5);
    assert_true(summary_median(even, 4) == 3);
    assert_true(odd[0] == 9 && odd[1] == 1 && odd[2] == 5);
    assert_true(isnan(summary_median((double[]){1, NAN, 3}, 3)));
}

static void jain_runs_from_one_share_to_equal_shares(void **state)
{
    (void)state;
    assert_true(summary_jain((double[]){7, 7, 7, 7}, 4) == 1);
    assert_true(summary_jain((double[]){9, 0, 0, 0}, 4) == 0.25);
    /* Jain, Chiu and Hawe: 20 of 100 users at 1, the rest at 0, is 0.2. */
    double users[100] = {0};
    for (int i = 0; i < 20; i++)
        users[5 * i] = 1;
    assert_true(fabs(summary_jain(users, 100) - 0.2) < 1e-12);
    assert_true(fabs(summary_jain((double[]){1e200, 3e200}, 2) - 0.8) < 1e-12);
    assert_true(isnan(summary_jain((double[]){0, 0}, 2)));
    assert_true(isnan(summary_jain(NULL, 0)));
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Every rank of arrays with no, some and nearly only ties, against a sorted copy. */
static void select_agrees_with_sorting(void **state)
{
    (void)state;
    struct rng rng = {4};
    for (size_t count = 1; count < 40; count++)
        for (uint64_t kinds = 1; kinds < 100; kinds = kinds * 3 + 1) {
            double values[40], sorted[40], work[40];
            for (size_t i = 0; i < count; i++)
                values[i] = (double)rng_below(&rng, kinds);
            memcpy(sorted, values, sizeof sorted);
            qsort(sorted, count, sizeof *sorted, by_value);
            for (size_t rank = 0; rank < count; rank++) {
                memcpy(work, values, sizeof work);
                assert_true(select_rank(work, count, rank) == sorted[rank]);
                for (size_t i = 0; i < rank; i++)
                    assert_true(work[i] <= sorted[rank]);
            }
            memcpy(work, values, sizeof work);
            assert_true(select_median(work, count) ==
                        (sorted[(count - 1) / 2] + sorted[count / 2]) / 2);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_of_values),
        cmocka_unit_test(median_is_the_middle_and_keeps_the_array),
        cmocka_unit_test(jain_runs_from_one_share_to_equal_shares),
        cmocka_unit_test(select_agrees_with_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
