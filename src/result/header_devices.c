#include "result/header_devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The row of `name` in the set, added where it is new; -1 when the set is full. */
static int add_name(struct device_set *set, const char *name)
{
    for (size_t i = 0; i < set->name_count; i++)
        if (strcmp(set->names[i], name) == 0)
            return (int)i;
    if (set->name_count == DEVICE_SET_NAMES)
        return -1;
    set->names[set->name_count] = name;
    return (int)set->name_count++;
}

static void add_device(struct device_set *set, const json_t *from)
{
    const char *sampled = json_text_at(from, "sampled");
    int row = sampled ? add_name(set, sampled) : -1;
    if (row < 0)
        return;
    struct device *device = &set->devices[set->count];
    const char *role = json_text_at(from, "role");
    device->role = role ? role : "";
    device->sampled = (size_t)row;
    device->stack.known = true;
    snprintf(device->stack.sampled, sizeof device->stack.sampled, "%s", sampled);
    size_t index;
    const json_t *leaf;
    json_array_foreach(json_at(from, "leaves"), index, leaf)
    {
        row = json_is_string(leaf) ? add_name(set, json_string_value(leaf)) : -1;
        if (row >= 0 && device->leaf_count < STACK_MAX)
            device->leaves[device->leaf_count++] = (size_t)row;
    }
    set->count++;
}

struct device_set *header_devices_read(const json_t *header, double target)
{
    struct device_set *set = calloc(1, sizeof *set);
    if (!set)
        abort();
    size_t index;
    const json_t *device;
    json_array_foreach(json_object_get(header, "devices"), index, device)
    {
        double of = json_number_at(device, "target");
        if (set->count < DEVICE_SET_ROLES && (isnan(of) || of == target))
            add_device(set, device);
    }
    return set;
}
