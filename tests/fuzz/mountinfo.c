/* Any text as /proc/self/mountinfo; every mount point is then looked up. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/mountinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mount_table table;
    struct err err;
    if (mount_table_parse((const char *)data, size, &table, &err) != 0)
        return 0;
    mount_table_find(&table, "/a/b/c");
    for (size_t i = 0; i < table.count && i < 20; i++) {
        const struct mount *m = &table.mounts[i];
        if (strlen(m->root) + strlen(m->point) + strlen(m->options) + strlen(m->kind) +
                strlen(m->source) + strlen(m->super_options) >
            size)
            abort();
        const struct mount *found = mount_table_find(&table, m->point);
        if (found != NULL && (found < table.mounts || found >= table.mounts + table.count))
            abort();
        mount_table_by_id(&table, m->parent);
        if (mount_class(m) > MOUNT_VIRTUAL || strlen(m->optional) > size)
            abort();
        free(mount_option(m->super_options, "upperdir"));
    }
    mount_table_release(&table);
    return 0;
}
