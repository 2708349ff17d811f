/* Workloads that come with loadline and those of a person. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "cli/workload_file.h"

static void finds_what_comes_with_it(void **state)
{
    (void)state;
    struct workload_file file;
    struct err err = {.kind = ERR_NONE};

    assert_int_equal(workload_file_read("million", &file, &err), 0);
    assert_string_equal(file.name, "million");
    assert_int_equal(file.size, strlen(file.text));
    assert_non_null(strstr(file.text, "[part bulk]"));
    workload_file_release(&file);
}

static void says_which_there_are(void **state)
{
    (void)state;
    struct workload_file file;
    struct err err = {.kind = ERR_NONE};

    assert_int_equal(workload_file_read("milion", &file, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "'milion'"));
    for (const struct embedded *e = embedded_workloads; e->name != NULL; e++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(strlen(e->name) - 4), e->name);
        assert_non_null(strstr(err.text, name));
    }
    workload_file_release(&file);
}

static void takes_a_slash_or_ini_for_a_path(void **state)
{
    (void)state;
    static const char *const words[] = {"./million", "million.ini", "no/where.ini"};

    for (size_t i = 0; i < 3; i++) {
        struct workload_file file;
        struct err err = {.kind = ERR_NONE};
        assert_int_equal(workload_file_read(words[i], &file, &err), -1);
        assert_int_equal(err.kind, ERR_USAGE);
        assert_non_null(strstr(err.text, words[i]));
        workload_file_release(&file);
    }
}

static void reads_a_file_and_names_it(void **state)
{
    (void)state;
    char directory[] = "/var/tmp/loadline-test-XXXXXX", path[128];
    struct workload_file file;
    struct err err = {.kind = ERR_NONE};

    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/日本 a.ini", directory);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("rows = 1\n", out);
    fclose(out);
    assert_int_equal(workload_file_read(path, &file, &err), 0);
    unlink(path);
    rmdir(directory);
    assert_string_equal(file.name, "日本 a");
    assert_string_equal(file.origin, path);
    assert_string_equal(file.text, "rows = 1\n");
    workload_file_release(&file);
}

static void reads_the_comments_at_the_top_only(void **state)
{
    (void)state;
    struct workload_about about;

    workload_file_about("# What?\r\n#Time: 5 s\n#\n# Writes: 1 MB\n\n# Time: 9 h\n", &about);
    assert_string_equal(about.answers, "What?");
    assert_string_equal(about.time, "5 s");
    assert_string_equal(about.writes, "1 MB");
    workload_file_about("rows = 1\n", &about);
    assert_string_equal(about.answers, "");
    workload_file_about("# no end", &about);
    assert_string_equal(about.answers, "no end");
}

static void each_that_comes_with_it_says_all_three(void **state)
{
    (void)state;
    size_t count = 0;

    for (const struct embedded *e = embedded_workloads; e->name != NULL; e++, count++) {
        struct workload_about about;
        workload_file_about(e->text, &about);
        if (about.answers[0] == '\0' || about.time[0] == '\0' || about.writes[0] == '\0')
            fail_msg("%s does not say what it answers, how long it takes, what it writes", e->name);
    }
    assert_true(count >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_comes_with_it),
        cmocka_unit_test(says_which_there_are),
        cmocka_unit_test(takes_a_slash_or_ini_for_a_path),
        cmocka_unit_test(reads_a_file_and_names_it),
        cmocka_unit_test(reads_the_comments_at_the_top_only),
        cmocka_unit_test(each_that_comes_with_it_says_all_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
