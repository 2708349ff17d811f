/* One stream: its thread, from connect to disconnect, and the way of a transaction. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "driver/overlap.h"
#include "driver/retry.h"
#include "driver/stream.h"

/* One reading of the clock at each boundary; but for start and lock, of the attempt that was
 * acknowledged. */
struct timing {
    int64_t start_ns;   /* of the transaction; in an open loop, when it was due */
    int64_t attempt_ns; /* of this attempt */
    int64_t lock_ns;    /* spent in line and in BEGIN, over all attempts */
    int64_t begun_ns, stated_ns, committed_ns;
};

#define SLICE_NS (50 * NS_PER_MS) /* sleeping streams look for a stop this often */

static bool must_stop(const struct stage *stage)
{
    return stage_stopped(stage) != STOP_NONE;
}

/* False: told to stop while asleep. */
static bool sleep_until(const struct stage *stage, int64_t when_ns)
{
    for (;;) {
        int64_t now_ns = clock_now_ns();
        if (now_ns >= when_ns)
            return true;
        if (must_stop(stage))
            return false;
        clock_sleep_until(when_ns - now_ns > SLICE_NS ? now_ns + SLICE_NS : when_ns);
    }
}

static enum op_status stream_connect(struct stream *s, struct op_error *why)
{
    struct stage *stage = s->stage;
    struct adapter_conn *conn = NULL;
    enum op_status status = stage->adapter->connect(stage->db, s->number, &conn, why);
    pthread_mutex_lock(&stage->conn_lock);
    s->conn = status == OP_OK ? conn : NULL;
    pthread_mutex_unlock(&stage->conn_lock);
    return status;
}

static void stream_disconnect(struct stream *s)
{
    struct stage *stage = s->stage;
    pthread_mutex_lock(&stage->conn_lock);
    struct adapter_conn *conn = s->conn;
    s->conn = NULL;
    pthread_mutex_unlock(&stage->conn_lock);
    if (conn != NULL)
        stage->adapter->disconnect(conn);
}

enum connecting { CONNECT_FIRST, CONNECT_AGAIN };

/* Tried for as long as a transaction is, while the engine is busy or, where it was there
 * before, gone.  False with call NULL: told to stop. */
static bool keep_connecting(struct stream *s, enum connecting which, struct outcome *out)
{
    int64_t give_up_ns = clock_now_ns() + RETRY_GIVE_UP_NS;
    for (unsigned attempt = 0;; attempt++) {
        out->call = "connect";
        out->status = stream_connect(s, &out->why);
        if (out->status == OP_OK)
            return true;
        bool passing =
            op_is_retryable(out->status) || (out->status == OP_LOST && which == CONNECT_AGAIN);
        if (!passing || clock_now_ns() > give_up_ns)
            return false;
        if (!sleep_until(s->stage, clock_now_ns() + retry_delay_ns(attempt, &s->rng))) {
            out->call = NULL;
            return false;
        }
    }
}

/* After OP_LOST.  True leaves *out as it was. */
static bool reconnect(struct stream *s, struct outcome *out)
{
    struct outcome connected;
    stream_disconnect(s);
    atomic_fetch_add(&s->stage->away, 1);
    bool back = keep_connecting(s, CONNECT_AGAIN, &connected);
    atomic_fetch_sub(&s->stage->away, 1);
    if (!back) {
        *out = connected;
        return false;
    }
    s->reconnects++;
    return true;
}

/* All rows of one transaction, batch by batch.  OP_FATAL with call NULL: told to stop. */
static void send_rows(struct stream *s, uint64_t positions, struct outcome *out)
{
    const struct adapter *adapter = s->stage->adapter;
    bool insert = s->ledger.kind == PHASE_INSERT;
    out->rows = 0;
    for (uint64_t sent = 0; sent < positions;) {
        s->batch->count = 0;
        sent += ledger_fill(&s->ledger, sent, positions - sent, s->batch);
        if (s->batch->count == 0)
            continue;
        out->call = phase_name(s->ledger.kind);
        out->status = insert ? adapter->insert(s->conn, s->batch, &out->why)
                             : adapter->remove(s->conn, s->batch, &out->why);
        if (out->status != OP_OK)
            return;
        out->rows += s->batch->count;
        if (sent < positions && stream_is_cut_short(s)) {
            stream_cut_short(out);
            return;
        }
    }
}

static bool is_mixed(const struct stream *s)
{
    return s->ledger.kind == PHASE_MIXED;
}

