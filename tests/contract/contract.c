/* One suite for every engine of the registry, and for each inside the fault decorator. */
#include "contract/support.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"

/* What runs now: set by main, read by the tests. */
static const char *engine;
static const char *inner; /* NULL unless engine is fault */

static bool has(uint32_t cap)
{
    const char *name = inner != NULL ? inner : engine;
    return (adapter_find(name)->caps & cap) != 0;
}

/* Settings of a test, with fault.inner where needed. */
struct settings {
    const char *pairs[32];
};

static struct settings with(const char *const *pairs)
{
    struct settings out = {.pairs = {"fault.inner", inner != NULL ? inner : "sqlite"}};
    size_t at = 2;
    for (; *pairs != NULL; pairs++)
        out.pairs[at++] = *pairs;
    return out;
}
#define WITH(...) with((const char *const[]){__VA_ARGS__, NULL}).pairs

static void start(struct trial *trial, const char *name, const char *const *settings)
{
    trial_init(trial, engine, name, settings);
    trial_open(trial);
}

static void test_shape(void **state)
{
    (void)state;
    const struct adapter *ops = adapter_find(engine);
    assert_non_null(ops);
    assert_string_equal(ops->name, engine);
    assert_true(strlen(ops->summary) > 0);
    assert_true(ops->forecast && ops->paths && ops->open && ops->facts && ops->create);
    assert_true(ops->settle && ops->stats && ops->scan && ops->integrity && ops->destroy);
    assert_true(ops->close && ops->lock_domain && ops->observe && ops->connect && ops->begin);
    assert_true(ops->insert && ops->remove && ops->commit && ops->rollback);
    assert_true(ops->disconnect && ops->interrupt);
    for (const struct key *key = ops->options; key != NULL && key->name != NULL; key++) {
        assert_memory_equal(key->name, engine, strlen(engine));
        assert_int_equal(key->name[strlen(engine)], '.');
        assert_non_null(key->help);
        struct err err = {.kind = ERR_NONE};
        if (key_check(key, key->fallback, &err) != 0)
            fail_msg("%s: %s", key->name, err.text);
    }
    assert_null(adapter_find("nothing"));
}

static void test_forecast_and_facts(void **state)
{
    struct trial trial;
    struct adapter_forecast forecast;
    struct wanted path = {.name = ""}, version = {.name = "version"};
    struct adapter_sink sink = wanted_sink(&path);
    (void)state;
    start(&trial, "t0001", WITH("workload.rows", "1000", "workload.streams", "2"));
    expect_ok(&trial, trial.ops->forecast(&trial.config, &forecast, &trial.why));
    if (has(ADAPTER_KEEPS_ROWS)) {
        assert_true(forecast.write_bytes[PHASE_INSERT] > 1000 * 116);
        assert_true(forecast.space_bytes > 1000 * 116);
        assert_true(forecast.commit_flushes);
    } else {
        assert_true(forecast.write_bytes[PHASE_INSERT] == 0);
    }
    expect_ok(&trial, trial.ops->paths(&trial.config, &sink, &trial.why));
    assert_int_equal(path.times, has(ADAPTER_LOCAL_FILES) ? 1 : 0);
    if (path.times > 0)
        assert_string_equal(path.text, trial.directory);
    sink = wanted_sink(&version);
    expect_ok(&trial, trial.ops->facts(trial.db, &sink, &trial.why));
    assert_int_equal(version.times, 1);
    for (unsigned stream = 0; stream < 2; stream++)
        assert_in_range(trial.ops->lock_domain(trial.db, stream) + 1, 0, 2);
    trial_close(&trial);
}

enum { ROWS = 700 }; /* more than one batch */

static uint64_t rows_now(struct trial *trial)
{
    uint64_t rows = trial_rows(trial);
    expect_sound(trial);
    expect_ok(trial, trial->ops->settle(trial->db, &trial->why));
    return has(ADAPTER_KEEPS_ROWS) ? rows : rows + UINT64_MAX;
}

