#include "device/stack_holders.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/fs.h"
#include "device/stack_btrfs.h"
#include "device/sysfs.h"

/* ---- one source ---- */

/* /dev/mapper/NAME is a link that udev made; sysfs knows the name too. */
static char *mapper_directory(const char *root, const char *name)
{
    char *list = fs_path("%s/sys/block", root), *found = NULL, **disks;
    size_t count = sysfs_list(list, &disks);
    for (size_t i = 0; found == NULL && i < count; i++) {
        char *disk = fs_path("%s/%s", list, disks[i]), mapped[256];
        if (sysfs_text(disk, "dm/name", mapped, sizeof mapped) && strcmp(mapped, name) == 0)
            found = sysfs_real(root, disk);
        free(disk);
    }
    sysfs_list_free(disks, count);
    free(list);
    return found;
}

/* /dev/GROUP/VOLUME is mapped as GROUP-VOLUME, where a dash of a name is doubled. */
static char *volume_directory(const char *root, const char *name)
{
    const char *slash = strchr(name, '/');
    if (slash == NULL || strchr(slash + 1, '/') != NULL)
        return NULL;
    char *mapped = calloc(2, strlen(name) + 1), *to = mapped;
    if (mapped == NULL)
        abort();
    for (const char *from = name; *from != 0; from++) {
        if (*from == '-')
            *to++ = '-';
        *to++ = from == slash ? '-' : *from;
    }
    char *found = mapper_directory(root, mapped);
    free(mapped);
    return found;
}

char *stack_holders_source(const char *root, const char *source)
{
    static const char dev[] = "/dev/", mapper[] = "/dev/mapper/";
    struct stat node;
    if (strncmp(source, dev, sizeof dev - 1) != 0)
        return NULL;
    if (root[0] == 0 && stat(source, &node) == 0 && S_ISBLK(node.st_mode))
        return sysfs_block_number(root, major(node.st_rdev), minor(node.st_rdev));
    if (strncmp(source, mapper, sizeof mapper - 1) == 0)
        return mapper_directory(root, source + sizeof mapper - 1);
    char *found = sysfs_block(root, source + sizeof dev - 1);
    return found ? found : volume_directory(root, source + sizeof dev - 1);
}

/* ---- lists of devices ---- */

static void add(struct stack_holders *holders, char *directory)
{
    holders->directories =
        reallocarray(holders->directories, holders->count + 1, sizeof *holders->directories);
    if (holders->directories == NULL)
        abort();
    holders->directories[holders->count++] = directory;
}

static void __attribute__((format(printf, 2, 3)))
explain(struct stack_holders *holders, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(holders->reason, sizeof holders->reason, format, args);
    va_end(args);
}

static void by_source(const char *root, const char *source, struct stack_holders *holders)
{
    char *directory = stack_holders_source(root, source);
    if (directory != NULL)
        add(holders, directory);
    else
        explain(holders, "the mount's source, %s, names no block device that is there",
                source[0] ? source : "which is empty");
}

/* /dev/a:/dev/b */
static void by_list(const char *root, const char *list, struct stack_holders *holders)
{
    char *copy = fs_path("%s", list), *rest = NULL;
    for (char *one = strtok_r(copy, ":", &rest); one; one = strtok_r(NULL, ":", &rest)) {
        by_source(root, one, holders);
        holders->incomplete = holders->incomplete || holders->reason[0] != 0;
    }
    free(copy);
}

static void by_btrfs(const char *root, const struct mount *mount, const char *path,
                     struct stack_holders *holders)
{
    char *source = stack_holders_source(root, mount->source);
    char **members;
    bool missing;
    size_t count = stack_btrfs(root, path, source, &members, &missing);
    for (size_t i = 0; i < count; i++)
        add(holders, members[i]);
    free(members);
    if (missing) {
        holders->incomplete = true;
        explain(holders, "a device of this btrfs is missing");
    }
    if (count > 0) {
        free(source);
        return;
    }
    if (source != NULL) {
        add(holders, source);
        holders->incomplete = true;
        explain(holders, "the other devices of this btrfs, if any, are not in /sys/fs/btrfs");
    } else {
        by_source(root, mount->source, holders);
    }
}

