/* device_smart.h - what drives say of themselves: saved output of smartctl, temperatures. */
#ifndef CLI_DEVICE_SMART_H
#define CLI_DEVICE_SMART_H

#include <stdbool.h>

#include "base/err.h"
#include "device/smart.h"

/* What the output of `smartctl --json` in a file tells, to standard output.  Text that is no such
 * output tells nothing: every figure is unknown then, which is no failure. */
int device_smart_file(const char *path, enum smart_identify identify, bool json, struct err *err);
/* Every disk below root with its temperature, where it has a sensor. */
int device_smart_temperatures(const char *root, bool json, struct err *err);

#endif
