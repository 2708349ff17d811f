#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>

#include "base/fs.h"

enum storage { STORAGE_DISK, STORAGE_MEMORY, STORAGE_NETWORK };

/* Magic numbers: include/uapi/linux/magic.h and the file systems' own sources. */
static const struct kind {
    uint32_t magic;
    const char *name;
    enum storage storage;
} kinds[] = {
    {0x0000EF53, "ext4", STORAGE_DISK},        {0x58465342, "xfs", STORAGE_DISK},
    {0x9123683E, "btrfs", STORAGE_DISK},       {0x2FC12FC1, "zfs", STORAGE_DISK},
    {0xCA451A4E, "bcachefs", STORAGE_DISK},    {0xF2F52010, "f2fs", STORAGE_DISK},
    {0x3153464A, "jfs", STORAGE_DISK},         {0x52654973, "reiserfs", STORAGE_DISK},
    {0x00003434, "nilfs2", STORAGE_DISK},      {0x00004D44, "vfat", STORAGE_DISK},
    {0x2011BAB0, "exfat", STORAGE_DISK},       {0x5346544E, "ntfs", STORAGE_DISK},
    {0x7366746E, "ntfs3", STORAGE_DISK},       {0x0000482B, "hfsplus", STORAGE_DISK},
    {0x15013346, "udf", STORAGE_DISK},         {0x00009660, "iso9660", STORAGE_DISK},
    {0x73717368, "squashfs", STORAGE_DISK},    {0x794C7630, "overlay", STORAGE_DISK},
    {0x0000F15F, "ecryptfs", STORAGE_DISK},    {0x65735546, "fuse", STORAGE_DISK},
    {0x01161970, "gfs2", STORAGE_DISK},        {0x7461636F, "ocfs2", STORAGE_DISK},
    {0x01021994, "tmpfs", STORAGE_MEMORY},     {0x858458F6, "ramfs", STORAGE_MEMORY},
    {0x958458F6, "hugetlbfs", STORAGE_MEMORY}, {0x00009FA0, "proc", STORAGE_MEMORY},
    {0x62656572, "sysfs", STORAGE_MEMORY},     {0x64626720, "debugfs", STORAGE_MEMORY},
    {0x74726163, "tracefs", STORAGE_MEMORY},   {0x00001CD1, "devpts", STORAGE_MEMORY},
    {0x0027E0EB, "cgroup", STORAGE_MEMORY},    {0x63677270, "cgroup2", STORAGE_MEMORY},
    {0x00006969, "nfs", STORAGE_NETWORK},      {0xFF534D42, "cifs", STORAGE_NETWORK},
    {0xFE534D42, "smb2", STORAGE_NETWORK},     {0x0000517B, "smb", STORAGE_NETWORK},
    {0x00C36400, "ceph", STORAGE_NETWORK},     {0x01021997, "9p", STORAGE_NETWORK},
    {0x5346414F, "afs", STORAGE_NETWORK},      {0x73757245, "coda", STORAGE_NETWORK},
    {0x0BD00BD0, "lustre", STORAGE_NETWORK},   {0x47504653, "gpfs", STORAGE_NETWORK},
    {0x20030528, "orangefs", STORAGE_NETWORK},
};

int fs_kind(const char *path, char kind[32], struct err *err)
{
    struct statfs facts;
    if (statfs(path, &facts) != 0)
        return err_set_errno(err, ERR_FAILED, errno, "file system of %s", path);
    uint32_t magic = (uint32_t)facts.f_type;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].magic == magic) {
            snprintf(kind, 32, "%s", kinds[i].name);
            return 0;
        }
    snprintf(kind, 32, "0x%x", magic);
    return 0;
}

static bool kind_lies_in(const char *kind, enum storage storage)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].storage == storage;
    return false;
}

bool fs_kind_is_memory(const char *kind)
{
    return kind_lies_in(kind, STORAGE_MEMORY);
}

bool fs_kind_is_network(const char *kind)
{
    return kind_lies_in(kind, STORAGE_NETWORK);
}
