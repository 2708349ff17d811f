/* flush_honesty.h - does the drive flush as often as the engine's settings ask?  Pure.
 *
 * What a commit of one stream must flush is known per mode (SQLite 3.40 on a loop device of its
 * own, without and with an ext4 journal; a PostgreSQL commit, and one of the engine fsync, is one
 * flush).  Several streams share flushes, so that fewer are seen: "merged".  A device without a
 * volatile cache may need none. */
#ifndef ANALYSIS_FLUSH_HONESTY_H
#define ANALYSIS_FLUSH_HONESTY_H

#include "analysis/groups.h"

enum { FLUSH_MODE_TEXT = 96, FLUSH_HONESTY_MOST = 24 };

/* "WAL/FULL", "fsync on, synchronous_commit on", "fdatasync"; "" unknown. */
void flush_honesty_mode(const struct group *group, char mode[FLUSH_MODE_TEXT]);
/* Flushes that a commit of one stream must cost in this mode; NaN unknown. */
double flush_honesty_expected(const struct group *group);

/* [ { engine, mode, streams, flushes_per_commit, expected, write_cache, verdict } ], one entry for
 * each engine, mode and number of streams, of the phase with the fewest rows a commit; at most
 * FLUSH_HONESTY_MOST.  What is to be said goes to `points` (buyer_point.h).  New reference. */
json_t *flush_honesty_json(const struct groups *groups, json_t *points);

#endif
