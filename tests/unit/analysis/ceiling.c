#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/ceiling.h"
#include "unit/analysis/ladder_doc.h"

/* A search that tried these; `end` NULL: it was cut off.  `repeat` of the whole search. */
static void add_search(json_t *summary, const struct point *points, size_t count, int repeat,
                       const char *end)
{
    double rows = json_number_at(summary, "workload.workload.rows_per_commit");
    for (size_t i = 0; i < count; i++) {
        json_t *trial = doc_trial(points[i].streams, repeat,
                                  json_pack("[o]", doc_phase("insert", &points[i], rows)));
        const char *own = i + 1 == count ? end : NULL;
        json_object_set_new(trial, "search",
                            json_pack("{s:i, s:o}", "step", (int)i + 1, "end", json_text(own)));
        doc_add(summary, trial);
    }
}

static json_t *search(const struct point *points, size_t count, double rows_per_commit,
                      const char *end, double slo_ms)
{
    json_t *summary = doc_summary(rows_per_commit);
    add_search(summary, points, count, 0, end);
    if (slo_ms > 0)
        json_object_set_new(summary, "asked",
                            json_pack("{s:{s:s, s:f}}", "slo", "percentile", "p99", "ms", slo_ms));
    json_t *found = doc_find(ceiling_json, summary, NULL);
    json_decref(summary);
    return found;
}

static void expect_said(const json_t *finding, const char *label, const char *sentence)
{
    const char *said = doc_said(finding, label);
    assert_non_null(said);
    assert_string_equal(said, sentence);
}

static void expect_near(const json_t *object, const char *path, double value, double within)
{
    double is = json_number_at(object, path);
    if (!(fabs(is - value) <= within))
        fail_msg("%s is %g, not %g", path, is, value);
}

/* Doubling, then between; in the order of a search, not of the streams. */
static const struct point steps[] = {{1, 5000, 5500, 0.5},    {2, 9000, 12000, 1.2},
                                     {4, 12000, 19000, 2.1},  {8, 12300, 26000, 4.0},
                                     {16, 12100, 34700, 7.9}, {6, 12200, 23000, 3.0}};

static void a_ceiling(void **state)
{
    (void)state;
    json_t *found = search(steps, DOC_COUNT(steps), 1, "found", 0);
    const json_t *finding = doc_finding(found, 0);
    assert_string_equal(json_text_at(found, "verdict"), "found");
    assert_string_equal(json_text_at(finding, "ended_by"), "found");
    expect_near(finding, "commits_per_s.value", 12300, 0);
    expect_near(finding, "commits_per_s.streams", 8, 0);
    expect_near(finding, "commits_per_s.fewest_streams", 4, 0);
    assert_true(json_is_true(json_at(finding, "commits_per_s.reached")));
    assert_true(json_is_null(json_at(finding, "commits_per_s.low"))); /* one value */
    assert_true(json_is_null(json_at(finding, "commits_per_s.interval_of")));
    expect_near(finding, "write_iops.value", 34700, 0);
    expect_near(finding, "write_iops.streams", 16, 0);
    assert_true(json_is_false(json_at(finding, "write_iops.reached")));
    assert_true(json_is_null(json_object_get(finding, "under_slo")));
    const json_t *list = json_object_get(finding, "steps");
    assert_int_equal(json_array_size(list), 6);
    expect_near(json_array_get(list, 3), "streams", 6, 0); /* by streams */
    expect_near(json_array_get(list, 3), "p99_ms", 3, 0);
    expect_said(finding, "",
                "12,300 flushed commits/s at 8 streams is the ceiling: more streams gain less than "
                "3%");
    expect_said(finding, "fewer", "4 streams carry 98% of it");
    expect_said(finding, "IOPS",
                "34,700 data writes/s at 16 streams: still rising with the streams");
    assert_null(doc_said(finding, "rows/s")); /* one row a commit */
    assert_null(doc_said(finding, "SLO"));
    assert_null(doc_said(finding, "interval"));
    assert_string_equal(json_text_at(finding, "certainty"),
                        "5 repeats more of the search would show how runs differ");
    json_decref(found);
}

