#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/along.h"

struct fixture {
    json_t *summary;
    struct groups groups;
};

/* Trials with these factors, each with one phase "insert". */
static void make(struct fixture *fixture, const char *const *factors, size_t count)
{
    json_t *trials = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_loads(factors[i], 0, NULL);
        assert_non_null(object);
        json_array_append_new(
            trials, json_pack("{s:o, s:[{s:s}]}", "factors", object, "phases", "name", "insert"));
    }
    fixture->summary = json_pack("{s:o}", "trials", trials);
    groups_init(&fixture->groups, fixture->summary);
}

static void release(struct fixture *fixture)
{
    groups_release(&fixture->groups);
    json_decref(fixture->summary);
}

static void numbers_rise(void **state)
{
    (void)state;
    static const char *const factors[] = {
        "{\"streams\": 40, \"layout\": \"a\"}", "{\"streams\": 2, \"layout\": \"b\"}",
        "{\"streams\": 5, \"layout\": \"a\"}",  "{\"streams\": 7.5, \"layout\": \"a\"}",
        "{\"streams\": 5, \"layout\": \"a\"}", /* a repeat */
        "{\"streams\": 1, \"layout\": \"b\"}",  "{\"streams\": 3, \"layout\": \"c\"}",
    };
    struct fixture fixture;
    struct alongs alongs;
    make(&fixture, factors, 7);
    alongs_init(&alongs, &fixture.groups, "streams");
    assert_int_equal(alongs.count, 2); /* c stands alone */
    assert_int_equal(alongs.items[0].count, 3);
    static const double rising[] = {5, 7.5, 40};
    for (size_t i = 0; i < 3; i++) {
        assert_true(json_number_value(alongs.items[0].values[i]) == rising[i]);
        assert_ptr_equal(json_object_get(alongs.items[0].groups[i]->factors, "streams"),
                         alongs.items[0].values[i]);
    }
    assert_int_equal(alongs.items[0].groups[0]->count, 2);
    assert_string_equal(json_text_at(alongs.items[1].groups[0]->factors, "layout"), "b");
    assert_true(json_number_value(alongs.items[1].values[0]) == 1);
    alongs_release(&alongs);

    alongs_init_from(&alongs, &fixture.groups, "streams", 1);
    assert_int_equal(alongs.count, 3);
    assert_int_equal(alongs.items[2].count, 1);
    alongs_release(&alongs);
    release(&fixture);
}

static void words_stay_as_they_came(void **state)
{
    (void)state;
    static const char *const factors[] = {
        "{\"layout\": \"z\", \"streams\": 1}",
        "{\"layout\": \"a\", \"streams\": 1}",
        "{\"layout\": 3, \"streams\": 1}",
        "{\"layout\": 1, \"streams\": 1}",
        "{\"streams\": 1}", /* without the factor */
    };
    struct fixture fixture;
    struct alongs alongs;
    make(&fixture, factors, 5);
    alongs_init(&alongs, &fixture.groups, "layout");
    assert_int_equal(alongs.count, 1);
    assert_int_equal(alongs.items[0].count, 4);
    assert_string_equal(json_string_value(alongs.items[0].values[0]), "z");
    assert_string_equal(json_string_value(alongs.items[0].values[1]), "a");
    assert_true(json_number_value(alongs.items[0].values[2]) == 3);
    alongs_release(&alongs);
    release(&fixture);
}

/* Parts and phases are never mixed. */
static void parts_and_phases_stay_apart(void **state)
{
    (void)state;
    json_t *trials = json_array();
    for (int i = 0; i < 4; i++)
        json_array_append_new(trials,
                              json_pack("{s:s, s:{s:i}, s:[{s:s}, {s:s}]}", "part",
                                        i % 2 ? "bulk" : "small", "factors", "streams", 1 + i / 2,
                                        "phases", "name", "insert", "name", "delete"));
    struct fixture fixture = {.summary = json_pack("{s:o}", "trials", trials)};
    struct alongs alongs;
    groups_init(&fixture.groups, fixture.summary);
    alongs_init(&alongs, &fixture.groups, "streams");
    assert_int_equal(alongs.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct along *along = &alongs.items[i];
        assert_int_equal(along->count, 2);
        assert_string_equal(along->groups[0]->part, along->groups[1]->part);
        assert_string_equal(along->groups[0]->phase, along->groups[1]->phase);
    }
    alongs_release(&alongs);
    release(&fixture);
}

static void none(void **state)
{
    (void)state;
    static const char *const factors[] = {"{}", "{\"streams\": null}", "[]", "{\"streams\": {}}"};
    struct fixture fixture;
    struct alongs alongs;
    make(&fixture, factors, 1);
    alongs_init(&alongs, &fixture.groups, "streams");
    assert_int_equal(alongs.count, 0);
    alongs_release(&alongs);
    release(&fixture);
    make(&fixture, factors, 4); /* odd values are values: two different ones */
    alongs_init(&alongs, &fixture.groups, "streams");
    assert_int_equal(alongs.count, 1);
    assert_int_equal(alongs.items[0].count, 2);
    alongs_release(&alongs);
    release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_rise),
        cmocka_unit_test(words_stay_as_they_came),
        cmocka_unit_test(parts_and_phases_stay_apart),
        cmocka_unit_test(none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
