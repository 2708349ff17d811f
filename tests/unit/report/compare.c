/* Comparisons: invented results, and what is expected of them as text of 60, 80 and 120 columns
 * (golden/compare-NAME.WIDTH.txt), as Markdown (.md) and HTML (.html).  LOADLINE_WRITE_GOLDEN=1
 * writes those anew. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/compare.h"
#include "base/fs.h"
#include "report/compare_text.h"
#include "report/text.h"
#include "result/put.h"
#include "unit/analysis/compare_documents.h"

enum { RUNS = 6, RESULTS_MAX = 8 };

/* By how much the runs of a drive scatter. */
static const double scatter[RUNS] = {0.985, 1.012, 1.0, 0.994, 1.021, 0.99};

static char *rendered(const json_t *comparison, int width, bool utf8, bool colour)
{
    char *text = NULL;
    size_t size;
    struct err err;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    const struct report_options options = {.width = width, .utf8 = utf8, .colour = colour};
    assert_int_equal(compare_text(out, comparison, &options, &err), 0);
    fclose(out);
    return text;
}

static char *paged(int (*form)(FILE *, const json_t *, struct err *), const json_t *comparison)
{
    char *text = NULL;
    size_t size;
    struct err err;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(form(out, comparison, &err), 0);
    fclose(out);
    return text;
}

static void assert_inside(const char *text, size_t width)
{
    char *copy = strdup(text), *rest = NULL;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (text_columns(line) > width)
            fail_msg("wider than %zu: %s", width, line);
    free(copy);
}

static void assert_golden(const char *text, const char *name, const char *form)
{
    char *path = fs_path("%s/golden/compare-%s.%s", TESTS_DIR, name, form);
    if (getenv("LOADLINE_WRITE_GOLDEN")) {
        FILE *file = fopen(path, "we");
        assert_non_null(file);
        fputs(text, file);
        fclose(file);
    } else {
        char *expected = NULL;
        size_t size;
        struct err err;
        if (fs_read(path, 1 << 20, &expected, &size, &err) != 0)
            fail_msg("%s", err.text);
        if (strcmp(text, expected) != 0)
            fail_msg("not as in %s:\n%s", path, text);
        free(expected);
    }
    free(path);
}

/* Steals the results. */
static json_t *compared(const struct compare_options *options, json_t **results,
                        const char *const *paths, size_t count)
{
    struct compare_input inputs[RESULTS_MAX] = {{NULL, NULL}};
    struct err err = {.kind = ERR_NONE};
    for (size_t i = 0; i < count; i++)
        inputs[i] = (struct compare_input){paths[i], results[i]};
    json_t *comparison = compare_json(inputs, count, options, &err);
    if (!comparison)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < count; i++)
        json_decref(results[i]);
    return comparison;
}

static void assert_scene(const char *name, json_t *comparison)
{
    static const int widths[] = {60, 80, 120};
    for (size_t i = 0; i < 3; i++) {
        char *text = rendered(comparison, widths[i], true, false);
        assert_inside(text, (size_t)widths[i]);
        char *form = fs_path("%d.txt", widths[i]);
        assert_golden(text, name, form);
        free(form);
        free(text);
        text = rendered(comparison, widths[i], false, false);
        assert_inside(text, (size_t)widths[i]);
        for (const char *c = text; *c; c++)
            if ((unsigned char)*c >= 0x80)
                fail_msg("not ASCII: %s", c);
        free(text);
    }
    char *page = paged(compare_markdown, comparison);
    assert_golden(page, name, "md");
    free(page);
    page = paged(compare_html, comparison);
    assert_golden(page, name, "html");
    free(page);
    json_decref(comparison);
}

/* Its last five rounds have this rate. */
static void put_rounds(json_t *trial, double commits_per_s)
{
    json_t *rounds = json_array();
    for (int i = 0; i < 7; i++)
        json_array_append_new(rounds,
                              json_pack("{s:i, s:b, s:b, s:{s:{s:f}}}", "round", i, "partial", 0,
                                        "after_pause", 0, "phases", "insert", "commits_per_s",
                                        i < 2 ? 5 * commits_per_s : commits_per_s));
    put(trial, "rounds", rounds);
    put_text(trial, "ended_by", "steady");
}

