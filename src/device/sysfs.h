/* sysfs.h - small reads below root/sys ("" = the real system).  Any thread.
 *
 * Kernel names with a slash ("cciss/c0d0") are directories with a bang ("cciss!c0d0"). */
#ifndef DEVICE_SYSFS_H
#define DEVICE_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first line of directory/file without blanks at its ends; "" when there is none. */
bool sysfs_text(const char *directory, const char *file, char *text, size_t capacity);
/* A whole number in directory/file, or -1. */
int64_t sysfs_number(const char *directory, const char *file);
bool sysfs_exists(const char *directory, const char *file);

/* The directory of a block device by name (with slashes) or number; heap, NULL: no such device. */
char *sysfs_block(const char *root, const char *name);
char *sysfs_block_number(const char *root, unsigned major, unsigned minor);
/* The kernel's name of the device in `directory`, with slashes.  False: too long. */
bool sysfs_name(const char *directory, char *name, size_t capacity);

#endif
