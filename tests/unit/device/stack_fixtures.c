/* Every capture of stack/: the devices under each path, with number, whole disk and leaves, as
 * the shared folder has them.  The project's own trees are read by stack.c and stack_kinds.c. */
#include "tree.h"

#include "device/kind.h"
#include "device/stack.h"
#include "device/stack_paths.h"
#include "device/sysfs.h"

static struct stack stack, below;

static char *capture(const char *one)
{
    char *file = fs_path("%s/sysfs.tree", one), *root = tree_make(file);
    size_t size;
    char *mounts = fixture_text(one, "mountinfo", &size);
    char *folder = fs_path("%s/proc/self/", root), *path = fs_path("%smountinfo", folder);
    tree_make_parents(folder);
    tree_append(path, mounts);
    free(path);
    free(folder);
    free(mounts);
    free(file);
    return root;
}

static void check_text(const char *what, const char *got, const json_t *expected, const char *key)
{
    const char *want = json_string_value(json_object_get(expected, key));
    if (want != NULL && strcmp(got, want) != 0)
        fail_msg("%s: %s is %s, not %s", what, key, got, want);
}

static void check_device(const char *root, const char *name, const json_t *expected)
{
    char *directory = sysfs_block(root, name), text[256], whole[STACK_NAME];
    const json_t *leaves = json_object_get(expected, "leaf_disks");
    assert_non_null(directory);
    check_text(name, name, expected, "device");
    assert_true(sysfs_text(directory, "dev", text, sizeof text));
    check_text(name, text, expected, "devno");
    assert_int_equal(kind_mapper_name(directory, text, sizeof text),
                     json_object_get(expected, "dm_name") != NULL);
    check_text(name, text, expected, "dm_name");
    assert_true(stack_of_device(root, name, &below));
    snprintf(whole, sizeof whole, "%s", below.names[kind_is_partition(directory) ? 1 : 0]);
    check_text(name, whole, expected, "whole_disk");
    assert_int_equal(below.leaf_count, json_array_size(leaves));
    for (size_t i = 0; i < below.leaf_count; i++)
        assert_string_equal(below.leaves[i], json_string_value(json_array_get(leaves, i)));
    free(directory);
}

static void check_paths(const char *root, const json_t *expected)
{
    const json_t *want = json_object_get(expected, "stats_from");
    char **paths;
    size_t count = stack.known ? stack_paths(root, stack.leaves[0], &paths) : 0;
    for (size_t i = 0; i < json_array_size(want); i++)
        assert_string_equal(i < count ? paths[i] : "", json_string_value(json_array_get(want, i)));
    if (stack.known)
        stack_paths_free(paths, count);
}

static void check_case(const char *one, json_t *expected)
{
    char *root = capture(one);
    const char *path;
    json_t *query;
    struct err err;
    json_object_foreach(json_object_get(expected, "queries"), path, query)
    {
        const json_t *devices = json_object_get(query, "devices");
        if (stack_resolve(root, path, &stack, &err) != 0)
            fail_msg("%s: %s", path, err.text);
        if (stack.top_count != json_array_size(devices))
            fail_msg("%s: %zu devices (%s)", path, stack.top_count, stack.reason);
        for (size_t i = 0; i < stack.top_count; i++)
            check_device(root, stack.tops[i], json_array_get(devices, i));
        assert_int_equal(stack.top_count == 0, stack.reason[0] != 0);
        check_paths(root, query);
    }
    tree_remove(root);
}

static char *shared;

static void every_capture_resolves_as_expected(void **state)
{
    (void)state;
    assert_true(fixture_each(shared, check_case) > 0);
}

int main(void)
{
    shared = fixture_shared("stack");
    if (shared == NULL)
        return FIXTURE_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_capture_resolves_as_expected)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(shared);
    return failed;
}
