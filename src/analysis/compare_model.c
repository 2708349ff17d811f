#include "analysis/compare_model.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/compare_drives.h"
#include "analysis/compare_place.h"

void *compare_model_alloc(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory) {
        fputs("loadline: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void compare_model_say(json_t *list, const char *format, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, format);
    int size = vasprintf(&text, format, args);
    va_end(args);
    if (size < 0)
        abort();
    json_array_append_new(list, json_text(text));
    free(text);
}

static void source_init(struct compare_source *source, const struct compare_input *input)
{
    source->path = input->path;
    source->summary = input->summary;
    groups_init(&source->groups, input->summary);
    size_t targets = json_array_size(json_object_get(input->summary, "targets"));
    source->target_count = targets > 0 ? targets : 1;
    source->drives = compare_model_alloc(source->target_count, sizeof *source->drives);
}

int compare_model_init(struct compare_model *model, const struct compare_input *inputs,
                       size_t count, const struct compare_options *options, struct err *err)
{
    *model = (struct compare_model){.source_count = count, .notes = json_array()};
    model->sources = compare_model_alloc(count, sizeof *model->sources);
    for (size_t i = 0; i < count; i++)
        source_init(&model->sources[i], &inputs[i]);
    if (compare_drives_assign(model, options, err) != 0)
        return -1;
    compare_place_find(model);
    return 0;
}

void compare_model_release(struct compare_model *model)
{
    compare_place_release(model);
    for (size_t i = 0; i < model->drive_count; i++)
        free(model->drives[i].members);
    for (size_t i = 0; i < model->source_count; i++) {
        groups_release(&model->sources[i].groups);
        free(model->sources[i].drives);
    }
    free(model->sources);
    json_decref(model->notes);
    *model = (struct compare_model){.source_count = 0};
}
