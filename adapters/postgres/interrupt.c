/* A cancel request goes over a connection of its own, and libpq 15 can only wait for it.  A server
 * that hangs, or a network that is gone, must not hold up whoever interrupts: a thread sends the
 * request, and after a second the stream's own socket is shut down instead. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"
#include "postgres/db.h"

#define PATIENCE_NS NS_PER_S

struct request {
    PGcancel *cancel; /* freed by whoever is last */
    pthread_mutex_t mutex;
    pthread_cond_t answered;
    bool done, abandoned;
};

static struct request *request_create(PGcancel *cancel)
{
    pthread_condattr_t attributes;
    struct request *request = calloc(1, sizeof *request);
    if (request == NULL)
        return NULL;
    request->cancel = cancel;
    pthread_mutex_init(&request->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&request->answered, &attributes);
    pthread_condattr_destroy(&attributes);
    return request;
}

static void request_destroy(struct request *request)
{
    pthread_cond_destroy(&request->answered);
    pthread_mutex_destroy(&request->mutex);
    free(request);
}

static void *request_send(void *argument)
{
    struct request *request = argument;
    char ignored[256];
    PQcancel(request->cancel, ignored, sizeof ignored);
    pthread_mutex_lock(&request->mutex);
    request->done = true;
    bool abandoned = request->abandoned;
    pthread_cond_signal(&request->answered);
    pthread_mutex_unlock(&request->mutex);
    if (abandoned) {
        PQfreeCancel(request->cancel);
        request_destroy(request);
    }
    return NULL;
}

/* False: no answer yet; the request, and its PGcancel, are the thread's now. */
static bool request_wait(struct request *request)
{
    int64_t until_ns = clock_now_ns() + PATIENCE_NS;
    struct timespec until = {.tv_sec = until_ns / NS_PER_S, .tv_nsec = until_ns % NS_PER_S};
    pthread_mutex_lock(&request->mutex);
    while (!request->done &&
           pthread_cond_timedwait(&request->answered, &request->mutex, &until) == 0)
        continue;
    bool done = request->done;
    request->abandoned = !done;
    pthread_mutex_unlock(&request->mutex);
    if (done)
        request_destroy(request);
    return done;
}

/* False: the server does not answer, or no thread was to be had. */
static bool ask_server(struct postgres_conn *conn)
{
    pthread_t thread;
    pthread_attr_t attributes;
    struct request *request = request_create(conn->cancel);
    if (request == NULL)
        return false;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int failed = pthread_create(&thread, &attributes, request_send, request);
    pthread_attr_destroy(&attributes);
    if (failed != 0) {
        request_destroy(request);
        return false;
    }
    if (request_wait(request))
        return true;
    conn->cancel = NULL;
    return false;
}

void postgres_conn_interrupt(struct adapter_conn *handle)
{
    struct postgres_conn *conn = (struct postgres_conn *)handle;
    struct postgres_db *db = conn->db;
    pthread_mutex_lock(&conn->mutex);
    if (conn->cancel != NULL) {
        /* One that hung is enough: the others would each take as long. */
        if (atomic_load(&db->cancel_hangs) || !ask_server(conn)) {
            atomic_store(&db->cancel_hangs, true);
            shutdown(conn->socket, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&conn->mutex);
}
