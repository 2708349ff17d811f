/* A search on simulated drives whose curves are known: where it goes, why it ends, what it finds.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "plan/search.h"

/* A drive: commits/s of one kind of phase, and the percentile, at a number of streams. */
struct drive {
    double (*insert)(double streams);
    double (*delete)(double streams); /* NULL: no such phase */
    double (*percentile_ms)(double streams);
    double noise;      /* of a rate: uniform, +- this share */
    double step_s;     /* each step takes so long */
    unsigned bytes_of; /* so many steps fit into the bytes; 0: any number */
    uint64_t seed;
};

static double saturating(double n)
{
    return 10000 * n / (n + 4); /* half at 4 streams, 1.03 times less from 2 x 64 on */
}

/* Gunther's law; the peak lies at sqrt((1 - s) / k). */
static double usl(double n)
{
    const double s = 0.05, k = 0.95 / (20.0 * 20.0);
    return 1000 * n / (1 + s * (n - 1) + k * n * (n - 1));
}
static const double usl_peak = 20;

static double flat(double n)
{
    (void)n;
    return 500;
}

static double linear(double n)
{
    return 100 * n;
}

static double ends_at_8(double n)
{
    return 100 * fmin(n, 8);
}

static double ends_at_64(double n)
{
    return 100 * fmin(n, 64);
}

static double slower_each_time(double n)
{
    return 1000 / n;
}

static double grows_by_the_stream_ms(double n)
{
    return n * 0.8; /* 8 streams: 6.4 ms; 16: 12.8 ms */
}

static double measured(const struct drive *drive, double (*curve)(double), double n,
                       struct rng *rng)
{
    if (curve == NULL)
        return NAN;
    double uniform = (double)(rng_next(rng) >> 11) / 9007199254740992.0; /* 2^53 */
    return curve(n) * (1 + drive->noise * (2 * uniform - 1));
}

/* Runs the search to its end; the visited streams as "1 2 4". */
static void explore(const struct drive *drive, const struct search_bounds *bounds,
                    struct search *search, char *visited, size_t size)
{
    struct rng rng = {.state = drive->seed};
    size_t used = 0;
    double elapsed_s = 0;
    visited[0] = '\0';
    search_init(search, bounds);
    for (;;) {
        bool no_bytes = drive->bytes_of != 0 && search->count >= drive->bytes_of;
        unsigned n = search_next(search, elapsed_s, no_bytes);
        if (n == 0)
            break;
        assert_true(n <= bounds->streams_max);
        for (size_t i = 0; i < search->count; i++)
            assert_int_not_equal(search->done[i].streams, n);
        used += (size_t)snprintf(visited + used, size - used, "%s%u", used > 0 ? " " : "", n);
        struct search_outcome outcome = {.streams = n, .slo_ms = NAN};
        for (size_t kind = 0; kind < PHASE_KINDS; kind++)
            outcome.commits_per_s[kind] = NAN;
        outcome.commits_per_s[PHASE_INSERT] = measured(drive, drive->insert, n, &rng);
        outcome.commits_per_s[PHASE_DELETE] = measured(drive, drive->delete, n, &rng);
        if (drive->percentile_ms != NULL)
            outcome.slo_ms = drive->percentile_ms(n);
        search_take(search, &outcome);
        elapsed_s += drive->step_s;
    }
    assert_int_not_equal(search->end, SEARCH_GOES_ON);
    assert_int_equal(search_next(search, elapsed_s, false), 0); /* and stays over */
}

static const struct search_bounds wide = {
    .steps = 100, .streams_max = 256, .time_s = 1e9, .slo_ms = NAN};

static unsigned best_of(const struct search *search, enum phase_kind kind)
{
    const struct search_outcome *best = search_best(search, kind);
    return best == NULL ? 0 : best->streams;
}

static void check_way(const struct drive *drive, const struct search_bounds *bounds,
                      const char *way, enum search_end end, unsigned best)
{
    struct search search;
    char visited[512];
    explore(drive, bounds, &search, visited, sizeof visited);
    assert_string_equal(visited, way);
    assert_string_equal(search_end_name(search.end), search_end_name(end));
    assert_int_equal(best_of(&search, PHASE_INSERT), best);
}

