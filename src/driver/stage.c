#include "driver/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "driver/overlap.h"

/* Enough for an engine's deepest calls; a thousand streams cost address space only. */
#define STREAM_STACK_BYTES ((size_t)512 * 1024)

static void stream_init(struct stream *s, struct stage *stage, unsigned number)
{
    s->stage = stage;
    s->number = number;
    s->counters = &stage->counters[number];
    s->commits = &stage->commits[number];
    s->batch = row_batch_create(&stage->load->shape, number);
    s->rng.state = rng_mix64(stage->load->shape.seed ^ (number + 1));
    ticket_init(&s->ticket);
    int domain = stage->adapter->lock_domain(stage->db, number);
    s->line = domain < 0 ? NULL : &stage->lines[domain];
    ledger_init(&s->ledger, stage->load, number);
    if (stage->load->row_keys == ROW_KEYS_OVERLAPPING && stage->adapter->upsert != NULL)
        s->overlap = overlap_create(stage->load, number);
    interval_hist_init(s->commits);
    s->transaction = hist_create();
    s->lock_wait = hist_create();
    s->statement = hist_create();
}

static void stream_release(struct stream *s)
{
    row_batch_destroy(s->batch);
    ticket_release(&s->ticket);
    ledger_release(&s->ledger);
    overlap_destroy(s->overlap);
    interval_hist_release(s->commits);
    hist_destroy(s->transaction);
    hist_destroy(s->lock_wait);
    hist_destroy(s->statement);
}

static void release(struct stage *stage)
{
    for (unsigned i = 0; i < stage->stream_count; i++) {
        stream_release(&stage->streams[i]);
        ticket_line_release(&stage->lines[i]);
    }
    gate_release(&stage->gate);
    pthread_mutex_destroy(&stage->conn_lock);
    pthread_mutex_destroy(&stage->failure_lock);
    free(stage->streams);
    free(stage->counters);
    free(stage->commits);
    free(stage->lines);
    free((void *)stage->tickets);
    free(stage->first_commits);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = aligned_alloc(128, (count * size + 127) / 128 * 128);
    if (memory == NULL)
        abort();
    memset(memory, 0, count * size);
    return memory;
}

int stage_open(struct stage *stage, const struct adapter *adapter, struct adapter_db *db,
               const struct workload *load, bool begin_locks, struct err *err)
{
    unsigned n = load->streams;
    *stage = (struct stage){.adapter = adapter, .db = db, .load = load, .stream_count = n};
    stage->begin_locks = begin_locks;
    stage->streams = allocate(n, sizeof *stage->streams);
    stage->counters = allocate(n, sizeof *stage->counters);
    stage->commits = allocate(n, sizeof *stage->commits);
    stage->lines = allocate(n, sizeof *stage->lines);
    stage->tickets = allocate(1, sizeof *stage->tickets); /* on a cache line of its own */
    stage->first_commits = allocate(n, sizeof *stage->first_commits);
    pthread_mutex_init(&stage->conn_lock, NULL);
    pthread_mutex_init(&stage->failure_lock, NULL);
    for (unsigned i = 0; i < n; i++)
        ticket_line_init(&stage->lines[i]);
    for (unsigned i = 0; i < n; i++)
        stream_init(&stage->streams[i], stage, i);

    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STREAM_STACK_BYTES);
    unsigned started = 0;
    int failed = 0;
    gate_init(&stage->gate, n);
    for (; started < n && failed == 0; started += failed == 0)
        failed = pthread_create(&stage->streams[started].thread, &attr, stream_main,
                                &stage->streams[started]);
    pthread_attr_destroy(&attr);
    if (failed == 0)
        return 0;

    /* Let those that run go home: the gate must count them alone. */
    pthread_mutex_lock(&stage->gate.lock);
    stage->gate.streams = started;
    pthread_mutex_unlock(&stage->gate.lock);
    stage->order.task = TASK_LEAVE;
    if (started != 0) {
        while (!gate_wait(&stage->gate, NS_PER_S / 100))
            ;
        gate_open(&stage->gate);
    }
    for (unsigned i = 0; i < started; i++)
        pthread_join(stage->streams[i].thread, NULL);
    release(stage);
    return err_set_errno(err, ERR_FAILED, failed, "starting thread %u of %u streams", started + 1,
                         n);
}

