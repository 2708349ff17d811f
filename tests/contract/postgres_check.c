/* What looks at whole tables in PostgreSQL: settle, maintenance between phases, scan, and the
 * server's own check. */
#include "contract/looks.h"

#include "base/clock.h"

static const char *const plain[] = {"workload.rows", "3000", "row.indexes", "1", NULL};

static void open_trial(struct trial *trial, const char *const *settings)
{
    trial_init(trial, "postgres", "t", settings);
    trial_open(trial);
}

static void fill(struct trial *trial, struct adapter_conn *conn, unsigned stream, uint64_t rows)
{
    transact(trial, conn, stream, WORK_INSERT, ORDER_ASCENDING, 0, 0, rows);
}

static void drop_rows(struct trial *trial, struct adapter_conn *conn, unsigned stream,
                      uint64_t rows)
{
    transact(trial, conn, stream, WORK_REMOVE, ORDER_ASCENDING, 0, 0, rows);
}

static double heap_bytes(struct trial *trial, PGconn *other, unsigned stream)
{
    char text[200];
    snprintf(text, sizeof text, "SELECT pg_relation_size('%s')",
             postgres_of(trial)->conns[stream].table);
    return other_number(other, text);
}

/* ---- scan ---- */

static void test_scan_stops_and_goes_on(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, plain);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    assert_int_equal(trial_scan(&trial, 0, 0).rows, 0);
    fill(&trial, conn, 0, 3000);
    struct found all = trial_scan(&trial, 0, 0);
    assert_int_equal(all.rows, 3000);
    assert_int_equal(all.wrong, 0);
    assert_int_equal(trial_scan(&trial, 0, 1).rows, 1);
    assert_int_equal(trial_scan(&trial, 0, 2999).rows, 2999);
    PGconn *other = other_connect(&trial, 0);
    /* The connections of scans are gone. */
    char text[200];
    snprintf(text, sizeof text,
             "SELECT count(*) FROM pg_stat_activity WHERE application_name = '%s_v'",
             postgres_of(&trial)->run);
    for (int i = 0; i < 200 && other_number(other, text) > 0; i++)
        clock_sleep_until(clock_now_ns() + 10 * NS_PER_MS);
    assert_true(other_number(other, text) == 0);
    PQfinish(other);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_scan_shows_what_is_wrong(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, plain);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    const char *table = postgres_of(&trial)->conns[0].table;
    char text[300];
    fill(&trial, conn, 0, 100);
    PGconn *other = other_connect(&trial, 0);
    snprintf(text, sizeof text,
             "ALTER TABLE %s ALTER payload DROP NOT NULL, ALTER k1 DROP NOT NULL", table);
    other_ask(other, text);
    snprintf(text, sizeof text, "UPDATE %s SET payload = NULL WHERE id = %lld", table,
             (long long)row_id(0, 5));
    other_ask(other, text);
    snprintf(text, sizeof text, "UPDATE %s SET k1 = NULL WHERE id = %lld", table,
             (long long)row_id(0, 6));
    other_ask(other, text);
    snprintf(text, sizeof text, "UPDATE %s SET stream = 1 WHERE id = %lld", table,
             (long long)row_id(0, 7));
    other_ask(other, text);
    struct found found = trial_scan(&trial, 0, 0);
    assert_int_equal(found.rows, 100);
    assert_int_equal(found.wrong, 3);
    /* A table of another shape is no table of ours. */
    snprintf(text, sizeof text, "ALTER TABLE %s ALTER k1 TYPE bigint", table);
    other_ask(other, text);
    struct row_visitor visitor = {.ctx = &found, .row = found_row};
    found.scratch = malloc(trial.load->shape.payload_bytes);
    found.last_id = 0;
    assert_int_equal(trial.ops->scan(trial.db, 0, &visitor, &trial.why), OP_FATAL);
    assert_non_null(strstr(trial.why.text, "8 bytes where 4"));
    free(found.scratch);
    PQfinish(other);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

/* ---- settle ---- */

static void test_settle_after_the_admin_was_lost(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, plain);
    struct told told[2];
    char text[200];
    PGconn *other = other_connect(&trial, 0);
    snprintf(text, sizeof text, "SELECT pg_terminate_backend(%d, 5000)",
             PQbackendPID(postgres_of(&trial)->admin));
    look(&trial, told);
    assert_string_equal(other_ask(other, text).text, "t");
    look(&trial, told);
    PQfinish(other);
    trial_close(&trial);
}

static void test_stop_ends_a_settle(void **state)
{
    (void)state;
    volatile int stop = 0;
    struct trial trial;
    open_trial(&trial, plain);
    trial.config.stop = &stop;
    stop = 1;
    int64_t begin_ns = clock_now_ns();
    assert_int_equal(trial.ops->settle(trial.db, &trial.why), OP_BUSY);
    assert_true(clock_now_ns() - begin_ns < NS_PER_S);
    stop = 0;
    expect_ok(&trial, trial.ops->settle(trial.db, &trial.why));
    trial_close(&trial);
}

/* ---- maintenance ---- */

