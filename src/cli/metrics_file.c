#include "cli/metrics_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "device/device_set.h"

/* Samples that were late come in a bunch: one text is enough for them. */
#define GAP_NS (5 * NS_PER_MS)
enum { LINKS_MAX = 40, TEMPORARY_NAME = 64, NAMES_TRIED = 100 };

int metrics_file_check_name(const char *path, struct err *err)
{
    static const char ending[] = ".prom";
    size_t length = strlen(path);
    if (length >= sizeof ending - 1 && strcmp(path + length - (sizeof ending - 1), ending) == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "--metrics-file %s: the name must end in .prom, since node_exporter's textfile "
                   "collector reads no other files",
                   path);
}

/* ---- where it lies ---- */

static void split(const char *path, char **folder, char **name)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        *folder = fs_path(".");
    else
        *folder = fs_path("%.*s", slash == path ? 1 : (int)(slash - path), path);
    *name = fs_path("%s", slash == NULL ? path : slash + 1);
}

/* The path that a link leads to; heap; NULL: it is none, or cannot be read. */
static char *follow(const char *path)
{
    char to[4096], *folder, *name;
    ssize_t size = readlink(path, to, sizeof to - 1);
    if (size < 0)
        return NULL;
    to[size] = '\0';
    if (to[0] == '/')
        return fs_path("%s", to);
    split(path, &folder, &name);
    char *next = fs_path("%s/%s", folder, to);
    free(folder);
    free(name);
    return next;
}

/* A link stays a link: what it leads to is replaced, even where that is not there yet. */
static int find_place(struct metrics_file *file, struct err *err)
{
    char *path = fs_path("%s", file->path), *next;
    int links = 0;
    for (; links < LINKS_MAX && (next = follow(path)) != NULL; links++) {
        free(path);
        path = next;
    }
    split(path, &file->folder, &file->name);
    free(path);
    if (links == LINKS_MAX)
        return err_set_errno(err, ERR_USAGE, ELOOP, "--metrics-file %s", file->path);
    file->folder_fd = open(file->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file->folder_fd < 0)
        return err_set_errno(err, ERR_USAGE, errno,
                             "--metrics-file %s: the folder %s must be there and readable",
                             file->path, file->folder);
    return 0;
}

/* ---- what is there already ---- */

