#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "postgres/server.h"

#define LOOK_NS (10 * NS_PER_MS)

enum step { STEP_FAST, STEP_IMMEDIATE, STEP_KILL, STEPS };

/* How long each is waited for.  After a signal all of it, removal included, has 2 s. */
static const int64_t calm_ns[STEPS] = {120 * NS_PER_S, 10 * NS_PER_S, 5 * NS_PER_S};
static const int64_t hurry_ns[STEPS] = {0, 700 * NS_PER_MS, 200 * NS_PER_MS};

/* Its working directory is `data`, and it belongs to the owner of `data`. */
static bool runs_on(long pid, const struct stat *data)
{
    char path[64];
    struct stat process, cwd;
    snprintf(path, sizeof path, "/proc/%ld", pid);
    if (stat(path, &process) != 0 || process.st_uid != data->st_uid)
        return false;
    snprintf(path, sizeof path, "/proc/%ld/cwd", pid);
    return stat(path, &cwd) == 0 && cwd.st_dev == data->st_dev && cwd.st_ino == data->st_ino;
}

pid_t postgres_server_find(const char *data)
{
    char text[32] = "";
    struct stat st;
    long pid = 0;
    char *path = fs_path("%s/postmaster.pid", data);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0 && stat(data, &st) == 0 && read(fd, text, sizeof text - 1) > 0) {
        pid = strtol(text, NULL, 10);
        if (pid <= 1 || !runs_on(pid, &st))
            pid = 0;
    }
    if (fd >= 0)
        close(fd);
    free(path);
    return (pid_t)pid;
}

/* A process of the server on `data`, its postmaster's children included, who end a little later;
 * 0: none. */
static long find_any(const char *data)
{
    struct stat st;
    long found = 0;
    DIR *proc = stat(data, &st) == 0 ? opendir("/proc") : NULL;
    if (proc == NULL)
        return 0;
    for (struct dirent *entry; found == 0 && (entry = readdir(proc)) != NULL;) {
        char name[16] = "", path[64];
        long pid = strtol(entry->d_name, NULL, 10);
        if (pid <= 1 || !runs_on(pid, &st))
            continue;
        snprintf(path, sizeof path, "/proc/%ld/comm", pid);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && read(fd, name, sizeof name - 1) > 0 && strncmp(name, "postgres", 8) == 0)
            found = pid;
        if (fd >= 0)
            close(fd);
    }
    closedir(proc);
    return found;
}

static bool is_hurried(const volatile int *stop)
{
    return stop != NULL && *stop != 0;
}

/* true: a postmaster was told to end. */
static bool signal_in_steps(const char *data, enum step step, bool *hurry, const volatile int *stop)
{
    static const int signals[STEPS] = {SIGINT, SIGQUIT, SIGKILL};
    bool told = false;
    for (; step < STEPS; step++) {
        pid_t pid = postgres_server_find(data);
        if (pid == 0)
            break;
        told = kill(pid, signals[step]) == 0 || told;
        int64_t begun_ns = clock_now_ns();
        while (postgres_server_find(data) != 0) {
            *hurry = *hurry || is_hurried(stop);
            if (clock_now_ns() - begun_ns > (*hurry ? hurry_ns : calm_ns)[step])
                break;
            clock_sleep_until(clock_now_ns() + LOOK_NS);
        }
    }
    return told;
}

enum op_status postgres_server_stop(const char *data, struct postgres_server *own,
                                    enum postgres_stop how, const volatile int *stop,
                                    struct op_error *why)
{
    bool hurry = is_hurried(stop);
    enum step first = how == POSTGRES_STOP_FAST && !hurry ? STEP_FAST : STEP_IMMEDIATE;
    bool told = signal_in_steps(data, first, &hurry, stop);
    if (own != NULL)
        postgres_server_kill(own);
    int64_t end_ns = clock_now_ns() + (hurry ? hurry_ns : calm_ns)[STEP_KILL];
    long left;
    while ((left = find_any(data)) != 0 && clock_now_ns() < end_ns)
        clock_sleep_until(clock_now_ns() + LOOK_NS);
    /* Children whose postmaster is gone end when their last write returns, and make no new files
     * then. */
    if (left == 0 || (told && postgres_server_find(data) == 0))
        return OP_OK;
    return op_fail(why, OP_FATAL, 0,
                   "process %ld of the server on %s does not end; end it, then: loadline clean",
                   left, data);
}
