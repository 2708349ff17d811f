/* lines.h - a text file line by line, in large reads.  Also what cannot be mapped or measured:
 * pipes, and a log that is being written. */
#ifndef RESULT_LINES_H
#define RESULT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define LINES_LONGEST_BYTES ((size_t)512 << 20)

struct lines {
    const char *path; /* for messages; borrowed */
    int fd;
    char *buffer;
    size_t room, used, at; /* bytes in the buffer; where the next line begins */
    bool ended;
};

int lines_open(struct lines *lines, const char *path, struct err *err);
void lines_close(struct lines *lines); /* also when it was not opened */

/* The first byte of the next line, 0 at the end of the file, -1: failed.  What is no log at all
 * need not be read to the end of its first line. */
int lines_peek(struct lines *lines, struct err *err);
/* The next line without its newline, valid until the next call.  1: a line, 0: end of file, -1:
 * failed, or it is longer than LINES_LONGEST_BYTES.  *whole: it ended with a newline. */
int lines_next(struct lines *lines, const char **line, size_t *size, bool *whole, struct err *err);

#endif
