#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"

static char folder[] = "/tmp/loadline-fs-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void test_real_path(void **state)
{
    struct err err = {0};
    char *file = fs_path("%s/寿 #x", folder);
    char *link = fs_path("%s/link", folder);
    (void)state;
    assert_int_equal(mkdir(file, 0700), 0);
    assert_int_equal(symlink(file, link), 0);
    char *real = fs_real_path(link, &err);
    assert_non_null(real);
    char *expected = realpath(file, NULL);
    assert_string_equal(real, expected);
    free(expected);
    free(real);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(file), 0);
    assert_null(fs_real_path(file, &err));
    assert_int_equal(err.kind, ERR_REFUSED);
    char *sentence = fs_path("%s does not exist", file);
    assert_string_equal(err.text, sentence);
    free(sentence);
    free(link);
    free(file);
}

static void test_space_and_sync(void **state)
{
    struct err err = {0};
    uint64_t free_bytes, total_bytes;
    (void)state;
    assert_int_equal(fs_space(folder, &free_bytes, &total_bytes, &err), 0);
    assert_true(total_bytes > 0 && free_bytes <= total_bytes);
    assert_int_equal(fs_sync(folder, &err), 0);
    assert_int_equal(fs_sync("/nowhere", &err), -1);
    assert_int_equal(fs_space("/nowhere", &free_bytes, &total_bytes, &err), -1);
    assert_string_equal(err.text, "free space of /nowhere: No such file or directory");
}

static void test_kind(void **state)
{
    struct err err = {0};
    char kind[32];
    (void)state;
    assert_int_equal(fs_kind("/proc", kind, &err), 0);
    assert_string_equal(kind, "proc");
    assert_int_equal(fs_kind("/sys", kind, &err), 0);
    assert_string_equal(kind, "sysfs");
    assert_int_equal(fs_kind("/dev/shm", kind, &err), 0);
    assert_string_equal(kind, "tmpfs");
    assert_int_equal(fs_kind("/nowhere", kind, &err), -1);
    assert_true(fs_kind_is_memory("tmpfs") && fs_kind_is_memory("ramfs"));
    assert_true(fs_kind_is_memory("proc") && !fs_kind_is_memory("ext4"));
    assert_true(fs_kind_is_network("nfs") && fs_kind_is_network("cifs"));
    assert_true(!fs_kind_is_network("xfs") && !fs_kind_is_network("0x1234"));
    assert_true(!fs_kind_is_memory("nfs") && !fs_kind_is_memory("0x1234"));
}

static void test_read(void **state)
{
    struct err err = {0};
    char *file = fs_path("%s/file", folder);
    char *text;
    size_t size;
    FILE *out = fopen(file, "w");
    (void)state;
    for (int i = 0; i < 10000; i++)
        fputc('a' + i % 26, out);
    fclose(out);
    assert_int_equal(fs_read(file, 10000, &text, &size, &err), 0);
    assert_int_equal(size, 10000);
    assert_int_equal(strlen(text), 10000);
    assert_int_equal(text[9999], 'a' + 9999 % 26);
    free(text);
    assert_int_equal(fs_read(file, 9999, &text, &size, &err), -1);
    assert_int_equal(err.kind, ERR_FAILED);
    assert_null(text);
    assert_int_equal(fs_read(file, 1 << 20, &text, &size, &err), 0);
    assert_int_equal(size, 10000);
    free(text);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(fs_read(file, 10, &text, &size, &err), -1);
    assert_int_equal(fs_read(folder, 10, &text, &size, &err), -1);
    assert_non_null(strstr(err.text, "Is a directory"));
    assert_int_equal(fs_read("/proc/self/mountinfo", 1 << 20, &text, &size, &err), 0);
    assert_true(size > 0);
    free(text);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_path),
        cmocka_unit_test(test_space_and_sync),
        cmocka_unit_test(test_kind),
        cmocka_unit_test(test_read),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
