#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/mountinfo.h"

static struct mount_table table;
static struct err err;

static void parse(const char *text)
{
    assert_int_equal(mount_table_parse(text, strlen(text), &table, &err), 0);
}

static void all_fields_of_a_line(void **state)
{
    (void)state;
    parse("36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n");
    assert_int_equal(table.count, 1);
    const struct mount *m = &table.mounts[0];
    assert_int_equal(m->id, 36);
    assert_int_equal(m->parent, 35);
    assert_int_equal(m->major, 98);
    assert_int_equal(m->minor, 0);
    assert_string_equal(m->root, "/mnt1");
    assert_string_equal(m->point, "/mnt2");
    assert_string_equal(m->options, "rw,noatime");
    assert_string_equal(m->kind, "ext3");
    assert_string_equal(m->source, "/dev/root");
    assert_string_equal(m->super_options, "rw,errors=continue");
    mount_table_release(&table);
    assert_int_equal(table.count, 0);
}

static void lines_that_are_none_are_left_out(void **state)
{
    (void)state;
    parse("");
    assert_null(mount_table_find(&table, "/"));
    parse("\n\n36\n36 35 98 / / rw - a b c\nx 35 98:0 / / rw - a b c\n36 35 :0 / / rw - a b c\n"
          "36 35 98:0 / /\n36 35 98:0 / / rw\n36 35 98:0 / / rw -\n36 35 98:0 / / rw - a b\n"
          "36 35 98:0x / / rw - a b c\n-1 35 98:0 / / rw - a b c\n");
    assert_int_equal(table.count, 0);
    mount_table_release(&table);
}

static void the_last_line_may_lack_its_newline(void **state)
{
    (void)state;
    parse("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /a rw - ext4 /dev/sda2 rw");
    assert_int_equal(table.count, 2);
    assert_int_equal(mount_table_find(&table, "/a/b")->id, 2);
    assert_ptr_equal(mount_table_by_id(&table, 2), &table.mounts[1]);
    assert_null(mount_table_by_id(&table, 3));
    mount_table_release(&table);
}

static void a_prefix_is_not_a_directory_above(void **state)
{
    (void)state;
    parse("1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 / /home rw - ext4 b rw\n");
    assert_int_equal(mount_table_find(&table, "/homework")->id, 1);
    assert_int_equal(mount_table_find(&table, "/home")->id, 2);
    assert_int_equal(mount_table_find(&table, "/hom")->id, 1);
    mount_table_release(&table);
}

static void a_later_mount_on_a_parent_hides_what_was_below(void **state)
{
    (void)state;
    parse("1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 / /a/b rw - ext4 b rw\n"
          "3 1 8:3 / /a rw - ext4 c rw\n4 3 8:4 / /a rw - ext4 d rw\n");
    assert_int_equal(mount_table_find(&table, "/a/b/c")->id, 4);
    mount_table_release(&table);
}

static void ids_in_a_circle_end(void **state)
{
    (void)state;
    parse("1 2 8:1 / / rw - ext4 a rw\n2 1 8:2 / / rw - ext4 b rw\n1 1 8:3 / / rw - ext4 c rw\n"
          "2 2 8:4 / / rw - ext4 d rw\n");
    mount_table_find(&table, "/a"); /* any answer, but one */
    mount_table_release(&table);
}

static void escapes_are_decoded_once(void **state)
{
    (void)state;
    char text[] = "/a\\040b\\134040\\12\\400\\";
    assert_int_equal(mountinfo_unescape(text), strlen("/a b\\040\\12\\400\\"));
    assert_string_equal(text, "/a b\\040\\12\\400\\");
    parse("1 0 8:1 / /日本\\040語 rw - ext4 /dev/a\\011b rw\n");
    assert_string_equal(table.mounts[0].point, "/日本 語");
    assert_string_equal(table.mounts[0].source, "/dev/a\tb");
    assert_int_equal(mount_table_find(&table, "/日本 語/x")->id, 1);
    mount_table_release(&table);
}

