#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result/metric.h"
#include "result/trial.h"

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-9 * (1 + fabs((double)(b))))

/* Two streams, 300 rows in 30 commits on sda, worked out by hand below. */
struct fixture {
    struct device_set devices;
    struct diskstats disks[3];
    struct sample start, end, settled;
    struct stream_record streams[2];
    uint64_t first[2];
    struct workload load;
    struct hist *hist;
    struct series series;
    struct interval intervals[2];
    struct metric metrics[2];
    struct phase_record phase;
};

static void count(struct diskstats *row, uint64_t writes, uint64_t sectors, uint64_t flushes)
{
    *row = (struct diskstats){.name = "sda", .present = (UINT32_C(1) << DISK_FIELDS) - 1};
    row->value[DISK_WRITES] = writes;
    row->value[DISK_WRITE_SECTORS] = sectors;
    row->value[DISK_FLUSHES] = flushes;
}

static void set_up(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->devices.count = f->devices.name_count = 1;
    f->devices.names[0] = "sda";
    f->devices.devices[0] = (struct device){.role = "data", .leaf_count = 1};
    snprintf(f->devices.devices[0].stack.sampled, STACK_NAME, "sda");
    count(&f->disks[0], 0, 0, 0);
    count(&f->disks[1], 60, 240, 30);
    count(&f->disks[2], 70, 840, 31);
    f->start = (struct sample){.disks = &f->disks[0], .disk_count = 1, .host = {0, 0}};
    f->end = (struct sample){.t0_ns = 2000000000,
                             .t1_ns = 2000000000,
                             .disks = &f->disks[1],
                             .disk_count = 1,
                             .client_cpu_ns = 600000000,
                             .host = {50, 400}};
    f->settled = (struct sample){
        .t0_ns = 3000000000, .t1_ns = 3000000000, .disks = &f->disks[2], .disk_count = 1};
    f->streams[0] = (struct stream_record){200, 20, 2000000000, 1900000000};
    f->streams[1] = (struct stream_record){100, 10, 1000000000, 1000000000};
    f->first[0] = 10;
    f->first[1] = 10;
    f->load.shape = (struct row_shape){.key_columns = 1, .payload_bytes = 100};
    f->hist = hist_create();
    for (int i = 0; i < 30; i++)
        hist_record(f->hist, 8000000);
    f->intervals[0] = (struct interval){.seconds = 1,
                                        .commits = 10,
                                        .writes = 30,
                                        .flushes = 15,
                                        .bytes = 5000,
                                        .in_flight = 4,
                                        .wal_growing = true};
    f->intervals[1] = (struct interval){
        .seconds = 1, .commits = 20, .writes = 30, .flushes = 15, .bytes = 7000, .in_flight = 2};
    f->series = (struct series){.items = f->intervals, .count = 2, .has_wal = true};
    f->metrics[0] = (struct metric){"checkpoints", true, 3};
    f->metrics[1] = (struct metric){"wal_bytes", false, 4096};
    f->phase = (struct phase_record){.kind = PHASE_INSERT,
                                     .cycle = 2,
                                     .load = &f->load,
                                     .devices = &f->devices,
                                     .elapsed_ns = 2000000000,
                                     .settle_ns = 500000000,
                                     .settled = true,
                                     .stream_count = 2,
                                     .streams = f->streams,
                                     .first_elapsed_ns = 1000000000,
                                     .first_rows = 200,
                                     .first_commits = f->first,
                                     .transaction = f->hist,
                                     .statement = f->hist,
                                     .commit = f->hist,
                                     .lock_wait = NULL,
                                     .retries = {4, 5, 6},
                                     .start = &f->start,
                                     .end = &f->end,
                                     .settled_sample = &f->settled,
                                     .series = &f->series,
                                     .metric_count = 2,
                                     .metrics = f->metrics,
                                     .floor_commits_per_s = 40,
                                     .verify = {.checked = true,
                                                .expected_rows = 300,
                                                .found_rows = 300,
                                                .integrity_ok = true,
                                                .integrity = "ok"}};
}

