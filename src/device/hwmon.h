/* hwmon.h - temperatures of disks by the kernel's hardware monitors.
 *
 *     nvme       (Linux 5.5) temp1 is the drive's own composite temperature; the kernel asks the
 *                drive at most once a second, readings between are from memory
 *     drivetemp  (Linux 5.6) SATA; each reading is a command to the drive, which may disturb its
 *                work or keep it from sleeping: hwmon_disturbs(), at most every
 *                HWMON_DISTURBED_S then
 *
 * Open once, read often: an open sensor is one pread.  A sensor belongs to one thread at a time.
 * Linux Documentation/hwmon/drivetemp.rst, drivers/nvme/host/hwmon.c. */
#ifndef DEVICE_HWMON_H
#define DEVICE_HWMON_H

#include <stdbool.h>
#include <stddef.h>

enum hwmon_kind { HWMON_NONE, HWMON_NVME, HWMON_DRIVETEMP };

enum { HWMON_DISTURBED_S = 30 };

struct hwmon {
    char disk[64];
    enum hwmon_kind kind;
    int fd;                   /* -1: none */
    double max_c, critical_c; /* where the drive warns and where it fears for itself; NaN: none */
};

/* The sensor of a whole disk ("nvme0n1", "sda") below root ("" = the real system).  False: it has
 * none, reading gives NaN then; hwmon_close is needed in no case but true. */
bool hwmon_open(const char *root, const char *disk, struct hwmon *sensor);
/* Degrees Celsius; NaN where the sensor does not answer this time. */
double hwmon_read_c(const struct hwmon *sensor);
bool hwmon_disturbs(const struct hwmon *sensor);
void hwmon_close(struct hwmon *sensor);

/* Open, read, close. */
double hwmon_temperature_c(const char *root, const char *disk);

/* Every whole disk that is no virtual device (loop, dm, md, ...), in alphabetic order, those
 * without a sensor too.  *sensors is heap, for hwmon_release. */
size_t hwmon_open_all(const char *root, struct hwmon **sensors);
void hwmon_release(struct hwmon *sensors, size_t count);

#endif
