#include "device/rates.h"

#include <math.h>

struct source {
    const struct disk_delta *delta;
    double seconds;
    bool timed; /* the device keeps times at all */
};

static double counted(const struct source *from, enum disk_field field)
{
    return (from->delta->present >> field) & 1 ? (double)from->delta->value[field] : NAN;
}

/* part / whole, 0 where nothing happened. */
static double share(double part, double whole)
{
    return whole == 0 ? 0 : part / whole;
}

static double await_ms(const struct source *from, enum disk_field ms, double requests)
{
    return requests > 0 && !from->timed ? NAN : share(counted(from, ms), requests);
}

static struct request_rates request_rates(const struct source *from, enum disk_field first)
{
    /* The kernel prints count, merges, sectors and ms of each kind in this order. */
    double count = counted(from, first), merges = counted(from, first + 1);
    double bytes = counted(from, first + 2) * DISK_SECTOR_BYTES;
    return (struct request_rates){
        .per_s = count / from->seconds,
        .bytes_per_s = bytes / from->seconds,
        .merges_per_s = merges / from->seconds,
        .merge_pct = 100 * share(merges, merges + count),
        .await_ms = await_ms(from, first + 3, count),
        .mean_bytes = share(bytes, count),
    };
}

/* Some drivers count requests and no time: every time is 0 since boot. */
static bool keeps_times(const struct diskstats *row)
{
    if ((row->value[DISK_READS] | row->value[DISK_WRITES]) == 0)
        return true;
    return (row->value[DISK_READ_MS] | row->value[DISK_WRITE_MS] | row->value[DISK_IO_MS] |
            row->value[DISK_WEIGHTED_MS]) != 0;
}

static void set_unknown(struct disk_rates *rates, enum disk_status status)
{
    const struct request_rates none = {NAN, NAN, NAN, NAN, NAN, NAN};
    *rates = (struct disk_rates){status, none, none, none, NAN, NAN, NAN, NAN, NAN};
}

void diskstats_rates(const struct diskstats *earlier, const struct diskstats *later, double seconds,
                     struct disk_rates *rates)
{
    struct disk_delta delta;
    diskstats_delta(earlier, later, &delta);
    disk_delta_judge(&delta, seconds);
    set_unknown(rates, delta.status);
    if (!(seconds > 0) || (delta.status != DISK_OK && delta.status != DISK_WRAPPED))
        return;
    struct source from = {&delta, seconds, keeps_times(later)};
    rates->reads = request_rates(&from, DISK_READS);
    rates->writes = request_rates(&from, DISK_WRITES);
    rates->discards = request_rates(&from, DISK_DISCARDS);
    double flushes = counted(&from, DISK_FLUSHES);
    rates->flushes_per_s = flushes / seconds;
    rates->flush_await_ms = await_ms(&from, DISK_FLUSH_MS, flushes);
    if (!from.timed)
        return;
    double discard_ms = diskstats_has(later, DISK_DISCARD_MS) ? counted(&from, DISK_DISCARD_MS) : 0;
    rates->queue_depth =
        (counted(&from, DISK_READ_MS) + counted(&from, DISK_WRITE_MS) + discard_ms) / 1000 /
        seconds;
    rates->weighted_depth = counted(&from, DISK_WEIGHTED_MS) / 1000 / seconds;
    rates->util_pct = counted(&from, DISK_IO_MS) / 10 / seconds;
}
