/* Which keys there are: rows of the tables, and names that a wildcard row lets in. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/spec_inner.h"
#include "workload/suggest.h"

static void *larger(void *array, size_t count, size_t item_size)
{
    void *memory = realloc(array, count * item_size);
    if (memory == NULL)
        abort();
    return memory;
}

/* The length of what stands before the * of "postgres.conf.*"; 0: no wildcard. */
static size_t wildcard_size(const struct key *key)
{
    size_t size = strlen(key->name);
    return size > 2 && strcmp(key->name + size - 2, ".*") == 0 ? size - 1 : 0;
}

static struct values *level_grow(struct values *level, size_t count)
{
    if (level == NULL)
        return NULL;
    level = larger(level, count, sizeof *level);
    level[count - 1] = (struct values){0};
    return level;
}

/* Appends a key with its built-in value; no level has a value of it. */
static void add_key(struct spec *spec, const struct key *key)
{
    const struct origin origin = {.option = "built-in"};
    struct err err = {0};
    size_t count = ++spec->key_count;
    spec->keys = larger(spec->keys, count, sizeof *spec->keys);
    spec->keys[count - 1] = key;
    spec->fallback =
        spec->fallback == NULL ? spec_level_create(spec) : level_grow(spec->fallback, count);
    spec->file = level_grow(spec->file, count);
    spec->options = level_grow(spec->options, count);
    for (size_t i = 0; i < spec->part_count; i++)
        spec->parts[i].own = level_grow(spec->parts[i].own, count);
    if (values_parse(&spec->fallback[count - 1].list, key, key->fallback, &origin, &err) != 0) {
        fprintf(stderr, "a key's built-in value is not one of its values: %s\n", err.text);
        abort();
    }
}

static bool is_added(const struct spec *spec, const struct key *row)
{
    for (size_t i = 0; i < spec->key_count; i++)
        if (spec->keys[i] == row)
            return true;
    for (size_t i = 0; i < spec->wildcard_count; i++)
        if (spec->wildcards[i] == row)
            return true;
    return false;
}

void spec_add_table(struct spec *spec, const struct key *table)
{
    /* Two engines may share one table. */
    if (table->name == NULL || is_added(spec, table))
        return;
    for (; table->name != NULL; table++) {
        if (wildcard_size(table) == 0) {
            add_key(spec, table);
            continue;
        }
        spec->wildcards =
            larger(spec->wildcards, spec->wildcard_count + 1, sizeof *spec->wildcards);
        spec->wildcards[spec->wildcard_count++] = table;
    }
    spec->table_count = spec->key_count;
}

void spec_drop_unused(struct spec *spec)
{
    size_t kept = spec->table_count;
    for (size_t i = kept; i < spec->key_count; i++) {
        if (spec->options[i].list.count == 0) {
            list_release(&spec->fallback[i].list);
            free((void *)spec->keys[i]);
            continue;
        }
        spec->keys[kept] = spec->keys[i];
        spec->fallback[kept] = spec->fallback[i];
        spec->options[kept] = spec->options[i];
        kept++;
    }
    spec->key_count = kept;
}

static size_t section_size(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot != NULL ? (size_t)(dot - name) : strlen(name);
}

static bool is_in_section(const struct key *key, const char *section, size_t length)
{
    return section_size(key->name) == length && strncmp(key->name, section, length) == 0;
}

/* Row number `i` of the tables, the wildcards last. */
static const struct key *row_at(const struct spec *spec, size_t i)
{
    return i < spec->table_count ? spec->keys[i] : spec->wildcards[i - spec->table_count];
}

/* Is some row before number `end` in this section? */
static bool has_section(const struct spec *spec, size_t end, const char *section, size_t length)
{
    for (size_t i = 0; i < end; i++)
        if (is_in_section(row_at(spec, i), section, length))
            return true;
    return false;
}

/* "workload, row, run, limit, sqlite". */
static void name_sections(const struct spec *spec, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < spec->table_count + spec->wildcard_count && used < size; i++) {
        const char *name = row_at(spec, i)->name;
        size_t length = section_size(name);
        if (has_section(spec, i, name, length))
            continue;
        int added =
            snprintf(text + used, size - used, "%s%.*s", used > 0 ? ", " : "", (int)length, name);
        used += added < 0 ? 0 : (size_t)added;
    }
}

int spec_check_section(const struct spec *spec, const char *section, struct err *err)
{
    char names[256];
    if (has_section(spec, spec->table_count + spec->wildcard_count, section, strlen(section)))
        return 0;
    if (suggest_is_reserved_section(section))
        return err_set(err, ERR_USAGE, "the section [%s] is reserved for a later version", section);
    name_sections(spec, names, sizeof names);
    return err_set(err, ERR_USAGE, "[%s] is no section; sections are %s and part NAME", section,
                   names);
}

/* The wildcard that begins like `name`; NULL: none. */
static const struct key *find_wildcard(const struct spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->wildcard_count; i++)
        if (strncmp(spec->wildcards[i]->name, name, wildcard_size(spec->wildcards[i])) == 0)
            return spec->wildcards[i];
    return NULL;
}

static int add_by_wildcard(struct spec *spec, const struct key *row, const char *name,
                           struct err *err)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    const char *rest = name + wildcard_size(row);
    if (*rest == '\0' || rest[strspn(rest, letters)] != '\0')
        return err_set(err, ERR_USAGE,
                       "%s is no key; in %s put a name of letters, digits, _ and . for the *", name,
                       row->name);
    size_t size = strlen(name) + 1;
    struct key *key = spec_zeroed(1, sizeof *key + size);
    *key = *row;
    key->name = memcpy(key + 1, name, size);
    add_key(spec, key);
    return 0;
}

static int refuse(const struct spec *spec, const char *name, struct err *err)
{
    if (suggest_is_reserved(name))
        return err_set(err, ERR_USAGE, "%s is reserved for a later version; leave it out", name);
    for (size_t i = 0; i < spec->wildcard_count; i++) {
        const char *row = spec->wildcards[i]->name;
        const char *rest = suggest_wildcard(row, name);
        if (rest != NULL)
            return err_set(err, ERR_USAGE, "%s is no key; did you mean %.*s%s?", name,
                           (int)wildcard_size(spec->wildcards[i]), row, rest);
    }
    const struct key *meant = suggest_key(spec->keys, spec->table_count, name);
    if (meant != NULL)
        return err_set(err, ERR_USAGE, "%s is no key; did you mean %s?", name, meant->name);
    return err_set(err, ERR_USAGE, "%s is no key; loadline list keys shows them", name);
}

int spec_find(struct spec *spec, const char *name, size_t *key, struct err *err)
{
    for (size_t i = 0; i < spec->key_count; i++)
        if (strcmp(spec->keys[i]->name, name) == 0) {
            *key = i;
            return 0;
        }
    const struct key *wildcard = find_wildcard(spec, name);
    if (wildcard == NULL)
        return refuse(spec, name, err);
    *key = spec->key_count;
    return add_by_wildcard(spec, wildcard, name, err);
}
