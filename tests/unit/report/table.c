#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/table.h"

static const struct table_column columns[] = {
    {"", "name", TABLE_LEFT, 0, 0, TABLE_KEPT},
    {"rows/", "commit", TABLE_RIGHT, 1, 0, TABLE_KEPT},
    {"ms", "p50", TABLE_RIGHT, 2, 1, TABLE_KEPT},
    {"", "p99", TABLE_RIGHT, 0, 0, TABLE_KEPT},
    {"", "lock", TABLE_RIGHT, 3, 0, TABLE_DROPPED},
};

static char *print(const char *lock, size_t width)
{
    struct table *table = table_create(columns, 5);
    const char *const rows[2][5] = {{"insert", "1,000", "1.18", "12.5", lock},
                                    {"削除", "1", "-", "3.1", "-"}};
    for (size_t r = 0; r < 2; r++) {
        table_row(table);
        for (size_t c = 0; c < 5; c++)
            table_cell(table, rows[r][c]);
    }
    char *made = NULL;
    size_t size;
    FILE *memory = open_memstream(&made, &size);
    table_print(table, memory, width);
    fclose(memory);
    table_destroy(table);
    return made;
}

static void expect(const char *lock, size_t width, const char *expected)
{
    char *made = print(lock, width);
    assert_string_equal(made, expected);
    free(made);
}

static void columns_line_up(void **state)
{
    (void)state;
    expect("-", 40,
           "         rows/      ms\n"
           "name    commit   p50   p99\n"
           "insert   1,000  1.18  12.5\n"
           "削除         1     -   3.1\n");
    expect("0.5", 40,
           "         rows/      ms\n"
           "name    commit   p50   p99  lock\n"
           "insert   1,000  1.18  12.5   0.5\n"
           "削除         1     -   3.1     -\n");
}

static void a_narrow_table_leaves_out_what_is_shown_elsewhere(void **state)
{
    (void)state;
    expect("0.5", 30,
           "        rows/     ms\n"
           "name   commit  p50  p99 lock\n"
           "insert  1,000 1.18 12.5  0.5\n"
           "削除        1    -  3.1    -\n");
    expect("0.5", 24,
           "        rows/     ms\n"
           "name   commit  p50  p99\n"
           "insert  1,000 1.18 12.5\n"
           "削除        1    -  3.1\n");
}

static const struct table_column kept[] = {
    {"", "name", TABLE_LEFT, 0, 0, TABLE_KEPT},
    {"rows/", "commit", TABLE_RIGHT, 0, 0, TABLE_KEPT},
    {"lock wait ms", "p50", TABLE_RIGHT, 0, 1, TABLE_DROPPED},
    {"", "p99", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
    {"", "Jain", TABLE_RIGHT, 0, 0, TABLE_DROPPED},
};

static void expect_kept(const char *const cells[5], size_t width, const char *expected)
{
    struct table *table = table_create(kept, 5);
    table_keys(table, 1);
    table_row(table);
    for (size_t c = 0; c < 5; c++)
        table_cell(table, cells[c]);
    char *made = NULL;
    size_t size;
    FILE *memory = open_memstream(&made, &size);
    table_print(table, memory, width);
    fclose(memory);
    table_destroy(table);
    assert_string_equal(made, expected);
    free(made);
}

/* Below itself, behind its key columns, with columns of one heading together. */
static void what_is_shown_nowhere_else_goes_on_below(void **state)
{
    (void)state;
    static const char *const cells[] = {"insert", "1,000", "1.18", "12.5", "0.98"};
    expect_kept(cells, 40,
                "         rows/  lock wait ms\n"
                "name    commit    p50    p99  Jain\n"
                "insert   1,000   1.18   12.5  0.98\n");
    expect_kept(cells, 24,
                "         rows/\n"
                "name    commit\n"
                "insert   1,000\n"
                "\n"
                "        lock wait ms\n"
                "name      p50    p99\n"
                "insert   1.18   12.5\n"
                "\n"
                "name    Jain\n"
                "insert  0.98\n");
}

/* A percentile that is not known says so where its neighbour is. */
static void columns_of_one_heading_are_dropped_together(void **state)
{
    (void)state;
    static const char *const half[] = {"insert", "1", "1.18", "-", "-"};
    static const char *const none[] = {"insert", "1", "-", "-", "0.5"};
    expect_kept(half, 40,
                "         rows/  lock wait ms\n"
                "name    commit    p50    p99\n"
                "insert       1   1.18      -\n");
    expect_kept(none, 40,
                "         rows/\n"
                "name    commit  Jain\n"
                "insert       1   0.5\n");
}

static void no_line_is_too_wide(void **state)
{
    (void)state;
    struct table *table = table_create(columns, 1);
    table_row(table);
    table_cell(table, "a name that is far wider than the line");
    char *made = NULL;
    size_t size;
    FILE *memory = open_memstream(&made, &size);
    table_print(table, memory, 12);
    fclose(memory);
    assert_string_equal(made, "name\na name th...\n");
    free(made);
    table_destroy(table);
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8")) {
        puts("skipped: there is no locale C.UTF-8 here");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_line_up),
        cmocka_unit_test(a_narrow_table_leaves_out_what_is_shown_elsewhere),
        cmocka_unit_test(what_is_shown_nowhere_else_goes_on_below),
        cmocka_unit_test(columns_of_one_heading_are_dropped_together),
        cmocka_unit_test(no_line_is_too_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
