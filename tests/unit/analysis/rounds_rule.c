/* The rule of the steady state, over rounds that were written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/rounds_rule.h"
#include "unit/analysis/steady_doc.h"

/* One-minute averages of a drive under random 4 KiB load, published in fio's issue 687. */
static const double drive[] = {79617, 79793, 79661, 79704, 79483, 79454, 79556, 79343, 79049,
                               78776, 78029, 78023, 77554, 77225, 76945, 67886, 65353, 64239,
                               62856, 61628, 60328, 58853, 72292, 79839, 79852, 79879};

static void judge(struct rounds_rule *rule, const struct doc *doc)
{
    struct rates_index index;
    rates_index_init(&index, &doc->courses);
    rounds_rule_init(rule, doc->summary, json_array_get(json_object_get(doc->summary, "trials"), 0),
                     &index);
    rates_index_release(&index);
}

static void judges(const struct doc *doc, enum rounds_rule_answer answer, const char *why)
{
    struct rounds_rule rule;
    judge(&rule, doc);
    if (strcmp(rule.why, why) != 0)
        fail_msg("\"%s\", not \"%s\"", rule.why, why);
    assert_int_equal(rule.count ? rule.holds[rule.count - 1] : RULE_NO, answer);
    rounds_rule_release(&rule);
}

static void a_drive_that_seemed_steady(void **state)
{
    (void)state;
    struct doc doc;
    struct rounds_rule rule;
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_key(&doc, "steady.write_bytes", "0");
    for (size_t i = 0; i < DOC_COUNT(drive); i++)
        doc_round(&doc, drive[i], NAN, 18e9);
    judge(&rule, &doc);
    assert_int_equal(rule.count, 26);
    for (size_t i = 0; i < rule.count; i++) {
        size_t minute = i + 1;
        bool holds = (minute >= 5 && minute <= 15) || (minute >= 20 && minute <= 22);
        if (rule.holds[i] != (holds ? RULE_YES : RULE_NO))
            fail_msg("minute %zu", minute);
    }
    assert_int_equal(rounds_rule_since(&rule), 26);
    assert_int_equal(rule.change, RULE_UNKNOWN); /* nobody sampled it */
    rounds_rule_release(&rule);
    doc_release(&doc);
}

static void five_rounds(struct doc *doc, double bytes)
{
    doc_init(doc);
    doc_begin(doc, 0);
    for (int i = 0; i < 5; i++)
        doc_round(doc, 1000, 8, bytes);
}

static void the_gate(void **state)
{
    (void)state;
    struct doc doc;
    five_rounds(&doc, 150e9); /* a third of 3 TB is 1 TB */
    judges(&doc, RULE_NO, "the drive took 750 GB, less than steady.write_bytes = 1.0 TB");
    doc_key(&doc, "limit.write_bytes", "1400G");
    judges(&doc, RULE_YES, ""); /* no more than half of the limit */
    doc_key(&doc, "steady.write_bytes", "800G");
    judges(&doc, RULE_NO, "the drive took 750 GB, less than steady.write_bytes = 800 GB");
    put(doc_trial(&doc), "steady", json_pack("{s:b, s:f}", "asked", 1, "gate_bytes", 760e9));
    judges(&doc, RULE_NO, "the drive took 750 GB, less than steady.write_bytes = 760 GB");
    put(doc_trial(&doc), "steady", json_pack("{s:b, s:n}", "asked", 1, "gate_bytes"));
    judges(&doc, RULE_YES, ""); /* the run did not know any */
    doc_release(&doc);
    five_rounds(&doc, NAN); /* nothing to hold against it */
    judges(&doc, RULE_YES, "");
    doc_release(&doc);
}

static json_t *round_at(struct doc *doc, size_t at)
{
    return json_array_get(json_object_get(doc_trial(doc), "rounds"), at);
}

static void what_is_no_round(void **state)
{
    (void)state;
    struct doc doc;
    five_rounds(&doc, NAN);
    put(round_at(&doc, 4), "partial", json_true());
    judges(&doc, RULE_NO, "5 full rounds are needed");
    doc_round(&doc, 1000, 8, NAN);
    judges(&doc, RULE_YES, "");
    put(round_at(&doc, 5), "after_pause", json_true());
    judges(&doc, RULE_NO, "5 full rounds are needed");
    put(round_at(&doc, 4), "partial", json_false());
    judges(&doc, RULE_YES, "");
    put_real(round_at(&doc, 4), "elapsed_s", 45); /* longer than half of a round */
    judges(&doc, RULE_YES, "");
    doc_key(&doc, "workload.until", "steady"); /* the run itself looked at full ones alone */
    judges(&doc, RULE_NO, "5 full rounds are needed");
    doc_release(&doc);
}

