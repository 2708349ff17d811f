#include "cli/device_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "cli/device_health.h"
#include "cli/device_query.h"
#include "device/diskstats.h"
#include "device/identity.h"
#include "device/kind.h"
#include "device/privacy.h"
#include "device/stack_below.h"
#include "device/stack_log.h"
#include "device/stack_paths.h"
#include "device/sysfs.h"
#include "result/put.h"

enum { DISKSTATS_LIMIT = 64 << 20 };

void device_json_put(json_t *object, const char *name, json_t *value)
{
    json_t *key = json_text(name); /* valid UTF-8 */
    json_object_set_new(object, json_string_value(key), value);
    json_decref(key);
}

static struct stack *new_stack(void)
{
    struct stack *stack = calloc(1, sizeof *stack);
    if (stack == NULL)
        abort();
    return stack;
}

static json_t *tops_json(const struct stack *stack)
{
    json_t *array = json_array();
    for (size_t i = 0; i < stack->top_count; i++)
        json_array_append_new(array, json_text(stack->tops[i]));
    return array;
}

static json_t *leaves_json(const struct stack *stack)
{
    json_t *array = json_array();
    for (size_t i = 0; i < stack->leaf_count; i++)
        json_array_append_new(array, json_text(stack->leaves[i]));
    return array;
}

static void put_mapper_name(json_t *object, const char *directory, enum smart_identify identify)
{
    char name[256];
    if (kind_mapper_name(directory, name, sizeof name) &&
        (identify == SMART_IDENTIFY || !privacy_is_wwn(directory, name)))
        put_text(object, "dm_name", name);
}

static json_t *top_json(const char *root, const char *name, enum smart_identify identify)
{
    json_t *object = json_object();
    struct stack *below = new_stack();
    char *directory = sysfs_block(root, name), number[32], whole[STACK_NAME];
    put_text(object, "device", name);
    put_text(object, "devno",
             directory && sysfs_text(directory, "dev", number, sizeof number) ? number : NULL);
    memcpy(whole, name, strlen(name) + 1);
    if (directory != NULL && kind_is_partition(directory)) {
        char *disk = fs_path("%.*s", (int)(strrchr(directory, '/') - directory), directory);
        sysfs_name(disk, whole, sizeof whole);
        free(disk);
    }
    put_text(object, "whole_disk", whole);
    stack_of_device(root, name, below);
    put(object, "leaf_disks", leaves_json(below));
    if (directory != NULL)
        put_mapper_name(object, directory, identify);
    free(directory);
    free(below);
    return object;
}

static json_t *below_json(const char *root, const char *directory)
{
    json_t *array = json_array();
    struct stack_below below;
    stack_below_read(root, directory, &below);
    for (size_t i = 0; i < below.count; i++) {
        char name[STACK_NAME];
        if (sysfs_name(below.directories[i], name, sizeof name))
            json_array_append_new(array, json_text(name));
    }
    stack_below_release(&below);
    return array;
}

static double known(double value)
{
    return value < 0 ? NAN : value;
}

static void put_backing(json_t *object, const char *root, const char *name)
{
    struct stack *under = new_stack();
    char *file;
    device_query_backing(root, name, &file, under);
    if (file != NULL) {
        put_text(object, "backing_file", file);
        put(object, "backing_devices", tops_json(under));
    }
    free(file);
    free(under);
}

static void put_health(json_t *object, const char *root, const char *name,
                       enum smart_identify identify)
{
    struct device_health health;
    device_health_read(root, name, identify, &health);
    device_health_put(&health, identify, object);
}

