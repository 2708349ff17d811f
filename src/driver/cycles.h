/* cycles.h - a trial's phases, cycle by cycle, for as long as the workload asks: once, for a
 * duration, until the steady state holds, or until a step of a search has seen enough; and after a
 * pause once more.  Main thread.
 *
 * until = steady: rounds (result/rounds.h) until the rule of steadiness.h holds; at most
 * steady.rounds, and at most for workload.duration where that is set too.  trial->steady says what
 * came of it, and so does an event.
 * Each phase object gets "start_s", when its counting began in seconds since the run's start, and
 * "after_pause": true where it ran after workload.pause: another round with until = steady, else
 * another cycle. */
#ifndef DRIVER_CYCLES_H
#define DRIVER_CYCLES_H

#include "base/err.h"

struct trial;

/* With the streams connected.  Sets how the trial ended.  -1: the run cannot go on. */
int cycles_run(struct trial *trial, struct err *err);

#endif
