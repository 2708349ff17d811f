#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "result/lines.h"

static struct lines lines;
static char path[64];

static void open_text(const char *text, size_t size)
{
    struct err err;
    snprintf(path, sizeof path, "/tmp/lines-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, size) == (ssize_t)size);
    close(fd);
    assert_int_equal(lines_open(&lines, path, &err), 0);
    unlink(path);
}

static void expect(const char *wanted, size_t wanted_size, bool wanted_whole)
{
    const char *line;
    size_t size;
    bool whole;
    struct err err;
    assert_int_equal(lines_next(&lines, &line, &size, &whole, &err), 1);
    assert_int_equal(size, wanted_size);
    assert_memory_equal(line, wanted, size);
    assert_int_equal(whole, wanted_whole);
}

static void expect_end(void)
{
    const char *line;
    size_t size;
    bool whole;
    struct err err;
    for (int i = 0; i < 2; i++)
        assert_int_equal(lines_next(&lines, &line, &size, &whole, &err), 0);
    assert_int_equal(lines_peek(&lines, &err), 0);
    lines_close(&lines);
}

static void whole_empty_and_cut_off(void **state)
{
    (void)state;
    struct err err;
    open_text("one\n\nthr\0e\nfour", 15);
    assert_int_equal(lines_peek(&lines, &err), 'o');
    assert_int_equal(lines_peek(&lines, &err), 'o');
    expect("one", 3, true);
    expect("", 0, true);
    expect("thr\0e", 5, true);
    assert_int_equal(lines_peek(&lines, &err), 'f');
    expect("four", 4, false);
    expect_end();
    open_text("", 0);
    assert_int_equal(lines_peek(&lines, &err), 0);
    expect_end();
    open_text("\n", 1);
    expect("", 0, true);
    expect_end();
}

/* Of sizes around those of the buffer, so that each boundary is met. */
static void longer_than_any_read(void **state)
{
    (void)state;
    static const size_t sizes[] = {262143, 1, 262144, 0, 262145, 1000000, 7, 524287, 524288};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    size_t total = 0;
    for (size_t i = 0; i < COUNT; i++)
        total += sizes[i] + 1;
    char *text = malloc(total), *at = text;
    for (size_t i = 0; i < COUNT; i++) {
        memset(at, (int)('a' + i), sizes[i]);
        at[sizes[i]] = '\n';
        at += sizes[i] + 1;
    }
    open_text(text, total - 1);
    at = text;
    for (size_t i = 0; i < COUNT; i++) {
        expect(at, sizes[i], i + 1 < COUNT);
        at += sizes[i] + 1;
    }
    expect_end();
    free(text);
}

/* A pipe gives a few bytes at a time, and has no size. */
static void from_a_pipe(void **state)
{
    (void)state;
    struct err err;
    snprintf(path, sizeof path, "/tmp/lines-%d", (int)getpid());
    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t writer = fork();
    if (writer == 0) {
        FILE *file = fopen(path, "w");
        for (int i = 0; file && i < 3; i++) {
            fprintf(file, "ab%dc", i);
            fflush(file);
            usleep(1000);
            fputs("d\n", file);
            fflush(file);
        }
        _exit(0);
    }
    assert_int_equal(lines_open(&lines, path, &err), 0);
    expect("ab0cd", 5, true);
    expect("ab1cd", 5, true);
    expect("ab2cd", 5, true);
    expect_end();
    unlink(path);
}

static void what_cannot_be_read(void **state)
{
    (void)state;
    const char *line;
    size_t size;
    bool whole;
    struct err err;
    assert_int_equal(lines_open(&lines, "/no/such/file", &err), -1);
    assert_non_null(strstr(err.text, "/no/such/file"));
    lines_close(&lines);
    assert_int_equal(lines_open(&lines, "/tmp", &err), 0);
    assert_int_equal(lines_peek(&lines, &err), -1);
    assert_non_null(strstr(err.text, "read of /tmp"));
    lines_close(&lines);
    assert_int_equal(lines_open(&lines, "/dev/zero", &err), 0); /* never ends */
    assert_int_equal(lines_next(&lines, &line, &size, &whole, &err), -1);
    assert_non_null(strstr(err.text, "longer than any record"));
    lines_close(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_empty_and_cut_off),
        cmocka_unit_test(longer_than_any_read),
        cmocka_unit_test(from_a_pipe),
        cmocka_unit_test(what_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
