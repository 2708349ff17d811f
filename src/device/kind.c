#include "device/kind.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "device/sysfs.h"

struct word {
    const char *begins, *kind;
};

/* The first match counts. */
static const char *look_up(const struct word *words, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(text, words[i].begins, strlen(words[i].begins)) == 0)
            return words[i].kind;
    return NULL;
}

/* The owner of a mapped device writes its own name in front of the uuid. */
static void mapper_kind(const char *uuid, char kind[KIND_SIZE])
{
    static const struct word owners[] = {
        {"LVM-", "lvm"},
        {"CRYPT-VERITY-", "verity"},
        {"CRYPT-INTEGRITY-", "integrity"},
        {"CRYPT-", "crypt"},
        {"mpath-", "multipath"},
        {"part", "partition"},
        {"DMRAID-", "dmraid"},
        {"VDO-", "vdo"},
        {"stratis-", "stratis"},
    };
    const char *known = look_up(owners, sizeof owners / sizeof *owners, uuid);
    snprintf(kind, KIND_SIZE, "%s", known ? known : "mapper");
    size_t size = strcspn(uuid, "-");
    if (known != NULL || uuid[size] == 0 || size == 0 || size >= KIND_SIZE)
        return;
    for (size_t i = 0; i < size; i++)
        kind[i] = (char)tolower((unsigned char)uuid[i]);
    kind[size] = 0;
}

static const char *kind_by_name(const char *name)
{
    static const struct word names[] = {
        {"dm-", "mapper"},   {"loop", "loop"}, {"bcache", "bcache"}, {"zram", "zram"},
        {"ram", "ram"},      {"nbd", "nbd"},   {"rbd", "rbd"},       {"drbd", "drbd"},
        {"sr", "rom"},       {"zd", "zvol"},   {"md", "raid"},       {"mtdblock", "mtd"},
        {"ubiblock", "ubi"},
    };
    const char *known = look_up(names, sizeof names / sizeof *names, name);
    return known ? known : "disk";
}

bool kind_is_partition(const char *directory)
{
    if (sysfs_exists(directory, "partition"))
        return true;
    /* Kernels before 2.6.28 tell by what a partition lacks. */
    return sysfs_exists(directory, "start") && !sysfs_exists(directory, "queue") &&
           sysfs_exists(directory, "../dev");
}

void kind_read(const char *directory, char kind[KIND_SIZE])
{
    char text[256], name[64];
    if (kind_is_partition(directory))
        snprintf(kind, KIND_SIZE, "partition");
    else if (sysfs_text(directory, "dm/uuid", text, sizeof text))
        mapper_kind(text, kind);
    else if (sysfs_exists(directory, "dm"))
        snprintf(kind, KIND_SIZE, "mapper");
    else if (sysfs_text(directory, "md/level", text, sizeof text) && strlen(text) < KIND_SIZE)
        memcpy(kind, text, strlen(text) + 1);
    else if (sysfs_name(directory, name, sizeof name))
        snprintf(kind, KIND_SIZE, "%s", kind_by_name(name));
    else
        snprintf(kind, KIND_SIZE, "disk");
}

bool kind_mapper_name(const char *directory, char *name, size_t capacity)
{
    return sysfs_text(directory, "dm/name", name, capacity);
}

bool kind_backing_file(const char *directory, char *path, size_t capacity)
{
    return sysfs_text(directory, "loop/backing_file", path, capacity);
}
