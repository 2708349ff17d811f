#include <math.h>

#include "device/smart.h"

static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value ? value : json_null());
}

static void put_text(json_t *object, const char *key, const char *text)
{
    put(object, key, text[0] ? json_text(text) : NULL);
}

/* Whole numbers as integers: a count of bytes has up to 19 digits. */
static void put_number(json_t *object, const char *key, double value)
{
    put(object, key,
        value == floor(value) && fabs(value) < 0x1p63 ? json_integer((json_int_t)value)
                                                      : json_measured(value));
}

json_t *smart_json(const struct smart *smart)
{
    json_t *object = json_object();
    put_text(object, "model", smart->model);
    put_text(object, "firmware", smart->firmware);
    put_text(object, "protocol", smart->protocol);
    put_number(object, "temperature_c", smart->temperature_c);
    put_number(object, "bytes_written", smart->host.bytes);
    put_text(object, "bytes_written_how", smart->host.how);
    put_number(object, "nand_bytes_written", smart->nand.bytes);
    put_text(object, "nand_bytes_written_how", smart->nand.how);
    put_number(object, "wear_pct_used", smart->wear.used_pct);
    put_text(object, "wear_how", smart->wear.how);
    put_number(object, "power_on_hours", smart->power_on_hours);
    put(object, "errors", smart_errors_json(&smart->errors));
    put(object, "passed", smart->passed < 0 ? NULL : json_boolean(smart->passed));
    put_number(object, "exit_status", smart->exit_status < 0 ? NAN : (double)smart->exit_status);
    put(object, "asleep", json_boolean(smart->asleep));
    put_text(object, "message", smart->message);
    if (smart->serial[0])
        put_text(object, "serial_number", smart->serial);
    if (smart->wwn[0])
        put_text(object, "wwn", smart->wwn);
    return object;
}
