/* groups.h - the phases of a summary document that measured the same thing: one group for each
 * part x factors x phase, with one phase object for each repeat.  Pure. */
#ifndef ANALYSIS_GROUPS_H
#define ANALYSIS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

struct group {
    const char *part;      /* NULL: the workload has no parts */
    const json_t *factors; /* object, may be empty */
    const char *phase;     /* "insert" */
    const json_t **phases; /* [count], one for each repeat; cycles are merged */
    const json_t **trials; /* [count] */
    const json_t *summary;
    size_t count, capacity;
};

struct groups {
    struct group *items; /* in order of first appearance */
    size_t count, capacity;
    const json_t *summary;
};

/* Everything is borrowed from the summary, which must live on. */
void groups_init(struct groups *groups, const json_t *summary);
void groups_release(struct groups *groups);

/* The data device of the group's target in the document, or NULL. */
const json_t *group_device(const struct group *group);
/* That which the log lies on: the one of the role wal, else the data device. */
const json_t *group_log_device(const struct group *group);
/* Does the log lie on a device of its own, which was sampled?  Its name, then, else NULL. */
const char *group_log_apart(const struct group *group);
/* What memory the device that commits wait for lies in ("loop0 on tmpfs"), or NULL: its times say
 * nothing of a drive. */
const char *group_memory(const struct group *group);
/* The drive under test holds the tables, another one the log: nothing says what the drive carries.
 */
bool group_is_elsewhere(const struct group *group);
/* The engine of the group's target ("sqlite"), or NULL. */
const char *group_engine(const struct group *group);

/* A metric (metric.h) over the repeats; repeats that do not know it are left out. */
struct spread {
    double median, low, high; /* NaN: none knows it */
    size_t count;
};
void group_spread(const struct group *group, const char *metric, struct spread *spread);
double group_median(const struct group *group, const char *metric);
/* "rows_per_s" or "commits_per_s" while all streams ran: what a verdict uses.  Where that is
 * not known, the whole phase's. */
void group_rate(const struct group *group, const char *rate, struct spread *spread);

#endif
