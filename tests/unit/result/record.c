#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result/metric.h"
#include "result/record.h"

static json_t *header_of(json_t *workload, const struct device_set *devices)
{
    static const struct environment machine = {.kernel = "6.1", .cpus = 4};
    static const char *const warnings[] = {"shared disk"};
    const struct header_target target = {"/mnt/ssd", "sqlite", devices, NULL, false};
    const struct header_record header = {.run_id = "abc",
                                         .started = "2026-01-01T00:00:00Z",
                                         .workload_name = "million",
                                         .workload = workload,
                                         .environment = &machine,
                                         .engine = "sqlite",
                                         .engine_settings = json_object(),
                                         .target_count = 1,
                                         .targets = &target,
                                         .trials = 3,
                                         .warning_count = 1,
                                         .warnings = warnings};
    return header_json(&header);
}

static void a_header(void **state)
{
    (void)state;
    struct device_set *set = calloc(1, sizeof *set);
    struct device *device = &set->devices[set->count++];
    *device = (struct device){.role = "data", .leaf_count = 1};
    device->identity.rotational = -1;
    device->identity.size_bytes = -1;
    device->identity.logical_block_bytes = 512;
    device->identity.physical_block_bytes = -1;
    device->stack.known = true;
    snprintf(device->stack.sampled, STACK_NAME, "dm-0");
    snprintf(device->stack.names[0], STACK_NAME, "dm-0");
    snprintf(device->stack.names[1], STACK_NAME, "sda");
    snprintf(device->stack.leaves[0], STACK_NAME, "sda");
    device->stack.count = 2;
    device->stack.leaf_count = 1;
    json_t *h = header_of(json_pack("{s:s}", "workload.rows", "10"), set);
    const json_t *d = json_array_get(json_object_get(h, "devices"), 0);
    assert_string_equal(json_text_at(h, "record"), "header");
    assert_true(json_number_at(h, "schema") == 1);
    assert_string_equal(json_text_at(h, "workload.name"), "million");
    assert_string_equal(json_text_at(json_at(h, "workload"), "workload.rows"), "10");
    assert_string_equal(json_text_at(h, "environment.engine"), "sqlite");
    assert_true(json_is_null(json_at(h, "environment.memory_bytes"))); /* unknown */
    assert_true(json_is_null(json_at(h, "environment.cpu_model")));
    assert_string_equal(json_text_at(d, "sampled"), "dm-0");
    assert_int_equal(json_array_size(json_object_get(d, "stack")), 2);
    assert_int_equal(json_array_size(json_object_get(d, "leaves")), 1);
    assert_true(json_is_null(json_object_get(d, "model")));
    assert_true(json_is_null(json_object_get(d, "rotational")));
    assert_true(json_is_null(json_object_get(d, "size_bytes")));
    assert_true(json_number_at(d, "logical_block_bytes") == 512);
    json_decref(h);
    free(set);
}

/* The header of one drive that names itself, where it may. */
static char *header_text(enum smart_identify identify)
{
    struct device_set *set = calloc(1, sizeof *set);
    struct device *device = &set->devices[set->count++];
    struct drive_reading drive;
    const struct environment machine = {.kernel = "6.1"};
    const struct header_target target = {"/net", "sqlite", set, &drive, false};
    *device = (struct device){.role = "data", .leaf_count = 1};
    snprintf(device->stack.mount_options, sizeof device->stack.mount_options,
             "rw,username=user0061,logdev=/dev/disk/by-id/ata-SN0062");
    device->stack.log_count = 1;
    device->stack.logs[0] = (struct stack_log){.use = STACK_LOG_JOURNAL, .name = "sdb1"};
    drive_reading_init(&drive);
    snprintf(drive.serial, sizeof drive.serial, "SN0063");
    snprintf(drive.wwn, sizeof drive.wwn, "0x5000c50000000064");
    const struct header_record header = {.run_id = "abc",
                                         .workload = json_object(),
                                         .environment = &machine,
                                         .identify = identify,
                                         .host = "host0065",
                                         .engine_settings = json_object(),
                                         .target_count = 1,
                                         .targets = &target};
    json_t *h = header_json(&header);
    const json_t *d = json_array_get(json_object_get(h, "devices"), 0);
    const json_t *log = json_array_get(json_object_get(d, "logs"), 0);
    assert_string_equal(json_text_at(log, "device"), "sdb1");
    assert_string_equal(json_text_at(log, "use"), "journal");
    char *text = json_dumps(h, 0);
    json_decref(h);
    free(set);
    return text;
}

