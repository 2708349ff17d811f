/* The fault decorator says precisely what it was told to say, and nothing else changes. */
#include "contract/support.h"

#include "base/clock.h"

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The calls of a trial, by the names that fault.call takes. */
enum step { FORECAST, PATHS, OPEN, FACTS, CREATE, SETTLE, STATS, SCAN, INTEGRITY, DESTROY };
static const char *const steps[] = {"forecast", "paths", "open", "facts",     "create",
                                    "settle",   "stats", "scan", "integrity", "destroy"};
enum act { CONNECT, BEGIN, INSERT, REMOVE, COMMIT, ROLLBACK };
static const char *const acts[] = {"connect", "begin", "insert", "remove", "commit", "rollback"};

/* In the order of enum op_status. */
static const char *const statuses[] = {"ok",       "busy", "conflict", "deadlock",
                                       "no_space", "lost", "fatal"};

static enum op_status do_step(struct trial *trial, enum step step)
{
    const struct adapter *ops = trial->ops;
    struct adapter_forecast forecast;
    struct wanted wanted = {.name = ""};
    struct adapter_sink sink = wanted_sink(&wanted);
    struct found found = {.shape = &trial->load->shape, .scratch = (unsigned char[128]){0}};
    struct row_visitor visitor = {.ctx = &found, .row = found_row};
    bool ok;
    switch (step) {
    case FORECAST:
        return ops->forecast(&trial->config, &forecast, &trial->why);
    case PATHS:
        return ops->paths(&trial->config, &sink, &trial->why);
    case OPEN:
        return ops->open(&trial->config, &trial->db, &trial->why);
    case FACTS:
        return ops->facts(trial->db, &sink, &trial->why);
    case CREATE:
        return ops->create(trial->db, &trial->why);
    case SETTLE:
        return ops->settle(trial->db, &trial->why);
    case STATS:
        return ops->stats(trial->db, &sink, &trial->why);
    case SCAN:
        return ops->scan(trial->db, 0, &visitor, &trial->why);
    case INTEGRITY:
        return ops->integrity(trial->db, &ok, &trial->why);
    default:
        return ops->destroy(trial->db, &trial->why);
    }
}

static enum op_status do_act(struct trial *trial, struct adapter_conn *conn, enum act act,
                             uint64_t round)
{
    const struct adapter *ops = trial->ops;
    switch (act) {
    case BEGIN:
        return ops->begin(conn, &trial->why);
    case INSERT:
        return do_rows(trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, round, round + 1,
                       &trial->why);
    case REMOVE:
        return do_rows(trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, round, round + 1,
                       &trial->why);
    case COMMIT:
        return ops->commit(conn, &trial->why);
    default:
        return ops->rollback(conn, &trial->why);
    }
}

static void expect_status(struct trial *trial, enum op_status got, enum op_status want,
                          const char *call)
{
    if (got != want)
        fail_msg("%s: %s instead of %s: %s", call, statuses[got], statuses[want],
                 got == OP_OK ? "" : trial->why.text);
    if (want != OP_OK) {
        assert_non_null(strstr(trial->why.text, call));
        assert_non_null(strstr(trial->why.text, statuses[want]));
    }
}

/* Steps of the main thread: `nth` of one step fails (those before open know no count). */
static void sweep_step(enum step step, enum op_status status, const char *when, const char *lasting,
                       unsigned nth)
{
    struct trial trial;
    char count[8];
    bool always = strcmp(lasting, "always") == 0;
    snprintf(count, sizeof count, "%u", nth);
    trial_init(&trial, "fault", "t0001",
               SETTINGS("workload.rows", "10", "fault.call", steps[step], "fault.status",
                        statuses[status], "fault.when", when, "fault.lasting", lasting, "fault.nth",
                        count));
    for (enum step now = FORECAST; now <= DESTROY; now++) {
        unsigned calls = now == step && now > OPEN && now != CREATE ? 3 : 1;
        for (unsigned call = 1; call <= calls; call++) {
            bool hit = now == step && (call == nth || (always && call > nth));
            enum op_status got = do_step(&trial, now);
            expect_status(&trial, got, hit ? status : OP_OK, steps[now]);
            if (got != OP_OK && now == OPEN) { /* no db was made: the end */
                assert_null(trial.db);
                trial_close(&trial);
                return;
            }
            /* create before its effect: nothing to look at */
            if (got != OP_OK && now == CREATE && strcmp(when, "before") == 0)
                now = DESTROY - 1;
        }
    }
    trial_close(&trial);
}

