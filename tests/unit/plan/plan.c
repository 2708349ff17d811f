#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "plan/plan.h"

static const struct key server_keys[] = {
    {.name = "server.conf.*", .type = KEY_TEXT, .fallback = "-", .optional = true},
    {.name = NULL},
};
static const struct key *const tables[] = {server_keys, NULL};
static const char *const one_target[] = {"/mnt/a"};
static const char *const two_targets[] = {"/mnt/a", "/mnt/寿"};

static struct spec *read_spec(const char *text)
{
    struct err err = {0};
    struct spec *spec = spec_create(tables);
    if (spec_read(spec, text, strlen(text), "x.ini", &err) != 0)
        fail_msg("%s", err.text);
    return spec;
}

/* Each trial as "PART/REPEAT NAME=VALUE ...; ". */
static void describe(const struct plan *plan, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < plan->count && used < size; i++) {
        const struct trial_plan *trial = &plan->trials[i];
        assert_int_equal(trial->index, i);
        used += (size_t)snprintf(text + used, size - used, "%s/%u",
                                 trial->part != NULL ? trial->part : "", trial->repeat);
        for (size_t j = 0; j < trial->factor_count && used < size; j++)
            used += (size_t)snprintf(text + used, size - used, " %s=%s", trial->factors[j].name,
                                     trial->factors[j].value);
        used += used < size ? (size_t)snprintf(text + used, size - used, "; ") : 0;
    }
}

static void check_plan(const char *ini, const char *const *targets, size_t target_count,
                       const char *expected)
{
    static char text[4096];
    struct spec *spec = read_spec(ini);
    struct plan *plan;
    struct err err = {0};
    if (plan_create(spec, targets, target_count, &plan, &err) != 0)
        fail_msg("%s", err.text);
    describe(plan, text, sizeof text);
    assert_string_equal(text, expected);
    plan_destroy(plan);
    spec_destroy(spec);
}

static void check_refused(const char *ini, const char *const *targets, size_t target_count,
                          const char *sentence)
{
    struct spec *spec = read_spec(ini);
    struct plan *plan;
    struct err err = {0};
    assert_int_equal(plan_create(spec, targets, target_count, &plan, &err), -1);
    assert_null(plan);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, sentence);
    spec_destroy(spec);
}

static void test_one_trial(void **state)
{
    (void)state;
    check_plan("", one_target, 1, "/0; ");
    check_plan("[run]\nrepeats = 3\n", one_target, 1, "/0; /1; /2; ");
}

static void test_wildcards_are_factors(void **state)
{
    (void)state;
    check_plan("[server]\nconf.wal_level = minimal, replica\n[workload]\nstreams = 1, 2\n"
               "layout = shared-table, database-per-stream\n"
               "[part a]\nworkload.streams = 1\nworkload.layout = shared-table\n",
               one_target, 1,
               "a/0 server.conf.wal_level=minimal; a/0 server.conf.wal_level=replica; ");
    check_plan("[workload]\nlayout = shared-table, database-per-stream\n[server]\nconf.x = 1\n",
               one_target, 1, "/0 layout=shared-table; /0 layout=database-per-stream; ");
}

static void test_order(void **state)
{
    (void)state;
    /* The last key of the table varies fastest; odd repeats run backward. */
    check_plan("[workload]\nstreams = 1, 2\n[row]\npayload = 10, 20, 30\n[run]\nrepeats = 2\n",
               one_target, 1,
               "/0 streams=1 row.payload=10; /0 streams=1 row.payload=20; "
               "/0 streams=1 row.payload=30; /0 streams=2 row.payload=10; "
               "/0 streams=2 row.payload=20; /0 streams=2 row.payload=30; "
               "/1 streams=2 row.payload=30; /1 streams=2 row.payload=20; "
               "/1 streams=2 row.payload=10; /1 streams=1 row.payload=30; "
               "/1 streams=1 row.payload=20; /1 streams=1 row.payload=10; ");
}

static void test_abba(void **state)
{
    (void)state;
    check_plan("[run]\nrepeats = 4\n", two_targets, 2,
               "/0 target=/mnt/a; /0 target=/mnt/寿; /1 target=/mnt/寿; /1 target=/mnt/a; "
               "/2 target=/mnt/a; /2 target=/mnt/寿; /3 target=/mnt/寿; /3 target=/mnt/a; ");
}

