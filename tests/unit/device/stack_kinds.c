/* Stacks out of the ordinary: file systems that span devices, overlays, links that lead nowhere,
 * kernels of long ago, hidden paths; and what kind a device is. */
#include "tree.h"

#include "device/device_set.h"
#include "device/diskstats.h"
#include "device/hwmon.h"
#include "device/kind.h"
#include "device/stack_paths.h"
#include "device/sysfs.h"

static char *spanning, *attached, *old;
static struct stack stack;
static struct err err;

static int set_up(void **state)
{
    (void)state;
    spanning = tree_make(TESTS_DIR "/fixtures/device/stack/spanning.tree");
    attached = tree_make(TESTS_DIR "/fixtures/device/stack/attached.tree");
    old = tree_make(TESTS_DIR "/fixtures/device/stack/old.tree");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_remove(spanning);
    tree_remove(attached);
    tree_remove(old);
    return 0;
}

static const char *joined(char list[][STACK_NAME], size_t count)
{
    static char text[STACK_MAX * STACK_NAME];
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", list[i]);
    return text;
}

static void check(const char *root, const char *path, const char *tops, const char *leaves)
{
    if (stack_resolve(root, path, &stack, &err) != 0)
        fail_msg("%s", err.text);
    assert_string_equal(joined(stack.tops, stack.top_count), tops);
    assert_string_equal(joined(stack.leaves, stack.leaf_count), leaves);
    assert_int_equal(stack.known, leaves[0] != 0);
    if (stack.known)
        assert_string_equal(stack.sampled, stack.tops[0]);
    else
        assert_true(stack.reason[0] != 0);
}

static void all_members_of_a_btrfs_that_are_there(void **state)
{
    (void)state;
    check(spanning, "/pool/f", "sdb1 sdc1", "sdb sdc");
    assert_true(stack.incomplete); /* one was pulled */
    assert_string_equal(stack.reason, "a device of this btrfs is missing");
    check(spanning, "/pool/スナップ/f", "sdb1 sdc1", "sdb sdc");
    check(spanning, "/single/f", "dm-0", "sdd");
    check(spanning, "/volume/f", "dm-0", "sdd");
    assert_false(stack.incomplete);
    assert_string_equal(stack.reason, "");
    /* The kernel may list none but the devices that are there. */
    char *info =
        fs_path("%s/sys/fs/btrfs/00000000-1111-4222-8333-444444440002/devinfo/2/missing", spanning);
    tree_make_parents(info);
    tree_append(info, "0");
    check(spanning, "/volume/f", "dm-0", "sdd");
    assert_false(stack.incomplete);
    assert_int_equal(unlink(info), 0);
    tree_append(info, "1");
    check(spanning, "/volume/f", "dm-0", "sdd");
    assert_true(stack.incomplete);
    assert_int_equal(unlink(info), 0);
    free(info);
}

static void a_btrfs_that_sysfs_does_not_know_may_be_incomplete(void **state)
{
    (void)state;
    check(spanning, "/lonely/f", "sda1", "sda");
    assert_true(stack.incomplete);
    assert_non_null(strstr(stack.reason, "/sys/fs/btrfs"));
    check(spanning, "/gone/f", "", "");
}

static void bcachefs_lists_its_devices(void **state)
{
    (void)state;
    check(spanning, "/cached/f", "sda1 sdb1", "sda sdb");
}

static void overlays_go_by_their_upper_directories(void **state)
{
    (void)state;
    check(spanning, "/merged/f", "sdb1 sdc1", "sdb sdc");
    check(spanning, "/nested/f", "sdb1 sdc1", "sdb sdc");
    assert_string_equal(stack.filesystem, "overlay");
    check(spanning, "/readonly/f", "", "");
    check(spanning, "/self/f", "", "");
    check(spanning, "/ping/f", "", "");
}

/* A tree with one disk, sda, and more lines of mountinfo. */
static char *plain_tree(const char *mounts)
{
    char *root = tree_make(TESTS_DIR "/fixtures/device/stack/old.tree");
    char *file = fs_path("%s/proc/self/mountinfo", root);
    tree_append(file, mounts);
    free(file);
    return root;
}

