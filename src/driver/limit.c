#include "driver/limit.h"

#include <string.h>

#include "base/clock.h"
#include "base/fs.h"

/* The slot of a device: that of the first target that was seen on it. */
static unsigned slot_of(const struct limit *limit, unsigned target, const char *name)
{
    for (unsigned i = 0; i < LIMIT_TARGETS_MAX; i++)
        if (limit->targets[i].begun && strcmp(limit->targets[i].first.name, name) == 0)
            return i;
    return target;
}

static void see_device(struct limit *limit, unsigned slot, const struct diskstats *now)
{
    struct disk_delta delta;
    if (!limit->targets[slot].begun) {
        limit->targets[slot].begun = true;
        limit->targets[slot].first = *now;
        return;
    }
    diskstats_delta(&limit->targets[slot].first, now, &delta);
    if (delta.status == DISK_RESET) {
        limit->targets[slot].earlier += limit->targets[slot].written;
        limit->targets[slot].written = 0;
        limit->targets[slot].first = *now;
    } else if ((delta.present >> DISK_WRITE_SECTORS) & 1) {
        limit->targets[slot].written = (double)delta.value[DISK_WRITE_SECTORS] * DISK_SECTOR_BYTES;
    }
}

void limit_see(struct limit *limit, unsigned target, const struct device_set *devices,
               const struct sample *sample, uint64_t row_bytes)
{
    const struct device *data = devices->count == 0 ? NULL : &devices->devices[0];
    if (data == NULL || data->leaf_count == 0 || target >= LIMIT_TARGETS_MAX) {
        limit->rows_bytes = (double)sample->rows * (double)row_bytes;
        return;
    }
    const struct diskstats *now = &sample->disks[data->sampled];
    if (diskstats_has(now, DISK_WRITE_SECTORS))
        see_device(limit, slot_of(limit, target, now->name), now);
    else if (!limit->targets[target].begun) /* it has no counters */
        limit->rows_bytes = (double)sample->rows * (double)row_bytes;
}

void limit_trial_done(struct limit *limit)
{
    limit->earlier_rows_bytes += limit->rows_bytes;
    limit->rows_bytes = 0;
}

double limit_written(const struct limit *limit)
{
    double written = limit->earlier_rows_bytes + limit->rows_bytes;
    for (size_t i = 0; i < LIMIT_TARGETS_MAX; i++)
        written += limit->targets[i].earlier + limit->targets[i].written;
    return written;
}

enum stop_reason limit_check(struct limit *limit, const char *path)
{
    if (limit_written(limit) >= (double)limit->write_bytes)
        return STOP_WRITE_BYTES;
    int64_t now_ns = clock_now_ns();
    if (path == NULL || now_ns - limit->space_checked_ns < NS_PER_S / 5)
        return STOP_NONE;
    limit->space_checked_ns = now_ns;
    struct err ignored;
    uint64_t free_bytes, total_bytes;
    if (fs_space(path, &free_bytes, &total_bytes, &ignored) == 0 &&
        (double)free_bytes < limit->free_share * (double)total_bytes)
        return STOP_FREE_SPACE;
    return STOP_NONE;
}
