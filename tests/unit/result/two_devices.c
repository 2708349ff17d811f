#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result/figures.h"
#include "result/merge.h"
#include "result/metric.h"
#include "result/trial.h"

/* 100 commits of 100 rows with the tables on sda1 and the log on sdb1: rows sda1, sda, sdb1, sdb.
 */
struct fixture {
    struct device_set devices;
    struct diskstats start_disks[4], end_disks[4], settled_disks[4];
    struct sample start, end, settled;
    struct stream_record stream;
    struct workload load;
    struct hist *hist;
    struct phase_record phase;
};

static void count(struct diskstats *row, const char *name, uint64_t writes, uint64_t bytes,
                  uint64_t flushes)
{
    *row = (struct diskstats){.present = (UINT32_C(1) << DISK_FIELDS) - 1};
    snprintf(row->name, sizeof row->name, "%s", name);
    row->value[DISK_WRITES] = writes;
    row->value[DISK_WRITE_SECTORS] = bytes / 512;
    row->value[DISK_FLUSHES] = flushes;
}

static void add_device(struct fixture *f, const char *role, size_t sampled, size_t leaf)
{
    struct device *device = &f->devices.devices[f->devices.count++];
    *device = (struct device){.role = role, .sampled = sampled, .leaves = {leaf}, .leaf_count = 1};
    snprintf(device->stack.sampled, STACK_NAME, "%s", f->devices.names[sampled]);
}

static void set_up(struct fixture *f)
{
    static const char *const names[] = {"sda1", "sda", "sdb1", "sdb"};
    static const uint64_t writes[][3] = {{0, 40, 60}, {7, 47, 67}, {0, 300, 310}, {0, 300, 310}};
    static const uint64_t flushes[][3] = {{0, 0, 0}, {0, 1, 3}, {0, 0, 0}, {5, 105, 106}};
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < 4; i++) {
        f->devices.names[i] = names[i];
        count(&f->start_disks[i], names[i], writes[i][0], writes[i][0] * 4096, flushes[i][0]);
        count(&f->end_disks[i], names[i], writes[i][1], writes[i][1] * 4096, flushes[i][1]);
        count(&f->settled_disks[i], names[i], writes[i][2], writes[i][2] * 4096, flushes[i][2]);
    }
    f->devices.name_count = 4;
    add_device(f, "data", 0, 1);
    add_device(f, "wal", 2, 3);
    f->start = (struct sample){.disks = f->start_disks, .disk_count = 4};
    f->end = (struct sample){
        .t0_ns = 1000000000, .t1_ns = 1000000000, .disks = f->end_disks, .disk_count = 4};
    f->settled = (struct sample){
        .t0_ns = 2000000000, .t1_ns = 2000000000, .disks = f->settled_disks, .disk_count = 4};
    f->stream = (struct stream_record){100, 100, 1000000000, 900000000};
    f->load.shape = (struct row_shape){.key_columns = 1, .payload_bytes = 100};
    f->hist = hist_create();
    for (int i = 0; i < 100; i++)
        hist_record(f->hist, 8000000);
    f->phase = (struct phase_record){.kind = PHASE_INSERT,
                                     .load = &f->load,
                                     .devices = &f->devices,
                                     .elapsed_ns = 1000000000,
                                     .settled = true,
                                     .stream_count = 1,
                                     .streams = &f->stream,
                                     .transaction = f->hist,
                                     .commit = f->hist,
                                     .start = &f->start,
                                     .end = &f->end,
                                     .settled_sample = &f->settled,
                                     .floor_commits_per_s = NAN};
}

static void expect(const json_t *phase, const char *path, double wanted)
{
    double value = metric_value(phase, path);
    if (isnan(wanted) ? !isnan(value) : !(fabs(value - wanted) < 1e-9 * (1 + fabs(wanted))))
        fail_msg("%s is %g, not %g", path, value, wanted);
}

