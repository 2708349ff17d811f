#include "device/stack.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/fs.h"
#include "device/mountinfo.h"
#include "device/privacy.h"
#include "device/stack_below.h"
#include "device/stack_holders.h"
#include "device/stack_log.h"
#include "device/sysfs.h"

enum { MOUNTINFO_LIMIT = 64 << 20 };

/* False: it is there already, or there is no room. */
static bool add_name(char list[][STACK_NAME], size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i], name) == 0)
            return false;
    if (*count == STACK_MAX)
        return false;
    memcpy(list[(*count)++], name, strlen(name) + 1);
    return true;
}

static bool is_full(struct stack *stack)
{
    if (stack->count < STACK_MAX)
        return false;
    stack->incomplete = true;
    snprintf(stack->reason, sizeof stack->reason,
             "%s lies on more than %d devices: what is below those is not looked at",
             stack->tops[0], STACK_MAX);
    return true;
}

/* Adds the device in `directory` and what it lies on, depth first.  A device that was seen
 * before is left out with all below it, so that links in a circle end. */
static void descend(struct stack *stack, const char *root, const char *directory)
{
    char name[STACK_NAME];
    struct stack_below below;
    if (!sysfs_name(directory, name, sizeof name) || is_full(stack) ||
        !add_name(stack->names, &stack->count, name))
        return;
    stack_below_read(root, directory, &below);
    for (size_t i = 0; i < below.count; i++)
        descend(stack, root, below.directories[i]);
    if (below.count == 0 && !below.missing)
        add_name(stack->leaves, &stack->leaf_count, name);
    if (below.missing) {
        stack->incomplete = true;
        snprintf(stack->reason, sizeof stack->reason, "a device below %s is gone", name);
    }
    stack_below_release(&below);
}

static void take_device(struct stack *stack, const char *root, const char *directory)
{
    char name[STACK_NAME];
    if (!sysfs_name(directory, name, sizeof name) ||
        !add_name(stack->tops, &stack->top_count, name))
        return;
    if (stack->top_count == 1)
        memcpy(stack->sampled, name, sizeof name);
    descend(stack, root, directory);
    stack->known = stack->leaf_count > 0;
}

static bool has_option(const char *list, const char *option, size_t size)
{
    for (const char *at = list; *at != 0; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, option, size) == 0 && (at[size] == ',' || at[size] == 0))
            return true;
    return false;
}

static void join_options(const char *list, char *out, size_t capacity)
{
    size_t used = strlen(out);
    for (const char *at = list; *at != 0;) {
        size_t size = strcspn(at, ",");
        if (size > 0 && !has_option(out, at, size) && used + size + 2 <= capacity)
            used += (size_t)snprintf(out + used, capacity - used, "%s%.*s", used ? "," : "",
                                     (int)size, at);
        at += size;
        at += *at == ',';
    }
}

/* Where mounts are told: mountinfo is there from Linux 2.6.26 on. */
enum mount_source { MOUNTS_NOWHERE, MOUNTS_PLAIN, MOUNTS_INFO };

static enum mount_source read_mounts(const char *root, struct mount_table *table, struct err *err)
{
    static const char *const files[] = {"self/mountinfo", "self/mounts", "mounts"};
    enum mount_source source = MOUNTS_NOWHERE;
    *table = (struct mount_table){.mounts = NULL};
    for (size_t i = 0; source == MOUNTS_NOWHERE && i < sizeof files / sizeof *files; i++) {
        char *path = fs_path("%s/proc/%s", root, files[i]), *text = NULL;
        size_t size;
        struct err later;
        if (fs_read(path, MOUNTINFO_LIMIT, &text, &size, i == 0 ? err : &later) == 0 &&
            (i == 0 ? mount_table_parse : mount_table_parse_mounts)(text, size, table, err) == 0)
            source = i == 0 ? MOUNTS_INFO : MOUNTS_PLAIN;
        free(text);
        free(path);
    }
    return source;
}

/* /proc/mounts has no numbers; the file has its device's, where the file system has one. */
static bool add_number(const char *root, const char *path, struct mount *mount)
{
    struct stat status;
    if (root[0] != 0 || stat(path, &status) != 0 || major(status.st_dev) == 0)
        return false;
    mount->major = major(status.st_dev);
    mount->minor = minor(status.st_dev);
    return true;
}

