#include "device/hwmon_json.h"

#include "device/hwmon.h"

json_t *hwmon_json(const char *root)
{
    struct hwmon *sensors;
    size_t count = hwmon_open_all(root, &sensors);
    json_t *object = json_object(), *temperatures = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(temperatures, sensors[i].disk,
                            json_measured(hwmon_read_c(&sensors[i])));
    json_object_set_new(object, "temperature_c", temperatures);
    hwmon_release(sensors, count);
    return object;
}
