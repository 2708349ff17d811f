/* Which share of a group's latencies is above so many ms. */
#include "page_common.h"

#include "base/rng.h"
#include "page/chart_latency.h"

static double at(const json_t *points, size_t index, size_t member)
{
    return json_number_value(json_array_get(json_array_get(points, index), member));
}

/* The ms that a share of `above` is slower than, as the page reads it from the points. */
static double quantile(const json_t *points, double above)
{
    for (size_t i = 0; i < json_array_size(points); i++)
        if (at(points, i, 1) <= above)
            return at(points, i, 0);
    return NAN;
}

/* A long tail from a seed. */
static struct hist *tail(size_t count, double width)
{
    struct rng rng = {7};
    struct hist *hist = hist_create();
    for (size_t i = 0; i < count; i++) {
        double u = ((double)(rng_next(&rng) >> 11) + 1) / 9007199254740993.0;
        hist_record(hist, (int64_t)(1e5 * pow(u, -width)));
    }
    return hist;
}

static void check_curve(const struct hist *hist)
{
    json_t *points = latency_points(hist);
    size_t count = json_array_size(points);
    assert_true(count >= 3 && count <= LATENCY_POINTS);
    assert_true(at(points, 0, 1) == 1);
    assert_true(at(points, count - 1, 1) == 0);
    assert_true(at(points, count - 2, 1) > 0);
    assert_true(fabs(at(points, count - 1, 0) / hist_max_ms(hist) - 1) < 1e-5);
    for (size_t i = 1; i < count; i++)
        assert_true(at(points, i, 0) >= at(points, i - 1, 0) &&
                    at(points, i, 1) <= at(points, i - 1, 1));
    static const double quantiles[] = {0.5, 0.99, 0.999};
    for (size_t i = 0; i < 3; i++) {
        double expected = hist_quantile_ms(hist, quantiles[i]);
        if (!isnan(expected))
            assert_true(fabs(quantile(points, 1 - quantiles[i] + 1e-9) / expected - 1) < 0.011);
    }
    json_decref(points);
}

static void test_points(void **state)
{
    static const double widths[] = {0.01, 0.3, 1};
    static const size_t counts[] = {1, 50, 2000, 200000};
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t c = 0; c < 4; c++) {
            struct hist *hist = tail(counts[c], widths[w]);
            check_curve(hist);
            hist_destroy(hist);
        }
}

static void test_no_points_of_nothing(void **state)
{
    struct hist *hist = hist_create();
    (void)state;
    json_t *points = latency_points(hist);
    assert_int_equal(json_array_size(points), 0);
    json_decref(points);
    hist_destroy(hist);
}

static json_t *make(const struct common *common)
{
    struct chart chart;
    struct latency latency;
    struct hist *hist = hist_create();
    struct err err;
    chart_init(&chart, &common->source, 1);
    latency_init(&latency, &chart);
    for (size_t p = 0; p < chart.phase_count; p++) {
        const struct course *course = chart.phases[p].course;
        for (size_t i = 0; i < course->series.count; i++) {
            bool known = course->latencies[i] && hist_decode(course->latencies[i], hist, &err) == 0;
            latency_take(&latency, &chart.phases[p], known ? hist : NULL);
        }
    }
    json_t *json = latency_json(&latency);
    latency_release(&latency);
    chart_release(&chart);
    hist_destroy(hist);
    return json;
}

static json_t *phase_of(const struct common *common, size_t trial, size_t phase)
{
    const json_t *trials = json_object_get(common->summary, "trials");
    return json_array_get(json_object_get(json_array_get(trials, trial), "phases"), phase);
}

static const char *const both[] = {"insert", "delete", NULL};

static void test_transactions_of_all_repeats(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    common_add_trial(&common, 0, both, 2);
    common_add_trial(&common, 1, both, 2);
    for (size_t t = 0; t < 2; t++) {
        struct hist *hist = tail(3000, 0.3);
        char *text = hist_encode(hist);
        json_object_set_new(phase_of(&common, t, 0), "histograms",
                            json_pack("{s:s}", "transaction", text));
        free(text);
        hist_destroy(hist);
    }
    common_latency(&common.courses.items[1], 0, 10, 2); /* of the delete only commits are known */
    json_t *latency = make(&common);
    assert_int_equal(json_array_size(latency), 2);
    const json_t *insert = json_array_get(latency, 0), *delete = json_array_get(latency, 1);
    assert_string_equal(json_text_at(insert, "kind"), "transaction");
    assert_true(json_number_at(insert, "count") == 6000);
    assert_true(json_number_at(insert, "group") == 0);
    assert_string_equal(json_text_at(delete, "kind"), "commit");
    assert_true(json_number_at(delete, "count") == 10);
    assert_true(json_number_at(delete, "group") == 1);
    json_decref(latency);
    common_release(&common);
}

static void test_twelve_curves_with_both_ends(void **state)
{
    struct common common;
    (void)state;
    common_init(&common);
    for (unsigned t = 0; t < 30; t++) {
        common_add_trial(&common, t, both, 1);
        json_t *trial = json_array_get(json_object_get(common.summary, "trials"), t);
        json_object_set_new(json_object_get(trial, "factors"), "streams", json_integer(t + 1));
        common_latency(&common.courses.items[2 * t], 0, 10, 1);
        common_latency(&common.courses.items[2 * t + 1], 0, 10, 1);
    }
    json_t *latency = make(&common);
    assert_int_equal(json_array_size(latency), LATENCY_CURVES);
    assert_true(json_number_at(json_array_get(latency, 0), "group") == 0);
    assert_true(json_number_at(json_array_get(latency, LATENCY_CURVES - 1), "group") == 58);
    json_decref(latency);
    common_release(&common);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_no_points_of_nothing),
        cmocka_unit_test(test_transactions_of_all_repeats),
        cmocka_unit_test(test_twelve_curves_with_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
