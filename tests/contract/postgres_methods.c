/* Each way in which rows travel to PostgreSQL: at the edges of its buffers, with a row that is not
 * there or comes twice, and rolled back in the middle. */
#include "contract/server.h"

#include <inttypes.h>

#include "postgres/db.h"

static const char *const insert_methods[] = {"statement", "pipeline", "array", "copy", NULL};
static const char *const remove_methods[] = {"statement", "pipeline", "array", "range", NULL};

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void start(struct trial *trial, const char *insert, const char *remove,
                  const char *const *more)
{
    const char *settings[32] = {"postgres.insert_method", insert, "postgres.delete_method", remove,
                                "workload.rows",          "5000", "workload.streams",       "2"};
    for (size_t i = 8; *more != NULL; i++)
        settings[i] = *more++;
    trial_init(trial, "postgresql", "t0001", settings);
    expect_ok(trial, trial->ops->open(&trial->config, &trial->db, &trial->why));
    expect_ok(trial, trial->ops->create(trial->db, &trial->why));
}

static void stop(struct trial *trial, struct adapter_conn *conn)
{
    trial->ops->disconnect(conn);
    trial_close(trial);
}

/* A batch of ids of stream 0, for one call. */
static enum op_status remove_ids(struct trial *trial, struct adapter_conn *conn,
                                 const uint64_t *sequences, size_t count)
{
    struct row_batch *batch = row_batch_create(&trial->load->shape, 0);
    for (size_t i = 0; i < count; i++)
        row_batch_add_id(batch, sequences[i]);
    enum op_status status = trial->ops->remove(conn, batch, &trial->why);
    row_batch_destroy(batch);
    return status;
}

static void move(const char *insert, const char *remove, enum order_kind order,
                 const char *const *more)
{
    static const uint64_t counts[] = {1, 255, 257, 999, 1000, 1001, 513, 0};
    struct trial trial;
    uint64_t from = 0;
    start(&trial, insert, remove, more);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; from += counts[i++])
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, from, from + counts[i]);
    assert_int_equal(trial_rows(&trial), from);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, from, 5000);
    from = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; from += counts[i++])
        transact(&trial, conn, 0, WORK_REMOVE, order, 0, from, from + counts[i]);
    assert_int_equal(trial_rows(&trial), 5000 - from);
    transact(&trial, conn, 0, WORK_REMOVE, order, 0, from, 5000);
    assert_int_equal(trial_rows(&trial), 0);
    stop(&trial, conn);
}

static void test_edges(void **state)
{
    static const enum order_kind orders[] = {ORDER_ASCENDING, ORDER_DESCENDING, ORDER_RANDOM,
                                             ORDER_ASCENDING};
    (void)state;
    for (size_t i = 0; insert_methods[i] != NULL; i++) {
        move(insert_methods[i], remove_methods[i], orders[i], SETTINGS("row.indexes", "16"));
        move(insert_methods[i], "range", orders[i], SETTINGS("row.payload", "1"));
    }
}

/* Payloads that no buffer holds, and those around its size. */
static void test_payloads(void **state)
{
    static const char *const sizes[] = {"49152", "49153", "196608", "1Mi"};
    (void)state;
    for (size_t i = 0; insert_methods[i] != NULL; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            struct trial trial;
            start(&trial, insert_methods[i], "array", SETTINGS("row.payload", sizes[k]));
            struct adapter_conn *conn = trial_connect(&trial, 0);
            transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 11);
            assert_int_equal(trial_rows(&trial), 11);
            stop(&trial, conn);
        }
}

static void expect_no_row(struct trial *trial, struct adapter_conn *conn, enum op_status status,
                          uint64_t sequence)
{
    char wanted[64];
    if (status == OP_OK)
        status = execute(trial, conn, &trial->why);
    assert_int_equal(status, OP_FATAL);
    snprintf(wanted, sizeof wanted, ": there is no row with id %" PRId64, row_id(0, sequence));
    if (strstr(trial->why.text, wanted) == NULL ||
        strncmp(trial->why.text, "DELETE from \"", 13) != 0)
        fail_msg("%s: not %s", trial->why.text, wanted);
    expect_ok(trial, trial->ops->rollback(conn, &trial->why));
}

