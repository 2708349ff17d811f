#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/rates.h"
#include "unit/analysis/ladder_doc.h"

/* Intervals of 0.1 s with so many commits each, then a rest of 1 ms. */
static struct course course_of(unsigned trial, unsigned phase, size_t count, double commits)
{
    struct course course = {.trial = trial, .phase = phase};
    course.series.items = calloc(count + 1, sizeof *course.series.items);
    course.series.count = course.series.capacity = count + 1;
    for (size_t i = 0; i <= count; i++)
        course.series.items[i] = (struct interval){.start_s = 0.1 * (double)i,
                                                   .seconds = i < count ? 0.1 : 0.001,
                                                   .commits = commits,
                                                   .rows = commits * 10,
                                                   .device = {.writes = NAN, .flushes = 1}};
    return course;
}

struct fixture {
    json_t *summary;
    struct groups groups;
    struct rates_index index;
};

/* One trial: insert, delete, insert: two cycles of one phase. */
static void make(struct fixture *fixture, const struct courses *courses, double all_s)
{
    json_t *phases = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(phases,
                              json_pack("{s:s, s:{s:o}}", "name", i == 1 ? "delete" : "insert",
                                        "all_streams", "elapsed_s", json_measured(all_s)));
    fixture->summary = json_pack("{s:[{s:i, s:o}]}", "trials", "index", 5, "phases", phases);
    groups_init(&fixture->groups, fixture->summary);
    rates_index_init(&fixture->index, courses);
}

static void release(struct fixture *fixture)
{
    rates_index_release(&fixture->index);
    groups_release(&fixture->groups);
    json_decref(fixture->summary);
}

static void cycles_follow_each_other(void **state)
{
    (void)state;
    struct course items[] = {course_of(5, 2, 30, 7), course_of(4, 0, 30, 99),
                             course_of(5, 0, 20, 5), course_of(5, 1, 30, 50)};
    const struct courses courses = {.items = items, .count = DOC_COUNT(items)};
    struct fixture fixture;
    struct rates rates;
    make(&fixture, &courses, NAN);
    rates_init(&rates, &fixture.index, &fixture.groups.items[0]);
    assert_int_equal(rates.count, 50); /* the rests are left out */
    for (size_t i = 0; i < rates.count; i++) {
        double commits = i < 20 ? 50 : 70;
        assert_true(fabs(rates.values[RATE_COMMITS][i] - commits) < 1e-9);
        assert_true(fabs(rates.values[RATE_ROWS][i] - commits * 10) < 1e-9);
        assert_true(isnan(rates.values[RATE_WRITES][i]));
    }
    rates_release(&rates);
    release(&fixture);
    for (size_t i = 0; i < DOC_COUNT(items); i++)
        series_release(&items[i].series);
}

static void only_while_all_streams_ran(void **state)
{
    (void)state;
    struct course items[] = {course_of(5, 0, 30, 7), course_of(5, 2, 30, 7)};
    const struct courses courses = {.items = items, .count = 2};
    struct fixture fixture;
    struct rates rates;
    make(&fixture, &courses, 1.25);
    rates_init(&rates, &fixture.index, &fixture.groups.items[0]);
    assert_int_equal(rates.count, 24);
    rates_release(&rates);
    release(&fixture);
    for (size_t i = 0; i < 2; i++)
        series_release(&items[i].series);
}

static void many_are_joined(void **state)
{
    (void)state;
    struct course item = course_of(5, 0, 5001, 7);
    const struct courses courses = {.items = &item, .count = 1};
    struct fixture fixture;
    struct rates rates;
    make(&fixture, &courses, NAN);
    rates_init(&rates, &fixture.index, &fixture.groups.items[0]);
    assert_int_equal(rates.count, 1667); /* three each, 5001 in all */
    assert_true(fabs(rates.values[RATE_COMMITS][1666] - 70) < 1e-6);
    rates_release(&rates);
    release(&fixture);
    series_release(&item.series);
}

static void no_samples(void **state)
{
    (void)state;
    const struct courses empty = {.items = NULL};
    struct fixture fixture;
    struct rates rates;
    for (int i = 0; i < 2; i++) {
        make(&fixture, i ? &empty : NULL, 1);
        rates_init(&rates, &fixture.index, &fixture.groups.items[0]);
        assert_int_equal(rates.count, 0);
        rates_release(&rates);
        release(&fixture);
    }
    /* A phase without an interval, trials with odd numbers. */
    struct course item = {.trial = 5};
    const struct courses one = {.items = &item, .count = 1};
    static const char *const numbers[] = {"5", "-1", "1e300", "\"5\"", "null"};
    for (size_t i = 0; i < DOC_COUNT(numbers); i++) {
        make(&fixture, &one, 1);
        json_object_set_new(json_array_get(json_object_get(fixture.summary, "trials"), 0), "index",
                            json_loads(numbers[i], JSON_DECODE_ANY, NULL));
        rates_init(&rates, &fixture.index, &fixture.groups.items[0]);
        assert_int_equal(rates.count, 0);
        rates_release(&rates);
        release(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_follow_each_other),
        cmocka_unit_test(only_while_all_streams_ran),
        cmocka_unit_test(many_are_joined),
        cmocka_unit_test(no_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
