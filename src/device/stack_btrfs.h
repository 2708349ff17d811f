/* stack_btrfs.h - the devices of one btrfs file system.  Any thread.
 *
 * Its mounts carry an anonymous number and one member as source; the kernel lists all members
 * in /sys/fs/btrfs/UUID/devices. */
#ifndef DEVICE_STACK_BTRFS_H
#define DEVICE_STACK_BTRFS_H

#include <stdbool.h>
#include <stddef.h>

/* The directories in sysfs of all members, in the order of their names; heap; how many.  By the
 * id that the kernel tells of `path` (on the real system, root ""; NULL: not asked), else by the
 * member in the directory `source` (NULL: none known).  0: not to be found.  `missing`: the file
 * system has a device that is not there, as a degraded one has. */
size_t stack_btrfs(const char *root, const char *path, const char *source, char ***members,
                   bool *missing);

#endif
