/* All intervals of a result: sums, what is unknown, joined neighbours, percentiles. */
#include "page_common.h"

#include "page/chart_timeline.h"

static const char *const both[] = {"insert", "delete", NULL};
static const char *const one[] = {"insert", NULL};

static json_t *make(const struct common *common, size_t joined)
{
    struct chart chart;
    struct timeline timeline;
    struct hist *hist = hist_create();
    struct err err;
    chart_init(&chart, &common->source, joined);
    timeline_init(&timeline, &chart);
    for (size_t p = 0; p < chart.phase_count; p++) {
        const struct course *course = chart.phases[p].course;
        for (size_t i = 0; course && i < course->series.count; i++) {
            bool known = course->latencies[i] && hist_decode(course->latencies[i], hist, &err) == 0;
            timeline_latency(&timeline, &chart.phases[p], i, known ? hist : NULL);
        }
    }
    json_t *json = timeline_json(&timeline);
    timeline_release(&timeline);
    chart_release(&chart);
    hist_destroy(hist);
    return json;
}

/* A column's value must be that; NaN: unknown. */
static void check(const json_t *timeline, const char *name, size_t at, double expected)
{
    double *values = common_timeline(timeline, name);
    if (isnan(expected))
        assert_true(!values || isnan(values[at]));
    else
        assert_true(values && fabs(values[at] - expected) <= 0.0011 * fabs(expected));
    free(values);
}

static void test_values_of_an_interval(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, both, 30);
    json_t *timeline = make(&common, 1);
    assert_true(json_number_at(timeline, "count") == 60);
    assert_true(json_number_at(timeline, "merged") == 1);
    check(timeline, "start_s", 7, 0.7);
    check(timeline, "start_s", 31, 50.1);
    check(timeline, "seconds", 59, 0.1);
    check(timeline, "commits", 0, 100);
    check(timeline, "rows", 0, 100000);
    check(timeline, "writes", 0, 140); /* with data */
    check(timeline, "flushes", 0, 110);
    check(timeline, "bytes", 0, 1024000);
    check(timeline, "queue_depth", 0, 1.5);
    check(timeline, "in_flight", 0, 2);
    check(timeline, "cpu_client", 0, 0.2);
    check(timeline, "cpu_host", 0, 0.25);
    check(timeline, "retries", 0, 0);
    assert_null(common_timeline(timeline, "temperature_c"));
    assert_null(common_timeline(timeline, "wal_bytes"));
    assert_null(common_timeline(timeline, "p50_ms"));
    json_decref(timeline);
    common_release(&common);
}

static void test_unknown_stays_unknown(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, one, 10);
    struct interval *items = common.courses.items[0].series.items;
    items[3].bytes = items[4].flushes = items[5].host_busy = items[6].device.waiting_ms = NAN;
    items[7].temperature_c = 41;
    json_t *timeline = make(&common, 1);
    check(timeline, "bytes", 3, NAN);
    check(timeline, "bytes", 4, 1024000);
    check(timeline, "flushes", 4, NAN);
    check(timeline, "writes", 4, NAN);
    check(timeline, "cpu_host", 5, NAN);
    check(timeline, "queue_depth", 6, NAN);
    check(timeline, "temperature_c", 6, NAN);
    check(timeline, "temperature_c", 7, 41);
    json_decref(timeline);
    common_release(&common);
}

static void test_joined_neighbours(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, both, 10);
    struct interval *items = common.courses.items[0].series.items;
    items[4].commits = 700;
    items[4].temperature_c = 50;
    items[5].temperature_c = 40;
    items[5].wal_bytes = 8192;
    json_t *timeline = make(&common, 3);
    assert_true(json_number_at(timeline, "count") == 8); /* 3 + 3 + 3 + 1, twice */
    assert_true(json_number_at(timeline, "merged") == 3);
    check(timeline, "seconds", 0, 0.3);
    check(timeline, "seconds", 3, 0.1);
    check(timeline, "start_s", 1, 0.3);
    check(timeline, "start_s", 4, 50);
    check(timeline, "commits", 1, 900);
    check(timeline, "commits", 3, 100);
    check(timeline, "temperature_c", 1, 50);
    check(timeline, "wal_bytes", 1, 8192);
    check(timeline, "queue_depth", 2, 1.5);
    check(timeline, "in_flight", 2, 2);
    check(timeline, "cpu_host", 2, 0.25);
    double *commits = common_timeline(timeline, "commits"),
           *rows = common_timeline(timeline, "rows");
    assert_true(common_sum(commits, 8) == 2 * 1000 + 600);
    assert_true(common_sum(rows, 8) == 2 * 1000000);
    free(commits);
    free(rows);
    json_decref(timeline);
    common_release(&common);
}

