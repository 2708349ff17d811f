#include "result/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/privacy.h"
#include "device/stack_log.h"
#include "result/put.h"

enum { RESULT_SCHEMA = 1 };

static json_t *names_json(const char names[][STACK_NAME], size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_text(names[i]));
    return array;
}

static double known(double value)
{
    return value < 0 ? NAN : value;
}

/* NULL: nothing limits it. */
static json_t *cap_json(const struct cap *cap)
{
    if (cap->source[0] == 0)
        return NULL;
    json_t *object = json_object();
    put_count(object, "write_bytes_per_s", cap->write_bytes_per_s);
    put_count(object, "write_iops", cap->write_iops);
    put_text(object, "device", cap->device);
    put_text(object, "source", cap->source);
    return object;
}

/* NULL: all is on the devices of the stack. */
static json_t *logs_json(const struct stack *stack)
{
    json_t *array = stack->log_count > 0 ? json_array() : NULL;
    for (size_t i = 0; i < stack->log_count; i++) {
        const struct stack_log *log = &stack->logs[i];
        json_t *object = json_object();
        put_text(object, "use", stack_log_names[log->use]);
        put_text(object, "device", log->name);
        json_array_append_new(array, object);
    }
    return array;
}

static void put_options(json_t *object, const struct stack *stack, enum smart_identify identify)
{
    char options[sizeof stack->mount_options];
    memcpy(options, stack->mount_options, sizeof options);
    if (identify == SMART_ANONYMOUS)
        privacy_hide_options(options);
    put_text(object, "mount_options", options);
}

static json_t *device_json(const struct device *device, const struct drive_reading *drive,
                           size_t target, enum smart_identify identify)
{
    const struct stack *stack = &device->stack;
    const struct identity *id = &device->identity;
    json_t *object = json_object();
    put_text(object, "role", device->role);
    put_count(object, "target", (double)target);
    put_text(object, "path", stack->path);
    put_text(object, "filesystem", stack->filesystem);
    put_text(object, "mount_point", stack->mount_point);
    put_options(object, stack, identify);
    put_real(object, "fill", device->fill);
    put(object, "stack", names_json(stack->names, stack->count));
    put(object, "leaves", names_json(stack->leaves, stack->leaf_count));
    put(object, "logs", logs_json(stack));
    put_text(object, "sampled", stack->known ? stack->sampled : NULL);
    put_text(object, "model", id->model[0] ? id->model : drive->model);
    put_text(object, "firmware", id->firmware[0] ? id->firmware : drive->firmware);
    if (identify == SMART_IDENTIFY) {
        put_text(object, "serial_number", drive->serial);
        put_text(object, "wwn", drive->wwn);
    }
    put_text(object, "transport", id->transport);
    put_text(object, "link", id->link);
    put(object, "rotational", id->rotational < 0 ? NULL : json_boolean(id->rotational));
    put_text(object, "scheduler", id->scheduler);
    put_text(object, "write_cache", id->write_cache);
    put_count(object, "size_bytes", known((double)id->size_bytes));
    put_count(object, "logical_block_bytes", known(id->logical_block_bytes));
    put_count(object, "physical_block_bytes", known(id->physical_block_bytes));
    put(object, "cap", cap_json(&device->cap));
    put_text(object, "in_memory", device->memory);
    drive_put(object, drive);
    return object;
}

static bool is_one_of(const char *key, const char *const *keys)
{
    for (; *keys; keys++)
        if (strcmp(key, *keys) == 0)
            return true;
    return false;
}

/* Where it goes, how often it runs, its limits, how the idle drive is watched or asked. */
static bool makes_no_load(const char *key)
{
    static const char *const keys[] = {
        "target",       "run.target", "label",         "run.label",         "run.repeats",
        "run.baseline", "run.smart",  "postgres.user", "postgres.programs", NULL};
    return is_one_of(key, keys) || strncmp(key, "limit.", 6) == 0;
}

