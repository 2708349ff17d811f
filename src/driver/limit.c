#include "driver/limit.h"

#include "base/clock.h"
#include "base/fs.h"

void limit_see(struct limit *limit, unsigned target, const struct device_set *devices,
               const struct sample *sample, uint64_t row_bytes)
{
    struct disk_delta delta;
    const struct device *data = devices->count == 0 ? NULL : &devices->devices[0];
    bool known = data != NULL && data->leaf_count != 0 && target < LIMIT_TARGETS_MAX &&
                 diskstats_has(&sample->disks[data->sampled], DISK_WRITE_SECTORS);
    if (!known) {
        limit->rows_bytes = (double)sample->rows * (double)row_bytes;
        return;
    }
    const struct diskstats *now = &sample->disks[data->sampled];
    if (!limit->targets[target].begun) {
        limit->targets[target].begun = true;
        limit->targets[target].first = *now;
        return;
    }
    diskstats_delta(&limit->targets[target].first, now, &delta);
    if ((delta.present >> DISK_WRITE_SECTORS) & 1)
        limit->targets[target].written =
            (double)delta.value[DISK_WRITE_SECTORS] * DISK_SECTOR_BYTES;
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
        written += limit->targets[i].written;
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
