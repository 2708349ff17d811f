/* What drives said before and after a run, and what follows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fs.h"
#include "result/drive.h"

static struct smart a_drive(double host_bytes, double nand_bytes)
{
    struct smart smart;
    smart_init(&smart);
    snprintf(smart.model, sizeof smart.model, "Example 1TB");
    smart.temperature_c = 38;
    smart.host.bytes = host_bytes;
    smart.host.step_bytes = 512000;
    smart.nand.bytes = nand_bytes;
    smart.nand.step_bytes = 1000000;
    smart.wear.used_pct = 3;
    smart.power_on_hours = 1200;
    smart.passed = 1;
    return smart;
}

static json_t *reading_json(double host_bytes, double nand_bytes)
{
    struct drive_reading reading;
    struct smart smart = a_drive(host_bytes, nand_bytes);
    drive_reading_init(&reading);
    drive_reading_add(&reading, &smart, "");
    json_t *object = json_object();
    drive_put(object, &reading);
    return object;
}

/* The amplification of these two readings. */
static double amplification(double host_0, double host_1, double nand_0, double nand_1)
{
    json_t *device = reading_json(host_0, nand_0), *after = reading_json(host_1, nand_1);
    drive_merge(device, after);
    double value = json_number_at(device, "nand_write_amplification");
    assert_true(json_is_null(json_object_get(device, "nand_write_amplification")) == isnan(value));
    json_decref(device);
    json_decref(after);
    return value;
}

static void amplification_is_nand_bytes_per_host_byte(void **state)
{
    (void)state;
    assert_true(amplification(1e12, 1e12 + 8e9, 2e12, 2e12 + 10e9) == 1.25);
    /* Ten steps of each count are enough, fewer say too little. */
    assert_true(amplification(0, 5120000, 0, 10240000) == 2);
    assert_true(isnan(amplification(0, 5119999, 0, 10240000)));
    assert_true(isnan(amplification(0, 51200000, 0, 9999999)));
    /* Counters that ran backward, or are not there. */
    assert_true(isnan(amplification(1e12, 1e11, 2e12, 2e12 + 10e9)));
    assert_true(isnan(amplification(1e12, 1e12 + 8e9, NAN, NAN)));
    assert_true(isnan(amplification(NAN, 1e12, 0, 1e12)));
}

static void no_second_reading_is_unknown(void **state)
{
    (void)state;
    struct drive_rise rise;
    json_t *device = reading_json(1e12, 2e12);
    drive_merge(device, NULL);
    assert_true(json_is_null(json_object_get(device, "host_bytes_written_after")));
    assert_true(json_is_null(json_object_get(device, "nand_write_amplification")));
    drive_rise_read(device, &rise);
    assert_true(isnan(rise.host_bytes) && isnan(rise.nand_bytes) && isnan(rise.diskstats_bytes));
    json_decref(device);
}

static void several_disks_are_summed(void **state)
{
    (void)state;
    struct drive_reading reading;
    struct smart first = a_drive(1e12, 2e12), second = a_drive(3e12, 4e12);
    second.wear.used_pct = 7;
    second.power_on_hours = 20;
    second.temperature_c = 55;
    second.passed = 0;
    drive_reading_init(&reading);
    drive_reading_add(&reading, &first, "");
    drive_reading_add(&reading, &second, "");
    assert_true(reading.host_bytes == 4e12 && reading.nand_bytes == 6e12);
    assert_true(reading.host_step == 1024000 && reading.nand_step == 2000000);
    assert_true(reading.wear_used_pct == 7 && reading.power_hours == 1200);
    assert_true(reading.temperature_c == 38 && reading.passed == 0);
    /* One that says nothing makes the sum unknown, and says why. */
    struct smart silent;
    smart_init(&silent);
    drive_reading_add(&reading, &silent, "/dev/sdc is asleep and was not woken");
    assert_true(isnan(reading.host_bytes) && isnan(reading.wear_used_pct));
    assert_int_equal(reading.passed, 0);
    assert_non_null(strstr(reading.reason, "sdc"));
}

