#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "files.h"
#include "postgres/cluster_inner.h"

/* A socket's whole path may have 107 bytes, so it cannot lie with the data, nor in $TMPDIR. */
static const char *const bases[] = {"/tmp", "/var/tmp"};
enum { BASES = sizeof bases / sizeof *bases, NAME_LETTERS = 8, TRIES = 8, TREE_TRIES = 50 };
#define NAME_START "/loadline-"

static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";

static void make_name(const char *base, char out[64])
{
    unsigned char noise[NAME_LETTERS];
    char name[NAME_LETTERS + 1];
    if (getrandom(noise, sizeof noise, 0) != (ssize_t)sizeof noise)
        memset(noise, (int)(clock_now_ns() & 0xff), sizeof noise);
    for (int i = 0; i < NAME_LETTERS; i++)
        name[i] = letters[noise[i] % 32];
    name[NAME_LETTERS] = '\0';
    snprintf(out, 64, "%s" NAME_START "%s", base, name);
}

/* Could be of make_name(). */
static bool is_our_name(const char *path)
{
    for (int i = 0; i < BASES; i++) {
        size_t length = strlen(bases[i]);
        if (strncmp(path, bases[i], length) != 0 ||
            strncmp(path + length, NAME_START, strlen(NAME_START)) != 0)
            continue;
        const char *name = path + length + strlen(NAME_START);
        return strlen(name) == NAME_LETTERS && strspn(name, letters) == NAME_LETTERS;
    }
    return false;
}

static int write_all(int fd, const char *text)
{
    size_t size = strlen(text);
    while (size > 0) {
        ssize_t put = write(fd, text, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            errno = put < 0 ? errno : ENOSPC;
            return -1;
        }
        text += put;
        size -= (size_t)put;
    }
    return 0;
}

static enum op_status write_note(const struct postgres_cluster *cluster, int fd, const char *socket,
                                 struct op_error *why)
{
    char *text = fs_path("%s\n%s%s", socket, cluster->wal != NULL ? cluster->wal : "",
                         cluster->wal != NULL ? "\n" : "");
    bool written = ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 && write_all(fd, text) == 0;
    free(text);
    return written ? OP_OK : files_fail(why, "write", cluster->note);
}

