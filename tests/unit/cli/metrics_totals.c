/* What a run's samples add up to, and the text of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/metrics_text.h"
#include "device/device_set.h"

/* dm-0 on sda and sdb: the file system's level, and the disks whose flushes count. */
struct bench {
    struct device_set set;
    struct sample *sample;
    struct hist *commit;
    struct metrics_totals totals;
    struct run_sight sight;
};

static void put(struct diskstats *row, enum disk_field field, uint64_t value)
{
    row->present |= UINT32_C(1) << field;
    row->value[field] = value;
}

static struct bench *bench_create(void)
{
    static const char *const names[] = {"dm-0", "sda", "sdb"};
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    struct device *device = &b->set.devices[b->set.count++];
    device->role = "data";
    device->leaf_count = 2;
    device->leaves[0] = 1;
    device->leaves[1] = 2;
    b->sample = sample_create(1, 3);
    for (size_t i = 0; i < 3; i++) {
        b->set.names[b->set.name_count++] = names[i];
        snprintf(b->sample->disks[i].name, sizeof b->sample->disks[i].name, "%s", names[i]);
        put(&b->sample->disks[i], DISK_WRITES, 1000);
        put(&b->sample->disks[i], DISK_WRITE_SECTORS, 80000);
        put(&b->sample->disks[i], DISK_WRITE_MS, UINT64_C(4294967290)); /* 32 bits wide */
        put(&b->sample->disks[i], DISK_READS, 5000);
        put(&b->sample->disks[i], DISK_READ_SECTORS, 40000);
    }
    put(&b->sample->disks[1], DISK_FLUSHES, 70);
    put(&b->sample->disks[2], DISK_FLUSHES, 80);
    b->commit = hist_create();
    b->sample->commit = b->commit;
    b->sample->t0_ns = INT64_C(1000000000);
    b->sight = (struct run_sight){.sample = b->sample, .devices = &b->set};
    metrics_totals_init(&b->totals);
    return b;
}

static void bench_destroy(struct bench *b)
{
    metrics_totals_release(&b->totals);
    hist_destroy(b->commit);
    sample_destroy(b->sample);
    free(b);
}

static void see(struct bench *b)
{
    metrics_totals_add(&b->totals, &b->sight);
    b->sample->t0_ns += 1000000000;
}

static void streams_add_up_over_trials(void **state)
{
    (void)state;
    struct bench *b = bench_create();
    static const struct {
        unsigned trial;
        uint64_t commits, total;
    } cases[] = {{0, 0, 0},   {0, 10, 10}, {0, 25, 25}, {1, 3, 28},
                 {1, 30, 55}, {4, 0, 55},  {4, 1, 56}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        b->sample->trial = cases[i].trial;
        b->sample->commits = cases[i].commits;
        b->sample->rows = 100 * cases[i].commits;
        b->sample->retries = cases[i].commits / 5;
        see(b);
        assert_int_equal(b->totals.commits, cases[i].total);
        assert_int_equal(b->totals.rows, 100 * cases[i].total);
    }
    assert_int_equal(b->totals.retries, 5 + 6 + 0);
    bench_destroy(b);
}

static void devices_count_from_the_first_sample(void **state)
{
    (void)state;
    struct bench *b = bench_create();
    uint64_t flushes;
    see(b);
    assert_int_equal(b->totals.device_count, 1);
    const struct metrics_device *device = &b->totals.devices[0];
    assert_int_equal(device->row.total[DISK_WRITE_SECTORS], 0);
    assert_true(metrics_totals_of_leaves(device, DISK_FLUSHES, &flushes));
    assert_int_equal(flushes, 0);

    put(&b->sample->disks[0], DISK_WRITE_SECTORS, 80016);
    put(&b->sample->disks[0], DISK_WRITE_MS, 4);          /* wrapped */
    put(&b->sample->disks[1], DISK_WRITE_SECTORS, 99999); /* not the level that is reported */
    put(&b->sample->disks[1], DISK_FLUSHES, 73);
    put(&b->sample->disks[2], DISK_FLUSHES, 81);
    see(b);
    device = &b->totals.devices[0];
    assert_int_equal(device->row.total[DISK_WRITE_SECTORS], 16);
    assert_int_equal(device->row.total[DISK_WRITE_MS], 10);
    assert_true(metrics_totals_of_leaves(device, DISK_FLUSHES, &flushes));
    assert_int_equal(flushes, 4);
    assert_false(metrics_totals_of_leaves(device, DISK_DISCARDS, &flushes));
    bench_destroy(b);
}

/* A total never falls, and never jumps by what a new disk had counted before. */
static void a_device_that_was_replaced_keeps_its_totals(void **state)
{
    (void)state;
    struct bench *b = bench_create();
    see(b);
    put(&b->sample->disks[0], DISK_WRITES, 1010);
    see(b);
    assert_int_equal(b->totals.devices[0].row.total[DISK_WRITES], 10);
    for (unsigned field = 0; field < DISK_FIELDS; field++)
        if (diskstats_has(&b->sample->disks[0], field))
            b->sample->disks[0].value[field] = 3;
    see(b);
    assert_int_equal(b->totals.devices[0].row.total[DISK_WRITES], 10);
    put(&b->sample->disks[0], DISK_WRITES, 5);
    see(b);
    assert_int_equal(b->totals.devices[0].row.total[DISK_WRITES], 12);
    bench_destroy(b);
}