static void test_sweep_of_steps(void **state)
{
    (void)state;
    for (enum step step = FORECAST; step <= DESTROY; step++)
        for (enum op_status status = OP_BUSY; status < OP_STATUS_COUNT; status++)
            for (int after = 0; after < 2; after++)
                sweep_step(step, status, after ? "after" : "before", "once", 1);
    for (enum step step = FACTS; step < DESTROY; step++)
        if (step != CREATE) {
            sweep_step(step, OP_BUSY, "before", "once", 2);
            sweep_step(step, OP_LOST, "after", "always", 2);
        }
}

/* Rounds of a stream, each one transaction of one row inserted, one removed, and a rollback of
 * nothing. */
static void sweep_act(enum act act, enum op_status status, const char *when, const char *lasting,
                      unsigned nth)
{
    struct trial trial;
    struct adapter_conn *conn = NULL;
    char count[8];
    bool always = strcmp(lasting, "always") == 0;
    snprintf(count, sizeof count, "%u", nth);
    trial_init(&trial, "fault", "t0001",
               SETTINGS("workload.rows", "10", "fault.call", acts[act], "fault.status",
                        statuses[status], "fault.when", when, "fault.lasting", lasting, "fault.nth",
                        count, "sqlite.synchronous", "off"));
    trial_open(&trial);
    unsigned calls = 0;
    for (unsigned round = 0; round < 3; round++) {
        bool hit = act == CONNECT && (++calls == nth || (always && calls > nth));
        expect_status(&trial, trial.ops->connect(trial.db, 0, &conn, &trial.why),
                      hit ? status : OP_OK, "connect");
        if (hit)
            continue;
        bool failed = false;
        for (enum act now = BEGIN; now <= ROLLBACK; now++) {
            if (failed && now != ROLLBACK)
                continue; /* as a driver does: what failed is rolled back */
            hit = now == act && (++calls == nth || (always && calls > nth));
            enum op_status got = do_act(&trial, conn, now, round);
            expect_status(&trial, got, hit ? status : OP_OK, acts[now]);
            failed = failed || got != OP_OK;
        }
        trial.ops->disconnect(conn);
    }
    assert_int_equal(calls, 3);
    assert_int_equal(trial_rows(&trial), 0);
    trial_close(&trial);
}

static void test_sweep_of_acts(void **state)
{
    (void)state;
    for (enum act act = CONNECT; act <= ROLLBACK; act++)
        for (enum op_status status = OP_BUSY; status < OP_STATUS_COUNT; status++)
            for (unsigned nth = 1; nth <= 3; nth++)
                for (int after = 0; after < 2; after++)
                    sweep_act(act, status, after ? "after" : "before", "once", nth);
    for (enum act act = CONNECT; act <= ROLLBACK; act++)
        for (unsigned nth = 1; nth <= 2; nth++) {
            sweep_act(act, OP_BUSY, "before", "always", nth);
            sweep_act(act, OP_LOST, "after", "always", nth);
        }
}

/* A commit that is lost: before its effect the rows are gone, after it they are there. */
static void lost_commit(const char *when, uint64_t rows)
{
    struct trial trial;
    trial_init(&trial, "fault", "t0001",
               SETTINGS("workload.rows", "100", "fault.call", "commit", "fault.status", "lost",
                        "fault.when", when));
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    expect_ok(&trial, do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 10, &trial.why));
    assert_int_equal(trial.ops->commit(conn, &trial.why), OP_LOST);
    trial.ops->disconnect(conn);
    conn = trial_connect(&trial, 0);
    assert_int_equal(trial_rows(&trial), rows);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 10, 20);
    assert_int_equal(trial_rows(&trial), rows + 10);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_lost_commit(void **state)
{
    (void)state;
    lost_commit("before", 0);
    lost_commit("after", 10);
}

/* fault.row: 30 rows in, 10 out, in batches of 10; what a scan then finds. */
static void spoil(const char *inner, const char *row, const char *nth, uint64_t rows,
                  uint64_t wrong, uint64_t id_sum_off)
{
    struct trial trial;
    trial_init(
        &trial, "fault", "t0001",
        SETTINGS("workload.rows", "30", "fault.inner", inner, "fault.row", row, "fault.nth", nth));
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    for (uint64_t from = 0; from < 30; from += 10)
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, from, from + 10);
    for (uint64_t from = 20; from < 30; from += 5)
        transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, from, from + 5);
    struct found found = trial_scan(&trial, 0, 0);
    uint64_t sum = 0;
    for (uint64_t sequence = 0; sequence < 20; sequence++)
        sum += (uint64_t)row_id(0, sequence);
    assert_int_equal(found.rows, rows);
    assert_int_equal(found.wrong, wrong);
    assert_true(found.id_sum - sum == id_sum_off);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_rows(void **state)
{
    static const char *const inner[] = {"sqlite", "fsync"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        spoil(inner[i], "none", "1", 20, 0, 0);
        spoil(inner[i], "drop", "2", 19, 0, 0 - (uint64_t)row_id(0, 10));
        spoil(inner[i], "corrupt", "1", 20, 1, 0);
        spoil(inner[i], "keep", "2", 21, 0, (uint64_t)row_id(0, 25));
    }
}

