#include "workload/workload.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/spec.h"

const char *phase_name(enum phase_kind kind)
{
    static const char *const names[PHASE_KINDS] = {"insert", "delete", "mixed"};
    assert((unsigned)kind < PHASE_KINDS);
    return names[kind];
}

const char *layout_name(enum layout layout)
{
    static const char *const names[] = {"shared-table", "table-per-stream", "file-per-stream"};
    assert((unsigned)layout < sizeof names / sizeof *names);
    return names[layout];
}

static const struct setting *find_setting(const struct workload *load, const char *key)
{
    for (size_t i = 0; i < load->setting_count; i++)
        if (strcmp(load->settings[i].key->name, key) == 0)
            return &load->settings[i];
    fprintf(stderr, "the key %s is in no table\n", key);
    abort();
}

const char *workload_text(const struct workload *load, const char *key)
{
    return find_setting(load, key)->text;
}

double workload_number(const struct workload *load, const char *key)
{
    const struct setting *setting = find_setting(load, key);
    return key_number(setting->key, setting->text);
}

struct workload *workload_with_streams(const struct workload *load, unsigned streams)
{
    enum { NUMBER_SIZE = 16 };
    size_t size = load->setting_count * sizeof *load->settings;
    struct workload *copy = malloc(sizeof *copy);
    struct setting *settings = malloc(size + NUMBER_SIZE);
    if (copy == NULL || settings == NULL)
        abort();
    char *text = (char *)(settings + load->setting_count);
    snprintf(text, NUMBER_SIZE, "%u", streams);
    memcpy(settings, load->settings, size);
    for (size_t i = 0; i < load->setting_count; i++)
        if (strcmp(settings[i].key->name, "workload.streams") == 0)
            settings[i].text = text;
    *copy = *load;
    copy->streams = streams;
    copy->settings = settings;
    return copy;
}

void workload_destroy(struct workload *load)
{
    if (load == NULL)
        return;
    /* The texts lie behind the settings, in the same block (resolve.c). */
    free((void *)load->settings);
    free(load);
}
