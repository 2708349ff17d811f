/* What is made on a server that runs already: marks, rights, and what clean does. */
#include "contract/place_support.h"

static void test_marks(void **state)
{
    struct trial trial;
    char sql[256];
    (void)state;
    begin(&trial, server.conninfo, SETTINGS("workload.streams", "3"));
    expect_clean();
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    const char *run = db_of(&trial)->run;
    assert_int_equal(strlen(run), 21);
    snprintf(sql, sizeof sql,
             "SELECT obj_description(oid, 'pg_namespace') ~ '^made by loadline at 20.*clean' "
             "FROM pg_namespace WHERE nspname = '%s'",
             run);
    ask_is(sql, "t");
    snprintf(sql, sizeof sql,
             "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class "
             "WHERE relnamespace = '%s'::regnamespace AND relkind = 'r'",
             run);
    ask_is(sql, "rows_0000 rows_0001 rows_0002");
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND "
             "classid::bigint << 32 | objid::bigint = x'%s'::bigint",
             run + 9);
    ask_is(sql, "1");
    trial_close(&trial);
    ask_is("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", "0");
    expect_clean();
}

static void test_databases(void **state)
{
    struct trial trial;
    (void)state;
    begin(&trial, server.conninfo,
          SETTINGS("workload.streams", "3", "workload.layout", "file-per-stream"));
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    ask_is("SELECT count(*) FROM pg_database WHERE datname ~ '^loadline_[0-9a-f]{12}_000[0-2]$' "
           "AND shobj_description(oid, 'pg_database') ~ '^made by loadline at '",
           "3");
    assert_string_equal(PQdb(db_of(&trial)->admin), db_of(&trial)->files[0].database);
    trial_close(&trial);
    expect_clean();
}

/* Without rights: what is missing is said, and what needs none works. */
static void test_plain_role(void **state)
{
    struct trial trial;
    (void)state;
    begin(&trial, plain, SETTINGS("workload.rows", "100"));
    expect_fatal(&trial, trial.ops->create(trial.db, &trial.why), "GRANT CREATE ON DATABASE");
    trial_close(&trial);
    begin(&trial, plain, SETTINGS("workload.streams", "2", "workload.layout", "file-per-stream"));
    expect_fatal(&trial, trial.ops->create(trial.db, &trial.why), "ALTER ROLE plain CREATEDB");
    trial_close(&trial);
    expect_clean();
    run_sql("GRANT CREATE ON DATABASE postgres TO plain");
    begin(&trial, plain, SETTINGS("workload.rows", "100"));
    assert_false(db_of(&trial)->rights.superuser);
    assert_false(db_of(&trial)->rights.checkpoint);
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 100);
    trial_maintain(&trial, PHASE_DELETE);
    expect_ok(&trial, trial.ops->settle(trial.db, &trial.why));
    struct wanted version = {.name = "version"};
    struct adapter_sink sink = wanted_sink(&version);
    expect_ok(&trial, trial.ops->facts(trial.db, &sink, &trial.why));
    expect_ok(&trial, trial.ops->stats(trial.db, &sink, &trial.why));
    assert_int_equal(trial_rows(&trial), 100);
    trial.ops->disconnect(conn);
    trial_close(&trial);
    run_sql("REVOKE CREATE ON DATABASE postgres FROM plain");
    expect_clean();
}

static void test_too_many_streams(void **state)
{
    struct trial trial;
    (void)state;
    trial_init(&trial, "postgresql", "t0001", SETTINGS("workload.streams", "500"));
    expect_fatal(&trial, trial.ops->open(&trial.config, &trial.db, &trial.why), "max_connections");
    assert_null(trial.db);
    trial_close(&trial);
    run_sql("ALTER ROLE plain CONNECTION LIMIT 3");
    trial_init(&trial, "postgresql", "t0001", SETTINGS("workload.streams", "4"));
    trial.config.target = plain;
    expect_fatal(&trial, trial.ops->open(&trial.config, &trial.db, &trial.why), "CONNECTION LIMIT");
    trial_close(&trial);
    run_sql("ALTER ROLE plain CONNECTION LIMIT -1");
}

/* What others put beside our tables stays, and is told. */
static void test_not_ours(void **state)
{
    struct trial trial;
    char sql[128];
    (void)state;
    begin(&trial, server.conninfo, SETTINGS("workload.rows", "100"));
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    snprintf(sql, sizeof sql, "CREATE TABLE %s.mine AS SELECT 42 AS answer", db_of(&trial)->run);
    run_sql(sql);
    expect_fatal(&trial, trial.ops->destroy(trial.db, &trial.why), "mine");
    snprintf(sql, sizeof sql, "SELECT answer FROM %s.mine", db_of(&trial)->run);
    ask_is(sql, "42");
    snprintf(sql, sizeof sql, "DROP TABLE %s.mine", db_of(&trial)->run);
    run_sql(sql);
    trial_close(&trial);
    expect_clean();
}

static void test_clean_of_a_live_run(void **state)
{
    struct trial trial;
    struct op_error why;
    unsigned removed = 99;
    (void)state;
    begin(&trial, server.conninfo,
          SETTINGS("workload.streams", "2", "workload.layout", "file-per-stream"));
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    assert_int_equal(clean(&why, &removed), OP_BUSY);
    assert_int_equal(removed, 0);
    assert_non_null(strstr(why.text, db_of(&trial)->run));
    ask_is("SELECT count(*) FROM pg_database WHERE datname ~ '^loadline'", "2");
    kill_run(&trial);
    expect_cleaned(2);
    expect_clean();
    expect_cleaned(0);
}

