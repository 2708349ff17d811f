/* The fault sweep of mixed phases: streams change twelve rows under locks that they wait for, each
 * in an order of its own, so that deadlocks come by themselves; call 1..n of each slot fails with
 * each status besides, before and after its effect.  Whatever happens, what is there is what the
 * last acknowledged changes say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/stage.h"
#include "driver/verify.h"
#include "unit/driver/memory_engine.h"

enum { ROWS = 30, ROWS_PER_COMMIT = 4, KEYS = 12, PAYLOAD = 40 };
#define HOME_NS (20 * NS_PER_S)

struct setup {
    unsigned streams;
    bool one_line;
    int victim;
};
static const struct setup setups[] = {
    {1, false, MEMORY_ANY_STREAM}, {3, false, MEMORY_ANY_STREAM}, {3, false, 1}, {3, true, 2}};
enum { SETUPS = sizeof setups / sizeof setups[0] };
#ifdef __SANITIZE_THREAD__
enum { FIRST_SETUP = 1, LAST_CALL = 1 };
#else
enum { FIRST_SETUP = 0, LAST_CALL = 3 };
#endif

struct fault_case {
    const struct setup *setup;
    enum memory_slot slot;
    enum op_status status;
    enum memory_effect effect;
    uint64_t nth, times;
};
static struct fault_case current;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("not so: %s\n  %u streams, line %d, %s %llu fails with %d %s, %s",            \
                     #condition, current.setup->streams, current.setup->one_line,                  \
                     memory_slot_names[current.slot], (unsigned long long)current.nth,             \
                     (int)current.status, current.effect == MEMORY_AFTER ? "after" : "before",     \
                     current.times == 1 ? "once" : "always");                                      \
    } while (0)

struct bench {
    struct workload load;
    struct memory_db *db;
    struct stage stage;
};

static struct bench *bench_open(const struct setup *setup, uint64_t rows_per_stream)
{
    struct bench *b = calloc(1, sizeof *b);
    struct err err;
    assert_non_null(b);
    b->load = (struct workload){
        .rows = rows_per_stream,
        .rows_per_commit = ROWS_PER_COMMIT,
        .streams = setup->streams,
        .layout = LAYOUT_SHARED_TABLE,
        .files = 1,
        .row_keys = ROW_KEYS_OVERLAPPING,
        .common_keys = KEYS,
        .shape = {.seed = 5, .key_columns = 2, .payload_bytes = PAYLOAD, .random_bytes = PAYLOAD}};
    b->db = memory_create(&b->load);
    b->db->one_line = setup->one_line;
    assert_int_equal(stage_open(&b->stage, &memory_adapter, &b->db->base, &b->load, true, &err), 0);
    CHECK(stage_wait(&b->stage, HOME_NS));
    return b;
}

static void bench_release(struct bench *b)
{
    stage_close(&b->stage);
    if (b->db->violation[0] != '\0')
        print_error("%s\n", b->db->violation);
    CHECK(b->db->violation[0] == '\0');
    memory_destroy(b->db);
    free(b);
}

static uint64_t held(const struct bench *b)
{
    uint64_t rows = 0;
    for (size_t k = 0; k < KEYS; k++)
        rows += memory_seen(b->db, k)->present;
    return rows;
}

static void check_verify(struct bench *b, uint64_t in_doubt)
{
    struct verify_record record;
    struct err err;
    CHECK(verify_stage(&b->stage, NULL, &record, &err) == 0);
    for (size_t i = 0; i < record.shown; i++)
        print_error("id %lld is %s\n", (long long)record.first[i].id, record.first[i].what);
    CHECK(record.checked && verify_is_ok(&record) && record.shown == 0);
    CHECK(record.in_doubt_rows == in_doubt);
    CHECK(record.found_rows == held(b) && record.expected_rows == held(b));
}

enum ending { ENDS_DONE, ENDS_FAILED, ENDS_BY_SIGNAL };

static enum ending predict(void)
{
    if (current.slot == MEMORY_ROLLBACK)
        return current.status == OP_LOST ? ENDS_DONE : ENDS_FAILED;
    if (current.status == OP_NO_SPACE || current.status == OP_FATAL)
        return ENDS_FAILED;
    bool in_doubt = current.slot == MEMORY_COMMIT && current.status == OP_LOST;
    return current.times == 1 || in_doubt ? ENDS_DONE : ENDS_BY_SIGNAL;
}

static void check_failure(const struct bench *b)
{
    char text[128];
    bool statement = current.slot >= MEMORY_UPSERT && current.slot <= MEMORY_EXECUTE;
    snprintf(text, sizeof text, ": %s: scripted %s",
             statement ? "mixed" : memory_slot_names[current.slot],
             memory_slot_names[current.slot]);
    CHECK(b->stage.failed && strstr(b->stage.failure.text, text) != NULL);
    CHECK(stage_stopped(&b->stage) == (current.status == OP_NO_SPACE ? STOP_NO_SPACE : STOP_ERROR));
}

struct totals {
    uint64_t rows, commits, retries, deadlocks, reconnects, in_doubt;
};

static struct totals totals_of(const struct bench *b)
{
    struct totals t = {0};
    for (unsigned i = 0; i < b->stage.stream_count; i++) {
        const struct stream *s = &b->stage.streams[i];
        t.rows += counter_read(&s->counters->rows) - atomic_load(&((struct stream *)s)->base_rows);
        t.commits += counter_read(&s->counters->commits);
        for (size_t k = 0; k < 3; k++)
            t.retries += s->retries[k];
        t.deadlocks += s->retries[2];
        t.reconnects += s->reconnects;
        t.in_doubt += s->in_doubt_rows;
    }
    return t;
}

/* The call that fails for good has come twice: the first time is counted. */
static void wait_for_retry(const struct bench *b)
{
    const struct memory_fault *fault = &b->db->faults[b->db->fault_count - 1];
    int64_t give_up_ns = clock_now_ns() + HOME_NS;
    while (atomic_load(&((struct memory_fault *)fault)->hits) < 2) {
        CHECK(clock_now_ns() < give_up_ns);
        clock_sleep_until(clock_now_ns() + NS_PER_MS);
    }
}

