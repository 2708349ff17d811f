#include <stdlib.h>

#include "workload/spec_inner.h"

static json_t *values_json(const struct values *values)
{
    if (values->list.count == 1)
        return json_text(values->list.items[0]);
    json_t *array = json_array();
    for (size_t i = 0; i < values->list.count; i++)
        json_array_append_new(array, json_text(values->list.items[i]));
    return array;
}

static json_t *part_json(const struct spec *spec, size_t part)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_text(spec->parts[part].name));
    for (size_t key = 0; key < spec->key_count; key++) {
        const struct values *own = spec_override(spec, part, key);
        if (own != NULL)
            json_object_set_new(object, spec->keys[key]->name, values_json(own));
    }
    return object;
}

json_t *spec_json(const struct spec *spec)
{
    json_t *object = json_object();
    for (size_t key = 0; key < spec->key_count; key++)
        json_object_set_new(object, spec->keys[key]->name, values_json(spec_common(spec, key)));
    if (spec->part_count == 0)
        return object;
    json_t *parts = json_array();
    for (size_t part = 0; part < spec->part_count; part++)
        json_array_append_new(parts, part_json(spec, part));
    json_object_set_new(object, "parts", parts);
    return object;
}

static bool is_built_in(const struct spec *spec, size_t part, size_t key)
{
    size_t count;
    const char *const *values = spec_values(spec, part, key, &count);
    return count == 1 && values_same(spec->keys[key], values[0], spec->fallback[key].list.items[0]);
}

json_t *spec_differs_json(const struct spec *spec)
{
    json_t *names = json_array();
    for (size_t key = 0; key < spec->key_count; key++) {
        size_t part = 0, parts = spec_part_count(spec);
        while (part < parts && is_built_in(spec, part, key))
            part++;
        if (part < parts)
            json_array_append_new(names, json_text(spec->keys[key]->name));
    }
    return names;
}