static void test_clean_of_a_schema(void **state)
{
    struct trial trial;
    struct op_error why;
    unsigned removed;
    char sql[160];
    (void)state;
    /* Not marked, or not of our names: not ours. */
    run_sql("CREATE SCHEMA loadline_0123456789ab");
    run_sql("CREATE SCHEMA other");
    run_sql("COMMENT ON SCHEMA other IS 'made by loadline at some time'");
    begin(&trial, server.conninfo, SETTINGS("workload.streams", "2"));
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    snprintf(sql, sizeof sql, "CREATE VIEW other.seen AS SELECT id FROM %s.rows_0001",
             db_of(&trial)->run);
    run_sql(sql);
    kill_run(&trial);
    assert_int_equal(clean(&why, &removed), OP_FATAL); /* somebody's view needs it */
    assert_int_equal(removed, 0);
    assert_non_null(strstr(why.text, "seen"));
    run_sql("DROP VIEW other.seen");
    expect_cleaned(1);
    ask_is("SELECT count(*) FROM pg_namespace WHERE nspname IN ('loadline_0123456789ab', 'other')",
           "2");
    run_sql("DROP SCHEMA loadline_0123456789ab");
    run_sql("DROP SCHEMA other");
    expect_clean();
}

/* Sessions of a killed run that still hold locks are ended, so that nothing waits for them. */
static void test_clean_ends_sessions(void **state)
{
    struct trial trial;
    char sql[160], conninfo[700];
    (void)state;
    begin(&trial, server.conninfo, SETTINGS("workload.rows", "100"));
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    snprintf(conninfo, sizeof conninfo, "%s application_name=%s_s0000", server.conninfo,
             db_of(&trial)->run);
    PGconn *stray = PQconnectdb(conninfo);
    snprintf(sql, sizeof sql, "BEGIN; LOCK TABLE %s.rows", db_of(&trial)->run);
    PQclear(PQexec(stray, sql));
    kill_run(&trial);
    int64_t start_ns = clock_now_ns();
    expect_cleaned(1);
    assert_true(clock_now_ns() - start_ns < 20 * NS_PER_S);
    PQfinish(stray);
    expect_clean();
}

static void test_lost_admin(void **state)
{
    struct trial trial;
    char sql[96];
    (void)state;
    begin(&trial, server.conninfo,
          SETTINGS("workload.streams", "2", "workload.layout", "file-per-stream"));
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    snprintf(sql, sizeof sql, "SELECT pg_terminate_backend(%d)",
             PQbackendPID(db_of(&trial)->admin));
    run_sql(sql);
    while (PQstatus(db_of(&trial)->admin) == CONNECTION_OK)
        PQclear(PQexec(db_of(&trial)->admin, "SELECT 1"));
    expect_ok(&trial, postgres_db_admin(db_of(&trial), &trial.why));
    assert_string_equal(PQdb(db_of(&trial)->admin), db_of(&trial)->files[0].database);
    ask_is("SELECT count(DISTINCT objid) FROM pg_locks WHERE locktype = 'advisory'", "1");
    /* The one that stayed at home, too. */
    snprintf(sql, sizeof sql, "SELECT pg_terminate_backend(%d)", PQbackendPID(db_of(&trial)->home));
    run_sql(sql);
    while (PQstatus(db_of(&trial)->home) == CONNECTION_OK)
        PQclear(PQexec(db_of(&trial)->home, "SELECT 1"));
    trial_close(&trial);
    expect_clean();
}

static void test_stopped_half_way(void **state)
{
    struct trial trial;
    volatile int stop = 0;
    (void)state;
    trial_init(&trial, "postgresql", "t0001",
               SETTINGS("workload.streams", "3", "workload.layout", "file-per-stream"));
    trial.config.stop = &stop;
    expect_ok(&trial, trial.ops->open(&trial.config, &trial.db, &trial.why));
    stop = 1;
    assert_int_equal(trial.ops->create(trial.db, &trial.why), OP_FATAL);
    trial_close(&trial);
    expect_clean();
}

/* Words about a connection that fails never hold its password. */
static void test_no_password(void **state)
{
    static const char *const targets[] = {
        "host=/no/such/socket user=me password=geheim123",
        "postgresql://me:geheim123@localhost:1/db",
        "postgresql://me:geheim123@[bad/db",
    };
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct trial trial;
        struct paths paths;
        struct adapter_config config = {.target = targets[i]};
        unsigned removed;
        trial_init(&trial, "postgresql", "t0001", SETTINGS("workload.rows", "100"));
        trial.config.target = targets[i];
        assert_int_not_equal(trial.ops->open(&trial.config, &trial.db, &trial.why), OP_OK);
        assert_null(strstr(trial.why.text, "geheim"));
        assert_int_not_equal(find_paths(&trial, &paths), OP_OK);
        assert_null(strstr(trial.why.text, "geheim"));
        assert_int_not_equal(trial.ops->clean(&config, &removed, &trial.why), OP_OK);
        assert_null(strstr(trial.why.text, "geheim"));
        trial_close(&trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_databases),
        cmocka_unit_test(test_plain_role),
        cmocka_unit_test(test_too_many_streams),
        cmocka_unit_test(test_not_ours),
        cmocka_unit_test(test_clean_of_a_live_run),
        cmocka_unit_test(test_clean_of_a_schema),
        cmocka_unit_test(test_clean_ends_sessions),
        cmocka_unit_test(test_lost_admin),
        cmocka_unit_test(test_stopped_half_way),
        cmocka_unit_test(test_no_password),
    };
    if (!place_begin())
        return 77;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    server_stop(&server);
    return failed;
}
