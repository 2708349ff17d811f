#include <math.h>
#include <stdlib.h>

#include "base/fs.h"
#include "device/sysfs.h"
#include "measure/foreign.h"

#define STAT_V1 "blkio.throttle.io_service_bytes_recursive"
#define STAT_V2 "io.stat"

enum foreign_method foreign_cgroup_method(const struct cgroup *cgroup)
{
    /* Where only a part of the groups is seen, most neighbours are not. */
    if (cgroup->version == CGROUP_NONE || cgroup->at_top || !cgroup->whole)
        return FOREIGN_UNKNOWN;
    bool is_v2 = cgroup->version == CGROUP_V2;
    char *text = cgroup_read(cgroup->own, is_v2 ? STAT_V2 : STAT_V1);
    if (text == NULL)
        return FOREIGN_UNKNOWN;
    free(text);
    return is_v2 ? FOREIGN_CGROUP2 : FOREIGN_CGROUP1;
}

struct keys {
    const char *file, *written, *read;
};

static struct keys keys_of(enum foreign_method method)
{
    return method == FOREIGN_CGROUP2 ? (struct keys){STAT_V2, "wbytes", "rbytes"}
                                     : (struct keys){STAT_V1, "Write", "Read"};
}

static double or_0(double value)
{
    return isnan(value) ? 0 : value;
}

/* Adds what one group and all below it wrote and read; a group that never used a disk has no line
 * for it. */
static bool add_group(const char *directory, enum foreign_method method,
                      const struct diskstats *disks, size_t count, double *written, double *read)
{
    struct keys keys = keys_of(method);
    char *text = cgroup_read(directory, keys.file);
    if (text == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        written[i] += or_0(cgroup_number(text, disks[i].major, disks[i].minor, keys.written));
        read[i] += or_0(cgroup_number(text, disks[i].major, disks[i].minor, keys.read));
    }
    free(text);
    return true;
}

void foreign_cgroup_read(const struct cgroup *cgroup, enum foreign_method method,
                         const struct diskstats *disks, size_t count,
                         struct foreign_reading *reading)
{
    bool is_known = method == FOREIGN_CGROUP2 || method == FOREIGN_CGROUP1;
    char **groups = NULL;
    *reading = (struct foreign_reading){.own_bytes = {0}};
    if (count > DEVICE_SET_NAMES)
        count = DEVICE_SET_NAMES;
    /* Ours first: what it moves meanwhile must not make the others' count run back. */
    if (is_known)
        is_known = add_group(cgroup->own, method, disks, count, reading->own_bytes,
                             reading->own_read_bytes);
    size_t group_count = is_known ? sysfs_list(cgroup->top, &groups) : 0;
    for (size_t i = 0; i < group_count; i++) {
        char *directory = fs_path("%s/%s", cgroup->top, groups[i]);
        add_group(directory, method, disks, count, reading->other_bytes, reading->other_read_bytes);
        free(directory);
    }
    if (groups != NULL)
        sysfs_list_free(groups, group_count);
    for (size_t i = 0; i < DEVICE_SET_NAMES; i++) {
        reading->other_bytes[i] -= reading->own_bytes[i];
        reading->other_read_bytes[i] -= reading->own_read_bytes[i];
        if (is_known && i < count && disks[i].name[0] != 0)
            continue;
        reading->own_bytes[i] = reading->other_bytes[i] = NAN;
        reading->own_read_bytes[i] = reading->other_read_bytes[i] = NAN;
    }
}
