/* How long a trial goes round: with phases that follow a script instead of streams. */
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
#include "driver/cycles.h"
#include "driver/trial.h"

/* ---- the script ---- */

struct script {
    double seconds;                                   /* of each phase */
    double (*rate)(enum phase_kind kind, size_t nth); /* nth of its kind */
    double phase_bytes;                               /* NaN: unknown */
    int stop_at; /* the phase that a limit or a signal ends; -1: none */
    enum stop_reason reason;
    int fail_at; /* the phase that fails; -1: none */
};

static struct script script;
static size_t done[PHASE_KINDS];
static int maintained;
static int64_t given_ns[256]; /* the duration that each phase was given */
static volatile int stop;

/* Takes the place of the driver's own. */
int phase_maintain(struct trial *t, enum phase_kind next, unsigned cycle, struct err *err)
{
    (void)t, (void)next, (void)cycle, (void)err;
    maintained++;
    return 0;
}

int phase_run(struct trial *t, enum phase_kind kind, unsigned cycle, int64_t duration_ns,
              int64_t *spent_ns, struct err *err)
{
    double seconds = script.seconds, rate = script.rate(kind, done[kind]++);
    if ((int)t->phase_number == script.fail_at)
        return err_set(err, ERR_FAILED, "scripted");
    if (duration_ns > 0 && (double)duration_ns / 1e9 < seconds)
        seconds = (double)duration_ns / 1e9;
    given_ns[t->phase_number] = duration_ns;
    json_t *phase =
        json_pack("{s:s, s:i, s:f, s:f, s:f}", "name", phase_name(kind), "cycle", (int)cycle,
                  "elapsed_s", seconds, "commits", rate * seconds, "rows", rate * seconds);
    if (!isnan(script.phase_bytes))
        json_object_set_new(
            phase, "device_sum",
            json_pack("{s:f, s:f}", "write_bytes", script.phase_bytes, "settle_write_bytes", 0.0));
    json_array_append_new(t->phases, phase);
    series_release(&t->series);
    t->series.items = calloc(10, sizeof *t->series.items);
    t->series.count = t->series.capacity = 10;
    for (size_t i = 0; i < 10; i++)
        t->series.items[i] =
            (struct interval){.seconds = seconds / 10, .commits = rate * seconds / 10};
    if ((int)t->phase_number == script.stop_at)
        atomic_store(&t->stage.stop, script.reason);
    t->phase_number++;
    *spent_ns = llround(seconds * 1e9);
    return 0;
}

static double even(enum phase_kind kind, size_t nth)
{
    (void)nth;
    return kind == PHASE_INSERT ? 1000 : 2000;
}

/* Inserts slow down from round to round; deletes do not. */
static double falling(enum phase_kind kind, size_t nth)
{
    return kind == PHASE_INSERT ? 10000 / (1 + 0.1 * (double)nth) : 2000;
}

/* Settles after 7 rounds. */
static double settling(enum phase_kind kind, size_t nth)
{
    return even(kind, nth) * (nth < 7 ? 3 - 0.25 * (double)nth : 1);
}

/* ---- the trial ---- */

static char events[4096];

static void note(void *ctx, const char *kind, const char *text)
{
    (void)ctx;
    size_t used = strlen(events);
    snprintf(events + used, sizeof events - used, "%s: %s\n", kind, text);
}

struct bench {
    struct workload load;
    struct run_watch watch;
    struct run_options options;
    struct run_context ctx;
    struct trial_plan plan;
    struct run_target target;
    struct device_set devices;
    struct trial trial;
    struct err err;
};

static struct bench *bench_create(double disk_bytes)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    script = (struct script){
        .seconds = 1, .rate = even, .phase_bytes = 1e6, .stop_at = -1, .fail_at = -1};
    memset(done, 0, sizeof done);
    memset(given_ns, 0, sizeof given_ns);
    maintained = 0;
    stop = 0;
    events[0] = '\0';
    b->load = (struct workload){.phases = {PHASE_INSERT, PHASE_DELETE},
                                .phase_count = 2,
                                .rows = 1000,
                                .streams = 1,
                                .interval_ns = 100 * NS_PER_MS,
                                .steady_round_ns = 2 * NS_PER_S,
                                .steady_rounds = 25,
                                .steady_write_bytes = NAN,
                                .limit_write_bytes = UINT64_C(100000000000),
                                .cooldown_c = NAN};
    b->watch = (struct run_watch){.note = note};
    b->options = (struct run_options){.watch = &b->watch, .stop = &stop};
    b->ctx = (struct run_context){.options = &b->options, .origin_ns = clock_now_ns()};
    b->plan = (struct trial_plan){.load = &b->load};
    snprintf(b->target.shown, sizeof b->target.shown, "here");
    if (!isnan(disk_bytes)) {
        b->devices.count = 1;
        b->devices.devices[0] = (struct device){.role = "data", .leaf_count = 1};
        b->devices.devices[0].identity.size_bytes = (int64_t)disk_bytes;
    }
    struct trial *t = &b->trial;
    t->ctx = &b->ctx;
    t->plan = &b->plan;
    t->load = &b->load;
    t->target = &b->target;
    t->devices = &b->devices;
    t->phases = json_array();
    return b;
}

