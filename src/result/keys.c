#include "result/keys.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/parse.h"

static const json_t *part_of(const json_t *summary, const char *name)
{
    size_t index;
    const json_t *part;
    json_array_foreach(json_at(summary, "workload.parts"), index, part)
    {
        const char *found = json_text_at(part, "name");
        if (found && strcmp(found, name) == 0)
            return part;
    }
    return NULL;
}

static const json_t *single(const json_t *value)
{
    return json_is_string(value) || json_is_number(value) ? value : NULL;
}

const json_t *keys_value(const json_t *summary, const json_t *trial, const char *key)
{
    static const char prefix[] = "workload.";
    bool is_short = strncmp(key, prefix, sizeof prefix - 1) == 0;
    const json_t *value = json_object_get(json_object_get(trial, "factors"),
                                          is_short ? key + sizeof prefix - 1 : key);
    const char *part = json_text_at(trial, "part");
    if (!value && part)
        value = json_object_get(part_of(summary, part), key);
    if (!value)
        value = json_object_get(json_object_get(summary, "workload"), key);
    return single(value);
}

const char *keys_text(const json_t *summary, const json_t *trial, const char *key)
{
    return json_string_value(keys_value(summary, trial, key));
}

double keys_number(const json_t *summary, const json_t *trial, const char *key)
{
    const json_t *value = keys_value(summary, trial, key);
    if (json_is_number(value))
        return json_number_value(value);
    struct err err;
    uint64_t size;
    const char *text = json_string_value(value);
    return text && parse_size(text, &size, &err) == 0 ? (double)size : NAN;
}
