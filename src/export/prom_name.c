#include "export/prom_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), wanted = strlen(ending);
    return length >= wanted && strcmp(text + length - wanted, ending) == 0;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Shares and quotients have no unit in the table of metrics. */
static bool is_ratio(const char *path)
{
    return begins_with(path, "waits.groups.") || ends_with(path, "share") ||
           strcmp(path, "share_of_floor") == 0 || strcmp(path, "fairness") == 0 ||
           strcmp(path, "cpu.host_busy") == 0 || strcmp(path, "device_bytes_per_row_byte") == 0;
}

/* A table's unit, its base unit, and the word of the path that says it. */
static const struct {
    const char *unit, *base, *word;
    double factor;
} units[] = {
    {"ms", "seconds", "ms", 1e-3},      {"us", "seconds", "us", 1e-6},
    {"s", "seconds", "s", 1},           {"C", "celsius", "c", 1},
    {"bytes", "bytes", "bytes", 1},     {"bytes/commit", "bytes", "bytes", 1},
    {"bytes/row", "bytes", "bytes", 1},
};

/* Words that would mislead: of waits the groups are the only ones, and a name that ends in _count
 * is taken for a part of a histogram. */
static const struct {
    const char *path, *with;
} prefixes[] = {{"waits.groups.", "waits."}, {"latency_ms.", "latency."}},
  endings[] = {{"wal_sync_count", "wal_syncs"}, {".count", ".samples"}};

/* The path with these words replaced. */
static void plain_path(const char *path, char *out, size_t size)
{
    const char *before = "", *after = "";
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (begins_with(path, prefixes[i].path)) {
            before = prefixes[i].with;
            path += strlen(prefixes[i].path);
            length = strlen(path);
        }
    for (size_t i = 0; i < sizeof endings / sizeof *endings && *after == '\0'; i++)
        if (ends_with(path, endings[i].path)) {
            after = endings[i].with;
            length -= strlen(endings[i].path);
        }
    snprintf(out, size, "%s%.*s%s", before, (int)length, path, after);
}

void prom_name_of(const struct metric_row *row, struct prom_name *name)
{
    char path[PROM_NAME / 2], *rest = NULL, *after = NULL;
    const char *own = NULL;
    size_t used = (size_t)snprintf(name->name, sizeof name->name, "loadline");
    name->unit = is_ratio(row->path) ? "ratio" : NULL;
    name->factor = 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(row->unit, units[i].unit) == 0) {
            name->unit = units[i].base;
            name->factor = units[i].factor;
            own = units[i].word;
        }
    plain_path(row->path, path, sizeof path);
    for (char *word = strtok_r(path, "._", &rest); word != NULL && used < sizeof name->name;
         word = after) {
        after = strtok_r(NULL, "._", &rest);
        if (own != NULL && strcmp(word, own) == 0) /* once, and last */
            continue;
        bool is_rate = after == NULL && strcmp(word, "s") == 0; /* rows_per_s */
        used += (size_t)snprintf(name->name + used, sizeof name->name - used, "_%s",
                                 is_rate ? "second" : word);
    }
    if (name->unit != NULL && used < sizeof name->name)
        snprintf(name->name + used, sizeof name->name - used, "_%s", name->unit);
}
