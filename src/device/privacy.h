/* privacy.h - what tells whose machine this is: read with permission alone, else left out.
 *
 * Serial numbers and WWNs stand in sysfs, but also in names: multipath maps are called by their
 * WWN, links in /dev/disk hold serial numbers, mounts of network file systems name hosts and users.
 * Any thread. */
#ifndef DEVICE_PRIVACY_H
#define DEVICE_PRIVACY_H

#include <stdbool.h>

#include "device/smart.h"

struct privacy_serial {
    char serial[SMART_TEXT], wwn[SMART_TEXT]; /* "" unknown */
};

/* Of a whole disk below root ("" = the real system): `serial` of NVMe, virtio and MMC, page 0x80 of
 * SCSI and SATA, the USB device's; `wwid`, with "0x" for "naa." as smartctl writes it. */
void privacy_serial_read(const char *root, const char *name, struct privacy_serial *serial);

/* Both in place, never longer than before.  Paths in /dev/disk are cut off there, WWNs in
 * /dev/mapper become a dash. */
void privacy_hide_paths(char *text);
/* In a list of mount options: also the values that name hosts and users. */
void privacy_hide_options(char *options);

/* Does this name of the map in `directory` (in sysfs) hold the map's WWN? */
bool privacy_is_wwn(const char *directory, const char *name);

#endif