static void overlays_of_any_depth(void **state)
{
    (void)state;
    enum { DEEP = 40 };
    char *lines = NULL;
    size_t size;
    FILE *out = open_memstream(&lines, &size);
    for (int i = 0; i <= DEEP; i++)
        fprintf(out, "%d 20 0:%d / /o%d rw - overlay o rw,lowerdir=/l,upperdir=/o%d/u,workdir=/w\n",
                100 + i, 100 + i, i, i - 1); /* "/o-1" is on the root's disk */
    fprintf(out, "90 20 0:90 / /round rw - overlay o rw,lowerdir=/l,upperdir=/trip/u,workdir=/w\n"
                 "91 20 0:91 / /trip rw - overlay o rw,lowerdir=/l,upperdir=/round/u,workdir=/w\n");
    fclose(out);
    char *root = plain_tree(lines), path[32];
    snprintf(path, sizeof path, "/o%d/f", DEEP);
    check(root, path, "sda1", "sda");
    check(root, "/round/f", "", "");
    assert_string_equal(stack.reason, "overlays lie on each other in a circle");
    tree_remove(root);
    free(lines);
}

static void file_systems_in_memory_have_no_device(void **state)
{
    (void)state;
    char *root = plain_tree("30 20 0:50 / /tmp rw - tmpfs /dev/sda rw\n"
                            "31 20 0:51 / /dev rw - devtmpfs /dev/sda1 rw\n"
                            "32 20 0:52 / /empty rw - btrfs  rw\n");
    check(root, "/tmp/f", "", "");
    assert_string_equal(stack.reason, "tmpfs has no block device");
    check(root, "/dev/f", "", "");
    check(root, "/empty/f", "", "");
    assert_string_equal(stack.reason,
                        "the mount's source, which is empty, names no block device that is there");
    tree_remove(root);
}

/* dm-0 on dm-1 on ... on sda. */
static char *deep_tree(unsigned levels)
{
    char *root = plain_tree("30 20 253:0 / /deep rw - ext4 /dev/dm-0 rw\n");
    for (unsigned i = 0; i < levels; i++) {
        char *folder = fs_path("%s/sys/class/block/dm-%u/slaves/", root, i), below[32];
        char *number = fs_path("%s/sys/class/block/dm-%u/dev", root, i), text[32];
        snprintf(below, sizeof below, i + 1 < levels ? "dm-%u" : "sda", i + 1);
        char *link = fs_path("%s%s", folder, below), *target = fs_path("../../%s", below);
        tree_make_parents(folder);
        snprintf(text, sizeof text, "253:%u", i);
        tree_append(number, text);
        assert_int_equal(symlink(target, link), 0);
        free(target);
        free(link);
        free(number);
        free(folder);
    }
    return root;
}

static void stacks_of_many_levels(void **state)
{
    (void)state;
    char *root = deep_tree(STACK_MAX - 1);
    check(root, "/deep/f", "dm-0", "sda");
    assert_int_equal(stack.count, STACK_MAX);
    assert_false(stack.incomplete);
    tree_remove(root);
    root = deep_tree(STACK_MAX);
    check(root, "/deep/f", "dm-0", "");
    assert_true(stack.incomplete);
    assert_string_equal(stack.reason, "dm-0 lies on more than 256 devices: what is below those is "
                                      "not looked at");
    tree_remove(root);
}

static void other_sources(void **state)
{
    (void)state;
    check(spanning, "/fuse/f", "sdb1", "sdb");
    check(spanning, "/net/f", "", "");
    assert_string_equal(stack.reason, "nfs4 is a network file system: it has no block device here");
    check(spanning, "/zfs/f", "", "");
    assert_string_equal(stack.filesystem, "zfs");
    assert_string_equal(
        stack.reason,
        "zfs: the kernel does not tell which disks a pool lies on; zpool status does");
}

static void links_that_lead_nowhere_or_outside(void **state)
{
    (void)state;
    check(spanning, "/outside/f", "", "");
    check(spanning, "/ring/f", "", "");
    check(spanning, "/astray/f", "dm-1", "");
    assert_string_equal(stack.reason, "a device below dm-1 is gone");
    assert_null(sysfs_block(spanning, "outside"));
}