/* Two cycles of insert and delete by all streams, verified after each phase. */
static void life(const char *layout, const char *files, enum order_kind in, enum order_kind out)
{
    struct trial trial;
    enum { STREAMS = 4 };
    struct adapter_conn *conns[STREAMS];
    start(&trial, "t0001",
          WITH("workload.rows", "700", "workload.streams", "4", "workload.layout", layout,
               "workload.files", files, "row.indexes", "2"));
    for (unsigned stream = 0; stream < STREAMS; stream++)
        conns[stream] = trial_connect(&trial, stream);
    for (uint64_t cycle = 0; cycle < 2; cycle++) {
        uint64_t base = cycle * ROWS;
        for (unsigned stream = 0; stream < STREAMS; stream++)
            for (uint64_t from = 0; from < ROWS; from += ROWS / 2)
                transact(&trial, conns[stream], stream, WORK_INSERT, in, base, from,
                         from + ROWS / 2);
        if (has(ADAPTER_KEEPS_ROWS))
            assert_int_equal(rows_now(&trial), STREAMS * ROWS);
        for (unsigned stream = 0; stream < STREAMS; stream++)
            transact(&trial, conns[stream], stream, WORK_REMOVE, out, base, 0, ROWS / 2);
        if (has(ADAPTER_KEEPS_ROWS))
            assert_int_equal(rows_now(&trial), STREAMS * ROWS / 2);
        for (unsigned stream = 0; stream < STREAMS; stream++)
            transact(&trial, conns[stream], stream, WORK_REMOVE, out, base, ROWS / 2, ROWS);
        assert_int_equal(trial_rows(&trial), 0);
    }
    for (unsigned stream = 0; stream < STREAMS; stream++)
        trial.ops->disconnect(conns[stream]);
    trial_close(&trial);
}

static void test_life_shared_table(void **state)
{
    (void)state;
    life("shared-table", "1", ORDER_ASCENDING, ORDER_ASCENDING);
    life("shared-table", "2", ORDER_RANDOM, ORDER_DESCENDING);
}

static void test_life_table_per_stream(void **state)
{
    (void)state;
    life("table-per-stream", "1", ORDER_ASCENDING, ORDER_RANDOM);
    life("table-per-stream", "2", ORDER_RANDOM, ORDER_ASCENDING);
}

static void test_life_file_per_stream(void **state)
{
    (void)state;
    life("file-per-stream", "1", ORDER_ASCENDING, ORDER_DESCENDING);
    life("file-per-stream", "1", ORDER_RANDOM, ORDER_RANDOM);
}

/* Sequences of two cycles at once: the newest half of one, the oldest of the next. */
static void test_rows_of_two_cycles(void **state)
{
    struct trial trial;
    (void)state;
    if (!has(ADAPTER_KEEPS_ROWS))
        return;
    start(&trial, "t0001", WITH("workload.rows", "700"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, ROWS);
    transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 0, 300);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, ROWS, 0, 250);
    assert_int_equal(rows_now(&trial), ROWS - 50);
    struct found found = trial_scan(&trial, 0, 10);
    assert_int_equal(found.rows, 10); /* stopped by the visitor */
    assert_int_equal(found.last_id, row_id(0, 309));
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_row_shapes(void **state)
{
    static const char *const payloads[] = {"0", "1", "100", "5000", "40000"};
    (void)state;
    for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
        struct trial trial;
        start(&trial, "t0001",
              WITH("workload.rows", "60", "row.payload", payloads[i], "row.compressible", "50%"));
        struct adapter_conn *conn = trial_connect(&trial, 0);
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 60);
        if (has(ADAPTER_KEEPS_ROWS))
            assert_int_equal(rows_now(&trial), 60);
        transact(&trial, conn, 0, WORK_REMOVE, ORDER_DESCENDING, 0, 0, 60);
        assert_int_equal(trial_rows(&trial), 0);
        trial.ops->disconnect(conn);
        trial_close(&trial);
    }
}