static void test_missing(void **state)
{
    static const uint64_t some[] = {3, 4, 5, 9, 8, 7, 100, 2};
    static const uint64_t gone[] = {10, 11, 12, 13, 14};
    (void)state;
    for (size_t i = 0; remove_methods[i] != NULL; i++) {
        struct trial trial;
        start(&trial, "copy", remove_methods[i], SETTINGS("row.indexes", "1"));
        struct adapter_conn *conn = trial_connect(&trial, 0);
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 100);
        expect_ok(&trial, trial.ops->begin(conn, &trial.why));
        expect_no_row(&trial, conn, remove_ids(&trial, conn, some, 8), 100);
        assert_int_equal(trial_rows(&trial), 100);
        transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 12, 13);
        /* In the middle of a run, with other rows removed before in the transaction. */
        expect_ok(&trial, trial.ops->begin(conn, &trial.why));
        expect_ok(&trial, remove_ids(&trial, conn, some, 6));
        expect_no_row(&trial, conn, remove_ids(&trial, conn, gone, 5), 12);
        assert_int_equal(trial_rows(&trial), 99);
        transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 0, 12);
        transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 13, 100);
        stop(&trial, conn);
    }
}

/* The second of two equal rows is far into the transaction, and the error may come late. */
static void test_duplicates(void **state)
{
    (void)state;
    for (size_t i = 0; insert_methods[i] != NULL; i++) {
        struct trial trial;
        start(&trial, insert_methods[i], "array", SETTINGS("row.payload", "200"));
        struct adapter_conn *conn = trial_connect(&trial, 0);
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 700, 701);
        for (int again = 0; again < 2; again++) {
            expect_ok(&trial, trial.ops->begin(conn, &trial.why));
            enum op_status status =
                do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 5000, &trial.why);
            if (status == OP_OK)
                status = execute(&trial, conn, &trial.why);
            assert_int_equal(status, OP_FATAL);
            assert_string_equal(trial.why.sqlstate, "23505");
            assert_non_null(strstr(trial.why.text, "_pkey"));
            assert_non_null(strstr(trial.why.text, "(23505)"));
            expect_ok(&trial, trial.ops->rollback(conn, &trial.why));
            assert_int_equal(trial_rows(&trial), 1);
        }
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 700);
        assert_int_equal(trial_rows(&trial), 701);
        stop(&trial, conn);
    }
}

/* After begin, after some rows, after execute; each time the conn is ready again. */
static void test_rollback(void **state)
{
    static const uint64_t counts[] = {0, 1, 300, 3000};
    (void)state;
    for (size_t i = 0; insert_methods[i] != NULL; i++) {
        struct trial trial;
        start(&trial, insert_methods[i], remove_methods[i], SETTINGS("row.indexes", "2"));
        struct adapter_conn *conn = trial_connect(&trial, 0);
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 4000, 5000);
        for (size_t k = 0; k < 4 * sizeof counts / sizeof *counts; k++) {
            enum work work = k % 2 == 0 ? WORK_INSERT : WORK_REMOVE;
            uint64_t from = work == WORK_INSERT ? 0 : 4000;
            uint64_t count = counts[k / 4] < 1000 || work == WORK_INSERT ? counts[k / 4] : 1000;
            expect_ok(&trial, trial.ops->begin(conn, &trial.why));
            expect_ok(&trial, do_rows(&trial, conn, 0, work, ORDER_ASCENDING, 0, from, from + count,
                                      &trial.why));
            if (k % 4 > 1)
                expect_ok(&trial, execute(&trial, conn, &trial.why));
            expect_ok(&trial, trial.ops->rollback(conn, &trial.why));
            expect_ok(&trial, trial.ops->rollback(conn, &trial.why));
        }
        assert_int_equal(trial_rows(&trial), 1000);
        transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 4000, 5000);
        stop(&trial, conn);
    }
}

/* Rows come and go in one transaction, in the order given. */
static void test_turns(void **state)
{
    (void)state;
    for (size_t i = 0; insert_methods[i] != NULL; i++) {
        struct trial trial;
        start(&trial, insert_methods[i], remove_methods[i], SETTINGS("row.indexes", "1"));
        struct adapter_conn *conn = trial_connect(&trial, 0);
        expect_ok(&trial, trial.ops->begin(conn, &trial.why));
        for (int turn = 0; turn < 3; turn++) {
            expect_ok(&trial, do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 1200,
                                      &trial.why));
            expect_ok(&trial, do_rows(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 0, 1200,
                                      &trial.why));
        }
        expect_ok(&trial,
                  do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 7, &trial.why));
        expect_ok(&trial, execute(&trial, conn, &trial.why));
        expect_ok(&trial, trial.ops->commit(conn, &trial.why));
        assert_int_equal(trial_rows(&trial), 7);
        stop(&trial, conn);
    }
}

