/* Journals on devices of their own, and caches in front of a drive. */
#include "tree.h"

#include "device/stack_log.h"

static char *root;
static struct stack stack;

static int set_up(void **state)
{
    (void)state;
    root = tree_make(TESTS_DIR "/fixtures/device/stack/logs.tree");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_remove(root);
    return 0;
}

/* "journal sdb1 apart, ..." */
static void check(const char *path, const char *want)
{
    struct err err;
    char text[512] = "";
    size_t used = 0;
    if (stack_resolve(root, path, &stack, &err) != 0)
        fail_msg("%s", err.text);
    assert_true(stack.known);
    for (size_t i = 0; i < stack.log_count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s %s", i ? ", " : "",
                                 stack_log_names[stack.logs[i].use],
                                 stack.logs[i].name[0] ? stack.logs[i].name : "?",
                                 stack.logs[i].same_disk ? "same" : "apart");
    assert_string_equal(text, want);
}

static void a_journal_in_a_file_is_none(void **state)
{
    (void)state;
    check("/f", "");
    check("/none/f", "");
    check("/strange/f", "");
}

static void the_thread_names_the_device(void **state)
{
    (void)state;
    check("/same/f", "journal sdb2 same");
    check("/apart/f", "journal sda2 apart");
    check("/slash/f", "journal sdc1 apart");
    check("/over/f", "journal sda2 apart");
    assert_string_equal(stack.filesystem, "overlay");
}

static void a_name_that_was_cut_off_is_the_own_one(void **state)
{
    (void)state;
    check("/cut/f", "");
}

/* The first letters of the thread's name call a device that is there, but not the journal's. */
static void a_name_longer_than_any_device_is_none(void **state)
{
    (void)state;
    char name[STACK_NAME + 8] = "";
    memset(name, 'x', sizeof name - 1);
    char *folder = fs_path("%s/sys/class/block/%.*s/", root, STACK_NAME - 1, name);
    char *comm = fs_path("%s/proc/107/comm", root), *thread = fs_path("jbd2/%s", name);
    tree_make_parents(folder);
    tree_make_parents(comm);
    tree_append(comm, thread);
    check("/option/f", "journal sdc1 apart");
    free(thread);
    free(comm);
    free(folder);
}

static void mount_options_name_the_device(void **state)
{
    (void)state;
    check("/option/f", "journal sdc1 apart");
    check("/number/f", "journal sdb1 apart");
    check("/reiser/f", "journal sdd2 same");
}

static void log_and_realtime_devices_of_xfs(void **state)
{
    (void)state;
    check("/xfs/f", "journal sdb1 apart, realtime cciss/c0d0p1 apart");
    check("/xfs-lost/f", "journal ? apart");
}

static void a_cache_is_in_the_stack(void **state)
{
    (void)state;
    check("/cached/f", "cache nvme10n1 same");
    assert_string_equal(stack.logs[0].of, "bcache0");
    assert_string_equal(stack.logs[0].mode, "writeback");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_journal_in_a_file_is_none),
        cmocka_unit_test(the_thread_names_the_device),
        cmocka_unit_test(a_name_that_was_cut_off_is_the_own_one),
        cmocka_unit_test(a_name_longer_than_any_device_is_none),
        cmocka_unit_test(mount_options_name_the_device),
        cmocka_unit_test(log_and_realtime_devices_of_xfs),
        cmocka_unit_test(a_cache_is_in_the_stack),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
