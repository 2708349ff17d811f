/* What goes wrong between a stream and a PostgreSQL server: connections refused, lost and
 * cancelled, deadlocks, conflicts, rights. */
#include "contract/server.h"

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/clock.h"
#include "postgres/db.h"

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct server server;

static void start(struct trial *trial, const char *const *settings)
{
    trial_init(trial, "postgresql", "t0001", settings);
    expect_ok(trial, trial->ops->open(&trial->config, &trial->db, &trial->why));
    expect_ok(trial, trial->ops->create(trial->db, &trial->why));
}

static PGconn *handle_of(struct adapter_conn *conn)
{
    return ((struct postgres_conn *)conn)->handle;
}

/* A db that is only good for connecting. */
static enum op_status try_to_connect(const char *conninfo, const char *database,
                                     struct op_error *why)
{
    struct postgres_db db = {.conninfo = conninfo, .run = "loadline_test"};
    PGconn *handle = NULL;
    enum op_status status = postgres_connect(&db, database, "_s", &handle, why);
    assert_true((status == OP_OK) == (handle != NULL));
    PQfinish(handle);
    return status;
}

static void expect_refusal(const char *conninfo, enum op_status wanted, const char *sqlstate,
                           const char *words)
{
    struct op_error why = {.text = ""};
    enum op_status status = try_to_connect(conninfo, NULL, &why);
    if (status != wanted || strcmp(why.sqlstate, sqlstate) != 0 ||
        strstr(why.text, words) == NULL || strstr(why.text, "hush") != NULL ||
        strchr(why.text, '\n') != NULL)
        fail_msg("%s: status %d, %s: %s", conninfo, (int)status, why.sqlstate, why.text);
}

static void expect_server_refusal(const char *more, enum op_status wanted, const char *sqlstate,
                                  const char *words)
{
    char conninfo[1024];
    snprintf(conninfo, sizeof conninfo, "%s %s", server.conninfo, more);
    expect_refusal(conninfo, wanted, sqlstate, words);
}

static void test_connect_refused(void **state)
{
    (void)state;
    server_ask(server.conninfo, "CREATE ROLE few LOGIN CONNECTION LIMIT 0");
    server_ask(server.conninfo, "CREATE ROLE nobody NOLOGIN");
    expect_server_refusal("", OP_OK, "", "");
    expect_server_refusal("dbname=absent", OP_FATAL, "3D000", "connect to the PostgreSQL server: ");
    expect_server_refusal("user=absent", OP_FATAL, "28000", "\"absent\"");
    expect_server_refusal("user=nobody", OP_FATAL, "28000", "nobody");
    expect_server_refusal("user=few", OP_BUSY, "53300", "max_connections");
    expect_refusal("host=/nowhere/at/all user=x", OP_LOST, "", "is the server running there?");
    expect_refusal("host=127.0.0.1 port=1 user=x", OP_LOST, "", "is the server running there?");
    server_ask(server.conninfo, "DROP ROLE few");
    server_ask(server.conninfo, "DROP ROLE nobody");
}

/* libpq would quote them. */
static void test_passwords_stay_hidden(void **state)
{
    static const char *const strings[] = {
        "postgresql://me:hush%zz@localhost/db",
        "postgresql://me:pass@localhost/db?hush",
        "postgresql://me:pass@localhost/db?hush=1",
        "postgresql://me:pass@[hush/db",
        "postgresql://me:pass@hush@localhost/db",
        "postgresql://me:hush/word@localhost/db",
        "postgresql://me:1/hush@localhost/db",
        "host=localhost password=my hush",
        "host=localhost hush=1",
        "host=localhost password='hush",
    };
    (void)state;
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        expect_refusal(strings[i], OP_FATAL, "", "the connection string cannot be read");
}