static void a_saturating_drive_is_found(void **state)
{
    (void)state;
    struct search search;
    char visited[512];
    struct search_bounds bounds = wide;
    bounds.streams_max = 4096;
    explore(&(struct drive){.insert = saturating}, &bounds, &search, visited, sizeof visited);
    /* 128 -> 256 gains 1.6%, 256 -> 512 0.8%: neither gains 3%. */
    assert_memory_equal(visited, "1 2 4 8 16 32 64 128 256 512", 28);
    assert_int_equal(search.end, SEARCH_FOUND);
    assert_int_equal(best_of(&search, PHASE_INSERT), 512);
    assert_true(search_best(&search, PHASE_INSERT)->commits_per_s[PHASE_INSERT] >= 0.875 * 10000);
}

static void the_peak_of_a_retrograde_drive_is_refined(void **state)
{
    (void)state;
    struct search search;
    char visited[512];
    /* 32 and 64 are below 16; 24 is closer to the peak than 16 and 20 closer still. */
    check_way(&(struct drive){.insert = usl}, &wide, "1 2 4 8 16 32 64 24 28 20 22 18",
              SEARCH_FOUND, 20);
    explore(&(struct drive){.insert = usl}, &wide, &search, visited, sizeof visited);
    double found = best_of(&search, PHASE_INSERT);
    assert_true(fabs(found - usl_peak) <= usl_peak / 8);
}

static void noise_of_2_percent_does_not_lead_astray(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct search search;
        char visited[512];
        struct drive drive = {.insert = usl, .delete = ends_at_8, .noise = 0.02, .seed = seed};
        explore(&drive, &wide, &search, visited, sizeof visited);
        double insert = usl(best_of(&search, PHASE_INSERT));
        double delete = ends_at_8(best_of(&search, PHASE_DELETE));
        assert_int_equal(search.end, SEARCH_FOUND);
        assert_true(insert >= 0.875 * usl(usl_peak));
        assert_true(delete >= 0.875 * 800);
        assert_true(search.count <= 24);
    }
}

static void a_flat_drive_ends_after_three_steps(void **state)
{
    (void)state;
    check_way(&(struct drive){.insert = flat}, &wide, "1 2 4", SEARCH_FOUND, 1);
    check_way(&(struct drive){.insert = slower_each_time}, &wide, "1 2 4", SEARCH_FOUND, 1);
}

static void a_drive_that_still_rises_ends_at_the_most_streams(void **state)
{
    (void)state;
    struct search_bounds bounds = wide;
    bounds.streams_max = 100;
    check_way(&(struct drive){.insert = linear}, &bounds, "1 2 4 8 16 32 64 100 82 91",
              SEARCH_BY_STREAMS, 100);
    bounds.streams_max = 2;
    check_way(&(struct drive){.insert = linear}, &bounds, "1 2", SEARCH_BY_STREAMS, 2);
}

static void one_phase_that_gains_keeps_it_going(void **state)
{
    (void)state;
    struct search search;
    char visited[512];
    struct drive drive = {.insert = ends_at_8, .delete = ends_at_64};
    explore(&drive, &wide, &search, visited, sizeof visited);
    assert_memory_equal(visited, "1 2 4 8 16 32 64 128 256 ", 25);
    assert_int_equal(search.end, SEARCH_FOUND);
    assert_int_equal(best_of(&search, PHASE_INSERT), 8);
    assert_int_equal(best_of(&search, PHASE_DELETE), 64);
    /* Without the second phase it would have ended at 32. */
    check_way(&(struct drive){.insert = ends_at_8}, &wide, "1 2 4 8 16 32 12 10 6 9 7",
              SEARCH_FOUND, 8);
}

static void the_service_level_is_closed_in_on(void **state)
{
    (void)state;
    struct search_bounds bounds = wide;
    bounds.slo_ms = 10;
    struct drive drive = {.insert = linear, .percentile_ms = grows_by_the_stream_ms};
    /* 12 streams: 9.6 ms; 13: 10.4 ms. */
    check_way(&drive, &bounds, "1 2 4 8 16 12 14 10 13 11", SEARCH_SLO, 12);
    bounds.slo_ms = 0.5; /* not even one stream */
    check_way(&drive, &bounds, "1", SEARCH_SLO, 0);
}

