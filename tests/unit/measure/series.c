#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "measure/series.h"

/* dm-0 on sda and sdb; another role first, so that the data device is not simply the first. */
static struct device_set set = {
    .devices = {{.role = "wal", .sampled = 3, .leaves = {3}, .leaf_count = 1},
                {.role = "data", .sampled = 0, .leaves = {1, 2}, .leaf_count = 2}},
    .count = 2,
    .names = {"dm-0", "sda", "sdb", "sdc"},
    .name_count = 4};
static struct series series;

static struct sample *sample_at(int64_t t_ms, uint64_t n)
{
    struct sample *s = sample_create(2, 4);
    const char *why;
    char line[200];
    s->t0_ns = t_ms * NS_PER_MS - 1000;
    s->t1_ns = t_ms * NS_PER_MS + 1000;
    s->commits = 10 * n;
    s->rows = 1000 * n;
    for (size_t i = 0; i < 4; i++) {
        unsigned long long c = n * (i + 1);
        snprintf(line, sizeof line, "8 0 %s 0 0 0 0 %llu 0 %llu 0 %zu 0 0 0 0 0 0 %llu 0",
                 set.names[i], 20 * c, 160 * c, 3 + i, i == 0 ? 0 : 5 * c);
        assert_true(diskstats_parse_line(line, strlen(line), &s->disks[i], &why));
    }
    return s;
}

static int tear_down(void **state)
{
    (void)state;
    series_release(&series);
    return 0;
}

static void both_devices_of_a_commit(void **state)
{
    (void)state;
    struct sample *a = sample_at(1000, 1), *b = sample_at(1100, 2), *c = sample_at(1350, 4);
    series_add(&series, &set, a, a, b);
    series_add(&series, &set, a, b, c);
    assert_int_equal(series.count, 2);
    const struct interval *i = &series.items[1];
    assert_true(fabs(i->start_s - 0.1) < 1e-9 && fabs(i->seconds - 0.25) < 1e-9);
    assert_true(i->commits == 20 && i->rows == 2000);
    assert_true(i->writes == 40 + 160 && i->bytes == (320 + 1280) * 512); /* dm-0 and sdc */
    assert_true(i->flushes == 10 * 2 + 10 * 3 + 10 * 4); /* sda, sdb, sdc: whole disks, not dm-0 */
    assert_true(i->in_flight == 3);
    assert_false(series.has_wal);
    assert_false(i->wal_growing);
    sample_destroy(a);
    sample_destroy(b);
    sample_destroy(c);
}

static bool near(double value, double expected)
{
    return fabs(value - expected) < 1e-9;
}

/* Rows of one's own making: dm-0 with every field, sda and sdb with flushes. */
static void the_data_device_by_itself(void **state)
{
    (void)state;
    struct sample *a = sample_at(1000, 1), *b = sample_at(1500, 1);
    static const char *const lines[][2] = {
        {"253 0 dm-0 100 0 1000 50 200 0 4000 900 1 0 0 10 0 80 4 0 0",
         "253 0 dm-0 103 0 1024 56 240 0 4800 980 4 0 0 12 0 96 9 0 0"},
        {"8 0 sda 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 50 700",
         "8 0 sda 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 57 721"},
        {"8 16 sdb 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 60 7",
         "8 16 sdb 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 61 9"}};
    const char *why;
    for (size_t i = 0; i < 3; i++) {
        assert_true(diskstats_parse_line(lines[i][0], strlen(lines[i][0]), &a->disks[i], &why));
        assert_true(diskstats_parse_line(lines[i][1], strlen(lines[i][1]), &b->disks[i], &why));
    }
    b->retries = 7;
    a->client_cpu_ns = 2 * NS_PER_S;
    b->client_cpu_ns = 2 * NS_PER_S + 250 * NS_PER_MS;
    a->host = (struct host_cpu){.busy = 1000, .total = 4000};
    b->host = (struct host_cpu){.busy = 1030, .total = 4100};
    series_add(&series, &set, a, a, b);
    const struct interval *i = &series.items[0];
    const struct interval_device *d = &i->device;
    assert_true(near(d->reads, 3) && near(d->writes, 40));
    assert_true(near(d->read_bytes, 24 * 512) && near(d->write_bytes, 800 * 512));
    assert_true(near(d->flushes, 7 + 1) && near(d->flush_ms, 21 + 2));
    assert_true(near(d->write_ms, 80) && near(d->waiting_ms, 6 + 80 + 5));
    assert_true(near(i->in_flight, 4) && near(i->retries, 7) && near(i->client_s, 0.25));
    assert_true(near(i->host_busy, 0.3) && near(i->host_ticks, 100));
    assert_true(isnan(i->wal_bytes));

    b->disks[0].present &= ~(1U << DISK_DISCARD_MS | 1U << DISK_READS); /* an older kernel */
    b->host.total = a->host.total;
    series_add(&series, &set, a, a, b);
    i = &series.items[1];
    assert_true(near(i->device.waiting_ms, 86) && isnan(i->device.reads));
    assert_true(isnan(i->host_busy) && i->host_ticks == 0);
    b->host = (struct host_cpu){0}; /* not readable */
    a->host = b->host;
    b->disks[2].name[0] = 0;
    series_add(&series, &set, a, a, b);
    i = &series.items[2];
    assert_true(isnan(i->host_busy) && isnan(i->device.flushes) && near(i->device.writes, 40));
    series_add(&series, NULL, a, a, b);
    i = &series.items[3];
    assert_true(isnan(i->device.writes) && isnan(i->device.waiting_ms) &&
                isnan(i->device.flush_ms) && isnan(i->device.read_bytes));
    sample_destroy(a);
    sample_destroy(b);
}

