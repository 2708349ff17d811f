/* stalls.h - times in which hardly anything was committed, and what the device did meanwhile.
 * Pure.
 *
 * A stall is one interval or several in a row, of at least STALLS_LEAST_S in all, each with less
 * than STALLS_SHARE of the median rate of its level (levels.h), in which at least
 * STALLS_COMMITS_LEAST commits would have been due: rare commits are no stalls between them. */
#ifndef ANALYSIS_STALLS_H
#define ANALYSIS_STALLS_H

#include "analysis/levels.h"

enum { STALLS_SHOWN = 20 };
#define STALLS_LEAST_S       0.2
#define STALLS_SHARE         0.10
#define STALLS_COMMITS_LEAST 10

struct stall {
    double at_s; /* since the run's start */
    double seconds;
    double write_bytes, writes, flush_ms; /* of the data device in it; NaN unknown */
    double late_flush_ms; /* of flushes that ended in the interval after it, more than fits in it */
    double in_flight;     /* the most that was seen; NaN unknown */
};

struct stalls {
    struct stall items[STALLS_SHOWN]; /* the longest first */
    size_t count;                     /* of items */
    size_t total;                     /* of all */
    double total_s;
};

void stalls_find(struct stalls *stalls, const struct joined *joined, const struct levels *levels);

/* "flush in flight", "writes at 48 MB/s", "I/O in flight, hardly any completed", "nothing in
 * flight"; NULL: unknown.  `text` may be returned. */
const char *stalls_device(const struct stall *stall, char text[64]);

#endif
