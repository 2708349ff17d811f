#include "cli/device_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/fs.h"
#include "device/kind.h"
#include "device/sysfs.h"

char *device_query_path(const char *path, struct err *err)
{
    if (path[0] != '/') {
        err_set(err, ERR_USAGE, "'%s' is no absolute path; saved files know no current directory",
                path);
        return NULL;
    }
    char *clean = fs_path("%s", path), *to = clean;
    for (const char *from = path; *from != 0;) {
        from += strspn(from, "/");
        size_t size = strcspn(from, "/");
        if (size == 2 && memcmp(from, "..", 2) == 0) {
            while (to > clean && *--to != '/')
                ;
        } else if (size > 0 && !(size == 1 && *from == '.')) {
            *to++ = '/';
            memmove(to, from, size);
            to += size;
        }
        from += size;
    }
    if (to == clean)
        *to++ = '/';
    *to = 0;
    return clean;
}

/* A node in /dev is on devtmpfs, which is not what somebody asks who names a drive. */
static bool query_node(const char *path, struct stack *stack)
{
    struct stat status;
    char name[STACK_NAME];
    if (stat(path, &status) != 0 || !S_ISBLK(status.st_mode))
        return false;
    char *directory = sysfs_block_number("", major(status.st_rdev), minor(status.st_rdev));
    bool known = directory != NULL && sysfs_name(directory, name, sizeof name) &&
                 stack_of_device("", name, stack);
    free(directory);
    if (!known)
        memset(stack, 0, sizeof *stack);
    if (!known)
        snprintf(stack->reason, sizeof stack->reason, "%u:%u is not in /sys", major(status.st_rdev),
                 minor(status.st_rdev));
    return true;
}

int device_query(const char *root, const char *path, struct stack *stack, struct err *err)
{
    if (path[0] == 0)
        return err_set(err, ERR_USAGE, "the path is empty; name a file, a directory or a device");
    if (root[0] == 0) {
        if (query_node(path, stack))
            return 0;
        int status = stack_resolve("", path, stack, err);
        if (status != 0)
            err->kind = ERR_FAILED; /* there is no load here that could be refused */
        return status;
    }
    char *clean = device_query_path(path, err);
    int status = clean != NULL ? stack_resolve(root, clean, stack, err) : -1;
    free(clean);
    return status;
}

void device_query_backing(const char *root, const char *name, char **file, struct stack *under)
{
    char text[4096];
    struct err ignored;
    char *directory = sysfs_block(root, name);
    memset(under, 0, sizeof *under);
    *file = NULL;
    if (directory != NULL && kind_backing_file(directory, text, sizeof text)) {
        *file = fs_path("%s", text);
        /* It may be deleted, or of another namespace: then nothing is known of it. */
        if (text[0] != '/' || stack_resolve(root, text, under, &ignored) != 0)
            memset(under, 0, sizeof *under);
    }
    free(directory);
}
