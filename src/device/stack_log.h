/* stack_log.h - journals on devices of their own, and caches in front of a drive.  Any thread.
 *
 *     xfs       logdev=, rtdev= in the options of the super block
 *     ext3/4    the kernel thread that writes the journal is called by it: jbd2/sdb1 for a device,
 *               jbd2/sda1-8 for a file (Linux fs/jbd2/journal.c); /sys/fs/ext4/NAME/journal_task
 *               has its number.  Else the options journal_path= and journal_dev=
 *     reiserfs  jdev=
 *     bcache    the cache set in /sys/block/bcacheN/bcache/cache, its members cache0, cache1, ...
 */
#ifndef DEVICE_STACK_LOG_H
#define DEVICE_STACK_LOG_H

#include "device/stack.h"

/* Fills the stack's logs; everything else in it is there already. */
void stack_log_find(const char *root, struct stack *stack);
/* "journal", "realtime", "cache" */
extern const char *const stack_log_names[];

#endif