static const struct {
    const char *path;
    double value;
} figures[] = {
    {"cycle", 2},
    {"elapsed_s", 2},
    {"settle_s", 0.5},
    {"rows", 300},
    {"commits", 30},
    {"rows_per_s", 150},
    {"commits_per_s", 15},
    {"all_streams.elapsed_s", 1},
    {"all_streams.rows_per_s", 200},
    {"all_streams.commits_per_s", 20},
    {"latency_ms.transaction.count", 30},
    {"latency_ms.transaction.mean", 8},
    {"latency_ms.transaction.p50", 8},
    {"latency_ms.commit.max", 8},
    {"retries.busy", 4},
    {"retries.conflict", 5},
    {"retries.deadlock", 6},
    {"fairness", 1},
    {"concurrency", 2.9 / 3 * 2},
    {"data.writes", 60},
    {"data.flushes", 30},
    {"data.data_writes", 30},
    {"data.write_bytes", 240 * 512},
    {"data.settle_write_bytes", 600 * 512},
    {"data.write_iops", 15},
    {"data.max_in_flight", 4},
    {"per_commit.writes", 2},
    {"per_commit.data_writes", 1},
    {"per_commit.flushes", 1},
    {"per_commit.bytes", 4096},
    {"per_commit_settled.writes", 70.0 / 30},
    {"per_commit_settled.flushes", 31.0 / 30},
    {"per_commit_settled.bytes", 840 * 512 / 30.0},
    {"wal_growing.seconds", 1},
    {"wal_growing.commits", 10},
    {"wal_growing.per_commit.writes", 3},
    {"wal_growing.per_commit.bytes", 500},
    {"wal_recycled.per_commit.writes", 1.5},
    {"wal_recycled.per_commit.flushes", 0.75},
    {"device_bytes_per_row_byte", 840 * 512 / (300 * 116.0)},
    {"share_of_floor", 0.5},
    {"cpu.client_s", 0.6},
    {"cpu.host_busy", 0.125},
    {"cpu.client_us_per_commit", 20000},
    {"cpu.client_us_per_row", 2000},
    {"engine.checkpoints", 3},
    {"gauges.wal_bytes", 4096},
    {"verify.found_rows", 300},
    {"verify.lost_rows", 0},
};

static void a_phase(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    json_t *p = phase_json(&f.phase);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        double value = metric_value(p, figures[i].path);
        if (!(fabs(value - figures[i].value) < 1e-9 * (1 + fabs(value))))
            fail_msg("%s is %g, not %g", figures[i].path, value, figures[i].value);
    }
    assert_string_equal(json_text_at(p, "name"), "insert");
    assert_true(json_is_null(json_at(p, "latency_ms.lock_wait")));
    assert_true(json_is_null(json_at(p, "latency_ms.transaction.p99"))); /* 30 samples */
    assert_true(json_is_null(json_at(p, "correlation.commits_vs_writes")));
    assert_true(json_is_false(json_at(p, "measured_elsewhere")));
    assert_true(json_is_true(json_at(p, "verify.ok")));
    assert_null(json_at(p, "engine.wal_bytes")); /* gauges are no counters */
    assert_non_null(json_text_at(p, "histograms.transaction"));
    assert_true(json_is_null(json_at(p, "histograms.lock_wait")));
    json_decref(p);
    hist_destroy(f.hist);
}

static void nothing_known_is_null(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    f.devices.devices[0].leaf_count = 0;
    f.phase.settled_sample = NULL;
    f.phase.first_commits = NULL;
    f.phase.floor_commits_per_s = NAN;
    f.phase.verify.checked = false;
    f.phase.series = NULL;
    f.end.host = f.start.host;
    json_t *p = phase_json(&f.phase);
    static const char *const nulls[] = {
        "settle_s",           "all_streams",   "fairness",     "per_commit",
        "per_commit_settled", "wal_growing",   "wal_recycled", "device_bytes_per_row_byte",
        "share_of_floor",     "cpu.host_busy", "verify.ok",    "verify.lost_rows",
        "verify.integrity"};
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        if (!json_is_null(json_at(p, nulls[i])))
            fail_msg("%s is not null", nulls[i]);
    assert_int_equal(json_object_size(json_object_get(p, "devices")), 0);
    json_decref(p);
    hist_destroy(f.hist);
}

/* "start max" of the first device, "-" for null. */
static void check_temperature(const struct fixture *f, const char *want)
{
    char text[64] = "";
    json_t *phase = phase_json(&f->phase);
    const double values[] = {metric_value(phase, "data.temperature_c.start"),
                             metric_value(phase, "data.temperature_c.max")};
    assert_true(json_is_object(json_at(phase, "devices.sda.temperature_c")));
    for (size_t i = 0; i < 2; i++) {
        size_t used = strlen(text);
        if (isnan(values[i]))
            snprintf(text + used, sizeof text - used, "%s-", i ? " " : "");
        else
            snprintf(text + used, sizeof text - used, "%s%g", i ? " " : "", values[i]);
    }
    assert_string_equal(text, want);
    json_decref(phase);
}

static void temperature_at_the_start_and_the_highest(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    f.start.temperature_c = 38;
    f.intervals[0].temperature_c = 45.5;
    f.intervals[1].temperature_c = f.end.temperature_c = 44;
    check_temperature(&f, "38 45.5");
    f.intervals[0].temperature_c = NAN; /* the sensor did not answer that time */
    check_temperature(&f, "38 44");
    f.start.temperature_c = NAN;
    check_temperature(&f, "- 44");
    f.intervals[1].temperature_c = f.end.temperature_c = NAN;
    check_temperature(&f, "- -");
    hist_destroy(f.hist);
}

static void measured_elsewhere_makes_no_claims(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    f.disks[1] = f.disks[2] = f.disks[0];
    json_t *p = phase_json(&f.phase);
    assert_true(json_is_true(json_at(p, "measured_elsewhere")));
    assert_true(json_is_null(json_at(p, "per_commit")));
    assert_true(json_is_null(json_at(p, "wal_growing")));
    assert_true(json_is_null(json_at(p, "device_bytes_per_row_byte")));
    json_decref(p);
    hist_destroy(f.hist);
}

