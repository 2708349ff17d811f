/* The ledger against a plain list of rows: next rows, expected rows, rows in doubt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "driver/ledger.h"
#include "driver/retry.h"

enum { ROWS = 300, CYCLES = 4 };

/* The plain list: one flag for each sequence. */
struct model {
    bool there[ROWS * CYCLES];
};

static struct workload workload(enum order_kind keys, enum order_kind removal)
{
    return (struct workload){.rows = ROWS,
                             .rows_per_commit = 7,
                             .streams = 1,
                             .files = 1,
                             .shape = {.seed = 5, .key_columns = 1, .payload_bytes = 10},
                             .key_order = keys,
                             .delete_order = removal};
}

/* Runs a phase until `limit` positions are committed; the model follows the rows that are sent. */
static void run(struct ledger *l, struct model *m, enum phase_kind kind, uint64_t limit)
{
    struct row_batch *batch = row_batch_create(&l->load->shape, l->stream);
    ledger_begin(l, kind);
    while (ledger_left(l) > 0 && limit > 0) {
        uint64_t n = ledger_left(l) < 7 ? ledger_left(l) : 7;
        n = n < limit ? n : limit;
        for (uint64_t sent = 0; sent < n;) {
            batch->count = 0;
            sent += ledger_fill(l, sent, n - sent < 3 ? n - sent : 3, batch);
            for (size_t i = 0; i < batch->count; i++) {
                uint64_t sequence = row_id_sequence(batch->ids[i]);
                assert_in_range(sequence, 0, ROWS * CYCLES - 1);
                assert_int_equal(m->there[sequence], kind == PHASE_DELETE);
                m->there[sequence] = kind == PHASE_INSERT;
            }
        }
        ledger_commit(l, n);
        limit -= n;
    }
    row_batch_destroy(batch);
}

static void compare(const struct ledger *l, const struct model *m)
{
    uint64_t next = 0;
    for (uint64_t s = 0; s < ledger_limit(l); s++) {
        assert_int_equal(ledger_state(l, s), m->there[s] ? LEDGER_PRESENT : LEDGER_ABSENT);
        if (m->there[s]) {
            assert_int_equal(ledger_next(l, next), s);
            next = s + 1;
        }
    }
    assert_int_equal(ledger_next(l, next), ledger_limit(l));
    assert_int_equal(ledger_state(l, ledger_limit(l)), LEDGER_ABSENT);
}

static void every_order_matches_a_plain_list(void **state)
{
    (void)state;
    const enum order_kind key_orders[] = {ORDER_ASCENDING, ORDER_RANDOM};
    const enum order_kind removals[] = {ORDER_ASCENDING, ORDER_DESCENDING, ORDER_RANDOM};
    for (size_t a = 0; a < 2; a++) {
        for (size_t b = 0; b < 3; b++) {
            struct workload load = workload(key_orders[a], removals[b]);
            struct ledger l;
            struct model m = {{false}};
            ledger_init(&l, &load, 0);
            run(&l, &m, PHASE_INSERT, ROWS);
            compare(&l, &m);
            run(&l, &m, PHASE_DELETE, 100); /* cut short */
            compare(&l, &m);
            run(&l, &m, PHASE_INSERT, 150); /* cut short */
            compare(&l, &m);
            run(&l, &m, PHASE_DELETE, ROWS);
            run(&l, &m, PHASE_DELETE, ROWS);
            compare(&l, &m);
            assert_int_equal(ledger_next(&l, 0), ledger_limit(&l));
            ledger_begin(&l, PHASE_DELETE); /* nothing is left */
            assert_int_equal(ledger_left(&l), 0);
            run(&l, &m, PHASE_INSERT, ROWS);
            compare(&l, &m);
            ledger_release(&l);
        }
    }
}

static void send(struct ledger *l, uint64_t n)
{
    struct row_batch *batch = row_batch_create(&l->load->shape, 0);
    assert_int_equal(ledger_fill(l, 0, n, batch), n);
    row_batch_destroy(batch);
}

