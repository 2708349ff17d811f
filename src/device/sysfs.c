#include "device/sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/parse.h"

enum { LIMIT = 64 * 1024 };

bool sysfs_text(const char *directory, const char *file, char *text, size_t capacity)
{
    char *path = fs_path("%s/%s", directory, file), *whole = NULL;
    size_t size;
    struct err ignored;
    text[0] = 0;
    if (fs_read(path, LIMIT, &whole, &size, &ignored) == 0) {
        char *start = whole;
        while (isspace((unsigned char)*start))
            start++;
        size_t length = strcspn(start, "\n");
        while (length > 0 && isspace((unsigned char)start[length - 1]))
            length--;
        if (length >= capacity)
            length = capacity - 1;
        memcpy(text, start, length);
        text[length] = 0;
    }
    free(whole);
    free(path);
    return text[0] != 0;
}

int64_t sysfs_number(const char *directory, const char *file)
{
    char text[32];
    int64_t value;
    struct err ignored;
    if (!sysfs_text(directory, file, text, sizeof text) ||
        parse_integer(text, &value, &ignored) != 0)
        return -1;
    return value;
}

bool sysfs_exists(const char *directory, const char *file)
{
    char *path = fs_path("%s/%s", directory, file);
    bool exists = access(path, F_OK) == 0;
    free(path);
    return exists;
}

char *sysfs_real(const char *root, const char *path)
{
    char *real = realpath(path, NULL);
    if (real == NULL || root[0] == 0)
        return real;
    /* A link of a saved tree may lead out of it, to this machine's own devices. */
    char *top = realpath(root, NULL);
    size_t size = top ? strlen(top) : 0;
    if (top == NULL || strncmp(real, top, size) != 0 || real[size] != '/') {
        free(real);
        real = NULL;
    }
    free(top);
    return real;
}

static char *real_and_free(const char *root, char *path)
{
    char *real = sysfs_real(root, path);
    free(path);
    return real;
}

static int is_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

size_t sysfs_list(const char *directory, char ***names)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_entry, by_name);
    size_t used = 0;
    *names = calloc(count > 0 ? (size_t)count : 1, sizeof **names);
    if (*names == NULL)
        abort();
    for (int i = 0; i < count; i++) {
        (*names)[used++] = fs_path("%s", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return used;
}

void sysfs_list_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static void swap_letters(char *text, char from, char to)
{
    for (char *c = text; *c != 0; c++)
        if (*c == from)
            *c = to;
}

/* Other folders below a disk may have numbers too, those of its character device. */
static bool is_partition(const char *directory)
{
    return sysfs_exists(directory, "start") || sysfs_exists(directory, "partition") ||
           sysfs_exists(directory, "size");
}

/* The partition `file` below its disk, where disks lie in /sys/block themselves. */
static char *search_partition(const char *root, const char *file)
{
    char *list = fs_path("%s/sys/block", root), *found = NULL, **disks;
    size_t count = sysfs_list(list, &disks);
    for (size_t i = 0; found == NULL && i < count; i++) {
        char *directory = fs_path("%s/%s/%s", list, disks[i], file);
        if (sysfs_exists(directory, "dev") && is_partition(directory))
            found = sysfs_real(root, directory);
        free(directory);
    }
    sysfs_list_free(disks, count);
    free(list);
    return found;
}

char *sysfs_block(const char *root, const char *name)
{
    if (name[0] == 0 || name[0] == '.')
        return NULL;
    char *file = fs_path("%s", name);
    swap_letters(file, '/', '!');
    char *directory = real_and_free(root, fs_path("%s/sys/class/block/%s", root, file));
    if (directory == NULL)
        directory = real_and_free(root, fs_path("%s/sys/block/%s", root, file));
    if (directory == NULL)
        directory = search_partition(root, file);
    free(file);
    return directory;
}

enum levels { ONE_LEVEL, DISKS_AND_PARTITIONS, INSIDE_DISK };

/* The device with this number in a directory of devices. */
static char *search_number(const char *root, const char *list, const char *number,
                           enum levels levels)
{
    char *found = NULL, **names;
    size_t count = sysfs_list(list, &names);
    for (size_t i = 0; found == NULL && i < count; i++) {
        char *directory = fs_path("%s/%s", list, names[i]), own[32];
        if (sysfs_text(directory, "dev", own, sizeof own)) {
            if (strcmp(own, number) == 0 && (levels != INSIDE_DISK || is_partition(directory)))
                found = sysfs_real(root, directory);
            else if (levels == DISKS_AND_PARTITIONS)
                found = search_number(root, directory, number, INSIDE_DISK);
        }
        free(directory);
    }
    sysfs_list_free(names, count);
    return found;
}

char *sysfs_block_number(const char *root, unsigned major, unsigned minor)
{
    char number[32];
    snprintf(number, sizeof number, "%u:%u", major, minor);
    char *list = fs_path("%s/sys/dev/block", root), *class = fs_path("%s/sys/class/block", root);
    char *disks = fs_path("%s/sys/block", root);
    char *found = real_and_free(root, fs_path("%s/%s", list, number));
    if (found == NULL)
        found = search_number(root, class, number, ONE_LEVEL);
    if (found == NULL)
        found = search_number(root, disks, number, DISKS_AND_PARTITIONS);
    free(disks);
    free(class);
    free(list);
    return found;
}

char *sysfs_attached(const char *root, const char *directory)
{
    static const char disks[] = "/sys/block/";
    const char *at = strstr(directory, disks);
    if (at == NULL || strchr(at + sizeof disks - 1, '/') != NULL)
        return fs_path("%s", directory);
    return real_and_free(root, fs_path("%s/device", directory));
}

bool sysfs_name(const char *directory, char *name, size_t capacity)
{
    const char *slash = strrchr(directory, '/');
    const char *base = slash ? slash + 1 : directory;
    if (strlen(base) >= capacity)
        return false;
    memcpy(name, base, strlen(base) + 1);
    swap_letters(name, '!', '/');
    return true;
}