static void test_empty_tables_are_truncated(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "workload.rows",    "3000", "workload.streams", "2", "workload.layout",
        "table-per-stream", NULL};
    struct trial trial;
    open_trial(&trial, settings);
    struct told told[2];
    struct adapter_conn *one = trial_connect(&trial, 0), *two = trial_connect(&trial, 1);
    PGconn *other = other_connect(&trial, 0);
    trial_maintain(&trial, PHASE_INSERT);
    fill(&trial, one, 0, 3000);
    fill(&trial, two, 1, 3000);
    look(&trial, told);
    trial_maintain(&trial, PHASE_DELETE); /* nothing to do */
    drop_rows(&trial, one, 0, 3000);
    drop_rows(&trial, two, 1, 1000);
    look(&trial, told);
    double before = heap_bytes(&trial, other, 1);
    assert_true(heap_bytes(&trial, other, 0) > 300000);
    trial_maintain(&trial, PHASE_DELETE);
    assert_true(heap_bytes(&trial, other, 0) > 300000);
    trial_maintain(&trial, PHASE_INSERT);
    assert_true(heap_bytes(&trial, other, 0) == 0);
    assert_true(heap_bytes(&trial, other, 1) == before); /* its pages are for use again */
    look(&trial, told);
    assert_true(told_value(told, "dead_rows") == 0);
    assert_true(told_value(told, "live_rows") == 2000);
    assert_true(told_value(told, "vacuums") == 1);
    assert_int_equal(trial_rows(&trial), 2000);
    /* The streams' statements still work. */
    fill(&trial, one, 0, 3000);
    assert_int_equal(trial_rows(&trial), 5000);
    expect_sound(&trial);
    PQfinish(other);
    trial.ops->disconnect(one);
    trial.ops->disconnect(two);
    trial_close(&trial);
}

static void check_policy(const char *policy, double vacuums, double dead)
{
    const char *const settings[] = {"workload.rows",
                                    "3000",
                                    "workload.streams",
                                    "2",
                                    "workload.layout",
                                    "file-per-stream",
                                    "postgres.vacuum",
                                    policy,
                                    NULL};
    struct trial trial;
    open_trial(&trial, settings);
    struct told told[2];
    struct adapter_conn *conns[2] = {trial_connect(&trial, 0), trial_connect(&trial, 1)};
    look(&trial, told);
    trial_maintain(&trial, PHASE_INSERT);
    for (unsigned i = 0; i < 2; i++) {
        fill(&trial, conns[i], i, 1000);
        drop_rows(&trial, conns[i], i, 500);
    }
    look(&trial, told);
    assert_true(told_value(told, "dead_rows") == 1000);
    trial_maintain(&trial, PHASE_DELETE);
    look(&trial, told);
    assert_true(told_value(told, "vacuums") == vacuums);
    assert_true(told_value(told, "dead_rows") == dead);
    assert_int_equal(trial_rows(&trial), 1000);
    trial.ops->disconnect(conns[0]);
    trial.ops->disconnect(conns[1]);
    trial_close(&trial);
}

static void test_policies(void **state)
{
    (void)state;
    check_policy("on", 2, 0);
    check_policy("off", 0, 1000);
    check_policy("auto", 0, 1000);
}

/* ---- the server's own check ---- */

/* A row that the primary key's index does not know. */
static void spoil_index(struct trial *trial, PGconn *other)
{
    const struct postgres_db *db = postgres_of(trial);
    char text[400];
    static const char ready[] =
        "UPDATE pg_index SET indisready = %s WHERE indrelid = '%s'::regclass AND indisprimary";
    snprintf(text, sizeof text, ready, "false", db->conns[0].table);
    other_ask(other, text);
    snprintf(text, sizeof text, "INSERT INTO %s SELECT %lld, stream, k1, payload FROM %s LIMIT 1",
             db->conns[0].table, (long long)row_id(0, 2999), db->conns[0].table);
    other_ask(other, text);
    snprintf(text, sizeof text, ready, "true", db->conns[0].table);
    other_ask(other, text);
}

static void test_integrity(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, plain);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    PGconn *other = other_connect(&trial, 0);
    struct postgres_db *db = postgres_of(&trial);
    bool ok = false;
    fill(&trial, conn, 0, 1000);
    for (int pass = 0; pass < 2; pass++) { /* by amcheck, then by counts */
        db->rights.superuser = pass == 0;
        expect_sound(&trial);
    }
    spoil_index(&trial, other);
    db->rights.superuser = true;
    expect_ok(&trial, trial.ops->integrity(trial.db, &ok, &trial.why));
    assert_false(ok);
    assert_non_null(strstr(trial.why.text, "rows_pkey"));
    ok = true;
    db->rights.superuser = false;
    expect_ok(&trial, trial.ops->integrity(trial.db, &ok, &trial.why));
    assert_false(ok);
    assert_non_null(strstr(trial.why.text, "1001 rows, and its index on id has 1000"));
    db->rights.superuser = true;
    /* Nothing of the check is left. */
    assert_string_equal(
        other_ask(other, "SELECT count(*) FROM pg_extension WHERE extname = 'amcheck'").text, "0");
    PQfinish(other);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan_stops_and_goes_on),
        cmocka_unit_test(test_scan_shows_what_is_wrong),
        cmocka_unit_test(test_settle_after_the_admin_was_lost),
        cmocka_unit_test(test_stop_ends_a_settle),
        cmocka_unit_test(test_empty_tables_are_truncated),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_integrity),
    };
    return server_can_run() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
