/* device_tree.h - what is under a path, as a tree for a person. */
#ifndef CLI_DEVICE_TREE_H
#define CLI_DEVICE_TREE_H

#include <stdbool.h>
#include <stdio.h>

#include "device/smart.h"
#include "device/stack.h"

struct device_look {
    const char *root; /* "" = the real system */
    int width;
    bool utf8;
    enum smart_identify identify;
};

/* The path and its mount, the tree from the file system down to each leaf, and what the drives
 * say about themselves.  A device that lies under several others is shown once. */
void device_tree_print(FILE *out, const char *path, const struct stack *stack,
                       const struct device_look *look);

#endif
