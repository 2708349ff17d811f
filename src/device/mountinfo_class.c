#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "device/mountinfo.h"

const char *const mount_class_names[] = {
    [MOUNT_BLOCK] = "block",     [MOUNT_ANONYMOUS_BLOCK] = "anonymous-block",
    [MOUNT_OVERLAY] = "overlay", [MOUNT_NETWORK] = "network",
    [MOUNT_ZFS] = "zfs",         [MOUNT_FUSE] = "fuse",
    [MOUNT_VIRTUAL] = "virtual",
};

static const struct {
    const char *kind;
    enum mount_class class;
} kinds[] = {
    {"zfs", MOUNT_ZFS},          {"overlay", MOUNT_OVERLAY}, {"overlayfs", MOUNT_OVERLAY},
    {"aufs", MOUNT_OVERLAY},     {"unionfs", MOUNT_OVERLAY}, {"nfs", MOUNT_NETWORK},
    {"nfs4", MOUNT_NETWORK},     {"cifs", MOUNT_NETWORK},    {"smb3", MOUNT_NETWORK},
    {"smbfs", MOUNT_NETWORK},    {"ceph", MOUNT_NETWORK},    {"9p", MOUNT_NETWORK},
    {"virtiofs", MOUNT_NETWORK}, /* the host of a virtual machine */
    {"vboxsf", MOUNT_NETWORK},   {"prl_fs", MOUNT_NETWORK},  {"vmhgfs", MOUNT_NETWORK},
    {"afs", MOUNT_NETWORK},      {"coda", MOUNT_NETWORK},    {"ncpfs", MOUNT_NETWORK},
    {"lustre", MOUNT_NETWORK},   {"gpfs", MOUNT_NETWORK},    {"beegfs", MOUNT_NETWORK},
    {"orangefs", MOUNT_NETWORK}, {"pvfs2", MOUNT_NETWORK},   {"glusterfs", MOUNT_NETWORK},
    {"davfs", MOUNT_NETWORK},
};

/* FUSE programs that fetch from another host: "fuse.NAME". */
static const char *const network_programs[] = {
    "sshfs",     "glusterfs", "ceph",     "ceph-fuse", "s3fs",        "rclone",
    "davfs2",    "davfs",     "gcsfuse",  "goofys",    "curlftpfs",   "cifs",
    "smbnetfs",  "nfs",       "juicefs",  "JuiceFS",   "moosefs",     "mfs",
    "seaweedfs", "lizardfs",  "blobfuse", "blobfuse2", "vmhgfs-fuse", "mount-s3",
};

static enum mount_class fuse_class(const char *program)
{
    for (size_t i = 0; i < sizeof network_programs / sizeof *network_programs; i++)
        if (strcmp(network_programs[i], program) == 0)
            return MOUNT_NETWORK;
    return MOUNT_FUSE;
}

/* In memory or of the kernel itself, whatever the source is called. */
static bool keeps_nothing(const char *kind)
{
    static const char *const list[] = {"tmpfs",   "ramfs",  "devtmpfs", "hugetlbfs",
                                       "devpts",  "proc",   "sysfs",    "cgroup",
                                       "cgroup2", "autofs", "nsfs",     "mqueue"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i], kind) == 0)
            return true;
    return false;
}

enum mount_class mount_class(const struct mount *mount)
{
    static const char fuse[] = "fuse.";
    if (mount->major != 0)
        return MOUNT_BLOCK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, mount->kind) == 0)
            return kinds[i].class;
    if (strncmp(mount->kind, fuse, sizeof fuse - 1) == 0)
        return fuse_class(mount->kind + sizeof fuse - 1);
    if (strcmp(mount->kind, "fuse") == 0 || strcmp(mount->kind, "fuseblk") == 0)
        return MOUNT_FUSE;
    if (strncmp(mount->source, "/dev/", 5) == 0 && !keeps_nothing(mount->kind))
        return MOUNT_ANONYMOUS_BLOCK;
    return MOUNT_VIRTUAL;
}

char *mount_option(const char *options, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = options; *at != 0; at += strcspn(at, ","), at += *at == ',') {
        if (strncmp(at, name, size) != 0 || at[size] != '=')
            continue;
        const char *value = at + size + 1;
        char *copy = strndup(value, strcspn(value, ","));
        if (copy != NULL)
            mountinfo_unescape(copy);
        return copy;
    }
    return NULL;
}
