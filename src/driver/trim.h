/* trim.h - free space told to the drive before a trial (run.trim), as fstrim does it.  Main thread.
 */
#ifndef DRIVER_TRIM_H
#define DRIVER_TRIM_H

#include <stdbool.h>

#include "base/err.h"

struct trial;

struct trim_report {
    double bytes, seconds; /* as the file system counts what it told the drive */
};

/* FITRIM on the file system that holds the directory, in a process of its own, since no signal but
 * SIGKILL ends that call.  -1: not permitted, or not supported: *err says which; ERR_INTERRUPTED:
 * `stop` was set by a signal. */
int trim_directory(const char *path, const volatile int *stop, struct trim_report *report,
                   struct err *err);
/* Before a trial: the file system of the data, and that of the log where it is another one.  An
 * event tells the bytes, a warning (once a run) why it cannot be.  Never a failure.  True: a drive
 * was told something, and has to settle. */
bool trim_trial(struct trial *trial);
/* Writes the event into the log, where there was none yet when it happened. */
void trim_log(struct trial *trial);

#endif
