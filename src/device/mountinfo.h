/* mountinfo.h - /proc/self/mountinfo: which mount holds a path.  Pure: text in. */
#ifndef DEVICE_MOUNTINFO_H
#define DEVICE_MOUNTINFO_H

#include <stddef.h>

#include "base/err.h"

struct mount {
    int id, parent;
    unsigned major, minor;
    char *root, *point; /* octal escapes decoded */
    char *options;      /* per mount */
    char *kind;         /* file system type */
    char *source;       /* "" where the kernel gives none */
    char *super_options;
};

struct mount_table {
    struct mount *mounts;
    size_t count;
};

/* Lines that are no mountinfo lines are left out. */
int mount_table_parse(const char *text, size_t size, struct mount_table *table, struct err *err);
void mount_table_release(struct mount_table *table);
/* The mount that is on top at an absolute, canonical path; follows parents from the
 * root, so that over-mounted directories are seen as the kernel sees them.  NULL: none. */
const struct mount *mount_table_find(const struct mount_table *table, const char *path);
/* NULL: none. */
const struct mount *mount_table_by_id(const struct mount_table *table, int id);

/* Decodes the kernel's octal escapes (\040) in place; the new length. */
size_t mountinfo_unescape(char *text);

#endif
