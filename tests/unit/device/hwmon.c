#include "tree.h"

#include "base/clock.h"
#include "device/hwmon.h"

static char *root;

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

static void limits_and_what_disturbs(void **state)
{
    (void)state;
    struct hwmon nvme, sata, none;
    assert_true(hwmon_open(root, "nvme0n1", &nvme));
    assert_string_equal(nvme.disk, "nvme0n1");
    assert_true(isnan(nvme.max_c));
    assert_true(nvme.critical_c == 84.85);
    assert_false(hwmon_disturbs(&nvme));
    assert_true(hwmon_open(root, "sda", &sata));
    assert_true(sata.max_c == 55);
    assert_true(isnan(sata.critical_c));
    assert_true(hwmon_disturbs(&sata));
    assert_false(hwmon_open(root, "sdb", &none));
    assert_true(isnan(hwmon_read_c(&none)));
    assert_false(hwmon_disturbs(&none));
    assert_false(hwmon_open(root, "nosuch", &none));
    hwmon_close(&nvme);
    hwmon_close(&sata);
    assert_true(isnan(hwmon_read_c(&nvme)));
}

static void set_temperature(const char *text)
{
    char *path = fs_path("%s/sys/class/hwmon/hwmon10/temp1_input", root);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(path);
}

static void an_open_sensor_follows(void **state)
{
    (void)state;
    struct hwmon sensor;
    assert_true(hwmon_open(root, "nvme0n1", &sensor));
    assert_true(hwmon_read_c(&sensor) == 41.85);
    set_temperature("52850\n");
    assert_true(hwmon_read_c(&sensor) == 52.85);
    set_temperature("");
    assert_true(isnan(hwmon_read_c(&sensor)));
    set_temperature("12 34\n");
    assert_true(isnan(hwmon_read_c(&sensor)));
    set_temperature("41850\n");
    assert_true(hwmon_read_c(&sensor) == 41.85);
    hwmon_close(&sensor);
}

static void disks_in_order(void **state)
{
    (void)state;
    struct hwmon *sensors;
    assert_int_equal(hwmon_open_all(root, &sensors), 3);
    assert_string_equal(sensors[0].disk, "nvme0n1");
    assert_string_equal(sensors[1].disk, "sda");
    assert_string_equal(sensors[2].disk, "sdb");
    assert_int_equal(sensors[2].kind, HWMON_NONE);
    hwmon_release(sensors, 3);
    assert_int_equal(hwmon_open_all("/nosuch", &sensors), 0);
    hwmon_release(sensors, 0);
}

/* A tick of the sampler must not feel it; the median, as machines are shared. */
static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void a_reading_is_short(void **state)
{
    (void)state;
    enum { READINGS = 1001 };
    static int64_t took_ns[READINGS];
    struct hwmon sensor;
    assert_true(hwmon_open(root, "nvme0n1", &sensor));
    for (int i = 0; i < READINGS; i++) {
        int64_t start_ns = clock_now_ns();
        assert_true(hwmon_read_c(&sensor) == 41.85);
        took_ns[i] = clock_now_ns() - start_ns;
    }
    qsort(took_ns, READINGS, sizeof *took_ns, by_value);
    print_message("  %lld ns\n", (long long)took_ns[READINGS / 2]);
    assert_true(took_ns[READINGS / 2] < 50000);
    hwmon_close(&sensor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_and_what_disturbs),
        cmocka_unit_test(an_open_sensor_follows),
        cmocka_unit_test(disks_in_order),
        cmocka_unit_test(a_reading_is_short),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
