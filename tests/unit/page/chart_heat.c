/* Commits by time and latency. */
#include "page_common.h"

#include "page/chart_heat.h"

static json_t *make(const struct common *common, size_t columns)
{
    struct chart chart;
    struct heat *heat = calloc(1, sizeof *heat);
    struct hist *hist = hist_create();
    struct err err;
    chart_init(&chart, &common->source, 1);
    heat_init(heat, &chart, columns);
    for (size_t p = 0; p < chart.phase_count; p++) {
        const struct course *course = chart.phases[p].course;
        for (size_t i = 0; i < course->series.count; i++) {
            bool known = course->latencies[i] && hist_decode(course->latencies[i], hist, &err) == 0;
            heat_take(heat, &chart.phases[p], i, known ? hist : NULL);
        }
    }
    json_t *json = heat_json(heat);
    heat_release(heat);
    free(heat);
    chart_release(&chart);
    hist_destroy(hist);
    return json;
}

static double count_all(const json_t *heat)
{
    size_t c, i;
    const json_t *column, *count;
    double sum = 0;
    json_array_foreach(json_object_get(heat, "columns"), c, column)
    {
        assert_int_equal(json_array_size(column), 4);
        assert_true(json_array_size(json_array_get(column, 3)) > 0);
        json_array_foreach(json_array_get(column, 3), i, count)
        {
            sum += json_number_value(count);
        }
    }
    return sum;
}

static void add(struct common *common, unsigned trials, size_t intervals)
{
    static const char *const both[] = {"insert", "delete", NULL};
    for (unsigned t = 0; t < trials; t++)
        common_add_trial(common, t, both, intervals);
    for (size_t c = 0; c < common->courses.count; c++)
        for (size_t i = 0; i < intervals; i++)
            common_latency(&common->courses.items[c], i, 10 + i % 3, 0.5 * (double)(1 + i));
}

static double commits_of(const struct common *common)
{
    double sum = 0;
    for (size_t c = 0; c < common->courses.count; c++)
        for (size_t i = 0; i < common->courses.items[c].series.count; i++)
            sum += common->courses.items[c].series.items[i].commits;
    return sum;
}

static void test_bins(void **state)
{
    static const char *const one[] = {"insert", NULL};
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, one, 3);
    common_latency(&common.courses.items[0], 0, 7, 1.05); /* 40 x a quarter octave is 1.024 ms */
    common_latency(&common.courses.items[0], 1, 5, 0.0005);
    json_t *heat = make(&common, 100);
    const json_t *columns = json_object_get(heat, "columns");
    assert_true(json_number_at(heat, "least_ms") == 0.001);
    assert_true(fabs(json_number_at(heat, "ratio") - 1.189207115) < 1e-8);
    assert_int_equal(json_array_size(columns), 2); /* of the third nothing is known */
    const json_t *first = json_array_get(columns, 0);
    assert_true(json_number_value(json_array_get(first, 0)) == 0);
    assert_true(json_number_value(json_array_get(first, 1)) == 0.1);
    assert_int_equal(json_integer_value(json_array_get(first, 2)), 40);
    assert_int_equal(json_array_size(json_array_get(first, 3)), 1);
    assert_int_equal(json_integer_value(json_array_get(json_array_get(first, 3), 0)), 7);
    assert_int_equal(json_integer_value(json_array_get(json_array_get(columns, 1), 2)), 0);
    json_decref(heat);
    common_release(&common);
}

static void test_every_commit_once(void **state)
{
    static const size_t limits[] = {1, 3, 7, 30, 1000};
    struct common common;
    (void)state;
    common_init(&common);
    add(&common, 3, 40); /* 6 phases, 240 intervals */
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        json_t *heat = make(&common, limits[i]);
        assert_true(count_all(heat) == commits_of(&common));
        assert_true(json_array_size(json_object_get(heat, "columns")) <= limits[i]);
        json_decref(heat);
    }
    common_release(&common);
}

/* Between two phases lies time that no commit took. */
static void test_columns_end_with_their_phase(void **state)
{
    struct common common;
    size_t index;
    const json_t *column;
    (void)state;
    common_init(&common);
    add(&common, 3, 40);
    json_t *heat = make(&common, 60);
    json_array_foreach(json_object_get(heat, "columns"), index, column)
    {
        double from = json_number_value(json_array_get(column, 0));
        double to = json_number_value(json_array_get(column, 1));
        assert_true(to > from && to - from < 4.01);
    }
    json_decref(heat);
    common_release(&common);
}

static void test_no_latencies(void **state)
{
    static const char *const one[] = {"insert", NULL};
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, one, 3);
    assert_null(make(&common, 100));
    common_release(&common);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bins),
        cmocka_unit_test(test_every_commit_once),
        cmocka_unit_test(test_columns_end_with_their_phase),
        cmocka_unit_test(test_no_latencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
