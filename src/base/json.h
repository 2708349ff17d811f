/* json.h - JSON by jansson, plus the few helpers that loadline needs.
 *
 * This is the only header that includes jansson.h; the other rooms use json_t through
 * it.  Numbers that could not be measured are null: write them with json_measured(). */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "base/err.h"

/* A real number, or null where the value is NaN or infinite. */
json_t *json_measured(double value);
/* A string, or null where the text is NULL.  Invalid UTF-8 is replaced by U+FFFD. */
json_t *json_text(const char *text);
/* The value at a dotted path of object keys ("latency_ms.commit.p99"), or NULL. A key
 * that itself holds dots is found too (longest match first).  Borrowed. */
json_t *json_at(const json_t *object, const char *path);
/* The number at the path, or NaN where it is missing, null or no number. */
double json_number_at(const json_t *object, const char *path);
/* The text at the path, or NULL. Borrowed. */
const char *json_text_at(const json_t *object, const char *path);
/* One record on one line, flushed to the kernel.  Numbers with up to 12 digits. */
int json_write_line(FILE *file, const json_t *value, struct err *err);
/* Indented, for people and pipes; ends with a newline. */
int json_write_pretty(FILE *file, const json_t *value, struct err *err);

#endif
