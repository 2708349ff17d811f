/* device_set.h - the devices of one target: each role's stack, who it is, and which rows
 * of /proc/diskstats to read for it.
 *
 * Bytes and writes come from the sampled level (what holds the file system), flushes from
 * its whole-disk leaves.  Never sum over the levels of a stack. */
#ifndef DEVICE_DEVICE_SET_H
#define DEVICE_DEVICE_SET_H

#include "device/cap.h"
#include "device/identity.h"
#include "device/stack.h"
#include "device/stack_memory.h"

enum { DEVICE_SET_ROLES = 3, DEVICE_SET_NAMES = 256 };

struct device {
    const char *role; /* "data", "wal", "temp" */
    struct stack stack;
    struct identity identity;  /* of the first leaf */
    double fill;               /* used share of the file system, 0 to 1; NaN unknown */
    struct cap cap;            /* of the sampled level */
    char memory[STACK_MEMORY]; /* that it lies in, "loop0 on tmpfs"; "": in none */
    size_t sampled;            /* index into names */
    size_t leaves[STACK_MAX];  /* indices into names */
    size_t leaf_count;         /* 0: unknown device, nothing is sampled for it */
};

struct device_set {
    struct device devices[DEVICE_SET_ROLES];
    size_t count;
    const char *names[DEVICE_SET_NAMES]; /* rows to sample: every level of every stack, once */
    size_t name_count;
};

/* Adds the device that holds `path`, or the one named `override` (NULL: none) as if it did;
 * with an override the path may be NULL.  The set must stay where it is (names point into it). */
int device_set_add(struct device_set *set, const char *root, const char *role, const char *path,
                   const char *override, struct err *err);

#endif