/* Inserts of one row a commit until steady, and in bulk. */
static void add_runs(json_t *summary, double commits_per_s, double steady, double rows_per_s,
                     double bulk_scatter)
{
    for (int i = 0; i < RUNS; i++) {
        double s = scatter[i], flush_ms = 800 / commits_per_s;
        json_t *trial =
            made_trial(summary, i, 0, NULL,
                       &(struct figures){"commits", "insert", 1, commits_per_s * s,
                                         950 / commits_per_s / s, 2000 / commits_per_s / s,
                                         9626 * (1 + (s - 1) / 10), 2.07, flush_ms / s});
        put_rounds(trial, steady * s);
        made_trial(summary, i, 0, NULL,
                   &(struct figures){"bulk", "insert", 1000,
                                     rows_per_s / 1000 * (1 + bulk_scatter * (s - 1)), 3.8, 9.3,
                                     259000, 3.1, flush_ms});
    }
}

static void two_drives(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.jsonl", "b.jsonl"};
    json_t *results[] = {made_summary(&(struct made){.run_id = "1",
                                                     .model = "Example 240GB PLP",
                                                     .firmware = "D201",
                                                     .link = "SATA 6.0 Gb/s",
                                                     .size_bytes = 240e9,
                                                     .fill = 0.6}),
                         made_summary(&(struct made){.run_id = "2"})};
    add_runs(results[0], 5070, 4930, 268000, 3);
    add_runs(results[1], 800, 310, 262000, 3);
    assert_scene("drives",
                 compared(&(struct compare_options){.all_metrics = false}, results, paths, 2));
}

static void refused(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.jsonl", "b.jsonl"};
    json_t *results[] = {
        made_summary(&(struct made){.run_id = "1", .label = "before"}),
        made_summary(&(struct made){
            .run_id = "2", .label = "after", .kernel = "6.12.0", .filesystem = "xfs"})};
    add_runs(results[0], 800, 310, 244000, 1);
    add_runs(results[1], 880, 330, 246000, 1);
    json_object_set_new(json_object_get(results[1], "workload"), "row.indexes", json_string("3"));
    put(results[1], "partial", json_true());
    json_t *trial = json_array_get(json_object_get(results[1], "trials"), 0);
    json_t *phase = json_array_get(json_object_get(trial, "phases"), 0);
    put(json_object_get(json_object_get(phase, "devices"), "nvme0n1"), "foreign",
        json_pack("{s:f}", "share", 0.23));
    put(phase, "verify", json_pack("{s:b}", "ok", 0));
    put_real(json_object_get(phase, "per_commit"), "flushes", 0);
    assert_scene("refused",
                 compared(&(struct compare_options){.all_metrics = false}, results, paths, 2));
}

static void three_drives(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.jsonl", "b.jsonl", "c.jsonl"};
    static const char *const labels[] = {"\xE6\x9D\xB1\xE4\xBA\xAC", "\xE5\xA4\xA7\xE9\x98\xAA",
                                         "\xE4\xBA\xAC\xE9\x83\xBD 2"};
    static const double rates[] = {5000, 5900, 5030};
    json_t *results[3];
    for (int r = 0; r < 3; r++) {
        results[r] = made_summary(&(struct made){.label = labels[r]});
        for (int i = 0; i < RUNS; i++)
            for (int streams = 1; streams <= (r == 0 ? 20 : 10);
                 streams = streams == 1 ? 10 : 2 * streams) {
                double rate = rates[r] * sqrt(streams) * scatter[(i + r) % RUNS];
                made_trial(results[r], i, 0, json_pack("{s:i}", "streams", streams),
                           &(struct figures){NULL, "insert", 1, rate, 900 * streams / rate,
                                             2500 * streams / rate, 9626, 2.07, 0.1});
            }
    }
    static const char *const expressions[] = {"insert.commits_per_s < 0.95x",
                                              "insert.latency_ms.transaction.p99 > 1.5",
                                              "insert.latency_ms.commit.p999 > 20"};
    struct threshold thresholds[3];
    struct err err;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(threshold_parse(expressions[i], &thresholds[i], &err), 0);
    json_t *comparison =
        compared(&(struct compare_options){.thresholds = thresholds, .threshold_count = 3}, results,
                 paths, 3);
    for (size_t i = 0; i < 3; i++)
        threshold_release(&thresholds[i]);
    assert_scene("three", comparison);
}

