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

static void a_narrow_table_leaves_out_what_matters_least(void **state)
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
    expect("0.5", 12,
           "        ms\n"
           "name    p99\n"
           "insert 12.5\n"
           "削除    3.1\n");
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
        cmocka_unit_test(a_narrow_table_leaves_out_what_matters_least),
        cmocka_unit_test(no_line_is_too_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
