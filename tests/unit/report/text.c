#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/text.h"

static void expect_clean(const char *from, enum text_charset charset, size_t columns,
                         const char *to)
{
    char *clean = text_clean(from, charset, columns);
    assert_string_equal(clean, to);
    free(clean);
}

static void controls_never_reach_the_terminal(void **state)
{
    (void)state;
    expect_clean("plain", TEXT_UTF8, 0, "plain");
    expect_clean("a\033[31mb\n\t\r\x07\x7f", TEXT_UTF8, 0, "a\\x1b[31mb\\x0a\\x09\\x0d\\x07\\x7f");
    expect_clean("\xC2\x9B"
                 "1m",
                 TEXT_UTF8, 0, "\\xc2\\x9b1m"); /* C1: CSI in one byte */
    expect_clean("\xE2\x80\xAE"
                 "gpj",
                 TEXT_UTF8, 0, "\\u{202E}gpj"); /* right to left */
    expect_clean("a\xE2\x80\x8B"
                 "b\xEF\xBB\xBF\xC2\xAD",
                 TEXT_UTF8, 0, "a\\u{200B}b\\u{FEFF}\\u{AD}"); /* nobody sees them */
    expect_clean("\xE8\xBE\xBB\xF3\xA0\x84\x80", TEXT_UTF8, 0,
                 "\xE8\xBE\xBB\xF3\xA0\x84\x80"); /* a variant, as names have */
    expect_clean(
        "\xC0\xAF\xE0\x80\xAF\xED\xA0\x80\xF4\x90\x80\x80\xF9\x80\x80\x80", TEXT_UTF8, 0,
        "\\xc0\\xaf\\xe0\\x80\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xf9\\x80\\x80\\x80");
    expect_clean("\xFF\xC3", TEXT_UTF8, 0, "\\xff\\xc3");
    expect_clean("試験", TEXT_UTF8, 0, "試験");
    expect_clean("試験 x", TEXT_ASCII, 0, "?? x");
}

static void wide_characters_are_two_columns(void **state)
{
    (void)state;
    assert_int_equal(text_columns("abc"), 3);
    assert_int_equal(text_columns("試験"), 4);
    assert_int_equal(text_columns("e\xCC\x81"), 1); /* a combining accent */
    expect_clean("試験試験試験", TEXT_UTF8, 8, "試験...");
    expect_clean("試験試験試験", TEXT_UTF8, 12, "試験試験試験");
    expect_clean("abcdefgh", TEXT_UTF8, 7, "abcd...");
}

static void expect_print(const char *label, size_t indent, const char *text, size_t width,
                         const char *expected)
{
    char *made = NULL;
    size_t size;
    FILE *memory = open_memstream(&made, &size);
    text_print(memory, label, indent, text, width, "<", ">");
    fclose(memory);
    assert_string_equal(made, expected);
    free(made);
}

static void lines_are_broken_at_blanks(void **state)
{
    (void)state;
    expect_print("path", 8, "one two", 30, "<path>    one two\n");
    expect_print("path", 8, "one two three four", 20, "<path>    one two\n        three four\n");
    expect_print("verified", 8, "x", 30, "<verified> x\n");
    expect_print("", 0, "abcdefghij klm", 9, "<>abcdefghi\nj klm\n"); /* a word too long */
    expect_print("", 0, "試験 試験", 8, "<>試験\n試験\n");
}

static void texts_grow(void **state)
{
    (void)state;
    struct text text = {0};
    for (int i = 0; i < 1000; i++)
        text_add(&text, "%d,", i % 10);
    assert_int_equal(text.size, 2000);
    assert_int_equal(strlen(text.data), 2000);
    text_release(&text);
    assert_null(text.data);
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8"))
        puts("no locale C.UTF-8 here: widths by block");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(controls_never_reach_the_terminal),
        cmocka_unit_test(wide_characters_are_two_columns),
        cmocka_unit_test(lines_are_broken_at_blanks),
        cmocka_unit_test(texts_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
