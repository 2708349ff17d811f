/* Mixed phases, change by change: scripts of interleavings with known outcomes, over a table that
 * is a small array here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "driver/overlap.h"
#include "driver/verify.h"

enum { STREAMS = 3, KEYS = 6, PAYLOAD = 24, A = 0, B = 1, C = 2 };

/* A row of the table; what it holds was made of (stream, sequence). */
struct cell {
    bool present;
    unsigned stream;
    uint64_t sequence;
};

struct bench {
    struct adapter_db db;
    struct workload load;
    struct stage stage;
    struct stream streams[STREAMS];
    uint64_t tickets;
    struct cell table[KEYS];
    struct cell staged[STREAMS][KEYS]; /* changes that are not in the table yet */
    bool changes[STREAMS][KEYS];
    int64_t shift[KEYS]; /* added to ids: rows of nobody */
    bool twice;          /* the last row comes twice */
    struct verify_record record;
};

static enum op_status scan(struct adapter_db *db, unsigned table, const struct row_visitor *visit,
                           struct op_error *why)
{
    struct bench *b = (struct bench *)db;
    (void)table;
    (void)why;
    for (uint64_t key = 0, times = 1; key < KEYS; key++) {
        const struct cell *cell = &b->table[key];
        int32_t keys[ROW_KEYS_MAX];
        int64_t wide[ROW_KEYS_MAX];
        unsigned char payload[PAYLOAD];
        if (!cell->present)
            continue;
        row_make(&b->load.shape, cell->stream, cell->sequence, keys, payload);
        for (unsigned i = 0; i < b->load.shape.key_columns; i++)
            wide[i] = keys[i];
        struct row row = {.id = row_id(0, key) + b->shift[key],
                          .stream = cell->stream,
                          .keys = wide,
                          .payload = {payload, PAYLOAD}};
        for (times = b->twice && key == KEYS - 1 ? 2 : 1; times > 0; times--)
            if (!visit->row(visit->ctx, &row))
                return OP_OK;
    }
    return OP_OK;
}

static enum op_status integrity(struct adapter_db *db, bool *ok, struct op_error *why)
{
    (void)db;
    (void)why;
    *ok = true;
    return OP_OK;
}

static const struct adapter engine = {
    .name = "array", .caps = ADAPTER_KEEPS_ROWS, .scan = scan, .integrity = integrity};

static int make(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    b->db.ops = &engine;
    b->load = (struct workload){
        .rows = 100,
        .rows_per_commit = KEYS,
        .streams = STREAMS,
        .layout = LAYOUT_SHARED_TABLE,
        .files = 1,
        .row_keys = ROW_KEYS_OVERLAPPING,
        .common_keys = KEYS,
        .shape = {.seed = 2, .key_columns = 1, .payload_bytes = PAYLOAD, .random_bytes = PAYLOAD}};
    b->stage = (struct stage){.adapter = &engine,
                              .db = &b->db,
                              .load = &b->load,
                              .stream_count = STREAMS,
                              .streams = b->streams};
    for (unsigned i = 0; i < STREAMS; i++)
        b->streams[i].overlap = overlap_create(&b->load, i);
    *state = b;
    return 0;
}

static int drop(void **state)
{
    struct bench *b = *state;
    for (unsigned i = 0; i < STREAMS; i++)
        overlap_destroy(b->streams[i].overlap);
    free(b);
    return 0;
}

static void begin(struct bench *b, unsigned s)
{
    overlap_begin(b->streams[s].overlap);
    memset(b->changes[s], 0, sizeof b->changes[s]);
}

/* The statement has returned: the stream has the row's lock, and draws its ticket. */
static void upsert(struct bench *b, unsigned s, uint64_t key)
{
    struct overlap *o = b->streams[s].overlap;
    uint64_t sequence = o->next_sequence++;
    b->staged[s][key] = (struct cell){.present = true, .stream = s, .sequence = sequence};
    b->changes[s][key] = true;
    overlap_changed(o, key, ++b->tickets, sequence);
}

static void erase(struct bench *b, unsigned s, uint64_t key)
{
    b->staged[s][key] = (struct cell){.present = false};
    b->changes[s][key] = true;
    overlap_changed(b->streams[s].overlap, key, ++b->tickets, OVERLAP_ERASED);
}

/* The engine commits: from now on others may take the locks. */
static void done(struct bench *b, unsigned s)
{
    for (size_t key = 0; key < KEYS; key++)
        if (b->changes[s][key])
            b->table[key] = b->staged[s][key];
}

