#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of ours: without a name until it is whole, or with it from the start. */
struct output {
    const char *path;
    bool is_named;
};

static int refuse(const char *path, int number, struct err *err)
{
    return number == EEXIST ? err_set(err, ERR_USAGE,
                                      "%s exists and is not overwritten; choose another name", path)
                            : err_set_errno(err, ERR_FAILED, number, "cannot write %s", path);
}

static int open_nameless(const char *path)
{
    char *copy = strdup(path);

    if (copy == NULL)
        abort();
    int fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(copy);
    return fd;
}

static FILE *open_file(struct output *output, struct err *err)
{
    struct stat there;
    int fd = -1;

    if (lstat(output->path, &there) == 0) {
        refuse(output->path, EEXIST, err);
        return NULL;
    }
    fd = open_nameless(output->path);
    output->is_named = fd < 0;
    if (fd < 0)
        fd = open(output->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (out == NULL) {
        refuse(output->path, errno, err);
        if (fd >= 0)
            close(fd);
    }
    return out;
}

static int name_file(FILE *out, const char *path, struct err *err)
{
    char link[64];

    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(out));
    return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
               ? 0
               : refuse(path, errno, err);
}

/* Everything must have arrived; what failed before is told rather than this. */
static int flush(FILE *out, const char *name, int status, struct err *err)
{
    errno = 0;
    if ((fflush(out) != 0 || ferror(out)) && status == 0)
        return err_set_errno(err, ERR_FAILED, errno != 0 ? errno : EIO, "cannot write %s", name);
    return status;
}

int output_write(const char *path, int (*write)(FILE *out, void *ctx, struct err *err), void *ctx,
                 struct err *err)
{
    struct output output = {.path = path};

    if (path == NULL)
        return flush(stdout, "standard output", write(stdout, ctx, err), err);
    FILE *out = open_file(&output, err);
    if (out == NULL)
        return -1;
    int status = write(out, ctx, err);
    if (status != 0)
        err_context(err, "%s", path);
    status = flush(out, path, status, err);
    if (status == 0 && !output.is_named)
        status = name_file(out, path, err);
    if (fclose(out) != 0 && status == 0)
        status = err_set_errno(err, ERR_FAILED, errno, "cannot write %s", path);
    if (status != 0 && output.is_named)
        unlink(path);
    return status;
}
