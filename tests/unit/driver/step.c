/* When a step of a search has seen enough: with rates that are steady or not, rows that are done
 * before the time is over, and phases that need each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/rng.h"
#include "driver/step.h"

enum { TENTH_MS = 100 };

static const struct workload load_of_two = {.phases = {PHASE_INSERT, PHASE_DELETE},
                                            .phase_count = 2,
                                            .streams_auto = true,
                                            .interval_ns = TENTH_MS * NS_PER_MS,
                                            .search_step_ns = 5 * NS_PER_S,
                                            .search_step_max_ns = 30 * NS_PER_S};

/* A phase of so many tenths of a second, with this many commits in each, up or down by a share. */
static void fill(struct series *series, size_t tenths, double commits, double noise, uint64_t seed)
{
    struct rng rng = {.state = seed};
    *series = (struct series){.items = calloc(tenths + 1, sizeof *series->items)};
    assert_non_null(series->items);
    for (size_t i = 0; i < tenths; i++) {
        double uniform = (double)(rng_next(&rng) >> 11) / 9007199254740992.0; /* 2^53 */
        series->items[i] = (struct interval){.start_s = (double)i / 10,
                                             .seconds = 0.1,
                                             .commits = commits * (1 + noise * (2 * uniform - 1))};
    }
    series->count = tenths;
    series->capacity = tenths + 1;
}

/* How many tenths of a second the phase goes on, at most `most`; it is taken then. */
static size_t run(struct step *step, const struct workload *load, enum phase_kind kind, size_t most,
                  double commits, double noise)
{
    struct series all, seen;
    size_t tenths = 0;
    fill(&all, most, commits, noise, 7);
    for (bool enough = false; !enough && tenths < most;) {
        seen = all;
        seen.count = ++tenths;
        enough = step_is_enough(step, load, kind, &seen, (int64_t)tenths * TENTH_MS * NS_PER_MS);
    }
    all.count = tenths;
    step_take(step, kind, &all, (int64_t)tenths * TENTH_MS * NS_PER_MS);
    series_release(&all);
    return tenths;
}

static void a_steady_phase_takes_the_least_time(void **state)
{
    (void)state;
    struct step step = {.phases_done = 0};
    assert_int_equal(run(&step, &load_of_two, PHASE_INSERT, 1000, 500, 0.02), 50);
    assert_int_equal(run(&step, &load_of_two, PHASE_DELETE, 1000, 500, 0), 50);
    assert_false(step_wants_more(&step, &load_of_two));
    assert_true(step.counted_ns[PHASE_INSERT] == 5 * NS_PER_S);
    step_release(&step);
}

static void an_unsteady_phase_goes_on(void **state)
{
    (void)state;
    struct step step = {.phases_done = 0};
    /* The median of 50 values of +-60% is not known to 3%; that of some hundreds may be, or not. */
    size_t tenths = run(&step, &load_of_two, PHASE_INSERT, 1000, 500, 0.6);
    assert_true(tenths > 50 && tenths <= 300);
    step_release(&step);
}

static void the_most_time_ends_it_as_it_is(void **state)
{
    (void)state;
    struct step step = {.phases_done = 0};
    assert_int_equal(run(&step, &load_of_two, PHASE_INSERT, 1000, 0, 0),
                     300); /* no commit at all */
    assert_int_equal(run(&step, &load_of_two, PHASE_DELETE, 1000, 500, 0), 50);
    assert_false(step_wants_more(&step, &load_of_two));
    step_release(&step);
}

static void few_intervals_say_nothing(void **state)
{
    (void)state;
    struct workload load = load_of_two;
    struct step step = {.phases_done = 0};
    load.search_step_ns = NS_PER_S / 5;
    load.search_step_max_ns = NS_PER_S / 2;
    assert_int_equal(run(&step, &load, PHASE_INSERT, 1000, 500, 0), 5); /* to the most */
    step_release(&step);
}

