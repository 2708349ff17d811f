/* The bounds of a run, from samples made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "driver/limit.h"

enum { ROW_BYTES = 116 };

/* A target on one disk, or on a device that nobody knows. */
static struct device_set device(const char *name)
{
    struct device_set set = {.count = 1, .names = {name}, .name_count = name != NULL};
    set.devices[0].role = "data";
    set.devices[0].leaf_count = name != NULL;
    return set;
}

static struct diskstats disk(const char *name, uint64_t writes, uint64_t sectors)
{
    struct diskstats d = {.present = 1U << DISK_WRITES | 1U << DISK_WRITE_SECTORS};
    snprintf(d.name, sizeof d.name, "%s", name);
    d.value[DISK_WRITES] = writes;
    d.value[DISK_WRITE_SECTORS] = sectors;
    return d;
}

static void see(struct limit *limit, const char *name, uint64_t sectors, uint64_t rows)
{
    struct device_set set = device(name);
    struct diskstats row = disk(name == NULL ? "" : name, sectors / 8, sectors);
    struct sample sample = {.rows = rows, .disks = &row, .disk_count = 1};
    limit_see(limit, &set, &sample, ROW_BYTES);
}

static void expect(const struct limit *limit, double bytes)
{
    assert_true(limit_written(limit) == bytes);
}

static void bytes_count_from_the_first_sample(void **state)
{
    struct limit limit = {.write_bytes = 1000 * 512};
    (void)state;
    expect(&limit, 0);
    see(&limit, "sda", 5000, 10);
    expect(&limit, 0);
    see(&limit, "sda", 5010, 20);
    expect(&limit, 10 * 512);
    limit_trial_done(&limit); /* what is written between trials counts too */
    see(&limit, "sda", 5999, 1);
    expect(&limit, 999 * 512);
    assert_int_equal(limit_check(&limit, NULL, NULL), STOP_NONE);
    see(&limit, "sda", 6000, 1);
    assert_int_equal(limit_check(&limit, NULL, NULL), STOP_WRITE_BYTES);
}

static void devices_add_up(void **state)
{
    struct limit limit = {.write_bytes = UINT64_C(1) << 40};
    (void)state;
    see(&limit, "sda", 100, 0);
    see(&limit, "sda", 150, 0);
    see(&limit, "sdb", 7, 0);
    see(&limit, "sdb", 10, 0);
    expect(&limit, 53 * 512);
    see(&limit, "sda", 160, 0);
    expect(&limit, 63 * 512);
    /* Another target on the first disk: its bytes are there already. */
    see(&limit, "sda", 170, 0);
    expect(&limit, 73 * 512);
    see(&limit, "sda", 200, 0);
    see(&limit, "sda", 210, 0);
    expect(&limit, 113 * 512);
    see(&limit, "sdc", 0, 0);
    see(&limit, "sdc", 1, 0);
    expect(&limit, 114 * 512);
}

static void data_and_log_on_two_devices_both_count(void **state)
{
    struct limit limit = {.write_bytes = UINT64_C(1) << 40};
    struct device_set set = {.count = 2, .names = {"sda", "sdb"}, .name_count = 2};
    set.devices[0] = (struct device){.role = "data", .leaf_count = 1, .sampled = 0};
    set.devices[1] = (struct device){.role = "wal", .leaf_count = 1, .sampled = 1};
    struct diskstats rows[2] = {disk("sda", 1, 100), disk("sdb", 1, 200)};
    struct sample sample = {.rows = 5, .disks = rows, .disk_count = 2};
    (void)state;
    limit_see(&limit, &set, &sample, ROW_BYTES);
    rows[0] = disk("sda", 2, 103);
    rows[1] = disk("sdb", 2, 207);
    limit_see(&limit, &set, &sample, ROW_BYTES);
    expect(&limit, 10 * 512);
}

