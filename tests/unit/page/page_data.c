/* The data block: what it says of results, of invented ones and of committed logs. */
#include "page_common.h"

#include "analysis/analysis.h"
#include "page/page_data.h"
#include "result/document.h"

static const char *const both[] = {"insert", "delete", NULL};

static json_t *only(const json_t *data, const char *member)
{
    return json_at(json_array_get(json_object_get(data, "results"), 0), member);
}

static json_t *item(const json_t *list, size_t index)
{
    json_t *found = json_array_get(list, index);
    assert_non_null(found);
    return found;
}

static void test_names(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    char *name = page_data_name(&common.source);
    assert_string_equal(name, "a.jsonl");
    free(name);
    json_object_set_new(common.summary, "devices",
                        json_pack("[{s:s, s:s}, {s:s, s:s}]", "role", "wal", "model", "Other",
                                  "role", "data", "model", "Example 1TB"));
    name = page_data_name(&common.source);
    assert_string_equal(name, "Example 1TB");
    free(name);
    json_object_set_new(common.summary, "label", json_string("比較 A"));
    name = page_data_name(&common.source);
    assert_string_equal(name, "比較 A");
    free(name);
    json_t *data = page_data(&common.source, 1, NULL);
    assert_string_equal(json_string_value(only(data, "file")), "a.jsonl"); /* without /home/user */
    json_decref(data);
    common_release(&common);
}

static void test_phases(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, both, 5);
    common_add_trial(&common, 1, both, 5);
    common.courses.items[1].bytes_before = 5 * 1024000 + 7;
    common.courses.items[3].bytes_before = NAN;
    json_object_set_new(
        item(json_object_get(item(json_object_get(common.summary, "trials"), 0), "phases"), 1),
        "device_sum",
        json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "writes", 1, "flushes", 1, "write_bytes", 1000,
                  "settle_writes", 1, "settle_flushes", 1, "settle_write_bytes", 24));
    json_t *data = page_data(&common.source, 1, NULL);
    const json_t *phases = only(data, "phases");
    assert_int_equal(json_array_size(phases), 4);
    assert_true(json_number_at(item(phases, 0), "start_bytes") == 0);
    assert_true(json_number_at(item(phases, 1), "start_bytes") == 5 * 1024000 + 7);
    assert_true(json_number_at(item(phases, 2), "start_bytes") == 5 * 1024000 + 7 + 1024);
    assert_true(json_is_null(json_object_get(item(phases, 3), "start_bytes")));
    assert_string_equal(json_text_at(item(phases, 3), "phase"), "delete");
    assert_true(json_number_at(item(phases, 3), "trial") == 1);
    assert_true(json_number_at(item(phases, 3), "group") == 1);
    assert_true(json_number_at(item(phases, 3), "first") == 15);
    assert_true(json_number_at(item(phases, 3), "count") == 5);
    assert_true(json_number_at(item(phases, 3), "start_s") == 150);
    assert_true(json_number_at(item(phases, 3), "end_s") == 150.5);
    json_decref(data);
    common_release(&common);
}

static void test_groups(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, both, 5);
    common_add_trial(&common, 1, both, 5);
    json_t *second =
        item(json_object_get(item(json_object_get(common.summary, "trials"), 1), "phases"), 0);
    json_object_set_new(second, "commits_per_s", json_real(2000));
    json_object_set_new(second, "devices",
                        json_pack("{s:{s:s, s:i, s:i, s:i}}", "sda", "role", "data", "seconds", 10,
                                  "flushes", 500, "write_bytes", 70000000));
    json_t *data = page_data(&common.source, 1, NULL);
    const json_t *groups = only(data, "groups"), *insert = item(groups, 0);
    assert_int_equal(json_array_size(groups), 2);
    assert_string_equal(json_text_at(insert, "name"), "insert, 4 streams");
    assert_true(json_number_at(insert, "streams") == 4);
    assert_true(json_number_at(insert, "repeats") == 2);
    json_t *expected = json_pack("[i, i, i]", 1500, 1000, 2000);
    assert_true(json_equal(json_at(insert, "metrics.commits_per_s"), expected));
    json_decref(expected);
    expected = json_pack("[i, i, i]", 50, 50, 50);
    assert_true(json_equal(json_at(insert, "metrics.flushes_per_s"), expected));
    json_decref(expected);
    expected = json_pack("[i, i, i]", 7, 7, 7);
    assert_true(json_equal(json_at(insert, "metrics.mb_per_s"), expected));
    json_decref(expected);
    assert_true(json_is_null(json_at(insert, "metrics.p99_ms")));
    json_decref(data);
    common_release(&common);
}

/* At their own rates: of twice the time half the commits when the first has finished. */
static void test_fairness(void **state)
{
    static const char *const one[] = {"insert", NULL};
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, one, 5);
    json_t *phase =
        item(json_object_get(item(json_object_get(common.summary, "trials"), 0), "phases"), 0);
    json_object_set_new(phase, "all_streams", json_pack("{s:i}", "elapsed_s", 5));
    json_object_set_new(phase, "fairness", json_real(0.9));
    json_object_set_new(phase, "streams",
                        json_pack("[{s:i, s:i}, {s:i, s:i}, {s:i}]", "commits", 1000, "elapsed_s",
                                  5, "commits", 1000, "elapsed_s", 10, "elapsed_s", 5));
    json_t *data = page_data(&common.source, 1, NULL);
    const json_t *fairness = item(only(data, "fairness"), 0);
    json_t *expected = json_pack("[i, i, n]", 1000, 500);
    assert_true(json_equal(json_object_get(fairness, "commits"), expected));
    assert_true(json_number_at(fairness, "jain") == 0.9);
    json_decref(expected);
    json_decref(data);
    common_release(&common);
}

