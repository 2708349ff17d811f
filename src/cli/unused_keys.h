/* unused_keys.h - keys of engines that no target uses: a list of them makes trials that are all
 * the same. */
#ifndef CLI_UNUSED_KEYS_H
#define CLI_UNUSED_KEYS_H

#include "driver/run.h"

/* Warns on stderr of every key that is set, of an engine that none of the targets is. */
void unused_keys_warn(const struct run_options *options);

#endif
