/* What one more commit costs, from the intervals of a phase. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "result/correlate.h"
#include "result/figures.h"

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) < 1e-6)

enum { INTERVALS = 60 };

/* Commits that rise and fall; each costs 2 writes, 1 flush and 8,704 bytes. */
static void fill(struct interval *items)
{
    for (size_t i = 0; i < INTERVALS; i++) {
        double commits = 80 + (double)(i * 7 % 11);
        items[i] = (struct interval){.seconds = 0.1,
                                     .commits = commits,
                                     .writes = 2 * commits,
                                     .flushes = commits,
                                     .bytes = 8704 * commits};
    }
}

static void each_commit_has_its_price(void **state)
{
    (void)state;
    struct interval items[INTERVALS];
    fill(items);
    const struct series series = {.items = items, .count = INTERVALS};
    json_t *c = correlate_json(&series);
    NEAR(json_number_at(c, "commits_vs_writes.slope"), 2);
    NEAR(json_number_at(c, "commits_vs_writes.low"), 2);
    NEAR(json_number_at(c, "commits_vs_writes.high"), 2);
    NEAR(json_number_at(c, "commits_vs_writes.r"), 1);
    assert_int_equal(json_number_at(c, "commits_vs_writes.n"), INTERVALS);
    NEAR(json_number_at(c, "commits_vs_flushes.slope"), 1);
    NEAR(json_number_at(c, "commits_vs_bytes.slope"), 8704);
    NEAR(json_number_at(c, "interval_s"), 0.1);
    assert_true(json_number_at(c, "commits_variation") > 0.03);
    assert_true(json_number_at(c, "commits_variation") < 0.05);
    json_decref(c);
}

/* The mean of 0, 1, ... 59 commits a second is 29.5, their standard deviation sqrt(305). */
static void variation_is_that_of_the_rate(void **state)
{
    (void)state;
    struct interval items[INTERVALS];
    for (size_t i = 0; i < INTERVALS; i++)
        items[i] = (struct interval){.seconds = 2, .commits = 2 * (double)i};
    const struct series series = {.items = items, .count = INTERVALS};
    struct figures_commits commits;
    figures_commits(&series, &commits);
    NEAR(commits.interval_s, 2);
    NEAR(commits.per_interval, 59);
    NEAR(commits.variation, sqrt(305) / 29.5);
}

/* Commits in step with the length of intervals do not vary, and neither is there a line where all
 * are the same. */
static void a_constant_rate_has_no_slope(void **state)
{
    (void)state;
    struct interval items[INTERVALS];
    for (size_t i = 0; i < INTERVALS; i++) {
        double seconds = i % 2 ? 0.1 : 0.11;
        items[i] = (struct interval){
            .seconds = seconds, .commits = 1000 * seconds, .writes = 200, .flushes = 100};
    }
    const struct series series = {.items = items, .count = INTERVALS};
    json_t *c = correlate_json(&series);
    NEAR(json_number_at(c, "commits_variation"), 0);
    json_decref(c);
    for (size_t i = 0; i < INTERVALS; i++)
        items[i].commits = 100;
    c = correlate_json(&series);
    assert_true(json_is_null(json_object_get(c, "commits_vs_writes")));
    assert_true(json_is_null(json_object_get(c, "commits_vs_flushes")));
    json_decref(c);
}

/* A last interval of a tenth of the length would be a point far off: r of noise becomes 1. */
static void short_intervals_are_left_out(void **state)
{
    (void)state;
    struct interval items[INTERVALS];
    for (size_t i = 0; i < INTERVALS; i++)
        items[i] = (struct interval){.seconds = 0.1,
                                     .commits = 1000 + (double)(i % 2),
                                     .writes = 2000 + (double)(i / 2 % 2)};
    items[INTERVALS - 1] = (struct interval){.seconds = 0.01, .commits = 100, .writes = 200};
    const struct series series = {.items = items, .count = INTERVALS};
    struct regression fit;
    figures_correlation(&series, AGAINST_WRITES, &fit);
    assert_int_equal(fit.n, INTERVALS - 1);
    assert_true(fabs(fit.r) < 0.2);
}

