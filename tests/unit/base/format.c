#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/format.h"

static struct format_text out;

static void test_grouped(void **state)
{
    (void)state;
    assert_string_equal(format_grouped(&out, 1234567), "1,234,567");
    assert_string_equal(format_grouped(&out, 999.4), "999");
    assert_string_equal(format_grouped(&out, 999.5), "1,000");
    assert_string_equal(format_grouped(&out, 0), "0");
    assert_string_equal(format_grouped(&out, -0.2), "0");
    assert_string_equal(format_grouped(&out, -1234), "-1,234");
    assert_string_equal(format_grouped(&out, NAN), "-");
    assert_string_equal(format_grouped(&out, 1e30), "1.00e+30");
    assert_string_equal(format_grouped(&out, INFINITY), "inf");
}

static void test_short(void **state)
{
    (void)state;
    assert_string_equal(format_short(&out, 34700), "34.7k");
    assert_string_equal(format_short(&out, 812), "812");
    assert_string_equal(format_short(&out, 0.5), "0.50");
    assert_string_equal(format_short(&out, 0.012), "0.012");
    assert_string_equal(format_short(&out, 5.4), "5.40");
    assert_string_equal(format_short(&out, 12), "12.0");
    assert_string_equal(format_short(&out, 999.6), "1.00k");
    assert_string_equal(format_short(&out, 999400), "999k");
    assert_string_equal(format_short(&out, 1.5e6), "1.50M");
    assert_string_equal(format_short(&out, 2e9), "2.00G");
    assert_string_equal(format_short(&out, 3e12), "3.00T");
    assert_string_equal(format_short(&out, -34700), "-34.7k");
    assert_string_equal(format_short(&out, 0), "0");
    assert_string_equal(format_short(&out, NAN), "-");
}

static void test_fixed(void **state)
{
    (void)state;
    assert_string_equal(format_fixed(&out, 1.055, 2), "1.06");
    assert_string_equal(format_fixed(&out, 2, 1), "2.0");
    assert_string_equal(format_fixed(&out, -0.001, 2), "0.00");
    assert_string_equal(format_fixed(&out, 12.5, 0), "13");
    assert_string_equal(format_fixed(&out, NAN, 2), "-");
}

static void test_digits(void **state)
{
    (void)state;
    assert_string_equal(format_digits(&out, 4.1), "4.10");
    assert_string_equal(format_digits(&out, 24.51), "24.5");
    assert_string_equal(format_digits(&out, 244.4), "244");
    assert_string_equal(format_digits(&out, 9.996), "10.0");
    assert_string_equal(format_digits(&out, 99.96), "100");
    assert_string_equal(format_digits(&out, 0.1234), "0.123");
    assert_string_equal(format_digits(&out, 0.01), "0.0100");
    assert_string_equal(format_digits(&out, 1), "1.00");
    assert_string_equal(format_digits(&out, 10), "10.0");
    assert_string_equal(format_digits(&out, 12345), "12,300");
    assert_string_equal(format_digits(&out, 0), "0");
    assert_string_equal(format_digits(&out, NAN), "-");
}

static void test_bytes(void **state)
{
    (void)state;
    assert_string_equal(format_bytes(&out, 22e9), "22 GB");
    assert_string_equal(format_bytes(&out, 1e9), "1.0 GB");
    assert_string_equal(format_bytes(&out, 812), "812 B");
    assert_string_equal(format_bytes(&out, 999.6), "1.0 kB");
    assert_string_equal(format_bytes(&out, 999.6e6), "1.0 GB");
    assert_string_equal(format_bytes(&out, 9.96e6), "10 MB");
    assert_string_equal(format_bytes(&out, 4e12), "4.0 TB");
    assert_string_equal(format_bytes(&out, 0), "0 B");
    assert_string_equal(format_bytes(&out, NAN), "-");
}

static void test_seconds(void **state)
{
    (void)state;
    assert_string_equal(format_seconds(&out, 0.35), "0.35 s");
    assert_string_equal(format_seconds(&out, 42), "42 s");
    assert_string_equal(format_seconds(&out, 67), "67 s");
    assert_string_equal(format_seconds(&out, 4.1), "4.1 s");
    assert_string_equal(format_seconds(&out, 150), "2.5 min");
    assert_string_equal(format_seconds(&out, 600), "10 min");
    assert_string_equal(format_seconds(&out, 7500), "2 h 05 min");
    assert_string_equal(format_seconds(&out, 3599), "1 h 00 min");
    assert_string_equal(format_seconds(&out, 0.0012), "1.2 ms");
    assert_string_equal(format_seconds(&out, 0), "0 s");
    assert_string_equal(format_seconds(&out, NAN), "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grouped), cmocka_unit_test(test_short),
        cmocka_unit_test(test_fixed),   cmocka_unit_test(test_digits),
        cmocka_unit_test(test_bytes),   cmocka_unit_test(test_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
