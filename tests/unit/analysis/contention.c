/* What sharing costs: the layouts side by side. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/contention.h"
#include "result/put.h"

static json_t *summary_of(const char *engine)
{
    return json_pack("{s:{s:s}, s:[{s:s, s:s}], s:[{s:s, s:i}], s:[]}", "environment", "engine",
                     engine, "targets", "target", "/mnt/ssd", "engine", engine, "devices", "role",
                     "data", "target", 0, "trials");
}

/* Adds a trial; its phase. */
static json_t *add(json_t *summary, const char *layout, int streams, int repeat, double rate)
{
    json_t *phase = json_pack("{s:s, s:i, s:f, s:f, s:{s:f}, s:f}", "name", "insert",
                              "stream_count", streams, "elapsed_s", 10.0, "commits_per_s", rate,
                              "all_streams", "commits_per_s", rate, "fairness", 1.0);
    json_array_append_new(json_object_get(summary, "trials"),
                          json_pack("{s:i, s:i, s:{s:i, s:s}, s:[O]}", "repeat", repeat, "target",
                                    0, "factors", "streams", streams, "layout", layout, "phases",
                                    phase));
    json_decref(phase);
    return phase;
}

/* Steals the summary; NULL where there is nothing to say. */
static json_t *contention_of(json_t *summary)
{
    struct groups groups;
    groups_init(&groups, summary);
    struct evidence evidence = {.summary = summary, .groups = &groups};
    asked_init(&evidence.asked);
    json_t *contention = contention_json(&evidence);
    groups_release(&groups);
    json_decref(summary);
    return contention;
}

static const json_t *finding_at(const json_t *contention, size_t index)
{
    return json_array_get(json_object_get(contention, "findings"), index);
}

static const json_t *row_at(const json_t *finding, size_t index)
{
    return json_array_get(json_object_get(finding, "rows"), index);
}

static void says(const json_t *finding, size_t index, const char *expected)
{
    const json_t *sentence = json_array_get(json_object_get(finding, "sentences"), index);
    assert_non_null(sentence);
    assert_string_equal(json_string_value(sentence), expected);
}

static void judges(const json_t *finding, const char *verdict, const char *certainty)
{
    assert_string_equal(json_text_at(finding, "verdict"), verdict);
    if (certainty)
        assert_string_equal(json_text_at(finding, "certainty"), certainty);
    else
        assert_true(json_is_null(json_object_get(finding, "certainty")));
}

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) < 1e-9)

static void separate_files_carry_more(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    for (int r = 0; r < 6; r++) {
        add(summary, "shared-table", 16, r, 1000 + r);
        add(summary, "file-per-stream", 16, r, 3.4 * (1000 + r));
    }
    json_t *contention = contention_of(summary);
    const json_t *finding = finding_at(contention, 0);
    assert_string_equal(json_text_at(contention, "verdict"), "separate-better");
    judges(finding, "separate-better", NULL);
    says(finding, 0,
         "separate files give x3.40 (3.40-3.40) at 16 streams of what one shared table carries: a "
         "writer for each file");
    assert_true(json_is_null(json_object_get(row_at(finding, 0), "against")));
    assert_true(json_is_null(json_object_get(row_at(finding, 0), "ratio")));
    NEAR(json_number_at(row_at(finding, 1), "ratio"), 3.4);
    NEAR(json_number_at(row_at(finding, 1), "commits_per_s"), 3.4 * 1002.5);
    assert_string_equal(json_text_at(row_at(finding, 1), "against"), "shared-table");
    assert_string_equal(json_text_at(row_at(finding, 1), "verdict"), "better");
    assert_int_equal(json_number_at(row_at(finding, 1), "repeats"), 6);
    json_decref(contention);
}

/* Three layouts: tables of one file share its writer, files do not. */
static void separate_tables_in_one_file_do_not_help(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    for (int r = 0; r < 6; r++) {
        add(summary, "file-per-stream", 16, r, 3400);
        add(summary, "shared-table", 16, r, 1000);
        add(summary, "table-per-stream", 16, r, 1000 + r % 2);
    }
    json_t *contention = contention_of(summary);
    const json_t *finding = finding_at(contention, 0);
    judges(finding, "separate-better", NULL);
    says(finding, 0,
         "separate tables in one SQLite file do not help: x1.00 (1.00-1.00) at 16 streams: one "
         "writer per file");
    says(finding, 1,
         "separate files give x3.40 (3.40-3.40) at 16 streams of what one shared table carries: a "
         "writer for each file");
    /* Those that share most first. */
    assert_string_equal(json_text_at(row_at(finding, 0), "layout"), "shared-table");
    assert_string_equal(json_text_at(row_at(finding, 1), "layout"), "table-per-stream");
    assert_string_equal(json_text_at(row_at(finding, 1), "verdict"), "same");
    assert_string_equal(json_text_at(row_at(finding, 2), "layout"), "file-per-stream");
    json_decref(contention);
}

