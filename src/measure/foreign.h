/* foreign.h - how many of the bytes that a device wrote and read in a phase came from others.
 *
 *     cgroup    the kernel counts them for each control group: those of all groups but ours.  What
 *               is charged to the root group is not foreign: the file system's own threads
 *               (ext4's journal) are there.  Others in our own group are not told apart.
 *     baseline  where it does not: what the device moved while no stream ran, as an estimate
 *
 * Reads are simpler where the engine runs in this process: the kernel counts what the process
 * itself had fetched from devices (read_bytes of /proc/self/io, which is exact for reads), and the
 * rest was not ours, even in our own group.
 *
 * Both look at the whole disks below the device, where others disturb.  Not every kernel counts
 * (version 1 of late only once a limit was set on the disk): where it has charged nothing to our
 * group though the disk wrote, the groups' counts are not taken.
 * foreign_cgroup.c and foreign_own.c read, foreign.c is pure. */
#ifndef MEASURE_FOREIGN_H
#define MEASURE_FOREIGN_H

#include <stdbool.h>

#include "device/cgroup.h"
#include "device/device_set.h"
#include "measure/sample.h"

enum foreign_method { FOREIGN_UNKNOWN, FOREIGN_CGROUP2, FOREIGN_CGROUP1, FOREIGN_BASELINE };
const char *foreign_method_name(enum foreign_method method); /* "cgroup2", ...; NULL: unknown */
enum foreign_method foreign_method_of(const char *name);     /* NULL and others: unknown */

/* From this share on a trial is disturbed. */
#define FOREIGN_DISTURBS 0.05

/* Bytes since the groups were made, by sampled row; NaN unknown. */
struct foreign_reading {
    double own_bytes[DEVICE_SET_NAMES], other_bytes[DEVICE_SET_NAMES];           /* written */
    double own_read_bytes[DEVICE_SET_NAMES], other_read_bytes[DEVICE_SET_NAMES]; /* read */
};

/* The method by which this group's neighbours can be seen; FOREIGN_UNKNOWN: they cannot, since it
 * is at the top itself, or in a namespace, or not permitted. */
enum foreign_method foreign_cgroup_method(const struct cgroup *cgroup);
/* `disks`: the rows, for their numbers.  Any method but the two cgroups': nothing is known. */
void foreign_cgroup_read(const struct cgroup *cgroup, enum foreign_method method,
                         const struct diskstats *disks, size_t count,
                         struct foreign_reading *reading);
/* Has the kernel ever charged a write on this device's disks to our group? */
bool foreign_is_charged(const struct device *device, const struct foreign_reading *reading);

/* Bytes that this process had devices read since it began; NaN where the kernel does not count. */
double foreign_own_read_bytes(const char *root);
/* Does nobody but the processes that ask read from this device?  Where parity, a cache, checksums
 * or a cleaning file system is between, the kernel's own threads read for them too. */
bool foreign_reads_are_plain(const char *root, const struct device *device);

/* What there is to judge by. */
struct foreign_evidence {
    enum foreign_method method;                /* of the readings */
    const struct foreign_reading *start, *end; /* NULL: none */
    double idle_bytes_per_s;                   /* written; NaN: no baseline */
    double idle_read_bytes_per_s;              /* read; NaN: no baseline */
    double own_read_bytes;                     /* of this process, everywhere; NaN: its engine reads
                                                  in another process */
    bool commit_flushes; /* a commit returns after the drive flushed it, so it wrote at least one
                            block: of so many bytes it is known whose they were */
};

/* The least that a commit which is flushed writes: a page of memory, so a block of nearly every
 * file system. */
enum { FOREIGN_COMMIT_BYTES = 4096 };

/* One device over one phase. */
struct foreign_share {
    enum foreign_method method;
    double write_bytes;               /* of others; NaN unknown */
    double of_bytes;                  /* written by all, on the whole disks; NaN unknown */
    double read_bytes, of_read_bytes; /* the same of what was read */
};

/* Bytes that the whole disks wrote, or read, between two samples; NaN unknown. */
double foreign_disk_bytes(const struct device *device, const struct sample *from,
                          const struct sample *to);
double foreign_disk_read_bytes(const struct device *device, const struct sample *from,
                               const struct sample *to);
/* Bytes per second of the same. */
double foreign_idle_rate(const struct device *device, const struct sample *from,
                         const struct sample *to);
double foreign_idle_read_rate(const struct device *device, const struct sample *from,
                              const struct sample *to);
void foreign_judge(const struct foreign_evidence *evidence, const struct device *device,
                   const struct sample *from, const struct sample *to, struct foreign_share *share);
/* 0 to 1; NaN unknown, or nothing was written. */
double foreign_part(double write_bytes, double of_bytes);
/* Others' part of what was written or of all that was moved, whichever is larger: reads delay what
 * is written, and are no excuse for foreign writes.  Unknown reads do not count. */
double foreign_share_part(const struct foreign_share *share);

#endif
