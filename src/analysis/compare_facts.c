#include "analysis/compare_facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_drives.h"
#include "base/format.h"
#include "base/fs.h"
#include "result/keys.h"
#include "result/put.h"

/* ---- of a target ---- */

static void put_amount(json_t *facts, const char *name, double value,
                       const char *(*format)(struct format_text *out, double value))
{
    struct format_text text;
    put_text(facts, name, isnan(value) ? NULL : format(&text, value));
}

static void put_percent(json_t *facts, const char *name, double share)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f%%", 100 * share);
    put_text(facts, name, isnan(share) ? NULL : text);
}

static void put_flag(json_t *facts, const char *name, const json_t *flag)
{
    put_text(facts, name, json_is_boolean(flag) ? json_is_true(flag) ? "yes" : "no" : NULL);
}

static void put_cap(json_t *facts, const json_t *device)
{
    double bytes = json_number_at(device, "cap.write_bytes_per_s");
    double iops = json_number_at(device, "cap.write_iops");
    char text[96] = "none";
    struct format_text shown;
    if (!isnan(bytes))
        snprintf(text, sizeof text, "%s/s", format_bytes(&shown, bytes));
    else if (!isnan(iops))
        snprintf(text, sizeof text, "%s writes/s", format_digits(&shown, iops));
    put_text(facts, "I/O limit", text);
}

/* A log that lies with the data has no file system of its own. */
static void put_log(json_t *facts, const json_t *data, const json_t *wal)
{
    const char *at = json_text_at(wal, "path"), *of = json_text_at(data, "path");
    bool apart = at && of && strcmp(at, of) != 0;
    put_text(facts, "WAL", apart ? "on a path of its own" : "with the data");
    if (!apart)
        return;
    put_text(facts, "WAL file system", json_text_at(wal, "filesystem"));
    put_text(facts, "WAL mount options", json_text_at(wal, "mount_options"));
}

/* The header's version is that of the first target's engine. */
static void put_engine(json_t *facts, const struct compare_source *source, size_t target)
{
    const json_t *summary = source->summary;
    const char *engine = json_text_at(compare_drives_target(source, target), "engine");
    const char *first = json_text_at(summary, "environment.engine");
    if (!engine)
        engine = first;
    put_text(facts, "engine", engine);
    bool is_first = engine && first && strcmp(engine, first) == 0;
    put_text(facts, "engine version",
             is_first ? json_text_at(summary, "environment.engine_version") : NULL);
}

json_t *compare_facts_setting(const struct compare_source *source, size_t target)
{
    const json_t *summary = source->summary;
    const json_t *data = compare_drives_device(source, target, "data");
    json_t *facts = json_object();
    put_engine(facts, source, target);
    put_text(facts, "file system", json_text_at(data, "filesystem"));
    put_text(facts, "mount options", json_text_at(data, "mount_options"));
    put_text(facts, "scheduler", json_text_at(data, "scheduler"));
    put_log(facts, data, compare_drives_device(source, target, "wal"));
    put_cap(facts, data);
    put_text(facts, "kernel", json_text_at(summary, "environment.kernel"));
    put_text(facts, "CPU", json_text_at(summary, "environment.cpu_model"));
    put_amount(facts, "CPUs", json_number_at(summary, "environment.cpus"), format_grouped);
    put_amount(facts, "memory", json_number_at(summary, "environment.memory_bytes"), format_bytes);
    put_text(facts, "loadline", json_text_at(summary, "loadline"));
    return facts;
}

json_t *compare_facts_nature(const struct compare_source *source, size_t target)
{
    const json_t *data = compare_drives_device(source, target, "data");
    const char *link = json_text_at(data, "link");
    json_t *facts = json_object();
    put_text(facts, "model", json_text_at(data, "model"));
    put_text(facts, "firmware", json_text_at(data, "firmware"));
    put_text(facts, "link", link ? link : json_text_at(data, "transport"));
    put_amount(facts, "capacity", json_number_at(data, "size_bytes"), format_bytes);
    put_percent(facts, "fill", json_number_at(data, "fill"));
    put_text(facts, "write cache", json_text_at(data, "write_cache"));
    put_flag(facts, "rotational", json_object_get(data, "rotational"));
    put_amount(facts, "block size", json_number_at(data, "physical_block_bytes"), format_grouped);
    return facts;
}

