/* stack.h - from a path to the block devices under it.
 *
 * mountinfo -> /sys/dev/block/MAJ:MIN -> whole disk -> slaves.  What cannot be resolved
 * is unknown, never "/".  Reads under `root` ("" = the real system), so that saved trees
 * can be looked at too. */
#ifndef DEVICE_STACK_H
#define DEVICE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { STACK_MAX = 256, STACK_NAME = 64 };

/* A device that is part of the file system, or works for it, beside those that hold it. */
enum stack_log_use {
    STACK_LOG_JOURNAL,  /* the file system's journal: what is written there is not in the counters
                           of what holds it */
    STACK_LOG_REALTIME, /* data of some files */
    STACK_LOG_CACHE     /* writes may stay there; it is in the stack */
};
enum { STACK_LOGS = 4 };

struct stack_log {
    enum stack_log_use use;
    char name[STACK_NAME]; /* kernel name; "": it could not be found */
    char of[STACK_NAME];   /* the device that is cached; "" */
    char mode[32];         /* how it caches, "writeback"; "" unknown */
    bool same_disk;        /* all its disks are leaves of the stack too */
};

struct stack {
    char path[4096];     /* canonical */
    char filesystem[64]; /* "ext4"; "" unknown */
    /* The file system that keeps what is written: of an overlay the one with its upper directory,
     * else the same; and whether that is another host's. */
    char kept_on[64];
    bool is_network;
    char mount_point[4096];
    char mount_options[1024]; /* per mount and per super block, joined by commas, no duplicates */
    bool known;               /* `sampled` was found */
    char sampled[512];        /* what holds the file system: where bytes and writes are read */
    /* All devices that hold it, the first is `sampled`: several where one file system spans
     * devices itself (btrfs, bcachefs); its bytes are the sum over these. */
    char tops[STACK_MAX][STACK_NAME];
    size_t top_count;
    bool incomplete;                   /* devices may be missing here: see `reason` */
    char reason[256];                  /* why no device is known, or not all of them; "" */
    char names[STACK_MAX][STACK_NAME]; /* top first: sampled, then what it lies on, to the leaves */
    size_t count;
    char leaves[STACK_MAX][STACK_NAME]; /* whole disks without slaves: where flushes are read */
    size_t leaf_count;
    struct stack_log logs[STACK_LOGS];
    size_t log_count;
};

/* `path` must exist (a directory on the target).  Not knowing the device is no failure:
 * known is false then. */
int stack_resolve(const char *root, const char *path, struct stack *stack, struct err *err);
/* The stack below one device by its kernel name; false: there is no such device.  What it holds
 * (path, file system, logs) stays empty. */
bool stack_of_device(const char *root, const char *name, struct stack *stack);
/* As if `name` (a kernel device name) held the file system: for --device. */
int stack_override(const char *root, const char *name, struct stack *stack, struct err *err);

#endif
