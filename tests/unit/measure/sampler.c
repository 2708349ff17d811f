/* The sampler and its double-buffered histograms: nothing is lost, nothing counted twice. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "measure/sampler.h"

enum { WRITERS = 3, RECORDS = 200000 };

struct writer {
    struct stream_counters *counters;
    struct interval_hist *commits;
    pthread_t thread;
};

static void *write_all(void *arg)
{
    struct writer *w = arg;
    for (int i = 0; i < RECORDS; i++) {
        counter_add(&w->counters->rows, 3);
        counter_add(&w->counters->commits, 1);
        interval_hist_record(w->commits, 1000 + i);
    }
    return NULL;
}

static void observe(void *ctx, struct sample *sample)
{
    sample->gauges[sample->gauge_count++] = (struct gauge){"level", *(double *)ctx};
}

struct totals {
    uint64_t ticks, recorded;
    int64_t last_ns;
};

static void see(struct totals *t, const struct sample *s)
{
    assert_true(s->t0_ns <= s->t1_ns);
    assert_true(s->t0_ns >= t->last_ns);
    uint64_t commits = 0;
    for (size_t i = 0; i < s->stream_count; i++)
        commits += s->stream_commits[i];
    assert_int_equal(s->commits, commits);
    t->last_ns = s->t1_ns;
    t->recorded += s->commit->count;
    t->ticks += s->mark == SAMPLE_TICK;
}

static void the_sum_of_all_ticks_is_all(void **state)
{
    struct stream_counters *counters = aligned_alloc(128, sizeof *counters * WRITERS);
    struct interval_hist commits[WRITERS];
    struct writer writers[WRITERS];
    struct device_set devices = {.count = 0};
    double level = 42;
    struct sampler *sampler;
    struct totals totals = {0, 0, 0};
    struct err err;
    (void)state;
    memset(counters, 0, sizeof *counters * WRITERS);
    for (int i = 0; i < WRITERS; i++)
        interval_hist_init(&commits[i]);
    struct sampler_config config = {.interval_ns = NS_PER_MS,
                                    .trial = 9,
                                    .stream_count = WRITERS,
                                    .counters = counters,
                                    .commits = commits,
                                    .devices = &devices,
                                    .observe = observe,
                                    .ctx = &level};
    assert_int_equal(sampler_create(&config, &sampler, &err), 0);
    const struct sample *mark = sampler_mark(sampler, SAMPLE_PHASE_START, 4, 2);
    assert_int_equal(mark->mark, SAMPLE_PHASE_START);
    assert_int_equal(mark->trial, 9);
    assert_int_equal(mark->phase, 4);
    assert_int_equal(mark->cycle, 2);
    assert_int_equal(mark->gauge_count, 1);
    assert_true(mark->gauges[0].value == 42);
    see(&totals, mark);
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){.counters = &counters[i], .commits = &commits[i]};
        assert_int_equal(pthread_create(&writers[i].thread, NULL, write_all, &writers[i]), 0);
    }
    const struct sample *tick;
    while (totals.ticks < 5 || totals.recorded < WRITERS * RECORDS / 2) {
        while ((tick = sampler_peek(sampler)) != NULL) {
            see(&totals, tick);
            sampler_pop(sampler);
        }
        clock_sleep_until(clock_now_ns() + NS_PER_MS / 4);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i].thread, NULL);
    mark = sampler_mark(sampler, SAMPLE_PHASE_END, 4, 2);
    while ((tick = sampler_peek(sampler)) != NULL) {
        see(&totals, tick);
        sampler_pop(sampler);
    }
    see(&totals, mark);
    assert_int_equal(mark->commits, WRITERS * RECORDS);
    assert_int_equal(mark->rows, WRITERS * RECORDS * 3);
    assert_int_equal(totals.recorded, WRITERS * RECORDS);
    assert_true(totals.ticks >= 5);

    /* Between phases there are no ticks. */
    clock_sleep_until(clock_now_ns() + 20 * NS_PER_MS);
    assert_null(sampler_peek(sampler));
    sampler_destroy(sampler);
    for (int i = 0; i < WRITERS; i++)
        interval_hist_release(&commits[i]);
    free(counters);
}

static void a_full_ring_leaves_ticks_out_and_loses_nothing(void **state)
{
    struct stream_counters *counters = aligned_alloc(128, sizeof *counters);
    struct interval_hist commits;
    struct device_set devices = {.count = 0};
    struct sampler *sampler;
    struct totals totals = {0, 0, 0};
    struct err err;
    (void)state;
    memset(counters, 0, sizeof *counters);
    interval_hist_init(&commits);
    struct sampler_config config = {.interval_ns = NS_PER_MS / 10,
                                    .stream_count = 1,
                                    .counters = counters,
                                    .commits = &commits,
                                    .devices = &devices};
    assert_int_equal(sampler_create(&config, &sampler, &err), 0);
    see(&totals, sampler_mark(sampler, SAMPLE_PHASE_START, 0, 0));
    uint64_t recorded = 0;
    while (sampler_missed(sampler) < 3) { /* nobody empties the ring */
        interval_hist_record(&commits, 5000);
        recorded++;
        clock_sleep_until(clock_now_ns() + NS_PER_MS / 20);
    }
    const struct sample *mark = sampler_mark(sampler, SAMPLE_PHASE_END, 0, 0);
    const struct sample *tick;
    while ((tick = sampler_peek(sampler)) != NULL) {
        see(&totals, tick);
        sampler_pop(sampler);
    }
    see(&totals, mark);
    assert_int_equal(totals.recorded, recorded);
    sampler_destroy(sampler);
    interval_hist_release(&commits);
    free(counters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sum_of_all_ticks_is_all),
        cmocka_unit_test(a_full_ring_leaves_ticks_out_and_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