static void kernels_without_numbers_in_sysfs(void **state)
{
    (void)state;
    check(old, "/f", "sda1", "sda");
    check(old, "/lost/f", "", "");
}

static void check_kind(const char *root, const char *name, const char *want)
{
    char kind[KIND_SIZE], *directory = sysfs_block(root, name);
    assert_non_null(directory);
    kind_read(directory, kind);
    assert_string_equal(kind, want);
    free(directory);
}

/* As the first distributions built their kernels: no /sys/class/block, disks in /sys/block. */
static void disks_in_the_list_itself(void **state)
{
    (void)state;
    struct hwmon sensor;
    struct identity id;
    static const char *const roots[] = {"deprecated", "deprecated-numbers", "deprecated-mounts"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        char *root = tree_make(TESTS_DIR "/fixtures/device/stack/deprecated.tree");
        char *numbers = fs_path("%s/sys/dev/block/", root), *info = fs_path("%s/proc/self/", root);
        char *link = fs_path("%s8:2", numbers), *hidden = fs_path("%smountinfo", info);
        if (i == 1) {
            tree_make_parents(numbers); /* not all of them */
            assert_int_equal(symlink("../../block/sda/sda2", link), 0);
        } else if (i == 2) {
            assert_int_equal(unlink(hidden), 0);
        }
        check(root, "/volume/f", "sda2", "sda");
        assert_string_equal(stack.filesystem, "ext3");
        if (i < 2)
            check(root, "/raid/f", "md0", "sda");
        if (i == 0) {
            check(root, "/f", "sda1", "sda");
            check(root, "/slash/f", "cciss/c0d0p1", "cciss/c0d0");
            check(root, "/gone/f", "", "");
            assert_string_equal(stack.reason, "8:9 is not in /sys/block: the device is gone");
            check_kind(root, "sda2", "partition");
            check_kind(root, "sda", "disk");
            check_kind(root, "md0", "raid1");
        } else if (i == 2) {
            check(root, "/mapped/f", "dm-0", "sda");
            check(root, "/deep/below/f", "sda2", "sda"); /* covered by what came later */
            check(root, "/with blank/f", "cciss/c0d0p1", "cciss/c0d0");
            check(root, "/mem/f", "", "");
            assert_string_equal(stack.mount_options, "rw,size=5k");
        }
        check_kind(root, "dm-1", "mapper"); /* without a folder dm */
        assert_null(sysfs_block(root, "queue"));
        assert_null(sysfs_block(root, "device"));
        identity_read(root, "sda", &id);
        assert_string_equal(id.model, "OLDDISK 80G");
        assert_string_equal(id.transport, "sata");
        assert_true(hwmon_open(root, "sda", &sensor));
        assert_true(hwmon_read_c(&sensor) == 33);
        hwmon_close(&sensor);
        struct hwmon *all;
        assert_int_equal(hwmon_open_all(root, &all), 2); /* sda and cciss/c0d0, not dm-0 and md0 */
        hwmon_release(all, 2);
        free(hidden);
        free(link);
        free(info);
        free(numbers);
        tree_remove(root);
    }
}

static void hidden_paths_of_a_head(void **state)
{
    (void)state;
    char **paths;
    assert_int_equal(stack_paths(attached, "nvme0n1", &paths), 2);
    assert_string_equal(paths[0], "nvme0c0n1");
    assert_string_equal(paths[1], "nvme0c1n1");
    stack_paths_free(paths, 2);
    assert_int_equal(stack_paths(attached, "nvme0c0n1", &paths), 0);
    stack_paths_free(paths, 0);
    assert_int_equal(stack_paths(attached, "sda", &paths), 0);
    stack_paths_free(paths, 0);
    check(attached, "/data/f", "nvme0n1p1", "nvme0n1");
    check(attached, "/img/f", "loop0p1", "loop0");
}

