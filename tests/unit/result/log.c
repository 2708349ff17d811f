#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "result/log.h"

static int enter(void **state)
{
    char *directory = strdup("/tmp/log-XXXXXX");
    *state = directory;
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    char *directory = *state, *command = fs_path("rm -rf '%s'", directory);
    int status = chdir("/") == 0 ? system(command) : -1;
    free(command);
    free(directory);
    return status;
}

static void each_record_is_a_line(void **state)
{
    (void)state;
    struct log *log;
    struct err err;
    assert_int_equal(log_create("結果.jsonl", &log, &err), 0);
    assert_string_equal(log_path(log), "結果.jsonl");
    assert_int_equal(log_write(log, json_pack("{s:s}", "record", "a\nb"), &err), 0);
    char *text = NULL;
    size_t size;
    assert_int_equal(fs_read("結果.jsonl", 4096, &text, &size, &err), 0); /* before close */
    assert_string_equal(text, "{\"record\":\"a\\nb\"}\n");
    free(text);
    assert_int_equal(log_write(log, json_pack("{s:i}", "n", 2), &err), 0);
    assert_int_equal(log_close(log, &err), 0);
    assert_int_equal(fs_read("結果.jsonl", 4096, &text, &size, &err), 0);
    assert_string_equal(text, "{\"record\":\"a\\nb\"}\n{\"n\":2}\n");
    free(text);
}

static void nothing_is_overwritten(void **state)
{
    (void)state;
    struct log *log;
    struct err err = {0};
    FILE *file = fopen("mine", "w");
    fputs("mine", file);
    fclose(file);
    assert_int_equal(log_create("mine", &log, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "mine"));
    assert_non_null(strstr(err.text, "-o"));
    assert_int_equal(symlink("nowhere", "link"), 0);
    assert_int_equal(log_create("link", &log, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_int_equal(access("nowhere", F_OK), -1);
    assert_int_equal(log_create("no/such/folder", &log, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "no/such/folder"));
}

static void default_names_count_on(void **state)
{
    (void)state;
    struct log *logs[3];
    struct err err;
    for (int i = 0; i < 3; i++)
        assert_int_equal(log_create(NULL, &logs[i], &err), 0);
    const char *first = log_path(logs[0]), *last = log_path(logs[2]);
    assert_int_equal(strncmp(first, "loadline-2", 10), 0);
    assert_int_equal(strlen(first), strlen("loadline-20260101-0914.jsonl"));
    assert_string_not_equal(log_path(logs[0]), log_path(logs[1]));
    assert_non_null(strstr(last, ".jsonl"));
    assert_int_equal(access(last, F_OK), 0);
    char *gone = strdup(last);
    log_discard(logs[2]);
    assert_int_equal(access(gone, F_OK), -1);
    free(gone);
    assert_int_equal(log_close(logs[0], &err), 0);
    assert_int_equal(log_close(logs[1], &err), 0);
}

static void a_full_disk_is_said(void **state)
{
    (void)state;
    struct log *log;
    struct err err = {0};
    if (access("/dev/full", W_OK) != 0)
        skip();
    /* O_EXCL refuses what is there, a device too. */
    assert_int_equal(log_create("/dev/full", &log, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_record_is_a_line, enter, leave),
        cmocka_unit_test_setup_teardown(nothing_is_overwritten, enter, leave),
        cmocka_unit_test_setup_teardown(default_names_count_on, enter, leave),
        cmocka_unit_test(a_full_disk_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
