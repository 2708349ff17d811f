/* The finding: verdicts, burst against sustained, what a pause did, repeats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/steady.h"
#include "unit/analysis/steady_doc.h"

/* The first finding; new reference.  A trial with rounds alone gets a phase that nobody sampled. */
static json_t *find(struct doc *doc)
{
    json_t *phases = json_object_get(doc_trial(doc), "phases");
    if (json_array_size(phases) == 0)
        json_array_append_new(phases, json_pack("{s:s}", "name", "insert"));
    json_t *found = doc_find(doc, steady_json);
    json_t *finding = json_incref(json_array_get(json_object_get(found, "findings"), 0));
    json_decref(found);
    return finding;
}

static void says(const json_t *finding, const char *label, const char *words)
{
    const char *text = doc_said(finding, label);
    if (!words ? text != NULL : !text || strcmp(text, words) != 0)
        fail_msg("%s: \"%s\", not \"%s\"", label, text ? text : "-", words ? words : "-");
}

static void judged(const json_t *finding, const char *verdict)
{
    assert_string_equal(json_text_at(finding, "verdict"), verdict);
}

#define IS(finding, path, expected, within) NEAR(json_number_at(finding, path), expected, within)
static bool is_null(const json_t *finding, const char *path)
{
    const json_t *value = json_at(finding, path);
    return value && json_is_null(value);
}

static void a_steady_run(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_key(&doc, "steady.write_bytes", "20G");
    doc_key(&doc, "workload.until", "steady");
    put_text(doc_trial(&doc), "ended_by", "steady");
    const double rates[] = {3000, 2000, 1010, 1000, 990, 1000, 1000};
    for (size_t i = 0; i < DOC_COUNT(rates); i++)
        doc_round(&doc, rates[i], 8, 5e9);
    json_t *finding = find(&doc);
    judged(finding, "steady");
    assert_true(json_is_true(json_object_get(finding, "asked")));
    IS(finding, "reached_at_round", 6, 0);
    IS(finding, "rounds_judged", 7, 0);
    IS(finding, "bytes_written", 35e9, 0);
    IS(finding, "bytes_gate", 20e9, 0);
    IS(finding, "window.first", 2, 0);
    IS(finding, "window.last", 6, 0);
    IS(finding, "window.metrics.commits_per_s.average", 1000, 1e-9);
    IS(finding, "window.metrics.commits_per_s.range", 0.02, 1e-9);
    assert_true(json_is_true(json_at(finding, "window.metrics.p99_ms.holds")));
    IS(finding, "sustained_commits_per_s", 1000, 1e-9);
    assert_true(is_null(finding, "burst_commits_per_s")); /* nobody sampled it */
    assert_true(is_null(finding, "sustained_of_burst"));
    assert_true(is_null(finding, "change_in_window"));
    assert_true(is_null(finding, "worst_second"));
    assert_true(is_null(finding, "after_pause"));
    assert_true(is_null(finding, "why"));
    says(finding, "rule", "reached after 7 rounds, 35 GB (range up to 20%, trend up to 10%)");
    says(finding, "window",
         "1,000 commits/s over the last 5 rounds, range 2.0%, trend 0.8%; p99 8.00 ms, range 0%, "
         "trend 0%");
    assert_string_equal(json_text_at(finding, "certainty"),
                        "without samples a change of level inside the window is not seen");
    const json_t *rounds = json_object_get(finding, "rounds");
    assert_int_equal(json_array_size(rounds), 7);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(json_is_true(json_object_get(json_array_get(rounds, i), "holds")), i == 6);
    json_decref(finding);
    doc_release(&doc);
}

static void not_reached(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_key(&doc, "workload.until", "steady");
    put(doc_trial(&doc), "steady",
        json_pack("{s:b, s:b, s:f}", "asked", 1, "reached", 0, "gate_bytes", 20e9));
    for (int i = 0; i < 4; i++)
        doc_round(&doc, 1000, 8, 5e9);
    json_t *finding = find(&doc);
    judged(finding, "not reached"); /* asked for: fewer than 5 are no burst */
    says(finding, "rule", "NOT REACHED after 4 rounds, 20 GB: 5 full rounds are needed");
    json_decref(finding);
    doc_round(&doc, 700, 8, 5e9);
    put_text(doc_trial(&doc), "ended_by", "write_bytes");
    finding = find(&doc);
    judged(finding, "not reached");
    says(finding, "rule", "NOT REACHED after 5 rounds, 25 GB: range of insert commits/s 32% > 20%");
    assert_string_equal(json_text_at(finding, "certainty"),
                        "a larger limit.write_bytes gives it more time");
    IS(finding, "sustained_commits_per_s", 940, 1e-9); /* the mean of the window */
    json_decref(finding);
    doc_release(&doc);
}

