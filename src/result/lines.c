#include "result/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROOM = 256 << 10 };

int lines_open(struct lines *lines, const char *path, struct err *err)
{
    *lines = (struct lines){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (lines->fd < 0)
        return err_set_errno(err, ERR_FAILED, errno, "result file %s cannot be opened", path);
    return 0;
}

void lines_close(struct lines *lines)
{
    if (lines->fd >= 0)
        close(lines->fd);
    free(lines->buffer);
    lines->fd = -1;
    lines->buffer = NULL;
}

/* Room behind what is left of the buffer, which moves to its start. */
static int make_room(struct lines *lines, struct err *err)
{
    lines->used -= lines->at;
    if (lines->at > 0)
        memmove(lines->buffer, lines->buffer + lines->at, lines->used);
    lines->at = 0;
    if (lines->used < lines->room)
        return 0;
    size_t wanted = lines->room > 0 ? 2 * lines->room : FIRST_ROOM;
    char *larger = wanted <= LINES_LONGEST_BYTES ? realloc(lines->buffer, wanted) : NULL;
    if (!larger)
        return err_set(err, ERR_FAILED,
                       "%s is not a loadline result: a line is longer than any record",
                       lines->path);
    lines->buffer = larger;
    lines->room = wanted;
    return 0;
}

static int fill(struct lines *lines, struct err *err)
{
    if (make_room(lines, err) != 0)
        return -1;
    ssize_t got;
    do
        got = read(lines->fd, lines->buffer + lines->used, lines->room - lines->used);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return err_set_errno(err, ERR_FAILED, errno, "read of %s", lines->path);
    lines->ended = got == 0;
    lines->used += (size_t)got;
    return 0;
}

int lines_peek(struct lines *lines, struct err *err)
{
    while (lines->at == lines->used && !lines->ended)
        if (fill(lines, err) != 0)
            return -1;
    return lines->at < lines->used ? (unsigned char)lines->buffer[lines->at] : 0;
}

int lines_next(struct lines *lines, const char **line, size_t *size, bool *whole, struct err *err)
{
    size_t seen = 0; /* of this line, without a newline */
    for (;;) {
        size_t left = lines->used - lines->at;
        const char *from = lines->buffer + lines->at;
        const char *newline = left > seen ? memchr(from + seen, '\n', left - seen) : NULL;
        if (newline || lines->ended) {
            *line = from;
            *size = newline ? (size_t)(newline - from) : left;
            *whole = newline != NULL;
            lines->at += *size + *whole;
            return *whole || *size > 0;
        }
        seen = left;
        if (fill(lines, err) != 0)
            return -1;
    }
}
