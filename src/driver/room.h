/* room.h - what a number of streams needs beside time: space on the target, open files.  Main
 * thread. */
#ifndef DRIVER_ROOM_H
#define DRIVER_ROOM_H

#include <stdbool.h>

#include "driver/run.h"

/* ERR_REFUSED: less than `needed` bytes and limit.free_space on the target's file system.  What
 * cannot be known, or is refused for another reason later, passes. */
int room_check(const struct run_target *target, double needed, const struct workload *load,
               bool any_filesystem, struct err *err);
/* Raises the soft limit of open files as far as so many streams need it.  ERR_REFUSED: the hard
 * limit is lower. */
int room_for_files(unsigned streams, struct err *err);
/* The most streams that the hard limit of open files allows. */
unsigned room_streams_max(void);

#endif