static void bench_destroy(struct bench *b)
{
    json_decref(b->trial.phases);
    series_release(&b->trial.series);
    step_release(&b->trial.step);
    for (size_t i = 0; i < b->ctx.warning_count; i++)
        free(b->ctx.warnings[i]);
    free(b);
}

static int run(struct bench *b)
{
    b->trial.steady.asked = b->load.until_steady;
    return cycles_run(&b->trial, &b->err);
}

static void expect(const struct bench *b, enum trial_end end, size_t phases)
{
    if (b->trial.ended_by != end)
        fail_msg("ended by %s, not %s; %s", trial_end_name(b->trial.ended_by), trial_end_name(end),
                 events);
    assert_int_equal(json_array_size(b->trial.phases), phases);
}

static bool after_pause(const struct bench *b, size_t phase)
{
    return json_is_true(json_object_get(json_array_get(b->trial.phases, phase), "after_pause"));
}

static void expect_event(const char *words)
{
    if (strstr(events, words) == NULL)
        fail_msg("no event \"%s\" in:\n%s", words, events);
}

/* ---- tests ---- */

static void once_without_a_time(void **state)
{
    (void)state;
    struct bench *b = bench_create(NAN);
    assert_int_equal(run(b), 0);
    expect(b, ENDED_DONE, 2);
    assert_int_equal(maintained, 1);
    assert_true(json_number_at(json_array_get(b->trial.phases, 0), "start_s") <= 0);
    assert_false(after_pause(b, 1));
    assert_string_equal(events, "");
    bench_destroy(b);
}

static void a_duration_cuts_the_phase_that_runs(void **state)
{
    (void)state;
    struct bench *b = bench_create(NAN);
    b->load.duration_ns = 2500 * NS_PER_MS;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_DURATION, 4);
    assert_int_equal(given_ns[2], 500 * NS_PER_MS);
    assert_int_equal(given_ns[3], 2500 * NS_PER_MS); /* the time is over: at most as long again */
    bench_destroy(b);
}

static void even_rounds_end_at_the_fifth(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_STEADY, 10);
    assert_true(b->trial.steady.reached);
    assert_int_equal(b->trial.steady.round, 4);
    assert_true(b->trial.steady.gate_bytes == 1e6);
    assert_null(b->trial.steady.why);
    assert_string_equal(events, "steady: reached after 5 rounds, 10 MB\n");
    bench_destroy(b);
}

static void a_round_is_several_cycles_where_they_are_short(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    b->load.steady_round_ns = 5 * NS_PER_S; /* 3 cycles of 2 s */
    assert_int_equal(run(b), 0);
    expect(b, ENDED_STEADY, 30);
    bench_destroy(b);
}

static void the_gate_holds_it_back(void **state)
{
    (void)state;
    struct bench *b = bench_create(60e6); /* a third: 10 cycles of 2 MB */
    b->load.until_steady = true;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_STEADY, 20);
    assert_int_equal(b->trial.steady.round, 9);
    bench_destroy(b);
}

static void a_gate_above_half_of_the_limit_is_cut_and_told(void **state)
{
    (void)state;
    struct bench *b = bench_create(60e6);
    b->load.until_steady = true;
    b->load.limit_write_bytes = 28000000;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_STEADY, 14);
    assert_true(b->trial.steady.gate_bytes == 14e6);
    expect_event("warning: steady.write_bytes = auto is a third of the drive, 20 MB; "
                 "limit.write_bytes leaves it 14 MB");
    bench_destroy(b);
}

static void without_a_device_the_rounds_decide(void **state)
{
    (void)state;
    struct bench *b = bench_create(NAN);
    b->load.until_steady = true;
    script.phase_bytes = NAN;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_STEADY, 10);
    assert_true(isnan(b->trial.steady.gate_bytes));
    expect_event("is not known: workload.until = steady goes by the rounds alone");
    bench_destroy(b);
}

static void it_goes_on_until_it_has_settled(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    script.rate = settling;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_STEADY, 24); /* rounds 7 to 11 are the first five of one level */
    assert_int_equal(b->trial.steady.round, 11);
    bench_destroy(b);
}

