/* device_mounts.h - a saved /proc/self/mountinfo, and what is mounted on top at paths. */
#ifndef CLI_DEVICE_MOUNTS_H
#define CLI_DEVICE_MOUNTS_H

#include <stdio.h>

#include "base/json.h"

/* "lookups" of the paths; "mounts" and "rejected_lines" of the file.  New reference; NULL: the
 * file cannot be read, or a path is not absolute. */
json_t *device_mounts(const char *file, char *const *paths, int path_count, struct err *err);
/* The lookups as a table, or all mounts where there are none. */
int device_mounts_print(FILE *out, const json_t *mounts, struct err *err);

#endif