/* ---- one mount ---- */

static bool has_numbers(const char *root)
{
    char *sys = fs_path("%s/sys", root);
    bool has = sysfs_exists(sys, "dev/block");
    free(sys);
    return has;
}

static void by_number(const char *root, const struct mount *mount, struct stack_holders *holders)
{
    char *directory = sysfs_block_number(root, mount->major, mount->minor);
    if (directory != NULL)
        add(holders, directory);
    else
        explain(holders, "%u:%u is not in %s: the device is gone", mount->major, mount->minor,
                has_numbers(root) ? "/sys/dev/block" : "/sys/block");
}

/* What is written to an overlay goes to its upper directory, where that can be seen from here:
 * in a container it often lies outside.  NULL: it cannot be told. */
static const struct mount *below_overlay(const char *root, const struct mount_table *table,
                                         const struct mount *mount, struct stack_holders *holders)
{
    char *upper = mount_option(mount->super_options, "upperdir");
    const struct mount *found = NULL;
    if (upper == NULL)
        explain(holders, "%s without an upper directory: nothing can be written there",
                mount->kind);
    else if (upper[0] != '/' || (root[0] == 0 && access(upper, F_OK) != 0))
        explain(holders, "the upper directory of this %s cannot be seen from here: %s", mount->kind,
                upper);
    else if ((found = mount_table_find(table, upper)) == NULL || found == mount) {
        explain(holders, "the upper directory of this %s lies on no mount that can be seen: %s",
                mount->kind, upper);
        found = NULL;
    }
    free(upper);
    return found;
}

static void by_class(const char *root, const struct mount *mount, const char *path,
                     struct stack_holders *holders)
{
    switch (mount_class(mount)) {
    case MOUNT_BLOCK:
        by_number(root, mount, holders);
        return;
    case MOUNT_NETWORK:
        explain(holders, "%s is a network file system: it has no block device here", mount->kind);
        return;
    case MOUNT_ZFS:
        explain(holders,
                "zfs: the kernel does not tell which disks a pool lies on; zpool status does");
        return;
    case MOUNT_ANONYMOUS_BLOCK:
    case MOUNT_FUSE:
    case MOUNT_VIRTUAL:
    case MOUNT_OVERLAY:
        break;
    }
    if (strcmp(mount->kind, "btrfs") == 0)
        by_btrfs(root, mount, path, holders);
    else if (strcmp(mount->kind, "bcachefs") == 0)
        by_list(root, mount->source, holders);
    else if (mount_class(mount) != MOUNT_VIRTUAL && strncmp(mount->source, "/dev/", 5) == 0)
        by_source(root, mount->source, holders);
    else
        explain(holders, "%s has no block device", mount->kind);
}

void stack_holders_find(const char *root, const struct mount_table *table,
                        const struct mount *mount, const char *path, struct stack_holders *holders)
{
    *holders = (struct stack_holders){.last = mount};
    /* An upper directory may lie on another overlay; no way down is longer than the table. */
    for (size_t depth = 0; mount_class(mount) == MOUNT_OVERLAY; depth++) {
        if (depth > table->count) {
            explain(holders, "overlays lie on each other in a circle");
            return;
        }
        const struct mount *upper = below_overlay(root, table, mount, holders);
        if (upper == NULL)
            return;
        mount = holders->last = upper;
        path = NULL; /* it is on another mount now */
    }
    by_class(root, mount, path, holders);
}

void stack_holders_release(struct stack_holders *holders)
{
    sysfs_list_free(holders->directories, holders->count);
    *holders = (struct stack_holders){.directories = NULL};
}
