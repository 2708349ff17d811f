#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "workload/ini.h"
#include "workload/spec_inner.h"

struct reading {
    struct spec *spec;
    const char *file;
    bool is_part; /* the current section is the last part */
};

static int fail_at(const struct reading *reading, unsigned line, struct err *err)
{
    return err_context(err, "%s:%u", reading->file, line);
}

/* The name behind "part", or NULL: another section. */
static const char *part_name(const char *section)
{
    if (strncmp(section, "part", 4) != 0)
        return NULL;
    const char *name = section + 4;
    if (*name != '\0' && *name != ' ' && *name != '\t')
        return NULL;
    return name + strspn(name, " \t");
}

static int open_part(struct reading *reading, const char *name, unsigned line, struct err *err)
{
    struct spec *spec = reading->spec;
    if (*name == '\0') {
        err_set(err, ERR_USAGE, "the part has no name; write [part bulk], for example");
        return fail_at(reading, line, err);
    }
    for (size_t i = 0; i < spec->part_count; i++)
        if (strcmp(spec->parts[i].name, name) == 0) {
            err_set(err, ERR_USAGE, "[part %s] is there twice, first in line %u; rename one", name,
                    spec->parts[i].line);
            return fail_at(reading, line, err);
        }
    struct part *parts = realloc(spec->parts, (spec->part_count + 1) * sizeof *parts);
    if (parts == NULL)
        abort();
    spec->parts = parts;
    spec->parts[spec->part_count++] =
        (struct part){.name = fs_path("%s", name), .line = line, .own = spec_level_create(spec)};
    reading->is_part = true;
    return 0;
}

static int open_section(struct reading *reading, const struct ini_entry *entry, struct err *err)
{
    const char *name = part_name(entry->section);
    if (name != NULL)
        return open_part(reading, name, entry->line, err);
    reading->is_part = false;
    if (spec_check_section(reading->spec, entry->section, err) != 0)
        return fail_at(reading, entry->line, err);
    return 0;
}

/* The key's index; `full` is its name with the section. */
static int find_key(const struct reading *reading, const struct ini_entry *entry, const char *full,
                    size_t *key, struct err *err)
{
    struct err ignored;
    if (entry->section[0] == '\0') {
        err_set(err, ERR_USAGE, "%s stands before any section; put [workload] above it, say",
                entry->key);
        return fail_at(reading, entry->line, err);
    }
    if (spec_find(reading->spec, full, key, err) == 0)
        return 0;
    if (reading->is_part && strchr(full, '.') == NULL)
        err_context(err, "in a part a key has its section before it, as in workload.rows = 1");
    else if (!reading->is_part && spec_find(reading->spec, entry->key, key, &ignored) == 0)
        err_set(err, ERR_USAGE, "%s is no key; in [%s] keys are written without their section",
                full, entry->section);
    return fail_at(reading, entry->line, err);
}

static int set_key(struct reading *reading, const struct ini_entry *entry, const char *full,
                   struct err *err)
{
    struct spec *spec = reading->spec;
    const struct origin origin = {.file = reading->file, .line = entry->line};
    size_t key;
    if (find_key(reading, entry, full, &key, err) != 0)
        return -1;
    struct values *level = reading->is_part ? spec->parts[spec->part_count - 1].own : spec->file;
    if (level[key].list.count > 0) {
        err_set(err, ERR_USAGE, "%s is given twice, first in line %u; remove one", full,
                level[key].line);
        return fail_at(reading, entry->line, err);
    }
    level[key].line = entry->line;
    return values_parse(&level[key].list, spec->keys[key], entry->value, &origin, err);
}

static int read_entry(void *ctx, const struct ini_entry *entry, struct err *err)
{
    struct reading *reading = ctx;
    if (entry->key == NULL)
        return open_section(reading, entry, err);
    if (reading->is_part)
        return set_key(reading, entry, entry->key, err);
    char *full = fs_path("%s.%s", entry->section, entry->key);
    int status = set_key(reading, entry, full, err);
    free(full);
    return status;
}

int spec_read(struct spec *spec, const char *text, size_t size, const char *name, struct err *err)
{
    struct reading reading = {.spec = spec, .file = name};
    spec_forget_file(spec);
    return ini_read(text, size, name, read_entry, &reading, err);
}
