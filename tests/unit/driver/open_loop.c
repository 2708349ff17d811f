/* When transactions begin and what is counted of them: open and closed loop, warm-up, deadline, the
 * moment when the first stream finishes.  The engine's own record of its calls is the witness, so
 * that nothing here depends on how fast the machine is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/stage.h"
#include "measure/sampler.h"
#include "unit/driver/memory_engine.h"

#define HOME_NS (60 * NS_PER_S)

/* On the heap, so that the streams of a test that failed disturb no other. */
struct bench {
    struct workload load;
    struct memory_db *db;
    struct stage stage;
};

static struct bench *bench_open(unsigned streams, uint64_t rows, double rate)
{
    struct err err;
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->load = (struct workload){
        .rows = rows,
        .rows_per_commit = 2,
        .streams = streams,
        .layout = LAYOUT_TABLE_PER_STREAM,
        .files = 1,
        .rate = rate,
        .shape = {.seed = 4, .key_columns = 1, .payload_bytes = 8, .random_bytes = 8}};
    b->db = memory_create(&b->load);
    assert_int_equal(stage_open(&b->stage, &memory_adapter, &b->db->base, &b->load, true, &err), 0);
    assert_true(stage_wait(&b->stage, HOME_NS));
    return b;
}

static void bench_release(struct bench *b)
{
    stage_close(&b->stage);
    assert_string_equal(b->db->violation, "");
    memory_destroy(b->db);
    free(b);
}

static void slow_commits(struct bench *b, int stream, uint64_t nth, uint64_t times,
                         int64_t delay_ns)
{
    memory_fault(b->db, (struct memory_fault){.slot = MEMORY_COMMIT,
                                              .stream = stream,
                                              .nth = nth,
                                              .times = times,
                                              .delay_ns = delay_ns});
}

static void run_phase(struct bench *b, enum phase_kind kind, int64_t warmup_ns, int64_t duration_ns)
{
    stage_prepare(&b->stage, kind);
    stage_start(&b->stage, warmup_ns, duration_ns);
    assert_true(stage_wait(&b->stage, HOME_NS));
    assert_int_equal(stage_stopped(&b->stage), STOP_NONE);
    assert_false(b->stage.failed);
}

static uint64_t counted(const struct stream *s)
{
    return counter_read(&s->counters->commits) - s->base_commits;
}

static int64_t due_ns(const struct bench *b, uint64_t transaction, unsigned stream)
{
    double k = (double)(transaction * b->load.streams + stream);
    return b->stage.order.start_ns + (int64_t)(k / b->load.rate * 1e9);
}

/* Call i of this slot, counted from 0. */
static const struct memory_call *call_at(const struct memory_conn *c, enum memory_slot slot,
                                         uint64_t i)
{
    for (size_t k = 0; k < c->call_count; k++)
        if (c->calls[k].slot == slot && i-- == 0)
            return &c->calls[k];
    fail_msg("there is no such call");
    return NULL;
}

static void transaction_k_is_due_at_k_over_rate(void **state)
{
    struct bench *b = bench_open(3, 20, 1000);
    (void)state;
    run_phase(b, PHASE_INSERT, 0, 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(memory_calls(b->db, i, MEMORY_BEGIN), 10);
        for (uint64_t t = 0; t < 10; t++)
            assert_true(call_at(&b->db->conns[i], MEMORY_BEGIN, t)->from_ns >= due_ns(b, t, i));
        assert_int_equal(b->stage.streams[i].transaction->count, 10);
        assert_true(b->stage.streams[i].last_commit_ns >= due_ns(b, 9, i));
    }
    bench_release(b);
}

