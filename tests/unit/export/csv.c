/* Tables read back by a small reader of its own. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "export/csv.h"
#include "measure/hist.h"
#include "result/document.h"
#include "result/metric.h"
#include "unit/export/csv_table.h"

static json_t *parse(const char *text)
{
    json_error_t why;
    json_t *value = json_loads(text, 0, &why);
    if (!value)
        fail_msg("%s", why.text);
    return value;
}

static char *write_text(const struct report_source *sources, size_t count, enum csv_table table)
{
    char *text = NULL;
    size_t size;
    struct err err;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(csv_write(out, sources, count, table, &err), 0);
    fclose(out);
    return text;
}

static void read_golden(const char *name, struct document *document)
{
    struct err err;
    char *path = fs_path("%s/golden/%s.jsonl", TESTS_DIR, name);
    if (document_read_detail(path, DOCUMENT_LATENCIES, document, &err) != 0)
        fail_msg("%s", err.text);
    free(path);
}

/* ---- texts ---- */

#define SUMMARY(factors, label)                                                                    \
    "{\"run_id\":\"r,1\",\"label\":" label ",\"workload\":{\"workload.streams\":\"4\","            \
    "\"workload.rows_per_commit\":\"1k\"},\"targets\":[{\"target\":\"/mnt/a\"},"                   \
    "{\"target\":\"=cmd|'/c calc'!A0\"}],\"devices\":[{\"role\":\"wal\",\"target\":1,"             \
    "\"model\":\"No\"},{\"role\":\"data\",\"target\":1,\"model\":\"Disk \\\"X\\\", 1 TB\"}],"      \
    "\"trials\":[{\"index\":7,\"target\":1,\"part\":\"二つ目\",\"repeat\":2,\"factors\":{" factors \
    "},\"ended_by\":\"done\",\"phases\":[{\"name\":\"insert\",\"cycle\":3,\"rows\":1234567890123," \
    "\"commits_per_s\":0.1,\"fairness\":null,\"verify\":{\"ok\":false}}]}]}"

