#include "result/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"

struct log {
    FILE *file;
    char *path;
};

/* A record of this size or less reaches the kernel in one write. */
enum { LOG_BUFFER_BYTES = 1 << 20, LOG_NAMES_TRIED = 1000 };

static int open_new(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0666);
}

static int open_default(char **path, struct err *err)
{
    char stamp[32];
    clock_wall_stamp(stamp);
    for (int i = 1; i <= LOG_NAMES_TRIED; i++) {
        *path = i == 1 ? fs_path("loadline-%s.jsonl", stamp)
                       : fs_path("loadline-%s-%d.jsonl", stamp, i);
        int fd = open_new(*path);
        if (fd >= 0)
            return fd;
        if (errno != EEXIST)
            return err_set_errno(err, ERR_USAGE, errno,
                                 "result file %s cannot be made here (choose another with -o)",
                                 *path);
        free(*path);
        *path = NULL;
    }
    return err_set(err, ERR_USAGE,
                   "too many result files loadline-%s*.jsonl here: choose one with -o", stamp);
}

static int open_named(const char *path, struct err *err)
{
    int fd = open_new(path);
    if (fd < 0 && errno == EEXIST)
        return err_set(err, ERR_USAGE,
                       "result file %s exists already: choose another with -o, or remove it", path);
    if (fd < 0)
        return err_set_errno(err, ERR_USAGE, errno,
                             "result file %s cannot be made (choose another with -o)", path);
    return fd;
}

int log_create(const char *path, struct log **log, struct err *err)
{
    char *name = NULL;
    int fd = path ? open_named(path, err) : open_default(&name, err);
    if (fd < 0) {
        free(name);
        return -1;
    }
    if (path)
        name = fs_path("%s", path);
    FILE *file = fdopen(fd, "w");
    struct log *made = malloc(sizeof *made);
    if (!file || !made) {
        err_set(err, ERR_FAILED, "no memory for result file %s", name);
        if (file)
            fclose(file);
        else
            close(fd);
        free(made);
        free(name);
        return -1;
    }
    setvbuf(file, NULL, _IOFBF, LOG_BUFFER_BYTES);
    *made = (struct log){.file = file, .path = name};
    *log = made;
    return 0;
}

const char *log_path(const struct log *log)
{
    return log->path;
}

int log_write(struct log *log, json_t *record, struct err *err)
{
    int failed = json_write_line(log->file, record, err);
    json_decref(record);
    return failed ? err_context(err, "result file %s", log->path) : 0;
}

int log_close(struct log *log, struct err *err)
{
    if (!log)
        return 0;
    int status = 0;
    /* Pipes and the like cannot be synchronised; a file must be. */
    if (fflush(log->file) != 0 || (fsync(fileno(log->file)) != 0 && errno != EINVAL))
        status = err_set_errno(err, ERR_FAILED, errno, "result file %s", log->path);
    if (fclose(log->file) != 0 && status == 0)
        status = err_set_errno(err, ERR_FAILED, errno, "result file %s", log->path);
    free(log->path);
    free(log);
    return status;
}

void log_discard(struct log *log)
{
    if (!log)
        return;
    fclose(log->file);
    unlink(log->path);
    free(log->path);
    free(log);
}
