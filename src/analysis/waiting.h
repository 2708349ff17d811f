/* waiting.h - what stopped a server's streams, by what they were seen waiting for.  Pure. */
#ifndef ANALYSIS_WAITING_H
#define ANALYSIS_WAITING_H

#include <stdbool.h>

#include "analysis/groups.h"
#include "result/waits.h"

/* Shares of the streams' time, medians over the repeats. */
struct waiting {
    double groups[WAITS_GROUPS];
    double checkpoint; /* in events that are named after it; part of a group above too */
};

/* From so many observations on a share is near enough to name a cause: of one half it is within 18%
 * at 95%. */
enum { WAITING_LOOKS = 30 };
/* False: nobody observed, or too seldom. */
bool waiting_read(const struct group *group, struct waiting *waiting);
/* The cause ("lock", "wal", ...), or "unknown" where no kind of wait takes half of the time; its
 * sentence goes to `evidence`.  `host_busy`: share of all CPUs, NaN unknown. */
const char *waiting_judge(const struct group *group, const struct waiting *waiting,
                          double host_busy, json_t *evidence);
/* "flush leader", "row lock": a group in plain words. */
const char *waiting_word(enum waits_group group);

#endif