static void every_text_comes_back(void **state)
{
    (void)state;
    json_t *summary = parse(SUMMARY("\"streams\":8,\"rows\":1000000,\"sqlite.page_size\":\"4Ki\","
                                    "\"+bad\":\"@SUM(1)\",\"layout\":\"a\\nb\"",
                                    "\"\\tx\""));
    struct report_source source = {.path = "dir/a,b.jsonl", .summary = summary};
    char *text = write_text(&source, 1, CSV_PHASES);
    struct csv_read table;
    csv_read(&table, text);
    assert_int_equal(table.lines, 2);
    static const char *const expected[][2] = {
        {"file", "dir/a,b.jsonl"},
        {"run_id", "r,1"},
        {"label", "'\\x09x"},
        {"target", "'=cmd|'/c calc'!A0"},
        {"drive", "Disk \"X\", 1 TB"},
        {"trial", "7"},
        {"part", "二つ目"},
        {"repeat", "2"},
        {"phase", "insert"},
        {"cycle", "3"},
        {"streams", "8"},
        {"rows_per_commit", "1000"},
        {"workload.rows", "1000000"}, /* the phase has its own "rows" */
        {"sqlite.page_size", "4Ki"},
        {"'+bad", "'@SUM(1)"},
        {"layout", "a\\x0ab"},
        {"ended_by", "done"},
        {"verified", "false"},
        {"rows", "1234567890123"},
        {"commits_per_s", "0.1"},
        {"fairness", ""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *found = csv_read_field(&table, 1, expected[i][0]);
        if (strcmp(found, expected[i][1]) != 0)
            fail_msg("%s is %s, not %s", expected[i][0], found, expected[i][1]);
    }
    assert_null(strchr(text, '\r'));
    csv_read_release(&table);
    free(text);
    json_decref(summary);
}

/* Columns of one result are empty in the lines of the other. */
static void several_results(void **state)
{
    (void)state;
    json_t *a = parse(SUMMARY("\"layout\":\"x\"", "\"A\""));
    json_t *b = parse(SUMMARY("\"a.z\":-1.5", "null"));
    struct report_source sources[] = {{.path = "a", .summary = a}, {.path = NULL, .summary = b}};
    char *text = write_text(sources, 2, CSV_PHASES);
    struct csv_read table;
    csv_read(&table, text);
    assert_int_equal(table.lines, 3);
    size_t first = csv_read_column(&table, "a.z");
    assert_int_equal(csv_read_column(&table, "layout"), first + 1); /* sorted */
    assert_string_equal(csv_read_field(&table, 1, "a.z"), "");
    assert_string_equal(csv_read_field(&table, 2, "a.z"), "-1.5"); /* a number is no formula */
    assert_string_equal(csv_read_field(&table, 1, "layout"), "x");
    assert_string_equal(csv_read_field(&table, 2, "layout"), "");
    assert_string_equal(csv_read_field(&table, 2, "file"), "");
    assert_string_equal(csv_read_field(&table, 2, "streams"), "4");
    csv_read_release(&table);
    free(text);
    json_decref(a);
    json_decref(b);
}

/* ---- numbers ---- */

static void is_value(const char *field, double value, const char *what)
{
    char *end;
    if (!isfinite(value)) {
        if (*field)
            fail_msg("%s is %s, and not known", what, field);
        return;
    }
    double found = strtod(field, &end);
    if (!*field || *end || !(fabs(found - value) <= 1e-14 * fabs(value)))
        fail_msg("%s is \"%s\", not %.17g", what, field, value);
}

static void check_phases(const char *name)
{
    struct document document;
    size_t t, p, line = 0;
    const json_t *trial, *phase;
    read_golden(name, &document);
    struct report_source source = {name, document.summary, &document.courses};
    char *text = write_text(&source, 1, CSV_PHASES);
    struct csv_read table;
    csv_read(&table, text);
    json_array_foreach(json_object_get(document.summary, "trials"), t, trial)
    {
        json_array_foreach(json_object_get(trial, "phases"), p, phase)
        {
            line++;
            for (const struct metric_row *row = metric_rows; row->path; row++)
                is_value(csv_read_field(&table, line, row->path), metric_value(phase, row->path),
                         row->path);
            is_value(csv_read_field(&table, line, "trial"), json_number_at(trial, "index"),
                     "trial");
        }
    }
    assert_int_equal(table.lines, line + 1);
    csv_read_release(&table);
    free(text);
    document_release(&document);
}

static void every_metric_of_every_phase(void **state)
{
    (void)state;
    static const char *const logs[] = {"million", "streams", "postgres", "hostile", "partial"};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        check_phases(logs[i]);
}

/* ---- samples ---- */

/* What the lines of one phase add up to. */
struct sums {
    double commits, rows, writes, bytes, seconds, last_total;
    size_t lines;
};

static void add_up(const struct csv_read *table, double trial, double cycle, const char *phase,
                   struct sums *sums)
{
    *sums = (struct sums){.lines = 0};
    for (size_t line = 1; line < table->lines; line++) {
        if (csv_read_number(table, line, "trial") != trial ||
            csv_read_number(table, line, "cycle") != cycle ||
            strcmp(csv_read_field(table, line, "phase"), phase) != 0)
            continue;
        sums->lines++;
        sums->commits += csv_read_number(table, line, "commits");
        sums->rows += csv_read_number(table, line, "rows");
        sums->writes += csv_read_number(table, line, "writes");
        sums->bytes += csv_read_number(table, line, "bytes");
        sums->seconds += csv_read_number(table, line, "seconds");
        sums->last_total = csv_read_number(table, line, "bytes_total");
    }
}

static void is_near(double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * expected))
        fail_msg("%.15g in the intervals, %.15g in the phase", value, expected);
}

