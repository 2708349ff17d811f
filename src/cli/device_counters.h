/* device_counters.h - saved /proc/diskstats and /sys/block/NAME/stat files. */
#ifndef CLI_DEVICE_COUNTERS_H
#define CLI_DEVICE_COUNTERS_H

#include <stdio.h>

#include "base/json.h"

/* All counters of one file: "devices", "rejected_lines", and "multipath", the heads whose paths
 * count for them.  New reference; NULL: the file cannot be read. */
json_t *device_counters(const char *path, struct err *err);
/* Rates between two files taken `seconds` apart; an earlier file that is NULL, empty or all 0
 * means since boot. */
json_t *device_counters_rates(const char *earlier, const char *later, double seconds,
                              struct err *err);
/* Either as a table. */
int device_counters_print(FILE *out, const json_t *counters, struct err *err);
int device_counters_print_rates(FILE *out, const json_t *rates, struct err *err);

#endif
