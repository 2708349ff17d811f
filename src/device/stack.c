#include "device/stack.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/fs.h"
#include "device/mountinfo.h"
#include "device/sysfs.h"

enum { MOUNTINFO_LIMIT = 64 << 20, DEPTH_MAX = 32 };

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

static int is_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Adds the device in `directory` and what it lies on, depth first.  A device that was seen
 * before is left out with all below it, so that links in a circle end. */
static void descend(struct stack *stack, const char *directory, unsigned depth)
{
    char name[STACK_NAME];
    if (depth == DEPTH_MAX || !sysfs_name(directory, name, sizeof name) ||
        !add_name(stack->names, &stack->count, name))
        return;
    if (sysfs_exists(directory, "partition")) {
        char *whole = fs_path("%.*s", (int)(strrchr(directory, '/') - directory), directory);
        descend(stack, whole, depth + 1);
        free(whole);
        return;
    }
    struct dirent **slaves = NULL;
    char *list = fs_path("%s/slaves", directory);
    int count = scandir(list, &slaves, is_entry, by_name);
    for (int i = 0; i < count; i++) {
        char *link = fs_path("%s/%s", list, slaves[i]->d_name);
        char *slave = realpath(link, NULL);
        if (slave != NULL)
            descend(stack, slave, depth + 1);
        free(slave);
        free(link);
        free(slaves[i]);
    }
    if (count <= 0)
        add_name(stack->leaves, &stack->leaf_count, name);
    free(slaves);
    free(list);
}

static void take_device(struct stack *stack, const char *directory)
{
    if (!sysfs_name(directory, stack->sampled, sizeof stack->sampled))
        return;
    descend(stack, directory, 0);
    stack->known = stack->leaf_count > 0;
}

/* /dev/mapper/NAME is a link that udev made; sysfs knows the name too. */
static char *mapper_directory(const char *root, const char *name)
{
    struct dirent **disks = NULL;
    char *list = fs_path("%s/sys/block", root), *found = NULL;
    int count = scandir(list, &disks, is_entry, by_name);
    for (int i = 0; i < count; i++) {
        char *disk = fs_path("%s/%s", list, disks[i]->d_name), mapped[256];
        if (found == NULL && sysfs_text(disk, "dm/name", mapped, sizeof mapped) &&
            strcmp(mapped, name) == 0)
            found = realpath(disk, NULL);
        free(disk);
        free(disks[i]);
    }
    free(disks);
    free(list);
    return found;
}

static char *source_directory(const char *root, const char *source)
{
    static const char dev[] = "/dev/", mapper[] = "/dev/mapper/";
    struct stat node;
    if (strncmp(source, dev, sizeof dev - 1) != 0)
        return NULL;
    if (root[0] == 0 && stat(source, &node) == 0 && S_ISBLK(node.st_mode))
        return sysfs_block_number(root, major(node.st_rdev), minor(node.st_rdev));
    if (strncmp(source, mapper, sizeof mapper - 1) == 0)
        return mapper_directory(root, source + sizeof mapper - 1);
    return sysfs_block(root, source + sizeof dev - 1);
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

static int read_mounts(const char *root, struct mount_table *table, struct err *err)
{
    char *path = fs_path("%s/proc/self/mountinfo", root), *text = NULL;
    size_t size;
    int failed = fs_read(path, MOUNTINFO_LIMIT, &text, &size, err);
    if (failed == 0)
        failed = mount_table_parse(text, size, table, err);
    free(text);
    free(path);
    return failed;
}

/* The kernel's own answer where it gives one: it sees through every over-mount. */
static const struct mount *find_mount(const char *root, const char *path,
                                      const struct mount_table *table)
{
    struct statx x;
    const struct mount *mount = NULL;
    if (root[0] == 0 && statx(AT_FDCWD, path, 0, STATX_MNT_ID, &x) == 0 &&
        x.stx_mask & STATX_MNT_ID)
        mount = mount_table_by_id(table, (int)x.stx_mnt_id);
    return mount ? mount : mount_table_find(table, path);
}

static void take_mount(struct stack *stack, const char *root, const struct mount *mount)
{
    snprintf(stack->filesystem, sizeof stack->filesystem, "%s", mount->kind);
    snprintf(stack->mount_point, sizeof stack->mount_point, "%s", mount->point);
    join_options(mount->options, stack->mount_options, sizeof stack->mount_options);
    join_options(mount->super_options, stack->mount_options, sizeof stack->mount_options);
    /* Major 0 is anonymous: btrfs, overlay, FUSE, network. */
    char *directory = mount->major != 0 ? sysfs_block_number(root, mount->major, mount->minor)
                                        : source_directory(root, mount->source);
    if (directory != NULL)
        take_device(stack, directory);
    free(directory);
}

int stack_resolve(const char *root, const char *path, struct stack *stack, struct err *err)
{
    int result = -1;
    struct mount_table table = {NULL, 0};
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
    if (read_mounts(root, &table, err) != 0)
        goto out;
    const struct mount *mount = find_mount(root, real, &table);
    if (mount != NULL)
        take_mount(stack, root, mount);
    result = 0;
out:
    mount_table_release(&table);
    free(real);
    return result;
}

int stack_override(const char *root, const char *name, struct stack *stack, struct err *err)
{
    char *directory =
        strncmp(name, "/dev/", 5) == 0 ? source_directory(root, name) : sysfs_block(root, name);
    memset(stack, 0, sizeof *stack);
    if (directory != NULL)
        take_device(stack, directory);
    free(directory);
    if (!stack->known)
        return err_set(err, ERR_USAGE,
                       "%s is no block device of this machine: give a name that lsblk shows", name);
    return 0;
}
