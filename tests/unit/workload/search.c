/* workload.streams = auto: what goes with it and what does not, and the load of a step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/spec.h"

static const struct key *const tables[] = {NULL};

static int setup(void **state)
{
    *state = spec_create(tables);
    return 0;
}

static int teardown(void **state)
{
    spec_destroy(*state);
    return 0;
}

static struct workload *resolve(struct spec *spec, const char *text, struct err *err)
{
    size_t *choice = calloc(spec_key_count(spec), sizeof *choice);
    struct workload *load = NULL;
    *err = (struct err){.kind = ERR_NONE};
    if (spec_read(spec, text, strlen(text), "x.ini", err) == 0)
        spec_resolve(spec, 0, choice, &load, err);
    free(choice);
    return load;
}

static void check_refused(struct spec *spec, const char *text, const char *sentence)
{
    struct err err;
    assert_null(resolve(spec, text, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, sentence);
}

static void auto_takes_the_most_streams_until_steps_are_made(void **state)
{
    struct err err;
    struct workload *load = resolve(*state,
                                    "[workload]\nstreams = auto\n[search]\nstep = 200ms\n"
                                    "step_max = 2s\nsteps = 7\ntime = 1m\nstreams_max = 64\n",
                                    &err);
    assert_non_null(load);
    assert_true(load->streams_auto);
    assert_int_equal(load->streams, 64);
    assert_int_equal(load->search_step_ns, 200000000);
    assert_int_equal(load->search_step_max_ns, 2000000000);
    assert_int_equal(load->search_steps, 7);
    assert_true(load->search_time_ns == INT64_C(60000000000));
    workload_destroy(load);
    load = resolve(*state, "[workload]\nstreams = 5\n[search]\nstep = 1h\n", &err);
    assert_non_null(load); /* keys of a search that is not asked for do no harm */
    assert_false(load->streams_auto);
    workload_destroy(load);
}

static void a_step_has_its_own_streams(void **state)
{
    struct err err;
    struct workload *load = resolve(*state, "[workload]\nstreams = auto\nrows = 77\n", &err);
    assert_non_null(load);
    struct workload *step = workload_with_streams(load, 12);
    assert_int_equal(step->streams, 12);
    assert_true(step->streams_auto);
    assert_int_equal(step->rows, 77);
    assert_string_equal(workload_text(step, "workload.streams"), "12");
    assert_true(workload_number(step, "workload.streams") == 12);
    assert_string_equal(workload_text(step, "workload.rows"), "77");
    assert_string_equal(workload_text(load, "workload.streams"), "auto");
    workload_destroy(step);
    assert_string_equal(workload_text(load, "workload.rows"), "77");
    workload_destroy(load);
}

static void auto_stands_alone(void **state)
{
    struct err err = {.kind = ERR_NONE};
    check_refused(*state, "[workload]\nstreams = 1, auto\n",
                  "x.ini:2: workload.streams = 1, auto: auto searches the number of streams and "
                  "stands alone; write auto, or numbers without it");
    assert_int_equal(spec_set(*state, "workload.streams", "auto,2", "--streams", &err), -1);
    assert_string_equal(err.text, "--streams auto,2: auto searches the number of streams and "
                                  "stands alone; write auto, or numbers without it");
    check_refused(*state, "[workload]\nstreams = automatic\n",
                  "x.ini:2: workload.streams = automatic: 'automatic' is no count; write a whole "
                  "number such as 1000, 20k, 5M or 1G; or auto");
}

static void what_sets_the_length_otherwise_is_refused(void **state)
{
    check_refused(*state, "[workload]\nstreams = auto\nduration = 30s\n",
                  "workload.streams = auto with workload.duration = 30s: a search sets the length "
                  "of its steps by search.step and search.step_max, and runs each as fast as it "
                  "goes; leave workload.duration out, or give workload.streams a number");
    check_refused(*state, "[workload]\nstreams = auto\nuntil = steady\n",
                  "workload.streams = auto with workload.until = steady: a search sets the length "
                  "of its steps by search.step and search.step_max, and runs each as fast as it "
                  "goes; leave workload.until out, or give workload.streams a number");
    check_refused(*state, "[workload]\nstreams = auto\nrate = 10\n",
                  "workload.streams = auto with workload.rate = 10: a search sets the length of "
                  "its steps by search.step and search.step_max, and runs each as fast as it goes; "
                  "leave workload.rate out, or give workload.streams a number");
    check_refused(*state, "[workload]\nstreams = auto\npause = 10s\n",
                  "workload.streams = auto with workload.pause = 10s: a pause comes after the last "
                  "round, and a search has none; leave workload.pause out, or give "
                  "workload.streams a number");
}

static void bounds_must_fit_each_other(void **state)
{
    check_refused(*state, "[workload]\nstreams = auto\n[search]\nstep_max = 2s\n",
                  "search.step = 5s is longer than search.step_max = 2s: a step cannot last at "
                  "least the one and at most the other; lower search.step, or raise "
                  "search.step_max");
    check_refused(*state, "[workload]\nstreams = auto\nfiles = 300\n",
                  "workload.files = 300 with search.streams_max = 256: a search begins with a "
                  "stream for each file; lower workload.files, or raise search.streams_max");
    check_refused(*state,
                  "[workload]\nstreams = auto\nphases = mixed\nlayout = shared-table\n"
                  "[row]\nkeys = overlapping\ncommon_keys = 1M\n",
                  "row.common_keys = 1M with search.streams_max = 256: each stream remembers its "
                  "last change of each key, which takes too much memory; lower row.common_keys to "
                  "234375, or use fewer streams");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(auto_takes_the_most_streams_until_steps_are_made, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_step_has_its_own_streams, setup, teardown),
        cmocka_unit_test_setup_teardown(auto_stands_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(what_sets_the_length_otherwise_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(bounds_must_fit_each_other, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
