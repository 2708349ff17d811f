#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"

static void test_measured(void **state)
{
    json_t *value = json_measured(2.5);
    (void)state;
    assert_true(json_real_value(value) == 2.5);
    json_decref(value);
    assert_true(json_is_null(json_measured(NAN)));
    assert_true(json_is_null(json_measured(INFINITY)));
    value = json_measured(0);
    assert_true(json_is_real(value));
    json_decref(value);
}

static void check_text(const char *text, const char *expected)
{
    json_t *value = json_text(text);
    assert_string_equal(json_string_value(value), expected);
    json_decref(value);
}

static void test_text(void **state)
{
    (void)state;
    assert_true(json_is_null(json_text(NULL)));
    check_text("", "");
    check_text("一行 \xF0\x9F\x98\x80", "一行 \xF0\x9F\x98\x80");
    check_text("a\xFFz", "a\xEF\xBF\xBDz");
    check_text("\xE5\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD");
    check_text("\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD");                 /* overlong */
    check_text("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); /* surrogate */
    check_text("\xF4\x90\x80\x80.", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD.");
}

static void test_paths(void **state)
{
    json_t *object =
        json_loads("{\"a\": {\"b\": {\"c\": 1}, \"b.c\": 2, \"x\": null, \"t\": \"é\"},"
                   " \"sqlite.page_size\": 4096, \"sqlite\": {\"cache.size\": 7}}",
                   0, NULL);
    (void)state;
    assert_non_null(object);
    assert_true(json_number_at(object, "a.b.c") == 2); /* the longest key first */
    assert_true(json_number_at(object, "sqlite.page_size") == 4096);
    assert_true(json_number_at(object, "sqlite.cache.size") == 7);
    assert_true(isnan(json_number_at(object, "a.x")));
    assert_true(isnan(json_number_at(object, "a.t")));
    assert_true(isnan(json_number_at(object, "a.b.d")));
    assert_true(json_is_object(json_at(object, "a.b")));
    assert_null(json_at(object, "a."));
    assert_null(json_at(object, ".a"));
    assert_null(json_at(object, ""));
    assert_null(json_at(NULL, "a"));
    assert_string_equal(json_text_at(object, "a.t"), "é");
    assert_null(json_text_at(object, "a.x"));
    json_decref(object);
}

static void test_write(void **state)
{
    struct err err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    json_t *object = json_pack("{s:f, s:I, s:s}", "x", 0.1 + 0.2, "n",
                               (json_int_t)INT64_C(9007199254740993), "t", "寿");
    (void)state;
    assert_int_equal(json_write_line(file, object, &err), 0);
    assert_int_equal(json_write_pretty(file, object, &err), 0);
    fclose(file);
    assert_string_equal(text, "{\"x\":0.3,\"n\":9007199254740993,\"t\":\"寿\"}\n"
                              "{\n  \"x\": 0.3,\n  \"n\": 9007199254740993,\n  \"t\": \"寿\"\n}\n");
    free(text);

    file = fopen("/dev/full", "w");
    assert_non_null(file);
    assert_int_equal(json_write_line(file, object, &err), -1);
    assert_int_equal(err.kind, ERR_FAILED);
    assert_string_equal(err.text, "write of the result: No space left on device");
    fclose(file);
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measured),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