static void acknowledged(struct bench *b, unsigned s)
{
    overlap_commit(b->streams[s].overlap);
}

static void lost(struct bench *b, unsigned s, uint64_t rows)
{
    assert_true(overlap_commit_in_doubt(b->streams[s].overlap, rows));
}

static void put(struct bench *b, unsigned s, uint64_t first, uint64_t end)
{
    begin(b, s);
    for (uint64_t key = first; key < end; key++)
        upsert(b, s, key);
    done(b, s);
    acknowledged(b, s);
}

static void expect(struct bench *b, uint64_t rows, uint64_t lost_rows, uint64_t surplus,
                   uint64_t wrong, uint64_t in_doubt)
{
    struct err err;
    assert_int_equal(verify_stage(&b->stage, NULL, &b->record, &err), 0);
    assert_true(b->record.checked);
    assert_int_equal(b->record.lost_rows, lost_rows);
    assert_int_equal(b->record.surplus_rows, surplus);
    assert_int_equal(b->record.wrong_rows, wrong);
    assert_int_equal(b->record.expected_rows, rows);
    assert_int_equal(b->record.found_rows, rows - lost_rows + surplus);
    assert_int_equal(b->record.in_doubt_rows, in_doubt);
    assert_int_equal(verify_is_ok(&b->record), lost_rows + surplus + wrong == 0);
}

static void expect_shown(const struct bench *b, size_t i, int64_t id, const char *what)
{
    assert_true(i < b->record.shown);
    assert_int_equal(b->record.first[i].id, id);
    assert_string_equal(b->record.first[i].what, what);
}

static void tickets_decide_not_acknowledgements(void **state)
{
    struct bench *b = *state;
    expect(b, 0, 0, 0, 0, 0);
    begin(b, A);
    upsert(b, A, 1);
    done(b, A); /* its acknowledgement is on the way */
    begin(b, B);
    upsert(b, B, 1);
    erase(b, B, 2); /* of nobody's row: harmless here */
    done(b, B);
    acknowledged(b, B);
    acknowledged(b, A);
    expect(b, 1, 0, 0, 0, 0);
    struct cell right = b->table[1];
    b->table[1] = b->staged[A][1]; /* A's is older, though it was acknowledged last */
    expect(b, 1, 0, 0, 1, 0);
    expect_shown(b, 0, row_id(0, 1), "wrong");
    b->table[1] = right;
    /* A takes the row away again. */
    begin(b, A);
    erase(b, A, 1);
    done(b, A);
    acknowledged(b, A);
    expect(b, 0, 0, 0, 0, 0);
}

static void what_was_rolled_back_leaves_no_trace(void **state)
{
    struct bench *b = *state;
    put(b, A, 0, 3);
    begin(b, B); /* a deadlock ends this attempt */
    upsert(b, B, 2);
    erase(b, B, 1);
    struct cell never = b->staged[B][2];
    begin(b, B);
    upsert(b, B, 2);
    done(b, B);
    acknowledged(b, B);
    expect(b, 3, 0, 0, 0, 0);
    b->table[2] = never; /* the attempt that was rolled back is told from the one that counts */
    expect(b, 3, 0, 0, 1, 0);
    begin(b, C); /* never ends */
    erase(b, C, 0);
    expect(b, 3, 0, 0, 1, 0);
}

static void in_doubt_it_may_be_there_or_not(void **state)
{
    struct bench *b = *state;
    for (unsigned effect = 0; effect <= 1; effect++) {
        put(b, A, 0, 4); /* keys 0 to 3 */
        begin(b, C);
        erase(b, C, 5);
        done(b, C);
        acknowledged(b, C);
        begin(b, B);
        upsert(b, B, 3);
        erase(b, B, 0);
        upsert(b, B, 4);
        if (effect)
            done(b, B);
        lost(b, B, 4); /* one erase more found nothing */
        expect(b, 4, 0, 0, 0, 4);
        expect(b, 4, 0, 0, 0, 0); /* settled */
        assert_int_equal(b->streams[B].overlap->doubt_count, 0);
        /* What is settled stays so. */
        b->table[0].present = !b->table[0].present;
        expect(b, 4, effect == 0, effect, 0, 0);
        expect_shown(b, 0, row_id(0, 0), effect ? "surplus" : "lost");
        b->table[0].present = !b->table[0].present;
        if (effect == 0) { /* it comes late: too late */
            done(b, B);
            expect(b, 4, 1, 1, 1, 0);
            b->table[4].present = false;
        }
        for (unsigned key = 0; key < KEYS; key++)
            b->table[key].present = false;
        begin(b, A);
        for (unsigned key = 0; key < KEYS; key++)
            erase(b, A, key);
        acknowledged(b, A);
        expect(b, 0, 0, 0, 0, 0);
    }
}

