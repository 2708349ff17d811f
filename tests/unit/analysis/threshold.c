#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/compare.h"
#include "unit/analysis/compare_documents.h"

static const double slow[] = {100, 101, 102, 103, 104, 105};
static const double fast[] = {200, 201, 202, 203, 204, 205};

static void what_is_right(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part, *phase, *metric;
        enum threshold_relation relation;
        double value;
        bool is_relative;
    } cases[] = {
        {"insert.commits_per_s < 0.95x", NULL, "insert", "commits_per_s", THRESHOLD_BELOW, 0.95,
         true},
        {"insert.latency_ms.commit.p99>10", NULL, "insert", "latency_ms.commit.p99",
         THRESHOLD_ABOVE, 10, false},
        {"  bulk:insert.rows_per_s  <=  1e5  ", "bulk", "insert", "rows_per_s",
         THRESHOLD_BELOW_OR_EQUAL, 1e5, false},
        {"\xE5\xA4\xA7 a.b:c:delete.data.write_iops >=1.10x", "\xE5\xA4\xA7 a.b:c", "delete",
         "data.write_iops", THRESHOLD_ABOVE_OR_EQUAL, 1.1, true},
        {"insert.reconnects > 0", NULL, "insert", "reconnects", THRESHOLD_ABOVE, 0, false},
        {"insert.commits_per_s > -1", NULL, "insert", "commits_per_s", THRESHOLD_ABOVE, -1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct threshold t;
        struct err err;
        if (threshold_parse(cases[i].text, &t, &err) != 0)
            fail_msg("%s", err.text);
        if (cases[i].part)
            assert_string_equal(t.part, cases[i].part);
        else
            assert_null(t.part);
        assert_string_equal(t.phase, cases[i].phase);
        assert_string_equal(t.metric->path, cases[i].metric);
        assert_int_equal(t.relation, cases[i].relation);
        assert_true(t.value == cases[i].value);
        assert_int_equal(t.is_relative, cases[i].is_relative);
        threshold_release(&t);
    }
}

static void what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "needs an expression, as in"},
        {"   ", "needs an expression"},
        {"< 3", "at character 1, a metric of a phase should stand"},
        {"insert.commits_per_s", "at character 21, a comparison should stand"},
        {"insert.commits_per_s 3", "at character 22, a comparison should stand: <, <=, > or >="},
        {"insert.commits_per_s = 3", "at character 22, a comparison should stand"},
        {"insert.commits_per_s == 3", "at character 22, a comparison"},
        {"insert.commits_per_s != 3", "at character 22, a comparison"},
        {"insert.commits_per_s < ", "a number should stand"},
        {"insert.commits_per_s <", "a number should stand"},
        {"insert.commits_per_s < x", "at character 24, a number should stand"},
        {"insert.commits_per_s < 3 x", "at character 24, a number should stand"},
        {"insert.commits_per_s < 3xx", "at character 24, a number"},
        {"insert.commits_per_s < 10ms", "at character 24, a number"},
        {"insert.commits_per_s < nan", "at character 24, a number"},
        {"insert.commits_per_s < inf", "at character 24, a number"},
        {"insert.commits_per_s < 1e999", "at character 24, a number"},
        {"insert.commits_per_s < 0x10", "at character 24, a number"},
        {"insert.commits_per_s << 1", "at character 23, a number"},
        {"insert.commits_per_s <> 1", "at character 23, a number"},
        {"insert.commits_per_s < 0x", "should be above 0"},
        {"insert.commits_per_s < -1x", "should be above 0"},
        {"insert < 3", "at character 1, a metric of a phase should stand"},
        {".commits_per_s < 3", "at character 1, a metric of a phase"},
        {":insert.commits_per_s < 3", "at character 1, a name of a part is missing"},
        {"bulk:insert < 3", "at character 6, a metric of a phase"},
        {"insert. < 3", "at character 8, there is no such metric"},
        {"insert.commits < 3 < 4", "at character 18, a number"},
        {"insert.commits_per_sec < 3", "at character 8, there is no such metric"},
        {"insert.latency_ms.commit < 3", "there is no such metric"},
        {"\xE5\xA4\xA7:insert.x < 3", "at character 10, there is no such metric"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct threshold t;
        struct err err = {.kind = ERR_NONE};
        if (threshold_parse(cases[i].text, &t, &err) == 0)
            fail_msg("%s is taken", cases[i].text);
        assert_int_equal(err.kind, ERR_USAGE);
        if (!strstr(err.text, cases[i].says))
            fail_msg("'%s': \"%s\" does not say \"%s\"", cases[i].text, err.text, cases[i].says);
        threshold_release(&t);
    }
}

/* Very long, and no text at all. */
static void hostile_expressions(void **state)
{
    (void)state;
    char *text = malloc(100001);
    assert_non_null(text);
    static const char fill[] = {'a', '.', ':', '<', '9', ' ', (char)0xE5, (char)0xFF};
    for (size_t i = 0; i < sizeof fill; i++) {
        struct threshold t;
        struct err err;
        memset(text, fill[i], 100000);
        text[100000] = '\0';
        assert_int_equal(threshold_parse(text, &t, &err), -1);
        threshold_release(&t);
        memcpy(text, "insert.commits_per_s < ", 23);
        assert_int_equal(threshold_parse(text, &t, &err), -1);
        threshold_release(&t);
    }
    free(text);
}

/* ---- against results ---- */

