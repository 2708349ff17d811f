/* suite.h - the one suite of every engine, and of each inside the fault decorator.
 *
 * A program includes it once and calls suite_run() for each of its engines. */
#ifndef TESTS_CONTRACT_SUITE_H
#define TESTS_CONTRACT_SUITE_H

#include "contract/suite_base.h"
#include "contract/suite_threads.h"

static void test_shape(void **state)
{
    (void)state;
    const struct adapter *ops = adapter_find(engine);
    assert_non_null(ops);
    assert_string_equal(ops->scheme != NULL ? ops->scheme : ops->name, engine);
    assert_true(strlen(ops->summary) > 0);
    assert_true(ops->forecast && ops->paths && ops->open && ops->facts && ops->create);
    assert_true(ops->settle && ops->stats && ops->scan && ops->integrity && ops->destroy);
    assert_true(ops->close && ops->lock_domain && ops->observe && ops->connect && ops->begin);
    assert_true(ops->insert && ops->remove && ops->commit && ops->rollback);
    assert_true(ops->disconnect && ops->interrupt);
    for (const struct key *key = ops->options; key != NULL && key->name != NULL; key++) {
        assert_memory_equal(key->name, ops->name, strlen(ops->name));
        assert_int_equal(key->name[strlen(ops->name)], '.');
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
    if (has(ADAPTER_LOCAL_FILES)) {
        assert_int_equal(path.times, 1);
        assert_string_equal(path.text, trial.directory);
    } else if (!has(ADAPTER_KEEPS_ROWS)) {
        assert_int_equal(path.times, 0); /* a server may tell of its own */
    }
    sink = wanted_sink(&version);
    expect_ok(&trial, trial.ops->facts(trial.db, &sink, &trial.why));
    assert_int_equal(version.times, 1);
    for (unsigned stream = 0; stream < 2; stream++)
        assert_in_range(trial.ops->lock_domain(trial.db, stream) + 1, 0, 2);
    trial_close(&trial);
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
        trial_maintain(&trial, PHASE_INSERT);
        for (unsigned stream = 0; stream < STREAMS; stream++)
            for (uint64_t from = 0; from < ROWS; from += ROWS / 2)
                transact(&trial, conns[stream], stream, WORK_INSERT, in, base, from,
                         from + ROWS / 2);
        if (has(ADAPTER_KEEPS_ROWS))
            assert_int_equal(rows_now(&trial), STREAMS * ROWS);
        trial_maintain(&trial, PHASE_DELETE);
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
    if (!is_server())
        life("shared-table", "2", ORDER_RANDOM, ORDER_DESCENDING);
}

static void test_life_table_per_stream(void **state)
{
    (void)state;
    life("table-per-stream", is_server() ? "2" : "1", ORDER_ASCENDING, ORDER_RANDOM);
    if (!is_server())
        life("table-per-stream", "2", ORDER_RANDOM, ORDER_ASCENDING);
}

static void test_life_file_per_stream(void **state)
{
    (void)state;
    life("file-per-stream", "1", ORDER_ASCENDING, ORDER_DESCENDING);
    if (!is_server())
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
    static const char *const payloads[] = {"40000", "0", "1", "100", "5000"};
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
    enum op_status status =
        do_rows(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 5, 15, &trial.why);
    if (status == OP_OK)
        status = execute(&trial, conn, &trial.why);
    assert_int_equal(status, OP_FATAL);
    snprintf(id, sizeof id, "%lld", (long long)row_id(0, 10));
    assert_non_null(strstr(trial.why.text, id));
    if (has(ADAPTER_LOCAL_FILES))
        assert_non_null(strstr(trial.why.text, trial.directory));
    expect_ok(&trial, trial.ops->rollback(conn, &trial.why));
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_odd_paths(void **state)
{
    static const char *const names[] = {" 日本語  q'u\"o$", "h#x",    "a?b", "%41",
                                        "two  blanks ",     "日本語", "c:d", "file:x?mode=ro",
                                        "q'u\"o",           "%s%n"};
    (void)state;
    for (size_t i = 0; i < (is_server() ? 1 : sizeof names / sizeof *names); i++) {
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

/* Rows that are there are replaced, by the last of a transaction; what was not there is told. */
static void test_upsert_and_erase(void **state)
{
    struct trial trial;
    struct row_batch *batch;
    bool there[40];
    (void)state;
    if (adapter_find(inner != NULL ? inner : engine)->upsert == NULL)
        return;
    start(&trial, "t0001",
          WITH("workload.phases", "mixed", "row.keys", "overlapping", "workload.layout",
               "shared-table", "workload.rows", "700", "workload.rows_per_commit", "40",
               "row.common_keys", "40"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    batch = row_batch_create(&trial.load->shape, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 20);
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    for (uint64_t row = 10; row < 30; row++)
        row_batch_add(batch, &trial.load->shape, row);
    for (size_t row = 0; row < batch->count; row++)
        batch->payloads[row * batch->payload_bytes] ^= 0x40;
    expect_ok(&trial, trial.ops->upsert(conn, batch, &trial.why)); /* all wrong */
    for (size_t row = 5; row < batch->count; row++)
        batch->payloads[row * batch->payload_bytes] ^= 0x40;
    expect_ok(&trial, trial.ops->upsert(conn, batch, &trial.why)); /* five are left wrong */
    expect_ok(&trial, execute(&trial, conn, &trial.why));
    expect_ok(&trial, trial.ops->commit(conn, &trial.why));
    struct found found = trial_scan(&trial, 0, 0);
    assert_int_equal(found.rows, 30);
    assert_int_equal(found.wrong, 5);
    for (int undone = 1; undone >= 0; undone--) { /* first rolled back, then for good */
        batch->count = 0;
        for (uint64_t row = 40; row > 10; row -= 2) /* 40, 38, ... 12 */
            row_batch_add_id(batch, row);
        expect_ok(&trial, trial.ops->begin(conn, &trial.why));
        expect_ok(&trial, trial.ops->erase(conn, batch, there, &trial.why));
        for (size_t i = 0; i < batch->count; i++)
            assert_int_equal(there[i], 40 - 2 * i < 30);
        expect_ok(&trial, execute(&trial, conn, &trial.why));
        expect_ok(&trial, undone ? trial.ops->rollback(conn, &trial.why)
                                 : trial.ops->commit(conn, &trial.why));
        assert_int_equal(trial_scan(&trial, 0, 0).rows, undone ? 30 : 21);
    }
    row_batch_destroy(batch);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

/* A stopped run: nothing that takes long is begun, and nothing is left. */
static void stopped(const char *layout)
{
    struct trial trial;
    volatile int stop = 0;
    trial_init(&trial, engine, "t0001",
               WITH("workload.rows", "700", "workload.streams", "2", "workload.layout", layout));
    trial.config.stop = &stop;
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 1);
    transact(&trial, conn, 1, WORK_INSERT, ORDER_ASCENDING, 0, 0, 700);
    stop = 1;
    int64_t start_ns = clock_now_ns();
    (void)trial.ops->settle(trial.db, &trial.why);
    trial.ops->disconnect(conn);
    trial_close(&trial);
    assert_true(clock_now_ns() - start_ns < 10 * NS_PER_S); /* 2 s, on a machine that has time */
}

static void test_stopped(void **state)
{
    (void)state;
    stopped("table-per-stream");
    stopped("file-per-stream");
}

/* The suite on one engine, or on the fault decorator with that engine inside. */
enum suite_place { SUITE_ALONE, SUITE_IN_FAULT };
static int suite_run(const char *scheme, enum suite_place place)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_life_shared_table),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_missing_id),
        cmocka_unit_test(test_upsert_and_erase),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_forecast_and_facts),
        cmocka_unit_test(test_life_table_per_stream),
        cmocka_unit_test(test_life_file_per_stream),
        cmocka_unit_test(test_rows_of_two_cycles),
        cmocka_unit_test(test_row_shapes),
        cmocka_unit_test(test_odd_paths),
        cmocka_unit_test(test_create_half_way),
        cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_observe),
        cmocka_unit_test(test_stopped),
    };
    char group[64];
    snprintf(group, sizeof group, "%s%s", place == SUITE_IN_FAULT ? "fault around " : "", scheme);
    engine = place == SUITE_IN_FAULT ? "fault" : scheme;
    inner = place == SUITE_IN_FAULT ? scheme : NULL;
    if (is_server() && place == SUITE_IN_FAULT) {
        static const struct CMUnitTest passed_on[] = {
            cmocka_unit_test(test_life_shared_table),
            cmocka_unit_test(test_upsert_and_erase),
        };
        return cmocka_run_group_tests_name(group, passed_on, NULL, NULL);
    }
    if (is_slow()) { /* what depends on whose server it is: its twin does the rest */
        static const struct CMUnitTest own[] = {
            cmocka_unit_test(test_shape),
            cmocka_unit_test(test_life_shared_table),
            cmocka_unit_test(test_forecast_and_facts),
            cmocka_unit_test(test_life_file_per_stream),
            cmocka_unit_test(test_odd_paths),
            cmocka_unit_test(test_stopped),
        };
        return cmocka_run_group_tests_name(group, own, NULL, NULL);
    }
    return cmocka_run_group_tests_name(group, tests, NULL, NULL);
}

#endif
