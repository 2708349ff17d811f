/* parse.h - numbers with units as people write them on a command line.
 *
 * Strict: no sign but where said, no blanks, nothing behind the unit, no overflow.
 * On failure *err is ERR_USAGE with a sentence that says what would be right. */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdint.h>

#include "base/err.h"

/* 1000, 20k, 5M, 1G, 1T (powers of 10; "1.5M" is accepted where it is whole). */
int parse_count(const char *text, uint64_t *count, struct err *err);
/* As a count, also 4Ki, 64Mi, 1Gi, 1Ti (powers of 2).  Bytes. */
int parse_size(const char *text, uint64_t *size_bytes, struct err *err);
/* 100ms, 3s, 1.5s, 5m, 2h; a bare 0 is accepted, other bare numbers are not.  Nanoseconds. */
int parse_duration(const char *text, int64_t *duration_ns, struct err *err);
/* 50% -> 0.5.  The sign is required; 0% to 100%. */
int parse_share(const char *text, double *share, struct err *err);
/* A decimal integer that may be negative. */
int parse_integer(const char *text, int64_t *value, struct err *err);
/* A decimal number, finite. */
int parse_number(const char *text, double *value, struct err *err);

#endif