/* All metrics, names of any length, a lone drive, no drive at all. */
static void everything_stays_inside(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.jsonl", "b.jsonl"};
    char name[301];
    memset(name, 'n', 300);
    name[300] = '\0';
    json_t *results[] = {made_summary(&(struct made){.run_id = "1", .label = name, .model = name}),
                         made_summary(&(struct made){
                             .run_id = "2", .label = "\x1B[2J\xE2\x80\xAE", .kernel = name})};
    add_runs(results[0], 5e9, 1e-9, 268000, 3);
    add_runs(results[1], 800, 310, 1e15, 3);
    json_t *many[] = {compared(&(struct compare_options){.all_metrics = true}, results, paths, 2),
                      json_object(),
                      json_pack("{s:[{s:i}, n, {}], s:[n, {s:[n]}], s:[{s:[{s:[n]}]}], s:{s:i}}",
                                "drives", "name", 3, "differ", "values", "groups", "metrics",
                                "drives", "verdict", "sentences", 7)};
    for (size_t i = 0; i < 3; i++) {
        for (int width = 60; width <= 120; width += 20) {
            char *text = rendered(many[i], width, true, i == 0);
            if (i > 0)
                assert_inside(text, (size_t)width);
            assert_null(strstr(text, "\x1B[2J"));
            assert_null(strstr(text, "\xE2\x80\xAE"));
            free(text);
            text = rendered(many[i], width, true, false);
            assert_inside(text, (size_t)width);
            free(text);
        }
        for (int form = 0; form < 2; form++) {
            char *text = paged(form == 0 ? compare_markdown : compare_html, many[i]);
            assert_null(strstr(text, "\x1B[2J"));
            assert_null(strstr(text, "\xE2\x80\xAE"));
            free(text);
        }
        json_decref(many[i]);
    }
}

/* The axis: 1 in its place, the point at the ratio, ends at the interval. */
static void forest(void **state)
{
    (void)state;
    json_t *comparison = json_pack(
        "{s:[{s:s}, {s:s}], s:[{s:s, s:f, s:f, s:{}, s:[{s:s, s:f, s:b, s:[{s:s}, {s:s}], s:[{s:s, "
        "s:f, s:f, s:f, s:s}]}]}]}",
        "drives", "name", "A", "name", "B", "groups", "phase", "insert", "streams", 1.0,
        "rows_per_commit", 1.0, "factors", "metrics", "name", "m", "scale", 1.0, "headline", 1,
        "drives", "drive", "A", "drive", "B", "ratios", "drive", "B", "ratio", 0.1, "low", 0.01,
        "high", 1.0, "verdict", "worse");
    char *text = rendered(comparison, 60, false, false);
    const char *line = strstr(text, "\n  m ");
    assert_non_null(line);
    /* From 0.01 to 1.1 in 56 columns: 0.1 lies at 55 * ln 10 / ln 110 = 26.9. */
    const char *plot = line + 5;
    assert_int_equal(plot[0], '|');
    assert_int_equal(plot[27], 'o');
    assert_int_equal(plot[54], '|'); /* 1, and the interval's end there */
    assert_int_equal(plot[26], '-');
    assert_int_equal(plot[53], '-');
    assert_int_equal(plot[55], '\n');
    free(text);
    json_decref(comparison);
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8")) {
        puts("skipped: there is no locale C.UTF-8 here");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_drives),   cmocka_unit_test(refused),
        cmocka_unit_test(three_drives), cmocka_unit_test(everything_stays_inside),
        cmocka_unit_test(forest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