/* Rewrites who may come in; the server takes it at once. */
static void set_hba(const char *lines)
{
    FILE *file = fopen(server_ask(server.conninfo, "SHOW hba_file").text, "w");
    assert_non_null(file);
    fprintf(file, "%slocal all all trust\n", lines);
    assert_int_equal(fclose(file), 0);
    server_ask(server.conninfo, "SELECT pg_reload_conf()");
    clock_sleep_until(clock_now_ns() + 200 * NS_PER_MS);
}

static void test_password(void **state)
{
    (void)state;
    server_ask(server.conninfo, "CREATE ROLE locked LOGIN PASSWORD 'right'");
    set_hba("local all locked scram-sha-256\n");
    unsetenv("PGPASSWORD");
    expect_server_refusal("user=locked password=right", OP_OK, "", "");
    expect_server_refusal("user=locked password=hush", OP_FATAL, "28P01", "PGPASSWORD");
    expect_server_refusal("user=locked passfile=/nowhere", OP_FATAL, "", "PGPASSWORD");
    set_hba("");
    server_ask(server.conninfo, "DROP ROLE locked");
}

struct silence {
    int listener;
    char text[64];
};

static void *accept_and_hang_up(void *argument)
{
    struct silence *silence = argument;
    char byte;
    int fd = accept(silence->listener, NULL, NULL);
    (void)!read(fd, &byte, 1);
    close(fd);
    return NULL;
}

/* A server that goes down takes a connection and ends it; one that hangs says nothing. */
static void test_connect_silence(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char directory[] = "/tmp/contract-XXXXXX";
    char conninfo[128];
    struct silence silence;
    pthread_t thread;
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(address.sun_path, sizeof address.sun_path, "%s/.s.PGSQL.5432", directory);
    silence.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(silence.listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(silence.listener, 5), 0);
    snprintf(conninfo, sizeof conninfo, "host=%s port=5432 user=x connect_timeout=1", directory);
    int64_t start_ns = clock_now_ns();
    expect_refusal(conninfo, OP_LOST, "", "no answer in time");
    assert_true(clock_now_ns() - start_ns < 5 * NS_PER_S);
    /* The one that gave up is first in line. */
    close(accept(silence.listener, NULL, NULL));
    assert_int_equal(pthread_create(&thread, NULL, accept_and_hang_up, &silence), 0);
    expect_refusal(conninfo, OP_LOST, "", "connect to the PostgreSQL server: ");
    pthread_join(thread, NULL);
    close(silence.listener);
    unlink(address.sun_path);
    rmdir(directory);
}

static void expect_setting(struct adapter_conn *conn, const char *name, const char *wanted)
{
    char *value = postgres_show(handle_of(conn), name);
    assert_non_null(value);
    assert_string_equal(value, wanted);
    free(value);
}

