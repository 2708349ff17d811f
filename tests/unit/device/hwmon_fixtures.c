/* Every saved tree of hwmon/: the temperature of each disk, by the JSON that is printed. */
#include "tree.h"

#include "device/hwmon.h"
#include "device/hwmon_json.h"

static void check_case(const char *one, json_t *expected)
{
    char *tree = fs_path("%s/sysfs.tree", one), *root = tree_make(tree);
    json_t *printed = hwmon_json(root), *want = json_object_get(expected, "temperature_c"), *value;
    const json_t *got = json_object_get(printed, "temperature_c");
    const char *disk;
    json_object_foreach(want, disk, value)
    {
        const json_t *found = json_object_get(got, disk);
        assert_non_null(found);
        double celsius = hwmon_temperature_c(root, disk);
        assert_int_equal(json_is_null(found), json_is_null(value));
        assert_int_equal(isnan(celsius), json_is_null(value));
        if (json_is_null(value))
            continue;
        if (json_number_value(found) != json_number_value(value) ||
            celsius != json_number_value(value))
            fail_msg("%s: %s has %g and %g", one, disk, json_number_value(found), celsius);
    }
    assert_int_equal(json_object_size(got), json_object_size(want));
    json_decref(printed);
    tree_remove(root);
    free(tree);
}

static bool complete;

static void every_tree_reads_as_expected(void **state)
{
    (void)state;
    char *own = fs_path(TESTS_DIR "/fixtures/device/hwmon"),
         *shared = fixture_shared("smart/hwmon");
    complete = shared != NULL;
    assert_true(fixture_each(own, check_case) > 0);
    if (complete)
        assert_true(fixture_each(shared, check_case) > 0);
    free(shared);
    free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_tree_reads_as_expected)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed ? failed : complete ? 0 : FIXTURE_SKIPPED;
}