/* All that stands between begin and commit. */
static void state(struct stream *s, uint64_t positions, struct outcome *out)
{
    const struct adapter *adapter = s->stage->adapter;
    if (is_mixed(s))
        overlap_send(s, positions, out);
    else
        send_rows(s, positions, out);
    if (out->status != OP_OK || adapter->execute == NULL)
        return;
    out->call = phase_name(s->ledger.kind);
    out->status = adapter->execute(s->conn, &out->why);
}

/* One attempt at a transaction; call NULL in a failed outcome: told to stop, rolled back. */
static void attempt(struct stream *s, uint64_t positions, struct timing *t, struct outcome *out)
{
    const struct adapter *adapter = s->stage->adapter;
    if (s->line != NULL && !ticket_take(s->line, &s->ticket)) {
        stream_cut_short(out);
        return;
    }
    out->call = "begin";
    out->status = adapter->begin(s->conn, &out->why);
    t->begun_ns = clock_now_ns();
    t->lock_ns += t->begun_ns - t->attempt_ns;
    if (out->status == OP_OK)
        state(s, positions, out);
    if (out->status == OP_OK) {
        t->stated_ns = clock_now_ns();
        out->call = "commit";
        out->status = adapter->commit(s->conn, &out->why);
        if (out->status == OP_OK)
            t->committed_ns = clock_now_ns();
    }
    if (out->status != OP_OK) {
        struct op_error why;
        enum op_status undone = adapter->rollback(s->conn, &why);
        if (undone != OP_OK) /* what it has locked goes with the connection */
            stream_disconnect(s);
        if (undone != OP_OK && op_is_retryable(out->status)) {
            /* Neither done nor undone: it cannot be tried again on this connection. */
            out->status = op_is_retryable(undone) ? OP_FATAL : undone;
            out->call = "rollback";
            out->why = why;
        }
    }
    if (s->line != NULL)
        ticket_give(s->line);
}

static void count(struct stream *s, uint64_t rows, const struct timing *t)
{
    const struct stage_order *order = &s->stage->order;
    bool counted = t->committed_ns >= order->measure_from_ns;
    if (!counted) { /* still warming up; the base first, so that a reader never sees too many */
        atomic_store(&s->base_commits, counter_read(&s->counters->commits) + 1);
        atomic_store(&s->base_rows, counter_read(&s->counters->rows) + rows);
    }
    counter_add(&s->counters->rows, rows);
    counter_add(&s->counters->commits, 1);
    if (!counted)
        return;
    int64_t from_ns = t->start_ns > order->measure_from_ns ? t->start_ns : order->measure_from_ns;
    s->transaction_ns += t->committed_ns - from_ns;
    s->last_commit_ns = t->committed_ns;
    hist_record(s->transaction, t->committed_ns - t->start_ns);
    if (s->stage->begin_locks)
        hist_record(s->lock_wait, t->lock_ns);
    if (!s->stage->single_call)
        hist_record(s->statement, t->stated_ns - t->begun_ns);
    interval_hist_record(s->commits, t->committed_ns - t->stated_ns);
}

static void count_retry(struct stream *s, enum op_status status)
{
    s->retries[status - OP_BUSY]++;
    counter_add(&s->counters->retries, 1);
}

/* After a failed attempt: ready for another one?  False with call NULL: told to stop. */
static bool get_ready_again(struct stream *s, unsigned tries, int64_t give_up_ns,
                            struct outcome *out)
{
    if (out->status == OP_LOST) {
        if (!reconnect(s, out))
            return false;
    } else if (op_is_retryable(out->status)) {
        count_retry(s, out->status);
    } else {
        return false;
    }
    int64_t now_ns = clock_now_ns();
    if (now_ns > give_up_ns)
        return false;
    if (sleep_until(s->stage, now_ns + retry_delay_ns(tries, &s->rng)))
        return true;
    out->call = NULL;
    return false;
}

static void acknowledge(struct stream *s, uint64_t positions)
{
    ledger_commit(&s->ledger, positions);
    if (is_mixed(s))
        overlap_commit(s->overlap);
}

/* The commit was lost on the way.  False: that has come too often. */
static bool hold_in_doubt(struct stream *s, uint64_t positions, struct outcome *out)
{
    s->in_doubt_rows += out->rows;
    if (!is_mixed(s)) {
        ledger_commit_in_doubt(&s->ledger, positions);
        return true;
    }
    ledger_commit(&s->ledger, positions);
    if (overlap_commit_in_doubt(s->overlap, out->rows))
        return true;
    out->status = op_fail(&out->why, OP_FATAL, 0,
                          "the outcome of more than %d transactions of one stream is unknown; see "
                          "why the server loses its connections",
                          OVERLAP_DOUBTS_MAX);
    return false;
}

