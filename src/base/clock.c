#include "base/clock.h"

int64_t clock_process_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

void clock_sleep_until(int64_t when_ns)
{
    if (when_ns <= 0)
        return;
    struct timespec when = {.tv_sec = (time_t)(when_ns / NS_PER_S),
                            .tv_nsec = (long)(when_ns % NS_PER_S)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL);
}

void clock_wall_iso(char out[32])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void clock_wall_stamp(char out[32])
{
    time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(out, 32, "%Y%m%d-%H%M", &local);
}
