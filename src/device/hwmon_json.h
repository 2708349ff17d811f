/* hwmon_json.h - what `device --temperatures` prints.  Any thread. */
#ifndef DEVICE_HWMON_JSON_H
#define DEVICE_HWMON_JSON_H

#include "base/json.h"

/* {"temperature_c": {DISK: degrees or null}} of every disk below root; new reference. */
json_t *hwmon_json(const char *root);

#endif
