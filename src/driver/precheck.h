/* precheck.h - looks at a target before any load.  Main thread. */
#ifndef DRIVER_PRECHECK_H
#define DRIVER_PRECHECK_H

#include "driver/context.h"

/* Is `path` on a file system of another host, as far as only its mount tells (sshfs)? */
bool precheck_is_network(const char *path);
/* Warns where the device of `path` is unknown, or where --device names one that does not lie under
 * it: its counters show nothing of the run then. */
void precheck_device(struct run_context *ctx, const struct device *device, const char *path);
/* Warns of everything about a site's devices that changes what the numbers mean. */
void precheck_warn(struct run_context *ctx, const struct site *site);

#endif
