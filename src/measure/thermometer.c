#include "measure/thermometer.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

static const char *first_disk(const struct device_set *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        if (strcmp(devices->devices[i].role, "data") == 0)
            return devices->devices[i].stack.leaf_count > 0 ? devices->devices[i].stack.leaves[0]
                                                            : "";
    return "";
}

void thermometer_open(const char *root, const struct device_set *devices,
                      struct thermometer *thermometer)
{
    *thermometer = (struct thermometer){.sensor = {.fd = -1}, .celsius = NAN};
    const char *disk = first_disk(devices);
    if (disk[0] != 0)
        hwmon_open(root, disk, &thermometer->sensor);
}

double thermometer_read_c(struct thermometer *t, int64_t now_ns)
{
    if (t->sensor.fd < 0 || now_ns < t->due_ns)
        return t->celsius;
    int64_t pause_s = hwmon_disturbs(&t->sensor) ? HWMON_DISTURBED_S : 1;
    t->due_ns = now_ns + pause_s * NS_PER_S;
    t->celsius = hwmon_read_c(&t->sensor);
    return t->celsius;
}

void thermometer_close(struct thermometer *thermometer)
{
    hwmon_close(&thermometer->sensor);
}