static void unknown_is_null(void **state)
{
    (void)state;
    struct drive_reading reading;
    const char *key;
    json_t *value, *object = json_object();
    drive_reading_init(&reading);
    drive_put(object, &reading);
    assert_true(json_object_size(object) >= 10);
    json_object_foreach(object, key, value) assert_true(json_is_null(value));
    json_decref(object);
}

static struct smart read_smart(const char *file)
{
    struct smart smart;
    struct err err;
    size_t size;
    smart_init(&smart);
    char *path = fs_path(TESTS_DIR "/fixtures/device/smart/change/%s", file), *text;
    if (fs_read(path, 1 << 20, &text, &size, &err) != 0 ||
        smart_parse(text, size, SMART_ANONYMOUS, &smart, &err) != 0)
        fail_msg("%s", err.text);
    free(text);
    free(path);
    return smart;
}

/* "": nothing changed. */
static void check_change(const char *before, const char *after, const char *want)
{
    char text[DRIVE_CHANGE];
    struct smart from = read_smart(before), to = read_smart(after);
    assert_int_equal(drive_change("sda", &from, &to, text), want[0] != 0);
    if (want[0] != 0)
        assert_string_equal(text, want);
}

static void a_change_is_what_both_readings_know(void **state)
{
    (void)state;
    check_change("nvme-before.json", "nvme-after.json",
                 "sda changed while it was measured: health passed -> FAILED, critical warning "
                 "bits 0 -> 4, media errors 2 -> 5");
    check_change("nvme-after.json", "nvme-before.json",
                 "sda changed while it was measured: health FAILED -> passed, critical warning "
                 "bits 4 -> 0, media errors 5 -> 2");
    check_change("sata-before.json", "sata-after.json",
                 "sda changed while it was measured: reallocated sectors 8 -> 16, pending sectors "
                 "3 -> 1, uncorrectable sectors 0 -> 2, reported uncorrectable errors 0 -> 1");
    check_change("sata-before.json", "sata-same.json", ""); /* hours and bytes are no change */
    check_change("sata-before.json", "nvme-before.json", "");
}

static void the_longest_change_fits(void **state)
{
    (void)state;
    char text[DRIVE_CHANGE], name[200];
    struct smart from = a_drive(0, 0), to = a_drive(0, 0);
    const double most = 4e18;
    from.errors = (struct smart_errors){0, most, most, most, most, most};
    to.errors = (struct smart_errors){255, most / 2, most / 2, most / 2, most / 2, most / 2};
    to.passed = 0;
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    assert_true(drive_change(name, &from, &to, text));
    assert_non_null(strstr(text, "media errors 4000000000000000000 -> 2000000000000000000"));
}

static void errors_of_several_drives(void **state)
{
    (void)state;
    struct drive_reading reading;
    struct smart sas = read_smart("sas.json"), sata = read_smart("sata-after.json");
    assert_true(sas.errors.media == 3 && sas.errors.reallocated == 7);
    assert_true(isnan(sas.errors.pending) && isnan(sas.errors.critical_warning));
    drive_reading_init(&reading);
    drive_reading_add(&reading, &sas, "");
    drive_reading_add(&reading, &sata, "");
    assert_true(reading.errors.reallocated == 23);
    assert_true(isnan(reading.errors.media)); /* the second does not tell */
    json_t *object = json_object();
    drive_put(object, &reading);
    assert_true(json_number_at(object, "errors.reallocated") == 23);
    assert_true(json_is_null(json_at(object, "errors.media")));
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amplification_is_nand_bytes_per_host_byte),
        cmocka_unit_test(no_second_reading_is_unknown),
        cmocka_unit_test(several_disks_are_summed),
        cmocka_unit_test(unknown_is_null),
        cmocka_unit_test(a_change_is_what_both_readings_know),
        cmocka_unit_test(the_longest_change_fits),
        cmocka_unit_test(errors_of_several_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
