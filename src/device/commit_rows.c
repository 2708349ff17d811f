#include "device/commit_rows.h"

#include <string.h>

static void add(size_t *rows, size_t *count, size_t most, size_t row)
{
    for (size_t i = 0; i < *count; i++)
        if (rows[i] == row)
            return;
    if (*count < most)
        rows[(*count)++] = row;
}

bool commit_rows_find(const struct device_set *set, struct commit_rows *rows)
{
    bool has_data = false;
    *rows = (struct commit_rows){.sampled_count = 0};
    for (size_t i = 0; set != NULL && i < set->count; i++) {
        const struct device *device = &set->devices[i];
        bool is_data = strcmp(device->role, "data") == 0;
        if (!is_data && strcmp(device->role, "wal") != 0)
            continue;
        if (device->leaf_count == 0)
            return false;
        has_data |= is_data;
        add(rows->sampled, &rows->sampled_count, DEVICE_SET_ROLES, device->sampled);
        for (size_t leaf = 0; leaf < device->leaf_count; leaf++)
            add(rows->leaves, &rows->leaf_count, DEVICE_SET_NAMES, device->leaves[leaf]);
    }
    return has_data;
}
