/* The forms part by part: markup, what is closed when, and texts that would be markup. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/sink.h"

struct made {
    FILE *out;
    char *text;
    size_t size;
    struct sink sink;
};

enum form { FORM_TEXT, FORM_MARKDOWN, FORM_HTML };

static void open_form(struct made *made, enum form form)
{
    *made = (struct made){0};
    made->out = open_memstream(&made->text, &made->size);
    assert_non_null(made->out);
    made->sink = form == FORM_TEXT       ? sink_text(made->out, 60, false)
                 : form == FORM_MARKDOWN ? sink_markdown(made->out)
                                         : sink_html(made->out);
}

static void finish(struct made *made)
{
    made->sink.form->finish(&made->sink);
    fclose(made->out);
}

static void expect(struct made *made, const char *text)
{
    finish(made);
    assert_string_equal(made->text, text);
    free(made->text);
}

static const struct table_column columns[] = {
    {"", "phase", TABLE_LEFT, 0, 0, TABLE_KEPT},
    {"rows/", "commit", TABLE_RIGHT, 1, 0, TABLE_KEPT},
    {"check-", "points", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
    {"ms", "p50", TABLE_RIGHT, 0, 1, TABLE_DROPPED},
    {"", "p99", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
    {"lock ms", "p50", TABLE_RIGHT, 0, 1, TABLE_DROPPED},
    {"", "p99", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static struct table *make_table(const char *first)
{
    const char *const rows[2][COLUMNS] = {{first, "1,000", "3", "1.18", "-", "-", "-"},
                                          {"delete", "1", "-", "-", "-", "-"}};
    struct table *table = table_create(columns, COLUMNS);
    table_keys(table, 1);
    for (size_t r = 0; r < 2; r++) {
        table_row(table);
        for (size_t c = 0; c < COLUMNS && rows[r][c]; c++)
            table_cell(table, rows[r][c]);
    }
    return table;
}

/* A report in small, with everything in it. */
static void write_all(struct sink *sink)
{
    static const char *const parts[] = {"loadline 1", "million"};
    const struct sink_form *form = sink->form;
    struct table *table = make_table("insert");
    form->section(sink, "Nothing", SINK_UNFOLDED);
    form->section(sink, "Drive", SINK_UNFOLDED);
    form->title(sink, parts, 2);
    form->fact(sink, "drive", 8, "sda");
    form->entry(sink, "A", "one", 5, "1.0 TB");
    form->gap(sink);
    form->finding(sink, "VERDICT", SINK_LOUD, "800 commits/s");
    form->point(sink, "limit", "flush");
    form->point(sink, "floor", "83%");
    form->finding(sink, "cost", SINK_CALM, "one");
    form->finding(sink, "", SINK_CALM, "another");
    form->finding(sink, "STEADY", SINK_CALM, "reached");
    form->point(sink, "window", "4,000");
    form->section(sink, "Drive", SINK_UNFOLDED); /* the same goes on */
    form->finding(sink, "smart", SINK_CALM, "host wrote");
    form->section(sink, "Tables", SINK_FOLDED);
    form->caption(sink, "insert");
    form->fact(sink, "    1", 8, "4 streams");
    form->table(sink, "name", table);
    form->note(sink, "an upper bound");
    form->heading(sink, "more");
    form->table(sink, "name", table);
    form->block(sink, "##\n<>\n");
    table_destroy(table);
}

static void text(void **state)
{
    (void)state;
    struct made made;
    open_form(&made, FORM_TEXT);
    write_all(&made.sink);
    expect(&made, "loadline 1  million\n"
                  "drive   sda\n"
                  "A  one    1.0 TB\n"
                  "\n"
                  "VERDICT  800 commits/s\n"
                  "  limit     flush\n"
                  "  floor     83%\n"
                  "cost     one\n"
                  "         another\n"
                  "STEADY   reached\n"
                  "  window    4,000\n"
                  "smart    host wrote\n"
                  "insert\n"
                  "    1   4 streams\n"
                  "         rows/  check-      ms\n"
                  "phase   commit  points   p50  p99\n"
                  "insert   1,000       3  1.18    -\n"
                  "delete       1       -     -    -\n"
                  "note    an upper bound\n"
                  "more\n"
                  "         rows/  check-      ms\n"
                  "phase   commit  points   p50  p99\n"
                  "insert   1,000       3  1.18    -\n"
                  "delete       1       -     -    -\n"
                  "##\n<>\n");
}

