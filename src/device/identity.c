#include "device/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/diskstats.h"
#include "device/identity_link.h"
#include "device/stack_paths.h"
#include "device/sysfs.h"

static int small_number(const char *directory, const char *file)
{
    int64_t value = sysfs_number(directory, file);
    return value >= 0 && value <= INT32_MAX ? (int)value : -1;
}

/* "[none] mq-deadline" -> "none"; without brackets the file names the only one. */
static void read_scheduler(const char *directory, char *scheduler, size_t capacity)
{
    char text[256];
    if (!sysfs_text(directory, "queue/scheduler", text, sizeof text))
        return;
    const char *start = strchr(text, '['), *active = start ? start + 1 : text;
    size_t size = strcspn(active, start ? "]" : " ");
    if (size < capacity) {
        memcpy(scheduler, active, size);
        scheduler[size] = 0;
    }
}

static void read_queue(const char *directory, struct identity *identity)
{
    read_scheduler(directory, identity->scheduler, sizeof identity->scheduler);
    sysfs_text(directory, "queue/write_cache", identity->write_cache, sizeof identity->write_cache);
    int64_t rotational = sysfs_number(directory, "queue/rotational");
    identity->rotational = rotational == 0 || rotational == 1 ? (int)rotational : -1;
    identity->logical_block_bytes = small_number(directory, "queue/logical_block_size");
    identity->physical_block_bytes = small_number(directory, "queue/physical_block_size");
}

/* The head of an NVMe multipath passes requests on: it has no scheduler, and older kernels do not
 * give it the drive's write cache. */
static void read_path(const char *root, struct identity *identity)
{
    char **paths, cache[sizeof identity->write_cache], scheduler[sizeof identity->scheduler];
    size_t count = stack_paths(root, identity->name, &paths);
    char *directory = count > 0 ? sysfs_block(root, paths[0]) : NULL;
    stack_paths_free(paths, count);
    if (directory == NULL)
        return;
    if (sysfs_text(directory, "queue/write_cache", cache, sizeof cache))
        memcpy(identity->write_cache, cache, sizeof cache);
    scheduler[0] = 0;
    read_scheduler(directory, scheduler, sizeof scheduler);
    if (scheduler[0] != 0)
        memcpy(identity->scheduler, scheduler, sizeof scheduler);
    identity_link_read(root, directory, identity);
    free(directory);
}

void identity_read(const char *root, const char *name, struct identity *identity)
{
    *identity = (struct identity){
        .rotational = -1, .size_bytes = -1, .logical_block_bytes = -1, .physical_block_bytes = -1};
    snprintf(identity->name, sizeof identity->name, "%s", name);
    char *directory = sysfs_block(root, name);
    if (directory == NULL)
        return;
    if (!sysfs_text(directory, "device/model", identity->model, sizeof identity->model))
        sysfs_text(directory, "device/name", identity->model, sizeof identity->model); /* MMC */
    if (!sysfs_text(directory, "device/firmware_rev", identity->firmware,
                    sizeof identity->firmware))
        sysfs_text(directory, "device/rev", identity->firmware, sizeof identity->firmware);
    read_queue(directory, identity);
    int64_t sectors = sysfs_number(directory, "size");
    if (sectors >= 0 && sectors <= INT64_MAX / DISK_SECTOR_BYTES)
        identity->size_bytes = sectors * DISK_SECTOR_BYTES;
    identity_link_read(root, directory, identity);
    read_path(root, identity);
    free(directory);
}