enum op_status postgres_files_make_socket(struct postgres_cluster *cluster, struct op_error *why)
{
    enum op_status status = OP_FATAL;
    int fd = open(cluster->note, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        return op_fail(why, OP_FATAL, EEXIST,
                       "%s is there already: it is not this trial's, so it is left alone",
                       cluster->note);
    if (fd < 0)
        return files_fail(why, "create", cluster->note);
    cluster->note_made = true;
    for (int i = 0; i < BASES * TRIES && cluster->socket == NULL; i++) {
        char path[64];
        bool made;
        make_name(bases[i / TRIES], path);
        status = write_note(cluster, fd, path, why);
        if (status == OP_OK)
            status = postgres_owner_reaches(&cluster->owner, bases[i / TRIES], why);
        if (status == OP_OK) {
            status = postgres_owner_mkdir(&cluster->owner, path, &made, why);
            if (made)
                cluster->socket = fs_path("%s", path);
        }
    }
    close(fd);
    return status;
}

void postgres_files_read_note(const char *note, char **socket, char **wal)
{
    char *lines[2] = {NULL, NULL};
    size_t room[2] = {0, 0};
    int fd = open(note, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    for (int i = 0; i < 2 && file != NULL; i++) {
        ssize_t size = getline(&lines[i], &room[i], file);
        if (size > 0 && lines[i][size - 1] == '\n')
            lines[i][size - 1] = '\0';
        if (size <= 1) {
            free(lines[i]);
            lines[i] = NULL;
        }
    }
    if (file != NULL)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    if (lines[0] != NULL && !is_our_name(lines[0])) {
        free(lines[0]);
        lines[0] = NULL;
    }
    *socket = lines[0];
    *wal = lines[1];
}

enum op_status postgres_files_remove_socket(const char *socket, uid_t owner, unsigned *removed,
                                            struct op_error *why)
{
    static const char *const names[] = {".s.PGSQL." POSTGRES_PORT,
                                        ".s.PGSQL." POSTGRES_PORT ".lock"};
    struct stat st;
    int fd = open(socket, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? OP_OK : files_fail(why, "open", socket);
    enum op_status status = OP_OK;
    if (fstat(fd, &st) != 0 || (st.st_uid != owner && st.st_uid != geteuid()) ||
        (st.st_mode & 077) != 0) {
        status = op_fail(why, OP_FATAL, 0,
                         "%s is not the folder that loadline made; it was left alone", socket);
    } else {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            unlinkat(fd, names[i], 0);
        if (rmdir(socket) != 0)
            status = files_fail(why, "rmdir", socket);
        else if (removed != NULL)
            ++*removed;
    }
    close(fd);
    return status;
}

static int remove_at(int parent, const char *name, dev_t device);

/* Empties the directory `fd` and closes it.  -1: errno. */
static int empty(int fd, dev_t device)
{
    DIR *dir = fdopendir(fd);
    int result = 0;
    if (dir == NULL) {
        int number = errno;
        close(fd);
        errno = number;
        return -1;
    }
    for (struct dirent *entry; result == 0 && (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            result = remove_at(fd, entry->d_name, device);
    int number = errno;
    closedir(dir);
    errno = number;
    return result;
}

/* What went away by itself is removed too. */
static int remove_at(int parent, const char *name, dev_t device)
{
    struct stat st;
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -1;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : -1;
    /* Another file system that somebody mounted there is not ours. */
    if (fstat(fd, &st) != 0 || st.st_dev != device) {
        close(fd);
        errno = EXDEV;
        return -1;
    }
    if (empty(fd, device) != 0)
        return -1;
    return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : -1;
}

enum op_status postgres_files_remove_tree(const char *path, unsigned *removed, struct op_error *why)
{
    struct stat st;
    int result = -1;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? OP_OK : files_fail(why, "stat", path);
    if (!S_ISDIR(st.st_mode))
        return op_fail(why, OP_FATAL, 0,
                       "%s is no directory, so loadline did not make it; it was left alone", path);
    /* A process of initdb's or the server's that is about to end may make a file meanwhile. */
    for (int i = 0; i < TREE_TRIES && result != 0; i++) {
        result = remove_at(AT_FDCWD, path, st.st_dev);
        if (result != 0 && errno != ENOTEMPTY)
            break;
        if (result != 0)
            clock_sleep_until(clock_now_ns() + 10 * NS_PER_MS);
    }
    if (result != 0)
        return files_fail(why, "removal", path);
    if (removed != NULL)
        ++*removed;
    return OP_OK;
}

/* Opens for writing at its end a regular file in the directory of somebody whom we need not trust.
 */
static int open_in(int directory, const char *name, int flags)
{
    struct stat st;
    int fd = openat(directory, name,
                    O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0600);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1)) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

enum op_status postgres_files_write_conf(const struct postgres_cluster *cluster, const char *text,
                                         struct op_error *why)
{
    enum op_status status = OP_OK;
    const struct postgres_owner *owner = &cluster->owner;
    int main_file = -1, ours = -1;
    int directory = open(cluster->data, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory >= 0) {
        main_file = open_in(directory, "postgresql.conf", 0);
        ours = open_in(directory, "loadline.conf", O_CREAT | O_EXCL);
    }
    if (main_file < 0 || ours < 0 || (owner->other && fchown(ours, owner->uid, owner->gid) != 0) ||
        write_all(ours, text) != 0 || write_all(main_file, "\ninclude 'loadline.conf'\n") != 0)
        status = files_fail(why, "writing the configuration", cluster->data);
    if (ours >= 0)
        close(ours);
    if (main_file >= 0)
        close(main_file);
    if (directory >= 0)
        close(directory);
    return status;
}
