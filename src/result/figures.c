#include "result/figures.h"

#include <math.h>
#include <stdlib.h>

#include "device/commit_rows.h"

static double delta_value(const struct disk_delta *delta, enum disk_field field)
{
    bool usable = delta->status == DISK_OK || delta->status == DISK_WRAPPED;
    return usable && ((delta->present >> field) & 1) ? (double)delta->value[field] : NAN;
}

static double middle_ns(const struct sample *sample)
{
    return ((double)sample->t0_ns + (double)sample->t1_ns) / 2;
}

static void delta_of(const struct sample *from, const struct sample *to, size_t disk,
                     struct disk_delta *delta)
{
    *delta = (struct disk_delta){.status = DISK_MISSING};
    if (disk < from->disk_count && disk < to->disk_count)
        diskstats_delta(&from->disks[disk], &to->disks[disk], delta);
    disk_delta_judge(delta, (middle_ns(to) - middle_ns(from)) / 1e9);
}

/* NaN where there are none. */
static double sum_rows(const size_t *rows, size_t count, const struct sample *from,
                       const struct sample *to, enum disk_field field)
{
    double sum = count > 0 ? 0 : NAN;
    for (size_t i = 0; i < count; i++) {
        struct disk_delta delta;
        delta_of(from, to, rows[i], &delta);
        sum += delta_value(&delta, field);
    }
    return sum;
}

static double sum_leaves(const struct device *device, const struct sample *from,
                         const struct sample *to, enum disk_field field)
{
    return sum_rows(device->leaves, device->leaf_count, from, to, field);
}

static const struct device_totals unknown_totals = {
    .write_merges = NAN,
    .seconds = NAN,
    .reads = NAN,
    .writes = NAN,
    .discards = NAN,
    .read_bytes = NAN,
    .write_bytes = NAN,
    .read_ms = NAN,
    .write_ms = NAN,
    .discard_ms = NAN,
    .flushes = NAN,
    .flush_ms = NAN,
    .settle_writes = NAN,
    .settle_flushes = NAN,
    .settle_write_bytes = NAN,
    .max_in_flight = NAN,
    .temperature_start_c = NAN,
    .temperature_max_c = NAN,
    .foreign = {FOREIGN_UNKNOWN, NAN, NAN, NAN, NAN},
};

void figures_totals(const struct device *device, const struct sample *start,
                    const struct sample *end, const struct sample *settled,
                    struct device_totals *totals)
{
    struct disk_delta d;
    delta_of(start, end, device->sampled, &d);
    *totals = unknown_totals;
    totals->seconds = (middle_ns(end) - middle_ns(start)) / 1e9;
    totals->reads = delta_value(&d, DISK_READS);
    totals->writes = delta_value(&d, DISK_WRITES);
    totals->write_merges = delta_value(&d, DISK_WRITE_MERGES);
    totals->discards = delta_value(&d, DISK_DISCARDS);
    totals->read_bytes = delta_value(&d, DISK_READ_SECTORS) * DISK_SECTOR_BYTES;
    totals->write_bytes = delta_value(&d, DISK_WRITE_SECTORS) * DISK_SECTOR_BYTES;
    totals->read_ms = delta_value(&d, DISK_READ_MS);
    totals->write_ms = delta_value(&d, DISK_WRITE_MS);
    totals->discard_ms = delta_value(&d, DISK_DISCARD_MS);
    totals->flushes = sum_leaves(device, start, end, DISK_FLUSHES);
    totals->flush_ms = sum_leaves(device, start, end, DISK_FLUSH_MS);
    if (settled) {
        delta_of(end, settled, device->sampled, &d);
        totals->settle_writes = delta_value(&d, DISK_WRITES);
        totals->settle_write_bytes = delta_value(&d, DISK_WRITE_SECTORS) * DISK_SECTOR_BYTES;
        totals->settle_flushes = sum_leaves(device, end, settled, DISK_FLUSHES);
    }
}

static void take_rows(const struct commit_rows *rows, const struct sample *from,
                      const struct sample *to, double *writes, double *flushes, double *bytes)
{
    *writes = sum_rows(rows->sampled, rows->sampled_count, from, to, DISK_WRITES);
    *bytes = sum_rows(rows->sampled, rows->sampled_count, from, to, DISK_WRITE_SECTORS) *
             DISK_SECTOR_BYTES;
    *flushes = sum_rows(rows->leaves, rows->leaf_count, from, to, DISK_FLUSHES);
}

