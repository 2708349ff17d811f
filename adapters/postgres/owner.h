/* owner.h - the user who runs a private server and owns its files.
 *
 * PostgreSQL refuses to run as root, so root's server runs as someone else.  Main thread, but for
 * postgres_owner_become(). */
#ifndef ADAPTERS_POSTGRES_OWNER_H
#define ADAPTERS_POSTGRES_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

#include "adapter.h"

struct postgres_owner {
    char name[64];
    uid_t uid;
    gid_t gid;
    bool other;    /* not the user that we are */
    gid_t *groups; /* heap; NULL unless `other` */
    int group_count;
};

/* We ourselves; as root `given`, or the user postgres where that is NULL.  OP_FATAL: which user is
 * missing, and the key that names another one. */
enum op_status postgres_owner_find(const char *given, struct postgres_owner *owner,
                                   struct op_error *why);
void postgres_owner_release(struct postgres_owner *owner);

/* In a child after fork: this process becomes the owner's, for good.  Async-signal-safe.  0, or -1
 * and errno. */
int postgres_owner_become(const struct postgres_owner *owner);

/* Can the owner pass through `path`, a canonical directory, and all above it?  OP_FATAL names the
 * first one that stops them, and the remedy. */
enum op_status postgres_owner_reaches(const struct postgres_owner *owner, const char *path,
                                      struct op_error *why);

/* Makes a directory (0700) of the owner's.  *made: it is there, and ours to remove, although the
 * call may have failed later. */
enum op_status postgres_owner_mkdir(const struct postgres_owner *owner, const char *path,
                                    bool *made, struct op_error *why);

#endif
