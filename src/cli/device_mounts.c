#include "cli/device_mounts.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "cli/device_json.h"
#include "cli/device_query.h"
#include "cli/listing.h"
#include "device/mountinfo.h"
#include "result/put.h"

enum { MOUNTS_LIMIT = 64 << 20 };

static void put_source(json_t *object, const struct mount *mount)
{
    put(object, "fstype", json_text(mount->kind));
    put(object, "source", json_text(mount->source)); /* "" where the kernel gave none */
}

static json_t *lookup_json(const struct mount_table *table, const char *path)
{
    const struct mount *mount = mount_table_find(table, path);
    json_t *object = json_object();
    char number[32];
    put(object, "mount_id", mount ? json_integer(mount->id) : NULL);
    if (mount == NULL)
        return object;
    snprintf(number, sizeof number, "%u:%u", mount->major, mount->minor);
    put_count(object, "line", (double)mount->line);
    put_text(object, "major_minor", number);
    put_source(object, mount);
    put_text(object, "class", mount_class_names[mount_class(mount)]);
    put(object, "mount_point", json_text(mount->point));
    return object;
}

static json_t *mount_json(const struct mount *mount)
{
    json_t *object = json_object(), *optional = json_array();
    char *copy = fs_path("%s", mount->optional), *rest = NULL;
    for (char *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
        json_array_append_new(optional, json_text(one));
    free(copy);
    put_count(object, "line", (double)mount->line);
    put_count(object, "id", mount->id);
    put_count(object, "parent", mount->parent);
    put_count(object, "major", mount->major);
    put_count(object, "minor", mount->minor);
    put(object, "root", json_text(mount->root));
    put(object, "mount_point", json_text(mount->point));
    put(object, "optional", optional);
    put_source(object, mount);
    put(object, "options", json_text(mount->options));
    put(object, "super_options", json_text(mount->super_options));
    return object;
}

static json_t *rejected_json(const struct mount_table *table)
{
    json_t *rejected = json_array();
    for (size_t i = 0; i < table->rejected_count; i++) {
        json_t *one = json_array();
        json_array_append_new(one, json_integer((json_int_t)table->rejected[i].line));
        json_array_append_new(one, json_text(table->rejected[i].why));
        json_array_append_new(rejected, one);
    }
    return rejected;
}

static json_t *table_json(const struct mount_table *table, char *const *paths, int path_count,
                          struct err *err)
{
    json_t *object = json_object(), *lookups = json_object(), *mounts = json_array();
    put_count(object, "accepted", (double)table->count);
    put(object, "rejected_lines", rejected_json(table));
    put(object, "lookups", lookups);
    put(object, "mounts", mounts);
    for (int i = 0; i < path_count; i++) {
        char *clean = device_query_path(paths[i], err);
        if (clean == NULL) {
            json_decref(object);
            return NULL;
        }
        device_json_put(lookups, paths[i], lookup_json(table, clean));
        free(clean);
    }
    for (size_t i = 0; i < table->count; i++)
        json_array_append_new(mounts, mount_json(&table->mounts[i]));
    return object;
}

json_t *device_mounts(const char *file, char *const *paths, int path_count, struct err *err)
{
    struct mount_table table;
    char *text;
    size_t size;
    if (fs_read(file, MOUNTS_LIMIT, &text, &size, err) != 0)
        return NULL;
    json_t *object = NULL;
    if (mount_table_parse(text, size, &table, err) == 0) {
        object = table_json(&table, paths, path_count, err);
        mount_table_release(&table);
    }
    free(text);
    return object;
}

static int print_lookups(FILE *out, const json_t *lookups, struct err *err)
{
    static const char *const titles[] = {"path",  "mounted at", "number", "type",
                                         "class", "source",     NULL};
    const char *path;
    json_t *lookup;
    struct listing *listing = listing_create(out, titles);
    json_object_foreach((json_t *)lookups, path, lookup)
    {
        const char *cells[] = {path,
                               json_text_at(lookup, "mount_point"),
                               json_text_at(lookup, "major_minor"),
                               json_text_at(lookup, "fstype"),
                               json_text_at(lookup, "class"),
                               json_text_at(lookup, "source")};
        listing_add(listing, cells);
    }
    return listing_print(listing, err);
}

int device_mounts_print(FILE *out, const json_t *mounts, struct err *err)
{
    static const char *const titles[] = {"mounted at", "type", "source", NULL};
    const json_t *lookups = json_object_get(mounts, "lookups"), *mount;
    const json_t *list = json_object_get(mounts, "mounts");
    size_t index;
    if (json_object_size(lookups) > 0)
        return print_lookups(out, lookups, err);
    if (json_array_size(list) == 0)
        return err_set(err, ERR_FAILED, "no line of the file is one of /proc/self/mountinfo");
    struct listing *listing = listing_create(out, titles);
    json_array_foreach(list, index, mount)
    {
        const char *cells[] = {json_text_at(mount, "mount_point"), json_text_at(mount, "fstype"),
                               json_text_at(mount, "source")};
        listing_add(listing, cells);
    }
    return listing_print(listing, err);
}
