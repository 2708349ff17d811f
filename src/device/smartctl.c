#include "device/smartctl.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum {
    OUTPUT_MAX = 4 << 20,
    SLICE_MS = 50, /* how soon `stop` is seen */
    DYING_MS = 500,
    DEVICE_SIZE = 128,
};

/* What became of the child's output. */
enum ending { ENDING_COMPLETE, ENDING_TIMEOUT, ENDING_STOPPED, ENDING_TOO_LONG, ENDING_FAILED };

struct output {
    char *text; /* heap */
    size_t size;
};

static bool program_in(const char *directory, size_t size, char path[PATH_MAX])
{
    /* Never from a directory that depends on where we stand. */
    if (size == 0 || directory[0] != '/')
        return false;
    int length = snprintf(path, PATH_MAX, "%.*s/smartctl", (int)size, directory);
    return length > 0 && length < PATH_MAX && access(path, X_OK) == 0;
}

/* Distributions keep it where only root's PATH leads. */
static bool find_program(const char *search, char path[PATH_MAX])
{
    const char *lists[] = {search ? search : getenv("PATH"),
                           search ? NULL : "/usr/local/sbin:/usr/sbin:/sbin"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const char *at = lists[i]; at != NULL && *at != 0;) {
            size_t size = strcspn(at, ":");
            if (size < PATH_MAX && program_in(at, size, path))
                return true;
            at += size + (at[size] == ':');
        }
    }
    return false;
}

static int set_files(posix_spawn_file_actions_t *files, int output)
{
    int failed = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (failed == 0)
        failed = posix_spawn_file_actions_adddup2(files, output, STDOUT_FILENO);
    if (failed == 0)
        failed = posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (failed == 0)
        failed = posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
    return failed;
}

/* A group of its own, so that all of it can be killed; signals as a fresh program has them. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failed = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (failed == 0)
        failed = posix_spawnattr_setpgroup(attributes, 0);
    if (failed == 0)
        failed = posix_spawnattr_setsigmask(attributes, &none);
    if (failed == 0)
        failed = posix_spawnattr_setsigdefault(attributes, &all);
    return failed;
}

/* An errno value, or 0. */
static int start(const char *program, const char *device, int output, pid_t *child)
{
    char device_argument[DEVICE_SIZE];
    snprintf(device_argument, sizeof device_argument, "%s", device);
    char name[] = "smartctl", json[] = "--json", check[] = "-n", standby[] = "standby";
    char all[] = "-a", log[] = "-l", statistics[] = "devstat";
    char *arguments[] = {name, json, check, standby, all, log, statistics, device_argument, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed != 0)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed == 0) {
        failed = set_files(&files, output);
        if (failed == 0)
            failed = set_attributes(&attributes);
        if (failed == 0)
            failed = posix_spawn(child, program, &files, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

static bool make_room(struct output *output, size_t *room)
{
    if (output->size < *room)
        return true;
    *room = *room ? 2 * *room : 64 * 1024;
    char *larger = realloc(output->text, *room);
    if (larger == NULL)
        return false;
    output->text = larger;
    return true;
}

static enum ending read_output(int fd, const struct smartctl_request *request,
                               struct output *output)
{
    int64_t end_ns = clock_now_ns() + request->timeout_ns;
    size_t room = 0;
    for (;;) {
        if (request->stop != NULL && *request->stop != 0)
            return ENDING_STOPPED;
        int64_t left_ns = end_ns - clock_now_ns();
        if (left_ns <= 0)
            return ENDING_TIMEOUT;
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        int64_t left_ms = left_ns / NS_PER_MS + 1;
        int ready = poll(&wait, 1, left_ms < SLICE_MS ? (int)left_ms : SLICE_MS);
        if (ready <= 0)
            continue;
        if (!make_room(output, &room))
            return ENDING_FAILED;
        ssize_t got = read(fd, output->text + output->size, room - output->size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return ENDING_FAILED;
        if (got == 0)
            return ENDING_COMPLETE;
        output->size += (size_t)got;
        if (output->size > OUTPUT_MAX)
            return ENDING_TOO_LONG;
    }
}

static void reap(pid_t child)
{
    kill(-child, SIGKILL);
    for (int waited_ms = 0; waited_ms < DYING_MS; waited_ms++) {
        pid_t done = waitpid(child, NULL, WNOHANG);
        if (done == child || (done < 0 && errno != EINTR))
            return;
        clock_sleep_until(clock_now_ns() + NS_PER_MS);
    }
}

static enum ending run(const char *program, const char *device,
                       const struct smartctl_request *request, struct output *output, int *failed)
{
    int pipe_fds[2];
    pid_t child;
    if (pipe2(pipe_fds, O_CLOEXEC) != 0) {
        *failed = errno;
        return ENDING_FAILED;
    }
    *failed = start(program, device, pipe_fds[1], &child);
    close(pipe_fds[1]);
    enum ending ending = ENDING_FAILED;
    if (*failed == 0) {
        ending = read_output(pipe_fds[0], request, output);
        reap(child);
    }
    close(pipe_fds[0]);
    return ending;
}

static enum smartctl_outcome not_complete(enum ending ending, const char *device, int failed,
                                          const struct smartctl_request *request,
                                          char reason[SMARTCTL_REASON])
{
    char text[128];
    if (failed == EACCES || failed == EPERM) {
        snprintf(reason, SMARTCTL_REASON, "smartctl may not be run: run as root");
        return SMARTCTL_NOT_PERMITTED;
    }
    if (ending == ENDING_TIMEOUT)
        snprintf(reason, SMARTCTL_REASON, "smartctl did not answer about %s within %.0f s", device,
                 (double)request->timeout_ns / 1e9);
    else if (ending == ENDING_STOPPED)
        snprintf(reason, SMARTCTL_REASON, "stopped before smartctl answered about %s", device);
    else if (ending == ENDING_TOO_LONG)
        snprintf(reason, SMARTCTL_REASON, "smartctl printed more than %d MiB about %s",
                 OUTPUT_MAX >> 20, device);
    else
        snprintf(reason, SMARTCTL_REASON, "smartctl could not be run: %s",
                 failed ? strerror_r(failed, text, sizeof text) : "its output cannot be read");
    return SMARTCTL_NO_ANSWER;
}

enum smartctl_outcome smartctl_read(const struct smartctl_request *request, struct smart *smart,
                                    char reason[SMARTCTL_REASON])
{
    char program[PATH_MAX], device[DEVICE_SIZE];
    struct output output = {NULL, 0};
    int failed = 0;
    smart_init(smart);
    int size = snprintf(device, sizeof device, "/dev/%s", request->disk);
    if (request->disk[0] == 0 || size >= DEVICE_SIZE || strstr(request->disk, "..") != NULL) {
        snprintf(reason, SMARTCTL_REASON, "\"%.*s\" is not the name of a disk", DEVICE_SIZE,
                 request->disk);
        return SMARTCTL_NO_DRIVE;
    }
    if (!find_program(request->search, program)) {
        snprintf(reason, SMARTCTL_REASON,
                 "smartctl is not installed, so what the drive itself counts is unknown: install "
                 "smartmontools");
        return SMARTCTL_NOT_INSTALLED;
    }
    enum ending ending = run(program, device, request, &output, &failed);
    enum smartctl_outcome outcome =
        ending == ENDING_COMPLETE ? smartctl_judge(request, output.text, output.size, smart, reason)
                                  : not_complete(ending, device, failed, request, reason);
    free(output.text);
    return outcome;
}
