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
        cmocka_unit_test_teardown(what_is_not_known_is_nan, tear_down),
        cmocka_unit_test_teardown(the_wal_grows_while_its_gauge_rises, tear_down),
        cmocka_unit_test_teardown(it_grows, tear_down),
        cmocka_unit_test(a_copy_stands_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