static void test_rollback(void **state)
{
    struct trial trial;
    (void)state;
    start(&trial, "t0001", WITH("workload.rows", "700"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    expect_ok(&trial, trial.ops->rollback(conn, &trial.why)); /* nothing is open */
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 100);
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    expect_ok(&trial,
              do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 100, 150, &trial.why));
    expect_ok(&trial, do_rows(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 0, 20, &trial.why));
    expect_ok(&trial, trial.ops->rollback(conn, &trial.why));
    if (has(ADAPTER_ROLLBACK))
        assert_int_equal(rows_now(&trial), 100);
    expect_ok(&trial, trial.ops->begin(conn, &trial.why)); /* ready for the next */
    expect_ok(&trial, trial.ops->commit(conn, &trial.why));
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_missing_id(void **state)
{
    struct trial trial;
    char id[32];
    (void)state;
    if (!has(ADAPTER_KEEPS_ROWS))
        return;
    start(&trial, "t0001", WITH("workload.rows", "700"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 10);
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    assert_int_equal(do_rows(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 5, 15, &trial.why),
                     OP_FATAL);
    snprintf(id, sizeof id, "%lld", (long long)row_id(0, 10));
    assert_non_null(strstr(trial.why.text, id));
    assert_non_null(strstr(trial.why.text, trial.directory));
    expect_ok(&trial, trial.ops->rollback(conn, &trial.why));
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_odd_paths(void **state)
{
    static const char *const names[] = {
        "h#x", "a?b", "%41", " two  blanks ", "日本語", "c:d", "file:x?mode=ro", "q'u\"o", "%s%n"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trial trial;
        start(&trial, names[i], WITH("workload.rows", "20"));
        assert_int_equal(directory_entries(trial.root), 1);
        assert_true(directory_entries(trial.directory) > 0 || !has(ADAPTER_LOCAL_FILES));
        struct adapter_conn *conn = trial_connect(&trial, 0);
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 20);
        if (has(ADAPTER_KEEPS_ROWS))
            assert_int_equal(rows_now(&trial), 20);
        trial.ops->disconnect(conn);
        trial_close(&trial);
    }
}

/* A file of somebody else is neither used nor removed; what create() made until then is. */
static void test_create_half_way(void **state)
{
    struct trial trial;
    (void)state;
    if (!has(ADAPTER_LOCAL_FILES))
        return;
    trial_init(
        &trial, engine, "t0001",
        WITH("workload.rows", "20", "workload.streams", "3", "workload.layout", "file-per-stream"));
    bool slots = strcmp(inner != NULL ? inner : engine, "fsync") == 0;
    char *path = fs_path("%s/s0001.%s", trial.directory, slots ? "dat" : "db");
    FILE *file = fopen(path, "w");
    fputs("not ours", file);
    fclose(file);
    expect_ok(&trial, trial.ops->open(&trial.config, &trial.db, &trial.why));
    assert_int_equal(trial.ops->create(trial.db, &trial.why), OP_FATAL);
    assert_non_null(strstr(trial.why.text, path));
    assert_true(directory_entries(trial.directory) > 1);
    expect_ok(&trial, trial.ops->destroy(trial.db, &trial.why));
    assert_int_equal(directory_entries(trial.directory), 1);
    assert_int_equal(unlink(path), 0);
    free(path);
    trial_close(&trial);
}

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
    for (unsigned round = 0; round < 50; round++) {
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

static void test_observe(void **state)
{
    struct trial trial;
    struct wanted wanted = {.name = "wal_bytes"};
    struct adapter_sink sink = wanted_sink(&wanted);
    (void)state;
    start(&trial, "t0001", WITH("workload.rows", "200"));
    trial.ops->observe(trial.db, &sink);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 200);
    trial.ops->observe(trial.db, &sink);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_forecast_and_facts),
        cmocka_unit_test(test_life_shared_table),
        cmocka_unit_test(test_life_table_per_stream),
        cmocka_unit_test(test_life_file_per_stream),
        cmocka_unit_test(test_rows_of_two_cycles),
        cmocka_unit_test(test_row_shapes),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_missing_id),
        cmocka_unit_test(test_odd_paths),
        cmocka_unit_test(test_create_half_way),
        cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_observe),
    };
    int failed = 0;
    for (const struct adapter *const *each = adapter_registry; *each != NULL; each++) {
        if (((*each)->caps & ADAPTER_HIDDEN) != 0)
            continue;
        engine = (*each)->name;
        inner = NULL;
        failed += cmocka_run_group_tests_name(engine, tests, NULL, NULL);
        inner = engine;
        engine = "fault";
        char group[64];
        snprintf(group, sizeof group, "fault around %s", inner);
        failed += cmocka_run_group_tests_name(group, tests, NULL, NULL);
    }
    return failed == 0 ? 0 : 1;
}
