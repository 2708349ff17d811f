#include "tree.h"

#include "device/device_set.h"

static char *root;
static struct stack stack;
static struct err err;

static int set_up(void **state)
{
    (void)state;
    root = tree_make(TESTS_DIR "/fixtures/device/stack/server.tree");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_remove(root);
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

static void check(const char *path, const char *names, const char *leaves)
{
    if (stack_resolve(root, path, &stack, &err) != 0)
        fail_msg("%s", err.text);
    assert_string_equal(joined(stack.names, stack.count), names);
    assert_string_equal(joined(stack.leaves, stack.leaf_count), leaves);
    assert_int_equal(stack.known, names[0] != 0);
    if (stack.known)
        assert_string_equal(stack.sampled, stack.names[0]);
}

static void partition_and_its_disk(void **state)
{
    (void)state;
    check("/home/a", "nvme0n1p1 nvme0n1", "nvme0n1");
    assert_string_equal(stack.path, "/home/a");
    assert_string_equal(stack.filesystem, "ext4");
    assert_string_equal(stack.mount_point, "/");
    assert_string_equal(stack.mount_options, "rw,relatime,errors=remount-ro");
}

static void every_level_to_the_leaves_depth_first(void **state)
{
    (void)state;
    check("/srv/db", "dm-0 md127p1 md127 sda1 sda sdb1 sdb nvme0n1p2 nvme0n1", "sda sdb nvme0n1");
    assert_string_equal(stack.mount_options, "rw,noatime,attr2");
}

static void names_with_a_slash(void **state)
{
    (void)state;
    check("/old/x", "cciss/c0d0p1 cciss/c0d0", "cciss/c0d0");
}

static void a_loop_device_is_its_own_leaf(void **state)
{
    (void)state;
    check("/mnt/image/x", "loop0", "loop0");
}

static void anonymous_numbers_go_by_the_source(void **state)
{
    (void)state;
    check("/mnt/btrfs/x", "dm-0 md127p1 md127 sda1 sda sdb1 sdb nvme0n1p2 nvme0n1",
          "sda sdb nvme0n1");
    check("/mnt/btrfs1/x", "sda1 sda", "sda");
    assert_string_equal(stack.filesystem, "btrfs");
}

static void an_overlay_goes_by_its_upper_directory(void **state)
{
    (void)state;
    check("/mnt/overlay/x", "nvme0n1p1 nvme0n1", "nvme0n1");
    assert_string_equal(stack.filesystem, "overlay");
}

static void what_cannot_be_resolved_is_unknown(void **state)
{
    (void)state;
    check("/mnt/pulled/x", "", "");
    assert_string_equal(stack.reason, "8:99 is not in /sys/dev/block: the device is gone");
    check("/mnt/データ/x", "", "");
    assert_string_equal(stack.filesystem, "tmpfs");
}

static void links_in_a_circle_end(void **state)
{
    (void)state;
    if (stack_resolve(root, "/mnt/circle/x", &stack, &err) != 0)
        fail_msg("%s", err.text);
    assert_string_equal(joined(stack.names, stack.count), "dm-8 dm-9");
    assert_false(stack.known);
}

static void override_by_name_or_node(void **state)
{
    (void)state;
    const char *const same[] = {"sda1", "/dev/sda1"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(stack_override(root, same[i], &stack, &err), 0);
        assert_string_equal(joined(stack.names, stack.count), "sda1 sda");
    }
    assert_int_equal(stack_override(root, "/dev/mapper/vg-data", &stack, &err), 0);
    assert_string_equal(stack.sampled, "dm-0");
    const char *const wrong[] = {"sdq", "", "/dev/mapper/none", "..", "/dev/"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(stack_override(root, wrong[i], &stack, &err), -1);
        assert_int_equal(err.kind, ERR_USAGE);
    }
}

static void the_machine_at_hand(void **state)
{
    (void)state;
    if (stack_resolve("", ".", &stack, &err) != 0)
        fail_msg("%s", err.text);
    assert_true(stack.path[0] == '/' && stack.mount_point[0] == '/' && stack.filesystem[0] != 0);
    assert_int_equal(stack.known, stack.leaf_count > 0);
    assert_int_equal(stack_resolve("", "/no/such/path", &stack, &err), -1);
    assert_int_equal(err.kind, ERR_REFUSED);
}

static void identity_of_disks(void **state)
{
    (void)state;
    struct identity id;
    identity_read(root, "nvme0n1", &id);
    assert_string_equal(id.name, "nvme0n1");
    assert_string_equal(id.model, "Example 1TB ドライブ");
    assert_string_equal(id.firmware, "2B4QEXM7");
    assert_string_equal(id.scheduler, "none");
    assert_string_equal(id.write_cache, "write back");
    assert_int_equal(id.rotational, 0);
    assert_true(id.size_bytes == INT64_C(1953525168) * 512);
    assert_int_equal(id.logical_block_bytes, 512);
    assert_int_equal(id.physical_block_bytes, 4096);
    identity_read(root, "sda", &id);
    assert_string_equal(id.scheduler, "bfq");
    assert_string_equal(id.firmware, "0001");
    assert_int_equal(id.rotational, 1);
    identity_read(root, "cciss/c0d0", &id);
    assert_string_equal(id.scheduler, "none");
    assert_string_equal(id.model, "");
    assert_int_equal(id.rotational, -1);
    assert_true(id.size_bytes == -1);
    /* SCSI pads with blanks. */
    char *model = fs_path("%s/sys/block/sdb/device/model", root);
    char *folder = fs_path("%s/sys/block/sdb/device", root);
    mkdir(folder, 0755);
    tree_append(model, "  PADDED MODEL    ");
    identity_read(root, "sdb", &id);
    assert_string_equal(id.model, "PADDED MODEL");
    free(folder);
    free(model);
    identity_read(root, "none", &id);
    assert_string_equal(id.name, "none");
    assert_int_equal(id.logical_block_bytes, -1);
}

static void set_samples_every_level_once(void **state)
{
    (void)state;
    static struct device_set set;
    memset(&set, 0, sizeof set);
    assert_int_equal(device_set_add(&set, root, "data", "/srv/db", NULL, &err), 0);
    assert_int_equal(set.name_count, 9);
    assert_int_equal(device_set_add(&set, root, "wal", "/mnt/btrfs1/wal", NULL, &err), 0);
    assert_int_equal(set.name_count, 9); /* sda1 and sda were there */
    const struct device *data = &set.devices[0], *wal = &set.devices[1];
    assert_string_equal(set.names[data->sampled], "dm-0");
    assert_int_equal(data->leaf_count, 3);
    assert_string_equal(set.names[data->leaves[2]], "nvme0n1");
    assert_string_equal(data->identity.name, "sda");
    assert_string_equal(set.names[wal->sampled], "sda1");
    assert_string_equal(set.names[wal->leaves[0]], "sda");
    assert_int_equal(device_set_add(&set, root, "temp", "/mnt/データ", NULL, &err), 0);
    assert_int_equal(set.count, 3);
    assert_int_equal(set.devices[2].leaf_count, 0);
    assert_string_equal(set.devices[2].identity.model, "");
}

static void set_with_another_device_keeps_the_file_system(void **state)
{
    (void)state;
    static struct device_set set;
    memset(&set, 0, sizeof set);
    assert_int_equal(device_set_add(&set, root, "data", "/srv/db", "no-disk", &err), -1);
    assert_int_equal(set.count, 0);
    assert_int_equal(device_set_add(&set, root, "data", "/srv/db", "sdb", &err), 0);
    assert_string_equal(set.devices[0].stack.filesystem, "xfs");
    assert_string_equal(set.devices[0].stack.path, "/srv/db");
    assert_int_equal(set.name_count, 1);
    assert_string_equal(set.names[set.devices[0].sampled], "sdb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partition_and_its_disk),
        cmocka_unit_test(every_level_to_the_leaves_depth_first),
        cmocka_unit_test(names_with_a_slash),
        cmocka_unit_test(a_loop_device_is_its_own_leaf),
        cmocka_unit_test(anonymous_numbers_go_by_the_source),
        cmocka_unit_test(an_overlay_goes_by_its_upper_directory),
        cmocka_unit_test(what_cannot_be_resolved_is_unknown),
        cmocka_unit_test(links_in_a_circle_end),
        cmocka_unit_test(override_by_name_or_node),
        cmocka_unit_test(the_machine_at_hand),
        cmocka_unit_test(identity_of_disks),
        cmocka_unit_test(set_samples_every_level_once),
        cmocka_unit_test(set_with_another_device_keeps_the_file_system),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