static void from_one_run_there_is_no_winner(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    add(summary, "shared-table", 16, 0, 1000);
    add(summary, "table-per-stream", 16, 0, 1000);
    add(summary, "file-per-stream", 16, 0, 3400);
    json_t *contention = contention_of(summary);
    const json_t *finding = finding_at(contention, 0);
    judges(finding, "undetermined", "5 repeats more would give intervals (--repeats 6)");
    says(finding, 0,
         "separate tables in one SQLite file: x1.00 at 16 streams; one run of each names no "
         "winner (one writer per file)");
    says(finding, 1, "separate files: x3.40 at 16 streams; one run of each names no winner");
    const json_t *row = row_at(finding, 2);
    NEAR(json_number_at(row, "ratio"), 3.4);
    assert_true(json_is_null(json_object_get(row, "low")));
    assert_true(json_is_null(json_object_get(row, "high")));
    assert_string_equal(json_text_at(row, "verdict"), "undetermined");
    assert_int_equal(json_number_at(row, "more_repeats"), 5);
    json_decref(contention);
}

static void three_runs_are_too_few(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    for (int r = 0; r < 3; r++) {
        add(summary, "shared-table", 16, r, 1000);
        add(summary, "file-per-stream", 16, r, 3400);
    }
    json_t *contention = contention_of(summary);
    judges(finding_at(contention, 0), "undetermined",
           "3 repeats more would give intervals (--repeats 6)");
    says(finding_at(contention, 0), 0,
         "separate files: x3.40 at 16 streams in 3 runs, undetermined");
    json_decref(contention);
}

/* What is told already is not asked for again. */
static void more_repeats_are_for_what_is_not_told(void **state)
{
    (void)state;
    static const double tables[] = {1000, 1100, 950, 1300, 900, 1200};
    json_t *summary = summary_of("sqlite");
    for (int r = 0; r < 6; r++) {
        add(summary, "shared-table", 16, r, 1000);
        add(summary, "table-per-stream", 16, r, tables[r]);
        add(summary, "file-per-stream", 16, r, 3400);
    }
    json_t *contention = contention_of(summary);
    const json_t *finding = finding_at(contention, 0);
    assert_string_equal(json_text_at(finding, "verdict"), "separate-better");
    const char *certainty = json_text_at(finding, "certainty");
    assert_non_null(strstr(certainty, " repeats more would tell of separate tables in one SQLite "
                                      "file at 16 streams (--repeats "));
    assert_int_equal(strtol(certainty, NULL, 10),
                     json_number_at(row_at(finding, 1), "more_repeats"));
    json_decref(contention);
}

static void separate_files_may_carry_less(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    for (int r = 0; r < 6; r++) {
        add(summary, "table-per-stream", 4, r, 1000);
        add(summary, "file-per-stream", 4, r, 700);
    }
    json_t *contention = contention_of(summary);
    judges(finding_at(contention, 0), "separate-worse", NULL);
    says(finding_at(contention, 0), 0, "separate files carry less: x0.70 (0.70-0.70) at 4 streams");
    json_decref(contention);
}

/* At one stream nothing is shared: it neither helps nor hurts a verdict. */
static void it_may_depend_on_the_streams(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    for (int r = 0; r < 6; r++) {
        add(summary, "shared-table", 16, r, 1000);
        add(summary, "file-per-stream", 16, r, 2000);
        add(summary, "shared-table", 1, r, 1000);
        add(summary, "file-per-stream", 1, r, 900);
        add(summary, "shared-table", 4, r, 1000);
        add(summary, "file-per-stream", 4, r, 1000);
    }
    json_t *contention = contention_of(summary);
    const json_t *finding = finding_at(contention, 0);
    judges(finding, "mixed", NULL);
    says(finding, 0,
         "separate files: it depends on the number of streams: x2.00 (2.00-2.00) at 16 streams "
         "(better), x1.00 (1.00-1.00) at 4 (same)");
    assert_int_equal(json_array_size(json_object_get(finding, "rows")), 6);
    assert_int_equal(json_number_at(row_at(finding, 0), "streams"), 1);
    assert_string_equal(json_text_at(row_at(finding, 1), "verdict"), "worse");
    json_decref(contention);
}

