/* ticket.h - a line in front of a database's writer lock: first come, first served.
 *
 * Each waiter sleeps on a semaphore of its own and is woken once, when it is its turn; nobody
 * polls the database, whose own read marks would keep its log from being reset. */
#ifndef DRIVER_TICKET_H
#define DRIVER_TICKET_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

/* One per stream. */
struct ticket {
    sem_t turn;
    struct ticket *next;
};

/* One per lock domain. */
struct ticket_line {
    pthread_mutex_t lock;
    struct ticket *first, *last; /* those who wait */
    bool held;
    bool closed; /* nobody gets a turn any more */
};

void ticket_init(struct ticket *ticket);
void ticket_release(struct ticket *ticket);
void ticket_line_init(struct ticket_line *line);
void ticket_line_release(struct ticket_line *line);

/* Waits for its turn.  False: the line was closed. */
bool ticket_take(struct ticket_line *line, struct ticket *ticket);
/* Hands the turn to the next in line. */
void ticket_give(struct ticket_line *line);
/* Sends away all that wait, and all that come. */
void ticket_line_close(struct ticket_line *line);

#endif
