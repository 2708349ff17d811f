#include "driver/gate.h"

#include <assert.h>

#include "base/clock.h"

void gate_init(struct gate *gate, unsigned streams)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->all_here, &monotonic);
    pthread_cond_init(&gate->opened, NULL);
    pthread_condattr_destroy(&monotonic);
    gate->streams = streams;
    gate->arrived = gate->generation = 0;
}

void gate_release(struct gate *gate)
{
    pthread_cond_destroy(&gate->all_here);
    pthread_cond_destroy(&gate->opened);
    pthread_mutex_destroy(&gate->lock);
}

void gate_pass(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    unsigned generation = gate->generation;
    if (++gate->arrived == gate->streams)
        pthread_cond_signal(&gate->all_here);
    while (gate->generation == generation)
        pthread_cond_wait(&gate->opened, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

bool gate_wait(struct gate *gate, int64_t timeout_ns)
{
    int64_t until_ns = clock_now_ns() + timeout_ns;
    struct timespec until = {.tv_sec = until_ns / NS_PER_S, .tv_nsec = until_ns % NS_PER_S};
    pthread_mutex_lock(&gate->lock);
    while (gate->arrived < gate->streams && clock_now_ns() < until_ns)
        pthread_cond_timedwait(&gate->all_here, &gate->lock, &until);
    bool all = gate->arrived == gate->streams;
    pthread_mutex_unlock(&gate->lock);
    return all;
}

void gate_open(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    assert(gate->arrived == gate->streams);
    gate->arrived = 0;
    gate->generation++;
    pthread_cond_broadcast(&gate->opened);
    pthread_mutex_unlock(&gate->lock);
}