static void markdown(void **state)
{
    (void)state;
    struct made made;
    open_form(&made, FORM_MARKDOWN);
    write_all(&made.sink);
    expect(&made, "### Drive\n\n"
                  "## loadline 1 \xC2\xB7 million\n\n"
                  "- **drive** sda\n"
                  "- **A** one, 1.0 TB\n\n"
                  "**VERDICT 800 commits/s**\n\n"
                  "- **limit** flush\n"
                  "- **floor** 83%\n"
                  "- **cost** one\n"
                  "  - another\n"
                  "- **STEADY** reached\n"
                  "  - **window** 4,000\n"
                  "- **smart** host wrote\n\n"
                  "<details><summary>Tables</summary>\n\n"
                  "- **1** 4 streams\n\n"
                  "**insert**\n\n"
                  "| phase | rows/commit | checkpoints | ms p50 | ms p99 |\n"
                  "|---|--:|--:|--:|--:|\n"
                  "| insert | 1,000 | 3 | 1.18 | - |\n"
                  "| delete | 1 | - | - | - |\n\n"
                  "an upper bound\n\n"
                  "#### more\n\n"
                  "**name**\n\n"
                  "| phase | rows/commit | checkpoints | ms p50 | ms p99 |\n"
                  "|---|--:|--:|--:|--:|\n"
                  "| insert | 1,000 | 3 | 1.18 | - |\n"
                  "| delete | 1 | - | - | - |\n\n"
                  "```text\n##\n<>\n```\n\n"
                  "</details>\n");
}

#define HTML_TABLE                                                                                 \
    "<thead>\n<tr><th scope=\"col\" rowspan=\"2\">phase</th>"                                      \
    "<th scope=\"col\" rowspan=\"2\" class=\"n\">rows/commit</th>"                                 \
    "<th scope=\"col\" rowspan=\"2\" class=\"n\">checkpoints</th>"                                 \
    "<th scope=\"colgroup\" colspan=\"2\">ms</th></tr>\n"                                          \
    "<tr><th scope=\"col\" class=\"n\">p50</th><th scope=\"col\" class=\"n\">p99</th></tr>\n"      \
    "</thead>\n<tbody>\n"                                                                          \
    "<tr><td>insert</td><td class=\"n\">1,000</td><td class=\"n\">3</td>"                          \
    "<td class=\"n\">1.18</td><td class=\"n\">-</td></tr>\n"                                       \
    "<tr><td>delete</td><td class=\"n\">1</td><td class=\"n\">-</td>"                              \
    "<td class=\"n\">-</td><td class=\"n\">-</td></tr>\n"                                          \
    "</tbody>\n</table></div>\n"

static void html(void **state)
{
    (void)state;
    struct made made;
    open_form(&made, FORM_HTML);
    write_all(&made.sink);
    expect(&made,
           "<h2>Drive</h2>\n"
           "<dl class=\"facts\">\n"
           "<dt>run</dt><dd>loadline 1 \xC2\xB7 million</dd>\n"
           "<dt>drive</dt><dd>sda</dd>\n"
           "<dt>A</dt><dd>one, 1.0 TB</dd>\n"
           "</dl>\n"
           "<ul class=\"findings\">\n"
           "<li class=\"finding loud\"><b class=\"label\">VERDICT</b> <span>800 commits/s</span>\n"
           "<ul class=\"points\">\n"
           "<li><b class=\"label\">limit</b> <span>flush</span></li>\n"
           "<li><b class=\"label\">floor</b> <span>83%</span></li>\n"
           "</ul></li>\n"
           "<li class=\"finding\"><b class=\"label\">cost</b> <span>one</span></li>\n"
           "<li class=\"finding more\"><b class=\"label\"></b> <span>another</span></li>\n"
           "<li class=\"finding\"><b class=\"label\">STEADY</b> <span>reached</span>\n"
           "<ul class=\"points\">\n"
           "<li><b class=\"label\">window</b> <span>4,000</span></li>\n"
           "</ul></li>\n"
           "<li class=\"finding\"><b class=\"label\">smart</b> <span>host wrote</span></li>\n"
           "</ul>\n"
           "<h2>Tables</h2>\n"
           "<dl class=\"facts\">\n"
           "<dt>1</dt><dd>4 streams</dd>\n"
           "</dl>\n"
           "<div class=\"scroll\"><table>\n<caption>insert</caption>\n" HTML_TABLE
           "<p class=\"note\">an upper bound</p>\n"
           "<h3>more</h3>\n"
           "<div class=\"scroll\"><table>\n<caption>name</caption>\n" HTML_TABLE
           "<pre>##\n&lt;&gt;\n</pre>\n");
}