static void kinds(void **state)
{
    (void)state;
    static const struct {
        const char *uuid, *kind;
    } mapped[] = {{"LVM-abc", "lvm"},
                  {"CRYPT-LUKS2-abc-name", "crypt"},
                  {"CRYPT-VERITY-abc", "verity"},
                  {"mpath-360", "multipath"},
                  {"part2-mpath-360", "partition"},
                  {"Vendor-1", "vendor"},
                  {"none", "mapper"},
                  {"-", "mapper"}};
    check_kind(spanning, "sda", "disk");
    check_kind(spanning, "sda1", "partition");
    check_kind(old, "sda1", "partition");
    check_kind(attached, "loop0", "loop");
    char *folder = fs_path("%s/sys/class/block/md7/md/", spanning);
    char *level = fs_path("%slevel", folder);
    tree_make_parents(folder);
    check_kind(spanning, "md7", "raid");
    tree_append(level, "raid10");
    check_kind(spanning, "md7", "raid10");
    for (size_t i = 0; i < sizeof mapped / sizeof *mapped; i++) {
        char *uuid = fs_path("%s/sys/class/block/dm-1%zu/dm/", spanning, i);
        char *file = fs_path("%suuid", uuid), name[32];
        tree_make_parents(uuid);
        tree_append(file, mapped[i].uuid);
        snprintf(name, sizeof name, "dm-1%zu", i);
        check_kind(spanning, name, mapped[i].kind);
        free(file);
        free(uuid);
    }
    free(level);
    free(folder);
}

static void a_set_sums_over_the_members(void **state)
{
    (void)state;
    static struct device_set set;
    static const char text[] = "8 16 sdb 1 0 8 1 9 0 8 1 0 1 1 0 0 0 0 5 1\n"
                               "8 17 sdb1 1 0 8 1 10 0 80 7 1 1 1\n"
                               "8 32 sdc 1 0 8 1 9 0 8 1 0 1 1 0 0 0 0 7 1\n"
                               "8 33 sdc1 1 0 8 1 20 0 160 9 2 1 1\n";
    struct diskstats rows[8];
    memset(&set, 0, sizeof set);
    assert_int_equal(device_set_add(&set, spanning, "data", "/pool/f", NULL, &err), 0);
    const struct device *data = &set.devices[0];
    assert_string_equal(set.names[data->sampled], "sdb1+sdc1");
    assert_string_equal(data->stack.sampled, "sdb1+sdc1");
    assert_int_equal(set.name_count, 5);
    assert_int_equal(data->leaf_count, 2);
    diskstats_pick(text, sizeof text - 1, set.names, set.name_count, rows);
    const struct diskstats *sum = &rows[data->sampled];
    assert_string_equal(sum->name, "sdb1+sdc1");
    assert_int_equal(sum->value[DISK_WRITES], 30);
    assert_int_equal(sum->value[DISK_WRITE_SECTORS], 240);
    assert_int_equal(sum->value[DISK_IN_FLIGHT], 3);
    assert_false(diskstats_has(sum, DISK_FLUSHES));
    const char *lost[] = {"sdb1+sdq1", "+", "sdb1+"};
    diskstats_pick(text, sizeof text - 1, lost, 3, rows);
    assert_string_equal(rows[0].name, "");
    assert_string_equal(rows[1].name, "");
    assert_int_equal(rows[2].value[DISK_WRITES], 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_members_of_a_btrfs_that_are_there),
        cmocka_unit_test(a_btrfs_that_sysfs_does_not_know_may_be_incomplete),
        cmocka_unit_test(bcachefs_lists_its_devices),
        cmocka_unit_test(overlays_go_by_their_upper_directories),
        cmocka_unit_test(overlays_of_any_depth),
        cmocka_unit_test(file_systems_in_memory_have_no_device),
        cmocka_unit_test(stacks_of_many_levels),
        cmocka_unit_test(other_sources),
        cmocka_unit_test(links_that_lead_nowhere_or_outside),
        cmocka_unit_test(kernels_without_numbers_in_sysfs),
        cmocka_unit_test(disks_in_the_list_itself),
        cmocka_unit_test(hidden_paths_of_a_head),
        cmocka_unit_test(kinds),
        cmocka_unit_test(a_set_sums_over_the_members),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
