#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

char *fs_real_path(const char *path, struct err *err)
{
    char *real = realpath(path, NULL);
    if (real == NULL && errno == ENOENT)
        err_set(err, ERR_REFUSED, "%s does not exist", path);
    else if (real == NULL)
        err_set_errno(err, ERR_REFUSED, errno, "%s cannot be reached", path);
    return real;
}

char *fs_path(const char *format, ...)
{
    char *path = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&path, format, args) < 0)
        abort();
    va_end(args);
    return path;
}

int fs_space(const char *path, uint64_t *free_bytes, uint64_t *total_bytes, struct err *err)
{
    struct statvfs space;
    if (statvfs(path, &space) != 0)
        return err_set_errno(err, ERR_FAILED, errno, "free space of %s", path);
    *free_bytes = (uint64_t)space.f_bavail * space.f_frsize;
    *total_bytes = (uint64_t)space.f_blocks * space.f_frsize;
    return 0;
}

int fs_sync(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set_errno(err, ERR_FAILED, errno, "open of %s for syncfs", path);
    int failed = syncfs(fd) != 0 ? errno : 0;
    close(fd);
    if (failed != 0)
        return err_set_errno(err, ERR_FAILED, failed, "syncfs of %s", path);
    return 0;
}

/* Reads until the end or until `limit` + 1 bytes are there. */
static int read_all(int fd, size_t limit, char **text, size_t *size)
{
    size_t room = limit < 4096 ? limit + 1 : 4096;
    char *data = malloc(room + 1);
    size_t used = 0;
    if (data == NULL)
        return ENOMEM;
    for (;;) {
        ssize_t got = read(fd, data + used, room - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int failed = errno;
            free(data);
            return failed;
        }
        used += (size_t)got;
        if (got == 0 || used > limit)
            break;
        if (used == room) {
            room = room < limit / 2 ? 2 * room : limit + 1;
            char *larger = realloc(data, room + 1);
            if (larger == NULL) {
                free(data);
                return ENOMEM;
            }
            data = larger;
        }
    }
    data[used] = '\0';
    *text = data;
    *size = used;
    return 0;
}

int fs_read(const char *path, size_t limit, char **text, size_t *size, struct err *err)
{
    *text = NULL;
    *size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return err_set(err, ERR_FAILED, "%s does not exist", path);
    if (fd < 0)
        return err_set_errno(err, ERR_FAILED, errno, "open of %s", path);
    int failed = read_all(fd, limit, text, size);
    close(fd);
    if (failed != 0)
        return err_set_errno(err, ERR_FAILED, failed, "read of %s", path);
    if (*size > limit) {
        free(*text);
        *text = NULL;
        *size = 0;
        return err_set(err, ERR_FAILED, "%s is larger than %zu bytes, which is more than it can be",
                       path, limit);
    }
    return 0;
}
