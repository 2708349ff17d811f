/* commit_rows.h - which rows of /proc/diskstats what a commit costs is read from.
 *
 * A commit writes to the devices of the roles data and wal, which may be two: bytes and writes are
 * the sums over their sampled levels, flushes those over their whole disks, each row once whatever
 * the roles and partitions that share it.  Pure. */
#ifndef DEVICE_COMMIT_ROWS_H
#define DEVICE_COMMIT_ROWS_H

#include <stdbool.h>

#include "device/device_set.h"

struct commit_rows {
    size_t sampled[DEVICE_SET_ROLES], sampled_count;
    size_t leaves[DEVICE_SET_NAMES], leaf_count;
};

/* False: there is no such device, or one of them is unknown, and so are the sums. */
bool commit_rows_find(const struct device_set *set, struct commit_rows *rows);

#endif
