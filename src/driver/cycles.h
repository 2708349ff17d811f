/* cycles.h - a trial's phases, cycle by cycle, for as long as the workload asks: once, for a
 * duration, until the steady state holds, or until a step of a search has seen enough.  Main
 * thread. */
#ifndef DRIVER_CYCLES_H
#define DRIVER_CYCLES_H

#include "base/err.h"

struct trial;

/* With the streams connected.  Sets how the trial ended.  -1: the run cannot go on. */
int cycles_run(struct trial *trial, struct err *err);

#endif
