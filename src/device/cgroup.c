#include "device/cgroup.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "device/mountinfo.h"

enum { TEXT_LIMIT = 4 << 20, MOUNTINFO_LIMIT = 64 << 20 };

static char *read_text(char *path, size_t limit)
{
    char *text = NULL;
    size_t size;
    struct err ignored;
    if (fs_read(path, limit, &text, &size, &ignored) != 0)
        text = NULL;
    free(path);
    return text;
}

char *cgroup_read(const char *directory, const char *file)
{
    return read_text(fs_path("%s/%s", directory, file), TEXT_LIMIT);
}

static bool has_word(const char *list, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list, *end = list + size; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        if ((size_t)(stop - at) == length && memcmp(at, word, length) == 0)
            return true;
        at = stop + 1;
    }
    return false;
}

/* The path in /proc/self/cgroup, "ID:CONTROLLERS:PATH"; heap. */
static char *find_path(const char *text, enum cgroup_version *version)
{
    const char *found = NULL;
    *version = CGROUP_NONE;
    for (const char *line = text; *line != 0; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t size = strcspn(line, "\n");
        const char *first = memchr(line, ':', size);
        const char *second =
            first ? memchr(first + 1, ':', size - (size_t)(first + 1 - line)) : NULL;
        if (second == NULL)
            continue;
        if (has_word(first + 1, (size_t)(second - first - 1), "blkio")) {
            *version = CGROUP_V1;
            found = second + 1;
            break;
        }
        if (strncmp(line, "0::", 3) == 0) {
            *version = CGROUP_V2;
            found = second + 1;
        }
    }
    return found ? fs_path("%.*s", (int)strcspn(found, "\n"), found) : NULL;
}

/* `path` as seen from `top`, without a slash at its end; NULL: not below it. */
static const char *below(const char *path, const char *top)
{
    size_t size = strcmp(top, "/") == 0 ? 0 : strlen(top);
    if (strncmp(path, top, size) != 0 || (path[size] != '/' && path[size] != 0))
        return NULL;
    return strcmp(path + size, "/") == 0 ? "" : path + size;
}

static bool is_hierarchy(const struct mount *mount, enum cgroup_version version)
{
    if (version == CGROUP_V2)
        return strcmp(mount->kind, "cgroup2") == 0;
    return strcmp(mount->kind, "cgroup") == 0 &&
           has_word(mount->super_options, strlen(mount->super_options), "blkio");
}

static bool exists(const char *directory, const char *file)
{
    char *path = fs_path("%s/%s", directory, file);
    bool is_there = access(path, F_OK) == 0;
    free(path);
    return is_there;
}

/* Only the root of a hierarchy has a release agent (version 1), and only there is no type
 * (version 2). */
static bool is_root(const struct mount *mount, const char *directory, enum cgroup_version version)
{
    return strcmp(mount->root, "/") == 0 &&
           (version == CGROUP_V1 ? exists(directory, "release_agent")
                                 : !exists(directory, "cgroup.type"));
}

static bool take_mount(struct cgroup *cgroup, const char *root, const struct mount *mount,
                       const char *path, enum cgroup_version version)
{
    /* "/../x": the process lies outside of its own namespace. */
    const char *rest = strncmp(path, "/..", 3) == 0 ? NULL : below(path, mount->root);
    if (rest == NULL || !is_hierarchy(mount, version))
        return false;
    char *top = fs_path("%s%s", root, mount->point);
    char *own = fs_path("%s%s", top, rest);
    if (!exists(own, "cgroup.procs")) {
        free(top);
        free(own);
        return false;
    }
    *cgroup = (struct cgroup){.version = version,
                              .top = top,
                              .own = own,
                              .at_top = rest[0] == 0,
                              .whole = is_root(mount, top, version)};
    return true;
}

void cgroup_find(const char *root, struct cgroup *cgroup)
{
    struct mount_table table = {.mounts = NULL};
    struct err ignored;
    enum cgroup_version version;
    *cgroup = (struct cgroup){.version = CGROUP_NONE};
    char *text = read_text(fs_path("%s/proc/self/cgroup", root), TEXT_LIMIT);
    char *mounts = read_text(fs_path("%s/proc/self/mountinfo", root), MOUNTINFO_LIMIT);
    char *path = text ? find_path(text, &version) : NULL;
    if (path != NULL && mounts != NULL &&
        mount_table_parse(mounts, strlen(mounts), &table, &ignored) == 0) {
        for (size_t i = 0; i < table.count; i++)
            if (take_mount(cgroup, root, &table.mounts[i], path, version))
                break;
        mount_table_release(&table);
    }
    free(path);
    free(mounts);
    free(text);
}

void cgroup_release(struct cgroup *cgroup)
{
    free(cgroup->top);
    free(cgroup->own);
    *cgroup = (struct cgroup){.version = CGROUP_NONE};
}

/* ---- numbers ---- */

/* The blank-separated word at *at, which moves behind it. */
static size_t next_word(const char **at, const char **word)
{
    *at += strspn(*at, " \t");
    *word = *at;
    size_t size = strcspn(*at, " \t\n");
    *at += size;
    return size;
}

static bool is_device(const char *word, size_t size)
{
    size_t digits = strspn(word, "0123456789");
    return digits > 0 && digits < size && word[digits] == ':' &&
           strspn(word + digits + 1, "0123456789") == size - digits - 1 && size - digits > 1;
}

/* Digits alone: "max" is no number. */
static double number(const char *word, size_t size)
{
    double value = 0;
    for (size_t i = 0; i < size; i++) {
        if (!isdigit((unsigned char)word[i]))
            return NAN;
        value = value * 10 + (word[i] - '0');
    }
    return size > 0 ? value : NAN;
}

/* Of one line; some kernels print the names of devices without numbers in front of the next. */
static double line_number(const char *line, const char *device, const char *key)
{
    const char *word;
    size_t size, length = strlen(key);
    bool ours = false, keyed = length == 0;
    while ((size = next_word(&line, &word)) > 0) {
        if (is_device(word, size)) {
            ours = size == strlen(device) && memcmp(word, device, size) == 0;
            continue;
        }
        if (!ours)
            continue;
        if (keyed)
            return number(word, size);
        if (size == length && memcmp(word, key, length) == 0)
            keyed = true;
        else if (size > length && memcmp(word, key, length) == 0 && word[length] == '=')
            return number(word + length + 1, size - length - 1);
    }
    return NAN;
}

double cgroup_number(const char *text, unsigned major, unsigned minor, const char *key)
{
    char device[32];
    snprintf(device, sizeof device, "%u:%u", major, minor);
    for (const char *line = text; *line != 0; line += strcspn(line, "\n"), line += *line == '\n') {
        double value = line_number(line, device, key);
        if (!isnan(value))
            return value;
    }
    return NAN;
}