static void test_delay(void **state)
{
    struct trial trial;
    (void)state;
    trial_init(&trial, "fault", "t0001",
               SETTINGS("fault.call", "commit", "fault.status", "ok", "fault.delay", "200ms",
                        "fault.inner", "null"));
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    int64_t start_ns = clock_now_ns();
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 1);
    assert_true(clock_now_ns() - start_ns >= 200 * NS_PER_MS);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_inner(void **state)
{
    static const char *const wrong[] = {"fault", "oracle"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct trial trial;
        trial_init(&trial, "fault", "t0001", SETTINGS("fault.inner", wrong[i]));
        assert_int_equal(do_step(&trial, FORECAST), OP_FATAL);
        assert_non_null(strstr(trial.why.text, wrong[i]));
        assert_int_equal(do_step(&trial, OPEN), OP_FATAL);
        trial.config.inner = adapter_find("null"); /* the caller's word counts more */
        expect_ok(&trial, do_step(&trial, OPEN));
        trial_close(&trial);
    }
}

/* The optional slots: passed on, failed like any other, and nothing where the engine has none. */
static enum op_status do_optional(struct trial *trial, struct adapter_conn *conn, const char *call)
{
    const struct adapter *ops = trial->ops;
    struct row_batch *batch = row_batch_create(&trial->load->shape, 0);
    bool there[1];
    unsigned removed = 99;
    enum op_status status;
    row_batch_add(batch, &trial->load->shape, 3);
    if (strcmp(call, "maintain") == 0)
        status = ops->maintain(trial->db, PHASE_DELETE, &trial->why);
    else if (strcmp(call, "clean") == 0)
        status = ops->clean(&trial->config, &removed, &trial->why);
    else if (strcmp(call, "execute") == 0)
        status = ops->execute(conn, &trial->why);
    else if (strcmp(call, "upsert") == 0)
        status = ops->upsert(conn, batch, &trial->why);
    else
        status = ops->erase(conn, batch, there, &trial->why);
    row_batch_destroy(batch);
    return status;
}

static void optional(const char *inner, const char *call, const char *when, uint64_t rows)
{
    struct trial trial;
    trial_init(&trial, "fault", "t0001",
               SETTINGS("workload.phases", "mixed", "row.keys", "overlapping", "workload.layout",
                        "shared-table", "workload.rows", "10", "workload.rows_per_commit", "2",
                        "fault.inner", inner, "fault.call", call, "fault.status", "deadlock",
                        "fault.when", when, "fault.nth", "2"));
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    enum op_status first = do_optional(&trial, conn, call);
    bool lacks =
        strcmp(inner, "null") == 0 && (strcmp(call, "upsert") == 0 || strcmp(call, "erase") == 0);
    assert_int_equal(first, lacks ? OP_FATAL : OP_OK);
    bool late = lacks && strcmp(when, "after") == 0; /* no effect, nothing after it */
    enum op_status second = do_optional(&trial, conn, call);
    /* Cleaning knows no count: each call reads its own plan. */
    bool is_clean = strcmp(call, "clean") == 0;
    assert_int_equal(second, is_clean ? OP_OK : late ? OP_FATAL : OP_DEADLOCK);
    if (second == OP_DEADLOCK)
        assert_non_null(strstr(trial.why.text, call));
    expect_ok(&trial, trial.ops->commit(conn, &trial.why));
    if (strcmp(inner, "sqlite") == 0)
        assert_int_equal(trial_rows(&trial), rows);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_optional_slots(void **state)
{
    static const char *const engines[] = {"sqlite", "null"};
    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (int after = 0; after < 2; after++) {
            const char *when = after ? "after" : "before";
            optional(engines[i], "maintain", when, 0);
            optional(engines[i], "execute", when, 0);
            optional(engines[i], "clean", when, 0);
            optional(engines[i], "upsert", when, 1);
            optional(engines[i], "erase", when, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweep_of_steps), cmocka_unit_test(test_sweep_of_acts),
        cmocka_unit_test(test_lost_commit),    cmocka_unit_test(test_rows),
        cmocka_unit_test(test_delay),          cmocka_unit_test(test_inner),
        cmocka_unit_test(test_optional_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
