/* pooled.h - the correlation of a phase that went round several times, from the intervals of all
 * its cycles together: one cycle alone may be too short to say anything.  Pure. */
#ifndef ANALYSIS_POOLED_H
#define ANALYSIS_POOLED_H

#include "analysis/groups.h"
#include "result/course.h"

/* Of the group's repeat `at`, as correlate.h; new reference.  Where it has one cycle, or its
 * samples are not known (courses NULL), what the phase itself says; NULL: it says nothing. */
json_t *pooled_correlation(const struct group *group, size_t at, const struct courses *courses);

#endif
