/* compare_drives.h - which targets of which results are one drive.  Pure. */
#ifndef ANALYSIS_COMPARE_DRIVES_H
#define ANALYSIS_COMPARE_DRIVES_H

#include "analysis/compare_model.h"

/* Fills the model's drives and each source's `drives`.  ERR_USAGE: fewer drives than are needed,
 * or too many. */
int compare_drives_assign(struct compare_model *model, const struct compare_options *options,
                          struct err *err);
/* The device of the role "data" or "wal" of a target, or NULL. */
const json_t *compare_drives_device(const struct compare_source *source, size_t target,
                                    const char *role);
/* The entry of "targets", or NULL. */
const json_t *compare_drives_target(const struct compare_source *source, size_t target);

#endif
