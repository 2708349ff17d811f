/* stack_memory.h - devices that keep in memory what is written to them.  Any thread.
 *
 * RAM disks and zram, and loop devices whose file lies on a file system in memory, however many
 * loop devices and overlays are between.  Nothing measured there says anything of a drive. */
#ifndef DEVICE_STACK_MEMORY_H
#define DEVICE_STACK_MEMORY_H

#include "device/stack.h"

enum { STACK_MEMORY = 192 };

/* What one of the stack's leaves is kept in: "zram0", "loop0 on tmpfs".  False, and "": none is. */
bool stack_memory(const char *root, const struct stack *stack, char what[STACK_MEMORY]);

#endif
