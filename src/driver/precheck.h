/* precheck.h - looks at a target before any load.  Main thread. */
#ifndef DRIVER_PRECHECK_H
#define DRIVER_PRECHECK_H

#include "driver/context.h"

/* Refuses a directory whose file system keeps what is written in memory or on another host (sshfs
 * too, and an overlay by its upper directory), or with any_filesystem warns. */
int precheck_filesystem(struct run_context *ctx, const char *path, struct err *err);
/* Warns where the device of `path` is unknown, or where --device names one that does not lie under
 * it: its counters show nothing of the run then. */
void precheck_device(struct run_context *ctx, const struct device *device, const char *path);
/* Warns of everything about a site's devices that changes what the numbers mean. */
void precheck_warn(struct run_context *ctx, const struct site *site);

#endif
