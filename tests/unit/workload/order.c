#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "workload/order.h"

static void check_bijection(enum order_kind kind, uint64_t count, uint64_t seed)
{
    struct order order;
    unsigned char *seen = calloc(count, 1);
    order_init(&order, kind, count, seed);
    for (uint64_t position = 0; position < count; position++) {
        uint64_t item = order_at(&order, position);
        assert_true(item < count && seen[item] == 0);
        seen[item] = 1;
        assert_true(order_position(&order, item) == position);
    }
    free(seen);
}

static void test_every_size(void **state)
{
    static const uint64_t sizes[] = {1, 2,  3,  4,   5,    7,    8,
                                     9, 16, 17, 255, 1000, 4097, (1 << 20) + 7};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t seed = 0; seed < 3; seed++)
            check_bijection(ORDER_RANDOM, sizes[i], seed);
    check_bijection(ORDER_ASCENDING, 1000, 1);
    check_bijection(ORDER_DESCENDING, 1000, 1);
}

static void test_plain_orders(void **state)
{
    struct order order;
    (void)state;
    order_init(&order, ORDER_ASCENDING, 10, 1);
    assert_int_equal(order_at(&order, 3), 3);
    order_init(&order, ORDER_DESCENDING, 10, 1);
    assert_int_equal(order_at(&order, 0), 9);
    assert_int_equal(order_position(&order, 9), 0);
}

static void test_largest_range(void **state)
{
    struct order order;
    const uint64_t count = (UINT64_C(1) << 38) - 1;
    (void)state;
    order_init(&order, ORDER_RANDOM, count, 5);
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t position = i * (count / 1000);
        uint64_t item = order_at(&order, position);
        assert_true(item < count);
        assert_true(order_position(&order, item) == position);
    }
}

static void test_seed_changes_it(void **state)
{
    struct order a, b, again;
    unsigned same = 0;
    (void)state;
    order_init(&a, ORDER_RANDOM, 1000, 1);
    order_init(&again, ORDER_RANDOM, 1000, 1);
    order_init(&b, ORDER_RANDOM, 1000, 2);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(order_at(&a, i) == order_at(&again, i));
        same += order_at(&a, i) == order_at(&b, i);
    }
    assert_true(same < 20); /* 1 is expected */
}

/* Neighbours and positions do not correlate: |r| below 5 standard errors. */
static void test_looks_random(void **state)
{
    const uint64_t count = 100000;
    struct order order;
    double with_position = 0, with_next = 0;
    double mean = (double)(count - 1) / 2;
    double variance = ((double)count * (double)count - 1) / 12;
    (void)state;
    order_init(&order, ORDER_RANDOM, count, 3);
    for (uint64_t i = 0; i + 1 < count; i++) {
        double item = (double)order_at(&order, i) - mean;
        with_position += item * ((double)i - mean);
        with_next += item * ((double)order_at(&order, i + 1) - mean);
    }
    double limit = 5 / sqrt((double)count);
    assert_true(fabs(with_position / (double)count / variance) < limit);
    assert_true(fabs(with_next / (double)count / variance) < limit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size),    cmocka_unit_test(test_plain_orders),
        cmocka_unit_test(test_largest_range), cmocka_unit_test(test_seed_changes_it),
        cmocka_unit_test(test_looks_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
