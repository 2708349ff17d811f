#include "device/hwmon.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "device/sysfs.h"

/* A monitor below /sys/class/hwmon that is a disk's. */
struct monitor {
    enum hwmon_kind kind;
    char *directory;
    char *device; /* what it measures: an NVMe or PCI device, a SCSI device */
};

struct monitors {
    struct monitor *items;
    size_t count;
};

static const struct hwmon no_sensor = {
    .kind = HWMON_NONE, .fd = -1, .max_c = NAN, .critical_c = NAN};

/* Drivers write 65261850 and -273150 where there is no limit, and drives without a sensor
 * report 0 degrees or 0 kelvin. */
static double celsius(double millidegrees)
{
    double value = millidegrees / 1000;
    return value >= -60 && value <= 150 && value != 0 ? value : NAN;
}

static enum hwmon_kind kind_of(const char *directory)
{
    char name[32];
    sysfs_text(directory, "name", name, sizeof name);
    return strcmp(name, "nvme") == 0        ? HWMON_NVME
           : strcmp(name, "drivetemp") == 0 ? HWMON_DRIVETEMP
                                            : HWMON_NONE;
}

static char *real_below(const char *root, const char *directory, const char *name)
{
    char *path = fs_path("%s/%s", directory, name);
    char *real = sysfs_real(root, path);
    free(path);
    return real;
}

static void add_monitor(const char *root, char *directory, struct monitors *monitors)
{
    struct monitor monitor = {.kind = kind_of(directory), .directory = directory};
    if (monitor.kind != HWMON_NONE)
        monitor.device = real_below(root, directory, "device");
    if (monitor.device != NULL)
        monitors->items[monitors->count++] = monitor;
    else
        free(directory);
}

static void find_monitors(const char *root, struct monitors *monitors)
{
    char *list = fs_path("%s/sys/class/hwmon", root), **names;
    size_t count = sysfs_list(list, &names);
    *monitors = (struct monitors){.items = calloc(count + 1, sizeof *monitors->items)};
    if (monitors->items == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        char *directory = real_below(root, list, names[i]);
        if (directory != NULL)
            add_monitor(root, directory, monitors);
    }
    sysfs_list_free(names, count);
    free(list);
}

static void release_monitors(struct monitors *monitors)
{
    for (size_t i = 0; i < monitors->count; i++) {
        free(monitors->items[i].directory);
        free(monitors->items[i].device);
    }
    free(monitors->items);
}

/* The monitor of the nearest device that `path` is or lies below. */
static const struct monitor *nearest(const struct monitors *monitors, const char *path)
{
    const struct monitor *found = NULL;
    for (size_t i = 0; i < monitors->count; i++) {
        const struct monitor *m = &monitors->items[i];
        size_t size = strlen(m->device);
        bool holds = strncmp(path, m->device, size) == 0 && (path[size] == '/' || path[size] == 0);
        if (holds && (found == NULL || size > strlen(found->device)))
            found = m;
    }
    return found;
}

static double limit_c(const char *directory, const char *file)
{
    char text[32], *end;
    if (!sysfs_text(directory, file, text, sizeof text))
        return NAN;
    double value = (double)strtol(text, &end, 10);
    return *end == 0 ? celsius(value) : NAN;
}

static bool open_monitor(const struct monitor *monitor, struct hwmon *sensor)
{
    /* temp1 is the drive as a whole; a single sensor may be hotter and means something else. */
    char *path = fs_path("%s/temp1_input", monitor->directory);
    sensor->fd = open(path, O_RDONLY | O_CLOEXEC);
    free(path);
    if (sensor->fd < 0)
        return false;
    sensor->kind = monitor->kind;
    sensor->max_c = limit_c(monitor->directory, "temp1_max");
    sensor->critical_c = limit_c(monitor->directory, "temp1_crit");
    return true;
}

/* The first sensor stays where none answers now. */
static void open_better(const struct monitor *monitor, struct hwmon *sensor)
{
    struct hwmon other = *sensor;
    other.fd = -1;
    if (monitor == NULL || !open_monitor(monitor, &other))
        return;
    if (sensor->fd >= 0 && isnan(hwmon_read_c(&other))) {
        hwmon_close(&other);
        return;
    }
    hwmon_close(sensor);
    *sensor = other;
}

