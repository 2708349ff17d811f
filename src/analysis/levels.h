/* levels.h - the levels that commits/s had, one after the other, and the cliff between them.  Pure.
 *
 * Changes are looked for over time and over bytes (stats/changepoint.h): a cache is full after so
 * many bytes, a drive hot after so much time, and over bytes a short burst is long.  Levels nearer
 * than LEVELS_CHANGE are one.  Less than LEVELS_SECONDS of a phase have one level. */
#ifndef ANALYSIS_LEVELS_H
#define ANALYSIS_LEVELS_H

#include "analysis/joined.h"
#include "stats/changepoint.h"

enum { LEVELS_MOST = 2 * CHANGEPOINT_MAX + 1, LEVELS_SECONDS = 20 };
#define LEVELS_CHANGE 0.10      /* of the level before */
#define LEVELS_CLIFF  (1.0 / 3) /* lost of the highest level so far */

struct level {
    size_t from, to;      /* seconds [from, to) of the joined course */
    double commits_per_s; /* median */
};

struct levels {
    struct level items[LEVELS_MOST];
    size_t count; /* 0: nothing is known */
    size_t cliff; /* the level from which on all lost so much; 0: there is none */
};

void levels_find(struct levels *levels, const struct joined *joined);

#endif
