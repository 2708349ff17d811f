/* sysfs.h - small reads below root/sys ("" = the real system).  Any thread.
 *
 * Kernel names with a slash ("cciss/c0d0") are directories with a bang ("cciss!c0d0").
 *
 * Kernels before 2.6.27 have no /sys/dev; those built with CONFIG_SYSFS_DEPRECATED, as the first
 * distributions were, have no /sys/class/block either: disks lie in /sys/block themselves and
 * partitions below them (Documentation/admin-guide/sysfs-rules.rst). */
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

/* The canonical path, links resolved; NULL where there is none, or where it lies outside root. */
char *sysfs_real(const char *root, const char *path);
/* The entries of a directory but hidden ones, in the order of their bytes; how many. */
size_t sysfs_list(const char *directory, char ***names);
void sysfs_list_free(char **names, size_t count);

/* The directory of a block device by name (with slashes) or number; heap, NULL: no such device. */
char *sysfs_block(const char *root, const char *name);
char *sysfs_block_number(const char *root, unsigned major, unsigned minor);
/* Where the disk in `directory` hangs in the tree of buses: there, or where disks lie in /sys/block
 * what its link "device" leads to; heap, NULL: nowhere, as virtual devices do then. */
char *sysfs_attached(const char *root, const char *directory);
/* The kernel's name of the device in `directory`, with slashes.  False: too long. */
bool sysfs_name(const char *directory, char *name, size_t capacity);

#endif
