/* reached.h - how far rows/s, commits/s and device writes/s came, each for itself: three
 * different ceilings.  Medians over the repeats of whole phases, never a peak.  Pure. */
#ifndef ANALYSIS_REACHED_H
#define ANALYSIS_REACHED_H

#include "analysis/groups.h"

/* One entry a part: { part, rows_per_s, commits_per_s, write_iops }, each of the three null or {
 * value, low, high, repeats, phase, flushed, factors }.  Rates are the highest of those with the
 * best standing (standing.h): flushed ones, where there are any.  New reference. */
json_t *reached_json(const struct groups *groups);

#endif
