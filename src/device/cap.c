#include "device/cap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "device/cgroup.h"
#include "device/kind.h"
#include "device/sysfs.h"

/* The limited device of this level, partitions going by their disk. */
struct level {
    char name[STACK_NAME];
    unsigned major, minor;
};

static bool read_level(const char *root, const char *name, struct level *level)
{
    char number[32];
    char *directory = sysfs_block(root, name);
    if (directory == NULL)
        return false;
    if (kind_is_partition(directory))
        *strrchr(directory, '/') = 0;
    bool known = sysfs_name(directory, level->name, sizeof level->name) &&
                 sysfs_text(directory, "dev", number, sizeof number) &&
                 sscanf(number, "%u:%u", &level->major, &level->minor) == 2;
    free(directory);
    return known;
}

static void add_source(struct cap *cap, const char *path)
{
    size_t used = strlen(cap->source);
    if (strstr(cap->source, path) == NULL)
        snprintf(cap->source + used, sizeof cap->source - used, "%s%s", used ? ", " : "", path);
}

static bool lower(double *limit, double value)
{
    if (isnan(value) || value <= 0 || value >= *limit)
        return false;
    *limit = value;
    return true;
}

static void see_file(struct cap *cap, const char *root, const char *directory, const char *file,
                     const struct level *level, const char *bytes_key, const char *iops_key)
{
    char *text = cgroup_read(directory, file);
    if (text == NULL)
        return;
    bool found = false;
    if (bytes_key != NULL)
        found |= lower(&cap->write_bytes_per_s,
                       cgroup_number(text, level->major, level->minor, bytes_key));
    if (iops_key != NULL)
        found |= lower(&cap->write_iops, cgroup_number(text, level->major, level->minor, iops_key));
    if (found) {
        char *path = fs_path("%s/%s", directory + strlen(root), file);
        memcpy(cap->device, level->name, sizeof cap->device);
        add_source(cap, path);
        free(path);
    }
    free(text);
}

static void see_v1(struct cap *cap, const char *root, const char *directory,
                   const struct level *level)
{
    see_file(cap, root, directory, "blkio.throttle.write_bps_device", level, "", NULL);
    see_file(cap, root, directory, "blkio.throttle.write_iops_device", level, NULL, "");
}

static void see_v2(struct cap *cap, const char *root, const struct cgroup *cgroup,
                   const struct level *level)
{
    char *directory = fs_path("%s", cgroup->own);
    size_t top = strlen(cgroup->top);
    for (;;) {
        see_file(cap, root, directory, "io.max", level, "wbps", "wiops");
        char *slash = strrchr(directory, '/');
        if (strlen(directory) <= top || slash == NULL || slash < directory + top)
            break;
        *slash = 0;
    }
    free(directory);
}

static void see_level(struct cap *cap, const char *root, const struct cgroup *cgroup,
                      const char *name)
{
    struct level level;
    if (!read_level(root, name, &level))
        return;
    if (cgroup->version == CGROUP_V2) {
        see_v2(cap, root, cgroup, &level);
        return;
    }
    see_v1(cap, root, cgroup->own, &level);
    if (!cgroup->at_top)
        see_v1(cap, root, cgroup->top, &level);
}

void cap_read(const char *root, const struct stack *stack, struct cap *cap)
{
    struct cgroup cgroup;
    *cap = (struct cap){.write_bytes_per_s = INFINITY, .write_iops = INFINITY};
    cgroup_find(root, &cgroup);
    for (size_t i = 0; stack->known && cgroup.version != CGROUP_NONE && i < stack->count; i++)
        if (i == 0 || stack->leaf_count == 1)
            see_level(cap, root, &cgroup, stack->names[i]);
    cgroup_release(&cgroup);
    if (isinf(cap->write_bytes_per_s))
        cap->write_bytes_per_s = NAN;
    if (isinf(cap->write_iops))
        cap->write_iops = NAN;
}
