/* files.h - names of the files of engines that keep their own, and what errno means there.
 *
 * One file is shared.EXT, several are fNNNN.EXT, one per stream sNNNN.EXT, all in
 * config->directory.  Pure; any thread. */
#ifndef ADAPTERS_FILES_H
#define ADAPTERS_FILES_H

#include "adapter.h"

/* The absolute path of a file (layout.h's number).  Heap, caller frees. */
char *files_path(const struct adapter_config *config, unsigned file, const char *extension);

/* The number of streams that write into a file. */
unsigned files_streams(const struct workload *load, unsigned file);

/* OP_NO_SPACE for ENOSPC and EDQUOT, else OP_FATAL. */
enum op_status files_status(int number);

/* "CALL of PATH: text of errno"; returns files_status(errno). */
enum op_status files_fail(struct op_error *why, const char *call, const char *path);

/* Makes an empty file of our own; OP_FATAL when one of that name is there already. */
enum op_status files_make(const char *path, struct op_error *why);

/* Unlinks; a file that is not there is no failure. */
enum op_status files_remove(const char *path, struct op_error *why);

#endif
