#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/compare.h"
#include "unit/analysis/compare_documents.h"

enum { RESULTS_MAX = 30 };

static const double slow[] = {100, 101, 102, 103, 104, 105};
static const double fast[] = {200, 201, 202, 203, 204, 205};

/* Of results named r0, r1...; steals them. */
static json_t *compared(const struct compare_options *options, json_t **results, size_t count)
{
    struct compare_input inputs[RESULTS_MAX] = {{NULL, NULL}};
    char paths[RESULTS_MAX][24];
    struct err err = {.kind = ERR_NONE};
    for (size_t i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "r%zu", i);
        inputs[i] = (struct compare_input){paths[i], results[i]};
    }
    json_t *comparison = compare_json(inputs, count, options, &err);
    if (!comparison)
        print_message("%s\n", err.text);
    for (size_t i = 0; i < count; i++)
        json_decref(results[i]);
    return comparison;
}

static json_t *compare_two(json_t *a, json_t *b)
{
    json_t *results[] = {a, b};
    json_t *comparison = compared(&(struct compare_options){.all_metrics = false}, results, 2);
    assert_non_null(comparison);
    return comparison;
}

static const json_t *find(const json_t *list, const char *key, const char *wanted)
{
    size_t index;
    const json_t *entry;
    json_array_foreach(list, index, entry)
    {
        const char *text = json_text_at(entry, key);
        if (text && strcmp(text, wanted) == 0)
            return entry;
    }
    return NULL;
}

static const json_t *metric_of(const json_t *comparison, const char *path)
{
    const json_t *group = json_array_get(json_object_get(comparison, "groups"), 0);
    return find(json_object_get(group, "metrics"), "path", path);
}

static const json_t *ratio_of(const json_t *comparison, const char *path, const char *drive)
{
    return find(json_object_get(metric_of(comparison, path), "ratios"), "drive", drive);
}

static void assert_verdict(const json_t *comparison, const char *path, const char *drive,
                           const char *verdict)
{
    const json_t *ratio = ratio_of(comparison, path, drive);
    assert_non_null(ratio);
    assert_string_equal(json_text_at(ratio, "verdict"), verdict);
}

static void assert_near(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%.9g is not %.9g", value, wanted);
}

static bool says(const json_t *list, const char *text)
{
    size_t index;
    const json_t *entry;
    json_array_foreach(list, index, entry)
    {
        const char *said =
            json_is_string(entry) ? json_string_value(entry) : json_text_at(entry, "text");
        if (said && strstr(said, text))
            return true;
    }
    return false;
}

static bool verdict_says(const json_t *comparison, const char *text)
{
    const json_t *sentences = json_at(comparison, "verdict.sentences");
    bool said = says(sentences, text);
    if (!said) {
        char *dumped = json_dumps(sentences, 0);
        print_message("not said: %s\nsaid: %s\n", text, dumped);
        free(dumped);
    }
    return said;
}

/* ---- what a verdict takes ---- */

/* 25 differences of logarithms: the third from below is 200/103, the third from above 202/100; of
 * 252 ways to share out the ranks 2 are as far apart. */
