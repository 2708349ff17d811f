/* keys.h - what a workload key was in one trial of a summary document.
 *
 * Looked up as it was resolved: the trial's factors, then its part, then the workload.
 * NULL or NaN: the document does not say. */
#ifndef RESULT_KEYS_H
#define RESULT_KEYS_H

#include "base/json.h"

/* `key` with its section ("workload.rows").  A text, a number, or NULL; borrowed. */
const json_t *keys_value(const json_t *summary, const json_t *trial, const char *key);
const char *keys_text(const json_t *summary, const json_t *trial, const char *key);
/* A number, or a text with a unit as sizes have ("100", "4Ki"). */
double keys_number(const json_t *summary, const json_t *trial, const char *key);

#endif
