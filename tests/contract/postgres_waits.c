/* What the streams of a PostgreSQL server wait for, seen by the sampler: known waits, no wait of
 * its own, and nothing outside of a phase. */
#include "contract/looks.h"

#include <signal.h>

#include "base/clock.h"

#define CALL_NS                                                                                    \
    (500 * NS_PER_MS) /* on a machine with too much to do; a wait for a server is longer */

static const char *const two_streams[] = {"workload.rows", "100", "workload.streams", "2", NULL};

struct scene {
    struct trial trial;
    struct adapter_conn *conns[2];
    PGconn *other;
    char update[200];
};

static void scene_open(struct scene *scene)
{
    struct told told[2];
    struct trial *trial = &scene->trial;
    trial_init(trial, "postgres", "t", two_streams);
    trial_open(trial);
    scene->conns[0] = trial_connect(trial, 0);
    scene->conns[1] = trial_connect(trial, 1);
    transact(trial, scene->conns[0], 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 10);
    scene->other = other_connect(trial, 0);
    snprintf(scene->update, sizeof scene->update, "UPDATE %s SET k1 = 1 WHERE id = %lld",
             postgres_of(trial)->conns[0].table, (long long)row_id(0, 0));
    look(trial, told);
}

static void scene_close(struct scene *scene)
{
    PQfinish(scene->other);
    scene->trial.ops->disconnect(scene->conns[0]);
    scene->trial.ops->disconnect(scene->conns[1]);
    trial_close(&scene->trial);
}

/* Stream 0 waits for the row that `other` holds; it must not be asked to settle then. */
static void block(struct scene *scene)
{
    PGconn *stream = postgres_of(&scene->trial)->conns[0].handle;
    other_ask(scene->other, "BEGIN");
    other_ask(scene->other, scene->update);
    assert_int_equal(PQsendQuery(stream, scene->update), 1);
    assert_int_equal(PQflush(stream), 0);
}

static void release(struct scene *scene)
{
    PGconn *stream = postgres_of(&scene->trial)->conns[0].handle;
    PGresult *result;
    other_ask(scene->other, "ROLLBACK");
    while ((result = PQgetResult(stream)) != NULL) {
        assert_int_equal(PQresultStatus(result), PGRES_COMMAND_OK);
        PQclear(result);
    }
}

/* One call, which must be quick; false: it told no waits. */
static bool observe(struct scene *scene, struct told *told)
{
    struct adapter_sink sink = {.ctx = told, .metric = told_metric};
    told->count = 0;
    int64_t begin_ns = clock_now_ns();
    scene->trial.ops->observe(scene->trial.db, &sink);
    int64_t took_ns = clock_now_ns() - begin_ns;
    if (took_ns > CALL_NS)
        fail_msg("observe() took %.1f ms", (double)took_ns / 1e6);
    return !isnan(told_value(told, "wait_cpu"));
}

static unsigned observe_for(struct scene *scene, unsigned calls, struct told *last)
{
    unsigned fresh = 0;
    struct told told;
    for (unsigned i = 0; i < calls; i++) {
        if (observe(scene, &told)) {
            fresh++;
            *last = told;
        }
        clock_sleep_until(clock_now_ns() + 100 * NS_PER_MS);
    }
    return fresh;
}

