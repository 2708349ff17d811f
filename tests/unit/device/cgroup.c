/* Control groups of both versions: which one is ours, how much of the hierarchy is seen, and the
 * limits that it sets. */
#include "tree.h"

#include "device/cap.h"
#include "device/cgroup.h"

static struct cgroup cgroup;
static char *root;

static void open_tree(const char *name)
{
    char *path = fs_path("%s/fixtures/device/cgroup/%s.tree", TESTS_DIR, name);
    root = tree_make(path);
    free(path);
    cgroup_find(root, &cgroup);
}

static int close_tree(void **state)
{
    (void)state;
    cgroup_release(&cgroup);
    if (root != NULL)
        tree_remove(root);
    root = NULL;
    return 0;
}

static void expect(const char *name, enum cgroup_version version, const char *own, bool at_top,
                   bool whole)
{
    open_tree(name);
    assert_int_equal(cgroup.version, version);
    if (version != CGROUP_NONE) {
        assert_string_equal(cgroup.own + strlen(root), own);
        assert_int_equal(cgroup.at_top, at_top);
        assert_int_equal(cgroup.whole, whole);
        assert_memory_equal(cgroup.own, cgroup.top, strlen(cgroup.top));
    }
    close_tree(NULL);
}

static void whose_group(void **state)
{
    (void)state;
    expect("v1", CGROUP_V1, "/sys/fs/cgroup/blkio/jobs/run", false, true);
    expect("v1-root", CGROUP_V1, "/sys/fs/cgroup/blkio", true, true);
    expect("v1-part", CGROUP_V1, "/sys/fs/cgroup/blkio/run", false, false);
    expect("v2", CGROUP_V2, "/sys/fs/cgroup/user.slice/a b.scope", false, true);
    expect("v2-root", CGROUP_V2, "/sys/fs/cgroup", true, true);
    expect("v2-namespace", CGROUP_V2, "/sys/fs/cgroup/user.slice/a b.scope", false, false);
    expect("v2-outside", CGROUP_NONE, NULL, false, false);
    expect("hybrid", CGROUP_V2, "/sys/fs/cgroup/unified/s", false, true);
    cgroup_find("/nowhere", &cgroup);
    assert_int_equal(cgroup.version, CGROUP_NONE);
}

static void numbers(void **state)
{
    (void)state;
    const char *v2 = "7:1 7:0 8:0 rbytes=5 wbytes=1000 wios=2\n259:10 wbytes=7\n";
    assert_true(cgroup_number(v2, 8, 0, "wbytes") == 1000);
    assert_true(isnan(cgroup_number(v2, 7, 0, "wbytes")));
    assert_true(isnan(cgroup_number(v2, 7, 1, "wbytes")));
    assert_true(cgroup_number(v2, 259, 10, "wbytes") == 7);
    assert_true(isnan(cgroup_number(v2, 259, 1, "wbytes")));
    assert_true(isnan(cgroup_number(v2, 8, 0, "bytes")));
    const char *v1 = "8:0 Read 5\n8:0 Write 18446744073709551615\n8:0 Total 6\nTotal 6\n";
    assert_true(cgroup_number(v1, 8, 0, "Write") > 1.8e19);
    assert_true(isnan(cgroup_number(v1, 8, 1, "Write")));
    assert_true(cgroup_number("8:16 9\n8:0 4096\n", 8, 0, "") == 4096);
    assert_true(isnan(cgroup_number("8:0 wbps=max", 8, 0, "wbps")));
    assert_true(isnan(cgroup_number("8:0 wbps=", 8, 0, "wbps")));
    assert_true(isnan(cgroup_number("8:0 wbps", 8, 0, "wbps")));
    assert_true(isnan(cgroup_number("", 8, 0, "")));
    assert_true(isnan(cgroup_number("8: 4\n:0 4\n8:0", 8, 0, "")));
}

static void expect_cap(const char *name, const char *device, double bytes, double writes,
                       const char *source)
{
    struct stack stack;
    struct cap cap;
    open_tree(name);
    assert_true(stack_of_device(root, device, &stack));
    cap_read(root, &stack, &cap);
    if (isnan(bytes) ? !isnan(cap.write_bytes_per_s) : cap.write_bytes_per_s != bytes)
        fail_msg("%s: %f bytes/s", name, cap.write_bytes_per_s);
    if (isnan(writes) ? !isnan(cap.write_iops) : cap.write_iops != writes)
        fail_msg("%s: %f writes/s", name, cap.write_iops);
    assert_string_equal(cap.source, source);
    assert_string_equal(cap.device, source[0] ? (strcmp(device, "sdb") == 0 ? "sdb" : "sda") : "");
    close_tree(NULL);
}

static void limits(void **state)
{
    (void)state;
#define BLKIO "/sys/fs/cgroup/blkio"
#define BPS   "blkio.throttle.write_bps_device"
#define IOPS  "blkio.throttle.write_iops_device"
    /* Version 1 is flat: the group between has no say, the root's is that of the kernel's writes.
     */
    expect_cap("v1", "sda", 52428800, 500,
               BLKIO "/jobs/run/" BPS ", " BLKIO "/jobs/run/" IOPS ", " BLKIO "/" BPS);
    expect_cap("v1", "sdb", NAN, 7, BLKIO "/" IOPS);
    expect_cap("v1-root", "sda2", 52428800, 9000, BLKIO "/" BPS ", " BLKIO "/" IOPS);
    expect_cap("v1-part", "sda", 3145728, NAN, BLKIO "/" BPS);
    /* Version 2: the lowest on the way up. */
    expect_cap("v2", "sda2", 1048576, 120,
               "/sys/fs/cgroup/user.slice/a b.scope/io.max, /sys/fs/cgroup/user.slice/io.max");
    expect_cap("v2-root", "sda", NAN, NAN, "");
    expect_cap("v2", "sdb", NAN, NAN, "");
    expect_cap("v2-outside", "sda", NAN, NAN, "");
    expect_cap("no-io", "sda", NAN, NAN, "");
}

static void a_stack_without_devices(void **state)
{
    (void)state;
    static const struct stack none;
    struct cap cap;
    cap_read("", &none, &cap);
    assert_true(isnan(cap.write_bytes_per_s) && isnan(cap.write_iops));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(whose_group, close_tree),
        cmocka_unit_test(numbers),
        cmocka_unit_test_teardown(limits, close_tree),
        cmocka_unit_test(a_stack_without_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
