/* stack_holders.h - from a mount to the block devices that hold its file system.
 *
 * By the mount's number where it is a device's; else by the mount source, which is one of the
 * members for btrfs (the others are in /sys/fs/btrfs), a list for bcachefs, and nothing for an
 * overlay (there the upper directory counts).  What cannot be told has a reason instead. */
#ifndef DEVICE_STACK_HOLDERS_H
#define DEVICE_STACK_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "device/mountinfo.h"

enum { STACK_HOLDERS_REASON = 256 };

struct stack_holders {
    const struct mount *last; /* the mount at the bottom of overlays; into the table, never NULL */
    char **directories;       /* in sysfs, in the order of the names; heap */
    size_t count;
    bool incomplete;                   /* there may be more members, which cannot be told */
    char reason[STACK_HOLDERS_REASON]; /* why there are none, or why incomplete */
};

/* `path`: what was asked for, on this mount; it is opened where root is "" (the real system)
 * and the mount is btrfs, which then tells its own id. */
void stack_holders_find(const char *root, const struct mount_table *table,
                        const struct mount *mount, const char *path, struct stack_holders *holders);
void stack_holders_release(struct stack_holders *holders);

/* The directory of the device that a mount source names (/dev/sda1, /dev/mapper/vg-lv,
 * /dev/vg/lv); heap, NULL: none. */
char *stack_holders_source(const char *root, const char *source);

#endif