/* One row a commit: one statement, carried out by commit(). */
static void test_single_call(void **state)
{
    static const uint64_t none[] = {77};
    struct trial trial;
    (void)state;
    start(&trial, "statement", "statement", SETTINGS("workload.rows_per_commit", "1"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    PGconn *handle = ((struct postgres_conn *)conn)->handle;
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    expect_ok(&trial, do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 1, &trial.why));
    expect_ok(&trial, execute(&trial, conn, &trial.why));
    assert_int_equal(PQtransactionStatus(handle), PQTRANS_IDLE);
    assert_int_equal(trial_rows(&trial), 0);
    expect_ok(&trial, trial.ops->commit(conn, &trial.why));
    assert_int_equal(PQtransactionStatus(handle), PQTRANS_IDLE);
    assert_int_equal(trial_rows(&trial), 1);
    /* Given up before commit: it was never sent. */
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    expect_ok(&trial, do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 1, 2, &trial.why));
    expect_ok(&trial, trial.ops->rollback(conn, &trial.why));
    assert_int_equal(trial_rows(&trial), 1);
    /* More than a row, or two kinds: a transaction all the same. */
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 1, 4);
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    expect_ok(&trial, do_rows(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 0, 1, &trial.why));
    expect_ok(&trial, do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 1, &trial.why));
    expect_ok(&trial, trial.ops->commit(conn, &trial.why));
    assert_int_equal(trial_rows(&trial), 4);
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    expect_ok(&trial, remove_ids(&trial, conn, none, 1));
    expect_ok(&trial, execute(&trial, conn, &trial.why));
    expect_no_row(&trial, conn, trial.ops->commit(conn, &trial.why), 77);
    transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 0, 1);
    assert_int_equal(trial_rows(&trial), 3);
    stop(&trial, conn);
}

static void test_upsert_and_erase(void **state)
{
    (void)state;
    for (size_t i = 0; insert_methods[i] != NULL; i++) {
        struct trial trial;
        bool there[4] = {false, true, false, true};
        start(&trial, insert_methods[i], remove_methods[i], SETTINGS("row.indexes", "3"));
        struct adapter_conn *conn = trial_connect(&trial, 0);
        struct row_batch *rows = row_batch_create(&trial.load->shape, 0);
        struct row_batch *keys = row_batch_create(&trial.load->shape, 0);
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 2);
        row_batch_add(rows, &trial.load->shape, 1);
        row_batch_add(rows, &trial.load->shape, 2);
        row_batch_add(rows, &trial.load->shape, 1);
        rows->payloads[0] ^= 1; /* the last one of an id counts */
        expect_ok(&trial, trial.ops->begin(conn, &trial.why));
        expect_ok(&trial, trial.ops->upsert(conn, rows, &trial.why));
        expect_ok(&trial, execute(&trial, conn, &trial.why));
        expect_ok(&trial, trial.ops->commit(conn, &trial.why));
        assert_int_equal(trial_rows(&trial), 3);
        for (uint64_t sequence = 1; sequence < 5; sequence++)
            row_batch_add_id(keys, sequence % 4);
        expect_ok(&trial, trial.ops->begin(conn, &trial.why));
        expect_ok(&trial, trial.ops->erase(conn, keys, there, &trial.why));
        assert_true(there[0] && there[1] && !there[2] && there[3]);
        assert_int_equal(trial_rows(&trial), 3);
        expect_ok(&trial, trial.ops->commit(conn, &trial.why));
        assert_int_equal(trial_rows(&trial), 0);
        row_batch_destroy(rows);
        row_batch_destroy(keys);
        stop(&trial, conn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),       cmocka_unit_test(test_payloads),
        cmocka_unit_test(test_missing),     cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_rollback),    cmocka_unit_test(test_turns),
        cmocka_unit_test(test_single_call), cmocka_unit_test(test_upsert_and_erase),
    };
    struct server server;
    if (!server_can_run())
        return 77;
    server_start(&server);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    server_stop(&server);
    return failed;
}
