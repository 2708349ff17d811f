#include "analysis/compare_drives.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"

const json_t *compare_drives_device(const struct compare_source *source, size_t target,
                                    const char *role)
{
    size_t index;
    const json_t *device;
    json_array_foreach(json_object_get(source->summary, "devices"), index, device)
    {
        double of = json_number_at(device, "target");
        const char *found = json_text_at(device, "role");
        if ((isnan(of) || of == (double)target) && found && strcmp(found, role) == 0)
            return device;
    }
    return NULL;
}

const json_t *compare_drives_target(const struct compare_source *source, size_t target)
{
    return json_array_get(json_object_get(source->summary, "targets"), target);
}

static const char *label_of(const struct compare_source *source)
{
    const char *label = json_text_at(source->summary, "label");
    return label && *label ? label : NULL;
}

/* Model, firmware and size; of a device without a model its name and path.  New reference. */
static json_t *identity(const struct compare_source *source, size_t target)
{
    const json_t *device = compare_drives_device(source, target, "data");
    const char *model = json_text_at(device, "model");
    if (model && *model)
        return json_pack("[s, s, s?, o]", "model", model, json_text_at(device, "firmware"),
                         json_measured(json_number_at(device, "size_bytes")));
    if (device)
        return json_pack("[s, s?, s?]", "path", json_text_at(device, "sampled"),
                         json_text_at(device, "path"));
    return json_pack("[s, s?]", "target",
                     json_text_at(compare_drives_target(source, target), "target"));
}

/* The same text for what is one drive; heap. */
static char *drive_key(const struct compare_source *source, size_t target)
{
    const char *label = label_of(source);
    bool several = source->target_count > 1;
    const char *given = json_text_at(compare_drives_target(source, target), "target");
    json_t *key =
        json_pack("[s?, o, s?]", label, label && !several ? json_null() : identity(source, target),
                  several ? given : NULL);
    char *text = json_dumps(key, JSON_COMPACT);
    json_decref(key);
    if (!text)
        abort();
    return text;
}

static size_t drive_add(struct compare_model *model, const char *label)
{
    struct compare_drive *drive = &model->drives[model->drive_count];
    *drive = (struct compare_drive){.label = label};
    drive->name[0] = (char)('A' + (int)model->drive_count);
    return model->drive_count++;
}

static void member_add(struct compare_model *model, size_t at, size_t source, size_t target)
{
    struct compare_drive *drive = &model->drives[at];
    if (drive->count == drive->capacity) {
        drive->capacity = drive->capacity ? 2 * drive->capacity : 4;
        drive->members = realloc(drive->members, drive->capacity * sizeof *drive->members);
        if (!drive->members)
            abort();
    }
    drive->members[drive->count++] = (struct compare_member){source, target};
    model->sources[source].drives[target] = at;
}

/* A copy of a run is no second run. */
static bool is_copy(json_t *seen, const struct compare_source *source, size_t at, size_t target)
{
    const char *run = json_text_at(source->summary, "run_id");
    if (!run || !*run)
        return false;
    char *key = fs_path("%zu\n%zu\n%s", at, target, run);
    bool known = json_object_get(seen, key) != NULL;
    json_object_set_new(seen, key, json_true());
    free(key);
    return known;
}

static int too_many(struct err *err)
{
    return err_set(err, ERR_USAGE,
                   "these results are of more than %d drives; compare fewer at a time",
                   COMPARE_DRIVES_MAX);
}

static int group_targets(struct compare_model *model, bool has_baseline, struct err *err)
{
    json_t *keys = json_object(), *seen = json_object();
    int status = 0;
    for (size_t s = 0; s < model->source_count && status == 0; s++) {
        struct compare_source *source = &model->sources[s];
        for (size_t t = 0; t < source->target_count && status == 0; t++) {
            char *key = has_baseline && s == 0 ? fs_path("baseline") : drive_key(source, t);
            const json_t *known = json_object_get(keys, key);
            size_t at = (size_t)json_integer_value(known);
            if (!known && model->drive_count == COMPARE_DRIVES_MAX)
                status = too_many(err);
            else if (!known) {
                at = drive_add(model, label_of(source));
                json_object_set_new(keys, key, json_integer((json_int_t)at));
            }
            if (status == 0 && is_copy(seen, source, at, t))
                compare_model_say(model->notes,
                                  "%s holds a run that was given before: it counts "
                                  "once",
                                  source->path);
            else if (status == 0)
                member_add(model, at, s, t);
            free(key);
        }
    }
    json_decref(keys);
    json_decref(seen);
    return status;
}

static void drives_clear(struct compare_model *model)
{
    for (size_t i = 0; i < model->drive_count; i++)
        free(model->drives[i].members);
    model->drive_count = 0;
    for (size_t s = 0; s < model->source_count; s++)
        for (size_t t = 0; t < model->sources[s].target_count; t++)
            model->sources[s].drives[t] = COMPARE_NO_DRIVE;
}

/* Nothing tells the results apart but that they are several. */
static int each_by_itself(struct compare_model *model, struct err *err)
{
    if (model->source_count > COMPARE_DRIVES_MAX)
        return err_set(err, ERR_USAGE,
                       "all %zu results are of one drive; give each side a name with run --label",
                       model->source_count);
    drives_clear(model);
    json_array_clear(model->notes);
    for (size_t s = 0; s < model->source_count; s++)
        member_add(model, drive_add(model, label_of(&model->sources[s])), s, 0);
    compare_model_say(model->notes,
                      "all results are of one drive: each is compared by itself; run --label NAME "
                      "makes several one side");
    return 0;
}

static void note_copies(struct compare_model *model)
{
    json_t *runs = json_object();
    for (size_t d = 0; d < model->drive_count; d++)
        for (size_t i = 0; i < model->drives[d].count; i++) {
            size_t s = model->drives[d].members[i].source;
            const char *run = json_text_at(model->sources[s].summary, "run_id");
            const json_t *known = run ? json_object_get(runs, run) : NULL;
            size_t first = (size_t)json_integer_value(known);
            if (known && first != s)
                compare_model_say(model->notes, "%s and %s hold the same run",
                                  model->sources[first].path, model->sources[s].path);
            else if (run && !known)
                json_object_set_new(runs, run, json_integer((json_int_t)s));
        }
    json_decref(runs);
}

int compare_drives_assign(struct compare_model *model, const struct compare_options *options,
                          struct err *err)
{
    drives_clear(model);
    if (options->has_baseline && model->sources[0].target_count > 1)
        return err_set(err, ERR_USAGE,
                       "the baseline %s has %zu targets; a baseline is a result of one",
                       model->sources[0].path, model->sources[0].target_count);
    if (group_targets(model, options->has_baseline, err) != 0)
        return -1;
    if (model->drive_count == 1 && model->source_count > 1 && each_by_itself(model, err) != 0)
        return -1;
    if (model->drive_count < 2 && options->threshold_count == 0)
        return err_set(err, ERR_USAGE,
                       "%s is a result of one drive; compare needs a second result, or a "
                       "--fail-if to check it",
                       model->sources[0].path);
    note_copies(model);
    return 0;
}
