/* device_legend.h - what there is to say of the devices in a tree that no column holds. */
#ifndef CLI_DEVICE_LEGEND_H
#define CLI_DEVICE_LEGEND_H

#include <stdio.h>

#include "cli/device_tree.h"

/* Full: also what the tree had no room for. */
enum device_legend { DEVICE_LEGEND_SHORT, DEVICE_LEGEND_FULL };

void device_legend_print(FILE *out, const struct stack *stack, const struct device_look *look,
                         enum device_legend detail);
/* "write back" -> "back". */
const char *device_legend_cache(const char *write_cache);

#endif