static json_t *level_json(const char *root, const char *name, enum smart_identify identify)
{
    json_t *object = json_object();
    char *directory = sysfs_block(root, name), kind[KIND_SIZE];
    struct identity id;
    put_text(object, "name", name);
    if (directory == NULL)
        return object;
    kind_read(directory, kind);
    identity_read(root, name, &id);
    put_text(object, "kind", kind);
    put(object, "on", below_json(root, directory));
    put_mapper_name(object, directory, identify);
    put_backing(object, root, name);
    put_count(object, "size_bytes", known((double)id.size_bytes));
    put_text(object, "scheduler", id.scheduler);
    put_text(object, "write_cache", id.write_cache);
    put(object, "rotational", id.rotational < 0 ? NULL : json_boolean(id.rotational));
    put_text(object, "model", id.model);
    put_text(object, "firmware", id.firmware);
    put_text(object, "transport", id.transport);
    put_text(object, "link", id.link);
    put_count(object, "logical_block_bytes", known(id.logical_block_bytes));
    put_count(object, "physical_block_bytes", known(id.physical_block_bytes));
    if (device_health_has(root, name))
        put_health(object, root, name, identify);
    free(directory);
    return object;
}

/* The head counts for itself on newer kernels. */
static bool counts_itself(const char *root, const char *name)
{
    char *path = fs_path("%s/proc/diskstats", root), *text = NULL;
    struct diskstats row = {.present = 0};
    struct err ignored;
    size_t size, start = 0;
    const char *why;
    if (fs_read(path, DISKSTATS_LIMIT, &text, &size, &ignored) == 0)
        while (start < size && strcmp(row.name, name) != 0) {
            size_t length = strcspn(text + start, "\n");
            diskstats_parse_line(text + start, length, &row, &why);
            start += length + 1;
        }
    free(text);
    free(path);
    return strcmp(row.name, name) == 0 && !diskstats_is_idle_head(&row);
}

static void put_stats_from(json_t *object, const char *root, const struct stack *stack)
{
    json_t *from = json_array();
    for (size_t i = 0; i < stack->leaf_count; i++) {
        char **paths;
        size_t count = stack_paths(root, stack->leaves[i], &paths);
        bool itself = count > 0 && counts_itself(root, stack->leaves[i]);
        for (size_t p = 0; p < count && !itself; p++)
            json_array_append_new(from, json_text(paths[p]));
        stack_paths_free(paths, count);
    }
    if (json_array_size(from) > 0)
        put(object, "stats_from", json_incref(from));
    json_decref(from);
}

/* Only where there are such devices. */
static void put_logs(json_t *object, const char *root, const struct stack *stack,
                     enum smart_identify identify)
{
    json_t *logs = json_array();
    for (size_t i = 0; i < stack->log_count; i++) {
        const struct stack_log *log = &stack->logs[i];
        json_t *one = log->name[0] ? top_json(root, log->name, identify) : json_object();
        if (log->name[0] == 0)
            put(one, "device", NULL);
        put_text(one, "use", stack_log_names[log->use]);
        if (log->use == STACK_LOG_CACHE) {
            put_text(one, "of", log->of);
            put_text(one, "mode", log->mode);
        }
        json_array_append_new(logs, one);
    }
    if (stack->log_count > 0)
        put(object, "logs", json_incref(logs));
    json_decref(logs);
}

static void put_options(json_t *object, const struct stack *stack, enum smart_identify identify)
{
    char options[sizeof stack->mount_options];
    memcpy(options, stack->mount_options, sizeof options);
    if (identify == SMART_ANONYMOUS)
        privacy_hide_options(options);
    put_text(object, "mount_options", options);
}

json_t *device_json(const char *root, const struct stack *stack, enum smart_identify identify)
{
    json_t *object = json_object(), *devices = json_array(), *levels = json_array();
    for (size_t i = 0; i < stack->top_count; i++)
        json_array_append_new(devices, top_json(root, stack->tops[i], identify));
    for (size_t i = 0; i < stack->count; i++)
        json_array_append_new(levels, level_json(root, stack->names[i], identify));
    put(object, "devices", devices);
    if (stack->reason[0] != 0)
        put_text(object, "reason", stack->reason);
    if (stack->incomplete)
        put(object, "incomplete", json_true());
    put_text(object, "filesystem", stack->filesystem);
    put_text(object, "mount_point", stack->mount_point);
    put_options(object, stack, identify);
    put_logs(object, root, stack, identify);
    put_stats_from(object, root, stack);
    if (stack->leaf_count == 1)
        put_backing(object, root, stack->leaves[0]);
    put(object, "levels", levels);
    return object;
}