static void the_growing_wal_has_another_price(void **state)
{
    (void)state;
    struct interval items[INTERVALS];
    fill(items);
    for (size_t i = 0; i < 20; i++) {
        items[i].wal_growing = true;
        items[i].writes *= 1.5;
    }
    struct series series = {.items = items, .count = INTERVALS, .has_wal = true};
    json_t *c = correlate_json(&series);
    assert_int_equal(json_number_at(c, "commits_vs_writes.n"), 40);
    NEAR(json_number_at(c, "commits_vs_writes.slope"), 2);
    NEAR(json_number_at(c, "commits_vs_writes.r"), 1);
    json_decref(c);
    /* Too few are left: all are taken. */
    series.count = 45;
    c = correlate_json(&series);
    assert_int_equal(json_number_at(c, "commits_vs_writes.n"), 45);
    json_decref(c);
}

/* Written back three intervals later. */
static void the_drive_may_be_later(void **state)
{
    (void)state;
    struct interval items[INTERVALS];
    fill(items);
    double before[3] = {0, 0, 0};
    for (size_t i = 0; i < INTERVALS; i++) {
        double writes = items[i].writes;
        items[i].writes = before[0];
        before[0] = before[1];
        before[1] = before[2];
        before[2] = writes;
    }
    const struct series series = {.items = items, .count = INTERVALS};
    struct figures_lag lag;
    figures_lag(&series, AGAINST_WRITES, &lag);
    NEAR(lag.seconds, 0.3);
    assert_true(lag.r > 0.9);
    figures_lag(&series, AGAINST_FLUSHES, &lag);
    NEAR(lag.seconds, 0);
    NEAR(lag.r, 1);
    json_t *c = correlate_json(&series);
    NEAR(json_number_at(c, "commits_vs_writes.lag_s"), 0.3);
    NEAR(json_number_at(c, "commits_vs_bytes.lag_s"), 0);
    json_decref(c);
}

static void what_is_unknown_is_null(void **state)
{
    (void)state;
    struct interval items[INTERVALS];
    fill(items);
    for (size_t i = 0; i < INTERVALS; i++)
        items[i].flushes = NAN; /* an old kernel */
    struct series series = {.items = items, .count = INTERVALS};
    json_t *c = correlate_json(&series);
    assert_true(json_is_null(json_object_get(c, "commits_vs_flushes")));
    assert_true(json_is_object(json_object_get(c, "commits_vs_bytes")));
    json_decref(c);
    series.count = 29;
    c = correlate_json(&series);
    assert_true(json_is_null(json_object_get(c, "commits_vs_writes")));
    json_decref(c);
    series.count = 0;
    c = correlate_json(&series);
    assert_true(json_is_null(json_object_get(c, "commits_variation")));
    json_decref(c);
    c = correlate_json(NULL);
    assert_true(json_is_null(json_object_get(c, "commits_vs_writes")));
    assert_true(json_is_null(json_object_get(c, "interval_s")));
    json_decref(c);
}

static void cycles_are_medians(void **state)
{
    (void)state;
    json_t *phases[4];
    static const double slopes[] = {2.0, 2.4, 2.1};
    for (size_t i = 0; i < 3; i++)
        phases[i] = json_pack("{s:{s:{s:f, s:f, s:f, s:f, s:i}, s:n, s:f}}", "correlation",
                              "commits_vs_writes", "slope", slopes[i], "low", slopes[i] - 0.1,
                              "high", slopes[i] + 0.1, "r", 0.9, "n", 40, "commits_vs_flushes",
                              "commits_variation", 0.1 * (double)i);
    phases[3] = json_object(); /* of an earlier version */
    json_t *c = correlate_merge((const json_t *const *)phases, 4);
    NEAR(json_number_at(c, "commits_vs_writes.slope"), 2.1);
    NEAR(json_number_at(c, "commits_vs_writes.low"), 2.0);
    NEAR(json_number_at(c, "commits_vs_writes.high"), 2.2);
    assert_int_equal(json_number_at(c, "commits_vs_writes.n"), 120);
    assert_true(json_is_null(json_at(c, "commits_vs_writes.lag_s")));
    assert_true(json_is_null(json_object_get(c, "commits_vs_flushes")));
    NEAR(json_number_at(c, "commits_variation"), 0.1);
    json_decref(c);
    for (size_t i = 0; i < 4; i++)
        json_decref(phases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_commit_has_its_price),
        cmocka_unit_test(variation_is_that_of_the_rate),
        cmocka_unit_test(a_constant_rate_has_no_slope),
        cmocka_unit_test(short_intervals_are_left_out),
        cmocka_unit_test(the_growing_wal_has_another_price),
        cmocka_unit_test(the_drive_may_be_later),
        cmocka_unit_test(what_is_unknown_is_null),
        cmocka_unit_test(cycles_are_medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