/* One phase; every row is accounted for, whatever went wrong. */
static struct totals run_phase(struct bench *b, enum ending ending)
{
    stage_prepare(&b->stage, PHASE_MIXED);
    stage_start(&b->stage, 0, 0);
    if (ending == ENDS_BY_SIGNAL) {
        wait_for_retry(b);
        CHECK(!stage_wait(&b->stage, 2 * NS_PER_MS));
        stage_stop(&b->stage, STOP_SIGNAL);
    }
    for (int waits = 0; !stage_wait(&b->stage, 50 * NS_PER_MS); waits++) {
        CHECK(waits < HOME_NS / (50 * NS_PER_MS));
        if (ending == ENDS_BY_SIGNAL) /* they may wait for a row */
            stage_interrupt(&b->stage);
    }
    struct totals t = totals_of(b);
    if (ending == ENDS_FAILED) {
        check_failure(b);
    } else {
        CHECK(!b->stage.failed);
        CHECK(stage_stopped(&b->stage) == (ending == ENDS_DONE ? STOP_NONE : STOP_SIGNAL));
    }
    if (ending == ENDS_DONE)
        CHECK(t.rows + t.in_doubt == b->load.rows * b->load.streams);
    CHECK(b->load.streams > 1 || current.status == OP_DEADLOCK || t.deadlocks == 0);
    check_verify(b, t.in_doubt);
    check_verify(b, 0); /* settled for good */
    return t;
}

static void arm(struct bench *b, enum memory_slot slot, enum op_status status, uint64_t nth,
                uint64_t times)
{
    memory_fault(b->db, (struct memory_fault){.slot = slot,
                                              .stream = current.setup->victim,
                                              .nth = nth,
                                              .times = times,
                                              .status = status,
                                              .effect = current.effect});
}

static void run_case(void)
{
    enum ending ending = predict();
    struct bench *b = bench_open(current.setup, ROWS);
    run_phase(b, ENDS_DONE);
    if (current.slot == MEMORY_ROLLBACK)
        arm(b, MEMORY_UPSERT, OP_BUSY, 1, 3);
    arm(b, current.slot, current.status, current.nth, current.times);
    struct totals t = run_phase(b, ending);
    bool in_doubt = current.slot == MEMORY_COMMIT && current.status == OP_LOST;
    CHECK((t.in_doubt > 0) == in_doubt);
    CHECK((t.reconnects > 0) == (current.status == OP_LOST));
    CHECK(!op_is_retryable(current.status) || ending == ENDS_FAILED || t.retries > 0);
    CHECK(b->db->faults[b->db->fault_count - 1].hits >= 1);
    if (ending == ENDS_DONE)
        run_phase(b, ending);
    bench_release(b);
}