static void lost_rows_are_named(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    struct verify_record *v = &f.phase.verify;
    v->found_rows = 299;
    v->lost_rows = v->shown = 1;
    v->first[0].id = INT64_C(4503599627370496) + 7;
    v->first[0].what = "lost";
    json_t *p = phase_json(&f.phase);
    assert_true(json_is_false(json_at(p, "verify.ok")));
    const json_t *first = json_array_get(json_at(p, "verify.first"), 0);
    assert_int_equal(json_integer_value(json_object_get(first, "id")), 4503599627370503);
    assert_string_equal(json_text_at(first, "what"), "lost");
    json_decref(p);
    hist_destroy(f.hist);
}

static void expect_verdict(const char *first, const char *second, const char *expected)
{
    json_t *one = json_loads(first, JSON_DECODE_ANY, NULL);
    json_t *other = json_loads(second, JSON_DECODE_ANY, NULL);
    struct trial_record record = {
        .phases = json_pack("[{s:{s:o}}, {s:{s:o}}]", "verify", "ok", one, "verify", "ok", other)};
    json_t *trial = trial_json(&record);
    char *ok = json_dumps(json_at(trial, "verify.ok"), JSON_ENCODE_ANY);
    assert_string_equal(ok, expected);
    free(ok);
    json_decref(record.phases);
    json_decref(trial);
}

static void a_trial_is_right_when_all_phases_are(void **state)
{
    (void)state;
    expect_verdict("true", "true", "true");
    expect_verdict("true", "false", "false");
    expect_verdict("null", "false", "false");
    expect_verdict("true", "null", "null");
}

static void a_trial(void **state)
{
    (void)state;
    const struct factor_record factors[] = {{"streams", "10", 10}, {"layout", "shared-table", NAN}};
    const struct setting_record settings[] = {{"journal_mode", "WAL"}};
    const struct trial_record record = {.index = 7,
                                        .repeat = 1,
                                        .part = "bulk",
                                        .factor_count = 2,
                                        .factors = factors,
                                        .ended_by = ENDED_WRITE_BYTES,
                                        .commit_flushes = true,
                                        .floor_before = 100,
                                        .floor_after = NAN,
                                        .setting_count = 1,
                                        .settings = settings};
    json_t *t = trial_json(&record);
    assert_string_equal(json_text_at(t, "record"), "trial");
    NEAR(json_number_at(t, "index"), 7);
    assert_true(json_is_integer(json_at(t, "factors.streams")));
    assert_string_equal(json_text_at(t, "factors.layout"), "shared-table");
    assert_string_equal(json_text_at(t, "ended_by"), "write_bytes");
    assert_string_equal(json_text_at(t, "engine_settings.journal_mode"), "WAL");
    assert_true(json_is_null(json_at(t, "floor.after_commits_per_s")));
    assert_true(json_is_array(json_at(t, "phases")));
    assert_true(json_is_null(json_at(t, "verify.ok")));
    json_decref(t);
    t = trial_start_json(1.5, &record);
    assert_string_equal(json_text_at(t, "record"), "event");
    assert_string_equal(json_text_at(t, "kind"), "trial");
    assert_string_equal(json_text_at(t, "part"), "bulk");
    assert_true(json_is_true(json_at(t, "commit_flushes")));
    json_decref(t);
}

/* A phase of 60 commits/s between floors of 100 and 200: 40%. */
static void expect_floor(double before, double after, double floor, double share)
{
    json_t *phases = json_pack("[{s:f,s:n}]", "commits_per_s", 60.0, "share_of_floor");
    const struct trial_record record = {
        .floor_before = before, .floor_after = after, .phases = phases, .phase_count = 1};
    json_t *t = trial_json(&record);
    const json_t *phase = json_array_get(json_at(t, "phases"), 0);
    if (isnan(share)) {
        assert_true(json_is_null(json_at(phase, "share_of_floor")));
        assert_true(json_is_null(json_at(phase, "floor_commits_per_s")));
    } else {
        NEAR(json_number_at(phase, "share_of_floor"), share);
        NEAR(json_number_at(phase, "floor_commits_per_s"), floor);
    }
    json_decref(t);
    json_decref(phases);
}

static void the_floor_is_the_mean_of_both(void **state)
{
    (void)state;
    expect_floor(100, 200, 150, 0.4);
    expect_floor(100, NAN, 100, 0.6);
    expect_floor(NAN, NAN, NAN, NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_phase),
        cmocka_unit_test(nothing_known_is_null),
        cmocka_unit_test(temperature_at_the_start_and_the_highest),
        cmocka_unit_test(measured_elsewhere_makes_no_claims),
        cmocka_unit_test(lost_rows_are_named),
        cmocka_unit_test(a_trial_is_right_when_all_phases_are),
        cmocka_unit_test(a_trial),
        cmocka_unit_test(the_floor_is_the_mean_of_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