static void what_drifts_is_not_reached(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    b->load.steady_rounds = 6;
    script.rate = falling;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_DONE, 12);
    assert_false(b->trial.steady.reached);
    expect_event("steady: NOT REACHED after 6 rounds: range of insert commits/s ");
    assert_non_null(strstr(b->trial.steady.why, "% > 20%"));
    assert_null(strstr(b->trial.steady.why, "delete"));
    bench_destroy(b);
}

static void a_duration_ends_it_sooner(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    b->load.duration_ns = 6 * NS_PER_S;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_DURATION, 6);
    expect_event("steady: NOT REACHED after 3 rounds: workload.duration was over; 5 full rounds "
                 "are needed");
    bench_destroy(b);
}

static void a_limit_ends_it_and_nothing_follows(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    b->load.pause_ns = NS_PER_MS;
    script.stop_at = 2;
    script.reason = STOP_WRITE_BYTES;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_WRITE_BYTES, 3);
    expect_event("steady: NOT REACHED after 1 round: limit.write_bytes was reached; ");
    assert_null(strstr(events, "pause"));
    bench_destroy(b);
}

static void a_failure_ends_it(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    script.fail_at = 3;
    assert_int_equal(run(b), -1);
    expect(b, ENDED_ERROR, 3);
    assert_string_equal(b->err.text, "scripted");
    assert_non_null(strstr(b->trial.steady.why, "the trial failed; "));
    assert_string_equal(events, "");
    bench_destroy(b);
}

static void after_a_pause_one_cycle_more(void **state)
{
    (void)state;
    struct bench *b = bench_create(NAN);
    b->load.pause_ns = 60 * NS_PER_MS;
    int64_t begin_ns = clock_now_ns();
    assert_int_equal(run(b), 0);
    assert_true(clock_now_ns() - begin_ns >= 60 * NS_PER_MS);
    expect(b, ENDED_DONE, 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(after_pause(b, i) == (i >= 2));
    assert_true(json_number_at(json_array_get(b->trial.phases, 2), "cycle") == 1);
    expect_event("pause: the drive rests for 0.06 s");
    bench_destroy(b);
}

static void after_a_pause_one_round_more(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    b->load.pause_ns = NS_PER_MS;
    b->load.steady_round_ns = 5 * NS_PER_S;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_STEADY, 36);
    assert_false(after_pause(b, 29));
    assert_true(after_pause(b, 30));
    assert_true(after_pause(b, 35));
    bench_destroy(b);
}

static void a_limit_after_the_pause_is_how_it_ended(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    b->load.pause_ns = NS_PER_MS;
    script.stop_at = 10;
    script.reason = STOP_FREE_SPACE;
    assert_int_equal(run(b), 0);
    expect(b, ENDED_FREE_SPACE, 11);
    assert_true(b->trial.steady.reached);
    bench_destroy(b);
}

static void a_signal_ends_the_pause(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.pause_ns = 3600 * NS_PER_S;
    script.stop_at = 1; /* no reason: only the person's signal, when the cycle is over */
    script.reason = STOP_NONE;
    stop = 1;
    assert_int_equal(run(b), -1);
    assert_int_equal(b->err.kind, ERR_INTERRUPTED);
    expect(b, ENDED_SIGNAL, 1);
    bench_destroy(b);
}

static void ids_end_somewhere(void **state)
{
    (void)state;
    struct bench *b = bench_create(3e6);
    b->load.until_steady = true;
    b->load.rows = (uint64_t)ROW_SEQUENCE_LIMIT / 6; /* three cycles */
    assert_int_equal(run(b), 0);
    expect(b, ENDED_DONE, 6);
    expect_event("NOT REACHED after 3 rounds");
    bench_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once_without_a_time),
        cmocka_unit_test(a_duration_cuts_the_phase_that_runs),
        cmocka_unit_test(even_rounds_end_at_the_fifth),
        cmocka_unit_test(a_round_is_several_cycles_where_they_are_short),
        cmocka_unit_test(the_gate_holds_it_back),
        cmocka_unit_test(a_gate_above_half_of_the_limit_is_cut_and_told),
        cmocka_unit_test(without_a_device_the_rounds_decide),
        cmocka_unit_test(it_goes_on_until_it_has_settled),
        cmocka_unit_test(what_drifts_is_not_reached),
        cmocka_unit_test(a_duration_ends_it_sooner),
        cmocka_unit_test(a_limit_ends_it_and_nothing_follows),
        cmocka_unit_test(a_failure_ends_it),
        cmocka_unit_test(after_a_pause_one_cycle_more),
        cmocka_unit_test(after_a_pause_one_round_more),
        cmocka_unit_test(a_limit_after_the_pause_is_how_it_ended),
        cmocka_unit_test(a_signal_ends_the_pause),
        cmocka_unit_test(ids_end_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
