#include "driver/limit.h"

#include <string.h>

#include "base/clock.h"
#include "base/fs.h"

/* The slot of a device: the one where it was seen before, or a free one; LIMIT_DEVICES_MAX: none.
 */
static unsigned slot_of(const struct limit *limit, const char *name)
{
    unsigned i = 0;
    while (i < LIMIT_DEVICES_MAX && limit->devices[i].begun &&
           strcmp(limit->devices[i].first.name, name) != 0)
        i++;
    return i;
}

static void see_device(struct limit *limit, unsigned slot, const struct diskstats *now)
{
    struct disk_delta delta;
    if (!limit->devices[slot].begun) {
        limit->devices[slot].begun = true;
        limit->devices[slot].first = *now;
        return;
    }
    diskstats_delta(&limit->devices[slot].first, now, &delta);
    if (delta.status == DISK_RESET) {
        limit->devices[slot].earlier += limit->devices[slot].written;
        limit->devices[slot].written = 0;
        limit->devices[slot].first = *now;
    } else if ((delta.present >> DISK_WRITE_SECTORS) & 1) {
        limit->devices[slot].written = (double)delta.value[DISK_WRITE_SECTORS] * DISK_SECTOR_BYTES;
    }
}

/* Sees one device; false: nothing is known of what it wrote. */
static bool see(struct limit *limit, const struct device_set *devices, size_t i,
                const struct sample *sample)
{
    const struct device *device = &devices->devices[i];
    if (device->leaf_count == 0)
        return false;
    const struct diskstats *now = &sample->disks[device->sampled];
    unsigned slot = slot_of(limit, devices->names[device->sampled]);
    if (slot == LIMIT_DEVICES_MAX)
        return false;
    if (!diskstats_has(now, DISK_WRITE_SECTORS))
        return limit->devices[slot].begun; /* it is gone, or never had counters */
    see_device(limit, slot, now);
    return true;
}

void limit_see(struct limit *limit, const struct device_set *devices, const struct sample *sample,
               uint64_t row_bytes)
{
    bool known = devices->count > 0;
    for (size_t i = 0; i < devices->count; i++)
        known = see(limit, devices, i, sample) && known;
    if (!known)
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
    for (size_t i = 0; i < LIMIT_DEVICES_MAX; i++)
        written += limit->devices[i].earlier + limit->devices[i].written;
    return written;
}

static bool is_full(const char *path, double free_share)
{
    struct err ignored;
    uint64_t free_bytes, total_bytes;
    return path != NULL && fs_space(path, &free_bytes, &total_bytes, &ignored) == 0 &&
           (double)free_bytes < free_share * (double)total_bytes;
}

enum stop_reason limit_check(struct limit *limit, const char *path, const char *log_path)
{
    if (limit_written(limit) >= (double)limit->write_bytes)
        return STOP_WRITE_BYTES;
    int64_t now_ns = clock_now_ns();
    if ((path == NULL && log_path == NULL) || now_ns - limit->space_checked_ns < NS_PER_S / 5)
        return STOP_NONE;
    limit->space_checked_ns = now_ns;
    return is_full(path, limit->free_share) || is_full(log_path, limit->free_share)
               ? STOP_FREE_SPACE
               : STOP_NONE;
}
