/* gate.h - where streams wait for their next order, and the main thread for the streams.
 *
 * Every stream arrives before each phase, also one that could not connect; so the main thread
 * always gets all of them.  A mutex is enough: nobody passes here while anything is measured. */
#ifndef DRIVER_GATE_H
#define DRIVER_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t all_here, opened;
    unsigned streams, arrived, generation;
};

void gate_init(struct gate *gate, unsigned streams);
void gate_release(struct gate *gate);
/* Stream: arrives and waits until the gate opens. */
void gate_pass(struct gate *gate);
/* Main: waits up to `timeout_ns` for all streams; true when they are all here. */
bool gate_wait(struct gate *gate, int64_t timeout_ns);
/* Main: lets all of them go.  All must be here. */
void gate_open(struct gate *gate);

#endif
