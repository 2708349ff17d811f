/* workload_file.h - finds the workload that a person named. */
#ifndef CLI_WORKLOAD_FILE_H
#define CLI_WORKLOAD_FILE_H

#include <stddef.h>

#include "base/err.h"

struct workload_file {
    char *text; /* NUL-terminated */
    size_t size;
    char *origin; /* for messages: the path, or "workload NAME" */
    char *name;   /* for the result: without directory and .ini */
};

/* `word` with a '/' or ending in .ini is a path, else one of the workloads that come with
 * loadline.  ERR_USAGE: none of that name (says which there are), not readable.  Release it
 * in either case. */
int workload_file_read(const char *word, struct workload_file *file, struct err *err);
void workload_file_release(struct workload_file *file);

/* What the comments at the top of a workload say: the first line what it answers, then
 * "Time: ..." and "Writes: ...".  Missing ones are "". */
struct workload_about {
    char answers[160], time[80], writes[80];
};
void workload_file_about(const char *text, struct workload_about *about);

#endif
