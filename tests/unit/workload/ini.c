#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/ini.h"

/* Everything that was called, as one text: "LINE SECTION|KEY|VALUE;". */
struct calls {
    char text[1024];
    unsigned stop_at;
};

static int note(void *ctx, const struct ini_entry *entry, struct err *err)
{
    struct calls *calls = ctx;
    size_t used = strlen(calls->text);
    if (entry->line == calls->stop_at)
        return err_set(err, ERR_FAILED, "stopped");
    snprintf(calls->text + used, sizeof calls->text - used, "%u %s|%s|%s;", entry->line,
             entry->section, entry->key != NULL ? entry->key : "",
             entry->value != NULL ? entry->value : "");
    return 0;
}

static void check_read(const char *text, const char *expected)
{
    struct calls calls = {.text = ""};
    struct err err = {0};
    if (ini_read(text, strlen(text), "x.ini", note, &calls, &err) != 0)
        fail_msg("%s", err.text);
    assert_string_equal(calls.text, expected);
}

static void check_refused_bytes(const char *text, size_t size, const char *sentence)
{
    struct calls calls = {.text = ""};
    struct err err = {0};
    assert_int_equal(ini_read(text, size, "x.ini", note, &calls, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, sentence);
}

static void check_refused(const char *text, const char *sentence)
{
    check_refused_bytes(text, strlen(text), sentence);
}

static void test_reads(void **state)
{
    (void)state;
    check_read("", "");
    check_read("\n\n  \n# x\n; y\n", "");
    check_read("[workload]\nrows = 1\n", "1 workload||;2 workload|rows|1;");
    check_read("[workload]\r\nrows=1\r\n", "1 workload||;2 workload|rows|1;");
    check_read("\xEF\xBB\xBF[a]\nb = 1", "1 a||;2 a|b|1;"); /* byte order mark, no last newline */
    check_read("  [ part  一行 ]  # c\n\tk\t=\tv w \t; c\n", "1 part  一行||;2 part  一行|k|v w;");
    check_read("[a]\nb = x#y;z # c\n", "1 a||;2 a|b|x#y;z;");
    check_read("[a]\nb = \"x # y, z\" # c\n", "1 a||;2 a|b|\"x # y, z\";");
    check_read("[a]\nb = c = d\n", "1 a||;2 a|b|c = d;");
    check_read("b = 1\n", "1 |b|1;");
}

static void test_refuses(void **state)
{
    (void)state;
    check_refused("[a]\nrows\n", "x.ini:2: 'rows' is neither [section] nor key = value");
    check_refused("[a]\n\n = 1\n", "x.ini:3: there is no key before the =");
    check_refused("[a]\nb = # c\n", "x.ini:2: b has no value; write one, or remove the line");
    check_refused("[a\n", "x.ini:1: a section line is [NAME] and nothing else");
    check_refused("[a] b\n", "x.ini:1: a section line is [NAME] and nothing else");
    check_refused("[a[b]\n", "x.ini:1: a section line is [NAME] and nothing else");
    check_refused("[ ]\n", "x.ini:1: the section has no name; write [workload], for example");
    check_refused("[a]\nb = \"c\n", "x.ini:2: a quote is not closed on its line");
    check_refused("[a]\nb = \xFF\n", "x.ini:2: the line is not UTF-8; save the file as UTF-8");
    check_refused_bytes("[a]\nb\0c = 1\n", 12,
                        "x.ini:2: the line holds a control character; this must be a text file");
    check_refused("[a]\nb = 1\rc = 2\n",
                  "x.ini:2: the line holds a control character; this must be a text file");
}

static void test_stops(void **state)
{
    struct calls calls = {.text = "", .stop_at = 3};
    struct err err = {0};
    const char *text = "[a]\nb = 1\nc = 2\nd = 3\n";
    (void)state;
    assert_int_equal(ini_read(text, strlen(text), "x.ini", note, &calls, &err), -1);
    assert_string_equal(calls.text, "1 a||;2 a|b|1;");
    assert_string_equal(err.text, "stopped");
}

static void test_long_lines(void **state)
{
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + 16);
    struct calls calls = {.text = ""};
    struct err err = {0};
    (void)state;
    size_t used = (size_t)snprintf(text, 16, "[a]\nb = ");
    memset(text + used, 'x', LENGTH);
    assert_int_equal(ini_read(text, used + LENGTH, "x.ini", note, &calls, &err), 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_long_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