/* What a role, a database or a person's environment sets does not end a stream. */
static void test_session(void **state)
{
    struct trial trial;
    (void)state;
    server_ask(server.conninfo, "ALTER DATABASE postgres SET statement_timeout = '10s'");
    server_ask(server.conninfo, "ALTER DATABASE postgres SET lock_timeout = '10s'");
    server_ask(server.conninfo,
               "ALTER DATABASE postgres SET idle_in_transaction_session_timeout = '10s'");
    start(&trial, SETTINGS("postgres.synchronous_commit", "off"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    expect_setting(conn, "statement_timeout", "0");
    expect_setting(conn, "lock_timeout", "0");
    expect_setting(conn, "idle_in_transaction_session_timeout", "0");
    expect_setting(conn, "synchronous_commit", "off");
    expect_setting(conn, "search_path", "pg_catalog");
    expect_setting(conn, "client_encoding", "UTF8");
    expect_setting(conn, "jit", "off");
    assert_null(postgres_show(handle_of(conn), "no_such_setting"));
    server_ask(server.conninfo, "ALTER DATABASE postgres RESET ALL");
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

/* Prepared while the table was empty, and still by the key when it is not. */
static void test_plans(void **state)
{
    static const char *const statements[] = {"delete(1)", "delete_array('{1,2}')"};
    struct trial trial;
    (void)state;
    start(&trial, SETTINGS("workload.rows", "3000"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    for (int rows = 0; rows < 2; rows++) {
        for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
            char sql[64];
            PGresult *plan = NULL;
            snprintf(sql, sizeof sql, "EXPLAIN EXECUTE %s", statements[i]);
            expect_ok(&trial, postgres_query(handle_of(conn), sql, "explain", &plan, &trial.why));
            bool by_key = false;
            for (int line = 0; line < PQntuples(plan); line++)
                by_key = by_key || strstr(PQgetvalue(plan, line, 0), "rows_0000_pkey") != NULL ||
                         strstr(PQgetvalue(plan, line, 0), "rows_pkey") != NULL;
            assert_true(by_key);
            PQclear(plan);
        }
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, rows == 0 ? 0 : 1500,
                 rows == 0 ? 1500 : 3000);
    }
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

/* Rows under way when the server ends the session: lost, and gone. */
static void lose(const char *insert, const char *rows_per_commit, bool before_rows)
{
    struct trial trial;
    char sql[96];
    start(&trial, SETTINGS("postgres.insert_method", insert, "workload.rows", "100000",
                           "workload.rows_per_commit", rows_per_commit));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    uint64_t rows = strcmp(rows_per_commit, "1") == 0 ? 1 : 20000;
    snprintf(sql, sizeof sql, "SELECT pg_terminate_backend(%d, 5000)",
             PQbackendPID(handle_of(conn)));
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    if (before_rows)
        server_ask(server.conninfo, sql);
    enum op_status status =
        do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, rows, &trial.why);
    if (status == OP_OK)
        status = execute(&trial, conn, &trial.why);
    if (!before_rows) {
        expect_ok(&trial, status);
        server_ask(server.conninfo, sql);
    }
    if (status == OP_OK)
        status = trial.ops->commit(conn, &trial.why);
    assert_int_equal(status, OP_LOST);
    assert_int_equal(trial.ops->rollback(conn, &trial.why), OP_LOST);
    trial.ops->disconnect(conn);
    assert_int_equal(trial_rows(&trial), 0);
    conn = trial_connect(&trial, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, rows);
    assert_int_equal(trial_rows(&trial), rows);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_lost(void **state)
{
    static const char *const methods[] = {"statement", "pipeline", "array", "copy"};
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        lose(methods[i], "20000", true);
        lose(methods[i], "20000", false);
    }
    lose("statement", "1", true);
    lose("statement", "1", false);
}

struct cancel {
    struct trial *trial;
    struct adapter_conn *conn;
    uint64_t rows;
    enum op_status status;
    struct op_error why;
    int64_t end_ns;
};

static void *insert_rows(void *argument)
{
    struct cancel *cancel = argument;
    struct trial *trial = cancel->trial;
    cancel->status = trial->ops->begin(cancel->conn, &cancel->why);
    if (cancel->status == OP_OK)
        cancel->status = do_rows(trial, cancel->conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0,
                                 cancel->rows, &cancel->why);
    if (cancel->status == OP_OK)
        cancel->status = execute(trial, cancel->conn, &cancel->why);
    if (cancel->status == OP_OK)
        cancel->status = trial->ops->commit(cancel->conn, &cancel->why);
    cancel->end_ns = clock_now_ns();
    return NULL;
}

/* A stream that waits for another one's lock returns soon, and can go on.  False: the machine was
 * so busy that the server did not answer in time, and the connection was given up instead. */
static bool interrupted(const char *insert, const char *rows_per_commit)
{
    struct trial trial;
    char sql[160];
    pthread_t thread;
    start(&trial, SETTINGS("postgres.insert_method", insert, "workload.rows", "3000",
                           "workload.rows_per_commit", rows_per_commit));
    struct cancel cancel = {.trial = &trial, .conn = trial_connect(&trial, 0)};
    cancel.rows = strcmp(rows_per_commit, "1") == 0 ? 1 : 3000;
    PGconn *other = PQconnectdb(server.conninfo);
    snprintf(sql, sizeof sql, "BEGIN; LOCK TABLE %s", ((struct postgres_conn *)cancel.conn)->table);
    expect_ok(&trial, postgres_run(other, sql, "lock", &trial.why));
    assert_int_equal(pthread_create(&thread, NULL, insert_rows, &cancel), 0);
    clock_sleep_until(clock_now_ns() + 300 * NS_PER_MS);
    int64_t start_ns = clock_now_ns();
    trial.ops->interrupt(cancel.conn);
    pthread_join(thread, NULL);
    if (atomic_load(&((struct postgres_conn *)cancel.conn)->db->cancel_hangs)) {
        PQfinish(other);
        trial.ops->disconnect(cancel.conn);
        trial_close(&trial);
        return false;
    }
    assert_true(cancel.end_ns - start_ns < 2 * NS_PER_S);
    assert_int_equal(cancel.status, OP_FATAL);
    assert_string_equal(cancel.why.sqlstate, "57014");
    expect_ok(&trial, trial.ops->rollback(cancel.conn, &trial.why));
    PQfinish(other);
    /* Nothing under way: nothing happens. */
    trial.ops->interrupt(cancel.conn);
    clock_sleep_until(clock_now_ns() + 100 * NS_PER_MS);
    transact(&trial, cancel.conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, cancel.rows);
    assert_int_equal(trial_rows(&trial), cancel.rows);
    trial.ops->disconnect(cancel.conn);
    trial.ops->interrupt(cancel.conn);
    trial_close(&trial);
    return true;
}

static void interrupt(const char *insert, const char *rows_per_commit)
{
    for (int tries = 0; !interrupted(insert, rows_per_commit); tries++)
        assert_true(tries < 10);
}

static void test_interrupt(void **state)
{
    (void)state;
    interrupt("statement", "1");
    interrupt("statement", "3000");
    interrupt("pipeline", "3000");
    interrupt("array", "3000");
    interrupt("copy", "3000");
}

/* Nobody takes new connections there: the request to cancel is never answered. */
static void test_interrupt_of_a_server_that_hangs(void **state)
{
    struct trial trial;
    char sql[160];
    pthread_t thread;
    (void)state;
    start(&trial, SETTINGS("postgres.insert_method", "array", "workload.rows", "3000"));
    struct cancel cancel = {.trial = &trial, .conn = trial_connect(&trial, 0), .rows = 3000};
    PGconn *other = PQconnectdb(server.conninfo);
    PGresult *result = NULL;
    expect_ok(&trial, postgres_query(other, "SELECT pg_read_file('postmaster.pid')", "ask", &result,
                                     &trial.why));
    pid_t postmaster = (pid_t)strtol(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    assert_true(postmaster > 1);
    snprintf(sql, sizeof sql, "BEGIN; LOCK TABLE %s", ((struct postgres_conn *)cancel.conn)->table);
    expect_ok(&trial, postgres_run(other, sql, "lock", &trial.why));
    assert_int_equal(pthread_create(&thread, NULL, insert_rows, &cancel), 0);
    clock_sleep_until(clock_now_ns() + 300 * NS_PER_MS);
    assert_int_equal(kill(postmaster, SIGSTOP), 0);
    int64_t start_ns = clock_now_ns();
    trial.ops->interrupt(cancel.conn);
    pthread_join(thread, NULL);
    trial.ops->interrupt(cancel.conn);
    int64_t end_ns = clock_now_ns();
    kill(postmaster, SIGCONT);
    assert_true(end_ns - start_ns < 3 * NS_PER_S);
    assert_int_equal(cancel.status, OP_LOST);
    assert_int_equal(trial.ops->rollback(cancel.conn, &trial.why), OP_LOST);
    PQfinish(other);
    trial.ops->disconnect(cancel.conn);
    assert_int_equal(trial_rows(&trial), 0);
    trial_close(&trial);
}

struct rival {
    struct trial *trial;
    struct adapter_conn *conn;
    uint64_t first, second;
    pthread_barrier_t *barrier;
    enum op_status status;
    struct op_error why;
};

static enum op_status upsert_one(struct rival *rival, uint64_t sequence)
{
    struct row_batch *batch = row_batch_create(&rival->trial->load->shape, 0);
    row_batch_add(batch, &rival->trial->load->shape, sequence);
    enum op_status status = rival->trial->ops->upsert(rival->conn, batch, &rival->why);
    row_batch_destroy(batch);
    return status;
}

static void *cross(void *argument)
{
    struct rival *rival = argument;
    rival->status = rival->trial->ops->begin(rival->conn, &rival->why);
    if (rival->status == OP_OK)
        rival->status = upsert_one(rival, rival->first);
    pthread_barrier_wait(rival->barrier);
    if (rival->status == OP_OK)
        rival->status = upsert_one(rival, rival->second);
    if (rival->status == OP_OK)
        rival->status = rival->trial->ops->commit(rival->conn, &rival->why);
    return NULL;
}

static void test_deadlock(void **state)
{
    struct trial trial;
    pthread_barrier_t barrier;
    pthread_t threads[2];
    (void)state;
    start(&trial, SETTINGS("workload.streams", "2", "workload.layout", "shared-table"));
    pthread_barrier_init(&barrier, NULL, 2);
    struct rival rivals[2] = {
        {.trial = &trial, .conn = trial_connect(&trial, 0), .first = 0, .second = 1},
        {.trial = &trial, .conn = trial_connect(&trial, 1), .first = 1, .second = 0}};
    for (int i = 0; i < 2; i++) {
        rivals[i].barrier = &barrier;
        assert_int_equal(pthread_create(&threads[i], NULL, cross, &rivals[i]), 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int victim = rivals[0].status == OP_OK ? 1 : 0;
    assert_int_equal(rivals[victim].status, OP_DEADLOCK);
    assert_string_equal(rivals[victim].why.sqlstate, "40P01");
    assert_int_equal(rivals[1 - victim].status, OP_OK);
    expect_ok(&trial, trial.ops->rollback(rivals[victim].conn, &trial.why));
    assert_int_equal(trial_rows(&trial), 2);
    for (int i = 0; i < 2; i++)
        trial.ops->disconnect(rivals[i].conn);
    pthread_barrier_destroy(&barrier);
    trial_close(&trial);
}

static void test_conflict(void **state)
{
    struct trial trial;
    (void)state;
    server_ask(server.conninfo,
               "ALTER DATABASE postgres SET default_transaction_isolation = 'repeatable read'");
    start(&trial, SETTINGS("workload.streams", "2", "workload.layout", "shared-table"));
    struct rival one = {.trial = &trial, .conn = trial_connect(&trial, 0)};
    struct rival two = {.trial = &trial, .conn = trial_connect(&trial, 1)};
    expect_ok(&trial, trial.ops->begin(one.conn, &trial.why));
    expect_ok(&trial, upsert_one(&one, 1)); /* its snapshot is from here */
    expect_ok(&trial, trial.ops->begin(two.conn, &trial.why));
    expect_ok(&trial, upsert_one(&two, 2));
    expect_ok(&trial, trial.ops->commit(two.conn, &trial.why));
    assert_int_equal(upsert_one(&one, 2), OP_CONFLICT);
    assert_string_equal(one.why.sqlstate, "40001");
    expect_ok(&trial, trial.ops->rollback(one.conn, &trial.why));
    assert_int_equal(trial_rows(&trial), 1);
    server_ask(server.conninfo, "ALTER DATABASE postgres RESET ALL");
    trial.ops->disconnect(one.conn);
    trial.ops->disconnect(two.conn);
    trial_close(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connect_refused),
        cmocka_unit_test(test_passwords_stay_hidden),
        cmocka_unit_test(test_password),
        cmocka_unit_test(test_connect_silence),
        cmocka_unit_test(test_session),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_interrupt_of_a_server_that_hangs),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_conflict),
    };
    if (!server_can_run())
        return 77;
    server_start(&server);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    server_stop(&server);
    return failed;
}