static void whose_drive_it_is_takes_permission(void **state)
{
    (void)state;
    static const char *const secrets[] = {
        "user0061", "SN0062",        "SN0063", "0x5000c50000000064",
        "host0065", "serial_number", "wwn",    "\"host\""};
    char *closed = header_text(SMART_ANONYMOUS), *open = header_text(SMART_IDENTIFY);
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        assert_null(strstr(closed, secrets[i]));
        assert_non_null(strstr(open, secrets[i]));
    }
    free(closed);
    free(open);
}

static char *hash_of(json_t *workload)
{
    json_t *h = header_of(workload, NULL);
    char *hash = strdup(json_text_at(h, "workload_hash"));
    json_decref(h);
    return hash;
}

static void the_hash_is_of_the_load(void **state)
{
    (void)state;
    char *a = hash_of(json_pack("{s:s, s:s}", "workload.rows", "10", "run.repeats", "1"));
    char *b = hash_of(json_pack("{s:s, s:s}", "limit.write_bytes", "1G", "workload.rows", "10"));
    char *c = hash_of(json_pack("{s:s}", "workload.rows", "11"));
    assert_int_equal(strlen(a), 16);
    assert_string_equal(a, b); /* neither repeats nor limits make the load */
    assert_string_not_equal(a, c);
    char *d =
        hash_of(json_pack("{s:s, s:s, s:s, s:s, s:s}", "run.target", "/mnt/a", "run.label", "A",
                          "workload.rows", "10", "run.baseline", "1s", "run.smart", "off"));
    assert_string_equal(a, d);
    free(d);
    free(a);
    free(b);
    free(c);
}

/* What of a workload was chosen is no part of its load. */
static void the_hash_knows_no_defaults(void **state)
{
    (void)state;
    const struct environment machine = {.kernel = "6.1"};
    struct header_record header = {.workload = json_pack("{s:s}", "workload.rows", "10"),
                                   .differs = json_pack("[s]", "workload.rows"),
                                   .environment = &machine,
                                   .engine_settings = json_object()};
    json_t *told = header_json(&header);
    header.workload = json_pack("{s:s}", "workload.rows", "10");
    header.differs = NULL;
    header.engine_settings = json_object();
    json_t *silent = header_json(&header);
    assert_string_equal(json_text_at(told, "workload_hash"), json_text_at(silent, "workload_hash"));
    const json_t *names = json_object_get(told, "workload_differs");
    assert_int_equal(json_array_size(names), 1);
    assert_string_equal(json_string_value(json_array_get(names, 0)), "workload.rows");
    assert_true(json_is_null(json_object_get(silent, "workload_differs"))); /* not known */
    json_decref(told);
    json_decref(silent);
}

/* Another directory for the log is the same load, none at all is another one. */
static void the_hash_knows_no_places(void **state)
{
    (void)state;
    char *a = hash_of(json_pack("{s:[s, s]}", "postgres.wal", "-", "/mnt/a"));
    char *b = hash_of(json_pack("{s:[s, s]}", "postgres.wal", "-", "/mnt/b"));
    char *c = hash_of(json_pack("{s:s}", "postgres.wal", "-"));
    char *d = hash_of(json_pack("{s:s, s:[{s:s, s:s}]}", "postgres.wal", "/mnt/a", "parts", "name",
                                "x", "run.repeats", "6"));
    char *e =
        hash_of(json_pack("{s:s, s:[{s:s}]}", "postgres.wal", "/mnt/b", "parts", "name", "x"));
    assert_string_equal(a, b);
    assert_string_not_equal(a, c);
    assert_string_equal(d, e);
    assert_string_not_equal(d, c);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
}