/* From what is left of the samples it would hold. */
static void the_run_knows_better(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    doc_begin(&doc, 0);
    for (int i = 0; i < 5; i++)
        doc_round(&doc, 1000, 8, 5e9);
    put(doc_trial(&doc), "steady",
        json_pack("{s:b, s:b, s:f, s:s}", "asked", 1, "reached", 0, "gate_bytes", 1e9, "why",
                  "it changed"));
    json_t *finding = find(&doc);
    judged(finding, "not reached");
    says(finding, "rule", "NOT REACHED after 5 rounds, 25 GB: it changed");
    json_decref(finding);
    put(doc_trial(&doc), "steady",
        json_pack("{s:b, s:b, s:f}", "asked", 1, "reached", 1, "gate_bytes", 90e9));
    finding = find(&doc);
    judged(finding, "not reached");
    assert_non_null(strstr(json_text_at(finding, "certainty"), "the run itself"));
    json_decref(finding);
    doc_release(&doc);
}

static void steady_once_and_then_no_more(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_key(&doc, "steady.write_bytes", "1");
    for (int i = 0; i < 12; i++)
        doc_round(&doc, i < 7 ? 1000 : i < 10 ? 500 : 900, NAN, NAN);
    json_t *finding = find(&doc);
    judged(finding, "not reached");
    says(finding, "lost", "the rule held at rounds 5-7 and no more at the end");
    assert_true(is_null(finding, "reached_at_round"));
    assert_string_equal(json_text_at(finding, "certainty"),
                        "--until steady goes on until the rule holds");
    json_decref(finding);
    doc_release(&doc);
}

static void rates_that_are_unknown(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_key(&doc, "steady.write_bytes", "1");
    for (int i = 0; i < 5; i++)
        doc_round(&doc, i == 2 ? (double)NAN : 1000, 8, 5e9);
    json_t *finding = find(&doc);
    judged(finding, "undetermined");
    says(finding, "rule",
         "whether it was steady cannot be told after 5 rounds, 25 GB: insert "
         "commits/s of a round are unknown or 0");
    assert_true(is_null(finding, "sustained_commits_per_s"));
    json_decref(finding);
    doc_release(&doc);
}

#define LEVEL(length, commits, written)                                                            \
    {                                                                                              \
        .seconds = (length), .rate = (commits), .bytes_per_s = (written), .celsius = NAN,          \
        .in_flight = 1                                                                             \
    }

static void a_short_run_is_a_burst(void **state)
{
    (void)state;
    struct doc doc;
    const struct stretch even = LEVEL(5, 800, 10e6);
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_phase(&doc, "insert", 0, &even, 1);
    json_t *finding = find(&doc);
    judged(finding, "burst");
    says(finding, "rule", "50 MB in 5.0 s says nothing of sustained load");
    assert_int_equal(json_array_size(json_object_get(finding, "sentences")), 1);
    IS(finding, "burst_commits_per_s", 800, 5);
    assert_true(is_null(finding, "sustained_commits_per_s")); /* nobody saw it */
    assert_true(is_null(finding, "bytes_to_cliff"));
    IS(finding, "share_below_half", 0, 0);
    IS(finding, "stall_count", 0, 0);
    IS(finding, "worst_second.commits_per_s", 800, 10);
    assert_int_equal(json_array_size(json_object_get(finding, "levels")), 1);
    assert_string_equal(json_text_at(finding, "certainty"),
                        "--until steady runs rounds until it settles");
    json_decref(finding);
    doc_release(&doc);
}

