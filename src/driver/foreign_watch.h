/* foreign_watch.h - watches what others write to and read from a trial's devices.  Main thread.
 *
 *     foreign_watch_open     the streams at rest, the drive settled: chooses the method, and where
 *                            the control groups do not tell watches the idle drive
 *     foreign_watch_begin    before the sample with which a phase's count begins
 *     foreign_watch_end      after the sample with which it ends
 *     foreign_watch_judge    the phase's shares; warns once a trial where others disturbed it, of
 * the device that they disturbed most */
#ifndef DRIVER_FOREIGN_WATCH_H
#define DRIVER_FOREIGN_WATCH_H

#include "measure/foreign.h"
#include "workload/workload.h"

struct trial;

struct foreign_watch {
    struct cgroup cgroup;
    enum foreign_method method; /* of the readings */
    double idle_bytes_per_s[DEVICE_SET_ROLES], idle_read_bytes_per_s[DEVICE_SET_ROLES];
    struct diskstats disks[DEVICE_SET_NAMES]; /* for their numbers */
    struct foreign_reading start, end;
    double start_read_bytes, end_read_bytes; /* of this process; NaN: the engine is another's */
    bool warned;
};

/* `settled`: the last sample. */
void foreign_watch_open(struct trial *trial, const struct sample *settled);
void foreign_watch_close(struct foreign_watch *watch);
void foreign_watch_begin(struct trial *trial);
void foreign_watch_end(struct trial *trial);
void foreign_watch_judge(struct trial *trial, enum phase_kind kind, const struct sample *start,
                         const struct sample *end, struct foreign_share shares[DEVICE_SET_ROLES]);
/* The device that others disturbed most, of all roles; of equal ones the first.  Pure. */
size_t foreign_watch_worst(const struct foreign_share *shares, size_t count);

#endif