static void a_sample(void **state)
{
    (void)state;
    struct device_set set = {.names = {"sda"}, .name_count = 1};
    struct diskstats row = {.name = "sda", .present = 1U << DISK_WRITES | 1U << DISK_READS};
    row.value[DISK_WRITES] = UINT64_C(9007199254740993); /* more than a double holds */
    uint64_t commits[] = {3, 4}, rows[] = {30, 40};
    const struct sample sample = {.t0_ns = 2500000000,
                                  .t1_ns = 2500040000,
                                  .mark = SAMPLE_WARM,
                                  .trial = 1,
                                  .commits = 7,
                                  .rows = 70,
                                  .stream_count = 2,
                                  .stream_commits = commits,
                                  .stream_rows = rows,
                                  .disk_count = 1,
                                  .disks = &row,
                                  .gauge_count = 1,
                                  .gauges = {{"wal_bytes", 4096}},
                                  .client_cpu_ns = 250000000,
                                  .host = {5, 9},
                                  .temperature_c = NAN};
    json_t *s = sample_json(&sample, &set, 1000000000);
    assert_true(fabs(json_number_at(s, "t0") - 1.5) < 1e-12);
    assert_true(fabs(json_number_at(s, "t1") - 1.50004) < 1e-12);
    assert_string_equal(json_text_at(s, "mark"), "warm");
    assert_true(json_integer_value(json_at(s, "disks.sda.writes")) == 9007199254740993);
    assert_true(json_is_integer(json_at(s, "disks.sda.reads")));
    assert_true(json_is_null(json_at(s, "disks.sda.flushes"))); /* the line has none */
    assert_int_equal(json_array_size(json_at(s, "streams.commits")), 2);
    assert_true(json_number_at(s, "gauges.wal_bytes") == 4096);
    assert_true(json_number_at(s, "cpu.client_s") == 0.25);
    assert_true(json_is_null(json_object_get(s, "temperature_c")));
    assert_true(json_is_null(json_object_get(s, "commit")));
    json_decref(s);
}

static void events_and_the_end(void **state)
{
    (void)state;
    json_t *e = event_json(1.5, -1, "warning", "表");
    assert_string_equal(json_text_at(e, "kind"), "warning");
    assert_string_equal(json_text_at(e, "text"), "表");
    assert_true(json_is_null(json_object_get(e, "trial")));
    json_decref(e);
    e = end_json(json_pack("{s:n}", "steady"), true);
    assert_true(json_is_true(json_object_get(e, "partial")));
    assert_true(json_is_object(json_object_get(e, "analysis")));
    json_decref(e);
}

static void metrics_have_one_row_each(void **state)
{
    (void)state;
    for (const struct metric_row *row = metric_rows; row->path; row++) {
        assert_non_null(row->unit);
        assert_true(strlen(row->help) > 0 && strlen(row->help) < 64);
        for (const struct metric_row *other = row + 1; other->path; other++)
            assert_string_not_equal(row->path, other->path);
    }
    json_t *phase =
        json_pack("{s:f, s:{s:{s:s, s:i}, s:{s:s, s:i}}}", "rows_per_s", 2.5, "devices", "sdb",
                  "role", "wal", "writes", 1, "sda", "role", "data", "writes", 2);
    assert_true(metric_value(phase, "rows_per_s") == 2.5);
    assert_true(metric_value(phase, "data.writes") == 2);
    assert_true(isnan(metric_value(phase, "data.flushes")));
    assert_true(isnan(metric_value(phase, "latency_ms.commit.p99")));
    assert_true(isnan(metric_value(NULL, "rows")));
    json_decref(phase);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header),
        cmocka_unit_test(whose_drive_it_is_takes_permission),
        cmocka_unit_test(the_hash_is_of_the_load),
        cmocka_unit_test(the_hash_knows_no_defaults),
        cmocka_unit_test(the_hash_knows_no_places),
        cmocka_unit_test(a_sample),
        cmocka_unit_test(events_and_the_end),
        cmocka_unit_test(metrics_have_one_row_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
