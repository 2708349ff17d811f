/* header_devices.h - the devices of a target as a log's header names them: which rows of a sample
 * belong to which role.  Pure; the header may hold anything. */
#ifndef RESULT_HEADER_DEVICES_H
#define RESULT_HEADER_DEVICES_H

#include "base/json.h"
#include "device/device_set.h"

/* Those of target number `target`, and those that say no target.  Heap, released with free(); its
 * names belong to the header.  Aborts when memory is out. */
struct device_set *header_devices_read(const json_t *header, double target);

#endif
