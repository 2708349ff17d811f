/* What PostgreSQL says of itself: facts, and counters with known answers. */
#include "contract/looks.h"

#include "base/clock.h"

#define POSITION "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"

static const char *const one_by_one[] = {"workload.rows",
                                         "1000",
                                         "workload.streams",
                                         "2",
                                         "workload.layout",
                                         "shared-table",
                                         "row.indexes",
                                         "1",
                                         "postgres.insert_method",
                                         "statement",
                                         "postgres.delete_method",
                                         "statement",
                                         NULL};

static void test_rows_and_commits(void **state)
{
    (void)state;
    struct trial trial;
    struct told first[2], second[2], third[2];
    trial_init(&trial, "postgres", "t", one_by_one);
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    struct adapter_conn *idle = trial_connect(&trial, 1);
    PGconn *other = other_connect(&trial, 0);

    double before_low = other_number(other, POSITION);
    look(&trial, first);
    double before_high = other_number(other, POSITION);
    for (uint64_t i = 0; i < 10; i++)
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 50 * i, 50 * i + 50);
    double after_low = other_number(other, POSITION);
    look(&trial, second);
    double after_high = other_number(other, POSITION);

    assert_true(rise(first, second, "rows_inserted") == 500);
    assert_true(rise(first, second, "rows_deleted") == 0);
    assert_true(rise(first, second, "wal_bytes") >= after_low - before_high);
    assert_true(rise(first, second, "wal_bytes") <= after_high - before_low);
    assert_true(rise(first, second, "wal_records") >= 1500); /* heap and two indexes */
    /* Ours, and the few that look. */
    assert_true(rise(first, second, "server_commits") >= 10);
    assert_true(rise(first, second, "server_commits") <= 60);
    assert_true(rise(first, second, "wal_sync_count") >= 10);
    assert_true(rise(first, second, "deadlocks") == 0);
    assert_true(told_value(second, "live_rows") == 500);
    assert_true(told_value(second, "dead_rows") == 0);
    assert_true(told_value(second, "heap_bytes") >= 500 * 100);
    assert_true(told_value(second, "index_bytes") >= 2 * 8192);
    assert_true(isnan(told_value(second, "wal_sync_ms"))); /* nobody took the time */

    for (uint64_t i = 0; i < 4; i++)
        transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 50 * i, 50 * i + 50);
    look(&trial, third);
    assert_true(rise(second, third, "rows_deleted") == 200);
    assert_true(told_value(third, "live_rows") == 300);
    assert_true(told_value(third, "dead_rows") == 200);
    assert_true(rise(second, third, "autovacuums") == 0);

    PQfinish(other);
    trial.ops->disconnect(conn);
    trial.ops->disconnect(idle);
    trial_close(&trial);
}

