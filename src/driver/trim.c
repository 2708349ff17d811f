#include "driver/trim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/fs.h"
#include "driver/trial.h"

/* One call cannot be interrupted: so much at a time, where the file system takes its own offsets
 * for the range. */
#define CHUNK_BYTES (UINT64_C(8) << 30)

static bool takes_ranges(const char *path)
{
    char kind[32];
    struct err ignored;
    return fs_kind(path, kind, &ignored) == 0 &&
           (strcmp(kind, "ext4") == 0 || strcmp(kind, "xfs") == 0);
}

static int refused(const char *path, int error, struct err *err)
{
    switch (error) {
    case EPERM:
    case EACCES:
        return err_set(err, ERR_REFUSED, "%s cannot be trimmed without root's rights", path);
    case EOPNOTSUPP:
    case ENOTTY:
        return err_set(err, ERR_REFUSED,
                       "%s cannot be trimmed: its file system, or a layer below it, does not pass "
                       "on what is free",
                       path);
    default:
        return err_set_errno(err, ERR_REFUSED, error, "trimming %s", path);
    }
}

int trim_directory(const char *path, const volatile int *stop, struct trim_report *report,
                   struct err *err)
{
    uint64_t free_bytes, total_bytes = 0;
    int64_t begin_ns = clock_now_ns();
    int result = 0;
    *report = (struct trim_report){0, 0};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return refused(path, errno, err);
    if (takes_ranges(path) && fs_space(path, &free_bytes, &total_bytes, err) != 0)
        total_bytes = 0;
    /* The last range is open: what statfs() calls the size leaves out the file system's own. */
    for (uint64_t start = 0; start == 0 || start < total_bytes; start += CHUNK_BYTES) {
        bool last = total_bytes - start <= CHUNK_BYTES;
        struct fstrim_range range = {.start = start,
                                     .len = last ? (uint64_t)INT64_MAX - start : CHUNK_BYTES};
        if (stop != NULL && *stop != 0)
            break;
        if (ioctl(fd, FITRIM, &range) != 0) {
            result = refused(path, errno, err);
            break;
        }
        report->bytes += (double)range.len;
    }
    close(fd);
    report->seconds = (double)(clock_now_ns() - begin_ns) / 1e9;
    return result;
}

/* ---- before a trial ---- */

static void keep_text(struct trial *t, const char *text)
{
    if (t->ctx->header_written)
        return;
    char *longer = t->trimmed == NULL ? strdup(text) : fs_path("%s; %s", t->trimmed, text);
    free(t->trimmed);
    t->trimmed = longer;
}

static bool trim_one(struct trial *t, const char *path)
{
    struct trim_report report;
    struct format_text bytes, seconds;
    struct err err;
    int result = trim_directory(path, t->ctx->options->stop, &report, &err);
    if (result != 0 && !t->ctx->warned_of_trim) {
        t->ctx->warned_of_trim = true;
        context_warn(t->ctx, (int)t->plan->index,
                     "run.trim = on: %s; the drive takes free space for data, so it may be slower "
                     "than it is when fresh",
                     err.text);
    }
    if (result != 0)
        return false;
    char *text =
        fs_path("%s of free space told to the drive under %s in %s",
                format_bytes(&bytes, report.bytes), path, format_seconds(&seconds, report.seconds));
    context_event(t->ctx, (int)t->plan->index, "trim", "%s", text);
    keep_text(t, text);
    free(text);
    return true;
}

static bool same_filesystem(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev;
}

bool trim_trial(struct trial *t)
{
    const char *paths[DEVICE_SET_ROLES];
    size_t count = 0;
    bool told = false;
    if (!t->load->trim)
        return false;
    context_forget_rates(t->ctx);
    context_progress(t->ctx, "trim", 0);
    if (t->site->workspace != NULL) {
        paths[count++] = workspace_target(t->site->workspace);
        if (t->site->log_workspace != NULL)
            paths[count++] = workspace_target(t->site->log_workspace);
    } else { /* a server's directories, where they are on this host */
        for (; count < t->devices->count; count++)
            paths[count] = t->devices->devices[count].stack.path;
    }
    if (count == 0 && !t->ctx->warned_of_trim) {
        t->ctx->warned_of_trim = true;
        context_warn(t->ctx, (int)t->plan->index,
                     "run.trim = on: no file system of %s is known, so nothing is trimmed",
                     t->target->shown);
    }
    for (size_t i = 0; i < count; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || same_filesystem(paths[k], paths[i]);
        told = (!again && trim_one(t, paths[i])) || told;
    }
    return told;
}

void trim_log(struct trial *t)
{
    if (t->trimmed != NULL)
        context_log_event(t->ctx, (int)t->plan->index, "trim", "%s", t->trimmed);
    free(t->trimmed);
    t->trimmed = NULL;
}
