/* littles_law.h - do latency, rate and number of streams agree?  Pure.
 *
 * In a closed loop each stream is always inside a transaction, so that their mean time x their rate
 * is the number of streams (Little 1961, Operations Research 9).  The time comes from the
 * histogram, the rate from the counters: where the product is off, one of them is wrong, or
 * streams spent time between transactions. */
#ifndef ANALYSIS_LITTLES_LAW_H
#define ANALYSIS_LITTLES_LAW_H

#include <stdbool.h>

#include "analysis/groups.h"

#define LITTLES_LAW_MARGIN 0.02

struct littles_law { /* medians over the repeats; NaN unknown */
    double latency_s, commits_per_s, product, streams;
    bool open_loop; /* transactions come when they are due: the product is no number of streams */
};
/* False: not all is known. */
bool littles_law_read(const struct group *group, struct littles_law *law);
bool littles_law_agrees(const struct littles_law *law);
/* { "latency_s", "commits_per_s", "product", "streams", "agrees": null in an open loop }.  New
 * reference; NULL where not all is known. */
json_t *littles_law_json(const struct group *group);

#endif