/* More leaves than are remembered at once give the same sums. */
static void a_wide_array(void **state)
{
    (void)state;
    enum { WIDE = 20 };
    static struct device_set wide = {.count = 1, .name_count = WIDE};
    static char names[WIDE][16];
    wide.devices[0] = (struct device){.role = "data", .sampled = WIDE - 1, .leaf_count = WIDE};
    struct sample *a = sample_create(1, WIDE), *b = sample_create(1, WIDE);
    for (size_t i = 0; i < WIDE; i++) {
        snprintf(names[i], sizeof names[i], "sd%c", (char)('a' + i));
        wide.names[i] = names[i];
        wide.devices[0].leaves[i] = i;
        snprintf(a->disks[i].name, sizeof a->disks[i].name, "%s", names[i]);
        a->disks[i].present = (1U << DISK_FIELDS) - 1;
        b->disks[i] = a->disks[i];
        b->disks[i].value[DISK_FLUSHES] = i;
        b->disks[i].value[DISK_WRITES] = 100 * i;
    }
    series_add(&series, &wide, a, a, b);
    assert_true(series.items[0].flushes == 190 && series.items[0].device.flushes == 190);
    assert_true(series.items[0].writes == 1900 && series.items[0].device.writes == 1900);
    sample_destroy(a);
    sample_destroy(b);
}

static void what_is_not_known_is_nan(void **state)
{
    (void)state;
    struct sample *a = sample_at(0, 10), *b = sample_at(100, 20);
    b->disks[2].present &= ~(1U << DISK_FLUSHES);
    series_add(&series, &set, a, a, b);
    assert_true(isnan(series.items[0].flushes) && series.items[0].writes == 200 + 800);
    b->disks[0].name[0] = 0; /* unplugged */
    series_add(&series, &set, a, a, b);
    assert_true(isnan(series.items[1].writes) && isnan(series.items[1].bytes));
    series_add(&series, &set, a, b, a); /* replaced */
    assert_true(isnan(series.items[2].writes));
    series_add(&series, NULL, a, a, b);
    assert_true(isnan(series.items[3].writes) && isnan(series.items[3].flushes) &&
                isnan(series.items[3].in_flight));
    sample_destroy(a);
    sample_destroy(b);
}

static void the_wal_grows_while_its_gauge_rises(void **state)
{
    (void)state;
    struct sample *a = sample_at(0, 1), *b = sample_at(100, 2);
    a->gauge_count = b->gauge_count = 2;
    a->gauges[0] = b->gauges[0] = (struct gauge){"other", 7};
    a->gauges[1] = (struct gauge){"wal_bytes", 4096};
    b->gauges[1] = (struct gauge){"wal_bytes", 8192};
    series_add(&series, &set, a, a, b);
    assert_true(series.has_wal && series.items[0].wal_growing);
    assert_true(series.items[0].wal_bytes == 8192);
    b->gauges[1].value = 4096;
    series_add(&series, &set, a, a, b);
    assert_false(series.items[1].wal_growing);
    sample_destroy(a);
    sample_destroy(b);
}

static void it_grows(void **state)
{
    (void)state;
    struct sample *a = sample_at(0, 1), *b = sample_at(100, 2);
    for (int i = 0; i < 1000; i++)
        series_add(&series, &set, a, a, b);
    assert_int_equal(series.count, 1000);
    assert_true(series.items[999].commits == 10);
    sample_destroy(a);
    sample_destroy(b);
}

static void a_copy_stands_alone(void **state)
{
    (void)state;
    struct sample *a = sample_at(5, 3), *b = sample_create(2, 4);
    struct hist *own = hist_create();
    b->commit = own;
    a->stream_commits[1] = 9;
    a->stream_rows[0] = 8;
    a->temperature_c = 38;
    assert_true(isnan(b->temperature_c));
    sample_copy(b, a);
    a->stream_commits[1] = 0;
    assert_ptr_equal(b->commit, own);
    assert_int_equal(b->stream_commits[1], 9);
    assert_int_equal(b->stream_rows[0], 8);
    assert_string_equal(b->disks[3].name, "sdc");
    assert_int_equal(b->commits, 30);
    assert_true(b->temperature_c == 38);
    assert_string_equal(sample_mark_names[SAMPLE_SETTLED], "settled");
    sample_destroy(a);
    sample_destroy(b);
    hist_destroy(own);
    sample_destroy(sample_create(0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(both_devices_of_a_commit, tear_down),
        cmocka_unit_test_teardown(the_data_device_by_itself, tear_down),
        cmocka_unit_test_teardown(a_wide_array, tear_down),
        cmocka_unit_test_teardown(what_is_not_known_is_nan, tear_down),
        cmocka_unit_test_teardown(the_wal_grows_while_its_gauge_rises, tear_down),
        cmocka_unit_test_teardown(it_grows, tear_down),
        cmocka_unit_test(a_copy_stands_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
