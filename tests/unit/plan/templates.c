/* Searches in a plan: templates, their groups over repeats, and the trials made of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plan/plan.h"

static const struct key *const tables[] = {NULL};
static const char *const targets[] = {"/mnt/a", "/mnt/寿"};

static struct spec *spec; /* of the test that runs: names of parts are its */

static int set_up(void **state)
{
    (void)state;
    spec = spec_create(tables);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    spec_destroy(spec);
    return 0;
}

static struct plan *plan_of(const char *text, size_t target_count)
{
    struct err err = {.kind = ERR_NONE};
    struct plan *plan = NULL;
    if (spec_read(spec, text, strlen(text), "x.ini", &err) != 0 ||
        plan_create(spec, targets, target_count, &plan, &err) != 0)
        fail_msg("%s", err.text);
    return plan;
}

static void a_search_is_one_template(void **state)
{
    (void)state;
    struct plan *plan = plan_of("[workload]\nstreams = auto\n", 1);
    assert_int_equal(plan->count, 1);
    assert_int_equal(plan->template_count, 1);
    assert_int_equal(plan->group_count, 1);
    const struct trial_plan *of = &plan->trials[0];
    assert_true(of->load->streams_auto);
    assert_int_equal(of->factor_count, 1);
    assert_string_equal(of->factors[0].name, "streams");
    assert_string_equal(of->factors[0].value, "auto");
    assert_true(isnan(of->factors[0].number));
    plan_destroy(plan);
    plan = plan_of("[workload]\nstreams = 1, 2\n", 1);
    assert_int_equal(plan->template_count, 0);
    plan_destroy(plan);
}

static void a_step_is_a_trial_of_its_own(void **state)
{
    (void)state;
    struct plan *plan = plan_of("[workload]\nstreams = auto\nrows_per_commit = 1, 10\n", 2);
    const struct trial_plan *of = &plan->trials[3];
    struct trial_plan *step = plan_step_create(of, 17, 24);
    assert_int_equal(step->index, 17);
    assert_int_equal(step->group, of->group);
    assert_int_equal(step->target, 1);
    assert_int_equal(step->load->streams, 24);
    assert_int_equal(step->factor_count, 3); /* in the order of the table of keys */
    assert_string_equal(step->factors[0].name, "rows_per_commit");
    assert_true(step->factors[0].number == 10);
    assert_string_equal(step->factors[1].name, "streams");
    assert_string_equal(step->factors[1].value, "24");
    assert_true(step->factors[1].number == 24);
    assert_string_equal(step->factors[2].value, "/mnt/寿");
    assert_true(isnan(of->factors[1].number)); /* the template stays as it is */
    plan_step_destroy(step);
    plan_step_destroy(NULL);
    plan_destroy(plan);
}

/* Repeats of a combination have one group, backward or not; no other has it. */
static void groups_are_combinations(void **state)
{
    (void)state;
    struct plan *plan = plan_of("[run]\nrepeats = 3\n[part a]\nworkload.streams = auto\n"
                                "workload.rows = 10, 20\n[part b]\nworkload.streams = 1, 2\n",
                                2);
    assert_int_equal(plan->count, 3 * (4 + 4));
    assert_int_equal(plan->group_count, 8);
    assert_int_equal(plan->template_count, 12);
    for (size_t i = 0; i < plan->count; i++)
        for (size_t j = 0; j < plan->count; j++) {
            const struct trial_plan *a = &plan->trials[i], *b = &plan->trials[j];
            bool same = strcmp(a->part, b->part) == 0 && a->target == b->target &&
                        a->load->rows == b->load->rows && a->load->streams == b->load->streams;
            assert_true(a->group < plan->group_count);
            assert_int_equal(a->group == b->group, same);
        }
    plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_search_is_one_template, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_step_is_a_trial_of_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_are_combinations, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