static void half_of_it_is_harm(void **state)
{
    struct bench *b = *state;
    put(b, A, 0, 2);
    begin(b, B);
    for (unsigned key = 0; key < 5; key++)
        upsert(b, B, key);
    done(b, B);
    lost(b, B, 5);
    b->table[4].present = false; /* four of five are there: the fifth is lost */
    expect(b, 5, 1, 0, 0, 5);
    expect_shown(b, 0, row_id(0, 4), "lost");

    begin(b, C);
    for (unsigned key = 0; key < 4; key++)
        upsert(b, C, key);
    erase(b, C, 5);
    struct cell before[KEYS];
    memcpy(before, b->table, sizeof before);
    done(b, C);
    lost(b, C, 5);
    b->table[0] = before[0];
    b->table[1] = before[1];
    b->table[2] = before[2];
    b->table[5] = (struct cell){.present = true, .stream = C, .sequence = 0};
    /* One of five: it was not done, so this one is wrong; key 5 was nobody's anyway. */
    expect(b, 5, 1, 1, 1, 5);
    expect_shown(b, 0, row_id(0, 3), "wrong");
    expect_shown(b, 1, row_id(0, 4), "lost");
    expect_shown(b, 2, row_id(0, 5), "surplus");
}

/* A change that is acknowledged later covers one in doubt; the other keys still tell its fate. */
static void covered_by_a_later_change(void **state)
{
    struct bench *b = *state;
    for (unsigned effect = 0; effect <= 1; effect++) {
        put(b, A, 0, 3);
        begin(b, B);
        upsert(b, B, 0);
        erase(b, B, 1);
        if (effect)
            done(b, B);
        lost(b, B, 2);
        put(b, C, 0, 1);
        expect(b, effect ? 2 : 3, 0, 0, 0, 2);
        b->table[1].present = !b->table[1].present;
        expect(b, effect ? 2 : 3, !effect, effect, 0, 0);
    }
    /* Covered altogether: nothing can be told, and nothing matters. */
    put(b, A, 0, 3);
    begin(b, B);
    upsert(b, B, 0);
    lost(b, B, 1);
    put(b, C, 0, 1);
    expect(b, 3, 0, 0, 0, 1);
    expect(b, 3, 0, 0, 0, 0);
}

/* Three transactions in doubt over common keys, all fates. */
static void a_chain_of_doubts(void **state)
{
    struct bench *b = *state;
    for (unsigned fates = 0; fates < 8; fates++) {
        put(b, C, 0, KEYS);
        begin(b, A);
        upsert(b, A, 0);
        upsert(b, A, 1);
        if (fates & 1)
            done(b, A);
        lost(b, A, 2);
        begin(b, B);
        erase(b, B, 1);
        upsert(b, B, 2);
        upsert(b, B, 4);
        if (fates & 2)
            done(b, B);
        lost(b, B, 3);
        begin(b, A);
        erase(b, A, 2);
        erase(b, A, 3);
        erase(b, A, 4);
        if (fates & 4)
            done(b, A);
        lost(b, A, 3);
        unsigned there = 0;
        for (unsigned key = 0; key < KEYS; key++)
            there += b->table[key].present;
        expect(b, there, 0, 0, 0, 8);
        expect(b, there, 0, 0, 0, 0);
        b->table[0] = (struct cell){.present = true, .stream = B, .sequence = 0};
        expect(b, there, 0, 0, 1, 0);
    }
}

/* One that changed nothing, after one that did, does not hide it. */
static void a_doubt_without_changes(void **state)
{
    struct bench *b = *state;
    for (unsigned effect = 0; effect <= 1; effect++) {
        put(b, C, 0, 2);
        begin(b, B);
        upsert(b, B, 0);
        upsert(b, B, 1);
        done(b, B);
        lost(b, B, 2);
        begin(b, A);
        upsert(b, A, 1);
        if (effect)
            done(b, A);
        lost(b, A, 1);
        begin(b, A); /* erases that found nothing */
        lost(b, A, 3);
        expect(b, 2, 0, 0, 0, 6);
        expect(b, 2, 0, 0, 0, 0);
    }
}

