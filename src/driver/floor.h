/* floor.h - the floor of a commit: write + fdatasync of a commit's bytes, no database.
 *
 * Runs the fsync engine in the trial's own folder with the trial's streams (a file each),
 * row shape and rows per commit, for load->floor_ns.  Main thread. */
#ifndef DRIVER_FLOOR_H
#define DRIVER_FLOOR_H

#include "base/err.h"
#include "workload/workload.h"

/* Commits/s of all streams; NaN when the floor is off, stopped, or would need more than
 * FLOOR_BYTES_MAX of files.  *stuck: a stream did not return in time after a signal; then nothing
 * was removed and the process must leave by _exit. */
int floor_measure(const struct workload *load, const char *directory, const volatile int *stop,
                  double *commits_per_s, bool *stuck, struct err *err);
/* Most bytes that floor_measure() makes of files, for the forecast; 0 when it is off. */
double floor_space_bytes(const struct workload *load);

#define FLOOR_BYTES_MAX (UINT64_C(1) << 30)

#endif
