/* device_health.h - how a drive is: temperature, what it wrote and how worn it is.
 *
 * Asks the drive itself (smartctl), which takes some milliseconds; of saved trees only what is in
 * them, the temperature. */
#ifndef CLI_DEVICE_HEALTH_H
#define CLI_DEVICE_HEALTH_H

#include <stdbool.h>

#include "base/json.h"
#include "device/privacy.h"
#include "device/smart.h"
#include "device/smartctl.h"
#include "report/text.h"

struct device_health {
    struct smart smart;
    double temperature_c;         /* by the kernel's sensor, else by SMART; NaN */
    struct privacy_serial serial; /* with SMART_IDENTIFY alone */
    bool told;                    /* what smartctl said is in `smart` */
    char reason[SMARTCTL_REASON]; /* one sentence, where it said nothing; "" = not asked */
};

/* A drive, not something that stands for one (loop, zram, a network's block device). */
bool device_health_has(const char *root, const char *name);
/* Of a whole disk by its kernel name. */
void device_health_read(const char *root, const char *name, enum smart_identify identify,
                        struct device_health *health);
/* "41 C, 12 TB written, 3% worn, 1,234 h, passed"; what is not known is left out. */
void device_health_text(const struct device_health *health, struct text *text);
/* Members temperature_c, smart and smart_reason; with SMART_IDENTIFY serial_number and wwn. */
void device_health_put(const struct device_health *health, enum smart_identify identify,
                       json_t *object);

#endif