static void test_percentiles_of_many_commits(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, one, 3);
    for (size_t i = 0; i < 3; i++)
        common_latency(&common.courses.items[0], i, 2000, 1.0 + (double)i);
    json_t *timeline = make(&common, 1);
    for (size_t i = 0; i < 3; i++) {
        double *p99 = common_timeline(timeline, "p99_ms"),
               *max = common_timeline(timeline, "max_ms");
        assert_true(fabs(p99[i] - (1.0 + (double)i)) < 0.011 * p99[i]);
        assert_true(fabs(max[i] - (1.0 + (double)i)) < 0.011 * max[i]);
        free(p99);
        free(max);
    }
    json_decref(timeline);
    common_release(&common);
}

/* 400 commits an interval: p99 needs 1,000, so three of them. */
static void test_percentiles_of_few_commits_take_neighbours(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, both, 8);
    for (size_t i = 0; i < 8; i++)
        common_latency(&common.courses.items[0], i, 400, i < 3 ? 1 : i < 6 ? 2 : 3);
    for (size_t i = 0; i < 8; i++)
        common_latency(&common.courses.items[1], i, 10, 5);
    json_t *timeline = make(&common, 1);
    double *p99 = common_timeline(timeline, "p99_ms"), *p50 = common_timeline(timeline, "p50_ms");
    for (size_t i = 0; i < 3; i++)
        assert_true(fabs(p99[i] - 1) < 0.011);
    for (size_t i = 3; i < 6; i++)
        assert_true(fabs(p99[i] - 2) < 0.022);
    for (size_t i = 6; i < 8; i++) /* 800 are left: with those before them */
        assert_true(fabs(p99[i] - 3) < 0.033);
    for (size_t i = 8; i < 16; i++) { /* 80 in all are never enough; 20 are for p50 */
        assert_true(isnan(p99[i]));
        assert_true(fabs(p50[i] - 5) < 0.055);
    }
    free(p99);
    free(p50);
    json_decref(timeline);
    common_release(&common);
}

static void test_latencies_with_a_gap(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, one, 5);
    struct course *course = &common.courses.items[0];
    for (size_t i = 0; i < 5; i++)
        common_latency(course, i, 1000, 1);
    free(course->latencies[2]);
    course->latencies[2] = strdup("no histogram");
    free(course->latencies[3]); /* nothing committed: nothing to know */
    course->latencies[3] = NULL;
    course->series.items[3].commits = 0;
    json_t *timeline = make(&common, 1);
    check(timeline, "p50_ms", 2, NAN);
    check(timeline, "p99_ms", 2, NAN);
    check(timeline, "max_ms", 2, NAN);
    check(timeline, "max_ms", 3, NAN);
    double *p99 = common_timeline(timeline, "p99_ms");
    assert_true(fabs(p99[1] - 1) < 0.011 && fabs(p99[4] - 1) < 0.011);
    free(p99);
    json_decref(timeline);
    timeline = make(&common, 5); /* what is not known of a part is not known of the whole */
    check(timeline, "max_ms", 0, NAN);
    json_decref(timeline);
    common_release(&common);
}

static void test_no_samples(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    assert_null(make(&common, 1));
    common.source.courses = NULL;
    assert_null(make(&common, 1));
    common_release(&common);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_an_interval),
        cmocka_unit_test(test_unknown_stays_unknown),
        cmocka_unit_test(test_joined_neighbours),
        cmocka_unit_test(test_percentiles_of_many_commits),
        cmocka_unit_test(test_percentiles_of_few_commits_take_neighbours),
        cmocka_unit_test(test_latencies_with_a_gap),
        cmocka_unit_test(test_no_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
