/* Verification over tampered tables: each kind of harm is told apart, counted and named by key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/stage.h"
#include "driver/verify.h"
#include "unit/driver/memory_engine.h"

enum { STREAMS = 3, ROWS = 100, PAYLOAD = 20 };

/* On the heap, so that the streams of a test that failed disturb no other. */
struct bench {
    struct workload load;
    struct memory_db *db;
    struct stage stage;
    struct verify_record record;
};

static struct bench *bench_open(struct workload load)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    struct err err;
    b->load = load;
    b->load.rows = ROWS;
    b->load.streams = STREAMS;
    b->load.shape = (struct row_shape){
        .seed = 8, .key_columns = 2, .payload_bytes = PAYLOAD, .random_bytes = PAYLOAD};
    b->db = memory_create(&b->load);
    assert_int_equal(stage_open(&b->stage, &memory_adapter, &b->db->base, &b->load, true, &err), 0);
    assert_true(stage_wait(&b->stage, 20 * NS_PER_S));
    return b;
}

static void bench_release(struct bench *b)
{
    stage_close(&b->stage);
    assert_string_equal(b->db->violation, "");
    memory_destroy(b->db);
    free(b);
}

static void run_phase(struct bench *b, enum phase_kind kind, int64_t duration_ns)
{
    stage_prepare(&b->stage, kind);
    stage_start(&b->stage, 0, duration_ns);
    assert_true(stage_wait(&b->stage, 20 * NS_PER_S));
    assert_int_equal(stage_stopped(&b->stage), STOP_NONE);
}

static const struct verify_record *verify(struct bench *b)
{
    struct err err;
    assert_int_equal(verify_stage(&b->stage, NULL, &b->record, &err), 0);
    assert_true(b->record.checked);
    return &b->record;
}

/* Expected, found, and the harm. */
static void expect(struct bench *b, uint64_t expected, uint64_t lost, uint64_t surplus,
                   uint64_t wrong)
{
    const struct verify_record *r = verify(b);
    assert_int_equal(r->lost_rows, lost);
    assert_int_equal(r->surplus_rows, surplus);
    assert_int_equal(r->wrong_rows, wrong);
    assert_int_equal(r->expected_rows, expected);
    assert_int_equal(r->found_rows, expected - lost + surplus);
    assert_int_equal(r->in_doubt_rows, 0);
    assert_int_equal(verify_is_ok(r), lost + surplus + wrong == 0);
}

static void expect_shown(const struct bench *b, size_t i, int64_t id, const char *what)
{
    assert_true(i < b->record.shown);
    assert_int_equal(b->record.first[i].id, id);
    assert_string_equal(b->record.first[i].what, what);
}

static const struct workload shared = {
    .layout = LAYOUT_SHARED_TABLE, .files = 1, .rows_per_commit = 7};

static struct memory_row *row_at(struct bench *b, unsigned stream, uint64_t sequence)
{
    return &b->db->conns[stream].rows[sequence];
}

static void every_layout_is_read_back(void **state)
{
    const struct workload loads[] = {
        {.layout = LAYOUT_SHARED_TABLE, .files = 1, .rows_per_commit = 7},
        {.layout = LAYOUT_SHARED_TABLE, .files = 2, .rows_per_commit = 7},
        {.layout = LAYOUT_SHARED_TABLE, .files = 3, .rows_per_commit = 100},
        {.layout = LAYOUT_TABLE_PER_STREAM, .files = 1, .rows_per_commit = 1},
        {.layout = LAYOUT_TABLE_PER_STREAM, .files = 2, .rows_per_commit = 7},
        {.layout = LAYOUT_FILE_PER_STREAM, .files = 1, .rows_per_commit = 7},
    };
    (void)state;
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        struct bench *b = bench_open(loads[i]);
        expect(b, 0, 0, 0, 0);
        run_phase(b, PHASE_INSERT, 0);
        expect(b, STREAMS * ROWS, 0, 0, 0);
        row_at(b, 2, 41)->present = false;
        expect(b, STREAMS * ROWS, 1, 0, 0);
        expect_shown(b, 0, row_id(2, 41), "lost");
        row_at(b, 2, 41)->present = true;
        run_phase(b, PHASE_DELETE, 0);
        expect(b, 0, 0, 0, 0);
        row_at(b, 1, 0)->present = true; /* came back from the dead */
        expect(b, 0, 0, 1, 0);
        expect_shown(b, 0, row_id(1, 0), "surplus");
        bench_release(b);
    }
}

static void lost_and_surplus_do_not_cancel_out(void **state)
{
    (void)state;
    struct bench *b = bench_open(shared);
    run_phase(b, PHASE_INSERT, 0);
    run_phase(b, PHASE_INSERT, 0);
    run_phase(b, PHASE_DELETE, 0); /* the oldest: sequences below ROWS are gone */
    expect(b, STREAMS * ROWS, 0, 0, 0);
    row_at(b, 0, ROWS + 5)->present = false;
    row_at(b, 0, 5)->present = true;
    expect(b, STREAMS * ROWS, 1, 1, 0);
    assert_int_equal(b->record.found_rows, b->record.expected_rows);
    expect_shown(b, 0, row_id(0, 5), "surplus");
    expect_shown(b, 1, row_id(0, ROWS + 5), "lost");
    assert_int_equal(b->record.shown, 2);
    /* A whole stream gone, and its neighbours there twice over. */
    for (uint64_t s = ROWS; s < 2 * ROWS; s++)
        row_at(b, 1, s)->present = false;
    expect(b, STREAMS * ROWS, ROWS + 1, 1, 0);
    bench_release(b);
}

