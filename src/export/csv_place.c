#include "export/csv_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/keys.h"

/* ---- what each column holds ---- */

static void put_path(struct csv_line *line, const struct csv_place *place)
{
    csv_field_text(line, place->source->path);
}

static void put_run_id(struct csv_line *line, const struct csv_place *place)
{
    csv_field_json(line, json_object_get(place->source->summary, "run_id"));
}

static void put_label(struct csv_line *line, const struct csv_place *place)
{
    csv_field_json(line, json_object_get(place->source->summary, "label"));
}

static void put_target(struct csv_line *line, const struct csv_place *place)
{
    const json_t *targets = json_object_get(place->source->summary, "targets");
    double target = json_number_at(place->trial, "target");
    bool is_there = target >= 0 && target < (double)json_array_size(targets);
    const json_t *found = is_there ? json_array_get(targets, (size_t)target) : NULL;
    csv_field_json(line, json_object_get(found, "target"));
}

/* The drive that holds the target's data; a document of one target numbers nothing. */
static void put_drive(struct csv_line *line, const struct csv_place *place)
{
    double target = json_number_at(place->trial, "target");
    const json_t *device, *model = NULL;
    size_t index;
    json_array_foreach(json_object_get(place->source->summary, "devices"), index, device)
    {
        const char *role = json_text_at(device, "role");
        double of = json_number_at(device, "target");
        if (!model && role && strcmp(role, "data") == 0 &&
            (isnan(of) || isnan(target) || of == target))
            model = json_object_get(device, "model");
    }
    csv_field_json(line, model);
}

static void put_trial(struct csv_line *line, const struct csv_place *place)
{
    csv_field_number(line, json_number_at(place->trial, "index"));
}

static void put_part(struct csv_line *line, const struct csv_place *place)
{
    csv_field_json(line, json_object_get(place->trial, "part"));
}

static void put_repeat(struct csv_line *line, const struct csv_place *place)
{
    csv_field_number(line, json_number_at(place->trial, "repeat"));
}

static void put_phase(struct csv_line *line, const struct csv_place *place)
{
    csv_field_json(line, json_object_get(place->phase, "name"));
}

static void put_cycle(struct csv_line *line, const struct csv_place *place)
{
    csv_field_number(line, json_number_at(place->phase, "cycle"));
}

static void put_streams(struct csv_line *line, const struct csv_place *place)
{
    double streams = keys_number(place->source->summary, place->trial, "workload.streams");
    if (isnan(streams)) /* searched, or a document that does not say */
        streams = json_number_at(place->phase, "stream_count");
    csv_field_number(line, streams);
}

static void put_rows_per_commit(struct csv_line *line, const struct csv_place *place)
{
    csv_field_number(line,
                     keys_number(place->source->summary, place->trial, "workload.rows_per_commit"));
}

static void put_ended_by(struct csv_line *line, const struct csv_place *place)
{
    csv_field_json(line, json_object_get(place->trial, "ended_by"));
}

static void put_verified(struct csv_line *line, const struct csv_place *place)
{
    csv_field_json(line, json_at(place->phase, "verify.ok"));
}

/* ---- the columns ---- */

enum { IN_BOTH, IN_PHASES };

static const struct column {
    const char *name, *help;
    int tables;
    bool is_key; /* tells a factor of that name, too */
    void (*put)(struct csv_line *line, const struct csv_place *place);
} columns[] = {
    {"file", "the result file, as it was named", IN_BOTH, false, put_path},
    {"run_id", "the run, in every record of it", IN_PHASES, false, put_run_id},
    {"label", "the run's name for the drive or configuration", IN_BOTH, false, put_label},
    {"target", "what was put under load", IN_BOTH, true, put_target},
    {"drive", "model of the drive with the data", IN_PHASES, false, put_drive},
    {"trial", "number of the trial, from 0", IN_BOTH, false, put_trial},
    {"part", "part of the workload", IN_BOTH, false, put_part},
    {"repeat", "number of the repeat, from 0", IN_BOTH, false, put_repeat},
    {"phase", "insert, delete, mixed", IN_BOTH, false, put_phase},
    {"cycle", "how often the phases ran before in this trial", IN_BOTH, false, put_cycle},
    {"streams", "concurrent connections", IN_BOTH, true, put_streams},
    {"rows_per_commit", "rows in one transaction, as asked for", IN_BOTH, true,
     put_rows_per_commit},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Behind the factors. */
static const struct column outcomes[] = {
    {"ended_by", "why the trial ended; empty: it was cut off", IN_PHASES, false, put_ended_by},
    {"verified", "true: every row was found as it was written", IN_PHASES, false, put_verified},
};
enum { OUTCOMES = sizeof outcomes / sizeof *outcomes };

static bool is_in(const struct column *column, enum csv_table table)
{
    return table == CSV_PHASES || column->tables == IN_BOTH;
}

static const struct column *find(const char *name, enum csv_table table)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (strcmp(columns[i].name, name) == 0 && is_in(&columns[i], table))
            return &columns[i];
    for (size_t i = 0; i < OUTCOMES; i++)
        if (strcmp(outcomes[i].name, name) == 0 && is_in(&outcomes[i], table))
            return &outcomes[i];
    return NULL;
}

