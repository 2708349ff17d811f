#include "driver/drive_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "device/privacy.h"
#include "device/smartctl.h"
#include "device/sysfs.h"

enum { DISKS_MAX = 64, DISKSTATS_LIMIT = 8 << 20, SECTOR_BYTES = 512 };

/* One whole disk, asked once for all devices that lie on it. */
struct disk {
    const char *name; /* in a stack of the run's sites */
    bool silent;      /* did not answer in time: not asked again */
    struct smart smart, before;
    char reason[SMARTCTL_REASON];
};

struct drive_watch {
    struct disk disks[DISKS_MAX];
    size_t disk_count;
    struct drive_reading readings[][DEVICE_SET_ROLES]; /* by site */
};

static struct disk *find_disk(struct drive_watch *watch, const char *name)
{
    for (size_t i = 0; i < watch->disk_count; i++)
        if (strcmp(watch->disks[i].name, name) == 0)
            return &watch->disks[i];
    return NULL;
}

static bool is_asked(const struct device *device)
{
    return strcmp(device->role, "data") == 0 || strcmp(device->role, "wal") == 0;
}

static void add_disks(struct drive_watch *watch, const struct device_set *devices)
{
    for (size_t d = 0; d < devices->count; d++) {
        const struct stack *stack = &devices->devices[d].stack;
        for (size_t i = 0; i < stack->leaf_count && is_asked(&devices->devices[d]); i++)
            if (watch->disk_count < DISKS_MAX && find_disk(watch, stack->leaves[i]) == NULL)
                watch->disks[watch->disk_count++] = (struct disk){.name = stack->leaves[i]};
    }
}

/* Made by the kernel alone.  The heads of NVMe multipath are drives all the same. */
static bool is_virtual(const char *name)
{
    char *directory = sysfs_block("", name);
    bool is = directory == NULL || (strstr(directory, "/devices/virtual/") != NULL &&
                                    strstr(directory, "/nvme-subsystem/") == NULL);
    free(directory);
    return is;
}

static void ask(struct disk *disk, bool asked, int64_t give_up_ns,
                const struct run_options *options)
{
    const volatile int *stop = options->stop;
    int64_t now_ns = clock_now_ns();
    struct smartctl_request request = {.disk = disk->name,
                                       .identify = options->identify,
                                       .timeout_ns = give_up_ns - now_ns,
                                       .stop = stop};
    smart_init(&disk->smart);
    if (disk->silent)
        return; /* its reason is there */
    if (!asked)
        snprintf(disk->reason, sizeof disk->reason, "%s was not asked: run.smart is off",
                 disk->name);
    else if (is_virtual(disk->name))
        snprintf(disk->reason, sizeof disk->reason,
                 "%s is no physical disk and counts nothing of its own", disk->name);
    else if (request.timeout_ns <= 0 || (stop != NULL && *stop != 0))
        snprintf(disk->reason, sizeof disk->reason, "there was no time left to ask %s", disk->name);
    else if (smartctl_read(&request, &disk->smart, disk->reason) == SMARTCTL_NO_ANSWER)
        disk->silent = clock_now_ns() >= give_up_ns;
}

/* Bytes written to these disks since boot by the kernel's count; NaN: not known of each. */
static double diskstats_bytes(const struct stack *stack, const char *text, size_t size)
{
    double sum = stack->leaf_count > 0 ? 0 : NAN;
    for (size_t i = 0; i < stack->leaf_count; i++) {
        const char *name = stack->leaves[i];
        struct diskstats row;
        diskstats_pick(text, size, &name, 1, &row);
        sum += diskstats_has(&row, DISK_WRITE_SECTORS)
                   ? (double)row.value[DISK_WRITE_SECTORS] * SECTOR_BYTES
                   : NAN;
    }
    return sum;
}