static void keys_that_come_twice_or_out_of_order(void **state)
{
    (void)state;
    struct bench *b = bench_open(shared);
    run_phase(b, PHASE_INSERT, 0);
    b->db->twice_id = row_id(1, 30);
    expect(b, STREAMS * ROWS, 0, 1, 0);
    expect_shown(b, 0, row_id(1, 30), "surplus");
    /* Doubled and lost: both count. */
    row_at(b, 0, 30)->present = false;
    expect(b, STREAMS * ROWS, 1, 1, 0);
    row_at(b, 0, 30)->present = true;
    b->db->twice_id = -1;
    /* Where it belongs it is missing, where it comes it is one too many. */
    b->db->late_id = row_id(0, 99);
    expect(b, STREAMS * ROWS, 1, 1, 0);
    expect_shown(b, 0, row_id(0, 99), "lost");
    expect_shown(b, 1, row_id(0, 99), "surplus");
    /* The last row of all, twice. */
    b->db->late_id = -1;
    b->db->twice_id = row_id(STREAMS - 1, ROWS - 1);
    expect(b, STREAMS * ROWS, 0, 1, 0);
    bench_release(b);
}

static void rows_of_nobody(void **state)
{
    const int64_t ids[] = {INT64_MIN,
                           0,
                           row_id(0, 0) - 1, /* below the first */
                           row_id(0, ROWS),  /* between two streams */
                           row_id(1, UINT64_C(1) << 37),
                           row_id(STREAMS - 1, ROWS), /* above the last */
                           row_id(STREAMS, 0),
                           INT64_MAX};
    const size_t count = sizeof ids / sizeof ids[0];
    (void)state;
    for (int filled = 0; filled <= 1; filled++) {
        struct bench *b = bench_open(shared);
        if (filled)
            run_phase(b, PHASE_INSERT, 0);
        uint64_t rows = filled ? STREAMS * ROWS : 0;
        for (size_t i = 0; i < count; i++)
            memory_add_extra(b->db, ids[i]);
        expect(b, rows, 0, count, 0);
        assert_int_equal(b->record.shown, count);
        for (size_t i = 0; i < count; i++)
            expect_shown(b, i, ids[i], "surplus");
        bench_release(b);
    }
}

static void rows_in_a_table_of_another_stream(void **state)
{
    (void)state;
    struct bench *b = bench_open(
        (struct workload){.layout = LAYOUT_TABLE_PER_STREAM, .files = 1, .rows_per_commit = 7});
    run_phase(b, PHASE_INSERT, 0);
    /* A row of stream 0 that is expected, but in table 0: here it is surplus. */
    b->db->extra_table = 2;
    memory_add_extra(b->db, row_id(0, 10));
    row_at(b, 0, 10)->present = false;
    expect(b, STREAMS * ROWS, 1, 1, 0);
    expect_shown(b, 0, row_id(0, 10), "lost");
    expect_shown(b, 1, row_id(0, 10), "surplus");
    bench_release(b);
}

static void rows_that_are_wrong(void **state)
{
    (void)state;
    struct bench *b = bench_open(shared);
    run_phase(b, PHASE_INSERT, 0);
    row_at(b, 0, 0)->payload[PAYLOAD - 1] ^= 1;
    row_at(b, 1, 50)->keys[1] += 1;
    row_at(b, 1, 51)->keys[0] += INT64_C(1) << 32; /* right in its lower half */
    row_at(b, 2, ROWS - 1)->stream = 1;
    expect(b, STREAMS * ROWS, 0, 0, 4);
    expect_shown(b, 0, row_id(0, 0), "wrong");
    expect_shown(b, 1, row_id(1, 50), "wrong");
    expect_shown(b, 2, row_id(1, 51), "wrong");
    expect_shown(b, 3, row_id(2, ROWS - 1), "wrong");
    assert_int_equal(b->record.shown, 4);
    bench_release(b);
}

static void the_first_keys_are_shown_in_order(void **state)
{
    (void)state;
    struct bench *b = bench_open(shared);
    run_phase(b, PHASE_INSERT, 0);
    for (uint64_t s = 0; s < 30; s++)
        row_at(b, 1, 3 * s)->present = false;
    row_at(b, 1, 1)->payload[0] ^= 0x80;
    expect(b, STREAMS * ROWS, 30, 0, 1);
    assert_int_equal(b->record.shown, RESULT_KEYS_SHOWN);
    expect_shown(b, 0, row_id(1, 0), "lost");
    expect_shown(b, 1, row_id(1, 1), "wrong");
    expect_shown(b, 2, row_id(1, 3), "lost");
    for (size_t i = 1; i < RESULT_KEYS_SHOWN; i++)
        assert_true(b->record.first[i - 1].id < b->record.first[i].id);
    bench_release(b);
}

