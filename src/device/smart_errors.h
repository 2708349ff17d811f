/* smart_errors.h - the counts of errors in what smartctl printed.  Pure, any thread. */
#ifndef DEVICE_SMART_ERRORS_H
#define DEVICE_SMART_ERRORS_H

#include "device/smart.h"

/* `root` is the whole document.  Sets what it tells, leaves the rest. */
void smart_errors_read(const json_t *root, struct smart_errors *errors);

#endif