static json_t *insert_at(struct doc *doc, size_t at)
{
    return json_object_get(json_object_get(round_at(doc, at), "phases"), "insert");
}

static void all_that_fails_is_said(void **state)
{
    (void)state;
    struct doc doc;
    five_rounds(&doc, 1e9);
    put_real(insert_at(&doc, 2), "p99_ms", NAN); /* then it is not judged */
    put_real(insert_at(&doc, 3), "p99_ms", 80);
    doc_key(&doc, "steady.write_bytes", "5G");
    judges(&doc, RULE_YES, "");
    put_real(insert_at(&doc, 2), "p99_ms", 8);
    for (size_t i = 0; i < 5; i++)
        put_real(insert_at(&doc, i), "commits_per_s", 100 + 3 * (double)i);
    doc_key(&doc, "steady.write_bytes", "6G");
    judges(&doc, RULE_NO,
           "trend of insert commits/s 12% > 10%; range of insert p99 322% > 20%; the drive took "
           "5.0 GB, less than steady.write_bytes = 6.0 GB");
    put_real(insert_at(&doc, 2), "commits_per_s", NAN);
    judges(&doc, RULE_UNKNOWN,
           "insert commits/s of a round are unknown or 0; range of insert p99 322% > 20%; the "
           "drive took 5.0 GB, less than steady.write_bytes = 6.0 GB");
    doc_release(&doc);
}

/* Two phases, of which the second falls; rounds of 12 s. */
static void sampled(struct doc *doc, const double *rates, size_t count)
{
    doc_init(doc);
    doc_key(doc, "steady.write_bytes", "1");
    doc_begin(doc, 0);
    for (unsigned i = 0; i < count; i++) {
        const struct stretch insert = {6, 2000, 1e6, NAN, 1e6, 1, 1, false};
        const struct stretch delete = {6, rates[i], 1e6, NAN, 1e6, 1, 1, false};
        doc_phase(doc, "insert", i, &insert, 1);
        doc_phase(doc, "delete", i, &delete, 1);
    }
    doc_rounds(doc, 11.5);
}

static void a_change_inside_the_window(void **state)
{
    (void)state;
    struct doc doc;
    struct rounds_rule rule;
    const double even[] = {1000, 1000, 1000, 1000, 1000, 1000};
    const double falls[] = {1000, 1000, 1000, 1000, 1000, 880};
    sampled(&doc, even, 6);
    judge(&rule, &doc);
    assert_int_equal(rule.count, 6);
    assert_int_equal(rule.change, RULE_NO);
    assert_int_equal(rounds_rule_since(&rule), 4);
    rounds_rule_release(&rule);
    doc_release(&doc);
    /* The window's rates alone would pass. */
    sampled(&doc, falls, 6);
    judge(&rule, &doc);
    assert_int_equal(rule.change, RULE_YES);
    assert_string_equal(rule.why,
                        "delete commits/s changed from 1.00k to 880 inside the last 5 rounds");
    assert_int_equal(rule.holds[4], RULE_YES);
    assert_int_equal(rounds_rule_since(&rule), 6);
    rounds_rule_release(&rule);
    doc_release(&doc);
}

static void strange_documents(void **state)
{
    (void)state;
    static const char *const trials[] = {
        "{}", "{\"rounds\":7}", "{\"rounds\":[1,{},null,{\"phases\":3},{\"phases\":{}}]}",
        "{\"rounds\":[{\"phases\":{\"x\":1}},{\"phases\":{\"x\":[]}},{},{},{\"phases\":[]}],"
        "\"phases\":[7,{\"name\":\"x\",\"cycle\":\"y\"}],\"steady\":4}"};
    for (size_t i = 0; i < DOC_COUNT(trials); i++) {
        struct doc doc;
        struct rounds_rule rule;
        doc_init(&doc);
        json_array_append_new(json_object_get(doc.summary, "trials"),
                              json_loads(trials[i], 0, NULL));
        judge(&rule, &doc);
        assert_int_equal(rounds_rule_since(&rule), rule.count);
        assert_null(rounds_rule_phase(&rule, "insert"));
        rounds_rule_release(&rule);
        doc_release(&doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drive_that_seemed_steady), cmocka_unit_test(the_gate),
        cmocka_unit_test(what_is_no_round),           cmocka_unit_test(all_that_fails_is_said),
        cmocka_unit_test(a_change_inside_the_window), cmocka_unit_test(strange_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
