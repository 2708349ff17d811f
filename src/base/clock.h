/* clock.h - the one clock that measures (CLOCK_MONOTONIC), CPU clocks, and the wall
 * clock, which is for file names and headers only: it may step.  Any thread. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

/* Nanoseconds of CLOCK_MONOTONIC.  About 40 ns a call where the vDSO serves it. */
static inline int64_t clock_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* CPU time of the whole process, user and system. */
int64_t clock_process_cpu_ns(void);
/* Sleeps until the monotonic clock shows `when_ns`; returns early only on a signal. */
void clock_sleep_until(int64_t when_ns);
/* UTC now as 2026-01-01T00:00:00Z. */
void clock_wall_iso(char out[32]);
/* Local time now as 20260101-0914, for file names. */
void clock_wall_stamp(char out[32]);

#endif