static enum mount_class class_of(const char *number, const char *kind, const char *source)
{
    char line[256];
    snprintf(line, sizeof line, "1 0 %s / /a rw - %s %s rw\n", number, kind, source);
    parse(line);
    assert_int_equal(table.count, 1);
    enum mount_class class = mount_class(&table.mounts[0]);
    mount_table_release(&table);
    return class;
}

static void what_lies_behind_a_mount(void **state)
{
    (void)state;
    static const struct {
        const char *number, *kind, *source;
        enum mount_class class;
    } lines[] = {
        {"8:1", "fuseblk", "/dev/sda1", MOUNT_BLOCK},
        {"8:1", "gfs2", "/dev/sda1", MOUNT_BLOCK},
        {"0:9", "btrfs", "/dev/sda1", MOUNT_ANONYMOUS_BLOCK},
        {"0:9", "bcachefs", "/dev/sda:/dev/sdb", MOUNT_ANONYMOUS_BLOCK},
        {"0:9", "overlay", "overlay", MOUNT_OVERLAY},
        {"0:9", "nfs4", "host:/a", MOUNT_NETWORK},
        {"0:9", "cifs", "//host/a", MOUNT_NETWORK},
        {"0:9", "virtiofs", "shared", MOUNT_NETWORK},
        {"0:9", "fuse.glusterfs", "host:/a", MOUNT_NETWORK},
        {"0:9", "fuse.lxcfs", "lxcfs", MOUNT_FUSE},
        {"0:9", "fuse", "/dev/fuse", MOUNT_FUSE},
        {"0:9", "fuseblk", "/dev/sda1", MOUNT_FUSE},
        {"0:9", "zfs", "tank", MOUNT_ZFS},
        {"0:9", "tmpfs", "/dev/shm", MOUNT_VIRTUAL},
        {"0:9", "autofs", "/etc/auto.misc", MOUNT_VIRTUAL},
        {"0:9", "unheard-of", "none", MOUNT_VIRTUAL},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (class_of(lines[i].number, lines[i].kind, lines[i].source) != lines[i].class)
            fail_msg("%s %s is no %s", lines[i].kind, lines[i].source,
                     mount_class_names[lines[i].class]);
}

static void values_of_options(void **state)
{
    (void)state;
    static const char options[] = "rw,lowerdir=/l,upperdir=/a\\054b\\040c,xupperdir=/x,index";
    char *upper = mount_option(options, "upperdir");
    assert_string_equal(upper, "/a,b c");
    free(upper);
    assert_null(mount_option(options, "index"));
    assert_null(mount_option(options, "upper"));
    assert_null(mount_option("", "upperdir"));
    char *empty = mount_option("upperdir=", "upperdir");
    assert_string_equal(empty, "");
    free(empty);
}

static void what_is_wrong_with_a_line(void **state)
{
    (void)state;
    parse("1 0 8:1 / / rw - ext4 a rw\n\n   \n1 0 8:1 / / rw ext4 a rw\nx\n1 0 8:1 / /\r\n"
          "2 1 8:2 / /a rw x:1  y - ext4 b rw\r\n");
    assert_int_equal(table.count, 2);
    assert_int_equal(table.rejected_count, 3);
    assert_int_equal(table.rejected[0].line, 4);
    assert_string_equal(table.rejected[0].why, "no separator");
    assert_int_equal(table.rejected[1].line, 5);
    assert_string_equal(table.rejected[2].why, "too few fields");
    assert_int_equal(table.mounts[1].line, 7);
    assert_string_equal(table.mounts[1].optional, "x:1  y");
    assert_string_equal(table.mounts[1].super_options, "rw");
    assert_string_equal(table.mounts[0].optional, "");
    mount_table_release(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fields_of_a_line),
        cmocka_unit_test(lines_that_are_none_are_left_out),
        cmocka_unit_test(the_last_line_may_lack_its_newline),
        cmocka_unit_test(a_prefix_is_not_a_directory_above),
        cmocka_unit_test(a_later_mount_on_a_parent_hides_what_was_below),
        cmocka_unit_test(ids_in_a_circle_end),
        cmocka_unit_test(escapes_are_decoded_once),
        cmocka_unit_test(what_lies_behind_a_mount),
        cmocka_unit_test(values_of_options),
        cmocka_unit_test(what_is_wrong_with_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