static json_t *check(const char *text, json_t *a, json_t *b, struct err *err)
{
    struct threshold t;
    struct compare_input inputs[] = {{"a", a}, {"b", b}};
    if (threshold_parse(text, &t, err) != 0)
        fail_msg("%s", err->text);
    json_t *c = compare_json(
        inputs, b ? 2 : 1, &(struct compare_options){.thresholds = &t, .threshold_count = 1}, err);
    threshold_release(&t);
    return c;
}

static void assert_status(const char *text, json_t *a, json_t *b, const char *status, size_t checks)
{
    struct err err;
    json_t *c = check(text, a, b, &err);
    if (!c)
        fail_msg("%s", err.text);
    const json_t *threshold = json_array_get(json_object_get(c, "thresholds"), 0);
    if (strcmp(json_text_at(threshold, "status"), status) != 0)
        fail_msg("%s: %s, not %s", text, json_text_at(threshold, "status"), status);
    assert_int_equal(json_array_size(json_object_get(threshold, "checks")), checks);
    assert_int_equal(threshold_crossed(c), strcmp(status, "passed") == 0 ? 0 : 1);
    json_decref(c);
}

/* Medians: A 102.5, B 202.5. */
static void each_relation(void **state)
{
    (void)state;
    json_t *a = made_result(&(struct made){.label = "a"}, slow, 6);
    json_t *b = made_result(&(struct made){.label = "b"}, fast, 6);
    static const struct {
        const char *text;
        const char *status;
        size_t checks;
    } cases[] = {
        {"insert.commits_per_s < 102.5", "passed", 2},
        {"insert.commits_per_s <= 102.5", "crossed", 2},
        {"insert.commits_per_s > 202.5", "passed", 2},
        {"insert.commits_per_s >= 202.5", "crossed", 2},
        {"insert.commits_per_s > 150", "crossed", 2}, /* B alone */
        {"insert.commits_per_s < 0.95x", "passed", 1},
        {"insert.commits_per_s < 1.976x", "crossed", 1}, /* 202.54 */
        {"insert.commits_per_s < 1.975x", "passed", 1},  /* 202.44 */
        {"insert.commits_per_s >= 1x", "crossed", 1},
        {"insert.latency_ms.transaction.p99 > 1.05x", "passed", 1},
        {"insert.latency_ms.commit.p99 > 10", "cannot be told", 2}, /* nobody measured it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_status(cases[i].text, a, b, cases[i].status, cases[i].checks);
    assert_status("insert.commits_per_s < 102.5", a, NULL, "passed", 1);
    assert_status("insert.commits_per_s < 103", a, NULL, "crossed", 1);
    assert_status("insert.commits_per_s < 0.5x", a, NULL, "cannot be told", 0);
    json_decref(a);
    json_decref(b);
}

/* Streams 1 and 10, parts p and q: every combination. */
static void every_combination(void **state)
{
    (void)state;
    json_t *both[2];
    for (int r = 0; r < 2; r++) {
        both[r] = made_summary(&(struct made){.label = r ? "b" : "a"});
        for (int i = 0; i < 3; i++)
            for (int p = 0; p < 4; p++)
                made_trial(both[r], i, 0, json_pack("{s:i}", "streams", p % 2 ? 10 : 1),
                           &(struct figures){p < 2 ? "p" : "q", "insert", 1, r && p == 3 ? 90 : 100,
                                             1, 3, 9626, 2.07, 1.05});
    }
    assert_status("insert.commits_per_s < 0.95x", both[0], both[1], "crossed", 4);
    assert_status("p:insert.commits_per_s < 0.95x", both[0], both[1], "passed", 2);
    assert_status("q:insert.commits_per_s < 0.95x", both[0], both[1], "crossed", 2);
    assert_status("q:insert.commits_per_s < 90", both[0], both[1], "passed", 4);
    struct err err;
    assert_null(check("r:insert.commits_per_s < 1", both[0], both[1], &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "no result has r:insert; there is p:insert, q:insert"));
    assert_null(check("delete.commits_per_s < 1", both[0], both[1], &err));
    assert_non_null(strstr(err.text, "no result has the phase delete"));
    json_decref(both[0]);
    json_decref(both[1]);
}

/* What one drive has not run fails, and says so. */
static void a_combination_that_is_missing(void **state)
{
    (void)state;
    json_t *a = made_summary(&(struct made){.label = "a"});
    json_t *b = made_result(&(struct made){.label = "b"}, fast, 3);
    made_rates(a, 0, slow, 3);
    made_trial(a, 0, 0, NULL, &(struct figures){NULL, "delete", 1, 100, 1, 3, 9626, 2.07, 1.05});
    struct err err;
    json_t *c = check("delete.commits_per_s < 0.5x", a, b, &err);
    const json_t *threshold = json_array_get(json_object_get(c, "thresholds"), 0);
    const json_t *one = json_array_get(json_object_get(threshold, "checks"), 0);
    assert_string_equal(json_text_at(threshold, "status"), "cannot be told");
    assert_string_equal(json_text_at(one, "reason"), "B was not run");
    assert_true(json_is_null(json_object_get(one, "found")));
    json_decref(c);
    json_decref(a);
    json_decref(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_right),       cmocka_unit_test(what_is_wrong),
        cmocka_unit_test(hostile_expressions), cmocka_unit_test(each_relation),
        cmocka_unit_test(every_combination),   cmocka_unit_test(a_combination_that_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
