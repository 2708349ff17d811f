#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/finding.h"

static void what_all_have(void **state)
{
    (void)state;
    json_t *factors = json_pack("{s:i, s:s}", "streams", 4, "layout", "shared-table");
    const struct group group = {.part = "bulk", .factors = factors, .phase = "insert"};
    static const char *const left_out[] = {"streams", NULL};
    json_t *finding = finding_create(&group, left_out);
    assert_string_equal(json_text_at(finding, "part"), "bulk");
    assert_string_equal(json_text_at(finding, "phase"), "insert");
    assert_string_equal(json_text_at(finding, "verdict"), "undetermined");
    assert_string_equal(json_text_at(finding, "factors.layout"), "shared-table");
    assert_null(json_at(finding, "factors.streams"));
    assert_int_equal(json_object_size(factors), 2); /* the document is left as it is */
    assert_int_equal(json_array_size(json_object_get(finding, "sentences")), 0);
    assert_true(json_is_null(json_object_get(finding, "certainty")));

    finding_judge(finding, "knee");
    finding_say(finding, "knee at %d streams", 10);
    finding_say(finding, "100%%");
    finding_doubt(finding, "%d repeats more", 3);
    finding_doubt(finding, "%d repeats more", 4);
    assert_string_equal(json_text_at(finding, "verdict"), "knee");
    const json_t *said = json_object_get(finding, "sentences");
    assert_int_equal(json_array_size(said), 2);
    assert_string_equal(json_string_value(json_array_get(said, 0)), "knee at 10 streams");
    assert_string_equal(json_string_value(json_array_get(said, 1)), "100%");
    assert_string_equal(json_text_at(finding, "certainty"), "4 repeats more"); /* the last one */
    json_decref(finding);
    json_decref(factors);
}

static void nothing_known(void **state)
{
    (void)state;
    const struct group group = {.phase = "insert"};
    json_t *finding = finding_create(&group, NULL);
    assert_true(json_is_null(json_object_get(finding, "part")));
    assert_int_equal(json_object_size(json_object_get(finding, "factors")), 0);
    json_decref(finding);
}

static void one_verdict_of_many(void **state)
{
    (void)state;
    const struct group group = {.phase = "insert"};
    assert_null(findings_json(json_array()));
    json_t *list = json_array();
    json_array_append_new(list, finding_create(&group, NULL));
    json_incref(list);
    json_t *all = findings_json(list);
    assert_string_equal(json_text_at(all, "verdict"), "undetermined");
    json_decref(all);
    for (int i = 0; i < 2; i++) {
        json_t *finding = finding_create(&group, NULL);
        finding_judge(finding, i ? "flat" : "knee");
        json_array_append_new(list, finding);
    }
    json_array_append_new(list, json_null()); /* no finding at all */
    all = findings_json(list);
    assert_string_equal(json_text_at(all, "verdict"), "knee"); /* the first that is determined */
    assert_int_equal(json_array_size(json_object_get(all, "findings")), 4);
    json_decref(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_all_have),
        cmocka_unit_test(nothing_known),
        cmocka_unit_test(one_verdict_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