static void five_against_five(void **state)
{
    (void)state;
    json_t *c = compare_two(made_result(&(struct made){.label = "a"}, slow, 5),
                            made_result(&(struct made){.label = "b"}, fast, 5));
    const json_t *ratio = ratio_of(c, "commits_per_s", "B");
    assert_near(json_number_at(ratio, "low"), 200.0 / 103, 1e-9);
    assert_near(json_number_at(ratio, "high"), 2.02, 1e-9);
    assert_near(json_number_at(ratio, "ratio"), 202.0 / 102, 0.002);
    assert_near(json_number_at(ratio, "p"), 2.0 / 252, 1e-9);
    assert_near(json_number_at(ratio, "coverage"), 1 - 8.0 / 252, 1e-9);
    assert_string_equal(json_text_at(ratio, "design"), "unpaired");
    assert_verdict(c, "commits_per_s", "B", "better");
    assert_verdict(c, "latency_ms.transaction.p99", "B", "better"); /* half is better there */
    assert_near(json_number_at(ratio_of(c, "latency_ms.transaction.p99", "B"), "ratio"), 0.505,
                0.001);
    assert_verdict(c, "per_commit.bytes", "B", "same");
    assert_true(verdict_says(c, "B for small commits."));
    const json_t *drives = json_object_get(metric_of(c, "commits_per_s"), "drives");
    assert_near(json_number_at(json_array_get(drives, 0), "median"), 102, 0);
    assert_near(json_number_at(json_array_get(drives, 0), "low"), 100, 0);
    assert_near(json_number_at(json_array_get(drives, 1), "high"), 204, 0);
    json_decref(c);
}

static void worse_is_worse(void **state)
{
    (void)state;
    json_t *c = compare_two(made_result(&(struct made){.label = "a"}, fast, 5),
                            made_result(&(struct made){.label = "b"}, slow, 5));
    assert_verdict(c, "commits_per_s", "B", "worse");
    assert_verdict(c, "latency_ms.transaction.p50", "B", "worse");
    assert_true(verdict_says(c, "A for small commits."));
    json_decref(c);
}

