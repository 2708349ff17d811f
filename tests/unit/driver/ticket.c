/* The line in front of a lock: one at a time, first come, first served, closed for all. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "driver/ticket.h"

enum { THREADS = 8, TURNS = 500 };

struct shared {
    struct ticket_line line;
    int inside, most_inside; /* guarded by the line alone */
    long turns;
    _Atomic unsigned sent_away;
    unsigned order[THREADS];
    unsigned ordered;
};

struct person {
    struct shared *shared;
    struct ticket ticket;
    unsigned number;
    unsigned turns;
};

static void *take_turns(void *arg)
{
    struct person *p = arg;
    for (unsigned i = 0; i < p->turns; i++) {
        if (!ticket_take(&p->shared->line, &p->ticket)) {
            atomic_fetch_add(&p->shared->sent_away, 1);
            return NULL;
        }
        if (++p->shared->inside > p->shared->most_inside)
            p->shared->most_inside = p->shared->inside;
        p->shared->turns++;
        if (p->turns == 1)
            p->shared->order[p->shared->ordered++] = p->number;
        p->shared->inside--;
        ticket_give(&p->shared->line);
    }
    return NULL;
}

static void start(struct shared *s, struct person *people, pthread_t *threads, unsigned turns)
{
    for (unsigned i = 0; i < THREADS; i++) {
        people[i] = (struct person){.shared = s, .number = i, .turns = turns};
        ticket_init(&people[i].ticket);
        assert_int_equal(pthread_create(&threads[i], NULL, take_turns, &people[i]), 0);
    }
}

static void one_at_a_time(void **state)
{
    struct shared s = {.turns = 0};
    struct person people[THREADS];
    pthread_t threads[THREADS];
    (void)state;
    ticket_line_init(&s.line);
    start(&s, people, threads, TURNS);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(s.most_inside, 1);
    assert_int_equal(s.turns, THREADS * TURNS);
    assert_false(s.line.held);
}

static bool waits(struct ticket_line *line, const struct ticket *ticket)
{
    bool found = false;
    pthread_mutex_lock(&line->lock);
    for (const struct ticket *t = line->first; t != NULL; t = t->next)
        found = found || t == ticket;
    pthread_mutex_unlock(&line->lock);
    return found;
}

static void first_come_first_served(void **state)
{
    struct shared s = {.turns = 0};
    struct person people[THREADS];
    struct ticket mine;
    pthread_t threads[THREADS];
    (void)state;
    ticket_line_init(&s.line);
    ticket_init(&mine);
    assert_true(ticket_take(&s.line, &mine)); /* so that all others must wait */
    for (unsigned i = 0; i < THREADS; i++) {
        people[i] = (struct person){.shared = &s, .number = i, .turns = 1};
        ticket_init(&people[i].ticket);
        assert_int_equal(pthread_create(&threads[i], NULL, take_turns, &people[i]), 0);
        while (!waits(&s.line, &people[i].ticket))
            clock_sleep_until(clock_now_ns() + 100000);
    }
    ticket_give(&s.line);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(s.ordered, THREADS);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(s.order[i], i);
}

static void a_closed_line_sends_all_away(void **state)
{
    struct shared s = {.turns = 0};
    struct person people[THREADS];
    struct ticket mine;
    pthread_t threads[THREADS];
    (void)state;
    ticket_line_init(&s.line);
    ticket_init(&mine);
    assert_true(ticket_take(&s.line, &mine));
    start(&s, people, threads, 1);
    ticket_line_close(&s.line);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&s.sent_away), THREADS);
    assert_int_equal(s.turns, 0);
    ticket_give(&s.line);
    assert_false(ticket_take(&s.line, &mine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(a_closed_line_sends_all_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
