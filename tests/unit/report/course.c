/* The chart of rates over time, and the settings: what a report says of an invented run. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "report/report.h"
#include "report/text.h"

#define FULL  "\xE2\x96\x88"
#define HALF  "\xE2\x96\x84"
#define EIGHT "\xE2\x96\x81"

static json_t *make_summary(void)
{
    json_t *summary = json_pack(
        "{s:s, s:{s:s, s:s, s:s, s:s, s:[s, s], s:s, s:s, s:[{s:s, s:s}, {s:s}]}, s:[{s:i, "
        "s:[{s:s, s:i, s:i, s:f, s:f}, {s:s, s:i, s:i, s:f, s:f}]}]}",
        "loadline", "0.1.0", "workload", "name", "w", "workload.rows", "24000", "sqlite.page_size",
        "8192", "workload.phases", "insert, delete", "workload.streams", "1", "10", "row.payload",
        "100", "workload.rate", "-", "parts", "name", "bulk", "workload.rows_per_commit", "1000",
        "name", "rest", "trials", "index", 7, "phases", "name", "insert", "commits", 1500, "rows",
        1500, "elapsed_s", 20.0, "commits_per_s", 75.0, "name", "delete", "commits", 100, "rows",
        100, "elapsed_s", 20.0, "commits_per_s", 50.0);
    assert_non_null(summary);
    json_object_set_new(summary, "analysis", analysis_make(summary, NULL));
    return summary;
}

static void add_course(struct courses *courses, unsigned phase, double start_s)
{
    courses->items = realloc(courses->items, (courses->count + 1) * sizeof *courses->items);
    assert_non_null(courses->items);
    courses->items[courses->count++] =
        (struct course){.trial = 7, .phase = phase, .start_s = start_s};
}

/* To the last course. */
static void add_intervals(struct courses *courses, size_t count, double from_s, double seconds,
                          double commits)
{
    struct series *series = &courses->items[courses->count - 1].series;
    series->items = realloc(series->items, (series->count + count) * sizeof *series->items);
    assert_non_null(series->items);
    for (size_t i = 0; i < count; i++)
        series->items[series->count++] = (struct interval){
            .start_s = from_s + (double)i * seconds, .seconds = seconds, .commits = commits};
}

static void release(struct courses *courses)
{
    for (size_t i = 0; i < courses->count; i++)
        free(courses->items[i].series.items);
    free(courses->items);
}

static char *render(const struct courses *courses, int width, bool utf8)
{
    char *text = NULL;
    size_t size;
    struct err err;
    FILE *memory = open_memstream(&text, &size);
    json_t *summary = make_summary();
    const struct report_options options = {.width = width, .utf8 = utf8, .courses = courses};
    assert_int_equal(report_text(memory, summary, &options, &err), 0);
    fclose(memory);
    json_decref(summary);
    return text;
}

static void expect(const struct courses *courses, int width, const char *lines)
{
    char *text = render(courses, width, true);
    if (!strstr(text, lines))
        fail_msg("%s\nshould have\n%s", text, lines);
    free(text);
}

/* The scale begins at 0: half the rate is half as high. */
static void heights_are_rates(void **state)
{
    (void)state;
    struct courses courses = {0};
    add_course(&courses, 0, 2);
    add_intervals(&courses, 10, 0, 1, 100);
    add_intervals(&courses, 10, 10, 1, 50);
    expect(&courses, 60,
           "over time  commits/s, from 0 to the highest of each line\n"
           "  insert  2-22 s  50.0-100  " FULL FULL FULL FULL FULL FULL FULL FULL FULL FULL HALF
               HALF HALF HALF HALF HALF HALF HALF HALF HALF "\n");
    release(&courses);
}

/* Time in which a phase did not run, and time in which it did and nothing was committed. */
static void gaps_are_blank(void **state)
{
    (void)state;
    struct courses courses = {0};
    add_course(&courses, 0, 0);
    add_intervals(&courses, 4, 0, 1, 100);
    add_intervals(&courses, 4, 4, 1, 0);
    add_course(&courses, 1, 8); /* the other phase has its own line */
    add_intervals(&courses, 4, 0, 1, 7);
    add_course(&courses, 0, 12); /* a second cycle */
    add_intervals(&courses, 4, 0, 1, 100);
    expect(&courses, 80,
           "  insert      0-16 s      0-100  " FULL FULL FULL FULL EIGHT EIGHT EIGHT EIGHT
           "    " FULL FULL FULL FULL "\n"
           "  delete  8.0-12.0 s  7.00-7.00  " FULL FULL FULL FULL "\n");
    release(&courses);
}