/* ---- texts that would be markup ---- */

static const char *const hostile[] = {
    "</script><script>alert(1)</script>",
    "\" onload='x' a=\"",
    "</td></table><h1>",
    "a|b|c",
    "`x` ```",
    "line\nbreak\r\n\n# heading",
    "@all #1 https://example.com",
    "&lt;b&gt; &#60;",
    "\xE2\x80\xAEgpj.exe\xE2\x80\x8B\xEF\xBB\xBF",
    "\xFF\xFE\xC0\xAF\xED\xA0\x80",
    "\x1b]0;title\x07",
    "<!-- --> ]]> <![CDATA[",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static void write_hostile(struct sink *sink, const char *text)
{
    struct table *table = make_table(text);
    sink->form->section(sink, "Section", SINK_FOLDED);
    sink->form->title(sink, &text, 1);
    sink->form->fact(sink, text, 8, text);
    sink->form->entry(sink, text, text, 5, text);
    sink->form->finding(sink, text, SINK_LOUD, text);
    sink->form->finding(sink, text, SINK_CALM, text);
    sink->form->point(sink, text, text);
    sink->form->note(sink, text);
    sink->form->heading(sink, text);
    sink->form->caption(sink, text);
    sink->form->table(sink, text, table);
    table_destroy(table);
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        found++;
    return found;
}

static void assert_visible(const char *text)
{
    char *clean = text_clean(text, TEXT_UTF8, 0);
    size_t lines = count(text, "\n"), shown = count(clean, "\\x0a") - count(text, "\\x0a");
    if (strlen(clean) != strlen(text) + 3 * lines || shown != lines)
        fail_msg("not everything can be seen: %s", clean);
    free(clean);
}

static void nothing_in_a_text_is_html(void **state)
{
    (void)state;
    struct made plain, made;
    open_form(&plain, FORM_HTML);
    write_hostile(&plain.sink, "plain");
    finish(&plain);
    for (size_t i = 0; i < HOSTILE; i++) {
        open_form(&made, FORM_HTML);
        write_hostile(&made.sink, hostile[i]);
        finish(&made);
        assert_visible(made.text);
        assert_int_equal(count(made.text, "<"), count(plain.text, "<"));
        assert_int_equal(count(made.text, ">"), count(plain.text, ">"));
        assert_int_equal(count(made.text, "\""), count(plain.text, "\""));
        assert_int_equal(count(made.text, "\n"), count(plain.text, "\n"));
        free(made.text);
    }
    free(plain.text);
}

/* Lines and bars are as many as of a plain text; escaped ones are not counted. */
static void nothing_in_a_text_is_markdown(void **state)
{
    (void)state;
    struct made plain, made;
    open_form(&plain, FORM_MARKDOWN);
    write_hostile(&plain.sink, "plain");
    finish(&plain);
    for (size_t i = 0; i < HOSTILE; i++) {
        open_form(&made, FORM_MARKDOWN);
        write_hostile(&made.sink, hostile[i]);
        finish(&made);
        assert_visible(made.text);
        assert_int_equal(count(made.text, "\n"), count(plain.text, "\n"));
        assert_int_equal(count(made.text, "|") - count(made.text, "\\|"), count(plain.text, "|"));
        assert_null(strstr(made.text, " @all"));
        assert_null(strstr(made.text, " #1"));
        assert_null(strstr(made.text, " https"));
        free(made.text);
    }
    free(plain.text);
}

static void long_texts(void **state)
{
    (void)state;
    enum { SIZE = 10000 };
    char *letters = malloc(SIZE + 1);
    assert_non_null(letters);
    memset(letters, 'x', SIZE);
    letters[SIZE] = '\0';
    for (int form = FORM_TEXT; form <= FORM_HTML; form++) {
        struct made made;
        open_form(&made, (enum form)form);
        write_hostile(&made.sink, letters);
        finish(&made);
        assert_true(made.size > SIZE);
        free(made.text);
    }
    free(letters);
}

/* A fence that the text cannot close. */
static void a_block_of_backticks(void **state)
{
    (void)state;
    struct made made;
    open_form(&made, FORM_MARKDOWN);
    made.sink.form->block(&made.sink, "```\n````\n");
    expect(&made, "`````text\n```\n````\n`````\n");
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8")) {
        puts("skipped: there is no locale C.UTF-8 here");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(markdown),
        cmocka_unit_test(html),
        cmocka_unit_test(nothing_in_a_text_is_html),
        cmocka_unit_test(nothing_in_a_text_is_markdown),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(a_block_of_backticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