static void test_a_row_that_another_holds(void **state)
{
    (void)state;
    struct scene scene;
    struct told last, told[2], later[2];
    scene_open(&scene);
    block(&scene);
    unsigned fresh = observe_for(&scene, 10, &last);
    assert_in_range(fresh, 2, 9);
    assert_true(told_value(&last, "wait_row") == 1);
    assert_true(told_value(&last, "wait_client") == 1);
    assert_true(told_value(&last, "wait_cpu") == 0);
    assert_true(told_value(&last, "wait_other") == 0);
    release(&scene);
    look(&scene.trial, told);
    assert_true(told_value(&told[1], "Lock:transactionid") == fresh);
    assert_true(told_value(&told[1], "Client:ClientRead") >= fresh);
    for (size_t i = 0; i < told[1].count; i++)
        if (strcmp(told[1].names[i], "Lock:transactionid") == 0)
            assert_int_equal(told[1].kinds[i], WAIT_ROW);

    /* Settled and not yet begun again: nothing counts, although it is called. */
    expect_ok(&scene.trial, scene.trial.ops->settle(scene.trial.db, &scene.trial.why));
    assert_int_equal(observe_for(&scene, 3, &last), 0);
    look(&scene.trial, later);
    assert_true(rise(&told[1], &later[1], "Client:ClientRead") == 0);
    scene_close(&scene);
}

/* Ten times a second, however often it is called. */
static void test_not_more_often_than_ten_times_a_second(void **state)
{
    (void)state;
    struct scene scene;
    struct told told;
    unsigned fresh = 0;
    scene_open(&scene);
    int64_t begin_ns = clock_now_ns();
    while (clock_now_ns() - begin_ns < NS_PER_S) {
        fresh += observe(&scene, &told);
        clock_sleep_until(clock_now_ns() + 5 * NS_PER_MS);
    }
    assert_in_range(fresh, 2, 11);
    scene_close(&scene);
}

static int observer_pid(struct scene *scene)
{
    char text[200];
    snprintf(text, sizeof text, "SELECT pid FROM pg_stat_activity WHERE application_name = '%s_w'",
             postgres_of(&scene->trial)->run);
    return (int)other_number(scene->other, text);
}

static void test_a_lost_connection_comes_back(void **state)
{
    (void)state;
    struct scene scene;
    struct told last;
    char text[100];
    scene_open(&scene);
    assert_true(observe_for(&scene, 4, &last) >= 1);
    int pid = observer_pid(&scene);
    assert_true(pid > 0);
    snprintf(text, sizeof text, "SELECT pg_terminate_backend(%d, 5000)", pid);
    assert_string_equal(other_ask(scene.other, text).text, "t");
    assert_true(observe_for(&scene, 40, &last) >= 2);
    assert_true(told_value(&last, "wait_client") == 2);
    assert_true(observer_pid(&scene) != pid);
    scene_close(&scene);
}

/* The server's process stands still: nobody waits for it. */
static void test_a_server_that_does_not_answer(void **state)
{
    (void)state;
    struct scene scene;
    struct told last;
    scene_open(&scene);
    assert_true(observe_for(&scene, 4, &last) >= 1);
    pid_t pid = (pid_t)observer_pid(&scene);
    assert_int_equal(kill(pid, SIGSTOP), 0);
    observe_for(&scene, 3, &last);
    unsigned fresh = observe_for(&scene, 5, &last);
    assert_int_equal(kill(pid, SIGCONT), 0);
    assert_int_equal(fresh, 0);
    assert_true(observe_for(&scene, 6, &last) >= 2);
    scene_close(&scene);
}

static void test_size_of_the_log(void **state)
{
    (void)state;
    struct scene scene;
    struct told told;
    scene_open(&scene);
    observe(&scene, &told);
    double bytes = told_value(&told, "wal_file_bytes");
    assert_true(bytes >= 16.0 * 1024 * 1024);
    assert_true(fmod(bytes, 16.0 * 1024 * 1024) == 0);
    assert_true(bytes == 16.0 * 1024 * 1024 *
                             other_number(scene.other, "SELECT count(*) FROM pg_ls_waldir() "
                                                       "WHERE name ~ '^[0-9A-F]{24}$'"));
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_row_that_another_holds),
        cmocka_unit_test(test_not_more_often_than_ten_times_a_second),
        cmocka_unit_test(test_a_lost_connection_comes_back),
        cmocka_unit_test(test_a_server_that_does_not_answer),
        cmocka_unit_test(test_size_of_the_log),
    };
    return server_can_run() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
