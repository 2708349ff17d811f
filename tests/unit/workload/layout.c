#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/layout.h"

static void test_shared_table(void **state)
{
    const struct workload load = {.layout = LAYOUT_SHARED_TABLE, .streams = 7, .files = 3};
    (void)state;
    assert_int_equal(layout_files(&load), 3);
    assert_int_equal(layout_tables(&load), 3);
    assert_int_equal(layout_file_of_stream(&load, 5), 2);
    assert_int_equal(layout_table_of_stream(&load, 5), 2);
    assert_int_equal(layout_file_of_table(&load, 2), 2);
}

static void test_table_per_stream(void **state)
{
    const struct workload load = {.layout = LAYOUT_TABLE_PER_STREAM, .streams = 7, .files = 3};
    (void)state;
    assert_int_equal(layout_files(&load), 3);
    assert_int_equal(layout_tables(&load), 7);
    assert_int_equal(layout_file_of_stream(&load, 5), 2);
    assert_int_equal(layout_table_of_stream(&load, 5), 5);
    assert_int_equal(layout_file_of_table(&load, 5), 2);
}

static void test_file_per_stream(void **state)
{
    const struct workload load = {.layout = LAYOUT_FILE_PER_STREAM, .streams = 7, .files = 1};
    (void)state;
    assert_int_equal(layout_files(&load), 7);
    assert_int_equal(layout_tables(&load), 7);
    assert_int_equal(layout_file_of_stream(&load, 5), 5);
    assert_int_equal(layout_table_of_stream(&load, 5), 5);
    assert_int_equal(layout_file_of_table(&load, 5), 5);
}

/* Whatever the layout: a stream's table lies in the stream's file. */
static void test_they_agree(void **state)
{
    (void)state;
    for (unsigned layout = LAYOUT_SHARED_TABLE; layout <= LAYOUT_FILE_PER_STREAM; layout++)
        for (unsigned files = 1; files <= (layout == LAYOUT_FILE_PER_STREAM ? 1 : 10); files++) {
            const struct workload load = {
                .layout = (enum layout)layout, .streams = 10, .files = files};
            for (unsigned stream = 0; stream < load.streams; stream++) {
                unsigned table = layout_table_of_stream(&load, stream);
                assert_true(table < layout_tables(&load));
                assert_true(layout_file_of_stream(&load, stream) < layout_files(&load));
                assert_int_equal(layout_file_of_table(&load, table),
                                 layout_file_of_stream(&load, stream));
            }
        }
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(layout_name(LAYOUT_SHARED_TABLE), "shared-table");
    assert_string_equal(layout_name(LAYOUT_TABLE_PER_STREAM), "table-per-stream");
    assert_string_equal(layout_name(LAYOUT_FILE_PER_STREAM), "file-per-stream");
    assert_string_equal(phase_name(PHASE_INSERT), "insert");
    assert_string_equal(phase_name(PHASE_DELETE), "delete");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_table),    cmocka_unit_test(test_table_per_stream),
        cmocka_unit_test(test_file_per_stream), cmocka_unit_test(test_they_agree),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
