/* device_query.h - a path of this machine, or of a saved /sys and /proc, and what is under it. */
#ifndef CLI_DEVICE_QUERY_H
#define CLI_DEVICE_QUERY_H

#include "base/err.h"
#include "device/stack.h"

/* Resolves an absolute or relative path, or a block device's own node (/dev/sda1: then there is
 * no file system in *stack).  Below a root that is not "" the path need not exist, but must be
 * absolute.  A device that is not known is no failure. */
int device_query(const char *root, const char *path, struct stack *stack, struct err *err);
/* The same path without doubled slashes, ".", ".." and a slash at the end, links not followed;
 * heap.  NULL: it is not absolute. */
char *device_query_path(const char *path, struct err *err);
/* The file behind a loop device, and what holds that file; *file is heap, NULL: no loop device,
 * or without a file. */
void device_query_backing(const char *root, const char *name, char **file, struct stack *under);

#endif
