#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "workload/spec.h"

static const char *const modes[] = {"wal", "delete", NULL};
static const struct key sqlite_keys[] = {
    {.name = "sqlite.journal_mode", .type = KEY_CHOICE, .fallback = "wal", .choices = modes},
    {.name = "sqlite.page_size", .type = KEY_COUNT, .fallback = "4096", .min = 512, .max = 65536},
    {.name = "sqlite.note", .type = KEY_TEXT, .fallback = "-", .optional = true},
    {.name = NULL},
};
static const struct key *const tables[] = {sqlite_keys, NULL};

static int make(void **state)
{
    *state = spec_create(tables);
    return 0;
}

static int drop(void **state)
{
    spec_destroy(*state);
    return 0;
}

static void read_good(struct spec *spec, const char *text)
{
    struct err err = {0};
    if (spec_read(spec, text, strlen(text), "x.ini", &err) != 0)
        fail_msg("%s", err.text);
}

static void set_good(struct spec *spec, const char *key, const char *values)
{
    struct err err = {0};
    if (spec_set(spec, key, values, "-s", &err) != 0)
        fail_msg("%s", err.text);
}

static void check_refused(struct spec *spec, const char *text, const char *sentence)
{
    struct err err = {0};
    assert_int_equal(spec_read(spec, text, strlen(text), "x.ini", &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, sentence);
}

static void check_option_refused(struct spec *spec, const char *key, const char *values,
                                 const char *origin, const char *sentence)
{
    struct err err = {0};
    assert_int_equal(spec_set(spec, key, values, origin, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, sentence);
}

/* The values of a key with "|" between them. */
static const char *values_of(const struct spec *spec, size_t part, const char *name)
{
    static char text[256];
    text[0] = '\0';
    for (size_t key = 0; key < spec_key_count(spec); key++) {
        size_t count;
        const char *const *values = spec_values(spec, part, key, &count);
        if (strcmp(spec_key(spec, key)->name, name) != 0)
            continue;
        for (size_t i = 0, used = 0; i < count; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? "|" : "",
                                     values[i]);
    }
    return text;
}

static void test_precedence(void **state)
{
    struct spec *spec = *state;
    assert_string_equal(values_of(spec, 0, "workload.rows"), "1000000");
    assert_int_equal(spec_part_count(spec), 1);
    assert_null(spec_part_name(spec, 0));
    set_good(spec, "row.payload", "7");
    read_good(spec, "[workload]\nrows = 5, 6\nstreams = 2\n[row]\npayload = 1\n"
                    "[part bulk]\n[part 一行]\nworkload.streams = 3\nworkload.rows = 9\n");
    assert_int_equal(spec_part_count(spec), 2);
    assert_string_equal(spec_part_name(spec, 0), "bulk");
    assert_string_equal(spec_part_name(spec, 1), "一行");
    assert_string_equal(values_of(spec, 0, "workload.rows"), "5|6");
    assert_string_equal(values_of(spec, 1, "workload.rows"), "9");
    assert_string_equal(values_of(spec, 0, "workload.streams"), "2");
    assert_string_equal(values_of(spec, 1, "workload.streams"), "3");
    assert_string_equal(values_of(spec, 1, "row.payload"), "7");
    set_good(spec, "workload.streams", "4");
    set_good(spec, "workload.streams", "8, 10"); /* the later option wins */
    assert_string_equal(values_of(spec, 0, "workload.streams"), "8|10");
    assert_string_equal(values_of(spec, 1, "workload.streams"), "8|10");
}

static void test_values(void **state)
{
    struct spec *spec = *state;
    read_good(spec, "[workload]\nphases = insert,delete ,  insert\nlayout = \"shared-table\"\n"
                    "[sqlite]\nnote = \"a, b\", c\n");
    assert_string_equal(values_of(spec, 0, "workload.phases"), "insert, delete, insert");
    assert_string_equal(values_of(spec, 0, "workload.layout"), "shared-table");
    assert_string_equal(values_of(spec, 0, "sqlite.note"), "a, b|c");
    set_good(spec, "workload.layout", "Shared-Table, FILE-per-stream"); /* any letters */
    assert_string_equal(values_of(spec, 0, "workload.layout"), "shared-table|file-per-stream");
    check_option_refused(spec, "workload.layout", "shared-table, SHARED-TABLE", "--layout",
                         "--layout shared-table: the list holds this value twice; remove one");
}

static void test_file_messages(void **state)
{
    struct spec *spec = *state;
    check_refused(spec, "[workload]\nrowz = 1\n",
                  "x.ini:2: workload.rowz is no key; did you mean workload.rows?");
    check_refused(spec, "[workload]\nwind = 1\n",
                  "x.ini:2: workload.wind is no key; loadline list keys shows them");
    check_refused(spec, "[workload]\nstreams = 10001\n",
                  "x.ini:2: workload.streams = 10001: at most 10000");
    check_refused(spec, "[workload]\nstreams = 1, 0\n",
                  "x.ini:2: workload.streams = 0: at least 1");
    check_refused(spec, "[workload]\nrows = 1000, 1k\n",
                  "x.ini:2: workload.rows = 1k: the list holds this value twice; remove one");
    check_refused(spec, "[workload]\nrows = 1,,2\n",
                  "x.ini:2: workload.rows = 1,,2: a value is missing; write 1, 10, 20 without a "
                  "comma at either end");
    check_refused(spec, "[workload]\nrows = 1\n[row]\n[workload]\n\nrows = 2\n",
                  "x.ini:6: workload.rows is given twice, first in line 2; remove one");
    check_refused(spec, "rows = 1\n",
                  "x.ini:1: rows stands before any section; put [workload] above it, say");
    check_refused(spec, "[workload]\nworkload.rows = 1\n",
                  "x.ini:2: workload.workload.rows is no key; in [workload] keys are written "
                  "without their section");
    check_refused(spec, "[wrokload]\n",
                  "x.ini:1: [wrokload] is no section; sections are workload, row, run, search, "
                  "steady, limit, "
                  "sqlite and part NAME");
    check_refused(spec, "[workload]\nmix = 1\n",
                  "x.ini:2: workload.mix is reserved for a later version; leave it out");
    check_refused(spec, "[probe]\n",
                  "x.ini:1: the section [probe] is reserved for a later version");
    check_refused(spec, "[workload]\nphases = insert, churn\n",
                  "x.ini:2: workload.phases = insert, churn: churn is not in this version; "
                  "phases are insert, delete and mixed");
    check_refused(spec, "[sqlite]\njournal_mode = off\n",
                  "x.ini:2: sqlite.journal_mode = off: must be wal or delete");
}

static void test_part_messages(void **state)
{
    struct spec *spec = *state;
    check_refused(spec, "[part]\n",
                  "x.ini:1: the part has no name; write [part bulk], for example");
    check_refused(spec, "[part a]\n[part  a ]\n",
                  "x.ini:2: [part a] is there twice, first in line 1; rename one");
    check_refused(spec, "[part a]\nrows = 1\n",
                  "x.ini:2: in a part a key has its section before it, as in workload.rows = 1: "
                  "rows is no key; did you mean workload.rows?");
    check_refused(spec, "[part a]\nworkload.rows = 1\nworkload.rows = 2\n",
                  "x.ini:3: workload.rows is given twice, first in line 2; remove one");
    check_refused(spec, "[particle]\n",
                  "x.ini:1: [particle] is no section; sections are workload, row, run, search, "
                  "steady, limit, "
                  "sqlite and part NAME");
    /* The same key in two parts is no duplicate. */
    read_good(spec, "[part a]\nworkload.rows = 1\n[part b]\nworkload.rows = 2\n");
}

static void test_option_messages(void **state)
{
    struct spec *spec = *state;
    check_option_refused(spec, "workload.streams", "0", "--streams",
                         "--streams 0: workload.streams must be 1 to 10000");
    check_option_refused(spec, "workload.streams", "1, 0", "--streams",
                         "--streams 0: workload.streams must be 1 to 10000");
    check_option_refused(spec, "workload.rowz", "5", "-s",
                         "-s workload.rowz=5: workload.rowz is no key; did you mean "
                         "workload.rows?");
    check_option_refused(spec, "rows", "5", "-s",
                         "-s rows=5: rows is no key; did you mean workload.rows?");
    check_option_refused(spec, "workload.rows", "", "-s",
                         "-s workload.rows=: a value is missing; write 1, 10, 20 without a comma "
                         "at either end");
    assert_string_equal(values_of(spec, 0, "workload.streams"), "1");
}

static void test_layout_synonym(void **state)
{
    struct spec *spec = *state;
    read_good(spec, "[workload]\nlayout = table-per-stream, Database-Per-Stream\n");
    assert_string_equal(values_of(spec, 0, "workload.layout"),
                        "table-per-stream|database-per-stream");
    check_refused(spec, "[workload]\nlayout = file-per-stream, shared-table, database-per-stream\n",
                  "x.ini:2: workload.layout = database-per-stream: file-per-stream and "
                  "database-per-stream are two words for the same; remove one");
    check_option_refused(spec, "workload.layout", "database-per-stream, file-per-stream",
                         "--layout",
                         "--layout file-per-stream: database-per-stream and file-per-stream are "
                         "two words for the same; remove one");
    check_refused(spec, "[workload]\nlayout = database-per-table\n",
                  "x.ini:2: workload.layout = database-per-table: must be shared-table, "
                  "table-per-stream, file-per-stream or database-per-stream");
}

static struct workload *resolve(const struct spec *spec, size_t part, struct err *err)
{
    struct workload *load = NULL;
    size_t *choice = calloc(spec_key_count(spec), sizeof *choice);
    spec_resolve(spec, part, choice, &load, err);
    free(choice);
    return load;
}

static void test_defaults(void **state)
{
    struct err err = {0};
    struct workload *load = resolve(*state, 0, &err);
    assert_non_null(load);
    assert_int_equal(load->phase_count, 2);
    assert_int_equal(load->phases[0], PHASE_INSERT);
    assert_int_equal(load->phases[1], PHASE_DELETE);
    assert_int_equal(load->rows, 1000000);
    assert_int_equal(load->rows_per_commit, 1000);
    assert_int_equal(load->streams, 1);
    assert_int_equal(load->layout, LAYOUT_TABLE_PER_STREAM);
    assert_int_equal(load->files, 1);
    assert_true(load->duration_ns == 0 && load->warmup_ns == 0 && load->rate == 0);
    assert_int_equal(load->shape.seed, 1);
    assert_int_equal(load->shape.key_columns, 1);
    assert_int_equal(load->shape.payload_bytes, 100);
    assert_int_equal(load->shape.random_bytes, 100);
    assert_int_equal(load->row_keys, ROW_KEYS_OWN);
    assert_int_equal(load->key_order, ORDER_ASCENDING);
    assert_int_equal(load->delete_order, ORDER_ASCENDING);
    assert_int_equal(load->indexes, 0);
    assert_int_equal(load->interval_ns, 100000000);
    assert_int_equal(load->floor_ns, INT64_C(3000000000));
    assert_int_equal(load->baseline_ns, INT64_C(1000000000));
    assert_int_equal(load->limit_write_bytes, INT64_C(100000000000));
    assert_true(load->limit_free_share == 0.05);
    assert_string_equal(workload_text(load, "sqlite.journal_mode"), "wal");
    assert_string_equal(workload_text(load, "sqlite.note"), "-");
    assert_true(workload_number(load, "sqlite.page_size") == 4096);
    assert_true(workload_number(load, "run.interval") == 0.1);
    assert_true(isnan(workload_number(load, "workload.duration")));
    assert_true(isnan(workload_number(load, "workload.layout")));
    assert_int_equal(load->setting_count, spec_key_count(*state));
    workload_destroy(load);
}

static void test_resolved(void **state)
{
    struct err err = {0};
    read_good(*state,
              "[workload]\nlayout = file-per-stream\nstreams = 40\nduration = 1.5s\nrate = 250.5\n"
              "warmup = 20ms\n[row]\nkey_order = random\ndelete_order = newest\nindexes = 3\n"
              "payload = 1Ki\ncompressible = 25%\n[run]\nfloor = 0\n"
              "seed = 18446744073709551615\n");
    struct workload *load = resolve(*state, 0, &err);
    assert_non_null(load);
    assert_int_equal(load->layout, LAYOUT_FILE_PER_STREAM);
    assert_int_equal(load->streams, 40);
    assert_int_equal(load->duration_ns, 1500000000);
    assert_int_equal(load->warmup_ns, 20000000);
    assert_true(load->rate == 250.5);
    assert_int_equal(load->key_order, ORDER_RANDOM);
    assert_int_equal(load->delete_order, ORDER_DESCENDING);
    assert_int_equal(load->indexes, 3);
    assert_int_equal(load->shape.key_columns, 3);
    assert_int_equal(load->shape.payload_bytes, 1024);
    assert_int_equal(load->shape.random_bytes, 768);
    assert_true(load->shape.seed == UINT64_MAX);
    assert_int_equal(load->floor_ns, 0);
    /* A workload outlives its spec. */
    spec_destroy(*state);
    *state = spec_create(tables);
    assert_string_equal(workload_text(load, "row.payload"), "1Ki");
    workload_destroy(load);
    workload_destroy(NULL);
}

static void check_impossible(struct spec *spec, const char *text, const char *sentence)
{
    struct err err = {0};
    read_good(spec, text);
    assert_null(resolve(spec, 0, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, sentence);
}

static void test_cross_checks(void **state)
{
    struct spec *spec = *state;
    struct err err = {0};
    check_impossible(spec, "[workload]\nphases = insert, delete, delete\n",
                     "workload.phases = insert, delete, delete: phase 3 deletes rows that no phase "
                     "has inserted; put an insert before it");
    check_impossible(spec, "[workload]\nrows = 200G\nphases = insert, insert, delete\n",
                     "workload.rows = 200G with 2 inserts in workload.phases: ids end at "
                     "274877906944 rows a stream; lower workload.rows");
    check_impossible(spec, "[workload]\nstreams = 3\nfiles = 4\n",
                     "workload.files = 4 with workload.streams = 3: a file without a stream stays "
                     "empty; lower workload.files to 3, or raise workload.streams");
    check_impossible(spec, "[workload]\nstreams = 3\nfiles = 3\nlayout = file-per-stream\n",
                     "workload.files = 3 with workload.layout = file-per-stream: that layout makes "
                     "one file or database for each stream; leave workload.files out, or set "
                     "workload.layout to table-per-stream");
    check_impossible(spec, "[workload]\nstreams = 3\nfiles = 2\nlayout = database-per-stream\n",
                     "workload.files = 2 with workload.layout = database-per-stream: that layout "
                     "makes one file or database for each stream; leave workload.files out, or set "
                     "workload.layout to table-per-stream");
    read_good(spec, "[workload]\nlayout = database-per-stream\n");
    struct workload *load = resolve(spec, 0, &err);
    assert_non_null(load);
    assert_int_equal(load->layout, LAYOUT_FILE_PER_STREAM);
    assert_string_equal(layout_name(load->layout), "file-per-stream");
    assert_string_equal(workload_text(load, "workload.layout"), "database-per-stream");
    workload_destroy(load);
    read_good(spec, "[workload]\nrows = 10\nrows_per_commit = 1000\nstreams = 3\nfiles = 3\n");
    load = resolve(spec, 0, &err);
    assert_non_null(load);
    workload_destroy(load);
}

static void test_overlapping(void **state)
{
    struct spec *spec = *state;
    struct err err = {0};
    check_impossible(spec, "[workload]\nphases = mixed\n",
                     "workload.phases = mixed: in this version mixed goes with row.keys = "
                     "overlapping alone; set that, or use insert and delete");
    check_impossible(spec, "[row]\nkeys = overlapping\n",
                     "row.keys = overlapping with workload.phases = insert, delete: in this "
                     "version overlapping keys go with mixed alone; set workload.phases = mixed");
    check_impossible(spec, "[workload]\nphases = insert, mixed\n[row]\nkeys = overlapping\n",
                     "row.keys = overlapping with workload.phases = insert, mixed: in this "
                     "version overlapping keys go with mixed alone; set workload.phases = mixed");
    check_impossible(spec, "[workload]\nphases = mixed\n[row]\nkeys = overlapping\n",
                     "row.keys = overlapping with workload.layout = table-per-stream: streams "
                     "have common keys in a common table only; set workload.layout = shared-table");
    check_impossible(spec,
                     "[workload]\nphases = mixed\nlayout = shared-table\nfiles = 2\nstreams = 2\n"
                     "[row]\nkeys = overlapping\n",
                     "row.keys = overlapping with workload.files = 2: streams have common keys in "
                     "one table only; leave workload.files out");
    check_impossible(spec,
                     "[workload]\nphases = mixed\nlayout = shared-table\nrows_per_commit = 1k\n"
                     "[row]\nkeys = overlapping\ncommon_keys = 999\n",
                     "workload.rows_per_commit = 1k with row.common_keys = 999: a transaction "
                     "changes a key once at most; lower workload.rows_per_commit to 999, or raise "
                     "row.common_keys");
    check_impossible(spec,
                     "[workload]\nphases = mixed\nlayout = shared-table\nstreams = 100\n"
                     "[row]\nkeys = overlapping\ncommon_keys = 1M\n",
                     "row.common_keys = 1M with workload.streams = 100: each stream remembers its "
                     "last change of each key, which takes too much memory; lower "
                     "row.common_keys to 600000, or use fewer streams");
    check_refused(spec, "[row]\ncommon_keys = 1\n", "x.ini:2: row.common_keys = 1: at least 2");
    check_refused(spec, "[row]\nkeys = shared\n",
                  "x.ini:2: row.keys = shared: must be own or overlapping");
    read_good(spec,
              "[workload]\nphases = mixed, mixed\nlayout = shared-table\nrows_per_commit = 5\n"
              "[row]\nkeys = overlapping\n");
    struct workload *load = resolve(spec, 0, &err);
    assert_non_null(load);
    assert_int_equal(load->row_keys, ROW_KEYS_OVERLAPPING);
    assert_int_equal(load->common_keys, 12);
    assert_int_equal(load->phase_count, 2);
    assert_int_equal(load->phases[1], PHASE_MIXED);
    workload_destroy(load);
}

static void test_json(void **state)
{
    struct spec *spec = *state;
    read_good(spec, "[workload]\nstreams = 1, 10\nrows = 5\n[part bulk]\n[part 一行]\n"
                    "workload.rows_per_commit = 1\nworkload.rows = 6, 7\n");
    set_good(spec, "workload.rows_per_commit", "2");
    json_t *object = spec_json(spec);
    assert_string_equal(json_text_at(object, "workload.rows"), "5");
    assert_string_equal(json_text_at(object, "workload.rows_per_commit"), "2");
    assert_string_equal(json_text_at(object, "workload.duration"), "-");
    const json_t *streams = json_at(object, "workload.streams");
    assert_int_equal(json_array_size(streams), 2);
    assert_string_equal(json_string_value(json_array_get(streams, 1)), "10");
    const json_t *parts = json_at(object, "parts");
    assert_int_equal(json_array_size(parts), 2);
    assert_int_equal(json_object_size(json_array_get(parts, 0)), 1);
    assert_string_equal(json_text_at(json_array_get(parts, 1), "name"), "一行");
    /* What an option overrides is no longer a difference between parts. */
    assert_null(json_at(json_array_get(parts, 1), "workload.rows_per_commit"));
    assert_int_equal(json_array_size(json_at(json_array_get(parts, 1), "workload.rows")), 2);
    json_decref(object);
    read_good(spec, "");
    object = spec_json(spec);
    assert_null(json_at(object, "parts"));
    assert_int_equal(json_object_size(object), spec_key_count(spec));
    json_decref(object);
}

static void differs(const struct spec *spec, const char *expected)
{
    char text[512] = "";
    size_t index, used = 0;
    const json_t *name;
    json_t *names = spec_differs_json(spec);
    json_array_foreach(names, index, name)
    {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s ", json_string_value(name));
    }
    json_decref(names);
    assert_string_equal(text, expected);
}

static void test_differs(void **state)
{
    struct spec *spec = *state;
    differs(spec, "");
    /* In other words, but the same. */
    read_good(spec, "[workload]\nphases=insert,delete\nrows = 1M\nduration = -\n[run]\n"
                    "interval = 0.1s\n");
    differs(spec, "");
    read_good(spec, "[run]\nrepeats = 6\n[workload]\nrows = 5\nphases = delete, insert\n");
    differs(spec, "workload.phases workload.rows run.repeats ");
    /* A list that holds the built-in value has others too. */
    read_good(spec, "[workload]\nstreams = 1, 10\nlayout = file-per-stream\n");
    differs(spec, "workload.streams workload.layout ");
    set_good(spec, "workload.layout", "table-per-stream"); /* takes it back */
    differs(spec, "workload.streams ");
    /* What only one part has; what the file says and every part takes back. */
    read_good(spec, "[workload]\nrows = 7\n[part a]\nworkload.rows = 1000000\n"
                    "[part b]\nworkload.rows = 1000k\nrow.payload = 0\n");
    differs(spec, "row.payload ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_precedence, make, drop),
        cmocka_unit_test_setup_teardown(test_values, make, drop),
        cmocka_unit_test_setup_teardown(test_file_messages, make, drop),
        cmocka_unit_test_setup_teardown(test_part_messages, make, drop),
        cmocka_unit_test_setup_teardown(test_option_messages, make, drop),
        cmocka_unit_test_setup_teardown(test_layout_synonym, make, drop),
        cmocka_unit_test_setup_teardown(test_defaults, make, drop),
        cmocka_unit_test_setup_teardown(test_resolved, make, drop),
        cmocka_unit_test_setup_teardown(test_cross_checks, make, drop),
        cmocka_unit_test_setup_teardown(test_overlapping, make, drop),
        cmocka_unit_test_setup_teardown(test_json, make, drop),
        cmocka_unit_test_setup_teardown(test_differs, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
