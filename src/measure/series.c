#include "measure/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "device/commit_rows.h"

void series_release(struct series *series)
{
    free(series->items);
    *series = (struct series){.items = NULL};
}

/* The counters were read somewhere inside the bracket. */
static double middle_s(const struct sample *sample)
{
    return ((double)sample->t0_ns + (double)(sample->t1_ns - sample->t0_ns) / 2) / NS_PER_S;
}

static double value_of(const struct disk_delta *delta, enum disk_field field)
{
    return (delta->present >> field) & 1 ? (double)delta->value[field] : NAN;
}

static void delta_of(const struct sample *earlier, const struct sample *later, size_t disk,
                     struct disk_delta *delta)
{
    *delta = (struct disk_delta){.status = DISK_MISSING};
    if (disk < earlier->disk_count && disk < later->disk_count)
        diskstats_delta(&earlier->disks[disk], &later->disks[disk], delta);
    disk_delta_judge(delta, middle_s(later) - middle_s(earlier));
}

static const struct device *data_device(const struct device_set *devices)
{
    for (size_t i = 0; devices != NULL && i < devices->count; i++)
        if (strcmp(devices->devices[i].role, "data") == 0)
            return devices->devices[i].leaf_count ? &devices->devices[i] : NULL;
    return NULL;
}

static double sum_of(const struct sample *earlier, const struct sample *later, const size_t *rows,
                     size_t count, enum disk_field field)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        struct disk_delta delta;
        delta_of(earlier, later, rows[i], &delta);
        sum += value_of(&delta, field);
    }
    return sum;
}

static void take_commits(struct interval *interval, const struct device_set *devices,
                         const struct sample *earlier, const struct sample *later)
{
    struct commit_rows rows;
    interval->writes = interval->bytes = interval->flushes = NAN;
    if (!commit_rows_find(devices, &rows))
        return;
    interval->writes = sum_of(earlier, later, rows.sampled, rows.sampled_count, DISK_WRITES);
    interval->bytes = sum_of(earlier, later, rows.sampled, rows.sampled_count, DISK_WRITE_SECTORS) *
                      DISK_SECTOR_BYTES;
    interval->flushes = sum_of(earlier, later, rows.leaves, rows.leaf_count, DISK_FLUSHES);
}

static void take_device(struct interval *interval, const struct device *device,
                        const struct sample *earlier, const struct sample *later)
{
    struct disk_delta delta;
    interval->in_flight = NAN;
    if (device == NULL)
        return;
    delta_of(earlier, later, device->sampled, &delta);
    interval->in_flight = value_of(&delta, DISK_IN_FLIGHT);
}

static double gauge_of(const struct sample *sample, const char *name)
{
    for (size_t i = 0; i < sample->gauge_count; i++)
        if (strcmp(sample->gauges[i].name, name) == 0)
            return sample->gauges[i].value;
    return NAN;
}

static struct interval *grow(struct series *series)
{
    if (series->count == series->capacity) {
        size_t capacity = series->capacity ? 2 * series->capacity : 64;
        struct interval *items = reallocarray(series->items, capacity, sizeof *items);
        if (items == NULL)
            abort();
        series->items = items;
        series->capacity = capacity;
    }
    return &series->items[series->count++];
}

void series_add(struct series *series, const struct device_set *devices, const struct sample *first,
                const struct sample *earlier, const struct sample *later)
{
    struct interval *interval = grow(series);
    interval->start_s = middle_s(earlier) - middle_s(first);
    interval->seconds = middle_s(later) - middle_s(earlier);
    interval->commits = (double)(later->commits - earlier->commits);
    interval->rows = (double)(later->rows - earlier->rows);
    take_commits(interval, devices, earlier, later);
    take_device(interval, data_device(devices), earlier, later);
    interval->temperature_c = later->temperature_c;
    double before = gauge_of(earlier, "wal_bytes"), after = gauge_of(later, "wal_bytes");
    interval->wal_growing = after > before; /* false where either is unknown */
    series->has_wal |= !isnan(after);
}