static void rows_that_are_done_too_soon_make_more_cycles(void **state)
{
    (void)state;
    struct step step = {.phases_done = 0};
    unsigned cycles = 0;
    do {
        run(&step, &load_of_two, PHASE_INSERT, 20, 500, 0); /* rows for 2 s */
        run(&step, &load_of_two, PHASE_DELETE, 20, 500, 0);
        cycles++;
    } while (step_wants_more(&step, &load_of_two) && cycles < 100);
    assert_int_equal(cycles, 3);
    assert_true(step.counted_ns[PHASE_INSERT] >= 5 * NS_PER_S);
    assert_true(step.counted_ns[PHASE_DELETE] >= 5 * NS_PER_S);
    step_release(&step);
}

/* The delete is five times as fast: inserts of later cycles only make rows for it, as many as it
 * needs, and the most time ends that. */
static void an_insert_serves_a_delete_that_needs_rows(void **state)
{
    (void)state;
    struct step step = {.phases_done = 0};
    size_t inserted = run(&step, &load_of_two, PHASE_INSERT, 1000, 100, 0);
    assert_int_equal(inserted, 50);
    assert_int_equal(run(&step, &load_of_two, PHASE_DELETE, inserted / 5, 500, 0), 10);
    assert_true(step_wants_more(&step, &load_of_two));
    /* 4 s are missing, for each of which an insert takes 5 s, and a fifth more: 24 s. */
    inserted = run(&step, &load_of_two, PHASE_INSERT, 1000, 100, 0);
    assert_int_equal(inserted, 240);
    assert_int_equal(run(&step, &load_of_two, PHASE_DELETE, inserted / 5, 500, 0), 40);
    assert_false(step_wants_more(&step, &load_of_two));
    step_release(&step);
}

static void a_delete_takes_away_what_an_insert_needs_to_write(void **state)
{
    (void)state;
    struct step step = {.phases_done = 0};
    run(&step, &load_of_two, PHASE_INSERT, 20, 500, 0); /* rows for 2 s, to be deleted in 6 s */
    run(&step, &load_of_two, PHASE_DELETE, 60, 170, 0);
    assert_true(step.counted_ns[PHASE_DELETE] == 5 * NS_PER_S);
    assert_true(step_wants_more(&step, &load_of_two));
    run(&step, &load_of_two, PHASE_INSERT, 20, 500, 0);
    assert_int_equal(run(&step, &load_of_two, PHASE_DELETE, 60, 170, 0), 60); /* all of them */
    assert_true(step_wants_more(&step, &load_of_two));
    assert_int_equal(run(&step, &load_of_two, PHASE_INSERT, 20, 500, 0), 10);
    step_release(&step);
}

static void cycles_without_end_are_not_made(void **state)
{
    (void)state;
    struct step step = {.phases_done = 0};
    unsigned cycles = 0;
    do {
        run(&step, &load_of_two, PHASE_INSERT, 1, 500, 0); /* over within a tenth of a second */
        run(&step, &load_of_two, PHASE_DELETE, 1, 500, 0);
        cycles++;
    } while (step_wants_more(&step, &load_of_two) && cycles < 1000);
    assert_true(cycles <= STEP_CYCLES_MAX);
    step_release(&step);
}

static void each_of_two_inserts_has_its_time(void **state)
{
    (void)state;
    struct workload load = load_of_two;
    struct step step = {.phases_done = 0};
    load.phases[1] = PHASE_INSERT;
    assert_int_equal(run(&step, &load, PHASE_INSERT, 1000, 500, 0), 50);
    assert_int_equal(run(&step, &load, PHASE_INSERT, 1000, 500, 0), 50);
    assert_false(step_wants_more(&step, &load));
    step_release(&step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_phase_takes_the_least_time),
        cmocka_unit_test(an_unsteady_phase_goes_on),
        cmocka_unit_test(the_most_time_ends_it_as_it_is),
        cmocka_unit_test(few_intervals_say_nothing),
        cmocka_unit_test(rows_that_are_done_too_soon_make_more_cycles),
        cmocka_unit_test(an_insert_serves_a_delete_that_needs_rows),
        cmocka_unit_test(a_delete_takes_away_what_an_insert_needs_to_write),
        cmocka_unit_test(cycles_without_end_are_not_made),
        cmocka_unit_test(each_of_two_inserts_has_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
