/* Every capture of mountinfo/: which lines are mounts, what they say, and which mount is on
 * top at a path. */
#include "fixture.h"

#include "device/mountinfo.h"

static bool complete;

static void check_mount(const struct mount *mount, const json_t *expected)
{
    assert_non_null(mount);
    assert_int_equal(mount->id, json_integer_value(json_object_get(expected, "id")));
    assert_int_equal(mount->parent, json_integer_value(json_object_get(expected, "parent")));
    assert_int_equal(mount->major, json_integer_value(json_object_get(expected, "major")));
    assert_int_equal(mount->minor, json_integer_value(json_object_get(expected, "minor")));
    assert_string_equal(mount->root, json_string_value(json_object_get(expected, "root")));
    assert_string_equal(mount->point, json_string_value(json_object_get(expected, "mount_point")));
    assert_string_equal(mount->kind, json_string_value(json_object_get(expected, "fstype")));
    assert_string_equal(mount->source, json_string_value(json_object_get(expected, "source")));
    assert_int_equal(mount->line, json_integer_value(json_object_get(expected, "line")));
    char optional[256] = "";
    size_t index, used = 0;
    json_t *word;
    json_array_foreach(json_object_get(expected, "optional"), index, word)
    {
        const char *blank = index > 0 ? " " : "";
        used += (size_t)snprintf(optional + used, sizeof optional - used, "%s%s", blank,
                                 json_string_value(word));
    }
    assert_string_equal(mount->optional, optional);
}

static void check_rejected(const struct mount_table *table, const json_t *expected)
{
    const json_t *want = json_object_get(expected, "rejected_lines");
    assert_int_equal(table->rejected_count, json_array_size(want));
    for (size_t i = 0; i < table->rejected_count; i++)
        assert_int_equal(table->rejected[i].line,
                         json_integer_value(json_array_get(json_array_get(want, i), 0)));
}

/* The mount on the given line, counting the lines that are no mounts. */
static const struct mount *on_line(const struct mount_table *table, const json_t *expected,
                                   json_int_t line)
{
    const json_t *rejected = json_object_get(expected, "rejected_lines");
    size_t index = (size_t)line - 1;
    for (size_t i = 0; i < json_array_size(rejected); i++)
        index -= json_integer_value(json_array_get(json_array_get(rejected, i), 0)) < line;
    return index < table->count ? &table->mounts[index] : NULL;
}

static void check_lookup(const struct mount_table *table, const char *path, const json_t *expected,
                         const json_t *lookup)
{
    const struct mount *mount = mount_table_find(table, path);
    if (json_is_null(json_object_get(lookup, "mount_id"))) {
        assert_null(mount);
        return;
    }
    const struct mount *want =
        on_line(table, expected, json_integer_value(json_object_get(lookup, "line")));
    if (mount == NULL || mount != want)
        fail_msg("%s: mount %d, not %d", path, mount ? mount->id : -1, want ? want->id : -1);
    char number[32];
    snprintf(number, sizeof number, "%u:%u", mount->major, mount->minor);
    assert_string_equal(number, json_string_value(json_object_get(lookup, "major_minor")));
    assert_string_equal(mount->source, json_string_value(json_object_get(lookup, "source")));
    const char *class = json_string_value(json_object_get(lookup, "class"));
    if (class != NULL)
        assert_string_equal(mount_class_names[mount_class(mount)], class);
}

static void check_case(const char *one, json_t *expected)
{
    size_t size, index;
    char *text = fixture_text(one, "mountinfo", &size);
    struct mount_table table;
    struct err err;
    json_t *mount, *lookup;
    const char *path;
    assert_int_equal(mount_table_parse(text, size, &table, &err), 0);
    assert_int_equal(table.count, json_integer_value(json_object_get(expected, "accepted")));
    check_rejected(&table, expected);
    json_array_foreach(json_object_get(expected, "mounts"), index, mount) check_mount(
        on_line(&table, expected, json_integer_value(json_object_get(mount, "line"))), mount);
    json_object_foreach(json_object_get(expected, "lookups"), path, lookup)
        check_lookup(&table, path, expected, lookup);
    mount_table_release(&table);
    free(text);
}

static void every_capture_reads_as_expected(void **state)
{
    (void)state;
    complete = fixture_all("mountinfo", check_case);
}

static void every_escape_decodes_as_expected(void **state)
{
    (void)state;
    char *folder = fixture_shared("mountinfo");
    if (folder == NULL)
        skip();
    char *path = fs_path("%s/unescape.json", folder);
    free(folder);
    json_error_t error;
    json_t *json = json_load_file(path, JSON_ALLOW_NUL, &error), *one;
    size_t index;
    assert_non_null(json);
    json_array_foreach(json_object_get(json, "cases"), index, one)
    {
        const json_t *out = json_object_get(one, "out");
        char *text = strdup(json_string_value(json_object_get(one, "in")));
        size_t size = mountinfo_unescape(text);
        assert_int_equal(size, json_string_length(out));
        assert_memory_equal(text, json_string_value(out), size + 1);
        free(text);
    }
    assert_true(index > 10);
    json_decref(json);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_capture_reads_as_expected),
                                       cmocka_unit_test(every_escape_decodes_as_expected)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed ? failed : complete ? 0 : FIXTURE_SKIPPED;
}
