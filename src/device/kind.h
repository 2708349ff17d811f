/* kind.h - what a block device is: "disk", "partition", "crypt", "lvm", "multipath", "raid1",
 * "loop", "bcache", ...  The words are lsblk's, spelled out.  Any thread. */
#ifndef DEVICE_KIND_H
#define DEVICE_KIND_H

#include <stdbool.h>
#include <stddef.h>

enum { KIND_SIZE = 32 };

/* Of the device whose directory in sysfs this is. */
void kind_read(const char *directory, char kind[KIND_SIZE]);
bool kind_is_partition(const char *directory);
/* What the device mapper calls it ("vg-data"), or the name of the file behind a loop device.
 * False: it has none. */
bool kind_mapper_name(const char *directory, char *name, size_t capacity);
bool kind_backing_file(const char *directory, char *path, size_t capacity);

#endif
