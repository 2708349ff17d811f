/* stack_paths.h - the hidden paths of native NVMe multipath.  Any thread.
 *
 * The head (nvme0n1) is what holds a file system; its requests travel over paths (nvme0c0n1,
 * nvme0c1n1), which are block devices that nobody can open.  On older kernels only they count
 * and only they tell the drive's write cache and scheduler; on all of them only they lie below
 * the drive's own controller. */
#ifndef DEVICE_STACK_PATHS_H
#define DEVICE_STACK_PATHS_H

#include <stddef.h>

/* Their kernel names in order; how many.  None where `name` is no such head. */
size_t stack_paths(const char *root, const char *name, char ***paths);
void stack_paths_free(char **paths, size_t count);

#endif