/* `share`: of a phase's work that may lie between its last sample and its end. */
static void check_samples(const char *name, double share)
{
    struct document document;
    size_t t, p, lines = 0;
    const json_t *trial, *phase;
    read_golden(name, &document);
    struct report_source source = {name, document.summary, &document.courses};
    char *text = write_text(&source, 1, CSV_SAMPLES);
    struct csv_read table;
    csv_read(&table, text);
    json_array_foreach(json_object_get(document.summary, "trials"), t, trial)
    {
        double index = json_number_at(trial, "index");
        json_array_foreach(json_object_get(trial, "phases"), p, phase)
        {
            const struct course *course =
                courses_find(&document.courses, (unsigned)index, (unsigned)p);
            struct sums sums;
            add_up(&table, index, json_number_at(phase, "cycle"), json_text_at(phase, "name"),
                   &sums);
            lines += sums.lines;
            assert_int_equal(sums.lines, course ? course->series.count : 0);
            if (sums.lines == 0)
                continue;
            /* The intervals cover the phase, so they hold all of its work. */
            is_near(sums.commits, json_number_at(phase, "commits"), share);
            is_near(sums.rows, json_number_at(phase, "rows"), share);
            is_near(sums.writes, metric_value(phase, "data.writes"), share);
            is_near(sums.bytes, metric_value(phase, "data.write_bytes"), share);
            assert_true(sums.last_total == course->bytes_before + sums.bytes);
            double elapsed_s = json_number_at(phase, "elapsed_s");
            assert_true(fabs(sums.seconds - elapsed_s) < 1e-3 * elapsed_s);
        }
    }
    assert_int_equal(table.lines, lines + 1);
    assert_true(lines > 0);
    csv_read_release(&table);
    free(text);
    document_release(&document);
}

static void the_intervals_add_up(void **state)
{
    (void)state;
    check_samples("partial", 0);
    check_samples("steady", 1e-4);
}

/* One interval with everything, one with nothing but its work. */
static const struct {
    const char *column;
    double value;
} interval_values[] = {{"start_s", 10.5},       {"phase_s", 0.5},        {"seconds", 0.25},
                       {"commits", 2000},       {"workload.commits", 1}, {"rows", 4000},
                       {"commits_per_s", 8000}, {"rows_per_s", 16000},   {"writes", 5000},
                       {"flushes", 2000},       {"bytes", 1e6},          {"bytes_total", 6e6},
                       {"queue_depth", 2},      {"in_flight", 3},        {"flush_ms", 0.05},
                       {"write_ms", 0.1},       {"commit_count", 2000},  {"cpu_client_share", 0.5},
                       {"host_busy", 0.75},     {"temperature_c", 41.5}, {"wal_bytes", 8192},
                       {"retries", 2},          {"wait_cpu", 0},         {"wait_flush", 1},
                       {"wait_client", 8},      {"wait_other", 9}};

