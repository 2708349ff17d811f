/* device_rows.h - a saved /proc/diskstats, or /sys/block/NAME/stat, line by line. */
#ifndef CLI_DEVICE_ROWS_H
#define CLI_DEVICE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "device/diskstats.h"

struct device_row {
    struct diskstats counters;
    bool has_number; /* a line of /proc/diskstats: with major and minor */
    size_t fields;   /* words on the line, those that are not understood too */
};

struct device_reject {
    size_t line;
    char why[128];
};

struct device_rows {
    char *text;
    size_t size;
    struct device_row *rows;
    size_t count;
    struct device_reject *rejected;
    size_t rejected_count;
};

/* A file of one line that holds nothing but numbers is taken for a stat file; its device is
 * named by the file (sda.stat) or by the folder (sda/stat).  Blank lines are not counted. */
int device_rows_read(const char *path, struct device_rows *rows, struct err *err);
void device_rows_release(struct device_rows *rows);
/* As diskstats_pick(): heads of NVMe multipath get the sum of their paths where they stand at 0. */
void device_rows_pick(const struct device_rows *rows, const char *const *names, size_t count,
                      struct diskstats *picked);
/* The names of the paths that count for this head; empty: it is none, or counts itself. */
json_t *device_rows_paths(const struct device_rows *rows, const char *name);
/* True of such a path. */
bool device_rows_is_counted(const struct device_rows *rows, const char *name);
/* True when nothing was counted yet: no row, or every counter 0. */
bool device_rows_is_zero(const struct device_rows *rows);

#endif