static void test_target_is_fastest(void **state)
{
    (void)state;
    check_plan("[workload]\nstreams = 1, 2\n", two_targets, 2,
               "/0 streams=1 target=/mnt/a; /0 streams=1 target=/mnt/寿; "
               "/0 streams=2 target=/mnt/a; /0 streams=2 target=/mnt/寿; ");
}

static void test_parts(void **state)
{
    (void)state;
    /* A list of one part is no factor of the other; repeats are the part's own. */
    check_plan("[run]\nrepeats = 2\n[part bulk]\nworkload.streams = 1, 2\n[part one]\n"
               "workload.rows_per_commit = 1\nrun.repeats = 3\n",
               one_target, 1,
               "bulk/0 streams=1; bulk/0 streams=2; one/0; "
               "one/1; bulk/1 streams=2; bulk/1 streams=1; one/2; ");
}

static void test_list_of_repeats(void **state)
{
    (void)state;
    check_plan("[run]\nrepeats = 1, 2\n", one_target, 1,
               "/0 run.repeats=1; /0 run.repeats=2; /1 run.repeats=2; ");
}

static void test_loads(void **state)
{
    struct spec *spec = read_spec("[workload]\nstreams = 1, 1k\nlayout = shared-table, "
                                  "file-per-stream\n");
    struct plan *plan;
    struct err err = {0};
    (void)state;
    assert_int_equal(plan_create(spec, two_targets, 2, &plan, &err), 0);
    assert_int_equal(plan->count, 8);
    assert_int_equal(plan->repeats, 1);
    const struct trial_plan *last = &plan->trials[7];
    assert_int_equal(last->target, 1);
    assert_int_equal(last->load->streams, 1000);
    assert_int_equal(last->load->layout, LAYOUT_FILE_PER_STREAM);
    assert_true(last->factors[0].number == 1000);
    assert_string_equal(last->factors[0].value, "1k");
    assert_true(isnan(last->factors[1].number));
    assert_true(isnan(last->factors[2].number));
    plan_destroy(plan);
    plan_destroy(NULL);
    spec_destroy(spec);
}

static void append_list(char *text, size_t size, const char *key, unsigned count)
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, size - used, "%s = 1", key);
    for (unsigned i = 2; i <= count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ", %u", i);
    snprintf(text + used, size - used, "\n");
}

static void test_size_limit(void **state)
{
    static char ini[8192];
    struct plan *plan;
    struct err err = {0};
    (void)state;
    snprintf(ini, sizeof ini, "[workload]\n");
    append_list(ini, sizeof ini, "rows", 100);
    append_list(ini, sizeof ini, "streams", 100);
    struct spec *spec = read_spec(ini);
    assert_int_equal(plan_create(spec, one_target, 1, &plan, &err), 0); /* exactly 10,000 */
    assert_int_equal(plan->count, PLAN_TRIALS_MAX);
    plan_destroy(plan);
    spec_destroy(spec);

    check_refused(ini, two_targets, 2,
                  "the plan has 20000 trials, 10000 at most: workload.rows (100) x "
                  "workload.streams (100) x target (2) multiply; shorten a list");
    size_t used = strlen(ini);
    snprintf(ini + used, sizeof ini - used, "[run]\nrepeats = 3\n");
    check_refused(ini, one_target, 1,
                  "the plan has 30000 trials, 10000 at most: workload.rows (100) x "
                  "workload.streams (100) x repeats (3) multiply; shorten a list");
}

static void test_combinations_that_are_wrong(void **state)
{
    (void)state;
    check_refused("[workload]\nstreams = 4, 2\nfiles = 4\n", one_target, 1,
                  "workload.files = 4 with workload.streams = 2: a file without a stream stays "
                  "empty; lower workload.files to 2, or raise workload.streams");
    check_refused("[part bulk]\nworkload.phases = delete\n", one_target, 1,
                  "part bulk: workload.phases = delete: phase 1 deletes rows that no phase has "
                  "inserted; put an insert before it");
    static const char *const same[] = {"/mnt/a", "/mnt/a"};
    check_refused("", same, 2, "the target /mnt/a is given twice; remove one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_trial),
        cmocka_unit_test(test_wildcards_are_factors),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_abba),
        cmocka_unit_test(test_target_is_fastest),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_list_of_repeats),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_size_limit),
        cmocka_unit_test(test_combinations_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
