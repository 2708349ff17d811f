/* rates.h - a group's rates from sample to sample while all its streams ran.  Pure.
 *
 *     rates_index_init once, then rates_init of each group that is asked for
 *
 * Intervals much shorter than the others (the last one of a phase) are left out.  More than
 * RATES_MOST are joined with their neighbours, the same number each, so that a bootstrap of them
 * stays cheap. */
#ifndef ANALYSIS_RATES_H
#define ANALYSIS_RATES_H

#include "analysis/groups.h"
#include "result/course.h"

enum rate { RATE_ROWS, RATE_COMMITS, RATE_WRITES, RATES };
/* "rows_per_s", "commits_per_s", "write_iops": writes that carry data, of the data device. */
extern const char *const rate_names[RATES];

/* The courses by trial and phase: thousands of phases are found fast. */
struct rates_index {
    const struct course **courses; /* [count], borrowed */
    size_t count;
};
void rates_index_init(struct rates_index *index, const struct courses *courses); /* NULL: none */
void rates_index_release(struct rates_index *index);

enum { RATES_MOST = 2000 };
struct rates {
    double *values[RATES]; /* [count] each, per second; NaN unknown */
    size_t count;          /* 0: no samples */
};
/* Of all repeats and cycles, one after the other. */
void rates_init(struct rates *rates, const struct rates_index *index, const struct group *group);
void rates_release(struct rates *rates);

#endif
