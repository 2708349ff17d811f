/* Devices that keep in memory what is written to them, whatever lies between. */
#include "tree.h"

#include "device/device_set.h"
#include "device/stack_memory.h"

static const char mounts[] =
    "30 20 0:50 / /mem rw - tmpfs none rw\n"
    "31 20 7:0 / /loop rw - ext4 /dev/loop0 rw\n"
    "32 20 7:1 / /twice rw - ext4 /dev/loop1 rw\n"
    "33 20 7:2 / /file rw - ext4 /dev/loop2 rw\n"
    "34 20 7:3 / /round rw - ext4 /dev/loop3 rw\n"
    "35 20 7:4 / /gone rw - ext4 /dev/loop4 rw\n"
    "36 20 251:0 / /squeezed rw - ext4 /dev/zram0 rw\n"
    "37 20 1:0 / /ram rw - ext4 /dev/ram0 rw\n"
    "38 20 253:0 / /mapped rw - ext4 /dev/dm-0 rw\n"
    "39 20 0:60 / /over rw - overlay o rw,lowerdir=/l,upperdir=/mem/u,workdir=/mem/w\n"
    "40 20 7:5 / /over-loop rw - ext4 /dev/loop5 rw\n"
    "41 20 0:61 / /net rw - nfs4 host:/x rw\n"
    "42 20 0:62 / /over-net rw - overlay o rw,lowerdir=/l,upperdir=/over-over/u,workdir=/w\n"
    "43 20 0:63 / /over-over rw - overlay o rw,lowerdir=/l,upperdir=/net/u,workdir=/w";

static char *root;
static struct stack stack;

static void add_device(const char *name, const char *number, const char *file, const char *text)
{
    char *folder = fs_path("%s/sys/class/block/%s/slaves/", root, name);
    char *dev = fs_path("%s/sys/class/block/%s/dev", root, name);
    char *path = fs_path("%s/sys/class/block/%s/%s", root, name, file);
    tree_make_parents(folder);
    tree_append(dev, number);
    tree_make_parents(path);
    if (text != NULL)
        tree_append(path, text);
    free(path);
    free(dev);
    free(folder);
}

static int set_up(void **state)
{
    (void)state;
    root = tree_make(TESTS_DIR "/fixtures/device/stack/old.tree");
    char *info = fs_path("%s/proc/self/mountinfo", root);
    tree_append(info, mounts);
    add_device("loop0", "7:0", "loop/backing_file", "/mem/image");
    add_device("loop1", "7:1", "loop/backing_file", "/loop/イメージ");
    add_device("loop2", "7:2", "loop/backing_file", "/image");
    add_device("loop3", "7:3", "loop/backing_file", "/round/image");
    add_device("loop4", "7:4", "loop/backing_file", "(deleted)");
    add_device("loop5", "7:5", "loop/backing_file", "/over/image");
    add_device("zram0", "251:0", "disksize", "1");
    add_device("ram0", "1:0", "size", "1");
    add_device("dm-0", "253:0", "size", "1");
    char *link = fs_path("%s/sys/class/block/dm-0/slaves/sda", root);
    char *other = fs_path("%s/sys/class/block/dm-0/slaves/zram0", root);
    assert_int_equal(symlink("../../sda", link), 0);
    assert_int_equal(symlink("../../zram0", other), 0);
    free(other);
    free(link);
    free(info);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_remove(root);
    return 0;
}

static void check(const char *path, const char *want)
{
    char what[STACK_MEMORY];
    struct err err;
    if (stack_resolve(root, path, &stack, &err) != 0)
        fail_msg("%s", err.text);
    bool memory = stack_memory(root, &stack, what);
    assert_string_equal(what, want);
    assert_int_equal(memory, want[0] != 0);
}

static void devices_in_memory(void **state)
{
    (void)state;
    check("/loop/f", "loop0 on tmpfs");
    check("/twice/f", "loop1 on loop0 on tmpfs");
    check("/over-loop/f", "loop5 on tmpfs");
    check("/squeezed/f", "zram0");
    check("/ram/f", "ram0");
    check("/mapped/f", "zram0"); /* a part of it */
}

static void devices_that_are_not(void **state)
{
    (void)state;
    check("/f", "");
    check("/file/f", "");
    check("/gone/f", "");
    check("/round/f", ""); /* cannot be, and ends */
    check("/mem/f", "");   /* no device at all */
}

static void what_keeps_an_overlay(void **state)
{
    (void)state;
    check("/over/f", "");
    assert_string_equal(stack.filesystem, "overlay");
    assert_string_equal(stack.kept_on, "tmpfs");
    assert_false(stack.is_network);
    check("/over-net/f", "");
    assert_string_equal(stack.kept_on, "nfs4");
    assert_true(stack.is_network);
    check("/f", "");
    assert_string_equal(stack.kept_on, "ext3");
    assert_false(stack.is_network);
}

static void a_device_of_a_run_knows(void **state)
{
    (void)state;
    static struct device_set set;
    struct err err;
    memset(&set, 0, sizeof set);
    assert_int_equal(device_set_add(&set, root, "data", "/loop/f", NULL, &err), 0);
    assert_string_equal(set.devices[0].memory, "loop0 on tmpfs");
    assert_int_equal(device_set_add(&set, root, "wal", "/f", NULL, &err), 0);
    assert_string_equal(set.devices[1].memory, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_in_memory),
        cmocka_unit_test(devices_that_are_not),
        cmocka_unit_test(what_keeps_an_overlay),
        cmocka_unit_test(a_device_of_a_run_knows),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
