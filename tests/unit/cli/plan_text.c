/* The plan line and the plan as table and JSON. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/plan_text.h"

enum { TRIALS = 60 };
static struct workload loads[2] = {{.limit_write_bytes = 100000000000},
                                   {.limit_write_bytes = 50000000000}};
static struct factor factors[2] = {{.name = "streams", .value = "10", .number = 10},
                                   {.name = "layout", .value = "shared-table", .number = NAN}};
static struct trial_plan trials[TRIALS];

static struct plan plan_of(size_t count, unsigned repeats)
{
    for (size_t i = 0; i < count; i++)
        trials[i] = (struct trial_plan){.index = (unsigned)i,
                                        .repeat = (unsigned)(i / (count / repeats)),
                                        .part = i % 2 == 0 ? "bulk" : "commit",
                                        .load = &loads[0],
                                        .factors = factors,
                                        .factor_count = i % 2 == 0 ? 1 : 2};
    return (struct plan){.trials = trials, .count = count, .repeats = repeats};
}

static void the_line_says_what_it_costs(void **state)
{
    (void)state;
    struct plan plan = plan_of(30, 6);
    struct run_forecast forecast = {
        .trials = 30, .seconds = 600, .write_bytes = 70e9, .space_bytes = 2.1e9};
    char line[256];

    plan_text_line(&plan, &forecast, line, sizeof line);
    assert_string_equal(line, "plan    5 trials x 6 repeats; 10 min; 70 GB written (limit 100 GB); "
                              "2.1 GB room");
    assert_true(strlen(line) <= 80);
}

static void the_line_stays_inside_80_columns(void **state)
{
    (void)state;
    struct plan plan = plan_of(TRIALS, 2);
    struct run_forecast forecast = {
        .trials = TRIALS, .seconds = 123456789, .write_bytes = 999e15, .space_bytes = 999e12};
    char line[256];

    plan_text_line(&plan, &forecast, line, sizeof line);
    assert_true(strlen(line) <= 80);
    plan = plan_of(1, 1);
    forecast.seconds = forecast.write_bytes = forecast.space_bytes = NAN;
    plan_text_line(&plan, &forecast, line, sizeof line);
    assert_string_equal(line, "plan    1 trial; -; - written (limit 100 GB); - room");
}

static void the_lowest_limit_counts(void **state)
{
    (void)state;
    struct plan plan = plan_of(2, 1);
    struct run_forecast forecast = {
        .trials = 2, .seconds = 5, .write_bytes = 1e6, .space_bytes = 1e6};
    char line[256];

    trials[1].load = &loads[1];
    plan_text_line(&plan, &forecast, line, sizeof line);
    assert_non_null(strstr(line, "(limit 50 GB)"));
}

static void uneven_repeats_are_counted_in_all(void **state)
{
    (void)state;
    struct plan plan = plan_of(4, 2);
    struct run_forecast forecast = {.trials = 3};
    char line[256];

    plan.count = 3;
    plan_text_line(&plan, &forecast, line, sizeof line);
    assert_memory_equal(line, "plan    3 trials; ", 18);
}

static char *printed(const struct plan *plan)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct run_options options = {.plan = plan};
    struct run_forecast forecast = {.trials = (unsigned)plan->count};
    struct err err = {.kind = ERR_NONE};

    assert_non_null(out);
    assert_int_equal(plan_text_print(out, &options, &forecast, &err), 0);
    fclose(out);
    return text;
}

static void a_search_says_its_bounds(void **state)
{
    (void)state;
    struct workload searched = {.streams_auto = true, .limit_write_bytes = 100000000000};
    struct plan plan = plan_of(1, 1);
    struct run_forecast forecast = {.trials = 1,
                                    .seconds = 960,
                                    .write_bytes = 100e9,
                                    .space_bytes = NAN,
                                    .search_steps = 24,
                                    .search_streams = 256};
    char line[256];

    trials[0].load = &searched;
    plan.template_count = 1;
    plan_text_line(&plan, &forecast, line, sizeof line);
    assert_string_equal(line,
                        "plan    search: up to 24 steps; about 16 min, 100 GB written at most");
    plan = plan_of(8, 2);
    plan.template_count = 4;
    for (size_t i = 0; i < 8; i++)
        trials[i].load = i % 2 == 0 ? &searched : &loads[0];
    plan_text_line(&plan, &forecast, line, sizeof line);
    assert_string_equal(
        line, "plan    2 trials, 2 searches x 2 repeats; about 16 min, 100 GB written at most");
    assert_true(strlen(line) <= 80);
}

static void trials_beside_a_search_have_no_number(void **state)
{
    (void)state;
    struct workload searched = {.streams_auto = true};
    struct plan plan = plan_of(2, 1);
    struct factor streams = {.name = "streams", .value = "auto", .number = NAN};
    struct run_target target = {.shown = "/mnt/a"};
    struct run_options options = {.plan = &plan, .targets = &target, .workload_name = "x"};
    struct run_forecast forecast = {.seconds = 960,
                                    .write_bytes = 100e9,
                                    .space_bytes = NAN,
                                    .search_steps = 24,
                                    .search_streams = 256};

    trials[0].load = &searched;
    trials[0].factors = &streams;
    plan.template_count = 1;
    char *text = printed(&plan);
    assert_non_null(strstr(text, "\n      - bulk   auto    -\n"));
    free(text);
    options.spec = spec_create((const struct key *const[]){NULL});
    json_t *json = plan_text_json(&options, &forecast);
    assert_true(json_is_null(json_object_get(json, "trial_count")));
    assert_true(json_is_null(json_object_get(json, "space_bytes")));
    assert_true(json_number_at(json, "search.steps_max") == 24);
    assert_true(json_number_at(json, "search.streams_max") == 256);
    const json_t *first = json_array_get(json_object_get(json, "trials"), 0);
    assert_true(json_is_null(json_object_get(first, "index")));
    assert_string_equal(json_text_at(first, "factors.streams"), "auto");
    json_decref(json);
    spec_destroy((struct spec *)options.spec);
}

static void the_table_shows_factors_and_parts(void **state)
{
    (void)state;
    struct plan plan = plan_of(2, 1);
    char *text = printed(&plan);

    assert_string_equal(strchr(text, '\n') + 1, "  trial part   streams layout\n"
                                                "      1 bulk   10      -\n"
                                                "      2 commit 10      shared-table\n");
    free(text);
}

static void a_long_table_says_how_much_is_left_out(void **state)
{
    (void)state;
    struct plan plan = plan_of(TRIALS, 1);
    char *text = printed(&plan);

    assert_non_null(strstr(text, "\n     50 "));
    assert_null(strstr(text, "\n     51 "));
    assert_non_null(strstr(text, "\n  ... and 10 more\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_says_what_it_costs),
        cmocka_unit_test(the_line_stays_inside_80_columns),
        cmocka_unit_test(the_lowest_limit_counts),
        cmocka_unit_test(uneven_repeats_are_counted_in_all),
        cmocka_unit_test(a_search_says_its_bounds),
        cmocka_unit_test(trials_beside_a_search_have_no_number),
        cmocka_unit_test(the_table_shows_factors_and_parts),
        cmocka_unit_test(a_long_table_says_how_much_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