/* One transaction with its retries.  False: the stream's phase is over. */
static bool transaction(struct stream *s, int64_t start_ns, int64_t attempt_ns, int64_t *end_ns)
{
    struct stage *stage = s->stage;
    uint64_t left = ledger_left(&s->ledger);
    uint64_t positions = left < stage->load->rows_per_commit ? left : stage->load->rows_per_commit;
    struct timing t = {.start_ns = start_ns, .attempt_ns = attempt_ns};
    struct outcome out;
    int64_t give_up_ns = 0;
    if (is_mixed(s))
        overlap_choose(s->overlap);
    for (unsigned tries = 0;; tries++) {
        attempt(s, positions, &t, &out);
        if (out.status == OP_OK)
            break;
        bool in_doubt =
            out.status == OP_LOST && out.call != NULL && strcmp(out.call, "commit") == 0;
        if (in_doubt && !hold_in_doubt(s, positions, &out))
            goto failed;
        if (out.call == NULL || stage_stopped(stage) == STOP_SIGNAL)
            return false;
        if (in_doubt) {
            if (!reconnect(s, &out))
                goto failed;
            *end_ns = clock_now_ns();
            return true;
        }
        /* From the first failure: in an open loop `start_ns` may be long ago. */
        if (tries == 0)
            give_up_ns = clock_now_ns() + RETRY_GIVE_UP_NS;
        if (!get_ready_again(s, tries, give_up_ns, &out))
            goto failed;
        t.attempt_ns = clock_now_ns();
    }
    acknowledge(s, positions);
    count(s, out.rows, &t);
    *end_ns = t.committed_ns;
    return true;

failed:
    if (out.call != NULL)
        stage_fail(stage, s->number, out.call, out.status, &out.why);
    return false;
}

/* Open loop: transaction k of all is due at k / rate, and belongs to stream k mod N. */
static bool wait_until_due(struct stream *s, int64_t *start_ns)
{
    const struct stage *stage = s->stage;
    double k = (double)s->transactions_begun * stage->stream_count + s->number;
    int64_t due_ns = stage->order.start_ns + (int64_t)(k / stage->load->rate * (double)NS_PER_S);
    s->transactions_begun++;
    *start_ns = due_ns;
    if (due_ns >= stage_deadline_ns(stage))
        return false;
    return sleep_until(stage, due_ns);
}

/* The first stream to finish writes down what all had done by then. */
static void finish(struct stream *s)
{
    struct stage *stage = s->stage;
    int not_yet = 0;
    if (!atomic_compare_exchange_strong(&stage->first_finished, &not_yet, 1))
        return;
    stage->first_ns = clock_now_ns();
    stage->first_rows = 0;
    for (unsigned i = 0; i < stage->stream_count; i++) {
        const struct stream *other = &stage->streams[i];
        uint64_t commits = counter_read(&other->counters->commits);
        uint64_t rows = counter_read(&other->counters->rows);
        uint64_t base_commits = atomic_load(&((struct stream *)other)->base_commits);
        uint64_t base_rows = atomic_load(&((struct stream *)other)->base_rows);
        stage->first_commits[i] = commits > base_commits ? commits - base_commits : 0;
        stage->first_rows += rows > base_rows ? rows - base_rows : 0;
    }
}

static void run_phase(struct stream *s)
{
    const struct stage *stage = s->stage;
    bool open_loop = stage->load->rate > 0;
    /* A closed loop has no pause: a transaction begins where the one before ended, and what we
     * do in between, or wait for a CPU, is charged to it. */
    int64_t now_ns = stage->order.start_ns;
    while (s->conn != NULL && ledger_pass_over(&s->ledger) > 0 && !must_stop(stage)) {
        int64_t start_ns = now_ns;
        if (open_loop) {
            if (!wait_until_due(s, &start_ns))
                break;
            now_ns = clock_now_ns();
        }
        if (now_ns >= stage_deadline_ns(stage) || !transaction(s, start_ns, now_ns, &now_ns))
            break;
    }
    finish(s);
}

void *stream_main(void *arg)
{
    struct stream *s = arg;
    struct outcome out;
    if (!keep_connecting(s, CONNECT_FIRST, &out) && out.call != NULL)
        stage_fail(s->stage, s->number, out.call, out.status, &out.why);
    for (;;) {
        gate_pass(&s->stage->gate);
        if (s->stage->order.task == TASK_LEAVE)
            break;
        run_phase(s);
    }
    stream_disconnect(s);
    return NULL;
}