static void gather(struct drive_watch *watch, const struct device *device, const char *text,
                   size_t size, struct drive_reading *reading)
{
    drive_reading_init(reading);
    if (!is_asked(device))
        return;
    for (size_t i = 0; i < device->stack.leaf_count; i++) {
        const struct disk *disk = find_disk(watch, device->stack.leaves[i]);
        struct smart unknown;
        smart_init(&unknown);
        drive_reading_add(reading, disk ? &disk->smart : &unknown,
                          disk ? disk->reason : "too many disks to ask them all");
    }
    reading->diskstats_bytes = diskstats_bytes(&device->stack, text, size);
}

/* What smartctl does not tell the kernel may. */
static void identify(const struct stack *stack, struct drive_reading *reading)
{
    struct privacy_serial serial;
    if (stack->leaf_count == 0)
        return;
    privacy_serial_read("", stack->leaves[0], &serial);
    if (reading->serial[0] == 0)
        memcpy(reading->serial, serial.serial, sizeof serial.serial);
    if (reading->wwn[0] == 0)
        memcpy(reading->wwn, serial.wwn, sizeof serial.wwn);
}

static void read_all(struct run_context *ctx)
{
    struct drive_watch *watch = ctx->drives;
    int64_t give_up_ns = clock_now_ns() + DRIVE_WATCH_NS;
    char *text = NULL;
    size_t size = 0;
    struct err ignored;
    bool asked = ctx->options->plan->trials[0].load->smart;
    for (size_t i = 0; i < watch->disk_count; i++)
        ask(&watch->disks[i], asked, give_up_ns, ctx->options);
    if (fs_read("/proc/diskstats", DISKSTATS_LIMIT, &text, &size, &ignored) != 0)
        text = NULL, size = 0;
    for (size_t t = 0; t < ctx->site_count; t++) {
        struct site *site = &ctx->sites[t];
        for (size_t d = 0; d < site->devices.count; d++) {
            struct drive_reading *reading = &watch->readings[t][d];
            gather(watch, &site->devices.devices[d], text, size, reading);
            if (ctx->options->identify == SMART_IDENTIFY)
                identify(&site->devices.devices[d].stack, reading);
            if (d != 0)
                continue;
            /* The kernel's monitor is the one that is also read while phases run. */
            double celsius = thermometer_read_c(&site->thermometer, clock_now_ns());
            reading->temperature_c = isnan(celsius) ? reading->temperature_c : celsius;
        }
    }
    free(text);
}

void drive_watch_open(struct run_context *ctx)
{
    struct drive_watch *watch =
        calloc(1, sizeof *watch + ctx->site_count * sizeof *watch->readings);
    if (watch == NULL)
        abort();
    ctx->drives = watch;
    for (size_t i = 0; i < ctx->site_count; i++)
        add_disks(watch, &ctx->sites[i].devices);
    read_all(ctx);
    for (size_t i = 0; i < ctx->drives->disk_count; i++)
        ctx->drives->disks[i].before = ctx->drives->disks[i].smart;
}

const struct drive_reading *drive_watch_before(const struct run_context *ctx, size_t site)
{
    return ctx->drives != NULL ? ctx->drives->readings[site] : NULL;
}

static void tell_changes(struct run_context *ctx)
{
    for (size_t i = 0; i < ctx->drives->disk_count; i++) {
        const struct disk *disk = &ctx->drives->disks[i];
        char text[DRIVE_CHANGE];
        if (drive_change(disk->name, &disk->before, &disk->smart, text))
            context_event(ctx, -1, "smart change", "%s", text);
    }
}

json_t *drive_watch_after(struct run_context *ctx)
{
    json_t *array = json_array();
    read_all(ctx);
    tell_changes(ctx);
    for (size_t t = 0; t < ctx->site_count; t++)
        for (size_t d = 0; d < ctx->sites[t].devices.count; d++) {
            json_t *object = json_object();
            drive_put(object, &ctx->drives->readings[t][d]);
            json_array_append_new(array, object);
        }
    return array;
}

void drive_watch_close(struct run_context *ctx)
{
    free(ctx->drives);
    ctx->drives = NULL;
}
