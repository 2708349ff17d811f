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

/* All in place, never longer than before.  Paths in /dev/disk are cut off there; names in other
 * folders of /dev become a dash where they look like a WWN or hold a serial number, and so does
 * the host in /dev/md/HOST:NAME. */
void privacy_hide_paths(char *text);
/* Wherever `word` stands in the text, whatever its case; NULL and words too short to tell anything
 * stay. */
void privacy_hide_word(char *text, const char *word);
/* In a list of mount options: also the values that name hosts and users. */
void privacy_hide_options(char *options);

/* Does this name of the map in `directory` (in sysfs) hold the map's WWN, or another? */
bool privacy_is_wwn(const char *directory, const char *name);

#endif