static void burst_against_sustained(void **state)
{
    (void)state;
    struct doc doc;
    const struct stretch falls[] = {LEVEL(70, 5000, 50e6), LEVEL(20, 1500, 15e6), LEVEL(1, 0, 0),
                                    LEVEL(209, 1500, 15e6)};
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_phase(&doc, "insert", 0, falls, 4);
    json_array_append_new(json_object_get(doc.summary, "events"),
                          json_pack("{s:f, s:i, s:s, s:s}", "at_s", 93.1, "trial", 0, "kind",
                                    "reconnect", "text", "1 connection"));
    json_t *finding = find(&doc);
    judged(finding, "burst");
    IS(finding, "bytes_to_cliff", 3.5e9, 1e5);
    IS(finding, "seconds_to_cliff", 70, 1e-6);
    IS(finding, "burst_commits_per_s", 5000, 20);
    IS(finding, "sustained_commits_per_s", 1500, 8);
    IS(finding, "sustained_of_burst", 0.3, 0.005);
    IS(finding, "worst_second.at_s", 92, 1e-6);
    IS(finding, "worst_second.commits_per_s", 0, 1e-9);
    IS(finding, "share_below_half", 1.0 / 300, 1e-6); /* the median is that of the lower level */
    IS(finding, "stall_count", 1, 0);
    const json_t *stall = json_array_get(json_object_get(finding, "stalls"), 0);
    IS(stall, "at_s", 92, 1e-6);
    IS(stall, "seconds", 1, 1e-6);
    assert_string_equal(json_text_at(stall, "event"), "reconnect");
    const json_t *change = json_array_get(json_object_get(finding, "changes"), 0);
    IS(change, "at_s", 72, 1e-6);
    IS(change, "at_bytes", 3.5e9, 1e5);
    assert_true(is_null(change, "cause"));
    says(finding, "cliff",
         "after 3.5 GB (70 s) commits/s fell from 5,000 to 1,500 for good; sustained 1,500, 30% of "
         "the "
         "burst; no cause seen "
         "(temperature and foreign I/O unknown)");
    json_decref(finding);
    doc_release(&doc);
}

static void levels_without_a_cliff(void **state)
{
    (void)state;
    struct doc doc;
    const struct stretch waves[] = {LEVEL(60, 5000, 50e6), LEVEL(60, 1500, 15e6),
                                    LEVEL(60, 4000, 40e6)};
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_phase(&doc, "insert", 0, waves, 3);
    json_t *finding = find(&doc);
    assert_true(is_null(finding, "bytes_to_cliff"));
    says(finding, "cliff", NULL);
    says(finding, "levels", "commits/s changed 2 times: 5,000, 1,500, 4,000");
    assert_int_equal(json_array_size(json_object_get(finding, "changes")), 2);
    json_decref(finding);
    doc_release(&doc);
}

static void after_a_pause(void **state)
{
    (void)state;
    struct doc doc;
    const struct stretch fast = LEVEL(40, 5000, 50e6), slow = LEVEL(40, 1500, 15e6),
                         rested = LEVEL(40, 4500, 45e6);
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_key(&doc, "workload.pause", "10m");
    doc_phase(&doc, "insert", 0, &fast, 1);
    doc_phase(&doc, "insert", 1, &slow, 1);
    put(doc_phase(&doc, "insert", 2, &rested, 1), "after_pause", json_true());
    doc_rounds(&doc, 40);
    json_t *finding = find(&doc);
    IS(finding, "after_pause.pause_s", 600, 0);
    IS(finding, "after_pause.commits_per_s", 4500, 1);
    IS(finding, "after_pause.of_before", 3, 1e-3);
    IS(finding, "after_pause.of_burst", 0.9, 0.005);
    says(finding, "pause",
         "after a pause of 10 min 4,500 commits/s, 3.00 times the last round before "
         "it, 90% of the burst");
    assert_int_equal(json_array_size(json_object_get(finding, "levels")), 2);
    json_decref(finding);
    doc_release(&doc);
}

