#include "device/stack_below.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "device/kind.h"
#include "device/sysfs.h"

static void *have(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

void stack_below_read(const char *root, const char *directory, struct stack_below *below)
{
    *below = (struct stack_below){.directories = NULL};
    if (kind_is_partition(directory)) {
        below->directories = have(calloc(1, sizeof *below->directories));
        below->directories[0] =
            fs_path("%.*s", (int)(strrchr(directory, '/') - directory), directory);
        below->count = 1;
        return;
    }
    char *list = fs_path("%s/slaves", directory), **names;
    size_t count = sysfs_list(list, &names);
    below->directories = have(calloc(count + 1, sizeof *below->directories));
    for (size_t i = 0; i < count; i++) {
        char *link = fs_path("%s/%s", list, names[i]);
        char *slave = sysfs_real(root, link);
        if (slave != NULL)
            below->directories[below->count++] = slave;
        else
            below->missing = true;
        free(link);
    }
    sysfs_list_free(names, count);
    free(list);
}

void stack_below_release(struct stack_below *below)
{
    sysfs_list_free(below->directories, below->count);
    *below = (struct stack_below){.directories = NULL};
}
