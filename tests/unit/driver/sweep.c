/* The fault sweep: call 1..n of each slot fails with each status, before and after its effect, once
 * and for good, in every phase, with one stream and several, with and without a line.  The engine
 * watches the order of the calls; here totals, retries and reasons are checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/stage.h"
#include "driver/verify.h"
#include "unit/driver/memory_engine.h"

/* Four rows a commit in batches of three, so that a transaction takes several calls. */
enum { ROWS = 10, ROWS_PER_COMMIT = 4, PAYLOAD = 10000, CALLS = 3, STREAMS_MAX = 3 };
#define HOME_NS (20 * NS_PER_S) /* far more than any stream needs */

struct setup {
    unsigned streams;
    bool one_line;
    int victim;
};
static const struct setup setups[] = {{1, false, MEMORY_ANY_STREAM},
                                      {1, true, MEMORY_ANY_STREAM},
                                      {3, false, MEMORY_ANY_STREAM},
                                      {3, true, 1}};
enum { SETUPS = sizeof setups / sizeof setups[0] };
#ifdef __SANITIZE_THREAD__ /* slow there, and one stream races with nobody */
enum { FIRST_SETUP = 2, FIRST_CALL = 2, LAST_CALL = 2 };
#else
enum { FIRST_SETUP = 0, FIRST_CALL = 1, LAST_CALL = CALLS };
#endif

struct fault_case {
    const struct setup *setup;
    enum phase_kind phase;
    enum memory_slot slot;
    enum op_status status;
    enum memory_effect effect;
    uint64_t nth, times;
};

/* The case at hand, for the message of a check. */
static struct fault_case current;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("not so: %s\n  %u streams, line %d, phase %s: %s %llu fails with %d %s, %s",  \
                     #condition, current.setup->streams, current.setup->one_line,                  \
                     phase_name(current.phase), memory_slot_names[current.slot],                   \
                     (unsigned long long)current.nth, (int)current.status,                         \
                     current.effect == MEMORY_AFTER ? "after" : "before",                          \
                     current.times == 1 ? "once" : "always");                                      \
    } while (0)

/* On the heap, so that the streams of a case that failed disturb no other. */
struct bench {
    struct workload load;
    struct memory_db *db;
    struct stage stage;
    uint64_t stranded; /* rows whose delete was lost: no later phase takes them */
};

static struct bench *bench_create(const struct setup *setup)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->load = (struct workload){
        .rows = ROWS,
        .rows_per_commit = ROWS_PER_COMMIT,
        .streams = setup->streams,
        .layout = LAYOUT_TABLE_PER_STREAM,
        .files = 1,
        .shape = {.seed = 3, .key_columns = 1, .payload_bytes = PAYLOAD, .random_bytes = 8}};
    b->db = memory_create(&b->load);
    b->db->one_line = setup->one_line;
    return b;
}