/* A drive that slows down: each repeat is set against its own twin, in whatever order they ran. */
static void repeats_are_paired_by_their_number(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    for (int r = 0; r < 6; r++)
        add(summary, "shared-table", 8, r, 4000 >> r);
    for (int r = 5; r >= 0; r--)
        add(summary, "file-per-stream", 8, r, 3.0 * (4000 >> r));
    json_t *contention = contention_of(summary);
    const json_t *row = row_at(finding_at(contention, 0), 1);
    NEAR(json_number_at(row, "low"), 3);
    NEAR(json_number_at(row, "high"), 3);
    json_decref(contention);
    /* Without numbers they stand beside each other as they are: nothing can be told. */
    summary = summary_of("sqlite");
    for (int r = 0; r < 6; r++) {
        add(summary, "shared-table", 8, r, 4000 >> r);
        add(summary, "file-per-stream", 8, r, 3.0 * (4000 >> r));
    }
    size_t index;
    json_t *trial;
    json_array_foreach(json_object_get(summary, "trials"), index, trial)
        json_object_del(trial, "repeat");
    contention = contention_of(summary);
    row = row_at(finding_at(contention, 0), 1);
    assert_true(json_number_at(row, "low") < 1);
    assert_true(json_number_at(row, "high") > 3);
    json_decref(contention);
}

/* 8 streams x 10 s; 1,000 commits waited 68 ms each: 68 of 80 s. */
static void the_lock_has_a_share_of_the_streams_time(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    for (int r = 0; r < 6; r++) {
        json_t *phase = add(summary, "shared-table", 8, r, 100);
        put(phase, "commits", json_integer(1000));
        put(phase, "latency_ms",
            json_pack("{s:{s:f, s:f}}", "lock_wait", "mean", 68.0, "p99", 180.0));
        put_real(phase, "fairness", 0.5);
        phase = add(summary, "file-per-stream", 8, r, 300);
        put(phase, "commits", json_integer(3000));
        put(phase, "latency_ms",
            json_pack("{s:{s:f, s:f}}", "lock_wait", "mean", 0.02, "p99", 0.05));
    }
    json_t *contention = contention_of(summary);
    const json_t *finding = finding_at(contention, 0);
    NEAR(json_number_at(row_at(finding, 0), "lock_share"), 0.85);
    NEAR(json_number_at(row_at(finding, 0), "lock_p99_ms"), 180);
    assert_true(json_is_null(json_object_get(row_at(finding, 0), "lock_waits")));
    NEAR(json_number_at(row_at(finding, 1), "lock_share"), 0.00075);
    says(finding, 1,
         "of its time each of 8 streams waits for others: 85% with one shared table (p99 180 ms), "
         "0.1% with separate files");
    says(finding, 2,
         "some streams commit far more than others: fairness 0.50 (Jain) at 8 streams with one "
         "shared table");
    json_decref(contention);
}

static json_t *waits(double extend, double buffer, double insert, const char *group,
                     const char *event)
{
    return json_pack("{s:i, s:{s:f, s:f, s:f, s:f, s:f}, s:{s:s}}", "observations", 500, "groups",
                     "row", 0.0, "extend", extend, "buffer", buffer, "log_insert", insert, "cpu",
                     1 - extend - buffer - insert, "leading", group, event);
}

