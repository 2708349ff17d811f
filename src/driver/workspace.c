#include "driver/workspace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapter.h"
#include "base/fs.h"

#define MARKER "loadline-marker"
#define MARKER_TEXT                                                                                \
    "Made by loadline. Everything in this folder may be removed by: loadline clean\n"

#define ALSO "also "

struct workspace {
    char *target; /* canonical */
    char *path;
    int target_fd; /* holds the lock */
};

static bool has_suffix(const char *name, const char *suffix)
{
    size_t a = strlen(name), b = strlen(suffix);
    return a >= b && strcmp(name + a - b, suffix) == 0;
}

/* A name of a file that an engine makes in a trial's folder. */
static bool is_our_file(const char *name)
{
    static const char *const suffixes[] = {".db", ".db-wal", ".db-shm", ".db-journal", ".dat"};
    if (strncmp(name, "shared.", 7) != 0 &&
        !((name[0] == 's' || name[0] == 'f') && name[1] >= '0' && name[1] <= '9'))
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (has_suffix(name, suffixes[i]))
            return true;
    return false;
}

static bool is_our_folder(const char *name)
{
    if (name[0] != 't' || name[1] == '\0')
        return false;
    return strspn(name + 1, "0123456789") == strlen(name + 1);
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

struct sweep {
    unsigned removed, left;
};

enum { MARKER_MAX = 1 << 16 };

/* Removes our files in the folder `name` below `parent_fd`, and the folder when nothing is left. */
static void sweep_trial(int parent_fd, const char *name, struct sweep *sweep)
{
    int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (dir == NULL) {
        if (fd >= 0)
            close(fd);
        sweep->left++;
        return;
    }
    unsigned foreign = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct stat st;
        if (is_dot(entry->d_name))
            continue;
        if (is_our_file(entry->d_name) &&
            fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
            unlinkat(fd, entry->d_name, 0) == 0)
            sweep->removed++;
        else
            foreign++;
    }
    closedir(dir);
    sweep->left += foreign;
    if (foreign == 0 && unlinkat(parent_fd, name, AT_REMOVEDIR) == 0)
        sweep->removed++;
}

