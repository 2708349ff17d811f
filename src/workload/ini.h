/* ini.h - a strict reader of `[section]` and `key = value` lines.
 *
 * UTF-8, LF or CRLF, `#` and `;` comments on lines of their own or after a blank, values
 * with a comma in double quotes.  No continuation lines, no escapes.  Pure: text in,
 * calls out; fuzzed. */
#ifndef WORKLOAD_INI_H
#define WORKLOAD_INI_H

#include <stddef.h>

#include "base/err.h"

struct ini_entry {
    const char *section; /* "workload", "part bulk"; "" before the first section */
    const char *key;     /* NULL: the line that opens the section, value NULL too */
    const char *value;   /* trimmed; quotes kept */
    unsigned line;
};

/* Calls `entry` for each section line and each key line; a non-zero return stops.  Failures are
 * ERR_USAGE, "NAME:LINE: ...". */
int ini_read(const char *text, size_t size, const char *name,
             int (*entry)(void *ctx, const struct ini_entry *entry, struct err *err), void *ctx,
             struct err *err);

#endif
