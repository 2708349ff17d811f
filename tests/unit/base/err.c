#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/utf8.h"

static void test_set_and_context(void **state)
{
    struct err err = {0};
    (void)state;
    assert_int_equal(err_set(&err, ERR_USAGE, "%s is no key", "x"), -1);
    assert_int_equal(err_context(&err, "workload file %s", "寿.ini"), -1);
    assert_string_equal(err.text, "workload file 寿.ini: x is no key");
    assert_int_equal(err.kind, ERR_USAGE);
    assert_int_equal(err_set(&err, ERR_FAILED, "again: %s", err.text), -1);
    assert_string_equal(err.text, "again: workload file 寿.ini: x is no key");
}

static void test_errno(void **state)
{
    struct err err = {0};
    (void)state;
    assert_int_equal(err_set_errno(&err, ERR_REFUSED, ENOSPC, "write of %s", "f"), -1);
    assert_string_equal(err.text, "write of f: No space left on device");
    assert_int_equal(err.kind, ERR_REFUSED);
}

static void test_cut_between_characters(void **state)
{
    struct err err = {0};
    char longer[3001];
    (void)state;
    for (size_t i = 0; i < 3000; i += 3)
        memcpy(longer + i, "\xE5\xAF\xBF", 3);
    longer[3000] = '\0';
    static const char *const starts[] = {"", "a", "ab"};
    for (size_t i = 0; i < 3; i++) {
        err_set(&err, ERR_FAILED, "%s%s", starts[i], longer);
        size_t size = strlen(err.text);
        assert_in_range(size, sizeof err.text - 3, sizeof err.text - 1);
        assert_int_equal(utf8_valid(err.text, size), size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_and_context),
        cmocka_unit_test(test_errno),
        cmocka_unit_test(test_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
