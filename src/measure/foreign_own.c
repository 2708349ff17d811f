#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "device/kind.h"
#include "device/sysfs.h"
#include "measure/foreign.h"

double foreign_own_read_bytes(const char *root)
{
    enum { LIMIT = 4096 };
    static const char key[] = "\nread_bytes: ";
    char *path = fs_path("%s/proc/self/io", root), *text = NULL;
    struct err ignored;
    size_t size;
    double bytes = NAN;
    if (fs_read(path, LIMIT, &text, &size, &ignored) == 0) {
        const char *at = strstr(text, key);
        if (at != NULL)
            bytes = (double)strtoull(at + sizeof key - 1, NULL, 10);
    }
    free(text);
    free(path);
    return bytes;
}

static bool is_one_of(const char *text, const char *const *list)
{
    while (*list != NULL && strcmp(text, *list) != 0)
        list++;
    return *list != NULL;
}

bool foreign_reads_are_plain(const char *root, const struct device *device)
{
    static const char *const filesystems[] = {"ext2", "ext3", "ext4", "xfs", NULL};
    static const char *const kinds[] = {"disk",  "partition", "loop", "lvm",
                                        "crypt", "multipath", NULL};
    const struct stack *stack = &device->stack;
    bool plain = device->leaf_count == 1 && is_one_of(stack->kept_on, filesystems);
    for (size_t i = 0; plain && i < stack->count; i++) {
        char *directory = sysfs_block(root, stack->names[i]), kind[KIND_SIZE] = "";
        if (directory != NULL)
            kind_read(directory, kind);
        plain = is_one_of(kind, kinds);
        free(directory);
    }
    return plain;
}