void stage_close(struct stage *stage)
{
    while (!gate_wait(&stage->gate, NS_PER_S))
        ;
    stage->order.task = TASK_LEAVE;
    gate_open(&stage->gate);
    for (unsigned i = 0; i < stage->stream_count; i++)
        pthread_join(stage->streams[i].thread, NULL);
    release(stage);
}

void stage_prepare(struct stage *stage, enum phase_kind kind)
{
    stage->order.task = TASK_PHASE;
    stage->order.kind = kind;
    atomic_store(&stage->first_finished, 0);
    for (unsigned i = 0; i < stage->stream_count; i++) {
        struct stream *s = &stage->streams[i];
        ledger_begin(&s->ledger, kind);
        hist_reset(s->transaction);
        hist_reset(s->lock_wait);
        hist_reset(s->statement);
        atomic_store(&s->base_commits, counter_read(&s->counters->commits));
        atomic_store(&s->base_rows, counter_read(&s->counters->rows));
        s->last_commit_ns = 0;
        s->transaction_ns = 0;
        memset(s->retries, 0, sizeof s->retries);
        s->reconnects = s->in_doubt_rows = s->transactions_begun = 0;
    }
}

void stage_start(struct stage *stage, int64_t warmup_ns, int64_t duration_ns)
{
    struct stage_order *order = &stage->order;
    order->start_ns = clock_now_ns();
    order->measure_from_ns = order->start_ns + warmup_ns;
    atomic_store(&order->deadline_ns,
                 duration_ns > 0 ? order->measure_from_ns + duration_ns : INT64_MAX);
    gate_open(&stage->gate);
}

void stage_cut(struct stage *stage)
{
    int64_t now_ns = clock_now_ns();
    if (now_ns < stage_deadline_ns(stage))
        atomic_store(&stage->order.deadline_ns, now_ns);
}

bool stage_wait(struct stage *stage, int64_t timeout_ns)
{
    return gate_wait(&stage->gate, timeout_ns);
}

void stage_stop(struct stage *stage, enum stop_reason reason)
{
    int none = STOP_NONE;
    /* A signal outranks a limit that was already being obeyed. */
    if (!atomic_compare_exchange_strong(&stage->stop, &none, (int)reason) && reason == STOP_SIGNAL)
        atomic_store(&stage->stop, STOP_SIGNAL);
    for (unsigned i = 0; i < stage->stream_count; i++)
        ticket_line_close(&stage->lines[i]);
}

void stage_interrupt(struct stage *stage)
{
    pthread_mutex_lock(&stage->conn_lock);
    for (unsigned i = 0; i < stage->stream_count; i++)
        if (stage->streams[i].conn != NULL)
            stage->adapter->interrupt(stage->streams[i].conn);
    pthread_mutex_unlock(&stage->conn_lock);
}

void stage_fail(struct stage *stage, unsigned stream, const char *call, enum op_status status,
                const struct op_error *why)
{
    pthread_mutex_lock(&stage->failure_lock);
    if (!stage->failed) {
        stage->failed = true;
        err_set(&stage->failure, ERR_FAILED, "%sstream %u: %s: %s",
                status == OP_NO_SPACE
                    ? "no space left on the target; make room, or use fewer rows or streams: "
                    : "",
                stream, call, why->text);
    }
    pthread_mutex_unlock(&stage->failure_lock);
    stage_stop(stage, status == OP_NO_SPACE ? STOP_NO_SPACE : STOP_ERROR);
}