static double unknown_ms(double n)
{
    (void)n;
    return NAN;
}

static double exactly_10_ms(double n)
{
    (void)n;
    return 10;
}

static void what_is_not_beyond_the_level_goes_on(void **state)
{
    (void)state;
    struct search_bounds bounds = wide;
    bounds.slo_ms = 10;
    struct drive drive = {.insert = flat, .percentile_ms = unknown_ms};
    check_way(&drive, &bounds, "1 2 4", SEARCH_FOUND, 1);
    drive.percentile_ms = exactly_10_ms;
    check_way(&drive, &bounds, "1 2 4", SEARCH_FOUND, 1);
}

static void two_idle_steps_must_follow_each_other(void **state)
{
    (void)state;
    struct search search;
    const double rates[] = {100, 101, 150, 151, 152};
    search_init(&search, &wide);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        assert_int_equal(search_next(&search, 0, false), 1 << i);
        search_take(&search, &(struct search_outcome){.streams = 1U << i,
                                                      .commits_per_s = {rates[i], NAN, NAN},
                                                      .slo_ms = NAN});
    }
    assert_int_equal(search_next(&search, 0, false), 12); /* the best is 16, refined below */
}

static void three_percent_is_a_gain(void **state)
{
    (void)state;
    struct search search;
    const double rates[] = {100, 103, 106};
    search_init(&search, &wide);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        assert_int_equal(search_next(&search, 0, false), 1 << i);
        search_take(&search, &(struct search_outcome){.streams = 1U << i,
                                                      .commits_per_s = {rates[i], NAN, NAN},
                                                      .slo_ms = NAN});
    }
    assert_int_equal(search_next(&search, 0, false), 8); /* 106 is under 1.03 x 103, the first */
}

static void every_bound_ends_it(void **state)
{
    (void)state;
    struct search_bounds bounds = wide;
    bounds.steps = 3;
    check_way(&(struct drive){.insert = linear}, &bounds, "1 2 4", SEARCH_BY_STEPS, 4);
    bounds = wide;
    bounds.time_s = 25; /* steps begin at 0, 10 and 20 s */
    check_way(&(struct drive){.insert = linear, .step_s = 10}, &bounds, "1 2 4", SEARCH_BY_TIME, 4);
    check_way(&(struct drive){.insert = linear, .bytes_of = 2}, &wide, "1 2", SEARCH_BY_BYTES, 2);
    /* In the refinement too. */
    bounds = wide;
    bounds.steps = 8;
    check_way(&(struct drive){.insert = usl}, &bounds, "1 2 4 8 16 32 64 24", SEARCH_BY_STEPS, 24);
    /* What is found with the last step is found. */
    bounds.steps = 3;
    check_way(&(struct drive){.insert = flat}, &bounds, "1 2 4", SEARCH_FOUND, 1);
}

static void it_may_begin_with_more_than_one_stream(void **state)
{
    (void)state;
    struct search_bounds bounds = wide;
    bounds.first = 10;
    check_way(&(struct drive){.insert = flat}, &bounds, "10 20 40 15 12 11", SEARCH_FOUND, 10);
}

static void ends_have_names(void **state)
{
    (void)state;
    assert_null(search_end_name(SEARCH_GOES_ON));
    assert_string_equal(search_end_name(SEARCH_BY_STREAMS), "streams");
    assert_string_equal(search_end_name(SEARCH_BY_SPACE), "space");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saturating_drive_is_found),
        cmocka_unit_test(the_peak_of_a_retrograde_drive_is_refined),
        cmocka_unit_test(noise_of_2_percent_does_not_lead_astray),
        cmocka_unit_test(a_flat_drive_ends_after_three_steps),
        cmocka_unit_test(a_drive_that_still_rises_ends_at_the_most_streams),
        cmocka_unit_test(one_phase_that_gains_keeps_it_going),
        cmocka_unit_test(the_service_level_is_closed_in_on),
        cmocka_unit_test(what_is_not_beyond_the_level_goes_on),
        cmocka_unit_test(two_idle_steps_must_follow_each_other),
        cmocka_unit_test(three_percent_is_a_gain),
        cmocka_unit_test(every_bound_ends_it),
        cmocka_unit_test(it_may_begin_with_more_than_one_stream),
        cmocka_unit_test(ends_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
