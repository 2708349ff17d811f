/* rates.h - what iostat shows, from two rows of one device.  Pure.
 *
 * NaN = not known: the device has no such counter, or its times are not kept. */
#ifndef DEVICE_RATES_H
#define DEVICE_RATES_H

#include "device/diskstats.h"

struct request_rates { /* of one kind of request */
    double per_s, bytes_per_s, merges_per_s;
    double merge_pct;  /* merged / (merged + completed); 0 without requests */
    double await_ms;   /* time in the queue and the device; 0 without requests */
    double mean_bytes; /* of a request; 0 without requests */
};

struct disk_rates {
    enum disk_status status; /* neither OK nor WRAPPED: every rate is NaN */
    struct request_rates reads, writes, discards;
    double flushes_per_s, flush_await_ms;
    double queue_depth;    /* (read ms + write ms + discard ms) / time: without flushes */
    double weighted_depth; /* weighted ms / time, iostat's aqu-sz: counts flush time too */
    double util_pct;       /* busy time / time; not capped; says nothing of an SSD's limit */
};

/* `seconds` between the two rows; not above 0: every rate is NaN. */
void diskstats_rates(const struct diskstats *earlier, const struct diskstats *later, double seconds,
                     struct disk_rates *rates);

#endif