/* ---- factors ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_told(const char *factor)
{
    const struct column *column = find(factor, CSV_SAMPLES);
    return column && column->is_key;
}

static void collect(json_t *names, const json_t *summary)
{
    size_t index;
    const json_t *trial;
    json_array_foreach(json_object_get(summary, "trials"), index, trial)
    {
        const char *name;
        json_t *value;
        json_object_foreach(json_object_get(trial, "factors"), name, value)
        {
            if (!is_told(name))
                json_object_set_new(names, name, json_null());
        }
    }
}

void csv_place_factors(struct csv_factors *factors, const struct report_source *sources,
                       size_t count)
{
    *factors = (struct csv_factors){.seen = json_object()};
    for (size_t i = 0; i < count; i++)
        collect(factors->seen, sources[i].summary);
    factors->names = calloc(json_object_size(factors->seen) + 1, sizeof *factors->names);
    if (!factors->names)
        abort();
    const char *name;
    json_t *value;
    json_object_foreach(factors->seen, name, value)
    {
        factors->names[factors->count++] = name;
    }
    qsort(factors->names, factors->count, sizeof *factors->names, by_name);
}

void csv_place_factors_release(struct csv_factors *factors)
{
    free(factors->names);
    json_decref(factors->seen);
    *factors = (struct csv_factors){.count = 0};
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static void put_factor_name(struct csv_line *line, enum csv_table table, const char *name,
                            const char *const *others)
{
    static const char section[] = "workload.";
    if (!find(name, table) && !is_one_of(name, others)) {
        csv_field_text(line, name);
        return;
    }
    size_t size = sizeof section + strlen(name);
    char *full = malloc(size);
    if (!full)
        abort();
    snprintf(full, size, "%s%s", section, name);
    csv_field_text(line, full);
    free(full);
}

/* ---- lines ---- */

void csv_place_header(struct csv_line *line, enum csv_table table,
                      const struct csv_factors *factors, const char *const *others)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (is_in(&columns[i], table))
            csv_field_text(line, columns[i].name);
    for (size_t i = 0; i < factors->count; i++)
        put_factor_name(line, table, factors->names[i], others);
    for (size_t i = 0; i < OUTCOMES; i++)
        if (is_in(&outcomes[i], table))
            csv_field_text(line, outcomes[i].name);
}

void csv_place_write(struct csv_line *line, enum csv_table table, const struct csv_factors *factors,
                     const struct csv_place *place)
{
    const json_t *own = json_object_get(place->trial, "factors");
    for (size_t i = 0; i < COLUMNS; i++)
        if (is_in(&columns[i], table))
            columns[i].put(line, place);
    for (size_t i = 0; i < factors->count; i++)
        csv_field_json(line, json_object_get(own, factors->names[i]));
    for (size_t i = 0; i < OUTCOMES; i++)
        if (is_in(&outcomes[i], table))
            outcomes[i].put(line, place);
}

void csv_place_describe(enum csv_table table, csv_column_visit visit, void *ctx)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (is_in(&columns[i], table))
            visit(ctx, columns[i].name, "", columns[i].help);
    visit(ctx, "FACTOR", "",
          "each key that varied, sorted by name (\"layout\", "
          "\"sqlite.page_size\"); \"workload.rows\" where there is another "
          "column \"rows\"");
    for (size_t i = 0; i < OUTCOMES; i++)
        if (is_in(&outcomes[i], table))
            visit(ctx, outcomes[i].name, "", outcomes[i].help);
}
