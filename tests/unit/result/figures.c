#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "result/figures.h"

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-9 * (1 + fabs((double)(b))))

static struct diskstats row(uint64_t writes, uint64_t sectors, uint64_t write_ms, uint64_t flushes,
                            uint64_t flush_ms)
{
    struct diskstats r = {.name = "sda", .present = (UINT32_C(1) << DISK_FIELDS) - 1};
    r.value[DISK_WRITES] = writes;
    r.value[DISK_WRITE_SECTORS] = sectors;
    r.value[DISK_WRITE_MS] = write_ms;
    r.value[DISK_FLUSHES] = flushes;
    r.value[DISK_FLUSH_MS] = flush_ms;
    return r;
}

static struct sample at(double seconds, struct diskstats *disks, size_t count)
{
    int64_t ns = (int64_t)(seconds * 1e9);
    return (struct sample){
        .t0_ns = ns - 1000, .t1_ns = ns + 1000, .disks = disks, .disk_count = count};
}

static const struct device one_disk = {
    .role = "data", .sampled = 0, .leaves = {0}, .leaf_count = 1};

/* 200 times write + fdatasync gave writes = 400, flushes = 200 and sectors for 200. */
static void a_flush_counts_twice(void **state)
{
    (void)state;
    struct diskstats a = row(1000, 5000, 100, 70, 50), b = row(1400, 6600, 180, 270, 90);
    struct sample start = at(10, &a, 1), end = at(12, &b, 1);
    struct device_totals t;
    struct device_figures f;
    figures_totals(&one_disk, &start, &end, NULL, &t);
    figures_device(&t, &f);
    NEAR(t.seconds, 2);
    NEAR(t.writes, 400);
    NEAR(t.flushes, 200);
    NEAR(t.write_bytes, 1600 * 512);
    NEAR(f.data_writes, 200);
    NEAR(f.write_iops, 100);
    NEAR(f.write_request_bytes, 4096);
    NEAR(f.write_await_ms, 0.2); /* (80 - 40) / 200 */
    NEAR(f.flush_await_ms, 0.2); /* 40 / 200 */
    NEAR(f.queue_depth, 0.04);   /* 80 ms of writes in 2000 ms */
    assert_true(isnan(t.settle_write_bytes) && isnan(t.max_in_flight));
}

static void settling_is_apart(void **state)
{
    (void)state;
    struct diskstats a = row(0, 0, 0, 0, 0), b = row(20, 160, 5, 10, 2), c = row(27, 660, 9, 11, 3);
    struct sample start = at(0, &a, 1), end = at(1, &b, 1), settled = at(2, &c, 1);
    struct device_totals t;
    figures_totals(&one_disk, &start, &end, &settled, &t);
    NEAR(t.writes, 20);
    NEAR(t.settle_writes, 7);
    NEAR(t.settle_flushes, 1);
    NEAR(t.settle_write_bytes, 500 * 512);
    NEAR(figures_amplification(&t, 10, 116), (160 + 500) * 512.0 / 1160);
    assert_true(isnan(figures_amplification(&t, 0, 116)));
}

/* Bytes and writes of the level that holds the file system, flushes of the disks below. */
static void levels_are_not_summed(void **state)
{
    (void)state;
    struct diskstats before[3] = {row(0, 0, 0, 0, 0), row(0, 0, 0, 0, 0), row(0, 0, 0, 0, 0)};
    struct diskstats after[3] = {row(100, 800, 10, 0, 0), row(90, 700, 9, 40, 8),
                                 row(80, 600, 8, 30, 4)};
    const struct device mirror = {.role = "data", .sampled = 0, .leaves = {1, 2}, .leaf_count = 2};
    struct sample start = at(0, before, 3), end = at(1, after, 3);
    struct device_totals t;
    figures_totals(&mirror, &start, &end, NULL, &t);
    NEAR(t.writes, 100);
    NEAR(t.write_bytes, 800 * 512);
    NEAR(t.flushes, 70);
    NEAR(t.flush_ms, 12);
    struct device_figures f;
    t.flushes = 150; /* never below 0 */
    figures_device(&t, &f);
    NEAR(f.data_writes, 0);
    assert_true(isnan(f.write_request_bytes) && isnan(f.write_await_ms));
}

static void absent_is_unknown_and_not_0(void **state)
{
    (void)state;
    struct diskstats a = row(0, 0, 0, 0, 0), b = row(9, 72, 3, 0, 0);
    a.present &= ~(UINT32_C(1) << DISK_FLUSHES | UINT32_C(1) << DISK_DISCARD_MS);
    b.present = a.present;
    struct sample start = at(0, &a, 1), end = at(1, &b, 1), nothing = at(1, NULL, 0);
    struct device_totals t;
    struct device_figures f;
    struct commit_cost cost;
    figures_totals(&one_disk, &start, &end, NULL, &t);
    figures_device(&t, &f);
    NEAR(t.writes, 9);
    assert_true(isnan(t.flushes) && isnan(f.data_writes) && isnan(f.write_iops));
    NEAR(f.queue_depth, 0.003); /* kernels without discards count none */
    figures_cost(3, t.writes, t.flushes, t.write_bytes, &cost);
    NEAR(cost.writes, 3);
    assert_true(isnan(cost.flushes) && isnan(cost.data_writes));
    figures_totals(&one_disk, &start, &nothing, NULL, &t);
    assert_true(isnan(t.writes));
    b = row(0, 0, 0, 0, 0); /* replaced: nearly all counters fell */
    a = row(100000000, 900000000, 3, 90000000, 4);
    figures_totals(&one_disk, &start, &end, NULL, &t);
    assert_true(isnan(t.writes) && isnan(t.write_bytes));
}

