#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/record.h"

static void add_device(struct device_set *set, const struct run *run, const char *role,
                       const char *name, const char *path, const char *mount)
{
    struct device *device = &set->devices[set->count++];
    *device = (struct device){.role = role, .fill = 0.61, .leaf_count = 1};
    snprintf(device->stack.path, sizeof device->stack.path, "%s", path);
    snprintf(device->stack.filesystem, sizeof device->stack.filesystem, "ext4");
    snprintf(device->stack.mount_point, sizeof device->stack.mount_point, "%s", mount);
    snprintf(device->stack.mount_options, sizeof device->stack.mount_options,
             "rw,noatime,relatime");
    snprintf(device->stack.sampled, STACK_NAME, "%s", name);
    snprintf(device->stack.names[0], STACK_NAME, "%s", name);
    snprintf(device->stack.leaves[0], STACK_NAME, "%s", name);
    device->stack.known = true;
    device->stack.count = device->stack.leaf_count = 1;
    device->identity = (struct identity){.model = "Example 1TB",
                                         .firmware = "2B4Q",
                                         .scheduler = "none",
                                         .rotational = 0,
                                         .size_bytes = INT64_C(1000204886016),
                                         .logical_block_bytes = 512,
                                         .physical_block_bytes = 512};
    snprintf(device->identity.name, sizeof device->identity.name, "%s", name);
    snprintf(device->identity.write_cache, sizeof device->identity.write_cache, "%s",
             run->write_cache ? run->write_cache : "");
    while (device->sampled < set->name_count && strcmp(set->names[device->sampled], name) != 0)
        device->sampled++;
    device->leaves[0] = device->sampled;
    if (device->sampled == set->name_count)
        set->names[set->name_count++] = device->stack.sampled;
}

static struct device_set *make_devices(const struct run *run)
{
    struct device_set *set = calloc(1, sizeof *set);
    if (!run->no_device)
        add_device(set, run, "data", "nvme0n1", run->path, "/mnt/ssd");
    if (run->log_path)
        add_device(set, run, "wal", "nvme1n1", run->log_path, "/mnt/log");
    else if (run->has_log)
        add_device(set, run, "wal", "nvme0n1", run->path, "/mnt/ssd");
    return set;
}

static json_t *value_json(const char *text)
{
    if (!strchr(text, '|'))
        return json_string(text);
    json_t *list = json_array();
    for (size_t size; *text; text += size + (text[size] == '|')) {
        size = strcspn(text, "|");
        json_array_append_new(list, json_stringn(text, size));
    }
    return list;
}

static json_t *workload_json(const struct run *run)
{
    static const char *const common[] = {
        "workload.phases", "insert, delete",   "row.payload", "100", "row.indexes", "0",
        "workload.layout", "table-per-stream", NULL};
    json_t *workload = json_object();
    for (size_t i = 0; common[i]; i += 2)
        json_object_set_new(workload, common[i], value_json(common[i + 1]));
    for (size_t i = 0; run->keys[i]; i += 2)
        json_object_set_new(workload, run->keys[i], value_json(run->keys[i + 1]));
    if (run->parts)
        json_object_set(workload, "parts", run->parts);
    return workload;
}

/* What the run sets itself is taken for what is not built in. */
static json_t *differs_json(const struct run *run)
{
    json_t *names = json_array();
    for (size_t i = 0; run->keys[i]; i += 2)
        json_array_append_new(names, json_string(run->keys[i]));
    return names;
}

static json_t *settings_json(const struct run *run)
{
    json_t *settings = json_object();
    for (size_t i = 0; run->settings && run->settings[i]; i += 2)
        json_object_set_new(settings, run->settings[i], json_string(run->settings[i + 1]));
    if (run->settings)
        return settings;
    json_decref(settings);
    if (strcmp(run->engine, "sqlite") != 0)
        return json_object();
    return json_pack("{s:s, s:s, s:s}", "journal_mode", "WAL", "synchronous", "FULL", "page_size",
                     "4096");
}

struct log *run_open(const struct run *run, struct world *world)
{
    struct err err;
    struct log *log;
    char path[64];
    snprintf(path, sizeof path, "%s.jsonl", run->name);
    unlink(path);
    if (log_create(path, &log, &err) != 0) {
        fprintf(stderr, "make_logs: %s\n", err.text);
        exit(1);
    }
    *world = (struct world){.devices = make_devices(run),
                            .rng = {42},
                            .now_s = 3.5,
                            .server = strcmp(run->engine, "postgres") == 0};
    const struct environment machine = {.kernel = "6.1.0-18-amd64",
                                        .cpu_model = "Example CPU",
                                        .cpus = 8,
                                        .memory_bytes = UINT64_C(16) << 30};
    const struct header_target target = {.target = run->path,
                                         .engine = run->engine,
                                         .devices = world->devices,
                                         .drives = run->before,
                                         .wal_elsewhere = run->wal_elsewhere};
    const struct header_record header = {
        .run_id = run->run_id ? run->run_id : "0123456789abcdef",
        .started = "2026-12-01T09:14:00Z",
        .label = run->label,
        .workload_name = run->workload_name,
        .workload = workload_json(run),
        .differs = differs_json(run),
        .environment = &machine,
        .engine = run->engine,
        .engine_version = run->engine_version,
        .engine_settings = settings_json(run),
        .target_count = 1,
        .targets = &target,
        .trials = run->trials,
        .warning_count = run->warning ? 1 : 0,
        .warnings = &run->warning,
        .result_on_target = run->result_on_target,
        .asked = run->asked,
    };
    scene_write(log, header_json(&header));
    return log;
}

void run_close(struct log *log, struct world *world)
{
    struct err err;
    free(world->devices);
    if (log_close(log, &err) != 0) {
        fprintf(stderr, "make_logs: %s\n", err.text);
        exit(1);
    }
}

void run_end(const struct run *run, struct log *log, struct world *world)
{
    json_t *end = end_json(json_object(), false);
    if (run->after) {
        json_t *drive = json_object();
        drive_put(drive, run->after);
        json_object_set_new(end, "drives_after", json_pack("[o]", drive));
    }
    scene_write(log, end);
    run_close(log, world);
}

void run_trial(struct log *log, struct world *world, struct trial_record *record,
               const struct scene *scenes, size_t count)
{
    world->phase = 0;
    record->index = world->trial;
    scene_write(log, trial_start_json(world->now_s, record));
    record->phases = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(record->phases, scene_play(world, &scenes[i], SCENE_TICKS));
    record->phase_count = count;
    record->floor_before = record->floor_after = scenes[0].floor;
    scene_write(log, trial_json(record));
    json_decref(record->phases);
    world->trial++;
}
