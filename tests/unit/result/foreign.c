/* What others wrote, in the documents: of a phase, of cycles, of a trial; limits in the header. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "result/figures_json.h"
#include "result/merge.h"
#include "result/metric.h"
#include "result/record.h"
#include "result/trial.h"

/* A phase with one data device, of whose 1000 bytes others wrote so many. */
static json_t *phase(enum foreign_method method, double others)
{
    struct device_totals totals = {.seconds = 1, .write_bytes = 1000};
    totals.foreign = (struct foreign_share){method, others, 1000, NAN, NAN};
    return json_pack("{s:s, s:f, s:{s:{s:s, s:o}, s:o}}", "name", "insert", "elapsed_s", 1.0,
                     "devices", "sdb", "role", "other", "foreign", json_null(), "sda",
                     figures_device_json("data", &totals));
}

static void of_a_phase(void **state)
{
    (void)state;
    json_t *p = phase(FOREIGN_CGROUP2, 30.4);
    assert_string_equal(metric_text(p, "data.foreign.method"), "cgroup2");
    assert_true(metric_value(p, "data.foreign.write_bytes") == 30);
    assert_true(fabs(metric_value(p, "data.foreign.share") - 0.0304) < 1e-12);
    json_decref(p);
    p = phase(FOREIGN_UNKNOWN, NAN);
    const json_t *foreign = json_at(p, "devices.sda.foreign");
    assert_true(json_is_null(json_object_get(foreign, "method")));
    assert_true(json_is_null(json_object_get(foreign, "write_bytes")));
    assert_true(json_is_null(json_object_get(foreign, "share")));
    assert_null(metric_text(p, "data.foreign.method"));
    json_decref(p);
}

static void reads_of_a_phase(void **state)
{
    (void)state;
    struct device_totals totals = {.seconds = 1, .write_bytes = 1000};
    totals.foreign = (struct foreign_share){FOREIGN_CGROUP1, 0, 1000, 500, 1000};
    json_t *p = json_pack("{s:s, s:{s:o}}", "name", "insert", "devices", "sda",
                          figures_device_json("data", &totals));
    assert_true(metric_value(p, "data.foreign.read_bytes") == 500);
    assert_true(metric_value(p, "data.foreign.share") == 0.25);
    json_t *phases = json_pack("[O, O]", p, p);
    json_t *merged = merge_cycles(phases);
    const json_t *m = json_array_get(merged, 0);
    assert_true(metric_value(m, "data.foreign.read_bytes") == 1000);
    assert_true(metric_value(m, "data.foreign.of_read_bytes") == 2000);
    assert_true(metric_value(m, "data.foreign.share") == 0.25);
    json_decref(merged);
    json_decref(phases);
    json_decref(p);
}

static void of_cycles(void **state)
{
    (void)state;
    static const struct {
        enum foreign_method first, second;
        double others, sum;
    } cases[] = {
        {FOREIGN_BASELINE, FOREIGN_BASELINE, 30, 130},
        {FOREIGN_BASELINE, FOREIGN_CGROUP1, 30, NAN}, /* two methods make no sum */
        {FOREIGN_BASELINE, FOREIGN_UNKNOWN, NAN, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *phases = json_array();
        json_array_append_new(phases, phase(cases[i].first, 100));
        json_array_append_new(phases, phase(cases[i].second, cases[i].others));
        json_t *merged = merge_cycles(phases);
        const json_t *m = json_array_get(merged, 0);
        double sum = metric_value(m, "data.foreign.write_bytes");
        assert_true(isnan(cases[i].sum) ? isnan(sum) : sum == cases[i].sum);
        assert_true(metric_value(m, "data.foreign.of_bytes") == 2000);
        json_decref(merged);
        json_decref(phases);
    }
}

static void expect_disturbed(double first, double second, const char *expected)
{
    json_t *phases = json_array();
    json_array_append_new(phases, phase(FOREIGN_CGROUP1, first));
    json_array_append_new(phases, phase(FOREIGN_CGROUP1, second));
    const struct trial_record record = {.phases = phases, .phase_count = 2};
    json_t *trial = trial_json(&record);
    char *text = json_dumps(json_object_get(trial, "disturbed"), JSON_ENCODE_ANY);
    assert_string_equal(text, expected);
    free(text);
    json_decref(trial);
    json_decref(phases);
}

static void of_a_trial(void **state)
{
    (void)state;
    expect_disturbed(0, 50, "false"); /* more than 5%, not as much */
    expect_disturbed(0, 51, "true");
    expect_disturbed(51, NAN, "true");
    expect_disturbed(0, NAN, "null");
    const struct trial_record none = {.phases = NULL};
    json_t *trial = trial_json(&none);
    assert_true(json_is_null(json_object_get(trial, "disturbed")));
    json_decref(trial);
}

/* The log on a device of its own is disturbed too, and unknown too. */
static void of_the_log(void **state)
{
    (void)state;
    static const struct {
        double others;
        const char *expected;
    } cases[] = {{50, "false"}, {51, "true"}, {NAN, "null"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct device_totals totals = {.seconds = 1, .write_bytes = 1000};
        json_t *p = phase(FOREIGN_CGROUP1, 0);
        totals.foreign = (struct foreign_share){FOREIGN_CGROUP1, cases[i].others, 1000, NAN, NAN};
        json_object_set_new(json_object_get(p, "devices"), "sdb",
                            figures_device_json("wal", &totals));
        json_t *phases = json_pack("[o]", p);
        const struct trial_record record = {.phases = phases, .phase_count = 1};
        json_t *trial = trial_json(&record);
        char *text = json_dumps(json_object_get(trial, "disturbed"), JSON_ENCODE_ANY);
        assert_string_equal(text, cases[i].expected);
        free(text);
        json_decref(trial);
        json_decref(phases);
    }
}

static void limits_in_the_header(void **state)
{
    (void)state;
    static struct device_set set = {
        .devices = {{.role = "data", .cap = {1048576, NAN, "sda", "/sys/fs/cgroup/x/io.max"}},
                    {.role = "wal", .cap = {NAN, NAN, "", ""}}},
        .count = 2};
    const struct environment machine = {.cpus = 1};
    const struct header_target target = {.target = "/t", .engine = "sqlite", .devices = &set};
    const struct header_record header = {.workload = json_object(),
                                         .environment = &machine,
                                         .engine_settings = json_object(),
                                         .target_count = 1,
                                         .targets = &target};
    json_t *h = header_json(&header);
    const json_t *devices = json_object_get(h, "devices");
    const json_t *cap = json_object_get(json_array_get(devices, 0), "cap");
    assert_true(json_number_at(cap, "write_bytes_per_s") == 1048576);
    assert_true(json_is_null(json_object_get(cap, "write_iops")));
    assert_string_equal(json_text_at(cap, "source"), "/sys/fs/cgroup/x/io.max");
    assert_true(json_is_null(json_object_get(json_array_get(devices, 1), "cap")));
    json_decref(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_phase), cmocka_unit_test(reads_of_a_phase),
        cmocka_unit_test(of_cycles),  cmocka_unit_test(of_a_trial),
        cmocka_unit_test(of_the_log), cmocka_unit_test(limits_in_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
