/* The thermometer keeps a value as long as the drive must not be asked again. */
#include "../device/tree.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "measure/thermometer.h"

static char *root;
static struct device_set set;

static int set_up(void **state)
{
    (void)state;
    root = tree_make(TESTS_DIR "/fixtures/device/hwmon/plain/sysfs.tree");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_remove(root);
    return 0;
}

static void open_on(const char *disk, struct thermometer *thermometer)
{
    memset(&set, 0, sizeof set);
    set.count = 2;
    set.devices[0].role = "wal";
    set.devices[1].role = "data";
    set.devices[1].stack.leaf_count = 1;
    snprintf(set.devices[1].stack.leaves[0], sizeof set.devices[1].stack.leaves[0], "%s", disk);
    thermometer_open(root, &set, thermometer);
}

static void warm(struct thermometer *thermometer)
{
    close(thermometer->sensor.fd);
    char *path = fs_path("%s/warmer", root);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs("61000\n", file);
    fclose(file);
    thermometer->sensor.fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(thermometer->sensor.fd >= 0);
    free(path);
}

static void a_value_is_kept(const char *disk, double first, int64_t pause_ns)
{
    struct thermometer t;
    int64_t now_ns = 5 * NS_PER_S;
    open_on(disk, &t);
    assert_true(thermometer_read_c(&t, now_ns) == first);
    warm(&t);
    assert_true(thermometer_read_c(&t, now_ns + pause_ns - 1) == first);
    assert_true(thermometer_read_c(&t, now_ns + pause_ns) == 61);
    thermometer_close(&t);
    assert_true(thermometer_read_c(&t, now_ns + 3 * pause_ns) == 61);
}

static void nvme_each_second(void **state)
{
    (void)state;
    a_value_is_kept("nvme0n1", 41.85, NS_PER_S);
}

static void sata_each_half_minute(void **state)
{
    (void)state;
    a_value_is_kept("sda", -5, HWMON_DISTURBED_S * NS_PER_S);
}

static void no_sensor_no_value(void **state)
{
    struct thermometer t;
    (void)state;
    open_on("sdb", &t);
    assert_true(isnan(thermometer_read_c(&t, NS_PER_S)));
    thermometer_close(&t);
    set.count = 0;
    thermometer_open(root, &set, &t);
    assert_true(isnan(thermometer_read_c(&t, NS_PER_S)));
    thermometer_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvme_each_second),
        cmocka_unit_test(sata_each_half_minute),
        cmocka_unit_test(no_sensor_no_value),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
