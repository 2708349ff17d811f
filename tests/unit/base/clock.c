#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "base/rng.h"

static void test_sleep(void **state)
{
    int64_t start = clock_now_ns();
    (void)state;
    clock_sleep_until(start + 20 * NS_PER_MS);
    assert_true(clock_now_ns() >= start + 20 * NS_PER_MS);
    start = clock_now_ns();
    clock_sleep_until(start - NS_PER_S);
    clock_sleep_until(-1);
    assert_true(clock_now_ns() - start < NS_PER_S);
}

static void test_cpu(void **state)
{
    int64_t before = clock_process_cpu_ns();
    int64_t start = clock_now_ns();
    (void)state;
    while (clock_process_cpu_ns() - before < 5 * NS_PER_MS)
        assert_true(clock_now_ns() - start < 60 * NS_PER_S);
}

/* Checks that each '9' of the pattern is a digit and the rest is as it is. */
static void check_pattern(const char *text, const char *pattern)
{
    assert_int_equal(strlen(text), strlen(pattern));
    for (size_t i = 0; pattern[i] != '\0'; i++)
        if (pattern[i] == '9')
            assert_in_range(text[i], '0', '9');
        else
            assert_int_equal(text[i], pattern[i]);
}

static void test_wall(void **state)
{
    char text[32];
    (void)state;
    clock_wall_iso(text);
    check_pattern(text, "9999-99-99T99:99:99Z");
    clock_wall_stamp(text);
    check_pattern(text, "99999999-9999");
}

static void test_rng(void **state)
{
    struct rng rng = {.state = 0};
    (void)state;
    /* SplitMix64 from state 0: the first outputs, as published in many places. */
    assert_true(rng_next(&rng) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(rng_next(&rng) == UINT64_C(0x6e789e6aa1b965f4));
    for (int i = 0; i < 1000; i++)
        assert_true(rng_below(&rng, 7) < 7);
}

static void test_embedded(void **state)
{
    static const struct embedded table[] = {{"a.ini", "x", 1}, {"b.ini", "", 0}, {NULL, NULL, 0}};
    (void)state;
    assert_ptr_equal(embedded_find(table, "b.ini"), &table[1]);
    assert_null(embedded_find(table, "b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sleep), cmocka_unit_test(test_cpu),      cmocka_unit_test(test_wall),
        cmocka_unit_test(test_rng),   cmocka_unit_test(test_embedded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
