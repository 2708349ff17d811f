/* waits.h - what a server's sessions waited for over a phase, as a member of the phase object.
 *
 * Sampled: an event's share is the part of all observations of our streams in which one was seen
 * in it, and so about its share of the streams' time.  The groups are those of every server; the
 * events are the server's own names.  Pure. */
#ifndef RESULT_WAITS_H
#define RESULT_WAITS_H

#include "result/trial.h"

enum waits_group {
    WAITS_CPU,        /* works, waits for nothing */
    WAITS_FLUSH,      /* writes or flushes the log itself */
    WAITS_GROUP,      /* for another one's flush */
    WAITS_LOG_INSERT, /* for room in the log's buffer */
    WAITS_EXTEND,     /* to make a table larger */
    WAITS_ROW,        /* row and transaction locks */
    WAITS_BUFFER,     /* for a page that another one uses */
    WAITS_FILE,       /* data files */
    WAITS_CLIENT,     /* for us */
    WAITS_OTHER,
    WAITS_GROUPS
};
/* "cpu", "flush", "group", "log_insert", "extend", "row", "buffer", "file", "client", "other": in
 * the order of the adapters' enum wait_group. */
extern const char *const waits_groups[WAITS_GROUPS];

/* { observations, groups, events, leading }: the shares of each from 0 to 1, events from the
 * largest; and of each group that was seen the event that was seen most.  NULL where nobody
 * observed.  `all` 0: the sum. */
json_t *waits_json(const struct wait_record *waits, size_t count, double all);
/* The same from the groups alone, where the events are not known. */
json_t *waits_groups_json(const double seen[WAITS_GROUPS]);
/* Adds an engine's gauge ("wait_cpu": streams that were seen in it) to `seen`; other gauges add
 * nothing. */
void waits_add_gauge(double seen[WAITS_GROUPS], const char *name, double value);
/* The waits of several phase objects as one; those that were not observed add nothing. */
json_t *waits_merge(const json_t *const *phases, size_t count);

#endif
