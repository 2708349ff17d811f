/* limit.h - the bounds that a run must not pass: bytes written to the drives, free space.
 *
 * Bytes are what the own counters of the devices of data and log rose by since the run began,
 * other programs' writes included; where a device is unknown, the bytes of the rows.  Each device
 * counts once.  Main thread. */
#ifndef DRIVER_LIMIT_H
#define DRIVER_LIMIT_H

#include "device/device_set.h"
#include "driver/stage.h"
#include "measure/sample.h"

enum { LIMIT_DEVICES_MAX = 128 };

struct limit {
    uint64_t write_bytes;
    double free_share;
    struct {
        bool begun;
        struct diskstats first; /* of the run, or since the device was replaced */
        double earlier, written;
    } devices[LIMIT_DEVICES_MAX];
    double earlier_rows_bytes; /* unknown devices: trials that are over */
    double rows_bytes;         /* the trial that runs */
    int64_t space_checked_ns;
};

/* Sees a sample's counters. */
void limit_see(struct limit *limit, const struct device_set *devices, const struct sample *sample,
               uint64_t row_bytes);
/* A trial is over. */
void limit_trial_done(struct limit *limit);
double limit_written(const struct limit *limit);
/* STOP_NONE, STOP_WRITE_BYTES or STOP_FREE_SPACE (asks the file systems at most 5 times/s; a path
 * of NULL: no file system). */
enum stop_reason limit_check(struct limit *limit, const char *path, const char *log_path);

#endif