static void a_server_says_what_its_streams_wait_for(void **state)
{
    (void)state;
    json_t *summary = summary_of("postgres");
    for (int r = 0; r < 6; r++) {
        put(add(summary, "shared-table", 16, r, 250), "waits",
            waits(0.69, 0.04, 0.03, "extend", "Lock:extend"));
        put(add(summary, "table-per-stream", 16, r, 500), "waits",
            waits(0, 0, 0.09, "log_insert", "LWLock:WALInsert"));
        put(add(summary, "database-per-stream", 16, r, 250), "waits", waits(0, 0, 0, "row", "-"));
    }
    json_t *contention = contention_of(summary);
    const json_t *finding = finding_at(contention, 0);
    judges(finding, "same", NULL); /* of what shares least */
    says(finding, 0,
         "separate tables give x2.00 (2.00-2.00) at 16 streams of what one shared table carries");
    says(finding, 1,
         "separate databases do not help: x1.00 (1.00-1.00) at 16 streams: all databases of a "
         "server share its WAL");
    says(finding, 2,
         "of its time each of 16 streams waits for others: 76% with one shared table "
         "(Lock:extend), 9.0% with separate tables (LWLock:WALInsert), 0% with separate databases");
    NEAR(json_number_at(row_at(finding, 0), "lock_share"), 0.76);
    NEAR(json_number_at(row_at(finding, 0), "lock_waits.extend"), 0.69);
    NEAR(json_number_at(row_at(finding, 1), "lock_waits.log_insert"), 0.09);
    json_decref(contention);
}

static void other_factors_have_a_finding_each(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    static const char *const layouts[] = {"shared-table", "file-per-stream"};
    for (int page = 4096; page <= 8192; page *= 2)
        for (int streams = 2; streams <= 4; streams++)
            for (int l = 0; l < 2; l++) {
                add(summary, layouts[l], streams, 0, 1000);
                json_t *trials = json_object_get(summary, "trials");
                json_object_set_new(
                    json_object_get(json_array_get(trials, json_array_size(trials) - 1), "factors"),
                    "sqlite.page_size", json_integer(page));
            }
    json_t *contention = contention_of(summary);
    assert_int_equal(json_array_size(json_object_get(contention, "findings")), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *factors = json_object_get(finding_at(contention, i), "factors");
        assert_int_equal(json_object_size(factors), 1);
        assert_int_equal(json_number_at(factors, "sqlite.page_size"), i == 0 ? 4096 : 8192);
        assert_int_equal(json_array_size(json_object_get(finding_at(contention, i), "rows")), 6);
    }
    json_decref(contention);
}

static void one_layout_is_no_contention(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    add(summary, "shared-table", 1, 0, 1000);
    add(summary, "shared-table", 4, 0, 1000);
    assert_null(contention_of(summary));
    assert_null(contention_of(json_object()));
}

static void a_strange_document_does_no_harm(void **state)
{
    (void)state;
    static const char *const strange[] = {
        "{\"trials\": [{\"factors\": {\"layout\": 3}, \"phases\": [{\"name\": \"insert\"}]},"
        "{\"factors\": {\"layout\": 4}, \"phases\": [{\"name\": \"insert\"}]}]}",
        "{\"trials\": [{\"factors\": {\"layout\": \"a\"}, \"phases\": [{\"name\": \"insert\"}]},"
        "{\"factors\": {\"layout\": \"b\"}, \"phases\": [{\"name\": \"insert\", "
        "\"stream_count\": -1e300, \"commits_per_s\": -5, \"fairness\": []}]}]}",
        "{\"trials\": [{\"repeat\": 0, \"factors\": {\"layout\": \"\\u001b[2J\"}, \"phases\": "
        "[{\"name\": \"x\", \"commits_per_s\": 0}]}, {\"repeat\": 0, \"factors\": {\"layout\": "
        "\"shared-table\"}, \"phases\": [{\"name\": \"x\", \"commits_per_s\": 1e308}]}]}",
    };
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        json_t *summary = json_loads(strange[i], 0, NULL);
        assert_non_null(summary);
        json_t *contention = contention_of(summary);
        if (contention)
            assert_string_equal(json_text_at(contention, "verdict"), "undetermined");
        json_decref(contention);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_files_carry_more),
        cmocka_unit_test(separate_tables_in_one_file_do_not_help),
        cmocka_unit_test(from_one_run_there_is_no_winner),
        cmocka_unit_test(three_runs_are_too_few),
        cmocka_unit_test(more_repeats_are_for_what_is_not_told),
        cmocka_unit_test(separate_files_may_carry_less),
        cmocka_unit_test(it_may_depend_on_the_streams),
        cmocka_unit_test(repeats_are_paired_by_their_number),
        cmocka_unit_test(the_lock_has_a_share_of_the_streams_time),
        cmocka_unit_test(a_server_says_what_its_streams_wait_for),
        cmocka_unit_test(other_factors_have_a_finding_each),
        cmocka_unit_test(one_layout_is_no_contention),
        cmocka_unit_test(a_strange_document_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