/* The driver reads its clock between the engine's return and the engine's next call. */
static void latency_runs_from_when_it_was_due(void **state)
{
    enum { TRANSACTIONS = 30, SLOW = 5 };
    struct bench *b = bench_open(1, 2 * TRANSACTIONS, 200);
    const struct memory_conn *c = &b->db->conns[0];
    const struct stream *s = &b->stage.streams[0];
    double at_least = 0, at_most = 0, lock_least = 0, lock_most = 0;
    (void)state;
    slow_commits(b, 0, SLOW, 1, 60 * NS_PER_MS);
    run_phase(b, PHASE_INSERT, 0, 0);
    int64_t home_ns = clock_now_ns();
    for (uint64_t t = 0; t < TRANSACTIONS; t++) {
        int64_t next_ns = t + 1 < TRANSACTIONS ? call_at(c, MEMORY_BEGIN, t + 1)->from_ns : home_ns;
        at_least += (double)(call_at(c, MEMORY_COMMIT, t)->to_ns - due_ns(b, t, 0));
        at_most += (double)(next_ns - due_ns(b, t, 0));
        /* The backlog is no lock wait: that is BEGIN alone. */
        int64_t free_ns = t == 0 ? 0 : call_at(c, MEMORY_COMMIT, t - 1)->to_ns;
        free_ns = free_ns > due_ns(b, t, 0) ? free_ns : due_ns(b, t, 0);
        const struct memory_call *begin = call_at(c, MEMORY_BEGIN, t);
        lock_least += (double)(begin->to_ns - begin->from_ns);
        lock_most += (double)(call_at(c, MEMORY_INSERT, t)->from_ns - free_ns);
    }
    assert_int_equal(s->transaction->count, TRANSACTIONS);
    assert_true(s->transaction->sum_ns >= at_least && s->transaction->sum_ns <= at_most);
    assert_true(s->lock_wait->sum_ns >= lock_least && s->lock_wait->sum_ns <= lock_most);
    /* 60 ms of one, and what was due every 5 ms meanwhile waited for it: 55, 50, ... 5. */
    assert_true(s->transaction->max_ns >= 60 * NS_PER_MS);
    assert_true(s->transaction->sum_ns >= 390e6);
    bench_release(b);
}

static void a_stop_wakes_those_that_wait_until_due(void **state)
{
    struct bench *b = bench_open(2, 20, 0.001);
    (void)state;
    stage_prepare(&b->stage, PHASE_INSERT);
    stage_start(&b->stage, 0, 0);
    assert_false(stage_wait(&b->stage, 20 * NS_PER_MS));
    stage_stop(&b->stage, STOP_FREE_SPACE);
    assert_true(stage_wait(&b->stage, HOME_NS));
    assert_int_equal(counter_read(&b->stage.counters[1].commits), 0); /* due after 1000 s */
    bench_release(b);
}

static double concurrency(const struct bench *b)
{
    double transactions_ns = 0, elapsed_ns = 0;
    for (unsigned i = 0; i < b->load.streams; i++) {
        const struct stream *s = &b->stage.streams[i];
        transactions_ns += (double)s->transaction_ns;
        elapsed_ns += (double)(s->last_commit_ns - b->stage.order.measure_from_ns);
    }
    return transactions_ns / elapsed_ns * b->load.streams;
}

/* In a closed loop there is no time between two transactions. */
static void concurrency_is_the_number_of_streams(void **state)
{
    struct bench *b = bench_open(4, 40, 0);
    (void)state;
    slow_commits(b, MEMORY_ANY_STREAM, 1, MEMORY_ALWAYS, NS_PER_MS);
    memory_fault(b->db,
                 (struct memory_fault){
                     .slot = MEMORY_BEGIN, .stream = 2, .nth = 3, .times = 4, .status = OP_BUSY});
    run_phase(b, PHASE_INSERT, 0, 0);
    assert_int_equal(b->stage.streams[2].retries[0], 4);
    assert_float_equal(concurrency(b), 4, 0.08);
    run_phase(b, PHASE_DELETE, 5 * NS_PER_MS, 0);
    assert_float_equal(concurrency(b), 4, 0.08);
    bench_release(b);
}

/* With a line, the time in it is the transaction's and its lock wait's. */
static void time_in_line_is_lock_wait(void **state)
{
    struct workload load = {.rows = 20,
                            .rows_per_commit = 2,
                            .streams = 3,
                            .layout = LAYOUT_SHARED_TABLE,
                            .files = 1,
                            .shape = {.seed = 4, .key_columns = 1, .payload_bytes = 8}};
    struct memory_db *db = memory_create(&load);
    struct stage stage;
    struct err err;
    double waited_ns = 0, all_ns = 0;
    (void)state;
    db->one_line = true;
    memory_fault(db, (struct memory_fault){.slot = MEMORY_COMMIT,
                                           .stream = MEMORY_ANY_STREAM,
                                           .nth = 1,
                                           .times = MEMORY_ALWAYS,
                                           .delay_ns = 2 * NS_PER_MS});
    assert_int_equal(stage_open(&stage, &memory_adapter, &db->base, &load, true, &err), 0);
    assert_true(stage_wait(&stage, HOME_NS));
    stage_prepare(&stage, PHASE_INSERT);
    stage_start(&stage, 0, 0);
    assert_true(stage_wait(&stage, HOME_NS));
    for (unsigned i = 0; i < 3; i++) {
        waited_ns += stage.streams[i].lock_wait->sum_ns;
        all_ns += stage.streams[i].transaction->sum_ns;
    }
    /* Nearly always two of the three stand in line; a third of it is a generous bound. */
    assert_true(waited_ns > all_ns / 3);
    stage_close(&stage);
    assert_string_equal(db->violation, "");
    memory_destroy(db);
}

