/* fs.h - paths, free space and flushing of file systems.  No state; any thread. */
#ifndef BASE_FS_H
#define BASE_FS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* The canonical absolute path, links resolved; heap, caller frees.  NULL on failure
 * (ERR_REFUSED, "PATH does not exist" and the like). */
char *fs_real_path(const char *path, struct err *err);
/* printf into a heap string; NULL never (aborts when memory is out). */
char *fs_path(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Bytes that an unprivileged writer may still use, and the size of the file system. */
int fs_space(const char *path, uint64_t *free_bytes, uint64_t *total_bytes, struct err *err);
/* syncfs() of the file system that holds `path`. */
int fs_sync(const char *path, struct err *err);
/* The kind by statfs magic ("ext4", "tmpfs", "nfs", ...; "0x..." if unknown to us). */
int fs_kind(const char *path, char kind[32], struct err *err);
/* True for kinds that keep nothing on a local disk: tmpfs, ramfs, proc, and network
 * file systems. */
bool fs_kind_is_memory(const char *kind);
bool fs_kind_is_network(const char *kind);
/* Reads a small file (/proc, /sys, workload) whole, NUL-terminated; heap; fails with
 * ERR_FAILED above `limit` bytes. */
int fs_read(const char *path, size_t limit, char **text, size_t *size, struct err *err);

#endif
