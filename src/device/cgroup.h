/* cgroup.h - the control group that this process's block I/O is charged to.  Any thread.
 *
 * Version 1 where a hierarchy of its own holds the blkio controller, else version 2.  A process
 * may see less than the whole hierarchy: in a namespace of its own, or where only a part of it is
 * mounted.  Linux Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/blkio-controller.rst. */
#ifndef DEVICE_CGROUP_H
#define DEVICE_CGROUP_H

#include <stdbool.h>

enum cgroup_version { CGROUP_NONE, CGROUP_V1, CGROUP_V2 };

struct cgroup {
    enum cgroup_version version;
    char *top;   /* directory of the highest group that is seen here; NULL: none */
    char *own;   /* directory of this process's group, at or below it */
    bool at_top; /* both are the same group */
    bool whole;  /* the highest group is the machine's, not a namespace's */
};

/* Looks below root ("" = the real system).  Never fails: version is CGROUP_NONE where the group or
 * its directory is not there. */
void cgroup_find(const char *root, struct cgroup *cgroup);
void cgroup_release(struct cgroup *cgroup);

/* The text of directory/file; heap, NULL: not there, or not permitted. */
char *cgroup_read(const char *directory, const char *file);
/* A device's number in such a text: `key` of "8:0 key=1 ..." (version 2) or of "8:0 key 1"
 * (version 1), or with the key "" that of "8:0 1".  NaN: the text has none. */
double cgroup_number(const char *text, unsigned major, unsigned minor, const char *key);

#endif
