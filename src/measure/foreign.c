#include "measure/foreign.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {
    [FOREIGN_UNKNOWN] = NULL,
    [FOREIGN_CGROUP2] = "cgroup2",
    [FOREIGN_CGROUP1] = "cgroup1",
    [FOREIGN_BASELINE] = "baseline",
};

const char *foreign_method_name(enum foreign_method method)
{
    return names[method];
}

enum foreign_method foreign_method_of(const char *name)
{
    for (int i = FOREIGN_CGROUP2; name != NULL && i <= FOREIGN_BASELINE; i++)
        if (strcmp(names[i], name) == 0)
            return (enum foreign_method)i;
    return FOREIGN_UNKNOWN;
}

bool foreign_is_charged(const struct device *device, const struct foreign_reading *reading)
{
    double own = 0;
    for (size_t i = 0; i < device->leaf_count; i++)
        own += reading->own_bytes[device->leaves[i]];
    return own > 0;
}

static double written(const struct sample *from, const struct sample *to, size_t disk)
{
    struct disk_delta delta;
    if (disk >= from->disk_count || disk >= to->disk_count)
        return NAN;
    diskstats_delta(&from->disks[disk], &to->disks[disk], &delta);
    bool usable = delta.status == DISK_OK || delta.status == DISK_WRAPPED;
    return usable && ((delta.present >> DISK_WRITE_SECTORS) & 1)
               ? (double)delta.value[DISK_WRITE_SECTORS] * DISK_SECTOR_BYTES
               : NAN;
}

double foreign_disk_bytes(const struct device *device, const struct sample *from,
                          const struct sample *to)
{
    double sum = device->leaf_count > 0 ? 0 : NAN;
    for (size_t i = 0; i < device->leaf_count; i++)
        sum += written(from, to, device->leaves[i]);
    return sum;
}

static double seconds_between(const struct sample *from, const struct sample *to)
{
    return ((double)(to->t0_ns - from->t0_ns) + (double)(to->t1_ns - from->t1_ns)) / 2e9;
}

double foreign_idle_rate(const struct device *device, const struct sample *from,
                         const struct sample *to)
{
    double seconds = seconds_between(from, to);
    return seconds > 0 ? foreign_disk_bytes(device, from, to) / seconds : NAN;
}

double foreign_part(double write_bytes, double of_bytes)
{
    if (!(of_bytes > 0) || isnan(write_bytes))
        return NAN;
    return write_bytes < of_bytes ? write_bytes / of_bytes : 1;
}

/* By the groups' own counts.  False: they do not tell. */
static bool judge_groups(const struct foreign_evidence *evidence, const struct device *device,
                         struct foreign_share *share)
{
    double own = 0, others = 0;
    if (evidence->method == FOREIGN_UNKNOWN || evidence->start == NULL || evidence->end == NULL)
        return false;
    for (size_t i = 0; i < device->leaf_count; i++) {
        size_t disk = device->leaves[i];
        own += evidence->end->own_bytes[disk] - evidence->start->own_bytes[disk];
        others += evidence->end->other_bytes[disk] - evidence->start->other_bytes[disk];
    }
    /* Others' count falls where a group was removed in between. */
    if (!(others >= 0) || !(own > 0 || share->of_bytes == 0))
        return false;
    share->method = evidence->method;
    share->write_bytes = others;
    return true;
}

void foreign_judge(const struct foreign_evidence *evidence, const struct device *device,
                   const struct sample *from, const struct sample *to, struct foreign_share *share)
{
    *share = (struct foreign_share){.write_bytes = NAN,
                                    .of_bytes = foreign_disk_bytes(device, from, to)};
    if (isnan(share->of_bytes) || judge_groups(evidence, device, share))
        return;
    double estimate = evidence->idle_bytes_per_s * seconds_between(from, to);
    double own_at_least = (double)(to->rows - from->rows) * (double)to->row_bytes;
    /* More than there was room for beside our rows: what others did before the phase was no
     * measure of what they did in it. */
    if (isnan(estimate) || estimate > share->of_bytes - own_at_least)
        return;
    share->method = FOREIGN_BASELINE;
    share->write_bytes = estimate;
}
