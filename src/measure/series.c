#include "measure/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "device/commit_rows.h"

enum { DELTAS_KEPT = 8 }; /* more rows than most stacks have */

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

/* Each row's difference is made once, however many fields are taken from it. */
struct deltas {
    const struct sample *earlier, *later;
    double seconds;
    size_t count;
    size_t rows[DELTAS_KEPT];
    struct disk_delta items[DELTAS_KEPT];
};

static void make_delta(const struct deltas *d, size_t row, struct disk_delta *delta)
{
    *delta = (struct disk_delta){.status = DISK_MISSING};
    if (row < d->earlier->disk_count && row < d->later->disk_count)
        diskstats_delta(&d->earlier->disks[row], &d->later->disks[row], delta);
    disk_delta_judge(delta, d->seconds);
}

static double field_of(struct deltas *d, size_t row, enum disk_field field)
{
    struct disk_delta made;
    for (size_t i = 0; i < d->count; i++)
        if (d->rows[i] == row)
            return value_of(&d->items[i], field);
    make_delta(d, row, &made);
    if (d->count < DELTAS_KEPT) {
        d->rows[d->count] = row;
        d->items[d->count++] = made;
    }
    return value_of(&made, field);
}

static double sum_of(struct deltas *d, const size_t *rows, size_t count, enum disk_field field)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += field_of(d, rows[i], field);
    return sum;
}

static const struct device *data_device(const struct device_set *devices)
{
    for (size_t i = 0; devices != NULL && i < devices->count; i++)
        if (strcmp(devices->devices[i].role, "data") == 0)
            return devices->devices[i].leaf_count ? &devices->devices[i] : NULL;
    return NULL;
}

static void take_commits(struct interval *interval, const struct device_set *devices,
                         struct deltas *d)
{
    struct commit_rows rows;
    interval->writes = interval->bytes = interval->flushes = NAN;
    if (!commit_rows_find(devices, &rows))
        return;
    interval->writes = sum_of(d, rows.sampled, rows.sampled_count, DISK_WRITES);
    interval->bytes =
        sum_of(d, rows.sampled, rows.sampled_count, DISK_WRITE_SECTORS) * DISK_SECTOR_BYTES;
    interval->flushes = sum_of(d, rows.leaves, rows.leaf_count, DISK_FLUSHES);
}

static void take_device(struct interval *interval, const struct device *device, struct deltas *d)
{
    interval->in_flight = NAN;
    interval->device = (struct interval_device){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (device == NULL)
        return;
    size_t row = device->sampled;
    double discard_ms = field_of(d, row, DISK_DISCARD_MS);
    interval->in_flight = field_of(d, row, DISK_IN_FLIGHT);
    interval->device = (struct interval_device){
        .reads = field_of(d, row, DISK_READS),
        .writes = field_of(d, row, DISK_WRITES),
        .read_bytes = field_of(d, row, DISK_READ_SECTORS) * DISK_SECTOR_BYTES,
        .write_bytes = field_of(d, row, DISK_WRITE_SECTORS) * DISK_SECTOR_BYTES,
        .flushes = sum_of(d, device->leaves, device->leaf_count, DISK_FLUSHES),
        .flush_ms = sum_of(d, device->leaves, device->leaf_count, DISK_FLUSH_MS),
        .write_ms = field_of(d, row, DISK_WRITE_MS),
        /* Kernels before 4.18 count no discards. */
        .waiting_ms = field_of(d, row, DISK_READ_MS) + field_of(d, row, DISK_WRITE_MS) +
                      (isnan(discard_ms) ? 0 : discard_ms),
    };
}

static void take_cpu(struct interval *interval, const struct sample *earlier,
                     const struct sample *later)
{
    double total = (double)later->host.total - (double)earlier->host.total;
    double busy = (double)later->host.busy - (double)earlier->host.busy;
    bool known = earlier->host.total > 0 && total > 0 && busy >= 0 && busy <= total;
    interval->client_s = (double)(later->client_cpu_ns - earlier->client_cpu_ns) / NS_PER_S;
    interval->host_busy = known ? busy / total : NAN;
    interval->host_ticks = known ? total : 0;
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
    struct deltas deltas; /* not cleared as a whole: it is large, and this runs for every sample */
    deltas.earlier = earlier;
    deltas.later = later;
    deltas.count = 0;
    deltas.seconds = middle_s(later) - middle_s(earlier);
    interval->start_s = middle_s(earlier) - middle_s(first);
    interval->seconds = deltas.seconds;
    interval->commits = (double)(later->commits - earlier->commits);
    interval->rows = (double)(later->rows - earlier->rows);
    interval->retries = (double)(later->retries - earlier->retries);
    take_commits(interval, devices, &deltas);
    take_device(interval, data_device(devices), &deltas);
    take_cpu(interval, earlier, later);
    interval->temperature_c = later->temperature_c;
    double before = gauge_of(earlier, "wal_bytes"), after = gauge_of(later, "wal_bytes");
    interval->wal_growing = after > before; /* false where either is unknown */
    interval->wal_bytes = after;
    series->has_wal |= !isnan(after);
}
