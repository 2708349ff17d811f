#include "driver/trim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/fs.h"
#include "driver/trial.h"

#define LOOK_NS (20 * NS_PER_MS)
#define GIVE_UP_NS                                                                                 \
    NS_PER_S /* for a call that is killed: it ends with the discard that is under way */

/* What the other process says. */
struct answer {
    int error;
    uint64_t bytes;
};

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

/* In a process of its own, which holds nothing of ours: it may outlive us by a discard. */
static void trim_here(const char *path, int pipe_fd)
{
    struct fstrim_range range = {.len = UINT64_MAX};
    struct answer answer = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(pipe_fd, STDIN_FILENO) != STDIN_FILENO)
        return;
    close_range(STDIN_FILENO + 1, UINT_MAX, 0);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || ioctl(fd, FITRIM, &range) != 0)
        answer.error = errno;
    answer.bytes = range.len;
    if (write(STDIN_FILENO, &answer, sizeof answer) < 0)
        return; /* nobody is there any more */
}

/* One call may take minutes, and only SIGKILL ends it. */
static void end_process(pid_t process)
{
    int64_t give_up_ns = clock_now_ns() + GIVE_UP_NS;
    kill(process, SIGKILL);
    while (waitpid(process, NULL, WNOHANG) == 0 && clock_now_ns() < give_up_ns)
        clock_sleep_until(clock_now_ns() + LOOK_NS);
}

/* -1: a signal came. */
static int await_answer(int fd, const volatile int *stop, struct answer *answer)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    do {
        if (stop != NULL && *stop != 0)
            return -1;
    } while (poll(&wait, 1, (int)(LOOK_NS / NS_PER_MS)) <= 0);
    if (read(fd, answer, sizeof *answer) != (ssize_t)sizeof *answer)
        answer->error = EIO;
    return 0;
}

int trim_directory(const char *path, const volatile int *stop, struct trim_report *report,
                   struct err *err)
{
    int64_t begin_ns = clock_now_ns();
    struct answer answer = {0, 0};
    int ends[2];
    *report = (struct trim_report){0, 0};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return refused(path, errno, err);
    pid_t process = fork();
    if (process == 0) {
        trim_here(path, ends[1]);
        for (;;) /* what our process does at its end is not to be done twice */
            kill(getpid(), SIGKILL);
    }
    int failure = errno;
    close(ends[1]);
    int answered = process < 0 ? 0 : await_answer(ends[0], stop, &answer);
    close(ends[0]);
    if (process < 0)
        return refused(path, failure, err);
    end_process(process);
    if (answered != 0)
        return err_set(err, ERR_INTERRUPTED, "stopped by a signal");
    if (answer.error != 0)
        return refused(path, answer.error, err);
    report->bytes = (double)answer.bytes;
    report->seconds = (double)(clock_now_ns() - begin_ns) / 1e9;
    return 0;
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
    if (result != 0 && err.kind != ERR_INTERRUPTED && !t->ctx->warned_of_trim) {
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