/* ---- of what was measured ---- */

static bool is_one_of(const char *key, const char *const *keys)
{
    for (; *keys; keys++)
        if (strcmp(key, *keys) == 0)
            return true;
    return false;
}

/* As the workload's hash has it (result/record.c): where it goes, how often, its limits, how the
 * idle drive is watched; and what is no key. */
static bool makes_no_load(const char *key)
{
    static const char *const keys[] = {"name",
                                       "parts",
                                       "target",
                                       "run.target",
                                       "label",
                                       "run.label",
                                       "run.repeats",
                                       "run.smart",
                                       "run.baseline",
                                       "postgres.user",
                                       "postgres.programs",
                                       NULL};
    return is_one_of(key, keys) || strncmp(key, "limit.", 6) == 0;
}

/* A key of an engine that was not at work. */
static bool is_idle(const char *key, const char *engine)
{
    static const char *const engines[] = {"sqlite", "postgres", NULL};
    for (size_t i = 0; engines[i]; i++) {
        size_t size = strlen(engines[i]);
        if (strncmp(key, engines[i], size) == 0 && key[size] == '.')
            return !engine || strcmp(engine, engines[i]) != 0;
    }
    return false;
}

static void put_key(json_t *facts, const struct group *group, const char *key)
{
    static const char *const places[] = {"postgres.wal", "postgres.tablespace", NULL};
    const json_t *value = keys_value(group->summary, group->trials[0], key);
    const char *text = json_string_value(value);
    if (is_one_of(key, places)) /* only whether there is one */
        put_text(facts, key, text && strcmp(text, "-") != 0 ? "elsewhere" : "-");
    else
        json_object_set(facts, key, value ? (json_t *)value : json_null());
}

static void put_keys(json_t *facts, const struct group *group, const json_t *keys)
{
    const char *key, *engine = group_engine(group);
    json_t *ignored;
    json_object_foreach((json_t *)keys, key, ignored)
    {
        if (!makes_no_load(key) && !is_idle(key, engine))
            put_key(facts, group, key);
    }
}

/* Where a part sets what the workload does not. */
static void put_part_keys(json_t *facts, const struct group *group)
{
    size_t index;
    const json_t *part;
    json_array_foreach(json_at(group->summary, "workload.parts"), index, part)
    {
        const char *name = json_text_at(part, "name");
        if (name && group->part && strcmp(name, group->part) == 0)
            put_keys(facts, group, part);
    }
}

/* Those of the trial; of old results, which have them once, the header's. */
static const json_t *settings_of(const struct group *group)
{
    const json_t *own = json_object_get(group->trials[0], "engine_settings");
    const char *engine = group_engine(group);
    const char *first = json_text_at(group->summary, "environment.engine");
    bool is_first = engine && first && strcmp(engine, first) == 0;
    return json_object_size(own) > 0 || !is_first
               ? own
               : json_at(group->summary, "environment.engine_settings");
}

static void put_settings(json_t *facts, const struct group *group)
{
    static const char *const no_load[] = {"role", "source_id", NULL};
    const char *engine = group_engine(group), *name;
    json_t *value;
    json_object_foreach((json_t *)settings_of(group), name, value)
    {
        char *key = fs_path("%s.%s", engine ? engine : "", name);
        bool is_key = json_object_get(facts, key) != NULL;
        free(key);
        if (is_key || is_one_of(name, no_load))
            continue;
        char *shown = fs_path("engine setting %s", name);
        json_object_set(facts, shown, value);
        free(shown);
    }
}

json_t *compare_facts_load(const struct group *group)
{
    json_t *facts = json_object();
    put_keys(facts, group, json_object_get(group->summary, "workload"));
    put_part_keys(facts, group);
    put_settings(facts, group);
    put_flag(facts, "engine setting commits wait for a flush",
             json_object_get(group->trials[0], "commit_flushes"));
    return facts;
}