static void three_ceilings_of_bulk(void **state)
{
    (void)state;
    json_t *found = search(steps, DOC_COUNT(steps), 1000, "found", 0);
    const json_t *finding = doc_finding(found, 0);
    expect_near(finding, "rows_per_s.value", 12.3e6, 0);
    expect_said(finding, "",
                "12,300,000 rows/s at 8 streams is the ceiling: more streams gain less than 3%");
    expect_said(finding, "commits/s", "12,300 flushed commits/s at 8 streams");
    json_decref(found);
}

static void the_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *end, *said, *certainty;
    } cases[] = {
        {"time",
         "9,000 flushed commits/s at 2 streams when search.time ended the search, still rising",
         "a higher search.time would let the search go on; 5 repeats more of the search would show "
         "how runs differ"},
        {"steps",
         "9,000 flushed commits/s at 2 streams when search.steps ended the search, still rising",
         "a higher search.steps would let the search go on; 5 repeats more of the search would "
         "show how runs differ"},
        {"streams",
         "9,000 flushed commits/s at 2 streams when search.streams_max ended the search, still "
         "rising",
         "a higher search.streams_max would let the search go on; 5 repeats more of the search "
         "would show how runs differ"},
        {"bytes",
         "9,000 flushed commits/s at 2 streams when limit.write_bytes ended the search, still "
         "rising",
         "a higher limit.write_bytes would let the search go on; 5 repeats more of the search "
         "would show how runs differ"},
        {"space",
         "9,000 flushed commits/s at 2 streams when limit.free_space ended the search, still "
         "rising",
         "more free room than limit.free_space would let the search go on; 5 repeats more of the "
         "search would show how runs differ"},
    };
    for (size_t i = 0; i < DOC_COUNT(cases); i++) {
        json_t *found = search(steps, 2, 1, cases[i].end, 0);
        const json_t *finding = doc_finding(found, 0);
        assert_string_equal(json_text_at(finding, "verdict"), "bounded");
        assert_string_equal(json_text_at(finding, "ended_by"), cases[i].end);
        expect_said(finding, "", cases[i].said);
        assert_string_equal(json_text_at(finding, "certainty"), cases[i].certainty);
        json_decref(found);
    }
    /* One step alone is a search too; and a bound may come after the ceiling. */
    json_t *found = search(steps, 1, 1, "time", 0);
    assert_string_equal(json_text_at(found, "verdict"), "bounded");
    json_decref(found);
    found = search(steps, 5, 1, "time", 0);
    expect_said(doc_finding(found, 0), "",
                "12,300 flushed commits/s at 8 streams when search.time ended the search; "
                "more streams gained less than 3%");
    json_decref(found);
}

static void the_service_level(void **state)
{
    (void)state;
    json_t *found = search(steps, 4, 1, "slo", 2.5);
    const json_t *finding = doc_finding(found, 0);
    assert_string_equal(json_text_at(finding, "verdict"), "slo");
    assert_string_equal(json_text_at(finding, "under_slo.percentile"), "p99");
    expect_near(finding, "under_slo.ms", 2.5, 0);
    expect_near(finding, "under_slo.streams", 4, 0);
    expect_near(finding, "under_slo.commits_per_s", 12000, 0);
    expect_near(finding, "under_slo.percentile_ms", 2.1, 0);
    expect_said(
        finding, "",
        "12,300 flushed commits/s at 8 streams at most; p99 passed 2.5 ms, which ended the search");
    expect_said(finding, "SLO",
                "p99 within 2.5 ms: 12,000 flushed commits/s at 4 streams (p99 2.10 ms)");
    json_decref(found);

    found = search(steps, 4, 1, "found", 4); /* the highest step keeps it */
    expect_said(doc_finding(found, 0), "SLO", "p99 within 4 ms: kept at 8 streams (4.00 ms)");
    json_decref(found);

    found = search(steps, 4, 1, "slo", 0.1); /* nothing keeps it */
    finding = doc_finding(found, 0);
    assert_true(json_is_null(json_object_get(finding, "under_slo")));
    expect_said(finding, "SLO",
                "p99 is within 0.1 ms at no number of streams: the least is 0.500 ms at 1");
    json_decref(found);

    static const struct point unknown[] = {{1, 5000, 5500, NAN}, {2, 5010, 5500, NAN}};
    found = search(unknown, 2, 1, "found", 5);
    expect_said(doc_finding(found, 0), "SLO",
                "p99 within 5 ms: unknown, no step has enough transactions for it");
    json_decref(found);
}

