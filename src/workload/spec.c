#include "workload/spec.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/spec_inner.h"
#include "workload/suggest.h"

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

struct values *spec_level_create(const struct spec *spec)
{
    return zeroed(spec->key_count, sizeof(struct values));
}

void spec_level_destroy(const struct spec *spec, struct values *level)
{
    for (size_t i = 0; level != NULL && i < spec->key_count; i++)
        list_release(&level[i].list);
    free(level);
}

static size_t count_keys(const struct key *table)
{
    size_t count = 0;
    while (table[count].name != NULL)
        count++;
    return count;
}

static void add_keys(struct spec *spec, const struct key *table)
{
    for (; table->name != NULL; table++)
        spec->keys[spec->key_count++] = table;
}

struct spec *spec_create(const struct key *const *tables)
{
    size_t count = count_keys(key_core);
    for (size_t i = 0; tables[i] != NULL; i++)
        count += count_keys(tables[i]);

    struct spec *spec = zeroed(1, sizeof *spec);
    spec->keys = zeroed(count, sizeof *spec->keys);
    add_keys(spec, key_core);
    for (size_t i = 0; tables[i] != NULL; i++)
        add_keys(spec, tables[i]);
    spec->fallback = spec_level_create(spec);
    spec->file = spec_level_create(spec);
    spec->options = spec_level_create(spec);

    const struct origin origin = {.option = "built-in"};
    for (size_t i = 0; i < count; i++) {
        struct err err = {0};
        if (values_parse(&spec->fallback[i].list, spec->keys[i], spec->keys[i]->fallback, &origin,
                         &err) != 0) {
            fprintf(stderr, "a key's built-in value is not one of its values: %s\n", err.text);
            abort();
        }
    }
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
    free(spec->keys);
    free(spec);
}

static size_t section_size(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot != NULL ? (size_t)(dot - name) : strlen(name);
}

/* "workload, row, run, limit, sqlite". */
static void name_sections(const struct spec *spec, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < spec->key_count; i++) {
        const char *name = spec->keys[i]->name;
        size_t length = section_size(name);
        if (i > 0 && section_size(spec->keys[i - 1]->name) == length &&
            strncmp(spec->keys[i - 1]->name, name, length) == 0)
            continue;
        int added =
            snprintf(text + used, size - used, "%s%.*s", used > 0 ? ", " : "", (int)length, name);
        used += added < 0 ? 0 : (size_t)added;
        if (used >= size)
            return;
    }
}

int spec_check_section(const struct spec *spec, const char *section, struct err *err)
{
    size_t length = strlen(section);
    char names[256];
    for (size_t i = 0; i < spec->key_count; i++)
        if (section_size(spec->keys[i]->name) == length &&
            strncmp(spec->keys[i]->name, section, length) == 0)
            return 0;
    if (suggest_is_reserved_section(section))
        return err_set(err, ERR_USAGE, "the section [%s] is reserved for a later version", section);
    name_sections(spec, names, sizeof names);
    return err_set(err, ERR_USAGE, "[%s] is no section; sections are %s and part NAME", section,
                   names);
}

int spec_find(const struct spec *spec, const char *name, size_t *key, struct err *err)
{
    for (size_t i = 0; i < spec->key_count; i++)
        if (strcmp(spec->keys[i]->name, name) == 0) {
            *key = i;
            return 0;
        }
    if (suggest_is_reserved(name))
        return err_set(err, ERR_USAGE, "%s is reserved for a later version; leave it out", name);
    const struct key *meant = suggest_key(spec->keys, spec->key_count, name);
    if (meant != NULL)
        return err_set(err, ERR_USAGE, "%s is no key; did you mean %s?", name, meant->name);
    return err_set(err, ERR_USAGE, "%s is no key; loadline list keys shows them", name);
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