static void test_waits(void **state)
{
    static const char *const one[] = {"insert", NULL};
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, one, 4);
    json_t *data = page_data(&common.source, 1, NULL);
    assert_true(json_is_null(only(data, "waits")));
    json_decref(data);
    struct course *course = &common.courses.items[0];
    course->waits = calloc(4 * WAITS_GROUPS, sizeof *course->waits);
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        course->waits[WAITS_GROUPS + g] = NAN; /* nobody looked in the second */
    course->waits[WAITS_FLUSH] = 3;
    course->waits[WAITS_CPU] = 1;
    data = page_data(&common.source, 1, NULL);
    const json_t *columns = only(data, "waits.columns");
    assert_int_equal(json_array_size(columns), 1); /* nothing was seen in the others */
    const json_t *shares = json_array_get(item(columns, 0), 2);
    assert_true(json_number_value(json_array_get(shares, WAITS_FLUSH)) == 0.75);
    assert_true(json_number_value(json_array_get(shares, WAITS_CPU)) == 0.25);
    assert_int_equal(json_array_size(only(data, "waits.names")), WAITS_GROUPS);
    json_decref(data);
    common_release(&common);
}

static void test_changes_and_events(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 5, both, 4);
    json_object_set_new(common.summary, "events",
                        json_pack("[{s:f, s:i, s:s, s:s}]", "at_s", 1.25, "trial", 5, "kind",
                                  "checkpoint", "text", "31 ms"));
    json_object_set_new(common.summary, "analysis",
                        json_pack("{s:{s:[{s:n, s:s, s:{s:i}, s:[{s:f, s:f, s:f, s:n}]}]}}",
                                  "steady", "findings", "part", "phase", "delete", "factors",
                                  "streams", 4, "changes", "at_s", 60.5, "before", 900.0, "after",
                                  300.0, "cause"));
    json_t *data = page_data(&common.source, 1, NULL);
    const json_t *change = item(only(data, "changes"), 0), *event = item(only(data, "events"), 0);
    assert_true(json_number_at(change, "at_s") == 60.5);
    assert_true(json_number_at(change, "trial") == 5);
    assert_string_equal(json_text_at(change, "phase"), "delete");
    assert_true(json_number_at(change, "after") == 300);
    assert_true(json_is_null(json_object_get(change, "cause")));
    assert_true(json_number_at(event, "at_s") == 1.25);
    assert_string_equal(json_text_at(event, "kind"), "checkpoint");
    json_decref(data);
    common_release(&common);
}

static void test_too_many_intervals_are_joined(void **state)
{
    enum { COUNT = PAGE_INTERVALS_MOST + 1 };
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, both, COUNT);
    json_t *data = page_data(&common.source, 1, NULL);
    const json_t *timeline = only(data, "timeline");
    size_t count = (size_t)json_number_at(timeline, "count");
    assert_true(json_number_at(timeline, "merged") == 3);
    assert_int_equal(count, 2 * ((COUNT + 2) / 3));
    double *commits = common_timeline(timeline, "commits");
    assert_true(common_sum(commits, count) == 2.0 * 100 * COUNT);
    free(commits);
    json_decref(data);
    common_release(&common);
}

static double course_sum(const struct course *course, const char *column)
{
    double sum = 0;
    for (size_t i = 0; i < course->series.count; i++) {
        const struct interval *item = &course->series.items[i];
        sum += strcmp(column, "commits") == 0 ? item->commits
               : strcmp(column, "rows") == 0  ? item->rows
                                              : item->bytes;
    }
    return sum;
}

/* What the intervals of each phase sum up to is what its samples say. */
static void check_sums(const json_t *result, const struct courses *courses, const char *column)
{
    double *values = common_timeline(json_object_get(result, "timeline"), column);
    size_t index, course = 0;
    const json_t *phase;
    json_array_foreach(json_object_get(result, "phases"), index, phase)
    {
        size_t count = (size_t)json_number_at(phase, "count");
        if (count == 0)
            continue;
        size_t first = (size_t)json_number_at(phase, "first");
        assert_true(common_sum(values + first, count) ==
                    course_sum(&courses->items[course++], column));
    }
    assert_int_equal(course, courses->count);
    free(values);
}

static void check_log(const char *name)
{
    struct document document;
    struct err err;
    char path[512];
    size_t size;
    snprintf(path, sizeof path, "%s/golden/%s.jsonl", TESTS_DIR, name);
    assert_int_equal(document_read_detail(path, DOCUMENT_LATENCIES, &document, &err), 0);
    json_object_set_new(document.summary, "analysis",
                        analysis_make(document.summary, &document.courses));
    const struct report_source source = {path, document.summary, &document.courses};
    json_t *data = page_data(&source, 1, NULL);
    char *text = page_data_text(data);
    unsigned char *json = common_unpack(text, &size);
    json_t *read = json_loads((char *)json, 0, NULL);
    const json_t *result = item(json_object_get(read, "results"), 0);
    check_sums(result, &document.courses, "commits");
    check_sums(result, &document.courses, "rows");
    check_sums(result, &document.courses, "bytes");
    free(json);
    free(text);
    json_decref(read);
    json_decref(data);
    document_release(&document);
}

static void test_committed_logs(void **state)
{
    (void)state;
    check_log("steady");
    check_log("partial");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_fairness),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_changes_and_events),
        cmocka_unit_test(test_too_many_intervals_are_joined),
        cmocka_unit_test(test_committed_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
