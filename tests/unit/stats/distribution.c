#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "stats/distribution.h"

static bool near(double a, double b, double share)
{
    return fabs(a - b) <= share * fabs(b);
}

/* Tables of Student's t, two-sided 95% and 99%. */
static void students_table(void **state)
{
    (void)state;
    static const struct {
        size_t freedom;
        double t_95, t_99;
    } rows[] = {{1, 12.706, 63.657}, {2, 4.303, 9.925},     {3, 3.182, 5.841},
                {10, 2.228, 3.169},  {30, 2.042, 2.750},    {60, 2.000, 2.660},
                {120, 1.980, 2.617}, {100000, 1.960, 2.576}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(fabs(distribution_student_inverse(0.95, rows[i].freedom) - rows[i].t_95) <
                    6e-4);
        assert_true(fabs(distribution_student_inverse(0.99, rows[i].freedom) - rows[i].t_99) <
                    6e-4);
    }
}

static void the_normal_table(void **state)
{
    (void)state;
    assert_true(fabs(distribution_normal(0) - 0.5) < 1e-15);
    assert_true(fabs(distribution_normal(1) - 0.8413447) < 1e-7);
    assert_true(fabs(distribution_normal(-1.959963984540054) - 0.025) < 1e-15);
}

/* By Pascal's triangle: 1 5 10 10 5 1. */
static void a_coin_thrown_five_times(void **state)
{
    (void)state;
    const double ways[] = {1, 6, 16, 26, 31, 32};
    for (size_t k = 0; k <= 5; k++)
        assert_true(near(distribution_coin(k, 5), ways[k] / 32, 1e-14));
    assert_true(distribution_coin(9, 5) <= 1 && near(distribution_coin(9, 5), 1, 1e-14));
    assert_true(near(distribution_coin(1000, 2001), 0.5, 1e-10)); /* 2^-2001 is below any double */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(students_table),
        cmocka_unit_test(the_normal_table),
        cmocka_unit_test(a_coin_thrown_five_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
