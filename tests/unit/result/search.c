/* What a trial's record says of the search that made it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "result/record.h"
#include "result/trial.h"

static void a_step_says_which_it_is(void **state)
{
    (void)state;
    struct trial_record trial = {.search_step = 3, .floor_before = NAN, .floor_after = NAN};
    json_t *json = trial_json(&trial);
    assert_true(json_number_at(json, "search.step") == 3);
    assert_true(json_is_null(json_at(json, "search.end")));
    json_decref(json);
    trial.search_end = "found";
    json = trial_json(&trial);
    assert_string_equal(json_text_at(json, "search.end"), "found");
    json_decref(json);
    json = trial_start_json(1.5, &trial);
    assert_true(json_number_at(json, "search.step") == 3);
    json_decref(json);
}

static void other_trials_have_none(void **state)
{
    (void)state;
    struct trial_record trial = {.floor_before = NAN, .floor_after = NAN};
    json_t *json = trial_json(&trial);
    assert_true(json_is_null(json_object_get(json, "search")));
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_says_which_it_is),
        cmocka_unit_test(other_trials_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
