#include "cli/unused_keys.h"

#include <stdio.h>
#include <string.h>

#include "cli/say.h"

/* Is the key one of this engine's own? */
static bool is_of(const struct key *key, const char *engine)
{
    size_t length = strlen(engine);
    return strncmp(key->name, engine, length) == 0 && key->name[length] == '.';
}

static bool is_used(const struct run_options *options, const struct key *key)
{
    bool is_engines = false;
    for (const struct adapter *const *a = adapter_registry; *a != NULL; a++)
        is_engines |= is_of(key, (*a)->name);
    for (size_t i = 0; i < options->target_count; i++) {
        const struct adapter *adapter = options->targets[i].adapter;
        if (is_of(key, adapter->name) || (adapter->caps & ADAPTER_HIDDEN) != 0)
            return true; /* the hidden one works with another engine */
    }
    return !is_engines;
}

static bool is_set(const struct spec *spec, size_t key)
{
    for (size_t part = 0; part < spec_part_count(spec); part++) {
        size_t count;
        const char *const *values = spec_values(spec, part, key, &count);
        if (count > 1 || strcmp(values[0], spec_key(spec, key)->fallback) != 0)
            return true;
    }
    return false;
}

void unused_keys_warn(const struct run_options *options)
{
    char names[512] = "", text[640];
    size_t used = 0;
    for (size_t i = 0; i < spec_key_count(options->spec); i++) {
        const struct key *key = spec_key(options->spec, i);
        if (!is_used(options, key) && is_set(options->spec, i) && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used == 0 ? "" : ", ", key->name);
    }
    if (used == 0)
        return;
    snprintf(text, sizeof text, "no effect on these targets, which are of another engine: %s",
             names);
    say(stderr, "warning", text);
}
