/* The rule of the steady state, over rounds and intervals that were written by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "driver/steadiness.h"

#define NO_GATE NAN

static struct workload load = {
    .phases = {PHASE_INSERT, PHASE_DELETE},
    .phase_count = 2,
    .interval_ns = 100 * NS_PER_MS,
    .steady_rounds = 25,
    .steady_write_bytes = NAN,
    .limit_write_bytes = 100000,
};

/* A phase of `seconds` at these rates, one after the other for the same time, in intervals. */
static void pass(struct steadiness *s, enum phase_kind kind, double seconds, const double *rates,
                 size_t rate_count)
{
    enum { INTERVALS = 100 };
    struct interval items[INTERVALS] = {{0}};
    size_t count = (size_t)lround(seconds * 10);
    assert_true(count <= INTERVALS);
    for (size_t i = 0; i < count; i++) {
        double rate = rates[i * rate_count / count];
        double noise = (i % 3 == 0 ? 0.01 : i % 3 == 1 ? -0.01 : 0) * rate;
        items[i] = (struct interval){.seconds = 0.1, .commits = (rate + noise) * 0.1};
    }
    struct series series = {.items = items, .count = count};
    steadiness_see_phase(s, kind, &series);
}

struct round {
    double insert, delete, p99_ms; /* NaN: unknown */
    double bytes_total;
};

static void close_round(struct steadiness *s, struct round round)
{
    json_t *object = json_pack(
        "{s:o, s:{s:{s:o, s:o}, s:{s:o}}}", "bytes_total", json_measured(round.bytes_total),
        "phases", "insert", "commits_per_s", json_measured(round.insert), "p99_ms",
        json_measured(round.p99_ms), "delete", "commits_per_s", json_measured(round.delete));
    steadiness_see_round(s, object);
    json_decref(object);
}

/* A round in which both phases hold one rate. */
static void even_round(struct steadiness *s, struct round round)
{
    pass(s, PHASE_INSERT, 3, &round.insert, 1);
    pass(s, PHASE_DELETE, 3, &round.delete, 1);
    close_round(s, round);
}

static char why[STEADINESS_WHY];

static void expect_not(const struct steadiness *s, const char *words)
{
    assert_false(steadiness_holds(s, why));
    if (strcmp(why, words) != 0)
        fail_msg("\"%s\", not \"%s\"", why, words);
}

static void expect_holds(const struct steadiness *s)
{
    if (!steadiness_holds(s, why))
        fail_msg("%s", why);
    assert_string_equal(why, "");
}

static void even_rounds_are_steady_at_the_fifth(void **state)
{
    (void)state;
    struct steadiness s;
    steadiness_init(&s, &load, NO_GATE);
    for (int i = 0; i < 4; i++) {
        even_round(&s, (struct round){1000, 2000, NAN, NAN});
        expect_not(&s, "5 full rounds are needed");
    }
    even_round(&s, (struct round){1000, 2000, NAN, NAN});
    expect_holds(&s);
    steadiness_release(&s);
}

static void each_phase_and_the_percentile_must_pass(void **state)
{
    (void)state;
    struct steadiness s;
    const double shaken[] = {800, 1200, 1000, 1200, 800};
    /* Each alone: its range is 400 of 1000, and its line is even. */
    for (int which = 0; which < 3; which++) {
        static const char *const words[] = {"range of insert commits/s 40% > 20%",
                                            "range of delete commits/s 40% > 20%",
                                            "range of insert p99 40% > 20%"};
        steadiness_init(&s, &load, NO_GATE);
        for (int i = 0; i < 5; i++)
            close_round(&s,
                        (struct round){which == 0 ? shaken[i] : 500, which == 1 ? shaken[i] : 500,
                                       which == 2 ? shaken[i] : 7, NAN});
        expect_not(&s, words[which]);
        steadiness_release(&s);
    }
    /* 6% a round: the range is 24 of 112, the line moves as much. */
    steadiness_init(&s, &load, NO_GATE);
    for (int i = 0; i < 5; i++)
        close_round(&s, (struct round){100 + 3 * i, 100, NAN, NAN});
    expect_not(&s, "trend of insert commits/s 12% > 10%");
    steadiness_release(&s);
}

static void a_percentile_that_is_not_always_known_is_not_judged(void **state)
{
    (void)state;
    struct steadiness s;
    steadiness_init(&s, &load, NO_GATE);
    for (int i = 0; i < 5; i++)
        even_round(&s, (struct round){1000, 2000, i == 3 ? (double)NAN : 10 * i + 1, NAN});
    expect_holds(&s);
    even_round(&s, (struct round){1000, NAN, NAN, NAN});
    expect_not(&s, "delete commits/s of a round are unknown or 0");
    steadiness_release(&s);
}

static void the_drive_must_have_taken_enough(void **state)
{
    (void)state;
    struct steadiness s;
    steadiness_init(&s, &load, 7e9);
    for (int i = 0; i < 6; i++)
        even_round(&s, (struct round){1000, 2000, NAN, (i + 1) * 1e9});
    expect_not(&s, "the drive took 6.0 GB, less than steady.write_bytes = 7.0 GB");
    even_round(&s, (struct round){1000, 2000, NAN, 7e9});
    expect_holds(&s);
    even_round(&s, (struct round){1000, 2000, NAN, NAN}); /* unknown: the rounds alone decide */
    expect_holds(&s);
    steadiness_release(&s);
}