static void bench_open(struct bench *b)
{
    struct err err;
    assert_int_equal(stage_open(&b->stage, &memory_adapter, &b->db->base, &b->load, true, &err), 0);
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

/* How the phase with the fault comes to its end. */
enum ending { ENDS_DONE, ENDS_FAILED, ENDS_BY_SIGNAL };

static enum ending predict(const struct fault_case *c)
{
    bool ends = c->status == OP_NO_SPACE || c->status == OP_FATAL;
    if (c->slot == MEMORY_ROLLBACK) /* neither done nor undone: only a new connection helps */
        return c->status == OP_LOST ? ENDS_DONE : ENDS_FAILED;
    if (ends)
        return ENDS_FAILED;
    bool in_doubt = c->slot == MEMORY_COMMIT && c->status == OP_LOST;
    return c->times == 1 || in_doubt ? ENDS_DONE : ENDS_BY_SIGNAL;
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

/* Waits for all; where it goes on for good, the signal must bring them home. */
static void come_home(struct bench *b, enum ending ending)
{
    if (ending == ENDS_BY_SIGNAL) {
        CHECK(!stage_wait(&b->stage, 10 * NS_PER_MS));
        wait_for_retry(b);
        stage_stop(&b->stage, STOP_SIGNAL);
    }
    CHECK(stage_wait(&b->stage, HOME_NS));
}

struct totals {
    uint64_t rows, commits, retries[3], all_retries, reconnects, in_doubt, held;
};

static struct totals totals_of(const struct bench *b)
{
    struct totals t = {0};
    for (unsigned i = 0; i < b->stage.stream_count; i++) {
        const struct stream *s = &b->stage.streams[i];
        t.rows += counter_read(&s->counters->rows);
        t.commits += counter_read(&s->counters->commits);
        t.all_retries += counter_read(&s->counters->retries);
        for (size_t k = 0; k < 3; k++)
            t.retries[k] += s->retries[k];
        t.reconnects += s->reconnects;
        t.in_doubt += s->in_doubt_rows;
        t.held += memory_held(b->db, i);
    }
    return t;
}

static void check_verify(struct bench *b, uint64_t held, uint64_t in_doubt)
{
    struct verify_record record;
    struct err err;
    CHECK(verify_stage(&b->stage, NULL, &record, &err) == 0);
    CHECK(record.checked && verify_is_ok(&record));
    CHECK(record.lost_rows == 0 && record.surplus_rows == 0 && record.wrong_rows == 0);
    CHECK(record.in_doubt_rows == in_doubt);
    CHECK(record.found_rows == held && record.expected_rows == held);
    CHECK(record.shown == 0);
}

/* What the driver calls a slot: execute belongs to the statement. */
static const char *call_name(enum memory_slot slot)
{
    return slot == MEMORY_EXECUTE ? phase_name(current.phase) : memory_slot_names[slot];
}

/* The message names stream and call, and what is to be done where there is something. */
static void check_failure(const struct bench *b, enum memory_slot slot)
{
    char text[128];
    const char *told = b->stage.failure.text;
    CHECK(b->stage.failed);
    if (current.status == OP_NO_SPACE)
        CHECK(strncmp(told, "no space left", 13) == 0);
    told = strstr(told, "stream ");
    CHECK(told != NULL);
    CHECK(current.setup->victim < 0 || told[7] == '0' + current.setup->victim);
    snprintf(text, sizeof text, ": %s: scripted %s", call_name(slot), memory_slot_names[slot]);
    CHECK(strcmp(told + 8, text) == 0);
    CHECK(stage_stopped(&b->stage) == (current.status == OP_NO_SPACE ? STOP_NO_SPACE : STOP_ERROR));
}

static void check_ending(const struct bench *b, enum ending ending, enum memory_slot slot)
{
    if (ending == ENDS_FAILED) {
        check_failure(b, slot);
        return;
    }
    CHECK(!b->stage.failed);
    CHECK(stage_stopped(&b->stage) == (ending == ENDS_DONE ? STOP_NONE : STOP_SIGNAL));
}

/* Runs one phase; every row is accounted for, whatever went wrong. */
static struct totals run_phase(struct bench *b, enum phase_kind kind, enum ending ending,
                               enum memory_slot slot)
{
    struct totals before = totals_of(b);
    stage_prepare(&b->stage, kind);
    stage_start(&b->stage, 0, 0);
    come_home(b, ending);
    struct totals t = totals_of(b);
    t.rows -= before.rows;
    t.commits -= before.commits;
    t.all_retries -= before.all_retries;
    check_ending(b, ending, slot);
    uint64_t moved = kind == PHASE_INSERT ? t.held - before.held : before.held - t.held;
    CHECK(t.rows <= moved && moved <= t.rows + t.in_doubt);
    CHECK(moved == t.rows + (current.effect == MEMORY_AFTER ? t.in_doubt : 0));
    CHECK(t.commits * ROWS_PER_COMMIT >= t.rows);
    CHECK(t.all_retries == t.retries[0] + t.retries[1] + t.retries[2]);
    if (ending == ENDS_DONE)
        CHECK(t.rows + t.in_doubt == (kind == PHASE_INSERT ? (uint64_t)ROWS * b->load.streams
                                                           : before.held - b->stranded));
    if (kind == PHASE_DELETE)
        b->stranded = t.held;
    check_verify(b, t.held, t.in_doubt);
    return t;
}

static void check_counts(const struct totals *t, enum ending ending)
{
    bool once = current.times == 1;
    bool retryable = op_is_retryable(current.status);
    if (current.slot == MEMORY_ROLLBACK) { /* of CALLS busy calls, the nth has a bad rollback */
        uint64_t lost = current.status != OP_LOST ? 0 : once ? 1 : CALLS - current.nth + 1;
        CHECK(t->reconnects == lost);
        if (ending == ENDS_DONE)
            CHECK(t->retries[0] == CALLS - lost && t->all_retries == CALLS - lost);
        return;
    }
    for (size_t k = 0; k < 3; k++) {
        bool this_one = retryable && (size_t)current.status == OP_BUSY + k;
        CHECK(this_one && !once ? t->retries[k] >= 1 : t->retries[k] == this_one);
    }
    CHECK(current.status == OP_LOST ? (once ? t->reconnects == 1 : t->reconnects >= 1)
                                    : t->reconnects == 0);
    bool in_doubt = current.slot == MEMORY_COMMIT && current.status == OP_LOST;
    CHECK((t->in_doubt > 0) == in_doubt);
    CHECK(!once || t->in_doubt <= ROWS_PER_COMMIT);
}

static void arm_current(struct bench *b)
{
    if (current.slot == MEMORY_ROLLBACK)
        arm(b, current.phase == PHASE_INSERT ? MEMORY_INSERT : MEMORY_REMOVE, OP_BUSY, 1, CALLS);
    arm(b, current.slot, current.status, current.nth, current.times);
}

static void run_case(void)
{
    enum ending ending = predict(&current);
    struct bench *b = bench_create(current.setup);
    bench_open(b);
    CHECK(stage_wait(&b->stage, HOME_NS));
    for (enum phase_kind kind = PHASE_INSERT; kind <= PHASE_DELETE; kind++) {
        bool now = kind == current.phase;
        if (now)
            arm_current(b);
        struct totals t = run_phase(b, kind, now ? ending : ENDS_DONE, current.slot);
        if (now)
            check_counts(&t, ending);
        if (now && ending != ENDS_DONE)
            break;
    }
    /* Another cycle finds everything in order: what was in doubt has been settled. */
    if (ending == ENDS_DONE && current.status == OP_LOST)
        for (enum phase_kind kind = PHASE_INSERT; kind <= PHASE_DELETE; kind++)
            run_phase(b, kind, ENDS_DONE, current.slot);
    CHECK(b->db->faults[b->db->fault_count - 1].hits >= 1);
    bench_release(b);
}

static bool slot_is_in(enum memory_slot slot, enum phase_kind phase)
{
    return slot != (phase == PHASE_INSERT ? MEMORY_REMOVE : MEMORY_INSERT) &&
           slot != MEMORY_UPSERT && slot != MEMORY_ERASE;
}

/* All cases in which call nth (and, with MEMORY_ALWAYS, every later one) of the slot fails. */
static void sweep_call(const struct setup *setup, enum memory_slot slot, uint64_t nth,
                       uint64_t times)
{
    for (enum phase_kind phase = PHASE_INSERT; phase <= PHASE_DELETE; phase++)
        for (int status = OP_OK + 1; status < OP_STATUS_COUNT; status++)
            for (int effect = MEMORY_BEFORE; effect <= MEMORY_AFTER && slot_is_in(slot, phase);
                 effect++) {
                current = (struct fault_case){.setup = setup,
                                              .phase = phase,
                                              .slot = slot,
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
    for (size_t i = FIRST_SETUP; i < SETUPS; i++)
        for (enum memory_slot slot = MEMORY_BEGIN; slot <= MEMORY_ROLLBACK; slot++)
            for (uint64_t nth = FIRST_CALL; nth <= LAST_CALL; nth++)
                sweep_call(&setups[i], slot, nth, 1);
}

static void a_call_that_fails_for_good(void **state)
{
    (void)state;
    for (size_t i = FIRST_SETUP; i < SETUPS; i++)
        for (enum memory_slot slot = MEMORY_BEGIN; slot <= MEMORY_ROLLBACK; slot++)
            sweep_call(&setups[i], slot, i % 2 == 0 ? 2 : 1, MEMORY_ALWAYS);
}

/* The first connection: busy passes, everything else ends the trial before it begins. */
static void first_connect_case(void)
{
    bool passes = op_is_retryable(current.status);
    enum ending ending = !passes ? ENDS_FAILED : current.times == 1 ? ENDS_DONE : ENDS_BY_SIGNAL;
    struct bench *b = bench_create(current.setup);
    arm(b, MEMORY_CONNECT, current.status, current.nth, current.times);
    bench_open(b);
    come_home(b, ending);
    check_ending(b, ending, MEMORY_CONNECT);
    stage_interrupt(&b->stage);
    if (ending == ENDS_DONE) {
        run_phase(b, PHASE_INSERT, ENDS_DONE, current.slot);
        run_phase(b, PHASE_DELETE, ENDS_DONE, current.slot);
    }
    bench_release(b);
}

/* The connection is lost in the middle; the one after it does not come at once, or never. */
static void later_connect_case(void)
{
    bool passes = op_is_retryable(current.status) || current.status == OP_LOST;
    enum ending ending = !passes ? ENDS_FAILED : current.times == 1 ? ENDS_DONE : ENDS_BY_SIGNAL;
    struct bench *b = bench_create(current.setup);
    bench_open(b);
    CHECK(stage_wait(&b->stage, HOME_NS));
    arm(b, MEMORY_BEGIN, OP_LOST, 2, 1);
    arm(b, MEMORY_CONNECT, current.status, current.nth, current.times);
    struct totals t = run_phase(b, PHASE_INSERT, ending, MEMORY_CONNECT);
    CHECK(t.reconnects == (ending == ENDS_DONE));
    CHECK(t.all_retries == 0);
    stage_interrupt(&b->stage);
    if (ending == ENDS_DONE)
        run_phase(b, PHASE_DELETE, ENDS_DONE, current.slot);
    bench_release(b);
}

static void a_connect_that_fails(void **state)
{
    const uint64_t times[] = {1, MEMORY_ALWAYS};
    (void)state;
    for (size_t i = 0; i < SETUPS; i++)
        for (int status = OP_OK + 1; status < OP_STATUS_COUNT; status++)
            for (size_t k = 0; k < 2; k++) {
                current = (struct fault_case){.setup = &setups[i],
                                              .slot = MEMORY_CONNECT,
                                              .status = (enum op_status)status,
                                              .nth = 1,
                                              .times = times[k]};
                first_connect_case();
                later_connect_case();
            }
}

/* A stream that is lost again and again does not keep the others from ending. */
static void a_failure_elsewhere_ends_a_lasting_loss(void **state)
{
    (void)state;
    current = (struct fault_case){.setup = &setups[3], .status = OP_FATAL, .times = 1};
    struct bench *b = bench_create(current.setup);
    bench_open(b);
    CHECK(stage_wait(&b->stage, HOME_NS));
    arm(b, MEMORY_BEGIN, OP_FATAL, 2, 1);
    memory_fault(b->db, (struct memory_fault){.slot = MEMORY_BEGIN,
                                              .stream = 0,
                                              .nth = 1,
                                              .times = MEMORY_ALWAYS,
                                              .status = OP_LOST});
    run_phase(b, PHASE_INSERT, ENDS_FAILED, MEMORY_BEGIN);
    bench_release(b);
}

/* A call that hangs is cut short; nothing counts as failed. */
static void an_interrupt_brings_hanging_streams_home(void **state)
{
    (void)state;
    for (size_t i = 0; i < SETUPS; i++) {
        current = (struct fault_case){.setup = &setups[i], .slot = MEMORY_COMMIT, .nth = 2};
        struct bench *b = bench_create(current.setup);
        bench_open(b);
        CHECK(stage_wait(&b->stage, HOME_NS));
        memory_fault(b->db, (struct memory_fault){.slot = MEMORY_COMMIT,
                                                  .stream = current.setup->victim,
                                                  .nth = 2,
                                                  .times = MEMORY_ALWAYS,
                                                  .delay_ns = 600 * NS_PER_S});
        stage_prepare(&b->stage, PHASE_INSERT);
        stage_start(&b->stage, 0, 0);
        CHECK(!stage_wait(&b->stage, 20 * NS_PER_MS));
        stage_stop(&b->stage, STOP_SIGNAL);
        while (!stage_wait(&b->stage, 5 * NS_PER_MS)) /* it may have come before the call did */
            stage_interrupt(&b->stage);
        CHECK(!b->stage.failed && stage_stopped(&b->stage) == STOP_SIGNAL);
        struct totals t = totals_of(b);
        CHECK(t.held == t.rows);
        check_verify(b, t.held, 0);
        bench_release(b);
    }
}

/* A limit cuts a transaction between two batches: it is rolled back, not half there. */
static void a_stop_between_batches_rolls_back(void **state)
{
    (void)state;
    current = (struct fault_case){.setup = &setups[2], .slot = MEMORY_INSERT, .nth = 1};
    struct bench *b = bench_create(current.setup);
    bench_open(b);
    CHECK(stage_wait(&b->stage, HOME_NS));
    memory_fault(b->db, (struct memory_fault){.slot = MEMORY_INSERT,
                                              .stream = MEMORY_ANY_STREAM,
                                              .nth = 1,
                                              .times = MEMORY_ALWAYS,
                                              .delay_ns = 50 * NS_PER_MS});
    stage_prepare(&b->stage, PHASE_INSERT);
    stage_start(&b->stage, 0, 0);
    stage_stop(&b->stage, STOP_WRITE_BYTES);
    stage_stop(&b->stage, STOP_FREE_SPACE); /* comes too late to be the reason */
    CHECK(stage_wait(&b->stage, HOME_NS));
    struct totals t = totals_of(b);
    CHECK(!b->stage.failed && stage_stopped(&b->stage) == STOP_WRITE_BYTES);
    CHECK(t.held == 0 && t.rows == 0 && t.commits == 0);
    check_verify(b, 0, 0);
    bench_release(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_fails_once),
        cmocka_unit_test(a_call_that_fails_for_good),
        cmocka_unit_test(a_connect_that_fails),
        cmocka_unit_test(a_failure_elsewhere_ends_a_lasting_loss),
        cmocka_unit_test(an_interrupt_brings_hanging_streams_home),
        cmocka_unit_test(a_stop_between_batches_rolls_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