static void a_device_that_was_replaced_keeps_its_bytes(void **state)
{
    struct limit limit = {.write_bytes = UINT64_C(1) << 40};
    (void)state;
    see(&limit, "nvme0n1", UINT64_C(1) << 33, 0);
    see(&limit, "nvme0n1", (UINT64_C(1) << 33) + 4000, 0);
    expect(&limit, 4000 * 512);
    see(&limit, "nvme0n1", 80, 0); /* its counters began anew */
    expect(&limit, 4000 * 512);
    see(&limit, "nvme0n1", 180, 0);
    expect(&limit, 4100 * 512);
    see(&limit, "nvme0n1", 170, 0); /* a counter may run back by a few */
    assert_true(limit_written(&limit) >= 4000 * 512 && limit_written(&limit) <= 4100 * 512);
}

static void a_device_that_is_gone_keeps_its_bytes(void **state)
{
    struct limit limit = {.write_bytes = UINT64_C(1) << 40};
    struct device_set set = device("sda");
    struct diskstats none = {.name = ""};
    struct sample sample = {.rows = 1000, .disks = &none, .disk_count = 1};
    (void)state;
    see(&limit, "sda", 100, 0);
    see(&limit, "sda", 300, 0);
    limit_see(&limit, &set, &sample, ROW_BYTES);
    expect(&limit, 200 * 512);
}

static void an_unknown_device_counts_the_rows(void **state)
{
    struct limit limit = {.write_bytes = 1000 * ROW_BYTES};
    struct device_set none = {.count = 0};
    struct device_set set = device("sda");
    struct diskstats bare = {.name = "sda", .present = 1U << DISK_READS};
    struct sample sample = {.rows = 500, .disks = &bare, .disk_count = 1};
    (void)state;
    see(&limit, NULL, 0, 100);
    see(&limit, NULL, 0, 400); /* cumulative over the trial */
    expect(&limit, 400 * ROW_BYTES);
    limit_trial_done(&limit);
    expect(&limit, 400 * ROW_BYTES);
    limit_see(&limit, &none, &sample, ROW_BYTES);
    expect(&limit, 900 * ROW_BYTES);
    limit_trial_done(&limit);
    limit_see(&limit, &set, &sample, ROW_BYTES); /* without a count of sectors */
    expect(&limit, 1400 * ROW_BYTES);
    limit_trial_done(&limit);
    /* And beside a device that is known. */
    see(&limit, "sdb", 100, 7);
    see(&limit, "sdb", 110, 9);
    expect(&limit, 1400 * ROW_BYTES + 10 * 512);
    assert_int_equal(limit_check(&limit, NULL, NULL), STOP_WRITE_BYTES);
}

static void free_space_is_looked_at_now_and_then(void **state)
{
    struct limit limit = {.write_bytes = UINT64_C(1) << 40, .free_share = 1.01};
    (void)state;
    assert_int_equal(limit_check(&limit, NULL, NULL), STOP_NONE);
    assert_int_equal(limit_check(&limit, "/", NULL), STOP_FREE_SPACE);
    assert_int_equal(limit_check(&limit, "/", NULL), STOP_NONE); /* too early to ask again */
    limit = (struct limit){.write_bytes = UINT64_C(1) << 40, .free_share = 0};
    assert_int_equal(limit_check(&limit, "/", NULL), STOP_NONE);
    /* A file system that does not answer is no reason to stop. */
    limit = (struct limit){.write_bytes = UINT64_C(1) << 40, .free_share = 1.01};
    assert_int_equal(limit_check(&limit, "/no/such/place", NULL), STOP_NONE);
    /* The log's file system counts as the data's does. */
    limit = (struct limit){.write_bytes = UINT64_C(1) << 40, .free_share = 1.01};
    assert_int_equal(limit_check(&limit, "/no/such/place", "/"), STOP_FREE_SPACE);
    /* Bytes come first. */
    limit = (struct limit){.write_bytes = 0, .free_share = 1.01};
    assert_int_equal(limit_check(&limit, "/", NULL), STOP_WRITE_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_count_from_the_first_sample),
        cmocka_unit_test(devices_add_up),
        cmocka_unit_test(data_and_log_on_two_devices_both_count),
        cmocka_unit_test(a_device_that_was_replaced_keeps_its_bytes),
        cmocka_unit_test(a_device_that_is_gone_keeps_its_bytes),
        cmocka_unit_test(an_unknown_device_counts_the_rows),
        cmocka_unit_test(free_space_is_looked_at_now_and_then),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
