#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

static int finish(FILE *out, const char *name, int status, struct err *err)
{
    errno = 0;
    bool bad = fflush(out) != 0 || ferror(out) != 0;
    int number = errno != 0 ? errno : EIO;

    if (out != stdout && fclose(out) != 0 && !bad) {
        bad = true;
        number = errno;
    }
    return bad && status == 0 ? err_set_errno(err, ERR_FAILED, number, "cannot write %s", name)
                              : status;
}

int output_write(const char *path, int (*write)(FILE *out, void *ctx, struct err *err), void *ctx,
                 struct err *err)
{
    if (path == NULL)
        return finish(stdout, "standard output", write(stdout, ctx, err), err);

    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (out == NULL) {
        int number = errno;
        if (fd >= 0)
            close(fd);
        return number == EEXIST
                   ? err_set(err, ERR_USAGE,
                             "%s exists and is not overwritten; choose another name", path)
                   : err_set_errno(err, ERR_FAILED, number, "cannot write %s", path);
    }
    int status = finish(out, path, write(out, ctx, err), err);
    if (status != 0)
        unlink(path);
    return status;
}
