#include "device/stack_btrfs.h"

#include <fcntl.h>
#include <linux/btrfs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "device/sysfs.h"

/* 8-4-4-4-12 digits, as the folders in /sys/fs/btrfs are called. */
static void write_uuid(const unsigned char id[BTRFS_FSID_SIZE], char out[40])
{
    size_t used = 0;
    for (int i = 0; i < BTRFS_FSID_SIZE; i++) {
        bool dash = i == 4 || i == 6 || i == 8 || i == 10;
        used += (size_t)snprintf(out + used, 40 - used, "%s%02x", dash ? "-" : "", id[i]);
    }
}

/* The kernel's own answer.  False: it gives none. */
static bool ask_uuid(const char *path, char uuid[40])
{
    struct stat status;
    struct btrfs_ioctl_fs_info_args info;
    memset(&info, 0, sizeof info);
    if (stat(path, &status) != 0 || !(S_ISDIR(status.st_mode) || S_ISREG(status.st_mode)))
        return false;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool told = ioctl(fd, BTRFS_IOC_FS_INFO, &info) == 0;
    close(fd);
    if (told)
        write_uuid(info.fsid, uuid);
    return told;
}

/* devinfo is there from Linux 5.6 on. */
static bool is_missing(const char *root, const char *uuid)
{
    char *list = fs_path("%s/sys/fs/btrfs/%s/devinfo", root, uuid), **ids;
    size_t count = sysfs_list(list, &ids);
    bool missing = false;
    for (size_t i = 0; i < count; i++) {
        char *directory = fs_path("%s/%s", list, ids[i]);
        missing |= sysfs_number(directory, "missing") == 1;
        free(directory);
    }
    sysfs_list_free(ids, count);
    free(list);
    return missing;
}

static size_t read_members(const char *root, const char *uuid, char ***members, bool *missing)
{
    char *list = fs_path("%s/sys/fs/btrfs/%s/devices", root, uuid), **names;
    size_t count = sysfs_list(list, &names), found = 0;
    *members = calloc(count + 1, sizeof **members);
    if (*members == NULL)
        abort();
    *missing = is_missing(root, uuid);
    for (size_t i = 0; i < count; i++) {
        char *link = fs_path("%s/%s", list, names[i]);
        char *member = sysfs_real(root, link);
        if (member != NULL)
            (*members)[found++] = member;
        else
            *missing = true;
        free(link);
    }
    sysfs_list_free(names, count);
    free(list);
    return found;
}

static bool holds(char **members, size_t count, const char *source)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(members[i], source) == 0)
            return true;
    return false;
}

static size_t search_members(const char *root, const char *source, char ***members, bool *missing)
{
    char *list = fs_path("%s/sys/fs/btrfs", root), **uuids;
    size_t count = sysfs_list(list, &uuids), found = 0;
    for (size_t i = 0; found == 0 && i < count; i++) {
        found = read_members(root, uuids[i], members, missing);
        if (holds(*members, found, source))
            continue;
        sysfs_list_free(*members, found);
        *members = NULL;
        *missing = false;
        found = 0;
    }
    sysfs_list_free(uuids, count);
    free(list);
    return found;
}

size_t stack_btrfs(const char *root, const char *path, const char *source, char ***members,
                   bool *missing)
{
    char uuid[40];
    *members = NULL;
    *missing = false;
    if (root[0] == 0 && path != NULL && ask_uuid(path, uuid)) {
        size_t count = read_members(root, uuid, members, missing);
        if (count > 0)
            return count;
        free(*members);
        *members = NULL;
        *missing = false;
    }
    return source ? search_members(root, source, members, missing) : 0;
}
