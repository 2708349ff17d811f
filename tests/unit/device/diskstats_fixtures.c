/* Every capture of diskstats/: which lines are rows, and every number on them. */
#include "fixture.h"

#include "device/diskstats.h"

static bool complete;

static const char *const keys[DISK_FIELDS] = {
    "reads", "rmerges", "rsectors", "rms",     "writes",   "wmerges", "wsectors", "wms", "inflight",
    "io_ms", "wio_ms",  "discards", "dmerges", "dsectors", "dms",     "flushes",  "fms"};

/* The number that a person is shown; in flight is never below 0. */
static void check_row(const struct diskstats *row, const json_t *expected)
{
    assert_string_equal(row->name, json_string_value(json_object_get(expected, "name")));
    const json_t *major = json_object_get(expected, "major");
    if (major != NULL) {
        assert_true(row->major == json_number_value(major));
        assert_true(row->minor == json_number_value(json_object_get(expected, "minor")));
    }
    for (unsigned f = 0; f < DISK_FIELDS; f++) {
        const json_t *value = json_object_get(expected, keys[f]);
        if (value == NULL || json_is_null(value)) {
            if (diskstats_has(row, f))
                fail_msg("%s: %s must be unknown", row->name, keys[f]);
            continue;
        }
        double number = json_number_value(value);
        bool below_zero = f == DISK_IN_FLIGHT && (number < 0 || number > INT32_MAX);
        uint64_t want = below_zero ? 0 : (uint64_t)number;
        if (!diskstats_has(row, f) || row->value[f] != want)
            fail_msg("%s: %s is %llu, not %llu", row->name, keys[f],
                     (unsigned long long)row->value[f], (unsigned long long)want);
    }
}

struct rows {
    struct diskstats *items;
    size_t count;
    json_t *rejected; /* line numbers */
};

static struct rows parse_all(const char *text, size_t size)
{
    struct rows rows = {calloc(1000, sizeof *rows.items), 0, json_array()};
    int number = 0;
    for (size_t start = 0, end; start < size; start = end + 1) {
        const char *newline = memchr(text + start, '\n', size - start), *why = NULL;
        end = newline ? (size_t)(newline - text) : size;
        number++;
        assert_true(rows.count < 1000);
        if (diskstats_parse_line(text + start, end - start, &rows.items[rows.count], &why)) {
            rows.count++;
        } else {
            assert_non_null(why);
            json_array_append_new(rows.rejected, json_integer(number));
        }
    }
    return rows;
}

static void check_rejected(const struct rows *rows, const json_t *expected)
{
    const json_t *want = json_object_get(expected, "rejected_lines");
    assert_int_equal(json_array_size(rows->rejected), json_array_size(want));
    for (size_t i = 0; i < json_array_size(want); i++)
        assert_int_equal(json_integer_value(json_array_get(rows->rejected, i)),
                         json_integer_value(json_array_get(json_array_get(want, i), 0)));
}

static void check_pick(const char *text, size_t size, const json_t *expected)
{
    const char *name = json_string_value(json_object_get(expected, "name"));
    struct diskstats row;
    diskstats_pick(text, size, &name, 1, &row);
    check_row(&row, expected);
}

/* Six hundred disks are given as sums, ends and samples. */
static void check_sums(const struct rows *rows, const char *text, size_t size,
                       const json_t *expected)
{
    uint64_t reads = 0, sectors = 0;
    for (size_t i = 0; i < rows->count; i++) {
        reads += rows->items[i].value[DISK_READS];
        sectors += rows->items[i].value[DISK_WRITE_SECTORS];
    }
    assert_int_equal(reads, json_integer_value(json_object_get(expected, "sum_reads")));
    assert_int_equal(sectors, json_integer_value(json_object_get(expected, "sum_wsectors")));
    check_row(&rows->items[0], json_object_get(expected, "first"));
    check_row(&rows->items[rows->count - 1], json_object_get(expected, "last"));
    check_pick(text, size, json_object_get(expected, "last"));
    const char *name;
    json_t *sample;
    json_object_foreach(json_object_get(expected, "sample"), name, sample)
        check_pick(text, size, sample);
}

static void check_multipath(const char *text, size_t size, const struct rows *rows,
                            const json_t *expected)
{
    const char *head;
    json_t *paths;
    json_object_foreach(json_object_get(expected, "multipath"), head, paths)
    {
        struct diskstats row;
        uint64_t writes = 0, flushes = 0;
        for (size_t p = 0; p < json_array_size(paths); p++)
            for (size_t i = 0; i < rows->count; i++)
                if (strcmp(rows->items[i].name, json_string_value(json_array_get(paths, p))) == 0) {
                    writes += rows->items[i].value[DISK_WRITES];
                    flushes += rows->items[i].value[DISK_FLUSHES];
                }
        diskstats_pick(text, size, &head, 1, &row);
        assert_string_equal(row.name, head);
        assert_true(writes > 0);
        assert_int_equal(row.value[DISK_WRITES], writes);
        assert_int_equal(row.value[DISK_FLUSHES], flushes);
    }
}

static void check_stat_files(const char *one, json_t *expected)
{
    const char *name;
    json_t *device;
    json_object_foreach(json_object_get(expected, "devices"), name, device)
    {
        char *file = fs_path("%s.stat", name);
        size_t size;
        char *text = fixture_text(one, file, &size);
        struct diskstats row;
        const char *why;
        assert_true(diskstats_parse_stat(text, size, name, &row, &why));
        check_row(&row, device);
        free(text);
        free(file);
    }
}

static void check_case(const char *one, json_t *expected)
{
    if (json_is_object(json_object_get(expected, "devices"))) {
        check_stat_files(one, expected);
        return;
    }
    size_t size;
    char *text = fixture_text(one, "diskstats", &size);
    struct rows rows = parse_all(text, size);
    assert_true((double)rows.count == json_number_value(json_object_get(expected, "accepted")));
    check_rejected(&rows, expected);
    const json_t *devices = json_object_get(expected, "devices");
    for (size_t i = 0; i < json_array_size(devices); i++)
        check_row(&rows.items[i], json_array_get(devices, i));
    if (devices == NULL)
        check_sums(&rows, text, size, expected);
    check_multipath(text, size, &rows, expected);
    json_decref(rows.rejected);
    free(rows.items);
    free(text);
}

static void every_capture_reads_as_expected(void **state)
{
    (void)state;
    complete = fixture_all("diskstats", check_case);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_capture_reads_as_expected)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed ? failed : complete ? 0 : FIXTURE_SKIPPED;
}