/* 400 intervals do not fit: a cell is the mean over its time, whatever the intervals' lengths. */
static void cells_are_means(void **state)
{
    (void)state;
    struct courses courses = {0};
    add_course(&courses, 0, 0);
    for (size_t i = 0; i < 400; i++)
        add_intervals(&courses, 1, 0.1 * (double)i, 0.1, i % 2 ? 10 : 30);
    char *text = render(&courses, 60, true);
    const char *line = strstr(text, "  insert  0-40 s  ");
    assert_non_null(line);
    const char *blocks = strstr(line, FULL);
    assert_non_null(blocks);
    assert_memory_equal(line + strlen("  insert  0-40 s  "), "200-200", 7);
    assert_int_equal(strspn(blocks, FULL) / strlen(FULL), 60 - 10 - 8 - 15 - 2);
    free(text);
    release(&courses);
}

static void what_is_no_time_is_left_out(void **state)
{
    (void)state;
    struct courses courses = {0};
    add_course(&courses, 0, 0);
    add_intervals(&courses, 8, 0, 1, 100);
    add_intervals(&courses, 1, 0, NAN, 100);
    add_intervals(&courses, 1, 0, -1, 100);
    add_intervals(&courses, 1, 1e300, 1, 100);
    add_intervals(&courses, 1, 3, 1, NAN);
    add_course(&courses, 99, 0); /* a phase that the document does not have */
    add_intervals(&courses, 8, 0, 1, 100);
    expect(&courses, 80,
           "  insert  0.0-8.0 s  100-100  " FULL FULL FULL FULL FULL FULL FULL FULL "\n");
    release(&courses);
}

static void none_without_blocks(void **state)
{
    (void)state;
    struct courses courses = {0}, empty = {0};
    add_course(&courses, 0, 0);
    add_intervals(&courses, 20, 0, 1, 100);
    const struct {
        const struct courses *courses;
        bool utf8;
    } cases[] = {{&courses, false}, {NULL, true}, {&empty, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = render(cases[i].courses, 80, cases[i].utf8);
        assert_null(strstr(text, "over time"));
        free(text);
    }
    release(&courses);
}

/* ---- settings ---- */

static void expect_settings(json_t *differs, const char *words)
{
    char *text = NULL;
    size_t size;
    struct err err;
    FILE *memory = open_memstream(&text, &size);
    json_t *summary = make_summary();
    json_object_set_new(summary, "workload_differs", differs);
    assert_int_equal(report_html(memory, summary, REPORT_DRIVE, &err), 0);
    fclose(memory);
    if (!strstr(text, words))
        fail_msg("%s\nshould have\n%s", text, words);
    free(text);
    json_decref(summary);
}

static void settings(void **state)
{
    (void)state;
    expect_settings(json_pack("[s, s, s, s, i]", "workload.rows", "sqlite.page_size",
                              "workload.streams", "no.such", 3),
                    "<dt>settings</dt><dd>rows 24,000, page_size 8 KiB, streams 1 / 10; the rest "
                    "as default</dd>");
    expect_settings(json_array(), "<dd>all as default</dd>");
    expect_settings(json_null(), "<dd>rows 24,000, page_size 8 KiB, phases &quot;insert, "
                                 "delete&quot;, streams 1 / 10, payload 100 B</dd>");
    expect_settings(json_null(), "<dt>part</dt><dd>bulk: rows_per_commit 1,000</dd>\n"
                                 "<dt>part</dt><dd>rest: as above</dd>");
    char *text = render(NULL, 80, true); /* has no room for them */
    assert_null(strstr(text, "settings"));
    free(text);
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8")) {
        puts("skipped: there is no locale C.UTF-8 here");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_are_rates),   cmocka_unit_test(gaps_are_blank),
        cmocka_unit_test(cells_are_means),     cmocka_unit_test(what_is_no_time_is_left_out),
        cmocka_unit_test(none_without_blocks), cmocka_unit_test(settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