/* Two sites may name one target and one device: one series. */
static void each_target_has_its_own_devices(void **state)
{
    (void)state;
    struct bench *b = bench_create();
    struct device_set *other = malloc(sizeof *other);
    assert_non_null(other);
    *other = b->set;
    see(b);
    b->sight.devices = other;
    see(b);
    assert_int_equal(b->totals.device_count, 1);
    b->sight.target = 1;
    see(b);
    assert_int_equal(b->totals.device_count, 2);
    other->devices[0].role = "wal";
    see(b);
    assert_int_equal(b->totals.device_count, 3);
    other->devices[0].leaf_count = 0; /* unknown */
    b->sight.target = 2;
    see(b);
    assert_int_equal(b->totals.device_count, 3);
    free(other);
    bench_destroy(b);
}

static void record(struct bench *b, int count, int64_t ns)
{
    hist_reset(b->commit);
    for (int i = 0; i < count; i++)
        hist_record(b->commit, ns);
}

static void quantiles_are_of_the_last_seconds(void **state)
{
    (void)state;
    struct bench *b = bench_create();
    record(b, 10, 1000000);
    see(b);
    assert_true(isnan(metrics_totals_quantile_ms(&b->totals, 0.5))); /* of 10 */
    record(b, 100, 1000000);
    see(b);
    double median = metrics_totals_quantile_ms(&b->totals, 0.5);
    assert_true(fabs(median - 1) < 0.01);
    assert_true(isnan(metrics_totals_quantile_ms(&b->totals, 0.99)));
    for (int i = 0; i < 11; i++) { /* 11 s later nothing of it is recent */
        record(b, 100, 4000000);
        see(b);
    }
    double p90 = metrics_totals_quantile_ms(&b->totals, 0.9);
    assert_true(fabs(p90 - 4) < 0.04);
    assert_true(fabs(metrics_totals_quantile_ms(&b->totals, 0.5) - 4) < 0.04);
    assert_int_equal(b->totals.latency_count, 1210);
    assert_true(b->totals.latency_sum_ns == 110e6 + 4400e6);
    b->sample->t0_ns += INT64_C(60000000000);
    record(b, 20, 9000000);
    see(b);
    assert_true(fabs(metrics_totals_quantile_ms(&b->totals, 0.5) - 9) < 0.09);
    bench_destroy(b);
}

static void assert_line(const struct text *text, const char *line)
{
    char wanted[512];
    snprintf(wanted, sizeof wanted, "\n%s\n", line);
    if (strstr(text->data, wanted) == NULL)
        fail_msg("no line\n%s\nin\n%s", line, text->data);
}

static void the_text_has_base_units_and_leaves_out_what_is_unknown(void **state)
{
    (void)state;
    static const struct adapter adapter = {.name = "sqlite"};
    const struct run_target target = {.adapter = &adapter, .shown = "/mnt/a \"b\""};
    const struct metrics_run run = {.workload = "million", .targets = &target, .target_count = 1};
    struct run_progress now = {.trial = 2,
                               .trials = 6,
                               .part = "bulk",
                               .phase = "insert",
                               .streams = 40,
                               .done = 0.25,
                               .left_s = NAN,
                               .queue_depth = 3,
                               .run_id = "r1"};
    struct bench *b = bench_create();
    struct text text = {0};
    b->sample->temperature_c = NAN;
    see(b);
    b->sample->commits = 7;
    put(&b->sample->disks[0], DISK_WRITE_SECTORS, 80016);
    put(&b->sample->disks[0], DISK_WRITE_MS, 4);
    put(&b->sample->disks[2], DISK_FLUSHES, 83);
    see(b);
    metrics_text_add(&text, &run, &now, &b->totals, METRICS_RUNNING);
    assert_memory_equal(text.data, METRICS_TEXT_MARKER, strlen(METRICS_TEXT_MARKER));
    assert_line(&text, "loadline_up{run_id=\"r1\"} 1");
    assert_line(&text, "loadline_trial{run_id=\"r1\"} 3");
    assert_line(&text, "loadline_phase_info{run_id=\"r1\",phase=\"insert\",part=\"bulk\"} 1");
    assert_line(&text, "# TYPE loadline_commits_total counter");
    assert_line(&text, "loadline_commits_total{run_id=\"r1\"} 7");
    assert_line(&text, "loadline_device_written_bytes_total{run_id=\"r1\",device=\"dm-0\","
                       "role=\"data\",target=\"/mnt/a \\\"b\\\"\"} 8192");
    assert_line(&text, "loadline_device_write_time_seconds_total{run_id=\"r1\",device=\"dm-0\","
                       "role=\"data\",target=\"/mnt/a \\\"b\\\"\"} 0.01");
    assert_line(&text, "loadline_device_flushes_total{run_id=\"r1\",device=\"dm-0\","
                       "role=\"data\",target=\"/mnt/a \\\"b\\\"\"} 3");
    assert_line(&text, "loadline_queue_depth{run_id=\"r1\"} 3");
    assert_line(&text, "loadline_progress_ratio{run_id=\"r1\"} 0.25");
    assert_null(strstr(text.data, "time_left"));
    assert_null(strstr(text.data, "temperature"));
    assert_null(strstr(text.data, "discards"));
    assert_null(strstr(text.data, "loadline_run_ok"));
    assert_null(strstr(text.data, "nan"));
    assert_null(strstr(text.data, "quantile="));

    text.size = 0;
    metrics_text_add(&text, &run, &now, &b->totals, METRICS_FAILED);
    assert_line(&text, "loadline_up{run_id=\"r1\"} 0");
    assert_line(&text, "loadline_run_ok{run_id=\"r1\"} 0");
    text_release(&text);
    bench_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_add_up_over_trials),
        cmocka_unit_test(devices_count_from_the_first_sample),
        cmocka_unit_test(a_device_that_was_replaced_keeps_its_totals),
        cmocka_unit_test(each_target_has_its_own_devices),
        cmocka_unit_test(quantiles_are_of_the_last_seconds),
        cmocka_unit_test(the_text_has_base_units_and_leaves_out_what_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
