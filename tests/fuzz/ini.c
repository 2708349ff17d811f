/* A workload file may hold anything: it is read, or refused with a sentence. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "workload/spec.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const struct key engine[] = {
    {.name = "engine.text", .type = KEY_TEXT, .fallback = "-", .optional = true},
    {.name = "engine.number", .type = KEY_INTEGER, .fallback = "0", .min = -8, .max = 8},
    {.name = "engine.conf.*", .type = KEY_TEXT, .fallback = "-", .optional = true},
    {.name = NULL},
};

static void use(const struct spec *spec)
{
    struct err err = {0};
    struct workload *load;
    size_t *choice = calloc(spec_key_count(spec), sizeof *choice);
    for (size_t part = 0; part < spec_part_count(spec); part++)
        if (spec_resolve(spec, part, choice, &load, &err) == 0)
            workload_destroy(load);
    free(choice);
    json_decref(spec_json(spec));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    const struct key *const tables[] = {engine, NULL};
    struct spec *spec = spec_create(tables);
    struct err err = {0};
    if (spec_read(spec, (const char *)data, size, "x.ini", &err) == 0) {
        use(spec);
    } else {
        assert(err.kind == ERR_USAGE && strncmp(err.text, "x.ini:", 6) == 0);
        assert(utf8_valid(err.text, strlen(err.text)) == strlen(err.text));
    }
    spec_destroy(spec);
    return 0;
}
