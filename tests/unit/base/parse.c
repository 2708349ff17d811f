#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/parse.h"

#define MINUTE_NS INT64_C(60000000000)

static void test_counts(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"1000", 1000},
                {"007", 7},
                {"20k", 20000},
                {"5M", 5000000},
                {"1G", 1000000000},
                {"1T", UINT64_C(1000000000000)},
                {"1.5M", 1500000},
                {"1.500M", 1500000},
                {"2.0", 2},
                {"0.001k", 1},
                {"18446744073709551615", UINT64_MAX}};
    static const char *const bad[] = {"",
                                      " ",
                                      "5 0",
                                      " 5",
                                      "5 ",
                                      "-1",
                                      "+1",
                                      "1.",
                                      ".5",
                                      "1.5",
                                      "1e3",
                                      "0x5",
                                      "1K",
                                      "1kk",
                                      "4Ki",
                                      "1,0",
                                      "١",
                                      "５",
                                      "1m",
                                      "1.0000001k",
                                      "18446744073709551616",
                                      "20000000000G",
                                      "1.x",
                                      "k",
                                      "inf",
                                      "18446744073709551.616k"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct err err = {0};
        uint64_t value = 99;
        assert_int_equal(parse_count(good[i].text, &value, &err), 0);
        assert_int_equal(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {0};
        uint64_t value;
        if (parse_count(bad[i], &value, &err) != -1)
            fail_msg("'%s' was taken for a count", bad[i]);
        assert_int_equal(err.kind, ERR_USAGE);
        assert_non_null(strstr(err.text, bad[i]));
    }
}

static void test_sizes(void **state)
{
    struct err err = {0};
    uint64_t size;
    (void)state;
    assert_int_equal(parse_size("4Ki", &size, &err), 0);
    assert_int_equal(size, 4096);
    assert_int_equal(parse_size("64Mi", &size, &err), 0);
    assert_int_equal(size, 67108864);
    assert_int_equal(parse_size("1.5Ki", &size, &err), 0);
    assert_int_equal(size, 1536);
    assert_int_equal(parse_size("1Ti", &size, &err), 0);
    assert_int_equal(size, INT64_C(1099511627776));
    assert_int_equal(parse_size("100G", &size, &err), 0);
    assert_int_equal(size, INT64_C(100000000000));
    assert_int_equal(parse_size("4KiB", &size, &err), -1);
    assert_int_equal(parse_size("4KB", &size, &err), -1);
    assert_int_equal(parse_size("16777216Ti", &size, &err), -1); /* 2^64 */
    assert_int_equal(parse_size("16777215Ti", &size, &err), 0);
    assert_string_equal((parse_size("4 Ki", &size, &err), err.text),
                        "'4 Ki' is no size; write bytes such as 4096, 100G, 4Ki or 64Mi");
}

static void test_durations(void **state)
{
    struct err err = {0};
    int64_t ns;
    (void)state;
    assert_int_equal(parse_duration("100ms", &ns, &err), 0);
    assert_int_equal(ns, 100000000);
    assert_int_equal(parse_duration("1.5s", &ns, &err), 0);
    assert_int_equal(ns, 1500000000);
    assert_int_equal(parse_duration("5m", &ns, &err), 0);
    assert_int_equal(ns, 5 * MINUTE_NS);
    assert_int_equal(parse_duration("2h", &ns, &err), 0);
    assert_int_equal(ns, 120 * MINUTE_NS);
    assert_int_equal(parse_duration("0", &ns, &err), 0);
    assert_int_equal(ns, 0);
    assert_int_equal(parse_duration("0s", &ns, &err), 0);
    static const char *const bad[] = {"5",  "",    "s",    "1M",       "-1s",          "1 s",
                                      "1d", "5us", "1h5m", "9999999h", "0.0000000001s"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse_duration(bad[i], &ns, &err) != -1)
            fail_msg("'%s' was taken for a duration", bad[i]);
}

static void test_shares(void **state)
{
    struct err err = {0};
    double share;
    (void)state;
    assert_int_equal(parse_share("50%", &share, &err), 0);
    assert_true(share == 0.5);
    assert_int_equal(parse_share("0%", &share, &err), 0);
    assert_true(share == 0);
    assert_int_equal(parse_share("100%", &share, &err), 0);
    assert_true(share == 1);
    assert_int_equal(parse_share("12.5%", &share, &err), 0);
    assert_true(share == 0.125);
    static const char *const bad[] = {"50", "", "%", "101%", "100.1%", "-1%", "5 %", "0.5", "5%%"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse_share(bad[i], &share, &err) != -1)
            fail_msg("'%s' was taken for a share", bad[i]);
}

static void test_integers(void **state)
{
    struct err err = {0};
    int64_t value;
    (void)state;
    assert_int_equal(parse_integer("-2000", &value, &err), 0);
    assert_int_equal(value, -2000);
    assert_int_equal(parse_integer("9223372036854775807", &value, &err), 0);
    assert_true(value == INT64_MAX);
    assert_int_equal(parse_integer("-9223372036854775808", &value, &err), 0);
    assert_true(value == INT64_MIN);
    static const char *const bad[] = {
        "9223372036854775808", "-9223372036854775809", "--1", "-", "1.0", "1k", "+1", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse_integer(bad[i], &value, &err) != -1)
            fail_msg("'%s' was taken for an integer", bad[i]);
}

static void test_numbers(void **state)
{
    struct err err = {0};
    double value;
    (void)state;
    assert_int_equal(parse_number("0.5", &value, &err), 0);
    assert_true(value == 0.5);
    assert_int_equal(parse_number("-2.5e3", &value, &err), 0);
    assert_true(value == -2500);
    static const char *const bad[] = {"nan", "inf", "1e999", "0x1p3", " 1", "1 ",
                                      "1,5", "",    ".5",    "1.",    "1e", "1e+"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse_number(bad[i], &value, &err) != -1)
            fail_msg("'%s' was taken for a number", bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),    cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_durations), cmocka_unit_test(test_shares),
        cmocka_unit_test(test_integers),  cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
