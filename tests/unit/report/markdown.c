#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/markdown.h"

static void expect(enum markdown_place place, const char *from, const char *to)
{
    struct text text = {0};
    text_add(&text, "%s", "");
    markdown_add(&text, place, from);
    assert_string_equal(text.data, to);
    text_release(&text);
}

static void inside(const char *from, const char *to)
{
    expect(MARKDOWN_INSIDE, from, to);
}

static void words_stay_as_they_are(void **state)
{
    (void)state;
    inside("798 flushed commits/s at 1 stream, p99 2.75 ms",
           "798 flushed commits/s at 1 stream, p99 2.75 ms");
    inside("(3.00-3.13), r 1.00; 84% of write+fdatasync",
           "(3.00-3.13), r 1.00; 84% of write+fdatasync");
    inside("試験 A号", "試験 A号");
    inside("", "");
}

static void markup_is_escaped(void **state)
{
    (void)state;
    inside("**bold** _x_ `code`", "\\*\\*bold\\*\\* \\_x\\_ \\`code\\`");
    inside("[text](address) ![image](x)", "\\[text\\](address) !\\[image\\](x)");
    inside("<b>&amp;</b>", "\\<b>\\&amp;\\</b>");
    inside("a|b \\| c", "a\\|b \\\\\\| c");
    inside("~~gone~~", "\\~\\~gone\\~\\~");
    inside("rows_per_commit", "rows\\_per\\_commit");
}

/* Sites link these even where Markdown leaves them alone. */
static void what_a_site_takes_up_is_code(void **state)
{
    (void)state;
    inside("as #12 (4 streams)", "as `#12` (4 streams)");
    inside("by @somebody, soon", "by `@somebody`, soon");
    inside("(see https://example.com/a_b).", "(see `https://example.com/a_b`).");
    inside("www.example.com", "`www.example.com`");
    inside("a@example.com", "`a@example.com`");
    inside("GH-7 gh-8 GH-x", "`GH-7` `gh-8` GH-x");
    inside(":smile: 10:30", "`:smile`: 10:30");
    inside("$x$", "`$x$`");
    inside("0123456789abcdef 5f3a 123456 1,024,000", "`0123456789abcdef` 5f3a 123456 1,024,000");
    inside("loadline-20261201-0914", "`loadline-20261201-0914`");
}

/* A span ends at its first backtick, a cell at its first bar: both stand between spans. */
static void code_cannot_be_left(void **state)
{
    (void)state;
    inside("@a`b|c\\d", "`@a`\\``b`\\|`c`\\\\`d`");
    inside("`@`", "\\``@`\\`");
}

static void a_line_begins_nothing(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"- x", "\\- x"},     {"+ x", "\\+ x"},     {"--- x", "\\--- x"},
        {"1. x", "1\\. x"},   {"12) x", "12\\) x"}, {"1.00 flushes", "1.00 flushes"},
        {"> x", "\\> x"},     {"=== x", "\\=== x"}, {"-1.5", "-1.5"},
        {"  - x  ", "\\- x"}, {"# x", "`#` x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(MARKDOWN_START, cases[i][0], cases[i][1]);
    inside("- ", "-"); /* a cell that is not known */
}

static void controls_are_shown(void **state)
{
    (void)state;
    inside("a\nb\r\t\x1b", "a\\\\x0ab\\\\x0d\\\\x09\\\\x1b");
    inside("\xE2\x80\xAE"
           "gpj",
           "\\\\u{202E}gpj");
    inside("\xFF\xC3(", "\\\\xff\\\\xc3(");
}

/* Whatever it is, no markup is left of it. */
static void long_texts_are_no_trouble(void **state)
{
    (void)state;
    enum { SIZE = 10000 };
    char *long_text = malloc(SIZE + 1);
    assert_non_null(long_text);
    memset(long_text, '`', SIZE);
    long_text[SIZE] = '\0';
    struct text text = {0};
    markdown_add(&text, MARKDOWN_START, long_text);
    assert_int_equal(text.size, 2 * SIZE);
    text_release(&text);
    memset(long_text, 'x', SIZE);
    markdown_add(&text, MARKDOWN_START, long_text);
    assert_int_equal(text.size, SIZE);
    text_release(&text);
    free(long_text);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_stay_as_they_are),       cmocka_unit_test(markup_is_escaped),
        cmocka_unit_test(what_a_site_takes_up_is_code), cmocka_unit_test(code_cannot_be_left),
        cmocka_unit_test(a_line_begins_nothing),        cmocka_unit_test(controls_are_shown),
        cmocka_unit_test(long_texts_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