/* A checkpoint of ours is none of the phase's; anybody else's is. */
static void test_checkpoints(void **state)
{
    (void)state;
    struct trial trial;
    struct told first[2], second[2], third[2];
    trial_init(&trial, "postgres", "t", one_by_one);
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    look(&trial, first);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 200);
    look(&trial, second);
    assert_true(rise(first, second, "checkpoints") == 0);
    assert_true(rise(first, second, "checkpoints_requested") == 0);
    assert_true(rise(first, second, "checkpoint_buffers") > 0); /* settled */

    PGconn *other = other_connect(&trial, 0);
    double count = other_number(other, "SELECT checkpoints_req FROM pg_stat_bgwriter");
    other_ask(other, "CHECKPOINT");
    for (int i = 0;
         i < 200 && other_number(other, "SELECT checkpoints_req FROM pg_stat_bgwriter") < count + 1;
         i++)
        clock_sleep_until(clock_now_ns() + 5 * NS_PER_MS);
    look(&trial, third);
    assert_true(rise(second, third, "checkpoints_requested") == 1);
    assert_true(rise(second, third, "checkpoints") == 1);
    PQfinish(other);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_deadlock(void **state)
{
    (void)state;
    struct trial trial;
    struct told first[2], second[2];
    char text[200];
    trial_init(&trial, "postgres", "t", one_by_one);
    trial_open(&trial);
    const char *table = postgres_of(&trial)->conns[0].table;
    struct adapter_conn *conn = trial_connect(&trial, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 2);
    look(&trial, first);
    PGconn *one = other_connect(&trial, 0), *two = other_connect(&trial, 0);
    static const char update[] = "UPDATE %s SET k1 = 1 WHERE id = %lld";
    other_ask(one, "SET deadlock_timeout = '20ms'");
    other_ask(two, "SET deadlock_timeout = '20ms'");
    other_ask(one, "BEGIN");
    other_ask(two, "BEGIN");
    snprintf(text, sizeof text, update, table, (long long)row_id(0, 0));
    other_ask(one, text);
    snprintf(text, sizeof text, update, table, (long long)row_id(0, 1));
    other_ask(two, text);
    assert_int_equal(PQsendQuery(one, text), 1);
    snprintf(text, sizeof text, update, table, (long long)row_id(0, 0));
    PQclear(PQexec(two, text)); /* one of the two is the victim */
    PQclear(PQgetResult(one));
    PQfinish(one); /* and reports what it counted */
    PQfinish(two);
    for (int i = 0; i < 100; i++) {
        look(&trial, second);
        if (rise(first, second, "deadlocks") > 0)
            break;
        clock_sleep_until(clock_now_ns() + 20 * NS_PER_MS);
    }
    assert_true(rise(first, second, "deadlocks") == 1);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_reset_of_statistics(void **state)
{
    (void)state;
    struct trial trial;
    struct told before[2], after[2], later[2];
    trial_init(&trial, "postgres", "t", one_by_one);
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    look(&trial, before);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 300);
    look(&trial, before);
    PGconn *other = other_connect(&trial, 0);
    other_ask(other, "SELECT pg_stat_reset()");
    other_ask(other, "SELECT pg_stat_reset_shared('wal')");
    other_ask(other, "SELECT pg_stat_reset_shared('bgwriter')");
    look(&trial, after);
    for (size_t i = 0; i < after->count; i++)
        if (after->kinds[i] == METRIC_COUNTER && rise(before, after, after->names[i]) < 0)
            fail_msg("%s went back", after->names[i]);
    assert_true(rise(before, after, "rows_inserted") == 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 300, 310);
    look(&trial, later);
    assert_true(rise(after, later, "rows_inserted") == 10);
    assert_true(rise(after, later, "wal_records") >= 10);
    PQfinish(other);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

/* Databases of their own, and connections in pipeline mode that are borrowed to look. */
static void test_sums_over_databases(void **state)
{
    (void)state;
    static const char *const settings[] = {"workload.rows",
                                           "1000",
                                           "workload.streams",
                                           "3",
                                           "workload.layout",
                                           "file-per-stream",
                                           "postgres.insert_method",
                                           "pipeline",
                                           "postgres.delete_method",
                                           "pipeline",
                                           NULL};
    struct trial trial;
    struct told first[2], second[2];
    struct adapter_conn *conns[3];
    trial_init(&trial, "postgres", "t", settings);
    trial_open(&trial);
    for (unsigned i = 0; i < 3; i++)
        conns[i] = trial_connect(&trial, i);
    look(&trial, first);
    for (unsigned i = 0; i < 3; i++)
        transact(&trial, conns[i], i, WORK_INSERT, ORDER_ASCENDING, 0, 0, 100 * (i + 1));
    look(&trial, second);
    assert_true(rise(first, second, "rows_inserted") == 600);
    assert_true(told_value(second, "live_rows") == 600);
    for (unsigned i = 0; i < 3; i++)
        transact(&trial, conns[i], i, WORK_REMOVE, ORDER_ASCENDING, 0, 0, 10);
    /* Without the stream's connection. */
    trial.ops->disconnect(conns[2]);
    look(&trial, first);
    assert_true(rise(second, first, "rows_deleted") == 30);
    trial.ops->disconnect(conns[0]);
    trial.ops->disconnect(conns[1]);
    trial_close(&trial);
}

static void tell_facts(struct trial *trial, struct told *told)
{
    struct adapter_sink sink = {.ctx = told, .fact = told_fact};
    told->count = 0;
    expect_ok(trial, trial->ops->facts(trial->db, &sink, &trial->why));
}

static void open_only(struct trial *trial, const char *const *settings)
{
    trial_init(trial, "postgres", "t", settings);
    expect_ok(trial, trial->ops->open(&trial->config, &trial->db, &trial->why));
}

static void test_facts(void **state)
{
    (void)state;
    static const char *const slow[] = {"postgres.synchronous_commit", "off",
                                       "postgres.conf.full_page_writes", "off", NULL};
    static const char *const never[] = {"postgres.conf.fsync", "off", NULL};
    struct trial trial;
    struct told told;

    open_only(&trial, one_by_one);
    tell_facts(&trial, &told);
    assert_null(strchr(told_text(&told, "version"), ' '));
    assert_string_equal(told_text(&told, "fsync"), "on");
    assert_string_equal(told_text(&told, "synchronous_commit"), "on");
    assert_string_equal(told_text(&told, "data_checksums"), "on");
    assert_string_equal(told_text(&told, "block_size"), "8192");
    assert_string_equal(told_text(&told, "cluster"), "private");
    assert_string_equal(told_text(&told, "insert_method"), "statement");
    assert_string_equal(told_text(&told, "integrity_check"), "amcheck");
    assert_string_equal(told_text(&told, "settle"), "CHECKPOINT");
    assert_null(told_text(&told, "durability"));
    assert_null(told_text(&told, "torn_pages"));
    trial_close(&trial);

    open_only(&trial, slow);
    tell_facts(&trial, &told);
    assert_string_equal(told_text(&told, "synchronous_commit"), "off");
    assert_non_null(strstr(told_text(&told, "durability"), "synchronous_commit is off"));
    assert_non_null(strstr(told_text(&told, "durability"), "nothing is corrupted"));
    assert_non_null(strstr(told_text(&told, "torn_pages"), "full_page_writes is off"));
    trial_close(&trial);

    open_only(&trial, never);
    tell_facts(&trial, &told);
    assert_non_null(strstr(told_text(&told, "durability"), "fsync is off"));
    assert_non_null(strstr(told_text(&told, "durability"), "corrupt the cluster"));
    trial_close(&trial);
}

/* A role with no rights but to make a schema. */
static void test_role_without_rights(void **state)
{
    (void)state;
    struct server server;
    struct trial trial;
    struct told told[2];
    char *superuser, weak[600];
    bool ok = false;
    server_start(&server);
    superuser = server.conninfo;
    server_ask(superuser, "CREATE ROLE weak LOGIN");
    server_ask(superuser, "GRANT CREATE ON DATABASE postgres TO weak");
    snprintf(weak, sizeof weak, "%s user=weak", superuser);
    support_server = weak;
    trial_init(&trial, "postgresql", "t", one_by_one);
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    tell_facts(&trial, told);
    assert_string_equal(told_text(told, "cluster"), "server");
    assert_non_null(strstr(told_text(told, "settle"), "no CHECKPOINT"));
    assert_string_equal(told_text(told, "role"), "weak");
    assert_non_null(strstr(told_text(told, "integrity_check"), "counted"));
    look(&trial, told);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 100);
    look(&trial, told);
    assert_true(told_value(told, "rows_inserted") == 100);
    assert_true(told_value(told, "wal_bytes") > 0);
    expect_ok(&trial, trial.ops->integrity(trial.db, &ok, &trial.why));
    assert_true(ok);
    trial.ops->disconnect(conn);
    trial_close(&trial);
    server_stop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_and_commits),
        cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_reset_of_statistics),
        cmocka_unit_test(test_sums_over_databases),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_role_without_rights),
    };
    return server_can_run() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
