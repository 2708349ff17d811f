/* drive_watch.h - what the drives say of themselves before a run's first trial and after its last.
 *
 * Each whole disk below a data or WAL device is asked by smartctl once, never while a phase
 * runs; virtual disks (loop, zram, ...) are not asked.  A reading of all of them takes at most
 * DRIVE_WATCH_NS, and a disk that gave no answer before is not asked again.  Main thread. */
#ifndef DRIVER_DRIVE_WATCH_H
#define DRIVER_DRIVE_WATCH_H

#include "driver/context.h"
#include "result/drive.h"

#define DRIVE_WATCH_NS (4 * NS_PER_S)

struct drive_watch;

/* The reading before.  Ends early after a signal. */
void drive_watch_open(struct run_context *ctx);
/* Of the devices of one site, in their order; NULL: not read. */
const struct drive_reading *drive_watch_before(const struct run_context *ctx, size_t site);
/* The reading after, as the end record's "drives_after"; new reference.  An event tells of each
 * disk whose health or counts of errors changed. */
json_t *drive_watch_after(struct run_context *ctx);
void drive_watch_close(struct run_context *ctx);

#endif
