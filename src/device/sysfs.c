#include "device/sysfs.h"

#include <ctype.h>
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

static char *real_and_free(char *path)
{
    char *real = realpath(path, NULL);
    free(path);
    return real;
}

static void swap_letters(char *text, char from, char to)
{
    for (char *c = text; *c != 0; c++)
        if (*c == from)
            *c = to;
}

char *sysfs_block(const char *root, const char *name)
{
    if (name[0] == 0 || name[0] == '.')
        return NULL;
    char *file = fs_path("%s", name);
    swap_letters(file, '/', '!');
    char *directory = real_and_free(fs_path("%s/sys/class/block/%s", root, file));
    if (directory == NULL)
        directory = real_and_free(fs_path("%s/sys/block/%s", root, file));
    free(file);
    return directory;
}

char *sysfs_block_number(const char *root, unsigned major, unsigned minor)
{
    return real_and_free(fs_path("%s/sys/dev/block/%u:%u", root, major, minor));
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
