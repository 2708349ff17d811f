#include "cli/device_health.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "device/hwmon.h"
#include "device/kind.h"
#include "device/sysfs.h"
#include "result/put.h"

static void read_serial(const char *root, const char *name, struct device_health *health)
{
    struct privacy_serial *serial = &health->serial;
    privacy_serial_read(root, name, serial);
    if (health->smart.serial[0] != 0)
        memcpy(serial->serial, health->smart.serial, sizeof serial->serial);
    if (health->smart.wwn[0] != 0)
        memcpy(serial->wwn, health->smart.wwn, sizeof serial->wwn);
}

bool device_health_has(const char *root, const char *name)
{
    char kind[KIND_SIZE] = "", *directory = sysfs_block(root, name);
    if (directory != NULL)
        kind_read(directory, kind);
    free(directory);
    return strcmp(kind, "disk") == 0;
}

void device_health_read(const char *root, const char *name, enum smart_identify identify,
                        struct device_health *health)
{
    struct smartctl_request request = {
        .disk = name, .identify = identify, .timeout_ns = SMARTCTL_TIMEOUT_NS};
    memset(health, 0, sizeof *health);
    smart_init(&health->smart);
    health->temperature_c = hwmon_temperature_c(root, name);
    if (root[0] == 0)
        health->told = smartctl_read(&request, &health->smart, health->reason) == SMARTCTL_OK;
    if (identify == SMART_IDENTIFY)
        read_serial(root, name, health);
    if (isnan(health->temperature_c))
        health->temperature_c = health->smart.temperature_c;
}

static void add(struct text *text, const char *part)
{
    text_add(text, "%s%s", text->size > 0 ? ", " : "", part);
}

void device_health_text(const struct device_health *health, struct text *text)
{
    const struct smart *smart = &health->smart;
    struct format_text number;
    char part[96];
    if (!isnan(health->temperature_c)) {
        snprintf(part, sizeof part, "%.0f C", health->temperature_c);
        add(text, part);
    }
    if (!isnan(smart->host.bytes)) {
        snprintf(part, sizeof part, "%s written", format_bytes(&number, smart->host.bytes));
        add(text, part);
    }
    if (!isnan(smart->wear.used_pct)) {
        snprintf(part, sizeof part, "%.0f%% of its endurance used", smart->wear.used_pct);
        add(text, part);
    }
    if (!isnan(smart->power_on_hours)) {
        snprintf(part, sizeof part, "%s hours on", format_grouped(&number, smart->power_on_hours));
        add(text, part);
    }
    if (smart->passed >= 0)
        add(text, smart->passed ? "health passed" : "health FAILED");
    if (health->serial.serial[0] != 0)
        add(text, "serial "), text_add(text, "%s", health->serial.serial);
    if (health->serial.wwn[0] != 0)
        add(text, "wwn "), text_add(text, "%s", health->serial.wwn);
}

void device_health_put(const struct device_health *health, enum smart_identify identify,
                       json_t *object)
{
    if (identify == SMART_IDENTIFY) {
        put_text(object, "serial_number", health->serial.serial);
        put_text(object, "wwn", health->serial.wwn);
    }
    put_real(object, "temperature_c", health->temperature_c);
    put(object, "smart", health->told ? smart_json(&health->smart) : NULL);
    put_text(object, "smart_reason", health->reason);
}
