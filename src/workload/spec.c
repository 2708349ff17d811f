#include "workload/spec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "workload/spec_inner.h"

void *spec_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

struct values *spec_level_create(const struct spec *spec)
{
    return spec_zeroed(spec->key_count, sizeof(struct values));
}

void spec_level_destroy(const struct spec *spec, struct values *level)
{
    for (size_t i = 0; level != NULL && i < spec->key_count; i++)
        list_release(&level[i].list);
    free(level);
}

struct spec *spec_create(const struct key *const *tables)
{
    struct spec *spec = spec_zeroed(1, sizeof *spec);
    spec_add_table(spec, key_core);
    for (size_t i = 0; tables[i] != NULL; i++)
        spec_add_table(spec, tables[i]);
    spec->file = spec_level_create(spec);
    spec->options = spec_level_create(spec);
    return spec;
}

void spec_forget_file(struct spec *spec)
{
    for (size_t i = 0; i < spec->part_count; i++) {
        free(spec->parts[i].name);
        spec_level_destroy(spec, spec->parts[i].own);
    }
    free(spec->parts);
    spec->parts = NULL;
    spec->part_count = 0;
    spec_level_destroy(spec, spec->file);
    spec->file = NULL;
    spec_drop_unused(spec);
    spec->file = spec_level_create(spec);
}

void spec_destroy(struct spec *spec)
{
    if (spec == NULL)
        return;
    spec_forget_file(spec);
    spec_level_destroy(spec, spec->file);
    spec_level_destroy(spec, spec->fallback);
    spec_level_destroy(spec, spec->options);
    for (size_t i = spec->table_count; i < spec->key_count; i++)
        free((void *)spec->keys[i]);
    free(spec->keys);
    free(spec->wildcards);
    free(spec);
}

int spec_set(struct spec *spec, const char *name, const char *values, const char *origin_text,
             struct err *err)
{
    const struct origin origin = {.option = origin_text};
    struct list list;
    size_t key;
    if (spec_find(spec, name, &key, err) != 0) {
        if (strncmp(origin_text, "--", 2) == 0)
            return err_context(err, "%s %s", origin_text, values);
        return err_context(err, "%s %s=%s", origin_text, name, values);
    }
    if (values_parse(&list, spec->keys[key], values, &origin, err) != 0)
        return -1;
    list_release(&spec->options[key].list);
    spec->options[key].list = list;
    return 0;
}

size_t spec_part_count(const struct spec *spec)
{
    return spec->part_count > 0 ? spec->part_count : 1;
}

const char *spec_part_name(const struct spec *spec, size_t part)
{
    assert(part < spec_part_count(spec));
    return spec->part_count > 0 ? spec->parts[part].name : NULL;
}

size_t spec_key_count(const struct spec *spec)
{
    return spec->key_count;
}

const struct key *spec_key(const struct spec *spec, size_t key)
{
    assert(key < spec->key_count);
    return spec->keys[key];
}

const struct values *spec_common(const struct spec *spec, size_t key)
{
    if (spec->options[key].list.count > 0)
        return &spec->options[key];
    return spec->file[key].list.count > 0 ? &spec->file[key] : &spec->fallback[key];
}

const struct values *spec_override(const struct spec *spec, size_t part, size_t key)
{
    if (spec->part_count == 0 || spec->options[key].list.count > 0 ||
        spec->parts[part].own[key].list.count == 0)
        return NULL;
    return &spec->parts[part].own[key];
}

const char *const *spec_values(const struct spec *spec, size_t part, size_t key, size_t *count)
{
    assert(part < spec_part_count(spec) && key < spec->key_count);
    const struct values *values = spec_override(spec, part, key);
    if (values == NULL)
        values = spec_common(spec, key);
    *count = values->list.count;
    return (const char *const *)values->list.items;
}
