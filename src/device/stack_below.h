/* stack_below.h - one step down a stack of block devices.  Any thread.
 *
 * A partition lies on its whole disk, another device on its slaves in the order of their
 * names.  A loop device's file is no step down: what is written to the device may stay in the
 * cache above the file. */
#ifndef DEVICE_STACK_BELOW_H
#define DEVICE_STACK_BELOW_H

#include <stdbool.h>
#include <stddef.h>

struct stack_below {
    char **directories; /* of the devices directly below, in sysfs; heap */
    size_t count;
    bool missing; /* a slave is named that is not there */
};

/* Of the device in `directory`.  Count 0 and nothing missing: a leaf. */
void stack_below_read(const char *root, const char *directory, struct stack_below *below);
void stack_below_release(struct stack_below *below);

#endif
