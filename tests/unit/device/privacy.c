/* What tells whose machine this is: read where it stands, and hidden where it slips into names. */
#include "tree.h"

#include "device/privacy.h"
#include "device/sysfs.h"

static char *root;

static int set_up(void **state)
{
    (void)state;
    root = tree_make(TESTS_DIR "/fixtures/device/stack/serials.tree");
    /* Page 0x80: two bytes, a length, the number with blanks around it, and what is not its own. */
    static const char page[] = "\0\x80\0\x0c  SATASN0042"
                               "beyond";
    char *path = fs_path("%s/sys/block/sda/device/vpd_pg80", root);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(page, sizeof page - 1, 1, file), 1);
    fclose(file);
    free(path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_remove(root);
    return 0;
}

static void check(const char *disk, const char *serial, const char *wwn)
{
    struct privacy_serial found;
    privacy_serial_read(root, disk, &found);
    assert_string_equal(found.serial, serial);
    assert_string_equal(found.wwn, wwn);
}

static void serial_numbers_and_wwns(void **state)
{
    (void)state;
    check("sda", "SATASN0042", "0x5000c500deadbeef");
    check("nvme0n1", "NVMESN0043", "eui.0025385bdeadbeef");
    check("vda", "VIRTSN0044", "");
    check("sdb", "USBSN0045", "");
    check("sdc", "", "");
    check("nosuch", "", "");
}

static void check_paths(const char *text, const char *want)
{
    char buffer[256];
    snprintf(buffer, sizeof buffer, "%s", text);
    privacy_hide_paths(buffer);
    assert_string_equal(buffer, want);
}

static void paths_lose_what_names_a_drive(void **state)
{
    (void)state;
    check_paths("open of /dev/disk/by-id/ata-X_SN1: no, /dev/disk/by-id/b",
                "open of /dev/disk: no, "
                "/dev/disk");
    check_paths("/dev/mapper/3600508b400105e210000900000490000-part1 is gone",
                "/dev/mapper/--part1 is gone");
    check_paths("/dev/mapper/vg-data, /dev/mapper/cafe, /dev/sda1",
                "/dev/mapper/vg-data, /dev/mapper/cafe, /dev/sda1");
    check_paths("/dev/mapper/3600508b4_SERIAL_gone, names none", "/dev/mapper/-, names none");
    check_paths("(/dev/mapper/1ATA_Samsung_SSD_S3Z8NB0K-part12)", "(/dev/mapper/--part12)");
    check_paths("/dev/mapper/eui.0025385b71b00a1c /dev/mapper/ata-WDC_X",
                "/dev/mapper/- /dev/mapper/-");
    check_paths("logdev=/dev/mapper/mpath-WX11A1234567,rtdev=/dev/vg/WX11A1234567",
                "logdev=/dev/mapper/-,rtdev=/dev/vg/-");
    check_paths("/dev/mpath/3600508b400105e21,x", "/dev/mpath/-,x");
    check_paths("/dev/md/db1.example.net:0 /dev/md/127", "/dev/md/-:0 /dev/md/127");
    check_paths("/dev/nvme100n123p45 /dev/cciss/c0d0p1 /dev/mapper/rl_server2019-root",
                "/dev/nvme100n123p45 /dev/cciss/c0d0p1 /dev/mapper/rl_server2019-root");
    check_paths("/dev/ /dev/mapper/ /dev//x", "/dev/ /dev/mapper/ /dev//x");
    check_paths("/dev/disk/", "/dev/disk");
    check_paths("", "");
}

static void a_word_is_hidden_wherever_it_stands(void **state)
{
    (void)state;
    char text[] = "SN0042: open of sn0042 failed";
    privacy_hide_word(text, "SN0042");
    assert_string_equal(text, "-: open of - failed");
    privacy_hide_word(text, NULL);
    privacy_hide_word(text, "");
    privacy_hide_word(text, "of");
    assert_string_equal(text, "-: open of - failed");
}

static void check_options(const char *text, const char *want)
{
    char buffer[256];
    snprintf(buffer, sizeof buffer, "%s", text);
    privacy_hide_options(buffer);
    assert_string_equal(buffer, want);
}

static void options_lose_hosts_and_users(void **state)
{
    (void)state;
    check_options("rw,vers=3.0,username=alice,domain=CORP,uid=0,addr=192.168.1.9,soft",
                  "rw,vers=3.0,username=-,domain=-,uid=0,addr=-,soft");
    check_options("rw,clientaddr=10.0.0.1", "rw,clientaddr=-");
    check_options("rw,user,username=,user_id=1000,upperdir=/var/lib/o",
                  "rw,user,username=,user_id=1000,upperdir=/var/lib/o");
    check_options("rw,logdev=/dev/disk/by-id/ata-X_SN1,noquota", "rw,logdev=/dev/disk,noquota");
    check_options("", "");
}

static void maps_that_are_called_by_their_wwn(void **state)
{
    (void)state;
    char *map = sysfs_block(root, "dm-0"), *volume = sysfs_block(root, "dm-1");
    assert_true(privacy_is_wwn(map, "3600508b400105e210000900000490000"));
    assert_true(privacy_is_wwn(map, "3600508b400105e210000900000490000-part1"));
    assert_true(privacy_is_wwn(volume, "crypt-3600508b400105e210000900000490000"));
    assert_false(privacy_is_wwn(map, "mpatha"));
    assert_false(privacy_is_wwn(volume, "vg-data"));
    free(map);
    free(volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_numbers_and_wwns),
        cmocka_unit_test(paths_lose_what_names_a_drive),
        cmocka_unit_test(a_word_is_hidden_wherever_it_stands),
        cmocka_unit_test(options_lose_hosts_and_users),
        cmocka_unit_test(maps_that_are_called_by_their_wwn),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