static uint64_t interval_count(struct stream *s)
{
    struct hist *total = hist_create();
    interval_hist_take(s->commits, total);
    uint64_t count = total->count;
    hist_destroy(total);
    return count;
}

static void the_warm_up_is_not_counted(void **state)
{
    enum { TRANSACTIONS = 40 };
    struct bench *b = bench_open(2, 2 * TRANSACTIONS, 0);
    (void)state;
    slow_commits(b, MEMORY_ANY_STREAM, 1, MEMORY_ALWAYS, 2 * NS_PER_MS);
    run_phase(b, PHASE_INSERT, 20 * NS_PER_MS, 0);
    int64_t from_ns = b->stage.order.measure_from_ns;
    assert_int_equal(from_ns - b->stage.order.start_ns, 20 * NS_PER_MS);
    for (unsigned i = 0; i < 2; i++) {
        struct stream *s = &b->stage.streams[i];
        uint64_t surely = 0, surely_not = 0;
        for (uint64_t t = 0; t < TRANSACTIONS; t++) {
            surely += call_at(&b->db->conns[i], MEMORY_COMMIT, t)->to_ns >= from_ns;
            surely_not += t + 1 < TRANSACTIONS &&
                          call_at(&b->db->conns[i], MEMORY_BEGIN, t + 1)->from_ns < from_ns;
        }
        assert_int_equal(counter_read(&s->counters->commits), TRANSACTIONS);
        assert_in_range(counted(s), surely, TRANSACTIONS - surely_not);
        assert_true(surely >= 1);
        assert_int_equal(counter_read(&s->counters->rows) - s->base_rows, 2 * counted(s));
        assert_int_equal(s->transaction->count, counted(s));
        assert_int_equal(s->lock_wait->count, counted(s));
        assert_int_equal(s->statement->count, counted(s));
        assert_int_equal(interval_count(s), counted(s));
        /* The one that was under way when counting began is counted from there. */
        int64_t all_ns = s->last_commit_ns - from_ns;
        assert_in_range(s->transaction_ns, all_ns / 10 * 9, all_ns);
    }
    /* The next phase counts anew. */
    run_phase(b, PHASE_DELETE, 0, 0);
    assert_int_equal(counted(&b->stage.streams[0]), TRANSACTIONS);
    assert_int_equal(b->stage.streams[0].transaction->count, TRANSACTIONS);
    assert_int_equal(interval_count(&b->stage.streams[0]), TRANSACTIONS);
    bench_release(b);
}

static void a_phase_within_its_warm_up_counts_nothing(void **state)
{
    struct bench *b = bench_open(2, 10, 0);
    (void)state;
    run_phase(b, PHASE_INSERT, 3600 * NS_PER_S, 0);
    for (unsigned i = 0; i < 2; i++) {
        struct stream *s = &b->stage.streams[i];
        assert_int_equal(counter_read(&s->counters->commits), 5);
        assert_int_equal(counted(s), 0);
        assert_int_equal(s->transaction->count, 0);
        assert_int_equal(interval_count(s), 0);
        assert_int_equal(s->transaction_ns, 0);
        assert_int_equal(s->last_commit_ns, 0);
        assert_int_equal(b->stage.first_commits[i], 0);
    }
    assert_int_equal(b->stage.first_rows, 0);
    bench_release(b);
}

/* One transaction may be between its last look at the clock and its begin. */
static void no_transaction_begins_after_the_deadline(void **state)
{
    const double rates[] = {0, 400, 1e6}; /* closed; with pauses; far more than it can do */
    (void)state;
    for (size_t r = 0; r < 3; r++) {
        struct bench *b = bench_open(3, 4000, rates[r]);
        slow_commits(b, MEMORY_ANY_STREAM, 1, MEMORY_ALWAYS, NS_PER_MS);
        run_phase(b, PHASE_INSERT, 10 * NS_PER_MS, 40 * NS_PER_MS);
        int64_t deadline_ns = b->stage.order.deadline_ns;
        assert_int_equal(deadline_ns - b->stage.order.start_ns, 50 * NS_PER_MS);
        for (unsigned i = 0; i < 3; i++) {
            const struct memory_conn *c = &b->db->conns[i];
            uint64_t late = 0;
            for (size_t k = 0; k < c->call_count; k++)
                late += c->calls[k].slot == MEMORY_BEGIN && c->calls[k].from_ns >= deadline_ns;
            assert_true(late <= 1);
            assert_true(memory_calls(b->db, i, MEMORY_COMMIT) < 2000);
            /* What began is finished: cut at a transaction's end. */
            assert_int_equal(memory_held(b->db, i), 2 * memory_calls(b->db, i, MEMORY_COMMIT));
            assert_int_equal(memory_calls(b->db, i, MEMORY_ROLLBACK), 0);
        }
        bench_release(b);
    }
}