static void a_commit_costs_both(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    json_t *p = phase_json(&f.phase);
    expect(p, "per_commit.writes", 3.4);
    expect(p, "per_commit.flushes", 1.01);
    expect(p, "per_commit.bytes", 340 * 4096 / 100.0);
    expect(p, "per_commit_settled.writes", 3.7);
    expect(p, "per_commit_settled.flushes", 1.04);
    expect(p, "device_bytes_per_row_byte", 370 * 4096 / (100 * 116.0));
    expect(p, "data.writes", 40); /* each for itself, as ever */
    expect(p, "data.flushes", 1);
    expect(p, "wal.writes", 300);
    expect(p, "wal.flushes", 100);
    assert_string_equal(metric_text(p, "wal.role"), "wal");
    assert_true(json_is_false(json_at(p, "measured_elsewhere")));
    json_decref(p);
    hist_destroy(f.hist);
}

static void one_disk_flushes_once(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    f.devices.devices[1].leaves[0] = 1; /* two partitions of sda */
    json_t *p = phase_json(&f.phase);
    expect(p, "per_commit.writes", 3.4);
    expect(p, "per_commit.flushes", 0.01);
    json_decref(p);
    f.devices.devices[1] = f.devices.devices[0]; /* one partition for both */
    f.devices.devices[1].role = "wal";
    p = phase_json(&f.phase);
    expect(p, "per_commit.writes", 0.4);
    expect(p, "wal.writes", 40); /* where the log lies */
    assert_string_equal(metric_text(p, "wal.role"), "data");
    assert_int_equal(json_object_size(json_object_get(p, "devices")), 1);
    json_decref(p);
    hist_destroy(f.hist);
}

static void elsewhere_where_none_saw_a_write(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    f.end_disks[0] = f.settled_disks[0] = f.start_disks[0];
    json_t *p = phase_json(&f.phase);
    assert_true(json_is_false(json_at(p, "measured_elsewhere"))); /* the log's saw some */
    json_decref(p);
    f.end_disks[2] = f.settled_disks[2] = f.start_disks[2];
    p = phase_json(&f.phase);
    assert_true(json_is_true(json_at(p, "measured_elsewhere")));
    assert_true(json_is_null(json_at(p, "per_commit")));
    json_decref(p);
    hist_destroy(f.hist);
}

static void an_unknown_log_makes_the_sum_unknown(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    f.devices.devices[1].leaf_count = 0;
    json_t *p = phase_json(&f.phase);
    assert_true(json_is_null(json_at(p, "per_commit")));
    assert_true(json_is_null(json_at(p, "device_bytes_per_row_byte")));
    assert_true(json_is_false(json_at(p, "measured_elsewhere")));
    expect(p, "data.writes", 40);
    json_decref(p);
    hist_destroy(f.hist);
}

static void no_time_of_the_statements_alone(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    json_t *p = phase_json(&f.phase);
    assert_true(json_is_null(json_at(p, "latency_ms.statement")));
    expect(p, "latency_ms.commit.mean", 8);
    json_decref(p);
    hist_destroy(f.hist);
}

static void cycles_add_up(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    json_t *phases = json_pack("[o, o]", phase_json(&f.phase), phase_json(&f.phase));
    json_t *merged = merge_cycles(phases);
    const json_t *p = json_array_get(merged, 0);
    expect(p, "commits", 200);
    expect(p, "per_commit.writes", 3.4);
    expect(p, "per_commit.flushes", 1.01);
    expect(p, "per_commit_settled.flushes", 1.04);
    expect(p, "wal.flushes", 200);
    assert_true(json_is_null(json_at(p, "latency_ms.statement")));
    json_decref(merged);
    /* Results of earlier versions know the data device alone. */
    for (size_t i = 0; i < 2; i++)
        json_object_del(json_array_get(phases, i), "device_sum");
    merged = merge_cycles(phases);
    expect(json_array_get(merged, 0), "per_commit.writes", 0.4);
    json_decref(merged);
    json_decref(phases);
    hist_destroy(f.hist);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_commit_costs_both),
        cmocka_unit_test(one_disk_flushes_once),
        cmocka_unit_test(elsewhere_where_none_saw_a_write),
        cmocka_unit_test(an_unknown_log_makes_the_sum_unknown),
        cmocka_unit_test(no_time_of_the_statements_alone),
        cmocka_unit_test(cycles_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
