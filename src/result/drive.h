/* drive.h - what the drives under one device say of themselves, before a run and after it.
 *
 * Both readings have the same members: those before in the header's devices, those after in the
 * end record's "drives_after", in the same order.  The document holds them side by side
 * ("host_bytes_written", "host_bytes_written_after") with what follows from them.  Pure. */
#ifndef RESULT_DRIVE_H
#define RESULT_DRIVE_H

#include <stdbool.h>

#include "base/json.h"
#include "device/smartctl.h"

/* Of all whole disks under a device together. */
struct drive_reading {
    size_t count;                      /* of disks added so far */
    char model[SMART_TEXT];            /* of the first */
    char firmware[SMART_TEXT];         /* of the first */
    char serial[SMART_TEXT];           /* of the first; with SMART_IDENTIFY alone */
    char wwn[SMART_TEXT];              /* likewise */
    double temperature_c;              /* of the first */
    double host_bytes, host_step;      /* sums; what one of them does not tell the sum does not */
    double nand_bytes, nand_step;      /* likewise */
    double wear_used_pct, power_hours; /* of the most worn, of the oldest */
    struct smart_errors errors;        /* sums */
    int passed;                        /* 0 where one of them fails, -1 unknown */
    double diskstats_bytes;            /* written since boot by the kernel's count */
    char reason[SMARTCTL_REASON];      /* why not all is known; "" */
};

/* All unknown. */
void drive_reading_init(struct drive_reading *reading);
void drive_reading_add(struct drive_reading *reading, const struct smart *smart,
                       const char *reason);
/* Did the drive's health change between the two readings?  True: one sentence in `text` that names
 * the disk and everything that is known from both readings and differs. */
enum { DRIVE_CHANGE = 1000 };
bool drive_change(const char *disk, const struct smart *before, const struct smart *after,
                  char text[DRIVE_CHANGE]);
/* Puts the members that both readings have. */
void drive_put(json_t *object, const struct drive_reading *reading);

/* What came between the two readings; NaN: unknown, or a counter that ran backward.  The counts of
 * a drive are known where they rose by at least DRIVE_STEPS of the steps in which it counts. */
enum { DRIVE_STEPS = 10 };
struct drive_rise {
    double host_bytes, nand_bytes, diskstats_bytes;
    double amplification; /* NAND bytes / host bytes */
};
/* Of a device of a summary document. */
void drive_rise_read(const json_t *device, struct drive_rise *rise);
/* Makes it one: puts the members of `after` (NULL: no such reading) and what follows. */
void drive_merge(json_t *device, const json_t *after);

#endif
