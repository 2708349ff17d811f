/* stage.h - the streams of one trial: threads, connections, orders.
 *
 *     stage_open     starts the threads; each connects
 *     stage_start    gives them a phase (all stand at the gate until then)
 *     stage_wait     true when all have come back
 *     stage_close    disconnects and joins
 *
 * Main thread, but for what stream.c does on the stream's own thread.  A stage stays where it is.
 */
#ifndef DRIVER_STAGE_H
#define DRIVER_STAGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "adapter.h"
#include "base/err.h"
#include "base/rng.h"
#include "driver/gate.h"
#include "driver/ledger.h"
#include "driver/ticket.h"
#include "measure/counters.h"
#include "measure/interval_hist.h"

/* After a signal, streams that take longer are left behind. */
#define STAGE_SIGNAL_NS INT64_C(1500000000)

/* Why streams stop before their work is done; later ones do not replace earlier ones. */
enum stop_reason {
    STOP_NONE,
    STOP_DURATION, /* only as an outcome: streams see the deadline themselves */
    STOP_WRITE_BYTES,
    STOP_FREE_SPACE,
    STOP_NO_SPACE,
    STOP_ERROR,
    STOP_SIGNAL,
};

struct overlap; /* overlap.h */

enum stage_task { TASK_PHASE, TASK_LEAVE };

/* What the streams are to do next; written by the main thread while all stand at the gate. */
struct stage_order {
    enum stage_task task;
    enum phase_kind kind;
    int64_t start_ns;
    int64_t measure_from_ns; /* start, or the end of the warm-up */
    /* No transaction begins later; INT64_MAX: none.  stage_cut() lowers it while streams run. */
    _Atomic int64_t deadline_ns;
};

/* One stream.  Its thread owns all but `counters` and `commits`, which the sampler reads; the
 * main thread reads the rest while the stream stands at the gate. */
struct stream {
    struct stage *stage;
    unsigned number;
    pthread_t thread;
    struct adapter_conn *conn; /* NULL: not connected; changed under stage->conn_lock */
    struct row_batch *batch;
    struct rng rng;
    struct ticket ticket;
    struct ticket_line *line; /* NULL: nobody waits in line */
    struct ledger ledger;
    struct overlap *overlap; /* row.keys = overlapping; else NULL */
    struct stream_counters *counters;
    struct interval_hist *commits; /* latency of commits, for the sampler */

    /* Of the phase, counted after the warm-up. */
    struct hist *transaction, *lock_wait, *statement;
    _Atomic uint64_t base_commits, base_rows; /* counters when counting began */
    int64_t last_commit_ns;
    int64_t transaction_ns;
    uint64_t retries[3]; /* busy, conflict, deadlock */
    uint64_t reconnects, in_doubt_rows;
    uint64_t transactions_begun; /* this phase: the open loop's k */
};

struct stage {
    const struct adapter *adapter;
    struct adapter_db *db;
    const struct workload *load;
    unsigned stream_count;
    struct stream *streams;
    struct stream_counters *counters; /* [stream_count] */
    struct interval_hist *commits;    /* [stream_count] */
    struct ticket_line *lines;        /* [stream_count] */
    struct gate gate;
    struct stage_order order;
    bool begin_locks;
    bool single_call; /* a statement has no time of its own; set while all stand at the gate */
    _Atomic uint64_t *tickets; /* row.keys = overlapping: how many were drawn */
    pthread_mutex_t conn_lock; /* guards conn against interrupt from another thread */

    _Atomic unsigned away; /* streams that lost their connection and try to get another */
    _Atomic int stop;      /* enum stop_reason */
    pthread_mutex_t failure_lock;
    bool failed;
    struct err failure; /* the first stream's */

    /* The moment when the first stream finished, and what all had done by then. */
    _Atomic int first_finished;
    int64_t first_ns;
    uint64_t first_rows;
    uint64_t *first_commits; /* [stream_count] */
};

int stage_open(struct stage *stage, const struct adapter *adapter, struct adapter_db *db,
               const struct workload *load, bool begin_locks, struct err *err);
void stage_close(struct stage *stage);

/* Readies every stream for a phase; then stage_start lets them go. */
void stage_prepare(struct stage *stage, enum phase_kind kind);
void stage_start(struct stage *stage, int64_t warmup_ns, int64_t duration_ns);
bool stage_wait(struct stage *stage, int64_t timeout_ns);

/* Main thread: no transaction of this phase begins any more; those that have begun are finished. */
void stage_cut(struct stage *stage);
static inline int64_t stage_deadline_ns(const struct stage *stage)
{
    return atomic_load_explicit(&((struct stage *)stage)->order.deadline_ns, memory_order_relaxed);
}

/* Any thread: streams end at the next chance (a transaction that is open is rolled back). */
void stage_stop(struct stage *stage, enum stop_reason reason);
static inline enum stop_reason stage_stopped(const struct stage *stage)
{
    return (enum stop_reason)atomic_load_explicit(&((struct stage *)stage)->stop,
                                                  memory_order_relaxed);
}
/* Interrupts calls in progress. */
void stage_interrupt(struct stage *stage);

/* stream.c: the thread's function, and what it reports. */
void *stream_main(void *stream);
void stage_fail(struct stage *stage, unsigned stream, const char *call, enum op_status status,
                const struct op_error *why);

#endif