/* However far apart: nothing can be concluded. */
static void too_few(void **state)
{
    (void)state;
    static const struct {
        int a, b;
        double more; /* at least */
    } cases[] = {{3, 3, 2}, {4, 4, 1}, {4, 6, 1}, {1, 1, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *c = compare_two(made_result(&(struct made){.label = "a"}, slow, cases[i].a),
                                made_result(&(struct made){.label = "b"}, fast, cases[i].b));
        const json_t *ratio = ratio_of(c, "commits_per_s", "B");
        assert_verdict(c, "commits_per_s", "B", "undetermined");
        assert_string_equal(json_text_at(ratio, "because"), "too few runs");
        assert_near(json_number_at(ratio, "more_runs"), cases[i].more, 0);
        if (cases[i].a == 1)
            assert_true(verdict_says(c, "from one run there is no winner"));
        else
            assert_true(verdict_says(c, "more run"));
        json_decref(c);
    }
}

/* Two targets of one run belong together by repeat: six pairs give 2 of 64 ways, five 2 of 32. */
static void pairs(void **state)
{
    (void)state;
    for (int count = 5; count <= 6; count++) {
        json_t *both = made_summary(&(struct made){.targets = {"/mnt/a", "/mnt/b"}});
        made_rates(both, 0, slow, count);
        made_rates(both, 1, fast, count);
        json_t *c = compared(&(struct compare_options){.all_metrics = false}, &both, 1);
        assert_non_null(c);
        const json_t *ratio = ratio_of(c, "commits_per_s", "B");
        assert_string_equal(json_text_at(ratio, "design"), "paired");
        assert_near(json_number_at(ratio, "p"), pow(2, 1 - count), 1e-12);
        assert_verdict(c, "commits_per_s", "B", count == 6 ? "better" : "undetermined");
        if (count == 5)
            assert_near(json_number_at(ratio, "more_runs"), 1, 0);
        json_decref(c);
    }
}

/* A repeat that one of them lacks makes no pair. */
static void a_pair_is_one_repeat(void **state)
{
    (void)state;
    json_t *both = made_summary(&(struct made){.targets = {"/mnt/a", "/mnt/b"}});
    made_rates(both, 0, slow, 6);
    for (int i = 1; i < 6; i++)
        made_trial(both, i, 1, NULL,
                   &(struct figures){NULL, "insert", 1, 2 * slow[i], 1, 3, 9626, 2.07, 1.05});
    json_t *c = compared(&(struct compare_options){.all_metrics = false}, &both, 1);
    const json_t *ratio = ratio_of(c, "commits_per_s", "B");
    assert_near(json_number_at(ratio, "count_a"), 5, 0);
    assert_near(json_number_at(ratio, "ratio"), 2, 1e-12); /* each pair has twice */
    json_decref(c);
}

/* The smallest of two p-values counts twice: 2/252 is certain enough then, 2/64 of pairs is not. */
static void three_drives(void **state)
{
    (void)state;
    json_t *results[] = {made_result(&(struct made){.label = "a"}, slow, 5),
                         made_result(&(struct made){.label = "b"}, fast, 5),
                         made_result(&(struct made){.label = "c"}, slow, 5)};
    json_t *c = compared(&(struct compare_options){.all_metrics = false}, results, 3);
    assert_near(json_number_at(ratio_of(c, "commits_per_s", "B"), "p_adjusted"), 4.0 / 252, 1e-9);
    assert_near(json_number_at(ratio_of(c, "commits_per_s", "C"), "p_adjusted"), 1, 1e-9);
    assert_verdict(c, "commits_per_s", "B", "better");
    assert_verdict(c, "commits_per_s", "C", "same"); /* within 104/100 on both sides */
    assert_true(verdict_says(c, "B over A for small commits."));
    json_decref(c);
    json_t *all = made_summary(&(struct made){.targets = {"/mnt/a", "/mnt/b", "/mnt/c"}});
    made_rates(all, 0, slow, 6);
    made_rates(all, 1, fast, 6);
    made_rates(all, 2, fast, 6);
    c = compared(&(struct compare_options){.all_metrics = false}, &all, 1);
    const json_t *ratio = ratio_of(c, "commits_per_s", "B");
    assert_near(json_number_at(ratio, "p_adjusted"), 4.0 / 64, 1e-9);
    assert_verdict(c, "commits_per_s", "B", "undetermined");
    assert_string_equal(json_text_at(ratio, "because"), "several drives");
    assert_near(json_number_at(ratio, "more_runs"), 1, 0); /* 4/128 */
    json_decref(c);
}

static void identical_results(void **state)
{
    (void)state;
    static const double wide[] = {100, 150, 200, 250, 300, 350};
    static const struct {
        const double *rates;
        const char *verdict;
    } cases[] = {{slow, "same"}, {wide, "undetermined"}};
    for (size_t i = 0; i < 2; i++) {
        const struct made m = {.run_id = "0123"};
        json_t *c =
            compare_two(made_result(&m, cases[i].rates, 6), made_result(&m, cases[i].rates, 6));
        assert_verdict(c, "commits_per_s", "B", cases[i].verdict);
        assert_verdict(c, "per_commit.bytes", "B", "same");
        assert_true(says(json_object_get(c, "notes"), "hold the same run"));
        json_decref(c);
    }
}

/* No retry on either side is the same; some on one side has no ratio. */
static void zeros(void **state)
{
    (void)state;
    json_t *a = made_result(&(struct made){.label = "a"}, slow, 5);
    json_t *b = made_result(&(struct made){.label = "b"}, slow, 5);
    json_t *both[] = {a, b};
    for (size_t r = 0; r < 2; r++)
        for (size_t i = 0; i < 5; i++) {
            json_t *trial = json_array_get(json_object_get(both[r], "trials"), i);
            json_t *phase = json_array_get(json_object_get(trial, "phases"), 0);
            json_object_set_new(phase, "reconnects", json_integer((json_int_t)(r * i)));
            json_object_set_new(phase, "retries", json_pack("{s:i}", "busy", 0));
        }
    json_t *c = compared(&(struct compare_options){.all_metrics = true}, both, 2);
    assert_verdict(c, "retries.busy", "B", "same");
    assert_verdict(c, "reconnects", "B", "undetermined");
    assert_string_equal(json_text_at(ratio_of(c, "reconnects", "B"), "because"), "zero");
    assert_true(json_is_null(json_object_get(ratio_of(c, "reconnects", "B"), "ratio")));
    assert_verdict(c, "rows", "B", "same"); /* no sense, yet a ratio */
    assert_null(metric_of(c, "latency_ms.lock_wait.p99"));
    json_decref(c);
}

static void put_rounds(json_t *summary, const char *ended_by)
{
    size_t index;
    json_t *trial;
    json_array_foreach(json_object_get(summary, "trials"), index, trial)
    {
        json_t *rounds = json_array();
        for (int i = 0; i < 8; i++) /* a burst, then 10, 20 ... 50, an end that is cut, a pause */
            json_array_append_new(rounds, json_pack("{s:b, s:b, s:{s:{s:f}}}", "partial", i == 6,
                                                    "after_pause", i == 7, "phases", "insert",
                                                    "commits_per_s", i == 0 ? 1000.0 : 10.0 * i));
        json_object_set_new(trial, "rounds", rounds);
        json_object_set_new(trial, "ended_by", json_string(ended_by));
    }
    json_object_set_new(json_object_get(summary, "workload"), "workload.until",
                        json_string("steady"));
}

/* The mean of the last five whole rounds before a pause; a burst that was cut off is not sold as
 * steady. */
static void steady_rounds(void **state)
{
    (void)state;
    json_t *a = made_result(&(struct made){.label = "a"}, slow, 6);
    json_t *b = made_result(&(struct made){.label = "b"}, slow, 6);
    put_rounds(a, "steady");
    put_rounds(b, "done");
    json_t *c = compare_two(a, b);
    const json_t *drives = json_object_get(metric_of(c, "steady.commits_per_s"), "drives");
    assert_near(json_number_at(json_array_get(drives, 0), "median"), 30, 1e-12);
    assert_true(json_is_null(json_object_get(json_array_get(drives, 1), "median")));
    assert_string_equal(json_text_at(ratio_of(c, "steady.commits_per_s", "B"), "because"),
                        "not measured");
    assert_true(verdict_says(c, "Sustained small commits: not measured on one side."));
    assert_true(says(json_object_get(c, "notes"), "NOT REACHED in 6 of 12"));
    json_decref(c);
}

/* ---- drives ---- */

static size_t drives_of(const json_t *comparison)
{
    return json_array_size(json_object_get(comparison, "drives"));
}

static void by_label(void **state)
{
    (void)state;
    json_t *results[] = {made_result(&(struct made){.label = "\xE6\x9D\xB1"}, slow, 3),
                         made_result(&(struct made){.label = "\xE4\xBA\xAC"}, fast, 2),
                         made_result(&(struct made){.label = "\xE6\x9D\xB1"}, slow + 3, 2),
                         made_result(&(struct made){.label = "\xE4\xBA\xAC"}, fast + 2, 3),
                         made_result(&(struct made){.label = NULL}, fast, 5)};
    json_t *c = compared(&(struct compare_options){.all_metrics = false}, results, 5);
    assert_int_equal(drives_of(c), 3); /* one model: labels part it */
    const json_t *a = json_array_get(json_object_get(c, "drives"), 0);
    assert_string_equal(json_text_at(a, "label"), "\xE6\x9D\xB1");
    assert_int_equal(json_array_size(json_object_get(a, "results")), 2);
    assert_near(json_number_at(a, "runs"), 5, 0);
    assert_verdict(c, "commits_per_s", "B", "better"); /* 3 + 2 runs are 5 */
    json_decref(c);
}

static void by_device(void **state)
{
    (void)state;
    json_t *results[] = {made_result(&(struct made){.run_id = "1"}, slow, 5),
                         made_result(&(struct made){.run_id = "2", .firmware = "NEW"}, slow, 5),
                         made_result(&(struct made){.run_id = "3"}, slow, 5),
                         made_result(&(struct made){.run_id = "4", .size_bytes = 2e12}, slow, 5)};
    json_t *c = compared(&(struct compare_options){.all_metrics = false}, results, 4);
    assert_int_equal(drives_of(c), 3);
    assert_near(json_number_at(ratio_of(c, "commits_per_s", "B"), "count_a"), 10, 0);
    json_decref(c);
}

/* The same run twice is one run. */
static void a_copy_counts_once(void **state)
{
    (void)state;
    json_t *results[] = {made_result(&(struct made){.label = "a", .run_id = "1"}, slow, 3),
                         made_result(&(struct made){.label = "a", .run_id = "1"}, slow, 3),
                         made_result(&(struct made){.label = "b", .run_id = "2"}, fast, 5)};
    json_t *c = compared(&(struct compare_options){.all_metrics = false}, results, 3);
    assert_verdict(c, "commits_per_s", "B", "undetermined");
    assert_near(json_number_at(ratio_of(c, "commits_per_s", "B"), "count_a"), 3, 0);
    assert_true(says(json_object_get(c, "notes"), "r1 holds a run that was given before"));
    json_decref(c);
}

static void a_baseline_is_the_first(void **state)
{
    (void)state;
    json_t *results[] = {made_result(&(struct made){.run_id = "1"}, slow, 5),
                         made_result(&(struct made){.run_id = "2"}, fast, 5),
                         made_result(&(struct made){.run_id = "3"}, fast, 5)};
    json_t *c = compared(&(struct compare_options){.has_baseline = true}, results, 3);
    assert_int_equal(drives_of(c), 2);
    assert_string_equal(json_text_at(c, "baseline"), "r0");
    assert_near(json_number_at(ratio_of(c, "commits_per_s", "B"), "count_b"), 10, 0);
    assert_verdict(c, "commits_per_s", "B", "better");
    json_decref(c);
    struct err err;
    json_t *two = made_summary(&(struct made){.targets = {"/mnt/a", "/mnt/b"}});
    struct compare_input inputs[] = {{"base", two}, {"other", two}};
    assert_null(compare_json(inputs, 2, &(struct compare_options){.has_baseline = true}, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "base has 2 targets"));
    json_decref(two);
}

static void too_many_or_too_few_drives(void **state)
{
    (void)state;
    struct compare_input inputs[RESULTS_MAX] = {{NULL, NULL}};
    struct err err;
    const struct compare_options options = {.all_metrics = false};
    char labels[RESULTS_MAX][16];
    for (int i = 0; i < 27; i++) {
        snprintf(labels[i], sizeof labels[i], "%d", i);
        inputs[i] =
            (struct compare_input){"r", made_result(&(struct made){.label = labels[i]}, slow, 1)};
    }
    assert_null(compare_json(inputs, 27, &options, &err));
    assert_non_null(strstr(err.text, "more than 26 drives"));
    assert_null(compare_json(inputs, 1, &options, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "needs a second result"));
    json_t *c = compare_json(inputs, 26, &options, &err);
    assert_int_equal(drives_of(c), 26);
    assert_string_equal(json_text_at(json_array_get(json_object_get(c, "drives"), 25), "name"),
                        "Z");
    json_decref(c);
    for (int i = 0; i < 27; i++)
        json_decref((json_t *)inputs[i].summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_against_five),
        cmocka_unit_test(worse_is_worse),
        cmocka_unit_test(too_few),
        cmocka_unit_test(pairs),
        cmocka_unit_test(a_pair_is_one_repeat),
        cmocka_unit_test(three_drives),
        cmocka_unit_test(identical_results),
        cmocka_unit_test(zeros),
        cmocka_unit_test(steady_rounds),
        cmocka_unit_test(by_label),
        cmocka_unit_test(by_device),
        cmocka_unit_test(a_copy_counts_once),
        cmocka_unit_test(a_baseline_is_the_first),
        cmocka_unit_test(too_many_or_too_few_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