static void a_cliff_inside_the_window_is_not_steady(void **state)
{
    (void)state;
    struct steadiness s;
    steadiness_init(&s, &load, NO_GATE);
    for (int i = 0; i < 4; i++)
        even_round(&s, (struct round){1000, 2000, NAN, NAN});
    /* The last fifth of the last round at half: its mean is 90%, and the window rule passes. */
    const double cliff[] = {1000, 1000, 1000, 1000, 500}, even = 2000;
    struct steady window;
    steady_window((const double[]){1000, 1000, 1000, 1000, 900}, 4, &window);
    assert_true(window.holds);
    pass(&s, PHASE_INSERT, 3, cliff, 5);
    pass(&s, PHASE_DELETE, 3, &even, 1);
    close_round(&s, (struct round){900, 2000, NAN, NAN});
    assert_false(steadiness_holds(&s, why));
    assert_non_null(strstr(why, "insert commits/s changed"));
    /* When the change has left the window, the new level is steady. */
    for (int i = 0; i < 4; i++)
        even_round(&s, (struct round){500, 2000, NAN, NAN});
    assert_false(steadiness_holds(&s, why));
    even_round(&s, (struct round){500, 2000, NAN, NAN});
    expect_holds(&s);
    steadiness_release(&s);
}

static void what_comes_again_in_each_cycle_is_no_cliff(void **state)
{
    (void)state;
    struct steadiness s;
    steadiness_init(&s, &load, NO_GATE);
    const double saw[] = {1200, 800}, even = 2000;
    for (int i = 0; i < 5; i++) {
        pass(&s, PHASE_INSERT, 3, saw, 2);
        pass(&s, PHASE_DELETE, 3, &even, 1);
        close_round(&s, (struct round){1000, 2000, NAN, NAN});
    }
    expect_holds(&s);
    steadiness_release(&s);
}

static void only_the_window_is_remembered(void **state)
{
    (void)state;
    struct steadiness s;
    steadiness_init(&s, &load, NO_GATE);
    for (int i = 0; i < 25; i++) {
        even_round(&s, (struct round){100 * (i + 1), 2000, NAN, NAN});
        assert_true(s.phases[PHASE_INSERT].count == 30 * (size_t)(i < 5 ? i + 1 : 5));
    }
    const struct steadiness_phase *phase = &s.phases[PHASE_INSERT];
    for (size_t i = 0; i < phase->count; i++)
        assert_true(fabs(phase->intervals[i] / (100 * (double)(21 + i / 30)) - 1) < 0.011);
    steadiness_release(&s);
}

static void pieces_of_intervals_go_to_the_next_phase(void **state)
{
    (void)state;
    struct steadiness s;
    struct interval items[] = {{.seconds = 0.1, .commits = 10}, {.seconds = 0.02, .commits = 5}};
    struct series series = {.items = items, .count = 2};
    steadiness_init(&s, &load, NO_GATE);
    for (int i = 0; i < 2; i++)
        steadiness_see_phase(&s, PHASE_INSERT, &series);
    assert_int_equal(s.phases[PHASE_INSERT].count, 2);
    assert_true(s.phases[PHASE_INSERT].intervals[0] == 100);
    assert_true(fabs(s.phases[PHASE_INSERT].intervals[1] - 125) < 1e-9);
    steadiness_release(&s);
}

static void the_gate_is_a_third_but_leaves_room_for_rounds(void **state)
{
    (void)state;
    struct workload asked = load;
    bool cut;
    assert_true(steadiness_gate(&load, 90000, 60000, &cut) == 30000);
    assert_false(cut);
    assert_true(steadiness_gate(&load, NAN, 60000, &cut) == 20000);
    assert_true(isnan(steadiness_gate(&load, NAN, NAN, &cut)));
    assert_false(cut);
    assert_true(steadiness_gate(&load, 900000, NAN, &cut) == 50000);
    assert_true(cut);
    asked.steady_write_bytes = 1234;
    assert_true(steadiness_gate(&asked, 900000, NAN, &cut) == 1234);
    assert_false(cut);
    asked.steady_write_bytes = 0;
    assert_true(steadiness_gate(&asked, 900000, NAN, &cut) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_rounds_are_steady_at_the_fifth),
        cmocka_unit_test(each_phase_and_the_percentile_must_pass),
        cmocka_unit_test(a_percentile_that_is_not_always_known_is_not_judged),
        cmocka_unit_test(the_drive_must_have_taken_enough),
        cmocka_unit_test(a_cliff_inside_the_window_is_not_steady),
        cmocka_unit_test(what_comes_again_in_each_cycle_is_no_cliff),
        cmocka_unit_test(only_the_window_is_remembered),
        cmocka_unit_test(pieces_of_intervals_go_to_the_next_phase),
        cmocka_unit_test(the_gate_is_a_third_but_leaves_room_for_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
