/* How drives are attached, by where they are in /sys. */
#include "tree.h"

#include "device/identity.h"

static char *root;

static int set_up(void **state)
{
    (void)state;
    root = tree_make(TESTS_DIR "/fixtures/device/stack/attached.tree");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_remove(root);
    return 0;
}

static void transport_and_link_of_each(void **state)
{
    (void)state;
    static const struct {
        const char *name, *transport, *link;
    } table[] = {
        {"nvme0c0n1", "nvme", "PCIe 4.0 x4"},
        {"nvme0n1", "nvme", "PCIe 4.0 x4"},
        {"nvme5n1", "nvme-tcp", ""},
        {"sda", "sata", "SATA 6.0 Gb/s"},
        {"sdb", "ata", ""},
        {"sdc", "usb", "USB 5 Gb/s"},
        {"sdd", "sas", "SAS 12.0 Gb/s"},
        {"sde", "raid", ""},
        {"sdf", "fc", ""},
        {"sdg", "iscsi", ""},
        {"sdh", "scsi", ""},
        {"vda", "virtio", ""},
        {"mmcblk0", "mmc", ""},
        {"loop0", "", ""},
        {"none", "", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct identity id;
        identity_read(root, table[i].name, &id);
        if (strcmp(id.transport, table[i].transport) != 0 || strcmp(id.link, table[i].link) != 0)
            fail_msg("%s: %s, %s", table[i].name, id.transport, id.link);
    }
}

static void a_multipath_head_speaks_by_its_path(void **state)
{
    (void)state;
    struct identity id;
    identity_read(root, "nvme0n1", &id);
    assert_string_equal(id.write_cache, "write back");
    assert_string_equal(id.scheduler, "none");
    assert_true(id.size_bytes == 1000 * 512);
}

static void odd_links_are_unknown(void **state)
{
    (void)state;
    static const char *const speeds[] = {"Unknown", "", "8.0 GT/s PCIe", "3.3 GT/s"};
    static const char *const lanes[] = {"4", "4", "0", "4"};
    char *folder = fs_path("%s/sys/devices/pci0000:00/0000:00:02.0/0000:02:00.0", root);
    char *speed = fs_path("%s/current_link_speed", folder);
    char *width = fs_path("%s/current_link_width", folder);
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        struct identity id;
        remove(speed);
        remove(width);
        tree_append(speed, speeds[i]);
        tree_append(width, lanes[i]);
        identity_read(root, "nvme0c1n1", &id);
        assert_string_equal(id.transport, "nvme");
        assert_string_equal(id.link, "");
    }
    free(width);
    free(speed);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transport_and_link_of_each),
        cmocka_unit_test(a_multipath_head_speaks_by_its_path),
        cmocka_unit_test(odd_links_are_unknown),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
