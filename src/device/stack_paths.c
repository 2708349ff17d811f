#include "device/stack_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "device/diskstats.h"
#include "device/sysfs.h"

size_t stack_paths(const char *root, const char *name, char ***paths)
{
    *paths = NULL;
    if (strncmp(name, "nvme", 4) != 0)
        return 0;
    char *list = fs_path("%s/sys/block", root), **names;
    size_t count = sysfs_list(list, &names), found = 0;
    *paths = calloc(count + 1, sizeof **paths);
    if (*paths == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        char head[64];
        if (diskstats_path_head(names[i], strlen(names[i]), head, sizeof head) &&
            strcmp(head, name) == 0)
            (*paths)[found++] = fs_path("%s", names[i]);
    }
    sysfs_list_free(names, count);
    free(list);
    return found;
}

void stack_paths_free(char **paths, size_t count)
{
    sysfs_list_free(paths, count);
}
