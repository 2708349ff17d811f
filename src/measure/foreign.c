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

static double counted(const struct sample *from, const struct sample *to, size_t disk,
                      enum disk_field field)
{
    struct disk_delta delta;
    if (disk >= from->disk_count || disk >= to->disk_count)
        return NAN;
    diskstats_delta(&from->disks[disk], &to->disks[disk], &delta);
    bool usable = delta.status == DISK_OK || delta.status == DISK_WRAPPED;
    return usable && ((delta.present >> field) & 1) ? (double)delta.value[field] : NAN;
}

static double sum_leaves(const struct device *device, const struct sample *from,
                         const struct sample *to, enum disk_field field)
{
    double sum = device->leaf_count > 0 ? 0 : NAN;
    for (size_t i = 0; i < device->leaf_count; i++)
        sum += counted(from, to, device->leaves[i], field);
    return sum;
}

double foreign_disk_bytes(const struct device *device, const struct sample *from,
                          const struct sample *to)
{
    return sum_leaves(device, from, to, DISK_WRITE_SECTORS) * DISK_SECTOR_BYTES;
}

double foreign_disk_read_bytes(const struct device *device, const struct sample *from,
                               const struct sample *to)
{
    return sum_leaves(device, from, to, DISK_READ_SECTORS) * DISK_SECTOR_BYTES;
}

static double seconds_between(const struct sample *from, const struct sample *to)
{
    return ((double)(to->t0_ns - from->t0_ns) + (double)(to->t1_ns - from->t1_ns)) / 2e9;
}

static double per_second(double bytes, const struct sample *from, const struct sample *to)
{
    double seconds = seconds_between(from, to);
    return seconds > 0 ? bytes / seconds : NAN;
}

double foreign_idle_rate(const struct device *device, const struct sample *from,
                         const struct sample *to)
{
    return per_second(foreign_disk_bytes(device, from, to), from, to);
}

double foreign_idle_read_rate(const struct device *device, const struct sample *from,
                              const struct sample *to)
{
    return per_second(foreign_disk_read_bytes(device, from, to), from, to);
}

double foreign_part(double write_bytes, double of_bytes)
{
    if (!(of_bytes > 0) || isnan(write_bytes))
        return NAN;
    return write_bytes < of_bytes ? write_bytes / of_bytes : 1;
}

double foreign_share_part(const struct foreign_share *share)
{
    double written = foreign_part(share->write_bytes, share->of_bytes);
    double all = foreign_part(share->write_bytes + share->read_bytes,
                              share->of_bytes + share->of_read_bytes);
    return isnan(all) || written > all ? written : all;
}

static double risen(const struct device *device, const double *start, const double *end)
{
    double sum = 0;
    for (size_t i = 0; i < device->leaf_count; i++)
        sum += end[device->leaves[i]] - start[device->leaves[i]];
    return sum;
}

/* By the groups' own counts.  False: they do not tell. */
static bool judge_groups(const struct foreign_evidence *evidence, const struct device *device,
                         struct foreign_share *share)
{
    const struct foreign_reading *start = evidence->start, *end = evidence->end;
    if (evidence->method == FOREIGN_UNKNOWN || start == NULL || end == NULL)
        return false;
    double own = risen(device, start->own_bytes, end->own_bytes);
    double others = risen(device, start->other_bytes, end->other_bytes);
    double reads = risen(device, start->other_read_bytes, end->other_read_bytes);
    /* Others' count falls where a group was removed in between. */
    if (!(others >= 0) || !(own > 0 || share->of_bytes == 0))
        return false;
    share->method = evidence->method;
    share->write_bytes = others;
    share->read_bytes = reads >= 0 ? reads : NAN;
    return true;
}

/* What this run wrote for sure: its rows, and where commits are flushed a block for each, though
 * many commits may share one flush. */
static double own_at_least(const struct foreign_evidence *evidence, const struct device *device,
                           const struct sample *from, const struct sample *to)
{
    double rows = (double)(to->rows - from->rows) * (double)to->row_bytes;
    double commits = (double)(to->commits - from->commits);
    double flushes = sum_leaves(device, from, to, DISK_FLUSHES);
    if (!evidence->commit_flushes || isnan(flushes))
        return rows;
    double blocks = FOREIGN_COMMIT_BYTES * (commits < flushes ? commits : flushes);
    return rows > blocks ? rows : blocks;
}

/* By what the drive did before.  False: that was no measure of what it did in the phase. */
static bool judge_idle(const struct foreign_evidence *evidence, const struct device *device,
                       const struct sample *from, const struct sample *to,
                       struct foreign_share *share)
{
    double seconds = seconds_between(from, to);
    double estimate = evidence->idle_bytes_per_s * seconds;
    double reads = evidence->idle_read_bytes_per_s * seconds;
    /* Not where it is more than there was room for beside our own. */
    if (isnan(estimate) || estimate > share->of_bytes - own_at_least(evidence, device, from, to))
        return false;
    share->method = FOREIGN_BASELINE;
    share->write_bytes = estimate;
    share->read_bytes = reads <= share->of_read_bytes ? reads : NAN;
    return true;
}

static void count_reads(const struct foreign_evidence *evidence, struct foreign_share *share)
{
    double others = share->of_read_bytes - evidence->own_read_bytes;
    if (!isnan(others))
        share->read_bytes = others > 0 ? others : 0;
}

void foreign_judge(const struct foreign_evidence *evidence, const struct device *device,
                   const struct sample *from, const struct sample *to, struct foreign_share *share)
{
    *share = (struct foreign_share){.write_bytes = NAN,
                                    .of_bytes = foreign_disk_bytes(device, from, to),
                                    .read_bytes = NAN,
                                    .of_read_bytes = foreign_disk_read_bytes(device, from, to)};
    if (isnan(share->of_bytes))
        return;
    if (judge_groups(evidence, device, share) || judge_idle(evidence, device, from, to, share))
        count_reads(evidence, share);
}