void figures_sum(const struct device_set *devices, const struct sample *start,
                 const struct sample *end, const struct sample *settled,
                 struct device_totals *totals)
{
    struct commit_rows rows;
    *totals = unknown_totals;
    totals->seconds = (middle_ns(end) - middle_ns(start)) / 1e9;
    if (!commit_rows_find(devices, &rows))
        return;
    take_rows(&rows, start, end, &totals->writes, &totals->flushes, &totals->write_bytes);
    if (settled)
        take_rows(&rows, end, settled, &totals->settle_writes, &totals->settle_flushes,
                  &totals->settle_write_bytes);
}

void figures_totals_add(struct device_totals *sum, const struct device_totals *part)
{
    sum->seconds += part->seconds;
    sum->reads += part->reads;
    sum->writes += part->writes;
    sum->write_merges += part->write_merges;
    sum->discards += part->discards;
    sum->read_bytes += part->read_bytes;
    sum->write_bytes += part->write_bytes;
    sum->read_ms += part->read_ms;
    sum->write_ms += part->write_ms;
    sum->discard_ms += part->discard_ms;
    sum->flushes += part->flushes;
    sum->flush_ms += part->flush_ms;
    sum->settle_writes += part->settle_writes;
    sum->settle_flushes += part->settle_flushes;
    sum->settle_write_bytes += part->settle_write_bytes;
    sum->max_in_flight = fmax(sum->max_in_flight, part->max_in_flight);
    sum->temperature_max_c = fmax(sum->temperature_max_c, part->temperature_max_c);
    bool same_method = sum->foreign.method == part->foreign.method;
    sum->foreign.method = same_method ? sum->foreign.method : FOREIGN_UNKNOWN;
    sum->foreign.write_bytes += same_method ? part->foreign.write_bytes : NAN;
    sum->foreign.of_bytes += part->foreign.of_bytes;
    sum->foreign.read_bytes += same_method ? part->foreign.read_bytes : NAN;
    sum->foreign.of_read_bytes += part->foreign.of_read_bytes;
}

/* fmax() would turn NaN into 0. */
static double not_below_zero(double value)
{
    return value < 0 ? 0 : value;
}

double figures_rate(double count, double seconds)
{
    return seconds > 0 ? count / seconds : NAN;
}

void figures_device(const struct device_totals *t, struct device_figures *f)
{
    double data_writes = not_below_zero(t->writes - t->flushes);
    /* Kernels before 4.18 count no discards. */
    double discard_ms = isnan(t->discard_ms) ? 0 : t->discard_ms;
    *f = (struct device_figures){
        .data_writes = data_writes,
        .write_iops = figures_rate(data_writes, t->seconds),
        .write_request_bytes = data_writes > 0 ? t->write_bytes / data_writes : NAN,
        .write_await_ms =
            data_writes > 0 ? not_below_zero(t->write_ms - t->flush_ms) / data_writes : NAN,
        .flush_await_ms = t->flushes > 0 ? t->flush_ms / t->flushes : NAN,
        .queue_depth = figures_rate((t->read_ms + t->write_ms + discard_ms) / 1e3, t->seconds),
    };
}

void figures_cost(double commits, double writes, double flushes, double bytes,
                  struct commit_cost *cost)
{
    double n = commits > 0 ? commits : NAN;
    *cost = (struct commit_cost){
        .writes = writes / n,
        .data_writes = not_below_zero(writes - flushes) / n,
        .flushes = flushes / n,
        .bytes = bytes / n,
    };
}

double figures_concurrency(const struct stream_record *streams, size_t count)
{
    double transactions = 0, elapsed = 0;
    for (size_t i = 0; i < count; i++) {
        if (streams[i].transaction_ns < 0)
            return NAN;
        transactions += (double)streams[i].transaction_ns;
        elapsed += (double)streams[i].elapsed_ns;
    }
    return elapsed > 0 ? transactions / elapsed * (double)count : NAN;
}

bool figures_elsewhere(double commits, const struct device_totals *sum)
{
    return commits > 0 && sum->writes == 0 && sum->settle_writes == 0;
}

double figures_amplification(const struct device_totals *sum, double rows, double row_bytes)
{
    double bytes = rows * row_bytes;
    return bytes > 0 ? (sum->write_bytes + sum->settle_write_bytes) / bytes : NAN;
}

void figures_wal_part(const struct series *series, enum wal_state state, struct wal_part *part)
{
    *part = (struct wal_part){0};
    for (size_t i = 0; i < series->count; i++) {
        const struct interval *item = &series->items[i];
        if (item->wal_growing != (state == WAL_GROWING))
            continue;
        part->seconds += item->seconds;
        part->commits += item->commits;
        part->writes += item->writes;
        part->flushes += item->flushes;
        part->bytes += item->bytes;
    }
}
