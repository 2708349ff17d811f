#include "result/put.h"

#include <math.h>

void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value ? value : json_null());
}

void put_real(json_t *object, const char *key, double value)
{
    put(object, key, json_measured(value));
}

void put_count(json_t *object, const char *key, double value)
{
    if (fabs(value) < 9e15) /* false for NaN */
        put(object, key, json_integer((json_int_t)llround(value)));
    else
        put(object, key, json_measured(value));
}

void put_number(json_t *object, const char *key, double value)
{
    if (value == floor(value))
        put_count(object, key, value);
    else
        put_real(object, key, value);
}

void put_text(json_t *object, const char *key, const char *text)
{
    put(object, key, text && *text ? json_text(text) : json_null());
}