static void a_lost_insert_is_in_doubt_until_it_is_seen(void **state)
{
    struct workload load = workload(ORDER_ASCENDING, ORDER_ASCENDING);
    struct ledger l;
    (void)state;
    ledger_init(&l, &load, 0);
    ledger_begin(&l, PHASE_INSERT);
    send(&l, 10);
    ledger_commit(&l, 10);
    ledger_commit_in_doubt(&l, 5); /* 10 .. 14 */
    ledger_commit_in_doubt(&l, 5); /* 15 .. 19 */
    ledger_commit(&l, 5);
    assert_int_equal(ledger_state(&l, 9), LEDGER_PRESENT);
    assert_int_equal(ledger_state(&l, 10), LEDGER_MAYBE);
    assert_int_equal(ledger_state(&l, 19), LEDGER_MAYBE);
    assert_int_equal(ledger_state(&l, 20), LEDGER_PRESENT);
    ledger_settle_doubt(&l, 10, false);
    ledger_settle_doubt(&l, 15, true);
    assert_int_equal(ledger_state(&l, 14), LEDGER_ABSENT);
    assert_int_equal(ledger_state(&l, 19), LEDGER_PRESENT);

    /* The delete passes over rows that never came. */
    struct row_batch *batch = row_batch_create(&load.shape, 0);
    ledger_begin(&l, PHASE_DELETE);
    assert_int_equal(ledger_left(&l), 25);
    assert_int_equal(ledger_fill(&l, 0, 25, batch), 25);
    assert_int_equal(batch->count, 20);
    assert_int_equal(row_id_sequence(batch->ids[10]), 15);
    ledger_commit(&l, 25);
    assert_int_equal(ledger_next(&l, 0), ledger_limit(&l));
    row_batch_destroy(batch);
    ledger_release(&l);
}

static void a_lost_delete_is_in_doubt_until_it_is_seen(void **state)
{
    struct workload load = workload(ORDER_RANDOM, ORDER_DESCENDING);
    struct ledger l;
    struct model m = {{false}};
    (void)state;
    ledger_init(&l, &load, 0);
    run(&l, &m, PHASE_INSERT, ROWS);
    ledger_begin(&l, PHASE_DELETE);
    ledger_commit(&l, 100);
    ledger_commit_in_doubt(&l, 50);
    ledger_commit(&l, 10);
    unsigned maybe = 0, present = 0;
    uint64_t one = 0;
    for (uint64_t s = 0; s < ROWS; s++) {
        maybe += ledger_state(&l, s) == LEDGER_MAYBE;
        present += ledger_state(&l, s) == LEDGER_PRESENT;
        if (ledger_state(&l, s) == LEDGER_MAYBE)
            one = s;
    }
    assert_int_equal(maybe, 50);
    assert_int_equal(present, ROWS - 160);
    ledger_settle_doubt(&l, one, true); /* still there: the delete did not happen */
    assert_int_equal(ledger_state(&l, one), LEDGER_PRESENT);
    ledger_release(&l);
}

static void delays_grow_and_are_bounded(void **state)
{
    struct rng rng = {.state = 1};
    (void)state;
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        int64_t longest = attempt < 8 ? INT64_C(500000) << attempt : INT64_C(100000000);
        longest = longest > INT64_C(100000000) ? INT64_C(100000000) : longest;
        int64_t most = 0;
        for (int i = 0; i < 200; i++) {
            int64_t delay = retry_delay_ns(attempt, &rng);
            assert_in_range(delay, 1, longest);
            most = delay > most ? delay : most;
        }
        assert_true(most > longest / 2); /* the jitter uses the whole range */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_matches_a_plain_list),
        cmocka_unit_test(a_lost_insert_is_in_doubt_until_it_is_seen),
        cmocka_unit_test(a_lost_delete_is_in_doubt_until_it_is_seen),
        cmocka_unit_test(delays_grow_and_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
