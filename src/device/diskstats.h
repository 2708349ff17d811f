/* diskstats.h - the kernel's block device counters: parse and difference.  Pure.
 *
 * /proc/diskstats, one line a device: major minor name, then counters.  Kernels differ:
 * 7 fields (partitions before 2.6.25), 14, 18 (discards, 4.18), 20 (flushes, 5.5), odd
 * ones with 15, 17 or more than 20.  What a line does not carry is absent, never 0.
 * (Documentation/admin-guide/iostats.rst; block/genhd.c, diskstats_show.)
 *
 * A number of 2^63 or more is no count that a device can reach but one below 0, which the kernel
 * prints without its sign: it is absent too.
 *
 * A flush counts twice: when issued as a write of zero sectors, when executed as a flush. */
#ifndef DEVICE_DISKSTATS_H
#define DEVICE_DISKSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum disk_field { /* in the kernel's order */
                  DISK_READS,
                  DISK_READ_MERGES,
                  DISK_READ_SECTORS,
                  DISK_READ_MS,
                  DISK_WRITES,
                  DISK_WRITE_MERGES,
                  DISK_WRITE_SECTORS,
                  DISK_WRITE_MS,
                  DISK_IN_FLIGHT,
                  DISK_IO_MS,
                  DISK_WEIGHTED_MS,
                  DISK_DISCARDS,
                  DISK_DISCARD_MERGES,
                  DISK_DISCARD_SECTORS,
                  DISK_DISCARD_MS,
                  DISK_FLUSHES,
                  DISK_FLUSH_MS,
                  DISK_FIELDS
};

extern const char *const disk_field_names[DISK_FIELDS]; /* "reads", "read_merges", ... */

#define DISK_SECTOR_BYTES 512
#define DISK_SUM_SIGN     '+'

struct diskstats {
    char name[64]; /* kernel name with slashes as printed ("cciss/c0d0"); "" = no row */
    unsigned major, minor;
    uint32_t present; /* bit per disk_field */
    uint64_t value[DISK_FIELDS];
};

static inline bool diskstats_has(const struct diskstats *row, enum disk_field field)
{
    return (row->present >> field) & 1;
}

/* One line without its newline.  False: refused, *why is a static phrase. */
bool diskstats_parse_line(const char *line, size_t size, struct diskstats *row, const char **why);

/* The text of /sys/block/NAME/stat: the counters alone. */
bool diskstats_parse_stat(const char *text, size_t size, const char *name, struct diskstats *row,
                          const char **why);

/* Finds the rows of `count` names in a whole /proc/diskstats text, in the order of
 * `names`; a name without a row gets name "" and nothing present.
 *
 * Native NVMe multipath on older kernels counts on the hidden paths (nvme0c1n1) only:
 * a head (nvme0n1) without any traffic gets the sum of its paths.
 *
 * A name of several, joined by plus signs ("sdb1+sdc1"), gets the sum of their rows, and none
 * where one of them has none: for file systems that span devices themselves. */
void diskstats_pick(const char *text, size_t size, const char *const *names, size_t count,
                    struct diskstats *rows);
/* nvmeXcYnZ, a hidden path of the head nvmeXnZ: true, and the head's name. */
bool diskstats_path_head(const char *name, size_t size, char *head, size_t capacity);
/* A name of the form nvmeXnZ, and no traffic at all. */
bool diskstats_is_idle_head(const struct diskstats *row);

enum disk_status { DISK_OK, DISK_RESET, DISK_WRAPPED, DISK_BACKWARDS, DISK_MISSING };

struct disk_delta {
    enum disk_status status; /* not OK or WRAPPED: nothing is present */
    uint32_t present;
    int64_t value[DISK_FIELDS]; /* in flight: the later value; >= 0 */
};

/* Later minus earlier.  Millisecond fields are 32 bits wide in the kernel and are
 * taken modulo 2^32, as are counts of 32-bit kernels.  If nearly all counters fell, the device was
 * replaced: RESET.  A counter that ran back by a few, below 0 even, gives 0; a time that ran back
 * by more becomes absent, a count makes the whole delta BACKWARDS. */
void diskstats_delta(const struct diskstats *earlier, const struct diskstats *later,
                     struct disk_delta *delta);
/* Takes out what no device does in `seconds`: more than 10^8 requests, 10^12 bytes (of discards
 * 10^15) or a million seconds of waiting in each, with one second's worth as slack.  A count that
 * was spoilt looks like that; on a 32-bit kernel also one below 0. */
void disk_delta_judge(struct disk_delta *delta, double seconds);
/* The neutral total: every field present and 0. */
void disk_delta_start(struct disk_delta *total);
/* total += delta; a field absent in either becomes absent.  A status without numbers wins. */
void disk_delta_add(struct disk_delta *total, const struct disk_delta *delta);

#endif