static void repeats(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    doc_key(&doc, "steady.write_bytes", "1");
    for (int repeat = 0; repeat < 3; repeat++) {
        const struct stretch even = LEVEL(5, 800, 10e6);
        doc_begin(&doc, repeat);
        for (int i = 0; i < 5; i++)
            doc_round(&doc, repeat == 1 && i > 2 ? 500 : 1000 + repeat, 8, 5e9);
        doc_phase(&doc, "insert", 0, &even, 1);
    }
    json_t *finding = find(&doc);
    judged(finding, "not reached"); /* one of them did not */
    IS(finding, "repeats", 3, 0);
    IS(finding, "repeats_steady", 2, 0);
    IS(finding, "sustained_commits_per_s", 1000, 1e-9); /* of the first */
    const json_t *others = json_object_get(finding, "others");
    assert_int_equal(json_array_size(others), 2);
    judged(json_array_get(others, 0), "not reached");
    judged(json_array_get(others, 1), "steady");
    IS(json_array_get(others, 1), "repeat", 2, 0);
    IS(json_array_get(others, 1), "sustained_commits_per_s", 1002, 1e-9);
    says(finding, "repeats", "2 of 3 repeats were steady; all else is told of the first");
    json_decref(finding);
    doc_release(&doc);
}

static void each_phase_has_its_own(void **state)
{
    (void)state;
    struct doc doc;
    const struct stretch fast = LEVEL(6, 2000, 1e6), slow = LEVEL(6, 1000, 1e6);
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_key(&doc, "steady.write_bytes", "1");
    for (unsigned i = 0; i < 5; i++) {
        doc_phase(&doc, "insert", i, &fast, 1);
        doc_phase(&doc, "delete", i, i == 4 ? &fast : &slow, 1);
    }
    doc_rounds(&doc, 11);
    json_t *found = doc_find(&doc, steady_json);
    const json_t *list = json_object_get(found, "findings");
    assert_int_equal(json_array_size(list), 2);
    for (size_t i = 0; i < 2; i++) { /* a trial is steady as a whole */
        judged(json_array_get(list, i), "not reached");
        assert_non_null(
            strstr(json_text_at(json_array_get(list, i), "why"), "range of delete commits/s"));
    }
    assert_true(
        json_is_true(json_at(json_array_get(list, 0), "window.metrics.commits_per_s.holds")));
    assert_true(
        json_is_false(json_at(json_array_get(list, 1), "window.metrics.commits_per_s.holds")));
    assert_true(json_is_true(json_object_get(json_array_get(list, 1), "change_in_window")));
    json_decref(found);
    doc_release(&doc);
}

/* loadline itself, or a drive that commits do not wait for. */
static void no_drive_no_verdict(void **state)
{
    (void)state;
    struct doc doc;
    const struct stretch even = LEVEL(30, 800, NAN);
    doc_init(&doc);
    put_text(json_object_get(doc.summary, "environment"), "engine", "null");
    doc_begin(&doc, 0);
    doc_phase(&doc, "insert", 0, &even, 1);
    json_t *finding = find(&doc);
    judged(finding, "undetermined");
    says(finding, "rule", NULL);
    json_decref(finding);
    doc_release(&doc);
}

static void nothing_to_say(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}", "{\"trials\":5,\"events\":{}}",
        "{\"trials\":[5,null,{\"phases\":7,\"rounds\":{}},{\"phases\":[1,{}]}],\"events\":[1,{}]}",
        "{\"trials\":[{\"index\":-1,\"phases\":[{\"name\":\"x\",\"devices\":[1]}]}],"
        "\"events\":[{\"kind\":\"a\",\"at_s\":\"b\",\"trial\":0}]}"};
    for (size_t i = 0; i < DOC_COUNT(texts); i++) {
        struct doc doc = {.summary = json_loads(texts[i], 0, NULL)};
        assert_null(doc_find(&doc, steady_json));
        doc_release(&doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_run),
        cmocka_unit_test(not_reached),
        cmocka_unit_test(the_run_knows_better),
        cmocka_unit_test(steady_once_and_then_no_more),
        cmocka_unit_test(rates_that_are_unknown),
        cmocka_unit_test(a_short_run_is_a_burst),
        cmocka_unit_test(burst_against_sustained),
        cmocka_unit_test(levels_without_a_cliff),
        cmocka_unit_test(after_a_pause),
        cmocka_unit_test(repeats),
        cmocka_unit_test(each_phase_has_its_own),
        cmocka_unit_test(no_drive_no_verdict),
        cmocka_unit_test(nothing_to_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
