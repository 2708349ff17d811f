#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/list.h"
#include "workload/suggest.h"

static void check_split(const char *text, const char *joined, size_t count)
{
    struct list list;
    struct err err = {0};
    if (list_split(&list, text, &err) != 0)
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(list.count, count);
    char *again = list_join(&list);
    assert_string_equal(again, joined);
    free(again);
    list_release(&list);
    assert_int_equal(list.count, 0);
}

static void test_split(void **state)
{
    (void)state;
    check_split("1", "1", 1);
    check_split("1, 10,20 ,\t30", "1, 10, 20, 30", 4);
    check_split("\"a, b\"", "a, b", 1);
    check_split("\"a, b\", c", "a, b, c", 2);
    check_split("一, 行", "一, 行", 2);
}

static void test_refuses(void **state)
{
    static const char *const bad[] = {"",     " ",   ",",      "1,",       ",1",     "1,,2",
                                      "\"\"", "\"a", "a\"b\"", "\"a\"b\"", "\"a\" b"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct list list;
        struct err err = {0};
        if (list_split(&list, bad[i], &err) != -1)
            fail_msg("'%s' was taken for a list", bad[i]);
        assert_int_equal(err.kind, ERR_USAGE);
        assert_int_equal(list.count, 0);
        assert_null(list.items);
    }
}

static void test_distance(void **state)
{
    (void)state;
    assert_int_equal(suggest_distance("rows", "rows"), 0);
    assert_int_equal(suggest_distance("rows", "rowz"), 1);
    assert_int_equal(suggest_distance("rows", "row"), 1);
    assert_int_equal(suggest_distance("rows", "rwos"), 1);
    assert_int_equal(suggest_distance("kitten", "sitting"), 3);
    assert_int_equal(suggest_distance("", "abc"), 3);
}

static const struct key *suggest(const char *name)
{
    const struct key *keys[64];
    size_t count = 0;
    for (const struct key *key = key_core; key->name != NULL; key++)
        keys[count++] = key;
    return suggest_key(keys, count, name);
}

static void test_suggestions(void **state)
{
    (void)state;
    assert_string_equal(suggest("workload.rowz")->name, "workload.rows");
    assert_string_equal(suggest("workload.rows_per_comit")->name, "workload.rows_per_commit");
    assert_string_equal(suggest("wrokload.streams")->name, "workload.streams");
    assert_string_equal(suggest("rows")->name, "workload.rows");
    assert_string_equal(suggest("row.rows")->name, "workload.rows"); /* the wrong section */
    assert_null(suggest("workload.temperature"));
    assert_null(suggest("x"));
    assert_null(suggest(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
