/* waits.h - what a server's sessions waited for over a phase, as a member of the phase object.
 *
 * Sampled: an event's share is the part of all observations of our streams in which one was seen
 * in it, and so about its share of the streams' time.  The groups are those of every server; the
 * events are the server's own names.  Pure. */
#ifndef RESULT_WAITS_H
#define RESULT_WAITS_H

#include "result/trial.h"

/* "cpu", "flush", "group", "log_insert", "extend", "row", "buffer", "file", "client", "other": in
 * the order of the adapters' enum wait_group. */
enum { WAITS_GROUPS = 10 };
extern const char *const waits_groups[WAITS_GROUPS];

/* { observations, groups, events }, the shares of each from 0 to 1, events from the largest; NULL
 * where nobody observed.  `all` 0: the sum. */
json_t *waits_json(const struct wait_record *waits, size_t count, double all);
/* The waits of several phase objects as one; those that were not observed add nothing. */
json_t *waits_merge(const json_t *const *phases, size_t count);

#endif
