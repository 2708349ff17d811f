/* device_json.h - what is under a path, as JSON. */
#ifndef CLI_DEVICE_JSON_H
#define CLI_DEVICE_JSON_H

#include "base/json.h"
#include "device/smart.h"
#include "device/stack.h"

/* The object of one path: its devices, each with number, whole disk and leaves; the file system;
 * every level; its logs; the disks, with their serial numbers where they may be told.  New
 * reference. */
json_t *device_json(const char *root, const struct stack *stack, enum smart_identify identify);
/* Sets a member whose name may be any bytes, as paths are. */
void device_json_put(json_t *object, const char *name, json_t *value);

#endif