static bool is_marked(int fd)
{
    struct stat st;
    return fstatat(fd, MARKER, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

/* Removes what is ours below the folder `fd`; the marker last, so that a sweep that was cut short
 * can be done again. */
static void sweep_all(int fd, struct sweep *sweep)
{
    int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    if (dir == NULL) {
        if (copy >= 0)
            close(copy);
        sweep->left++;
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (is_dot(entry->d_name) || strcmp(entry->d_name, MARKER) == 0)
            continue;
        if (is_our_folder(entry->d_name))
            sweep_trial(fd, entry->d_name, sweep);
        else
            sweep->left++;
    }
    closedir(dir);
}

/* Opens the target and takes its lock. */
static int lock_target(const char *target, char **real, int *fd, struct err *err)
{
    struct stat st;
    *real = fs_real_path(target, err);
    *fd = -1;
    if (*real == NULL)
        return -1;
    if (stat(*real, &st) != 0 || !S_ISDIR(st.st_mode))
        return err_set(err, ERR_REFUSED,
                       "%s is no directory; give a directory on the drive under "
                       "test",
                       target);
    *fd = open(*real, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        return err_set_errno(err, ERR_REFUSED, errno, "opening the target %s", target);
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
        return 0;
    if (errno == EWOULDBLOCK)
        return err_set(err, ERR_REFUSED,
                       "%s is busy: another loadline works there; wait for it to end", target);
    return err_set_errno(err, ERR_REFUSED, errno, "locking the target %s", target);
}

static void workspace_free(struct workspace *w)
{
    if (w->target_fd >= 0)
        close(w->target_fd);
    free(w->target);
    free(w->path);
    free(w);
}

static int refuse_existing(const struct workspace *w, struct err *err)
{
    int fd = open(w->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool marked = fd >= 0 && is_marked(fd);
    if (fd >= 0)
        close(fd);
    if (marked)
        return err_set(err, ERR_REFUSED,
                       "%s was left behind by a run that was killed; remove it with: loadline "
                       "clean %s",
                       w->path, w->target);
    return err_set(err, ERR_REFUSED,
                   "%s exists and is not loadline's; rename it, or choose another target", w->path);
}

int workspace_open(const char *target, struct workspace **workspace, struct err *err)
{
    struct workspace *w = calloc(1, sizeof *w);
    if (w == NULL)
        abort();
    if (lock_target(target, &w->target, &w->target_fd, err) != 0)
        goto failed;
    w->path = fs_path("%s/%s", strcmp(w->target, "/") == 0 ? "" : w->target, WORKSPACE_NAME);
    if (mkdir(w->path, 0700) != 0) {
        if (errno == EEXIST)
            refuse_existing(w, err);
        else
            err_set_errno(err, ERR_REFUSED, errno, "the target cannot be written to: making %s",
                          w->path);
        goto failed;
    }
    char *marker = fs_path("%s/%s", w->path, MARKER);
    int fd = open(marker, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool made =
        fd >= 0 && write(fd, MARKER_TEXT, strlen(MARKER_TEXT)) == (ssize_t)strlen(MARKER_TEXT);
    int number = errno;
    if (fd >= 0)
        close(fd);
    if (!made) {
        unlink(marker);
        rmdir(w->path);
        err_set_errno(err, ERR_REFUSED, number, "the target cannot be written to: making %s",
                      marker);
    }
    free(marker);
    if (!made)
        goto failed;
    *workspace = w;
    return 0;
failed:
    workspace_free(w);
    return -1;
}

const char *workspace_path(const struct workspace *w)
{
    return w->path;
}

const char *workspace_target(const struct workspace *w)
{
    return w->target;
}

int workspace_note(const struct workspace *w, const char *other, struct err *err)
{
    char *marker = fs_path("%s/%s", w->path, MARKER);
    char *line = fs_path(ALSO "%s\n", other);
    int fd = open(marker, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    bool noted = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line);
    int result = noted ? 0
                       : err_set_errno(err, ERR_REFUSED, errno,
                                       "the target cannot be written to: %s", marker);
    if (fd >= 0)
        close(fd);
    free(line);
    free(marker);
    return result;
}

int workspace_trial(struct workspace *w, unsigned trial, enum workspace_mode mode, char **path,
                    struct err *err)
{
    *path = fs_path("%s/t%04u", w->path, trial);
    bool passable = mode == WORKSPACE_PASSABLE && geteuid() == 0;
    if (mkdir(*path, 0700) == 0 &&
        (!passable || (chmod(w->path, 0711) == 0 && chmod(*path, 0711) == 0)))
        return 0;
    err_set_errno(err, ERR_FAILED, errno, "making %s", *path);
    free(*path);
    *path = NULL;
    return -1;
}

int workspace_trial_remove(struct workspace *w, unsigned trial, struct err *err)
{
    char name[32];
    struct sweep sweep = {0, 0};
    int fd = open(w->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return err_set_errno(err, ERR_FAILED, errno, "opening %s", w->path);
    snprintf(name, sizeof name, "t%04u", trial);
    sweep_trial(fd, name, &sweep);
    close(fd);
    if (sweep.left != 0)
        return err_set(err, ERR_FAILED,
                       "%s/%s holds %u files that loadline did not make; they were left", w->path,
                       name, sweep.left);
    return 0;
}

int workspace_close(struct workspace *w, struct err *err)
{
    int result = 0;
    struct sweep sweep = {0, 0};
    int fd = open(w->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        sweep_all(fd, &sweep);
        if (sweep.left == 0)
            unlinkat(fd, MARKER, 0);
        close(fd);
    }
    if (sweep.left != 0)
        result = err_set(err, ERR_FAILED,
                         "%s holds %u things that loadline did not make; they were left", w->path,
                         sweep.left);
    else if (fd >= 0 && rmdir(w->path) != 0)
        result = err_set_errno(err, ERR_FAILED, errno, "removing %s", w->path);
    workspace_free(w);
    return result;
}

/* Engines with servers of their own stop and remove them first. */
static int reclaim(const char *directory, struct sweep *sweep, struct err *err)
{
    for (const struct adapter *const *a = adapter_registry; *a != NULL; a++) {
        struct adapter_config config = {.target = "", .directory = directory};
        struct op_error why;
        unsigned removed = 0;
        if ((*a)->clean == NULL || ((*a)->caps & ADAPTER_LOCAL_FILES) == 0 ||
            ((*a)->caps & ADAPTER_HIDDEN) != 0)
            continue;
        if ((*a)->clean(&config, &removed, &why) != OP_OK)
            return err_set(err, ERR_FAILED, "%s", why.text);
        sweep->removed += removed;
    }
    return 0;
}

static int reclaim_all(const char *path, struct sweep *sweep, struct err *err)
{
    DIR *dir = opendir(path);
    int result = 0;
    if (dir == NULL)
        return err_set_errno(err, ERR_FAILED, errno, "opening %s", path);
    for (struct dirent *entry; result == 0 && (entry = readdir(dir)) != NULL;) {
        if (!is_our_folder(entry->d_name))
            continue;
        char *trial = fs_path("%s/%s", path, entry->d_name);
        result = reclaim(trial, sweep, err);
        free(trial);
    }
    closedir(dir);
    return result;
}

static void read_marker(const char *path, char **text)
{
    char *marker = fs_path("%s/%s", path, MARKER);
    size_t size;
    struct err ignored;
    if (fs_read(marker, MARKER_MAX, text, &size, &ignored) != 0)
        *text = NULL;
    free(marker);
}

/* *marker: its text, heap; NULL when there is none. */
static int clean(const char *target, struct sweep *sweep, char **marker, struct err *err)
{
    int result = -1, fd = -1, target_fd = -1;
    char *real = NULL, *path = NULL;
    if (lock_target(target, &real, &target_fd, err) != 0)
        goto out;
    path = fs_path("%s/%s", strcmp(real, "/") == 0 ? "" : real, WORKSPACE_NAME);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        result = errno == ENOENT ? 0
                                 : err_set_errno(err, ERR_REFUSED, errno,
                                                 "%s is not a folder of loadline's", path);
        goto out;
    }
    if (!is_marked(fd)) {
        /* A run killed between mkdir and marker leaves an empty folder. */
        if (rmdir(path) != 0) {
            err_set(err, ERR_REFUSED, "%s has no marker of loadline's; it was left alone", path);
            goto out;
        }
        sweep->removed++;
        result = 0;
        goto out;
    }
    read_marker(path, marker);
    if (reclaim_all(path, sweep, err) != 0)
        goto out;
    sweep_all(fd, sweep);
    if (sweep->left == 0 && unlinkat(fd, MARKER, 0) == 0 && rmdir(path) == 0)
        sweep->removed += 2;
    result = 0;
out:
    if (fd >= 0)
        close(fd);
    if (target_fd >= 0)
        close(target_fd);
    free(real);
    free(path);
    return result;
}

int workspace_clean(const char *target, unsigned *removed, unsigned *left, struct err *err)
{
    struct sweep sweep = {0, 0};
    char *marker = NULL, *save = NULL;
    int result = clean(target, &sweep, &marker, err);
    for (char *line = marker == NULL ? NULL : strtok_r(marker, "\n", &save);
         line != NULL && result == 0; line = strtok_r(NULL, "\n", &save)) {
        char *ignored = NULL;
        struct err gone; /* unmounted, say, or in use again: it says so itself when it is used */
        if (strncmp(line, ALSO, sizeof ALSO - 1) == 0)
            clean(line + sizeof ALSO - 1, &sweep, &ignored, &gone);
        free(ignored);
    }
    free(marker);
    *removed = sweep.removed;
    *left = sweep.left;
    return result;
}
