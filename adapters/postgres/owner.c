#include "postgres/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "files.h"

enum { RECORD_SIZE = 16384 };

/* false: no such user. */
static bool look_up(const char *name, struct postgres_owner *owner)
{
    struct passwd record, *found = NULL;
    char *space = malloc(RECORD_SIZE);
    if (space == NULL)
        abort();
    if (name != NULL)
        getpwnam_r(name, &record, space, RECORD_SIZE, &found);
    else
        getpwuid_r(geteuid(), &record, space, RECORD_SIZE, &found);
    if (found != NULL) {
        snprintf(owner->name, sizeof owner->name, "%s", found->pw_name);
        owner->uid = found->pw_uid;
        owner->gid = found->pw_gid;
    }
    free(space);
    return found != NULL;
}

/* Here rather than in the child: reading groups takes locks and memory. */
static void read_groups(struct postgres_owner *owner)
{
    int count = 32;
    for (;;) {
        int before = count;
        owner->groups = realloc(owner->groups, (size_t)count * sizeof *owner->groups);
        if (owner->groups == NULL)
            abort();
        if (getgrouplist(owner->name, owner->gid, owner->groups, &count) >= 0)
            break;
        count = count > before ? count : 2 * before;
    }
    owner->group_count = count;
}

enum op_status postgres_owner_find(const char *given, struct postgres_owner *owner,
                                   struct op_error *why)
{
    *owner = (struct postgres_owner){.uid = geteuid(), .gid = getegid()};
    if (geteuid() != 0) {
        /* A user number without an entry is fine: initdb is told every name that it needs. */
        if (!look_up(NULL, owner))
            snprintf(owner->name, sizeof owner->name, "%u", (unsigned)owner->uid);
        if (given != NULL && strcmp(given, owner->name) != 0)
            return op_fail(why, OP_FATAL, 0,
                           "postgres.user = %s: only root can run the server as somebody else; "
                           "leave the key out, and it runs as %s",
                           given, owner->name);
        return OP_OK;
    }
    owner->other = true;
    if (!look_up(given != NULL ? given : "postgres", owner)) {
        if (given != NULL)
            return op_fail(why, OP_FATAL, 0,
                           "postgres.user = %s: there is no such user; name one that is not root",
                           given);
        return op_fail(why, OP_FATAL, 0,
                       "PostgreSQL does not run as root, and there is no user postgres; name "
                       "another one with postgres.user");
    }
    if (owner->uid == 0)
        return op_fail(why, OP_FATAL, 0,
                       "postgres.user = %s: PostgreSQL does not run as root; name another user",
                       owner->name);
    read_groups(owner);
    return OP_OK;
}

void postgres_owner_release(struct postgres_owner *owner)
{
    free(owner->groups);
    owner->groups = NULL;
}

int postgres_owner_become(const struct postgres_owner *owner)
{
    if (!owner->other)
        return 0;
    if (setgroups((size_t)owner->group_count, owner->groups) != 0 ||
        setresgid(owner->gid, owner->gid, owner->gid) != 0 ||
        setresuid(owner->uid, owner->uid, owner->uid) != 0)
        return -1;
    return 0;
}

/* The length of the first part of `path` that is a directory which cannot be passed; 0: none.
 * Writes into `path`.  Async-signal-safe. */
static size_t first_blocked(char *path)
{
    for (size_t i = 1;; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        char end = path[i];
        path[i] = '\0';
        int result = access(path, X_OK);
        path[i] = end;
        if (result != 0)
            return i;
        if (end == '\0')
            return 0;
    }
}

/* first_blocked() as the owner, in a child: threads cannot change their user alone. */
static int blocked_for(const struct postgres_owner *owner, char *path, size_t *blocked)
{
    int ends[2], status;
    pid_t child;
    *blocked = 0;
    if (!owner->other) {
        *blocked = first_blocked(path);
        return 0;
    }
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    child = fork();
    if (child == 0) {
        size_t found = 0;
        bool told = postgres_owner_become(owner) == 0;
        if (told) {
            found = first_blocked(path);
            told = write(ends[1], &found, sizeof found) == (ssize_t)sizeof found;
        }
        _Exit(told ? 0 : 1);
    }
    int number = errno;
    close(ends[1]);
    if (child > 0) {
        ssize_t got = read(ends[0], blocked, sizeof *blocked);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        number = got == (ssize_t)sizeof *blocked ? 0 : EPERM;
    }
    close(ends[0]);
    errno = number;
    return number == 0 ? 0 : -1;
}

enum op_status postgres_owner_reaches(const struct postgres_owner *owner, const char *path,
                                      struct op_error *why)
{
    char *copy = fs_path("%s", path);
    enum op_status status = OP_OK;
    size_t blocked;
    if (blocked_for(owner, copy, &blocked) != 0)
        status =
            op_fail(why, OP_FATAL, errno, "becoming the user %s: %s", owner->name, strerror(errno));
    else if (blocked != 0)
        status = op_fail(why, OP_FATAL, EACCES,
                         "the server runs as %s, who cannot pass through %.*s; allow it (chmod "
                         "o+x), or choose another place",
                         owner->name, (int)blocked, copy);
    free(copy);
    return status;
}

enum op_status postgres_owner_mkdir(const struct postgres_owner *owner, const char *path,
                                    bool *made, struct op_error *why)
{
    *made = false;
    if (mkdir(path, 0700) != 0) {
        if (errno != EEXIST)
            return files_fail(why, "mkdir", path);
        return op_fail(why, OP_FATAL, EEXIST,
                       "%s is there already: it is not this trial's, so it is left alone", path);
    }
    *made = true;
    if (owner->other && lchown(path, owner->uid, owner->gid) != 0)
        return files_fail(why, "chown", path);
    return OP_OK;
}
