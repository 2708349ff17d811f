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

bool device_health_has(const char *root, const char *name)
{
    char kind[KIND_SIZE] = "", *directory = sysfs_block(root, name);
    if (directory != NULL)
        kind_read(directory, kind);
    free(directory);
    return strcmp(kind, "disk") == 0;
}

void device_health_read(const char *root, const char *name, struct device_health *health)
{
    struct smartctl_request request = {
        .disk = name, .identify = SMART_ANONYMOUS, .timeout_ns = SMARTCTL_TIMEOUT_NS};
    memset(health, 0, sizeof *health);
    smart_init(&health->smart);
    health->temperature_c = hwmon_temperature_c(root, name);
    if (root[0] != 0)
        return;
    health->told = smartctl_read(&request, &health->smart, health->reason) == SMARTCTL_OK;
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
}

void device_health_put(const struct device_health *health, json_t *object)
{
    put_real(object, "temperature_c", health->temperature_c);
    put(object, "smart", health->told ? smart_json(&health->smart) : NULL);
    put_text(object, "smart_reason", health->reason);
}