static void sweep(uint64_t nth, uint64_t times)
{
    static const enum memory_slot slots[] = {MEMORY_BEGIN,   MEMORY_UPSERT, MEMORY_ERASE,
                                             MEMORY_EXECUTE, MEMORY_COMMIT, MEMORY_ROLLBACK};
    for (size_t i = FIRST_SETUP; i < SETUPS; i++)
        for (size_t k = 0; k < sizeof slots / sizeof slots[0]; k++)
            for (int status = OP_OK + 1; status < OP_STATUS_COUNT; status++)
                for (int effect = MEMORY_BEFORE; effect <= MEMORY_AFTER; effect++) {
                    current = (struct fault_case){.setup = &setups[i],
                                                  .slot = slots[k],
                                                  .status = (enum op_status)status,
                                                  .effect = (enum memory_effect)effect,
                                                  .nth = nth,
                                                  .times = times};
                    run_case();
                }
}

static void a_call_that_fails_once(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth <= LAST_CALL; nth++)
        sweep(nth, 1);
}

static void a_call_that_fails_for_good(void **state)
{
    (void)state;
    sweep(2, MEMORY_ALWAYS);
}

/* Nothing fails but what the streams do to each other. */
static void deadlocks_come_by_themselves(void **state)
{
    static const struct setup many = {8, false, MEMORY_ANY_STREAM};
    uint64_t deadlocks = 0;
    (void)state;
    current = (struct fault_case){.setup = &many, .status = OP_LOST};
    struct bench *b = bench_open(&many, ROWS);
    memory_fault(b->db, (struct memory_fault){.slot = MEMORY_UPSERT, /* long enough to meet */
                                              .stream = MEMORY_ANY_STREAM,
                                              .nth = 1,
                                              .times = MEMORY_ALWAYS,
                                              .delay_ns = NS_PER_MS / 20});
    for (int phase = 0; phase < 10; phase++)
        deadlocks += run_phase(b, ENDS_DONE).deadlocks;
    assert_true(deadlocks > 0);
    bench_release(b);
}

/* Half of all commits are lost on the way, done or not done. */
static void commits_in_doubt_side_by_side(void **state)
{
    static const struct setup many = {6, false, MEMORY_ANY_STREAM};
    (void)state;
    for (int effect = MEMORY_BEFORE; effect <= MEMORY_AFTER; effect++) {
        current = (struct fault_case){
            .setup = &many, .slot = MEMORY_COMMIT, .status = OP_LOST, .effect = effect};
        struct bench *b = bench_open(&many, ROWS);
        arm(b, MEMORY_COMMIT, OP_LOST, 3, 20);
        struct totals t = run_phase(b, ENDS_DONE);
        assert_true(t.in_doubt > 20 && t.rows > 20);
        run_phase(b, ENDS_DONE);
        bench_release(b);
    }
}

/* Lists of changes are bounded: a server that loses every commit ends the trial. */
static void too_many_in_doubt(void **state)
{
    static const struct setup one = {1, false, MEMORY_ANY_STREAM};
    struct verify_record record;
    struct err err;
    (void)state;
    current = (struct fault_case){
        .setup = &one, .slot = MEMORY_COMMIT, .status = OP_LOST, .effect = MEMORY_AFTER};
    struct bench *b = bench_open(&one, 2000);
    arm(b, MEMORY_COMMIT, OP_LOST, 1, MEMORY_ALWAYS);
    stage_prepare(&b->stage, PHASE_MIXED);
    stage_start(&b->stage, 0, 0);
    CHECK(stage_wait(&b->stage, HOME_NS));
    assert_true(b->stage.failed);
    assert_string_equal(b->stage.failure.text,
                        "stream 0: commit: the outcome of more than 256 transactions of one stream "
                        "is unknown; see why the server loses its connections");
    assert_int_equal(stage_stopped(&b->stage), STOP_ERROR);
    (void)verify_stage(&b->stage, NULL, &record, &err);
    bench_release(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_fails_once),
        cmocka_unit_test(a_call_that_fails_for_good),
        cmocka_unit_test(deadlocks_come_by_themselves),
        cmocka_unit_test(commits_in_doubt_side_by_side),
        cmocka_unit_test(too_many_in_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