/* Of a directory only whether there is one: "-" is none. */
static json_t *place_json(const json_t *value)
{
    const char *text = json_string_value(value);
    if (!json_is_array(value))
        return json_boolean(text && strcmp(text, "-") != 0);
    json_t *list = json_array();
    size_t index;
    const json_t *item;
    json_array_foreach(value, index, item)
    {
        text = json_string_value(item);
        json_array_append_new(list, json_boolean(text && strcmp(text, "-") != 0));
    }
    return list;
}

static void keep_load(json_t *keys)
{
    static const char *const places[] = {"postgres.wal", "postgres.tablespace", NULL};
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(keys, next, key, value)
    {
        if (makes_no_load(key))
            json_object_del(keys, key);
        else if (is_one_of(key, places))
            json_object_set_new(keys, key, place_json(value));
    }
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static json_t *workload_hash(const json_t *workload)
{
    json_t *load = json_deep_copy(workload);
    size_t index;
    json_t *part;
    json_object_del(load, "name");
    keep_load(load);
    json_array_foreach(json_object_get(load, "parts"), index, part)
    {
        keep_load(part);
    }
    char *text = json_dumps(load, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(load);
    if (!text)
        return json_null();
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    free(text);
    char shown[17];
    snprintf(shown, sizeof shown, "%016" PRIx64, hash);
    return json_string(shown);
}

static json_t *environment_json(const struct header_record *header)
{
    const struct environment *machine = header->environment;
    json_t *object = json_object();
    if (header->identify == SMART_IDENTIFY)
        put_text(object, "host", header->host);
    put_text(object, "kernel", machine->kernel);
    put_text(object, "cpu_model", machine->cpu_model);
    put_count(object, "cpus", machine->cpus ? (double)machine->cpus : NAN);
    put_count(object, "memory_bytes", machine->memory_bytes ? (double)machine->memory_bytes : NAN);
    put_text(object, "engine", header->engine);
    put_text(object, "engine_version", header->engine_version);
    put(object, "engine_settings", header->engine_settings);
    return object;
}

static void put_targets(json_t *object, const struct header_record *header)
{
    json_t *targets = json_array(), *devices = json_array();
    struct drive_reading unknown;
    drive_reading_init(&unknown);
    for (size_t i = 0; i < header->target_count; i++) {
        const struct header_target *from = &header->targets[i];
        json_t *target = json_object();
        put_text(target, "target", from->target);
        put_text(target, "engine", from->engine);
        put(target, "wal_elsewhere", json_boolean(from->wal_elsewhere));
        json_array_append_new(targets, target);
        for (size_t d = 0; from->devices && d < from->devices->count; d++)
            json_array_append_new(devices, device_json(&from->devices->devices[d],
                                                       from->drives ? &from->drives[d] : &unknown,
                                                       i, header->identify));
    }
    put(object, "devices", devices);
    put(object, "targets", targets);
}

json_t *header_json(const struct header_record *header)
{
    json_t *object = json_object();
    put_text(object, "record", "header");
    put_text(object, "loadline", LOADLINE_VERSION);
    put_count(object, "schema", RESULT_SCHEMA);
    put_text(object, "run_id", header->run_id);
    put_text(object, "label", header->label);
    put_text(object, "started", header->started);
    json_t *workload = json_object();
    put_text(workload, "name", header->workload_name);
    json_object_update(workload, header->workload);
    put(object, "workload", workload);
    put(object, "workload_hash", workload_hash(workload));
    put(object, "workload_differs", header->differs);
    json_decref(header->workload);
    put(object, "environment", environment_json(header));
    put_targets(object, header);
    put_count(object, "trials_planned", header->trials > 0 ? (double)header->trials : NAN);
    put(object, "asked", header->asked ? asked_json(header->asked) : NULL);
    put(object, "result_on_target", json_boolean(header->result_on_target));
    json_t *warnings = json_array();
    for (size_t i = 0; i < header->warning_count; i++)
        json_array_append_new(warnings, json_text(header->warnings[i]));
    put(object, "warnings", warnings);
    return object;
}

static json_t *disk_json(const struct diskstats *row)
{
    json_t *object = json_object();
    for (int field = 0; field < DISK_FIELDS; field++)
        put(object, disk_field_names[field],
            diskstats_has(row, (enum disk_field)field) ? json_integer((json_int_t)row->value[field])
                                                       : NULL);
    return object;
}

static json_t *counts_json(const uint64_t *counts, size_t count, uint64_t factor)
{
    if (!counts)
        return NULL;
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer((json_int_t)(counts[i] * factor)));
    return array;
}

static void put_streams(json_t *object, const struct sample *sample)
{
    /* A tick of very many streams would fill the log faster than some drives write: between
     * the marks only the sums are kept then. */
    enum { STREAMS_EACH_TICK = 256 };
    json_t *streams = NULL;
    if (sample->mark != SAMPLE_TICK || sample->stream_count <= STREAMS_EACH_TICK) {
        streams = json_object();
        put(streams, "commits", counts_json(sample->stream_commits, sample->stream_count, 1));
        put(streams, "rows", counts_json(sample->stream_rows, sample->stream_count, 1));
        put(streams, "bytes",
            counts_json(sample->stream_rows, sample->stream_count, sample->row_bytes));
    }
    put(object, "streams", streams);
}

json_t *sample_json(const struct sample *sample, const struct device_set *devices,
                    int64_t origin_ns)
{
    json_t *object = json_object();
    put_text(object, "record", "sample");
    put_real(object, "t0", (double)(sample->t0_ns - origin_ns) / 1e9);
    put_real(object, "t1", (double)(sample->t1_ns - origin_ns) / 1e9);
    put_text(object, "mark", sample_mark_names[sample->mark]);
    put_count(object, "trial", sample->trial);
    put_count(object, "phase", sample->phase);
    put_count(object, "cycle", sample->cycle);
    put_count(object, "commits", (double)sample->commits);
    put_count(object, "rows", (double)sample->rows);
    put_count(object, "bytes", (double)sample->rows * (double)sample->row_bytes);
    put_count(object, "retries", (double)sample->retries);
    put_streams(object, sample);
    json_t *disks = json_object();
    for (size_t i = 0; devices && i < sample->disk_count && i < devices->name_count; i++)
        put(disks, devices->names[i], disk_json(&sample->disks[i]));
    put(object, "disks", disks);
    json_t *gauges = json_object();
    for (size_t i = 0; i < sample->gauge_count; i++)
        put_number(gauges, sample->gauges[i].name, sample->gauges[i].value);
    put(object, "gauges", gauges);
    json_t *cpu = json_object();
    put_real(cpu, "client_s", (double)sample->client_cpu_ns / 1e9);
    put_count(cpu, "host_busy_ticks", (double)sample->host.busy);
    put_count(cpu, "host_total_ticks", (double)sample->host.total);
    put(object, "cpu", cpu);
    put_real(object, "temperature_c", sample->temperature_c);
    char *commit = sample->commit ? hist_encode(sample->commit) : NULL;
    put_text(object, "commit", commit);
    free(commit);
    return object;
}

json_t *event_json(double at_s, int trial, const char *kind, const char *text)
{
    json_t *event = json_object();
    put_text(event, "record", "event");
    put_real(event, "at_s", at_s);
    put_count(event, "trial", trial < 0 ? NAN : (double)trial);
    put_text(event, "kind", kind);
    put_text(event, "text", text);
    return event;
}

json_t *end_json(json_t *analysis, bool partial)
{
    json_t *end = json_object();
    put_text(end, "record", "end");
    put(end, "partial", json_boolean(partial));
    put(end, "analysis", analysis);
    return end;
}
