/* suite_threads.h - several streams at once, and interrupts. */
#ifndef TESTS_CONTRACT_SUITE_THREADS_H
#define TESTS_CONTRACT_SUITE_THREADS_H

#include <pthread.h>
#include <stdatomic.h>

#include "contract/suite_base.h"

/* A stream of a thread of its own; asserts are the main thread's. */
struct worker {
    struct trial *trial;
    unsigned stream;
    pthread_barrier_t *barrier;
    enum op_status status;
    struct op_error why;
    unsigned retries;
};

static enum op_status worker_transaction(struct worker *worker, struct adapter_conn *conn,
                                         enum work work, uint64_t from)
{
    const struct adapter *ops = worker->trial->ops;
    for (;;) {
        enum op_status status = ops->begin(conn, &worker->why);
        if (status == OP_OK)
            status = do_rows(worker->trial, conn, worker->stream, work, ORDER_ASCENDING, 0, from,
                             from + 10, &worker->why);
        if (status == OP_OK)
            status = execute(worker->trial, conn, &worker->why);
        if (status == OP_OK)
            status = ops->commit(conn, &worker->why);
        if (status == OP_OK)
            return OP_OK;
        struct op_error rollback_why;
        enum op_status undone = ops->rollback(conn, &rollback_why);
        if (!op_is_retryable(status) || undone != OP_OK)
            return status;
        worker->retries++;
        clock_sleep_until(clock_now_ns() + NS_PER_MS);
    }
}

static void *worker_main(void *ctx)
{
    struct worker *worker = ctx;
    struct adapter_conn *conn = NULL;
    const struct adapter *ops = worker->trial->ops;
    worker->status = ops->connect(worker->trial->db, worker->stream, &conn, &worker->why);
    pthread_barrier_wait(worker->barrier);
    for (uint64_t from = 0; from < 200 && worker->status == OP_OK; from += 10)
        worker->status = worker_transaction(worker, conn, WORK_INSERT, from);
    for (uint64_t from = 0; from < 100 && worker->status == OP_OK; from += 10)
        worker->status = worker_transaction(worker, conn, WORK_REMOVE, from);
    if (conn != NULL)
        ops->disconnect(conn);
    return NULL;
}

static void two_threads(const char *layout, const char *busy)
{
    struct trial trial;
    enum { WORKERS = 2 };
    struct worker workers[WORKERS];
    pthread_t threads[WORKERS];
    pthread_barrier_t barrier;
    start(&trial, "t0001",
          WITH("workload.rows", "200", "workload.streams", "2", "workload.layout", layout,
               "sqlite.busy", busy));
    pthread_barrier_init(&barrier, NULL, WORKERS);
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){.trial = &trial, .stream = i, .barrier = &barrier};
        assert_int_equal(pthread_create(&threads[i], NULL, worker_main, &workers[i]), 0);
    }
    for (unsigned i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    for (unsigned i = 0; i < WORKERS; i++) {
        trial.why = workers[i].why;
        expect_ok(&trial, workers[i].status);
    }
    if (has(ADAPTER_KEEPS_ROWS))
        assert_int_equal(rows_now(&trial), WORKERS * 100);
    trial_close(&trial);
}

static void test_two_threads(void **state)
{
    (void)state;
    two_threads("shared-table", "queue");
    two_threads("shared-table", "native");
    two_threads("table-per-stream", "native");
    two_threads("file-per-stream", "queue");
}

/* interrupt races with transactions, disconnect and connect of its stream. */
struct restless {
    struct trial *trial;
    _Atomic(struct adapter_conn *) conn;
    atomic_bool done;
};

static void *restless_main(void *ctx)
{
    struct restless *restless = ctx;
    const struct adapter *ops = restless->trial->ops;
    struct op_error why;
    /* To a server each interrupt is a connection of its own. */
    for (unsigned round = 0; round < (has(ADAPTER_LOCAL_FILES) ? 50 : 10); round++) {
        struct adapter_conn *conn = NULL;
        if (ops->connect(restless->trial->db, 0, &conn, &why) != OP_OK)
            continue;
        atomic_store(&restless->conn, conn);
        if (ops->begin(conn, &why) == OP_OK)
            (void)do_rows(restless->trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 200, &why);
        (void)ops->rollback(conn, &why);
        ops->disconnect(conn);
    }
    atomic_store(&restless->done, true);
    return NULL;
}

static void test_interrupt(void **state)
{
    struct trial trial;
    struct restless restless = {.trial = &trial};
    pthread_t thread;
    (void)state;
    start(&trial, "t0001", WITH("workload.rows", "200"));
    assert_int_equal(pthread_create(&thread, NULL, restless_main, &restless), 0);
    while (!atomic_load(&restless.done)) {
        struct adapter_conn *conn = atomic_load(&restless.conn);
        if (conn != NULL)
            trial.ops->interrupt(conn);
    }
    pthread_join(thread, NULL);
    struct adapter_conn *conn = trial_connect(&trial, 0); /* no interrupt lingers */
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 200);
    if (has(ADAPTER_ROLLBACK) && has(ADAPTER_KEEPS_ROWS))
        assert_int_equal(rows_now(&trial), 200);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

#endif
