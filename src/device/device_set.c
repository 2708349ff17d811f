#include "device/device_set.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "device/diskstats.h"

/* The index of the row; DEVICE_SET_NAMES when there is no room. */
static size_t add_name(struct device_set *set, const char *name)
{
    for (size_t i = 0; i < set->name_count; i++)
        if (strcmp(set->names[i], name) == 0)
            return i;
    if (set->name_count < DEVICE_SET_NAMES)
        set->names[set->name_count++] = name;
    else
        return DEVICE_SET_NAMES;
    return set->name_count - 1;
}

static int find_name(const struct device_set *set, const char *name, size_t *index)
{
    for (*index = 0; *index < set->name_count; (*index)++)
        if (strcmp(set->names[*index], name) == 0)
            return 0;
    return -1;
}

/* Bytes and writes of a file system that spans devices itself are the sum over all of them
 * (diskstats.h); where the name of the sum is too long, they are not known. */
static void join_tops(struct stack *stack)
{
    char joined[sizeof stack->sampled] = "";
    size_t used = 0;
    if (stack->top_count < 2)
        return;
    for (size_t i = 0; i < stack->top_count; i++) {
        size_t size = strlen(stack->tops[i]);
        if (used + size + 2 > sizeof joined) {
            stack->known = false;
            snprintf(stack->reason, sizeof stack->reason,
                     "it lies on %zu devices, which is more "
                     "than can be summed up",
                     stack->top_count);
            return;
        }
        if (used > 0)
            joined[used++] = DISK_SUM_SIGN;
        memcpy(joined + used, stack->tops[i], size + 1);
        used += size;
    }
    memcpy(stack->sampled, joined, sizeof joined);
}

static int add_stack(struct device_set *set, struct device *device, struct err *err)
{
    const struct stack *stack = &device->stack;
    for (size_t i = 0; i < stack->count; i++)
        if (add_name(set, stack->names[i]) == DEVICE_SET_NAMES)
            return err_set(
                err, ERR_FAILED,
                "%s lies on more than %d block devices, which is all that can be sampled",
                stack->sampled, DEVICE_SET_NAMES);
    device->sampled = add_name(set, stack->sampled);
    if (device->sampled == DEVICE_SET_NAMES)
        return err_set(err, ERR_FAILED, "%s lies on more than %d block devices", stack->sampled,
                       DEVICE_SET_NAMES);
    for (size_t i = 0; i < stack->leaf_count; i++)
        if (find_name(set, stack->leaves[i], &device->leaves[device->leaf_count]) == 0)
            device->leaf_count++;
    return 0;
}

/* The file system is the path's, the devices are the named one's. */
static int read_stack(const char *root, const char *path, const char *override, struct stack *stack,
                      struct err *err)
{
    if (override == NULL)
        return stack_resolve(root, path, stack, err);
    struct stack named;
    if (stack_override(root, override, &named, err) != 0)
        return -1;
    if (path != NULL) {
        if (stack_resolve(root, path, stack, err) != 0)
            return -1;
        memcpy(named.path, stack->path, sizeof named.path);
        memcpy(named.filesystem, stack->filesystem, sizeof named.filesystem);
        memcpy(named.kept_on, stack->kept_on, sizeof named.kept_on);
        named.is_network = stack->is_network;
        memcpy(named.mount_point, stack->mount_point, sizeof named.mount_point);
        memcpy(named.mount_options, stack->mount_options, sizeof named.mount_options);
    }
    *stack = named;
    return 0;
}

/* Of what an unprivileged writer could use at most. */
static double read_fill(const char *root, const char *path)
{
    uint64_t free_bytes, total_bytes;
    struct err ignored;
    if (root[0] != '\0' || path == NULL ||
        fs_space(path, &free_bytes, &total_bytes, &ignored) != 0 || total_bytes == 0)
        return NAN;
    return 1 - (double)free_bytes / (double)total_bytes;
}

int device_set_add(struct device_set *set, const char *root, const char *role, const char *path,
                   const char *override, struct err *err)
{
    assert(set->count < DEVICE_SET_ROLES);
    struct device *device = &set->devices[set->count];
    size_t names_before = set->name_count;
    memset(device, 0, sizeof *device);
    device->role = role;
    device->fill = read_fill(root, path);
    identity_read(root, "", &device->identity);
    if (read_stack(root, path, override, &device->stack, err) != 0)
        return -1;
    cap_read(root, &device->stack, &device->cap);
    stack_memory(root, &device->stack, device->memory);
    join_tops(&device->stack);
    if (device->stack.known) {
        if (add_stack(set, device, err) != 0) {
            set->name_count = names_before;
            return -1;
        }
        identity_read(root, device->stack.leaves[0], &device->identity);
    }
    set->count++;
    return 0;
}