/* With native multipath a namespace hangs below its subsystem, beside links to its controllers:
 * one of them may be gone while its sensor is still there. */
static bool open_controllers(const char *root, const struct monitors *monitors,
                             const char *directory, struct hwmon *sensor)
{
    char *subsystem = fs_path("%s", directory), **names;
    *strrchr(subsystem, '/') = 0;
    size_t count = sysfs_list(subsystem, &names);
    for (size_t i = 0; isnan(hwmon_read_c(sensor)) && i < count; i++) {
        if (strncmp(names[i], "nvme", 4) != 0)
            continue;
        char *controller = real_below(root, subsystem, names[i]);
        if (controller != NULL)
            open_better(nearest(monitors, controller), sensor);
        free(controller);
    }
    sysfs_list_free(names, count);
    free(subsystem);
    return sensor->fd >= 0;
}

static bool below_subsystem(const char *directory)
{
    return strstr(directory, "/nvme-subsystem/") != NULL;
}

static bool open_in(const char *root, const struct monitors *monitors, const char *disk,
                    struct hwmon *sensor)
{
    *sensor = no_sensor;
    snprintf(sensor->disk, sizeof sensor->disk, "%s", disk);
    char *directory = sysfs_block(root, disk);
    if (directory == NULL)
        return false;
    char *attached = sysfs_attached(root, directory);
    const struct monitor *monitor = attached != NULL ? nearest(monitors, attached) : NULL;
    free(attached);
    bool found = monitor != NULL ? open_monitor(monitor, sensor)
                                 : below_subsystem(directory) &&
                                       open_controllers(root, monitors, directory, sensor);
    free(directory);
    return found;
}

bool hwmon_open(const char *root, const char *disk, struct hwmon *sensor)
{
    struct monitors monitors;
    find_monitors(root, &monitors);
    bool found = open_in(root, &monitors, disk, sensor);
    release_monitors(&monitors);
    return found;
}

double hwmon_read_c(const struct hwmon *sensor)
{
    char text[32], *end;
    ssize_t size = sensor->fd < 0 ? -1 : pread(sensor->fd, text, sizeof text - 1, 0);
    if (size <= 0)
        return NAN;
    text[size] = 0;
    double value = (double)strtol(text, &end, 10);
    return end != text && (*end == 0 || *end == '\n') ? celsius(value) : NAN;
}

bool hwmon_disturbs(const struct hwmon *sensor)
{
    return sensor->kind == HWMON_DRIVETEMP;
}

void hwmon_close(struct hwmon *sensor)
{
    if (sensor->fd >= 0)
        close(sensor->fd);
    sensor->fd = -1;
}

double hwmon_temperature_c(const char *root, const char *disk)
{
    struct hwmon sensor;
    hwmon_open(root, disk, &sensor);
    double value = hwmon_read_c(&sensor);
    hwmon_close(&sensor);
    return value;
}

/* Paths of a multipath namespace (nvme0c1n1) are hidden, optical and floppy drives are no disks. */
static bool is_disk(const char *root, const char *directory, const char *name)
{
    char *attached = sysfs_attached(root, directory);
    bool is_virtual = attached == NULL || strstr(attached, "/devices/virtual/") != NULL;
    free(attached);
    if (sysfs_number(directory, "hidden") == 1 || (is_virtual && !below_subsystem(directory)))
        return false;
    return strncmp(name, "sr", 2) != 0 && strncmp(name, "fd", 2) != 0;
}

size_t hwmon_open_all(const char *root, struct hwmon **sensors)
{
    struct monitors monitors;
    char *list = fs_path("%s/sys/block", root), **names;
    size_t count = sysfs_list(list, &names), used = 0;
    find_monitors(root, &monitors);
    *sensors = calloc(count + 1, sizeof **sensors);
    if (*sensors == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        char name[sizeof(*sensors)->disk], *directory = real_below(root, list, names[i]);
        if (directory != NULL && sysfs_name(directory, name, sizeof name) &&
            is_disk(root, directory, name))
            open_in(root, &monitors, name, &(*sensors)[used++]);
        free(directory);
    }
    release_monitors(&monitors);
    sysfs_list_free(names, count);
    free(list);
    return used;
}

void hwmon_release(struct hwmon *sensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hwmon_close(&sensors[i]);
    free(sensors);
}