static struct interval items[] = {
    {.start_s = 0.5,
     .seconds = 0.25,
     .commits = 2000,
     .rows = 4000,
     .writes = 5000,
     .bytes = 1e6,
     .flushes = 2000,
     .in_flight = 3,
     .temperature_c = 41.5,
     .wal_bytes = 8192,
     .retries = 2,
     .client_s = 0.125,
     .host_busy = 0.75,
     .device =
         {.writes = 4500, .flushes = 2000, .flush_ms = 100, .write_ms = 350, .waiting_ms = 500}},
    {.start_s = 0.75,
     .seconds = 0.1,
     .commits = 1,
     .rows = 2,
     .writes = NAN,
     .bytes = NAN,
     .flushes = NAN,
     .in_flight = NAN,
     .temperature_c = NAN,
     .wal_bytes = NAN,
     .retries = NAN,
     .client_s = NAN,
     .host_busy = NAN,
     .device = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
};

static void every_column_of_an_interval(void **state)
{
    (void)state;
    json_t *summary = parse(SUMMARY("\"commits\":1", "null"));
    struct hist *hist = hist_create();
    for (int i = 0; i < 2000; i++)
        hist_record(hist, 1000000 * (i < 1990 ? 1 : 4));
    char *latencies[] = {hist_encode(hist), NULL};
    double waits[2 * 10];
    for (size_t i = 0; i < 20; i++)
        waits[i] = i < 10 ? (double)i : NAN;
    struct course course = {.trial = 7,
                            .start_s = 10,
                            .bytes_before = 5e6,
                            .series = {.items = items, .count = 2},
                            .latencies = latencies,
                            .waits = waits};
    struct courses courses = {.items = &course, .count = 1};
    struct report_source source = {"f", summary, &courses};
    char *text = write_text(&source, 1, CSV_SAMPLES);
    struct csv_read table;
    csv_read(&table, text);
    for (size_t i = 0; i < sizeof interval_values / sizeof *interval_values; i++)
        is_value(csv_read_field(&table, 1, interval_values[i].column), interval_values[i].value,
                 interval_values[i].column);
    assert_true(fabs(csv_read_number(&table, 1, "commit_p50_ms") - 1) < 0.01);
    assert_true(fabs(csv_read_number(&table, 1, "commit_p99_ms") - 1) < 0.01);
    assert_true(fabs(csv_read_number(&table, 1, "commit_max_ms") - 4) < 0.04);
    static const char *const unknown[] = {"writes",       "bytes",         "bytes_total",
                                          "queue_depth",  "flush_ms",      "write_ms",
                                          "commit_count", "commit_max_ms", "cpu_client_share",
                                          "retries",      "wait_cpu",      "wait_other"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_string_equal(csv_read_field(&table, 2, unknown[i]), "");
    assert_string_equal(csv_read_field(&table, 2, "commits_per_s"), "10");
    csv_read_release(&table);
    free(text);
    free(latencies[0]);
    hist_destroy(hist);
    json_decref(summary);
}

/* ---- the form ---- */

/* glibc keeps what it read of LOCPATH. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:__argz_add_sep";
}

/* A locale whose numbers have a comma: one of the system's, or one made for this test. */
static bool choose_comma(char *folder)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", NULL};
    for (size_t i = 0; names[i]; i++)
        if (setlocale(LC_ALL, names[i]))
            return true;
    char *command = fs_path("localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    bool made = system(command) == 0;
    free(command);
    setenv("LOCPATH", folder, 1);
    return made && setlocale(LC_ALL, "de_DE.UTF-8");
}

static void numbers_have_a_point_everywhere(void **state)
{
    (void)state;
    struct document document;
    char folder[] = "/tmp/csv-locale-XXXXXX";
    read_golden("million", &document);
    struct report_source source = {"million", document.summary, &document.courses};
    char *plain = write_text(&source, 1, CSV_PHASES), number[16];
    assert_non_null(mkdtemp(folder));
    bool chosen = choose_comma(folder);
    snprintf(number, sizeof number, "%.1f", 0.5);
    char *there = chosen ? write_text(&source, 1, CSV_PHASES) : NULL;
    char still[16];
    snprintf(still, sizeof still, "%.1f", 0.5);
    setlocale(LC_ALL, "C.UTF-8");
    unsetenv("LOCPATH");
    char *command = fs_path("rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    free(command);
    if (chosen) {
        assert_string_equal(number, "0,5");
        assert_string_equal(there, plain);
        assert_string_equal(still, "0,5"); /* the program's own numbers stay as they were */
    }
    free(there);
    free(plain);
    document_release(&document);
    if (!chosen) {
        printf("no locale with a decimal comma here, and localedef makes none\n");
        skip();
    }
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    json_t *summary = parse(SUMMARY("", "null"));
    struct report_source source = {.path = "a", .summary = summary};
    struct err err;
    FILE *full = fopen("/dev/full", "we");
    assert_non_null(full);
    assert_int_equal(csv_write(full, &source, 1, CSV_PHASES, &err), -1);
    assert_non_null(strstr(err.text, "CSV"));
    fclose(full);
    json_decref(summary);
}

static void print_column(void *ctx, const char *name, const char *unit, const char *help)
{
    fprintf(ctx, "%s %s %s\n", name, unit, help);
}

/* Every column of the header is explained. */
static void every_column_is_documented(void **state)
{
    (void)state;
    json_t *summary = parse(SUMMARY("", "null"));
    struct report_source source = {.path = "a", .summary = summary};
    for (int table = CSV_PHASES; table <= CSV_SAMPLES; table++) {
        char *text = write_text(&source, 1, (enum csv_table)table), *help = NULL;
        size_t size;
        FILE *out = open_memstream(&help, &size);
        assert_non_null(out);
        csv_describe((enum csv_table)table, print_column, out);
        fclose(out);
        struct csv_read read;
        csv_read(&read, text);
        for (size_t c = 0; c < read.columns; c++) {
            char start[80];
            snprintf(start, sizeof start, "\n%s ", csv_read_at(&read, 0, c));
            if (!strstr(help, start + (c == 0)))
                fail_msg("no word about %s", csv_read_at(&read, 0, c));
        }
        csv_read_release(&read);
        free(help);
        free(text);
    }
    json_decref(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_comes_back),
        cmocka_unit_test(several_results),
        cmocka_unit_test(every_metric_of_every_phase),
        cmocka_unit_test(the_intervals_add_up),
        cmocka_unit_test(every_column_of_an_interval),
        cmocka_unit_test(numbers_have_a_point_everywhere),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(every_column_is_documented),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