static void rows_of_nobody(void **state)
{
    struct bench *b = *state;
    put(b, A, 0, KEYS);
    b->shift[5] = 1; /* above the set */
    expect(b, KEYS, 1, 1, 0, 0);
    expect_shown(b, 0, row_id(0, 6), "surplus");
    expect_shown(b, 1, row_id(0, 5), "lost");
    b->shift[5] = row_id(1, 0) - row_id(0, 0); /* another stream's id */
    expect(b, KEYS, 1, 1, 0, 0);
    b->shift[5] = -1; /* key 4 comes twice */
    expect(b, KEYS, 1, 1, 0, 0);
    b->shift[5] = 0;
    b->twice = true;
    expect(b, KEYS, 0, 1, 0, 0);
    b->twice = false;
    b->table[3].stream = STREAMS + 7; /* of no stream */
    expect(b, KEYS, 0, 0, 1, 0);
    expect_shown(b, 0, row_id(0, 3), "wrong");
}

static void a_stop_settles_nothing(void **state)
{
    struct bench *b = *state;
    struct err err;
    volatile int stop = 1;
    begin(b, A);
    upsert(b, A, 0);
    lost(b, A, 1);
    assert_int_equal(verify_stage(&b->stage, &stop, &b->record, &err), 0);
    assert_false(b->record.checked);
    assert_int_equal(b->streams[A].overlap->doubt_count, 1);
    expect(b, 0, 0, 0, 0, 1);
}

/* Keys are distinct, in every order, and the attempts at a transaction alike. */
static void what_is_chosen(void **state)
{
    struct bench *b = *state;
    struct overlap *o = b->streams[A].overlap;
    enum { TRIES = 6000 };
    unsigned first[KEYS] = {0}, second[KEYS] = {0}, rising = 0, erases = 0;
    for (int i = 0; i < TRIES; i++) {
        bool seen[KEYS] = {false};
        overlap_choose(o);
        for (uint64_t k = 0; k < KEYS; k++) {
            uint64_t key = overlap_key(o, k);
            assert_true(key < KEYS && !seen[key]);
            seen[key] = true;
        }
        second[overlap_key(o, 1)]++;
        first[overlap_key(o, 0)]++;
        rising += overlap_key(o, 0) < overlap_key(o, 1);
        erases += overlap_erases(o, 0);
        assert_int_equal(overlap_erases(o, 0), overlap_erases(o, 0));
    }
    for (size_t k = 0; k < KEYS; k++) {
        assert_in_range(second[k], TRIES / KEYS * 9 / 10, TRIES / KEYS * 11 / 10);
        assert_in_range(first[k], TRIES / KEYS * 9 / 10, TRIES / KEYS * 11 / 10);
    }
    assert_in_range(rising, TRIES * 45 / 100, TRIES * 55 / 100);
    assert_in_range(erases, TRIES * 47 / 100, TRIES * 53 / 100);
    /* Streams do not go in step. */
    overlap_choose(o);
    overlap_choose(b->streams[B].overlap);
    assert_int_not_equal(o->kinds, b->streams[B].overlap->kinds);
}

static enum op_status no_upsert(struct adapter_conn *conn, const struct row_batch *rows,
                                struct op_error *why)
{
    (void)conn;
    (void)rows;
    return op_fail(why, OP_FATAL, 0, "never called");
}

static void engines_that_cannot(void **state)
{
    struct bench *b = *state;
    struct err err = {.kind = ERR_NONE};
    struct adapter half = engine;
    half.upsert = no_upsert;
    assert_int_equal(overlap_check(&half, &b->load, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, "the engine array cannot replace rows, as row.keys = overlapping "
                                  "asks for; use another engine, or row.keys = own");
    assert_int_equal(overlap_check(adapter_find("null"), &b->load, &err), -1);
    assert_int_equal(overlap_check(adapter_find("fsync"), &b->load, &err), -1);
    assert_int_equal(overlap_check(adapter_find("sqlite"), &b->load, &err), 0);
    b->load.row_keys = ROW_KEYS_OWN;
    assert_int_equal(overlap_check(&engine, &b->load, &err), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tickets_decide_not_acknowledgements),
        TEST(what_was_rolled_back_leaves_no_trace),
        TEST(in_doubt_it_may_be_there_or_not),
        TEST(half_of_it_is_harm),
        TEST(covered_by_a_later_change),
        TEST(a_chain_of_doubts),
        TEST(a_doubt_without_changes),
        TEST(rows_of_nobody),
        TEST(a_stop_settles_nothing),
        TEST(what_is_chosen),
        TEST(engines_that_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