static void cut_off(void **state)
{
    (void)state;
    static const char *const ends[] = {NULL, "", "of something else"};
    for (size_t i = 0; i < DOC_COUNT(ends); i++) {
        json_t *found = search(steps, 3, 1, ends[i], 0);
        const json_t *finding = doc_finding(found, 0);
        assert_string_equal(json_text_at(finding, "verdict"), "undetermined");
        assert_true(json_is_null(json_object_get(finding, "ended_by")));
        expect_said(finding, "",
                    "12,000 flushed commits/s at 4 streams at most, before the search was cut off");
        assert_string_equal(json_text_at(finding, "certainty"),
                            "the search was cut off: a whole one would name the ceiling");
        json_decref(found);
    }
}

/* ---- intervals ---- */

/* 200 intervals of 0.1 s, about `rate` commits/s; half as many more that come after the first
 * stream has finished. */
static void fill_course(struct course *course, unsigned trial, double rate)
{
    enum { INTERVALS = 300 };
    *course = (struct course){.trial = trial};
    course->series.items = calloc(INTERVALS, sizeof *course->series.items);
    course->series.count = course->series.capacity = INTERVALS;
    for (size_t i = 0; i < INTERVALS; i++) {
        bool tail = i >= 200;
        double per_s = tail ? rate / 10 : rate * (1 + 0.02 * ((double)(i * 7 % 11) - 5) / 5);
        course->series.items[i] =
            (struct interval){.start_s = 0.1 * (double)i,
                              .seconds = 0.1,
                              .commits = per_s * 0.1,
                              .rows = per_s * 0.1,
                              .device = {.writes = per_s * 0.3, .flushes = per_s * 0.1}};
    }
}

static void intervals_of_samples(void **state)
{
    (void)state;
    struct course courses[3];
    const struct courses all = {.items = courses, .count = 3};
    json_t *summary = doc_summary(1), *trial;
    size_t t;
    add_search(summary, steps + 2, 3, 0, "found");
    json_array_foreach(json_object_get(summary, "trials"), t, trial)
    {
        json_t *phase = json_array_get(json_object_get(trial, "phases"), 0);
        json_object_set_new(phase, "all_streams",
                            json_pack("{s:f, s:f}", "elapsed_s", 20.0, "commits_per_s",
                                      json_number_at(phase, "commits_per_s")));
        fill_course(&courses[2 - t], (unsigned)t, json_number_at(phase, "commits_per_s"));
    }
    json_t *found = doc_find(ceiling_json, summary, &all);
    json_t *again = doc_find(ceiling_json, summary, &all);
    const json_t *finding = doc_finding(found, 0);
    assert_string_equal(json_text_at(finding, "commits_per_s.interval_of"), "intervals");
    expect_near(finding, "commits_per_s.values", 200, 0); /* the tail is another load */
    expect_near(finding, "commits_per_s.value", 12300, 12300 * 0.002);
    double low = json_number_at(finding, "commits_per_s.low");
    double high = json_number_at(finding, "commits_per_s.high");
    assert_true(low >= 12300 * 0.98 && low <= 12300 && high >= 12300 && high <= 12300 * 1.02);
    /* Writes that carry data: the flushes' own are no load. */
    expect_near(finding, "write_iops.value", 12100 * 2, 12100 * 0.01);
    expect_said(finding, "interval",
                "95% intervals of the median of 200 samples of one run: they hold for this run "
                "alone");
    assert_true(json_equal(found, again)); /* the same file always says the same */
    json_decref(found);
    json_decref(again);
    json_decref(summary);
    for (size_t i = 0; i < 3; i++)
        series_release(&courses[i].series);
}

