/* correlate.h - the member "correlation" of a phase object: what one more commit costs the drive,
 * from the intervals of the phase.  Pure.
 *
 *     { "commits_vs_writes": null | { "slope", "low", "high", "r", "n", "lag_s", "lag_r" },
 *       "commits_vs_flushes", "commits_vs_bytes": likewise,
 *       "interval_s", "commits_per_interval", "commits_variation" }
 *
 * Without the intervals in which the WAL grew, where there are enough others.  slope, low, high:
 * stats/regression.h, the interval by a block bootstrap; null with fewer than 30
 * intervals, or where commits do not vary.  lag_s: how much later the drive follows, from first
 * differences (stats/lag.h).  commits_variation: standard deviation of commits/s / their mean. */
#ifndef RESULT_CORRELATE_H
#define RESULT_CORRELATE_H

#include "base/json.h"
#include "measure/series.h"

/* `series` NULL: nothing is known.  New reference. */
json_t *correlate_json(const struct series *series);
/* The same of several cycles of one phase: medians over those that know it, n summed. */
json_t *correlate_merge(const json_t *const *phases, size_t count);

#endif
