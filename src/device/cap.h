/* cap.h - a limit that the control groups set to this process's writes on a device.  Any thread.
 *
 * Version 2: io.max of the own group and of all above it (throttling is hierarchical).  Version 1:
 * blkio.throttle.write_*_device of the own group and of the root, which the kernel's own writing
 * (journal, write-back) is charged to; groups between have no say (throttling is flat).
 * Linux block/blk-throttle.c. */
#ifndef DEVICE_CAP_H
#define DEVICE_CAP_H

#include "device/stack.h"

struct cap {
    double write_bytes_per_s, write_iops; /* NaN: no limit is known */
    char device[STACK_NAME];              /* kernel name of the limited device; "" */
    char source[512]; /* the files that say so, "/sys/fs/cgroup/x/io.max"; "" none */
};

/* The lowest limits of any level whose requests are those of the sampled one: the level itself (of
 * a partition its disk) and, where there is one leaf alone, all below. */
void cap_read(const char *root, const struct stack *stack, struct cap *cap);

#endif
