/* put.h - members of a JSON object, one call each.  Unknown (NaN) is null. */
#ifndef RESULT_PUT_H
#define RESULT_PUT_H

#include "base/json.h"

void put(json_t *object, const char *key, json_t *value); /* steals the value; NULL: null */
void put_real(json_t *object, const char *key, double value);
/* A whole number: written without a decimal point. */
void put_count(json_t *object, const char *key, double value);
/* Whole or real, as the value is. */
void put_number(json_t *object, const char *key, double value);
void put_text(json_t *object, const char *key, const char *text); /* NULL or "": null */

#endif