static void the_first_to_finish_writes_down_what_all_had_done(void **state)
{
    struct bench *b = bench_open(3, 40, 0);
    (void)state;
    slow_commits(b, 1, 1, MEMORY_ALWAYS, 20 * NS_PER_MS);
    slow_commits(b, 2, 15, 1, 300 * NS_PER_MS);
    for (enum phase_kind kind = PHASE_INSERT; kind <= PHASE_DELETE; kind++) {
        run_phase(b, kind, 0, 0);
        const uint64_t *commits = b->stage.first_commits;
        uint64_t all = commits[0] + commits[1] + commits[2];
        int64_t last_ns = 0;
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(counted(&b->stage.streams[i]), 20);
            assert_true(commits[i] <= 20);
            if (b->stage.streams[i].last_commit_ns > last_ns)
                last_ns = b->stage.streams[i].last_commit_ns;
        }
        assert_true(commits[0] == 20 || commits[1] == 20 || commits[2] == 20);
        assert_true(commits[1] < 20); /* 400 ms of sleep against none */
        /* Rows are counted just before their commit. */
        assert_in_range(b->stage.first_rows, 2 * all, 2 * all + 4);
        assert_true(b->stage.first_ns >= b->stage.order.start_ns && b->stage.first_ns <= last_ns);
    }
    bench_release(b);
}

/* The sampler beside real streams: every commit is in one interval, and in one only. */
static void the_sampler_sees_every_counted_commit(void **state)
{
    struct bench *b = bench_open(3, 400, 0);
    struct device_set devices = {.count = 0};
    struct sampler *sampler;
    struct err err;
    uint64_t seen = 0, last = 0;
    const struct sample *sample;
    (void)state;
    struct sampler_config config = {.interval_ns = NS_PER_MS / 2,
                                    .stream_count = 3,
                                    .counters = b->stage.counters,
                                    .commits = b->stage.commits,
                                    .devices = &devices};
    assert_int_equal(sampler_create(&config, &sampler, &err), 0);
    slow_commits(b, 1, 1, MEMORY_ALWAYS, NS_PER_MS / 10);
    seen += sampler_mark(sampler, SAMPLE_PHASE_START, 0, 0)->commit->count;
    stage_prepare(&b->stage, PHASE_INSERT);
    stage_start(&b->stage, NS_PER_MS, 0);
    while (!stage_wait(&b->stage, NS_PER_MS))
        for (; (sample = sampler_peek(sampler)) != NULL; sampler_pop(sampler)) {
            seen += sample->commit->count;
            assert_true(sample->commits >= last && sample->rows >= 2 * sample->commits);
            last = sample->commits;
        }
    sample = sampler_mark(sampler, SAMPLE_PHASE_END, 0, 0);
    assert_int_equal(sample->commits, 600);
    assert_int_equal(sample->rows, 1200);
    seen += sample->commit->count;
    for (; (sample = sampler_peek(sampler)) != NULL; sampler_pop(sampler))
        seen += sample->commit->count;
    assert_int_equal(seen, counted(&b->stage.streams[0]) + counted(&b->stage.streams[1]) +
                               counted(&b->stage.streams[2]));
    sampler_destroy(sampler);
    bench_release(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transaction_k_is_due_at_k_over_rate),
        cmocka_unit_test(latency_runs_from_when_it_was_due),
        cmocka_unit_test(a_stop_wakes_those_that_wait_until_due),
        cmocka_unit_test(concurrency_is_the_number_of_streams),
        cmocka_unit_test(time_in_line_is_lock_wait),
        cmocka_unit_test(the_warm_up_is_not_counted),
        cmocka_unit_test(a_phase_within_its_warm_up_counts_nothing),
        cmocka_unit_test(no_transaction_begins_after_the_deadline),
        cmocka_unit_test(the_first_to_finish_writes_down_what_all_had_done),
        cmocka_unit_test(the_sampler_sees_every_counted_commit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