static void intervals_of_repeats(void **state)
{
    (void)state;
    json_t *summary = doc_summary(1);
    for (int i = 0; i < 6; i++) {
        const struct point points[] = {
            {1, 5000 + i, NAN, 1}, {2, 9000 + 100 * i, NAN, 1}, {4, 8900 + 100 * i, NAN, 1}};
        add_search(summary, points, 3, i, i == 2 ? "time" : "found");
    }
    json_t *found = doc_find(ceiling_json, summary, NULL);
    const json_t *finding = doc_finding(found, 0);
    assert_string_equal(json_text_at(finding, "verdict"), "bounded"); /* one of them was */
    assert_string_equal(json_text_at(finding, "commits_per_s.interval_of"), "repeats");
    expect_near(finding, "commits_per_s.value", 9250, 0);
    expect_near(finding, "commits_per_s.low", 9000, 0);
    expect_near(finding, "commits_per_s.high", 9500, 0);
    expect_said(finding, "interval", "95% intervals of the median of 6 repeats");
    assert_string_equal(json_text_at(finding, "certainty"),
                        "a higher search.time would let the search go on");
    json_decref(found);
    json_decref(summary);
}

/* A median far from the mean hides what the worse half costs: the mean stands beside it. */
static void a_mean_that_differs(void **state)
{
    (void)state;
    struct course course;
    const struct courses all = {.items = &course, .count = 1};
    static const struct point point = {8, 9000, NAN, 1};
    json_t *summary = doc_summary(1);
    add_search(summary, &point, 1, 0, "time");
    fill_course(&course, 0, 10000);
    course.series.count = 200;
    json_t *found = doc_find(ceiling_json, summary, &all);
    const char *said = doc_said(doc_finding(found, 0), "");
    assert_non_null(strstr(said, "10,000 flushed commits/s ("));
    assert_non_null(strstr(said, "), mean 9,000, at 8 streams"));
    json_decref(found);
    json_decref(summary);
    series_release(&course.series);
}

/* ---- odd documents ---- */

static void nothing_to_say(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "{\"trials\": [null, {\"search\": {}}, {\"factors\": {\"streams\": 4}, \"phases\": 5}]}",
        "{\"trials\": [{\"factors\": {\"streams\": 4}, \"search\": null, "
        "\"phases\": [{\"name\": \"insert\", \"commits_per_s\": 7}]}]}",
        "{\"trials\": [{\"factors\": {\"streams\": \"x\"}, \"search\": {\"end\": 7}, "
        "\"phases\": [{\"name\": \"insert\", \"commits_per_s\": 7}]}]}",
    };
    for (size_t i = 0; i < DOC_COUNT(texts); i++) {
        json_t *summary = json_loads(texts[i], 0, NULL);
        assert_non_null(summary);
        assert_null(doc_find(ceiling_json, summary, NULL));
        json_decref(summary);
    }
}

static void no_rates(void **state)
{
    (void)state;
    static const struct point points[] = {{1, NAN, NAN, NAN}, {2, NAN, NAN, NAN}};
    json_t *found = search(points, 2, 1, "found", 5);
    const json_t *finding = doc_finding(found, 0);
    assert_string_equal(json_text_at(finding, "verdict"), "undetermined");
    assert_string_equal(json_text_at(finding, "certainty"), "no step has a rate");
    assert_true(json_is_null(json_object_get(finding, "commits_per_s")));
    json_decref(found);
}

static void ten_thousand_phases(void **state)
{
    (void)state;
    enum { TRIALS = 10000 };
    struct course *items = calloc(TRIALS, sizeof *items);
    const struct courses all = {.items = items, .count = TRIALS};
    json_t *summary = doc_summary(1);
    for (int i = 0; i < TRIALS; i++) {
        const struct point point = {1 + i % 100, 1000 + i % 100, 2000 + i, 1};
        add_search(summary, &point, 1, i / 100, "found");
        items[i].trial = (unsigned)(TRIALS - 1 - i);
    }
    json_t *found = doc_find(ceiling_json, summary, &all);
    expect_near(doc_finding(found, 0), "commits_per_s.value", 1099, 0);
    json_decref(found);
    json_decref(summary);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ceiling),
        cmocka_unit_test(three_ceilings_of_bulk),
        cmocka_unit_test(the_bounds),
        cmocka_unit_test(the_service_level),
        cmocka_unit_test(cut_off),
        cmocka_unit_test(intervals_of_samples),
        cmocka_unit_test(intervals_of_repeats),
        cmocka_unit_test(a_mean_that_differs),
        cmocka_unit_test(nothing_to_say),
        cmocka_unit_test(no_rates),
        cmocka_unit_test(ten_thousand_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