static void totals_add_up(void **state)
{
    (void)state;
    struct device_totals a = {.seconds = 1, .writes = 5, .flushes = 2, .max_in_flight = NAN};
    struct device_totals b = {.seconds = 2, .writes = 7, .flushes = NAN, .max_in_flight = 9};
    figures_totals_add(&a, &b);
    NEAR(a.seconds, 3);
    NEAR(a.writes, 12);
    NEAR(a.max_in_flight, 9);
    assert_true(isnan(a.flushes));
}

static void a_commit_costs(void **state)
{
    (void)state;
    struct commit_cost cost;
    figures_cost(200, 400, 200, 819200, &cost);
    NEAR(cost.writes, 2);
    NEAR(cost.data_writes, 1);
    NEAR(cost.flushes, 1);
    NEAR(cost.bytes, 4096);
    figures_cost(0, 400, 200, 819200, &cost);
    assert_true(isnan(cost.writes) && isnan(cost.bytes));
    NEAR(figures_rate(10, 4), 2.5);
    assert_true(isnan(figures_rate(10, 0)));
}

static void all_time_of_the_streams_is_accounted_for(void **state)
{
    (void)state;
    /* Busy 9 of 10 s and 5 of 5 s: 14 of 15 s on 2 streams. */
    struct stream_record streams[] = {{.elapsed_ns = 10, .transaction_ns = 9},
                                      {.elapsed_ns = 5, .transaction_ns = 5}};
    NEAR(figures_concurrency(streams, 2), 14.0 / 15 * 2);
    streams[1].transaction_ns = -1;
    assert_true(isnan(figures_concurrency(streams, 2)));
    assert_true(isnan(figures_concurrency(streams, 0)));
}

static void commits_without_writes_are_from_elsewhere(void **state)
{
    (void)state;
    struct device_totals t = {.writes = 0, .settle_writes = 0};
    assert_true(figures_elsewhere(1, &t));
    assert_false(figures_elsewhere(0, &t));
    t.settle_writes = 4; /* buffered, then written */
    assert_false(figures_elsewhere(1, &t));
    t.settle_writes = NAN; /* never settled: no claim */
    assert_false(figures_elsewhere(1, &t));
}

static void the_growing_wal_is_apart(void **state)
{
    (void)state;
    struct interval items[] = {
        {.seconds = 1,
         .commits = 10,
         .writes = 30,
         .flushes = 20,
         .bytes = 300,
         .wal_growing = true},
        {.seconds = 2, .commits = 40, .writes = 80, .flushes = 40, .bytes = 320},
        {.seconds = 1,
         .commits = 10,
         .writes = 31,
         .flushes = 20,
         .bytes = 310,
         .wal_growing = true},
    };
    const struct series series = {.items = items, .count = 3, .has_wal = true};
    struct wal_part part;
    figures_wal_part(&series, WAL_GROWING, &part);
    NEAR(part.seconds, 2);
    NEAR(part.commits, 20);
    NEAR(part.writes, 61);
    NEAR(part.flushes, 40);
    NEAR(part.bytes, 610);
    figures_wal_part(&series, WAL_RECYCLED, &part);
    NEAR(part.commits, 40);
    NEAR(part.writes, 80);
}

static void a_line_through_intervals(void **state)
{
    (void)state;
    struct interval items[40];
    for (size_t i = 0; i < 40; i++)
        items[i] = (struct interval){
            .commits = (double)i, .writes = 2 * (double)i + 3, .flushes = i < 15 ? NAN : (double)i};
    const struct series series = {.items = items, .count = 40};
    struct regression fit;
    figures_correlation(&series, AGAINST_WRITES, &fit);
    NEAR(fit.slope, 2);
    NEAR(fit.r, 1);
    assert_int_equal(fit.n, 40);
    figures_correlation(&series, AGAINST_FLUSHES, &fit);
    assert_true(isnan(fit.slope)); /* 25 are too few */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flush_counts_twice),
        cmocka_unit_test(settling_is_apart),
        cmocka_unit_test(levels_are_not_summed),
        cmocka_unit_test(absent_is_unknown_and_not_0),
        cmocka_unit_test(totals_add_up),
        cmocka_unit_test(a_commit_costs),
        cmocka_unit_test(all_time_of_the_streams_is_accounted_for),
        cmocka_unit_test(commits_without_writes_are_from_elsewhere),
        cmocka_unit_test(the_growing_wal_is_apart),
        cmocka_unit_test(a_line_through_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
