/* Rounds of cycles that were written by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "measure/hist.h"
#include "result/merge.h"
#include "result/rounds.h"

/* Appends a phase: its cycle, its seconds, commits of 10 rows, and what the devices took. */
static json_t *add(json_t *phases, const char *name, int cycle, double elapsed_s, int commits,
                   double bytes)
{
    json_t *phase =
        json_pack("{s:s, s:i, s:f, s:i, s:i, s:{s:f, s:f}}", "name", name, "cycle", cycle,
                  "elapsed_s", elapsed_s, "commits", commits, "rows", commits * 10, "device_sum",
                  "write_bytes", bytes * 0.75, "settle_write_bytes", bytes * 0.25);
    json_array_append_new(phases, phase);
    return phase;
}

static void add_cycle(json_t *phases, int cycle, double insert_s, double delete_s)
{
    add(phases, "insert", cycle, insert_s, 100, 1000);
    add(phases, "delete", cycle, delete_s, 200, 3000);
}

static double at(const json_t *rounds, size_t i, const char *path)
{
    return json_number_at(json_array_get(rounds, i), path);
}

static void expect(const json_t *rounds, size_t i, const char *path, double wanted)
{
    double found = at(rounds, i, path);
    if (!(fabs(found - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
        fail_msg("round %zu: %s is %g, not %g", i, path, found, wanted);
}

static void expect_cycles(const json_t *rounds, size_t i, int first, int last)
{
    const json_t *cycles = json_object_get(json_array_get(rounds, i), "cycles");
    assert_int_equal(json_integer_value(json_array_get(cycles, 0)), first);
    assert_int_equal(json_integer_value(json_array_get(cycles, 1)), last);
}

static bool is(const json_t *rounds, size_t i, const char *key)
{
    const json_t *value = json_object_get(json_array_get(rounds, i), key);
    assert_true(json_is_boolean(value));
    return json_is_true(value);
}

static void cycles_join_until_the_time_is_reached(void **state)
{
    (void)state;
    json_t *phases = json_array();
    for (int cycle = 0; cycle < 7; cycle++) /* 4 s each: 12 s are the first that reach 10 */
        add_cycle(phases, cycle, 1, 3);
    json_t *rounds = rounds_json(phases, 10);
    assert_int_equal(json_array_size(rounds), 3);
    expect_cycles(rounds, 0, 0, 2);
    expect_cycles(rounds, 1, 3, 5);
    expect_cycles(rounds, 2, 6, 6);
    expect(rounds, 0, "round", 0);
    expect(rounds, 1, "round", 1);
    expect(rounds, 0, "elapsed_s", 12);
    expect(rounds, 0, "phases.insert.commits", 300);
    expect(rounds, 0, "phases.insert.commits_per_s", 100);
    expect(rounds, 0, "phases.insert.rows_per_s", 1000);
    expect(rounds, 0, "phases.delete.commits_per_s", 200.0 / 3);
    expect(rounds, 0, "phases.delete.elapsed_s", 9);
    expect(rounds, 0, "bytes", 12000);
    expect(rounds, 0, "bytes_total", 12000);
    expect(rounds, 1, "bytes_total", 24000);
    expect(rounds, 2, "bytes_total", 28000);
    assert_false(is(rounds, 1, "partial"));
    assert_true(is(rounds, 2, "partial")); /* 4 s of 10 */
    assert_false(is(rounds, 0, "after_pause"));
    assert_true(isnan(at(rounds, 0, "start_s")));
    json_decref(rounds);
    json_decref(phases);
}

static void a_long_cycle_is_a_round(void **state)
{
    (void)state;
    json_t *phases = json_array();
    add_cycle(phases, 0, 40, 30);
    add_cycle(phases, 1, 50, 45);
    json_object_set_new(json_array_get(phases, 2), "start_s", json_real(71.5));
    json_t *rounds = rounds_json(phases, 60);
    assert_int_equal(json_array_size(rounds), 2);
    expect_cycles(rounds, 1, 1, 1);
    expect(rounds, 1, "start_s", 71.5);
    expect(rounds, 1, "elapsed_s", 95);
    assert_false(is(rounds, 1, "partial"));
    json_decref(rounds);
    json_decref(phases);
}

static void the_last_round_may_be_short(void **state)
{
    (void)state;
    struct rounds_slice slice;
    json_t *phases = json_array();
    add_cycle(phases, 0, 5, 5);
    add_cycle(phases, 1, 3, 3); /* 6 of 10: more than half, and whole */
    assert_true(rounds_find(phases, 2, 10, &slice));
    assert_false(slice.full);
    assert_false(slice.partial);
    json_array_remove(phases, 3); /* its delete never ran: no whole cycle */
    assert_true(rounds_find(phases, 2, 10, &slice));
    assert_int_equal(slice.to, 3);
    assert_true(slice.partial);
    json_object_set_new(json_array_get(phases, 2), "elapsed_s", json_real(100));
    assert_true(rounds_find(phases, 2, 10, &slice));
    assert_true(slice.partial);
    assert_false(slice.full);
    assert_false(rounds_find(phases, 3, 10, &slice));
    json_decref(phases);
}

static void one_cycle_has_no_rounds(void **state)
{
    (void)state;
    json_t *phases = json_array();
    assert_null(rounds_json(phases, 10));
    add_cycle(phases, 0, 100, 100);
    assert_null(rounds_json(phases, 10));
    json_decref(phases);
}

static void what_one_cycle_does_not_know_its_round_does_not_know(void **state)
{
    (void)state;
    json_t *phases = json_array();
    for (int cycle = 0; cycle < 3; cycle++)
        add_cycle(phases, cycle, 2, 3);
    json_object_set_new(json_array_get(phases, 0), "device_sum", json_null());
    json_object_set_new(json_array_get(phases, 3), "commits", json_null());
    json_t *rounds = rounds_json(phases, 5);
    assert_int_equal(json_array_size(rounds), 3);
    assert_true(isnan(at(rounds, 0, "bytes")));
    expect(rounds, 1, "bytes", 4000);
    assert_true(isnan(at(rounds, 1, "bytes_total"))); /* the first round's part of it is unknown */
    assert_true(isnan(at(rounds, 1, "phases.delete.commits_per_s")));
    expect(rounds, 1, "phases.insert.commits_per_s", 50);
    json_decref(rounds);
    json_decref(phases);
}

/* 1000 transactions of 1 ms, or of 9 ms. */
static void put_latency(json_t *phase, int64_t ms, double p99_ms)
{
    struct hist *hist = hist_create();
    for (int i = 0; i < 1000; i++)
        hist_record(hist, ms * 1000000);
    char *text = hist_encode(hist);
    json_object_set_new(phase, "histograms", json_pack("{s:s}", "transaction", text));
    json_object_set_new(
        phase, "latency_ms",
        json_pack("{s:{s:f, s:f}}", "transaction", "p99", p99_ms, "max", (double)ms));
    free(text);
    hist_destroy(hist);
}

static void percentiles_come_from_the_merged_histograms(void **state)
{
    (void)state;
    json_t *phases = json_array();
    for (int cycle = 0; cycle < 3; cycle++) {
        add_cycle(phases, cycle, 2, 3);
        put_latency(json_array_get(phases, (size_t)cycle * 2), cycle == 1 ? 9 : 1, cycle + 0.5);
    }
    json_t *alone = rounds_json(phases, 5), *together = rounds_json(phases, 10);
    expect(alone, 1, "phases.insert.p99_ms", 1.5); /* as it says itself */
    assert_true(isnan(at(alone, 1, "phases.delete.p99_ms")));
    assert_int_equal(json_array_size(together), 2);
    /* Half of 2000 took 9 ms: neither's own, nor their mean. */
    expect(together, 0, "phases.insert.p99_ms", 9);
    expect(together, 1, "phases.insert.p99_ms", 2.5);
    assert_true(isnan(at(together, 0, "phases.delete.p99_ms")));
    json_decref(alone);
    json_decref(together);
    json_decref(phases);
}

static void the_round_after_the_pause_stands_apart(void **state)
{
    (void)state;
    json_t *phases = json_array();
    for (int cycle = 0; cycle < 4; cycle++)
        add_cycle(phases, cycle, 2, 2);
    for (size_t i = 6; i < 8; i++)
        json_object_set_new(json_array_get(phases, i), "after_pause", json_true());
    json_t *rounds = rounds_json(phases, 8);
    assert_int_equal(json_array_size(rounds), 3);
    expect_cycles(rounds, 0, 0, 1);
    expect_cycles(rounds, 1, 2, 2);
    expect_cycles(rounds, 2, 3, 3);
    assert_false(is(rounds, 1, "after_pause"));
    assert_true(is(rounds, 2, "after_pause"));
    json_decref(rounds);

    json_t *merged = merge_cycles(phases);
    assert_int_equal(json_array_size(merged), 2);
    assert_true(json_number_at(json_array_get(merged, 0), "cycles") == 3);
    assert_true(json_number_at(json_array_get(merged, 0), "commits") == 300);
    json_decref(merged);
    json_array_remove(phases, 2); /* one cycle before the pause, and one after it */
    for (int i = 0; i < 3; i++)
        json_array_remove(phases, 2);
    assert_int_equal(json_array_size(phases), 4);
    assert_null(merge_cycles(phases));
    rounds = rounds_json(phases, 4);
    assert_int_equal(json_array_size(rounds), 2);
    json_decref(rounds);
    json_decref(phases);
}

static void strange_phases_do_no_harm(void **state)
{
    (void)state;
    json_t *phases =
        json_pack("[{}, {s:n}, {s:i, s:i}, {s:s, s:f, s:s}, {s:i}]", "name", "name", 3, "elapsed_s",
                  -4, "name", "insert", "cycle", 0.5, "commits", "many", "cycle", 3);
    assert_non_null(phases);
    json_t *rounds = rounds_json(phases, 1);
    assert_non_null(rounds);
    json_decref(rounds);
    json_decref(phases);
}

static void the_length_of_a_round_is_its_key(void **state)
{
    (void)state;
    json_t *header = json_pack("{s:{s:s}}", "workload", "steady.round", "90s");
    json_t *trial = json_pack("{s:{s:s}}", "factors", "steady.round", "500ms");
    json_t *nothing = json_object();
    assert_true(rounds_length_s(header, nothing) == 90);
    assert_true(rounds_length_s(header, trial) == 0.5);
    assert_true(rounds_length_s(nothing, nothing) == 60);
    json_decref(header);
    json_decref(trial);
    json_decref(nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_join_until_the_time_is_reached),
        cmocka_unit_test(a_long_cycle_is_a_round),
        cmocka_unit_test(the_last_round_may_be_short),
        cmocka_unit_test(one_cycle_has_no_rounds),
        cmocka_unit_test(what_one_cycle_does_not_know_its_round_does_not_know),
        cmocka_unit_test(percentiles_come_from_the_merged_histograms),
        cmocka_unit_test(the_round_after_the_pause_stands_apart),
        cmocka_unit_test(strange_phases_do_no_harm),
        cmocka_unit_test(the_length_of_a_round_is_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