/* Random keys, deletes in another random order, cut at no particular place. */
static void a_delete_that_is_cut_half_way(void **state)
{
    const enum order_kind removals[] = {ORDER_ASCENDING, ORDER_DESCENDING, ORDER_RANDOM};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bench *b = bench_open((struct workload){.layout = LAYOUT_SHARED_TABLE,
                                                       .files = 2,
                                                       .rows_per_commit = 1,
                                                       .key_order = ORDER_RANDOM,
                                                       .delete_order = removals[i]});
        struct memory_fault *slow =
            memory_fault(b->db, (struct memory_fault){.slot = MEMORY_COMMIT,
                                                      .stream = MEMORY_ANY_STREAM,
                                                      .nth = 1,
                                                      .times = MEMORY_ALWAYS,
                                                      .delay_ns = NS_PER_MS / 2});
        run_phase(b, PHASE_INSERT, 20 * NS_PER_MS);
        uint64_t held = memory_held(b->db, 0) + memory_held(b->db, 1) + memory_held(b->db, 2);
        assert_in_range(held, 1, STREAMS * ROWS - 1);
        expect(b, held, 0, 0, 0);
        run_phase(b, PHASE_DELETE, 10 * NS_PER_MS);
        uint64_t left = memory_held(b->db, 0) + memory_held(b->db, 1) + memory_held(b->db, 2);
        assert_true(left < held);
        expect(b, left, 0, 0, 0);
        slow->delay_ns = 0;
        run_phase(b, PHASE_INSERT, 0);
        expect(b, left + STREAMS * ROWS, 0, 0, 0);
        row_at(b, 2, ROWS + 7)->present = false;
        expect(b, left + STREAMS * ROWS, 1, 0, 0);
        bench_release(b);
    }
}

/* Half of a transaction whose commit was lost on the way is there: that may not be. */
static void half_a_commit_in_doubt(void **state)
{
    (void)state;
    for (int first = 0; first <= 1; first++) {
        struct bench *b = bench_open(shared);
        memory_fault(b->db, (struct memory_fault){.slot = MEMORY_COMMIT,
                                                  .stream = 1,
                                                  .nth = 2, /* sequences 7 to 13 */
                                                  .times = 1,
                                                  .status = OP_LOST,
                                                  .effect = MEMORY_AFTER});
        run_phase(b, PHASE_INSERT, 0);
        assert_int_equal(b->stage.streams[1].in_doubt_rows, 7);
        for (uint64_t s = 7; s < 14; s++)
            row_at(b, 1, s)->present = (s < 10) == first;
        const struct verify_record *r = verify(b);
        assert_int_equal(r->in_doubt_rows, 7);
        assert_int_equal(r->lost_rows, first ? 4 : 0);
        assert_int_equal(r->surplus_rows, first ? 0 : 4);
        assert_int_equal(r->expected_rows, STREAMS * ROWS - (first ? 0 : 7));
        assert_false(verify_is_ok(r));
        bench_release(b);
    }
}

static void the_engine_has_the_last_word(void **state)
{
    struct verify_record record;
    struct err err;
    volatile int stop = 1;
    (void)state;
    struct bench *b = bench_open(shared);
    run_phase(b, PHASE_INSERT, 0);
    assert_string_equal(verify(b)->integrity, "ok");
    b->db->broken = true;
    assert_false(verify_is_ok(verify(b)));
    assert_int_equal(b->record.lost_rows + b->record.surplus_rows + b->record.wrong_rows, 0);
    assert_string_equal(b->record.integrity, "page 7 is torn");
    b->db->broken = false;
    /* A scan that fails is no mismatch; a stop ends it without a word on the rows. */
    b->db->scan_status = OP_FATAL;
    assert_int_equal(verify_stage(&b->stage, NULL, &record, &err), -1);
    assert_int_equal(err.kind, ERR_FAILED);
    assert_non_null(strstr(err.text, "table 0: scripted scan"));
    b->db->scan_status = OP_OK;
    row_at(b, 0, 0)->present = false;
    assert_int_equal(verify_stage(&b->stage, &stop, &record, &err), 0);
    assert_false(record.checked);
    assert_int_equal(record.lost_rows, 0);
    bench_release(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_is_read_back),
        cmocka_unit_test(lost_and_surplus_do_not_cancel_out),
        cmocka_unit_test(keys_that_come_twice_or_out_of_order),
        cmocka_unit_test(rows_of_nobody),
        cmocka_unit_test(rows_in_a_table_of_another_stream),
        cmocka_unit_test(rows_that_are_wrong),
        cmocka_unit_test(the_first_keys_are_shown_in_order),
        cmocka_unit_test(a_delete_that_is_cut_half_way),
        cmocka_unit_test(half_a_commit_in_doubt),
        cmocka_unit_test(the_engine_has_the_last_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
