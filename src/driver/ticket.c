#include "driver/ticket.h"

#include <errno.h>

void ticket_init(struct ticket *ticket)
{
    sem_init(&ticket->turn, 0, 0);
    ticket->next = NULL;
}

void ticket_release(struct ticket *ticket)
{
    sem_destroy(&ticket->turn);
}

void ticket_line_init(struct ticket_line *line)
{
    pthread_mutex_init(&line->lock, NULL);
    line->first = line->last = NULL;
    line->held = line->closed = false;
}

void ticket_line_release(struct ticket_line *line)
{
    pthread_mutex_destroy(&line->lock);
}

bool ticket_take(struct ticket_line *line, struct ticket *ticket)
{
    pthread_mutex_lock(&line->lock);
    if (line->closed || !line->held) {
        bool mine = !line->closed;
        line->held = line->held || mine;
        pthread_mutex_unlock(&line->lock);
        return mine;
    }
    ticket->next = NULL;
    if (line->last != NULL)
        line->last->next = ticket;
    else
        line->first = ticket;
    line->last = ticket;
    pthread_mutex_unlock(&line->lock);
    while (sem_wait(&ticket->turn) != 0 && errno == EINTR)
        ;
    pthread_mutex_lock(&line->lock);
    bool mine = !line->closed;
    pthread_mutex_unlock(&line->lock);
    return mine;
}

void ticket_give(struct ticket_line *line)
{
    pthread_mutex_lock(&line->lock);
    struct ticket *next = line->first;
    if (next != NULL) { /* `held` stays true: the turn passes on */
        line->first = next->next;
        if (line->first == NULL)
            line->last = NULL;
    } else {
        line->held = false;
    }
    pthread_mutex_unlock(&line->lock);
    if (next != NULL)
        sem_post(&next->turn);
}

void ticket_line_close(struct ticket_line *line)
{
    pthread_mutex_lock(&line->lock);
    line->closed = true;
    struct ticket *waiting = line->first;
    line->first = line->last = NULL;
    pthread_mutex_unlock(&line->lock);
    while (waiting != NULL) {
        struct ticket *next = waiting->next; /* its owner may go once it is posted */
        sem_post(&waiting->turn);
        waiting = next;
    }
}
