/* Commits that a PostgreSQL server refuses: nothing of them counts. */
#include "contract/server.h"

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

static void expect_commit_failure(struct trial *trial, struct adapter_conn *conn,
                                  const char *sqlstate, const char *words)
{
    expect_ok(trial, trial->ops->begin(conn, &trial->why));
    enum op_status status =
        do_rows(trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 1, &trial->why);
    if (status == OP_OK)
        status = trial->ops->commit(conn, &trial->why);
    assert_int_equal(status, OP_FATAL);
    assert_string_equal(trial->why.sqlstate, sqlstate);
    if (strstr(trial->why.text, words) == NULL)
        fail_msg("%s: not %s", trial->why.text, words);
    expect_ok(trial, trial->ops->rollback(conn, &trial->why));
}

static void test_told_what_to_do(void **state)
{
    struct trial trial;
    (void)state;
    start(&trial, SETTINGS("workload.rows_per_commit", "1"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    expect_ok(&trial, postgres_run(handle_of(conn), "SET default_transaction_read_only = on", "set",
                                   &trial.why));
    expect_commit_failure(&trial, conn, "25006", "name the primary");
    expect_ok(&trial, postgres_run(handle_of(conn), "DEALLOCATE ALL", "forget", &trial.why));
    expect_commit_failure(&trial, conn, "26000", "pool");
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

/* A statement that commits by itself is answered before it commits: what fails then is no commit.
 * A constraint that is checked last of all does that on demand. */
static void test_failure_after_the_answer(void **state)
{
    static const char *const rows_per_commit[] = {"1", "2"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct trial trial;
        char sql[1024];
        start(&trial, SETTINGS("workload.rows_per_commit", rows_per_commit[i]));
        struct adapter_conn *conn = trial_connect(&trial, 0);
        const struct postgres_conn *c = (const struct postgres_conn *)conn;
        snprintf(sql, sizeof sql,
                 "CREATE FUNCTION %s.refuse() RETURNS trigger LANGUAGE plpgsql AS "
                 "$$ BEGIN RAISE EXCEPTION 'too late' USING ERRCODE = '23514'; END $$;"
                 "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON %s DEFERRABLE INITIALLY "
                 "DEFERRED FOR EACH ROW EXECUTE FUNCTION %s.refuse()",
                 c->db->schema, c->table, c->db->schema);
        expect_ok(&trial, postgres_run(c->handle, sql, "make a trigger", &trial.why));
        expect_commit_failure(&trial, conn, "23514", "too late");
        assert_int_equal(trial_rows(&trial), 0);
        snprintf(sql, sizeof sql, "DROP FUNCTION %s.refuse() CASCADE", c->db->schema);
        expect_ok(&trial, postgres_run(c->handle, sql, "drop it", &trial.why));
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 1);
        assert_int_equal(trial_rows(&trial), 1);
        trial.ops->disconnect(conn);
        trial_close(&trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told_what_to_do),
        cmocka_unit_test(test_failure_after_the_answer),
    };
    if (!server_can_run())
        return 77;
    server_start(&server);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    server_stop(&server);
    return failed;
}
