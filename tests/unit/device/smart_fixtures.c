/* Every capture of smart/: all columns of expected.tsv, by the names of the JSON that is printed.
 */
#include "fixture.h"

#include "device/smart.h"

enum { COLUMNS_MAX = 32 };

struct table {
    char *columns[COLUMNS_MAX];
    size_t count;
};

static bool complete;

static void split(char *line, struct table *row)
{
    row->count = 0;
    for (char *cell; (cell = strsep(&line, "\t")) != NULL && row->count < COLUMNS_MAX;)
        row->columns[row->count++] = cell;
}

/* Columns about the capture and not about the drive. */
static bool is_remark(const char *column)
{
    return strcmp(column, "file") == 0 || strcmp(column, "also_acceptable") == 0 ||
           strcmp(column, "trap") == 0 || strcmp(column, "source") == 0;
}

static char *shown(const json_t *value)
{
    if (value == NULL)
        return fs_path("(no such member)");
    if (json_is_string(value))
        return fs_path("%s", json_string_value(value));
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    assert_non_null(text);
    return text;
}

static void check_row(const char *folder, const struct table *head, const struct table *row)
{
    size_t size;
    char *text = fixture_text(folder, row->columns[0], &size);
    struct smart smart;
    struct err err;
    smart_parse(text, size, SMART_ANONYMOUS, &smart, &err);
    json_t *json = smart_json(&smart);
    for (size_t i = 0; i < head->count; i++) {
        if (is_remark(head->columns[i]))
            continue;
        char *got = shown(json_object_get(json, head->columns[i]));
        const char *want = row->columns[i][0] ? row->columns[i] : "null";
        if (strcmp(got, want) != 0)
            fail_msg("%s: %s is %s, not %s", row->columns[0], head->columns[i], got, want);
        free(got);
    }
    json_decref(json);
    free(text);
}

static int check_folder(const char *folder)
{
    size_t size;
    char *text = fixture_text(folder, "expected.tsv", &size), *rest = text;
    struct table head, row;
    int rows = 0;
    split(strsep(&rest, "\n"), &head);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (line[0] == 0)
            continue;
        split(line, &row);
        assert_int_equal(row.count, head.count);
        check_row(folder, &head, &row);
        rows++;
    }
    free(text);
    return rows;
}

static void every_capture_reads_as_expected(void **state)
{
    (void)state;
    char *shared = fixture_shared("smart");
    complete = shared != NULL;
    assert_true(check_folder(TESTS_DIR "/fixtures/device/smart") > 0);
    if (complete)
        assert_true(check_folder(shared) > 0);
    free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_capture_reads_as_expected)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed ? failed : complete ? 0 : FIXTURE_SKIPPED;
}
