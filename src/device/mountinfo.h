/* mountinfo.h - /proc/self/mountinfo: which mount holds a path.  Pure: text in. */
#ifndef DEVICE_MOUNTINFO_H
#define DEVICE_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct mount {
    size_t line; /* of the text, from 1 */
    int id, parent;
    unsigned major, minor;
    char *root, *point; /* octal escapes decoded */
    char *options;      /* per mount */
    char *optional;     /* "shared:1 master:2"; "" none */
    char *kind;         /* file system type */
    char *source;       /* "" where the kernel gives none */
    char *super_options;
};

struct mount_reject {
    size_t line;
    const char *why; /* static */
};

struct mount_table {
    struct mount *mounts;
    size_t count;
    struct mount_reject *rejected; /* lines that are no mounts; blank ones are not counted */
    size_t rejected_count;
};

int mount_table_parse(const char *text, size_t size, struct mount_table *table, struct err *err);
/* The same of /proc/mounts, for kernels before 2.6.26: ids and parents are made up in the order of
 * mounting, there are no numbers (0:0), and the root of each is "/". */
int mount_table_parse_mounts(const char *text, size_t size, struct mount_table *table,
                             struct err *err);
void mount_table_release(struct mount_table *table);
/* The mount that is on top at an absolute, canonical path; follows parents from the
 * root, so that over-mounted directories are seen as the kernel sees them.  NULL: none. */
const struct mount *mount_table_find(const struct mount_table *table, const char *path);
/* NULL: none. */
const struct mount *mount_table_by_id(const struct mount_table *table, int id);

/* What lies behind a mount, as far as its line tells. */
enum mount_class {
    MOUNT_BLOCK,           /* a block device, by its number */
    MOUNT_ANONYMOUS_BLOCK, /* block devices, but the number is none of theirs: by the source */
    MOUNT_OVERLAY,         /* directories of other file systems */
    MOUNT_NETWORK,         /* another host */
    MOUNT_ZFS,             /* a pool; its source is a dataset, no path */
    MOUNT_FUSE,            /* a program */
    MOUNT_VIRTUAL          /* memory, or nothing at all */
};
extern const char *const mount_class_names[]; /* "block", "anonymous-block", ... */
enum mount_class mount_class(const struct mount *mount);
/* The value of NAME=VALUE in a list of options, decoded; heap, NULL: not there. */
char *mount_option(const char *options, const char *name);

/* `point` is `path`, or a directory above it. */
bool mountinfo_is_above(const char *point, const char *path);
/* Decodes the kernel's octal escapes (\040) in place; the new length. */
size_t mountinfo_unescape(char *text);

#endif
