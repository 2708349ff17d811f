#include "device/stack_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "device/kind.h"
#include "device/sysfs.h"

enum { LOOPS_MAX = 8 };

static bool in_memory(const char *root, const struct stack *stack, unsigned loops,
                      char what[STACK_MEMORY]);

/* A deleted file, or one of another namespace, is not found; nothing is claimed of it then. */
static bool file_in_memory(const char *root, const char *file, unsigned loops,
                           char what[STACK_MEMORY])
{
    struct stack *stack = malloc(sizeof *stack);
    struct err ignored;
    if (stack == NULL)
        abort();
    bool memory = loops < LOOPS_MAX && stack_resolve(root, file, stack, &ignored) == 0;
    if (memory && fs_kind_is_memory(stack->kept_on))
        snprintf(what, STACK_MEMORY, "%s", stack->kept_on);
    else
        memory = memory && in_memory(root, stack, loops + 1, what);
    free(stack);
    return memory;
}

static bool leaf_in_memory(const char *root, const char *name, unsigned loops,
                           char what[STACK_MEMORY])
{
    char *directory = sysfs_block(root, name), kind[KIND_SIZE], file[4096], below[STACK_MEMORY];
    bool memory = false;
    if (directory == NULL)
        return false;
    kind_read(directory, kind);
    if (strcmp(kind, "ram") == 0 || strcmp(kind, "zram") == 0) {
        memory = true;
        snprintf(what, STACK_MEMORY, "%s", name);
    } else if (kind_backing_file(directory, file, sizeof file) && file[0] == '/') {
        memory = file_in_memory(root, file, loops, below);
        if (memory)
            snprintf(what, STACK_MEMORY, "%s on %.*s", name, STACK_MEMORY - STACK_NAME - 8, below);
    }
    free(directory);
    return memory;
}

static bool in_memory(const char *root, const struct stack *stack, unsigned loops,
                      char what[STACK_MEMORY])
{
    for (size_t i = 0; i < stack->leaf_count; i++)
        if (leaf_in_memory(root, stack->leaves[i], loops, what))
            return true;
    return false;
}

bool stack_memory(const char *root, const struct stack *stack, char what[STACK_MEMORY])
{
    what[0] = 0;
    return in_memory(root, stack, 0, what);
}