static int check_existing(const struct metrics_file *file, struct err *err)
{
    char line[sizeof METRICS_TEXT_MARKER] = "";
    struct stat now;
    if (fstatat(file->folder_fd, file->name, &now, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT
                   ? 0
                   : err_set_errno(err, ERR_USAGE, errno, "--metrics-file %s", file->path);
    if (!S_ISREG(now.st_mode))
        return err_set(err, ERR_USAGE, "--metrics-file %s is there and is no file; choose another",
                       file->path);
    int fd = openat(file->folder_fd, file->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t size = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
    int number = errno;
    if (fd >= 0)
        close(fd);
    if (size < 0)
        return err_set_errno(err, ERR_USAGE, number, "--metrics-file %s is there and unreadable",
                             file->path);
    if (strcmp(line, METRICS_TEXT_MARKER) == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "--metrics-file %s is there, and no run of loadline wrote it, so it is not "
                   "replaced; choose another name, or remove it",
                   file->path);
}

/* A file of the same name would take the result's place. */
static int check_result(const struct metrics_file *file, const char *result, struct err *err)
{
    char *folder, *name;
    struct stat a, b;
    if (result == NULL)
        return 0;
    split(result, &folder, &name);
    bool same = strcmp(name, file->name) == 0 && stat(folder, &a) == 0 &&
                fstat(file->folder_fd, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    free(folder);
    free(name);
    return same ? err_set(err, ERR_USAGE, "-o and --metrics-file name one file, %s; change one",
                          file->path)
                : 0;
}

/* ---- writing ---- */

/* A new file beside it, of a name that no collector reads.  -1: errno. */
static int open_temporary(struct metrics_file *file, char *name)
{
    for (int i = 0; i < NAMES_TRIED; i++) {
        snprintf(name, TEMPORARY_NAME, ".loadline-metrics-%ld-%u", (long)getpid(), file->serial++);
        int fd = openat(file->folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static int write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            data += written;
            size -= (size_t)written;
        }
    }
    return 0;
}

/* -1: errno. */
static int replace(struct metrics_file *file)
{
    char name[TEMPORARY_NAME];
    int fd = open_temporary(file, name);
    if (fd < 0)
        return -1;
    int failed = write_all(fd, file->text.data, file->text.size);
    int number = errno;
    if (close(fd) != 0 && failed == 0) {
        failed = -1;
        number = errno;
    }
    if (failed == 0 && renameat(file->folder_fd, name, file->folder_fd, file->name) == 0)
        return 0;
    if (failed == 0)
        number = errno;
    unlinkat(file->folder_fd, name, 0);
    errno = number;
    return -1;
}

static void warn(const struct metrics_file *file, const char *text)
{
    if (file->inner->note != NULL)
        file->inner->note(file->inner->ctx, "warning", text);
}

static void write_now(struct metrics_file *file, enum metrics_end end)
{
    file->text.size = 0;
    metrics_text_add(&file->text, &file->run, &file->now, &file->totals, end);
    file->written_ns = clock_now_ns();
    if (replace(file) == 0 || file->warned_of_writing)
        return;
    struct err why;
    err_set_errno(&why, ERR_FAILED, errno, "%s cannot be written, and the run goes on without",
                  file->path);
    file->warned_of_writing = true;
    warn(file, why.text);
}

/* ---- what the run shows ---- */

static bool lies_on(const struct stack *place, const struct device_set *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        for (size_t k = 0; k < devices->devices[i].leaf_count; k++)
            for (size_t m = 0; m < place->leaf_count; m++)
                if (strcmp(devices->names[devices->devices[i].leaves[k]], place->leaves[m]) == 0)
                    return true;
    return false;
}

/* Its writes are among those that are measured. */
static void see_place(struct metrics_file *file, const struct device_set *devices)
{
    struct err text;
    bool seen = file->seen == devices;
    file->seen = devices;
    if (seen || file->warned_of_place || !lies_on(file->place, devices))
        return;
    err_set(&text, ERR_FAILED,
            "--metrics-file %s lies on a drive under test: what is written there at every interval "
            "is measured too; in a folder in memory, as /run, it costs the drive nothing",
            file->path);
    file->warned_of_place = true;
    warn(file, text.text);
}

static void on_sample(void *ctx, const struct run_sight *sight)
{
    struct metrics_file *file = ctx;
    if (file->inner->sample != NULL)
        file->inner->sample(file->inner->ctx, sight);
    see_place(file, sight->devices);
    metrics_totals_add(&file->totals, sight);
    if (sight->sample->mark != SAMPLE_TICK || clock_now_ns() - file->written_ns >= GAP_NS)
        write_now(file, METRICS_RUNNING);
}

static void on_progress(void *ctx, const struct run_progress *now)
{
    struct metrics_file *file = ctx;
    bool changed = !file->begun || file->now.trial != now->trial || file->now.phase != now->phase;
    if (file->inner->progress != NULL)
        file->inner->progress(file->inner->ctx, now);
    file->now = *now; /* but that the run's own texts end with it */
    snprintf(file->run_id, sizeof file->run_id, "%s", now->run_id != NULL ? now->run_id : "");
    file->now.run_id = file->run_id;
    file->begun = true;
    if (changed)
        write_now(file, METRICS_RUNNING);
}

static void on_note(void *ctx, const char *kind, const char *text)
{
    const struct metrics_file *file = ctx;
    if (file->inner->note != NULL)
        file->inner->note(file->inner->ctx, kind, text);
}

int metrics_file_open(struct metrics_file *file, const char *path, const char *result,
                      const struct metrics_run *run, const struct run_watch *inner, struct err *err)
{
    char name[TEMPORARY_NAME];
    *file = (struct metrics_file){
        .watch = {.ctx = file, .progress = on_progress, .sample = on_sample, .note = on_note},
        .inner = inner,
        .run = *run,
        .path = path,
        .folder_fd = -1};
    metrics_totals_init(&file->totals);
    file->place = calloc(1, sizeof *file->place);
    if (file->place == NULL)
        abort();
    if (metrics_file_check_name(path, err) != 0 || find_place(file, err) != 0 ||
        check_existing(file, err) != 0 || check_result(file, result, err) != 0)
        return -1;
    int fd = open_temporary(file, name);
    if (fd < 0)
        return err_set_errno(err, ERR_USAGE, errno,
                             "--metrics-file %s: the folder %s must be writable", path,
                             file->folder);
    close(fd);
    unlinkat(file->folder_fd, name, 0);
    struct err ignored; /* where it lies is for a warning only */
    stack_resolve("", file->folder, file->place, &ignored);
    return 0;
}

void metrics_file_end(struct metrics_file *file, enum metrics_end end)
{
    if (file->begun)
        write_now(file, end);
}

void metrics_file_release(struct metrics_file *file)
{
    if (file->folder_fd >= 0)
        close(file->folder_fd);
    metrics_totals_release(&file->totals);
    text_release(&file->text);
    free(file->place);
    free(file->folder);
    free(file->name);
}