/* The kernel's own answer where it gives one: it sees through every over-mount. */
static const struct mount *find_mount(const char *root, const char *path, enum mount_source source,
                                      const struct mount_table *table)
{
    struct statx x;
    const struct mount *mount = NULL;
    if (root[0] == 0 && source == MOUNTS_INFO && statx(AT_FDCWD, path, 0, STATX_MNT_ID, &x) == 0 &&
        x.stx_mask & STATX_MNT_ID)
        mount = mount_table_by_id(table, (int)x.stx_mnt_id);
    return mount ? mount : mount_table_find(table, path);
}

static void take_mount(struct stack *stack, const char *root, const struct mount_table *table,
                       const struct mount *mount)
{
    snprintf(stack->filesystem, sizeof stack->filesystem, "%s", mount->kind);
    snprintf(stack->mount_point, sizeof stack->mount_point, "%s", mount->point);
    join_options(mount->options, stack->mount_options, sizeof stack->mount_options);
    join_options(mount->super_options, stack->mount_options, sizeof stack->mount_options);
    struct stack_holders holders;
    stack_holders_find(root, table, mount, stack->path, &holders);
    snprintf(stack->kept_on, sizeof stack->kept_on, "%s", holders.last->kind);
    stack->is_network = mount_class(holders.last) == MOUNT_NETWORK;
    memcpy(stack->reason, holders.reason, sizeof stack->reason);
    stack->incomplete = holders.incomplete && holders.count > 0;
    for (size_t i = 0; i < holders.count; i++)
        take_device(stack, root, holders.directories[i]);
    if (!stack->known && stack->reason[0] == 0)
        snprintf(stack->reason, sizeof stack->reason,
                 "what %s lies on cannot be followed to a disk", stack->tops[0]);
    privacy_hide_paths(stack->reason);
    stack_holders_release(&holders);
    stack_log_find(root, stack);
}

int stack_resolve(const char *root, const char *path, struct stack *stack, struct err *err)
{
    int result = -1;
    char none[] = "";
    struct mount_table table = {.mounts = NULL};
    char *real = root[0] == 0 ? fs_real_path(path, err) : fs_path("%s", path);
    memset(stack, 0, sizeof *stack);
    if (real == NULL)
        goto out;
    if (strlen(real) >= sizeof stack->path) {
        err_set(err, ERR_REFUSED, "%s: the path is longer than %zu bytes", path,
                sizeof stack->path - 1);
        goto out;
    }
    memcpy(stack->path, real, strlen(real) + 1);
    enum mount_source source = read_mounts(root, &table, err);
    const struct mount *found = find_mount(root, real, source, &table);
    struct mount alone = {.root = none,
                          .point = none,
                          .options = none,
                          .optional = none,
                          .kind = none,
                          .source = none,
                          .super_options = none};
    struct mount *mount = found != NULL ? &table.mounts[found - table.mounts] : &alone;
    bool numbered = source != MOUNTS_INFO && add_number(root, real, mount);
    if (source == MOUNTS_NOWHERE && !numbered)
        goto out;
    if (found != NULL || numbered)
        take_mount(stack, root, &table, mount);
    else
        snprintf(stack->reason, sizeof stack->reason, "no mount holds this path");
    result = 0;
out:
    mount_table_release(&table);
    free(real);
    return result;
}

bool stack_of_device(const char *root, const char *name, struct stack *stack)
{
    char *directory =
        strncmp(name, "/dev/", 5) == 0 ? stack_holders_source(root, name) : sysfs_block(root, name);
    memset(stack, 0, sizeof *stack);
    if (directory != NULL)
        take_device(stack, root, directory);
    free(directory);
    return stack->top_count > 0;
}

int stack_override(const char *root, const char *name, struct stack *stack, struct err *err)
{
    stack_of_device(root, name, stack);
    if (!stack->known)
        return err_set(err, ERR_USAGE,
                       "%s is no block device of this machine: give a name that lsblk shows", name);
    return 0;
}
