/* output.h - where a command writes: standard output, or a file that must not exist yet. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

#include "base/err.h"

/* Opens `path` (NULL: standard output), lets `write` fill it, flushes.  The file gets its name when
 * it is whole, so that a signal leaves nothing; where a file system has no files without a name it
 * has it from the start, and is removed when the write fails.  ERR_USAGE: it exists; else what
 * failed. */
int output_write(const char *path, int (*write)(FILE *out, void *ctx, struct err *err), void *ctx,
                 struct err *err);

#endif
