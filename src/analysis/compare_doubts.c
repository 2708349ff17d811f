#include "analysis/compare_doubts.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_drives.h"
#include "analysis/standing.h"
#include "result/metric.h"
#include "result/put.h"

/* As measure/foreign.h has it: from this share of others' I/O on a trial is disturbed. */
#define DISTURBS 0.05

struct doubts {
    json_t *against;
    struct compare_model *model;
    struct compare_bars *bars;
};

/* `drives` and `places` (NULL: all) are stolen. */
static void doubt(struct doubts *d, const char *kind, json_t *drives, json_t *places,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

static void doubt(struct doubts *d, const char *kind, json_t *drives, json_t *places,
                  const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int size = vasprintf(&text, format, args);
    va_end(args);
    if (size < 0)
        abort();
    json_t *entry = json_object();
    put_text(entry, "kind", kind);
    put(entry, "drives", drives);
    put(entry, "places", places);
    put_text(entry, "text", text);
    json_array_append_new(d->against, entry);
    free(text);
}

static json_t *one(const struct doubts *d, size_t drive)
{
    return json_pack("[s]", d->model->drives[drive].name);
}

/* ---- settings ---- */

static void add_values(char **text, size_t *size, const json_t *values)
{
    FILE *out = open_memstream(text, size);
    size_t d, i;
    const json_t *of, *value;
    if (!out)
        abort();
    json_array_foreach(values, d, of)
    {
        fputs(d > 0 ? ", " : "", out);
        json_array_foreach(of, i, value)
        {
            const char *shown = json_string_value(value);
            fprintf(out, "%s%s", i > 0 ? " and " : "", shown ? shown : "unknown");
        }
        if (json_array_size(of) == 0)
            fputs("-", out);
    }
    fclose(out);
}

static void add_settings(struct doubts *d, const json_t *differ)
{
    size_t index;
    const json_t *entry;
    json_array_foreach(differ, index, entry)
    {
        if (strcmp(json_text_at(entry, "effect"), "refuses") != 0)
            continue;
        json_t *drives = json_array();
        const json_t *values = json_object_get(entry, "values");
        for (size_t i = 0; i < d->model->drive_count; i++)
            if (i == 0 || !json_equal(json_array_get(values, 0), json_array_get(values, i)) ||
                json_array_size(json_array_get(values, i)) > 1)
                json_array_append_new(drives, json_string(d->model->drives[i].name));
        char *shown = NULL;
        size_t size;
        add_values(&shown, &size, values);
        const json_t *places = json_object_get(entry, "places");
        doubt(d, "settings", drives, json_is_array(places) ? json_deep_copy(places) : NULL,
              "%s differs (%s)", json_text_at(entry, "name"), shown);
        free(shown);
    }
}

/* ---- of a whole result ---- */

static void add_partial(struct doubts *d, size_t drive, const struct compare_source *source)
{
    if (!json_is_true(json_object_get(source->summary, "partial")))
        return;
    d->bars->drives[drive] = true;
    doubt(d, "partial", one(d, drive), NULL, "%s is partial: the run was cut off", source->path);
}

static bool is_of(const json_t *trial, size_t target)
{
    double of = json_number_at(trial, "target");
    return isnan(of) || of == (double)target;
}

static bool failed_check(const json_t *trial)
{
    size_t index;
    const json_t *phase;
    if (json_is_false(json_at(trial, "verify.ok")))
        return true;
    json_array_foreach(json_object_get(trial, "phases"), index, phase)
    {
        if (json_is_false(json_at(phase, "verify.ok")))
            return true;
    }
    return false;
}

static void add_failed(struct doubts *d, size_t drive, const struct compare_source *source,
                       size_t target)
{
    const json_t *trials = json_object_get(source->summary, "trials"), *trial;
    size_t index, failed = 0, all = 0;
    json_array_foreach(trials, index, trial)
    {
        if (!is_of(trial, target))
            continue;
        all++;
        failed += failed_check(trial);
    }
    if (failed == 0)
        return;
    d->bars->drives[drive] = true;
    doubt(d, "verification", one(d, drive), NULL,
          "%s: rows were lost, surplus or wrong in %zu of %zu trials", source->path, failed, all);
}

static void add_label(struct doubts *d, size_t drive, const json_t *differ)
{
    size_t index;
    const json_t *entry;
    if (!d->model->drives[drive].label)
        return;
    json_array_foreach(differ, index, entry)
    {
        const char *name = json_text_at(entry, "name");
        const json_t *values = json_array_get(json_object_get(entry, "values"), drive);
        if (strcmp(name, "model") != 0 || json_array_size(values) < 2)
            continue;
        d->bars->drives[drive] = true;
        doubt(d, "label", one(d, drive), NULL, "the label %s stands for %zu models of drives",
              d->model->drives[drive].label, json_array_size(values));
    }
}

static void add_results(struct doubts *d, const json_t *differ)
{
    for (size_t i = 0; i < d->model->drive_count; i++) {
        const struct compare_drive *drive = &d->model->drives[i];
        for (size_t k = 0; k < drive->count; k++) {
            const struct compare_source *source = &d->model->sources[drive->members[k].source];
            add_partial(d, i, source);
            add_failed(d, i, source, drive->members[k].target);
        }
        add_label(d, i, differ);
    }
}

/* ---- of what was measured at places ---- */

/* NaN: not known. */
static double foreign_share(const json_t *phase)
{
    return fmax(metric_value(phase, "data.foreign.share"),
                metric_value(phase, "wal.foreign.share"));
}

static bool is_disturbed(const json_t *trial, const json_t *phase)
{
    double share = foreign_share(phase);
    return isnan(share) ? json_is_true(json_object_get(trial, "disturbed")) : share > DISTURBS;
}

static bool ended_early(const json_t *trial, const json_t *phase)
{
    static const char *const early[] = {"write_bytes", "free_space", "no_space",
                                        "signal",      "error",      NULL};
    const char *ended = json_text_at(trial, "ended_by");
    (void)phase;
    for (size_t i = 0; ended && early[i]; i++)
        if (strcmp(ended, early[i]) == 0)
            return true;
    return false;
}

static bool is_elsewhere(const json_t *trial, const json_t *phase)
{
    (void)trial;
    return json_is_true(json_object_get(phase, "measured_elsewhere"));
}

struct seen {
    size_t runs, all;
    double most; /* share of others' I/O; NaN */
    json_t *places;
};

/* Where one drive measured so, of all places. */
static struct seen look(struct doubts *d, size_t drive,
                        bool (*is_so)(const json_t *trial, const json_t *phase))
{
    struct seen seen = {.most = NAN, .places = json_array()};
    for (size_t p = 0; p < d->model->place_count; p++) {
        const struct compare_cell *cell = &d->model->places[p].cells[drive];
        size_t before = seen.runs;
        for (size_t g = 0; g < cell->count; g++)
            for (size_t i = 0; i < cell->groups[g]->count; i++) {
                const json_t *phase = cell->groups[g]->phases[i];
                seen.all++;
                seen.most = fmax(seen.most, foreign_share(phase));
                seen.runs += is_so(cell->groups[g]->trials[i], phase);
            }
        if (seen.runs == before)
            continue;
        d->bars->cells[p * d->model->drive_count + drive] = true;
        json_array_append_new(seen.places, json_integer((json_int_t)p));
    }
    return seen;
}

static void add_phases(struct doubts *d, size_t drive)
{
    struct seen seen = look(d, drive, is_disturbed);
    if (seen.runs > 0 && seen.most > DISTURBS)
        doubt(d, "disturbed", one(d, drive), json_incref(seen.places),
              "others' I/O disturbed %zu of %zu phases: up to %.0f%% of what the drive moved",
              seen.runs, seen.all, 100 * seen.most);
    else if (seen.runs > 0)
        doubt(d, "disturbed", one(d, drive), json_incref(seen.places),
              "others' I/O disturbed %zu of %zu phases", seen.runs, seen.all);
    json_decref(seen.places);
    seen = look(d, drive, ended_early);
    if (seen.runs > 0)
        doubt(d, "ended early", one(d, drive), json_incref(seen.places),
              "%zu of %zu phases are of trials that ended early (a limit, a signal or an error)",
              seen.runs, seen.all);
    json_decref(seen.places);
    seen = look(d, drive, is_elsewhere);
    if (seen.runs > 0)
        doubt(d, "elsewhere", one(d, drive), json_incref(seen.places),
              "commits were acknowledged and the device under test saw no write");
    json_decref(seen.places);
}

/* ---- flushed? ---- */

enum flush { FLUSH_NOTHING, FLUSH_YES, FLUSH_NO, FLUSH_UNKNOWN, FLUSH_NO_DRIVE, FLUSHES };

static enum flush flush_of_group(const struct group *group)
{
    if (standing_of(group) == STANDING_NO_DRIVE)
        return FLUSH_NO_DRIVE;
    switch (standing_flushed(group)) {
    case FLUSHED_YES:
        return FLUSH_YES;
    case FLUSHED_NOT_SEEN:
    case FLUSHED_NOT_ASKED:
        return FLUSH_NO;
    case FLUSHED_UNKNOWN:
        break;
    }
    return FLUSH_UNKNOWN;
}

/* Of all runs of a cell; those that differ are told apart by nobody. */
static enum flush flush_of(const struct compare_cell *cell)
{
    enum flush all = FLUSH_NOTHING;
    for (size_t g = 0; g < cell->count; g++) {
        enum flush flush = flush_of_group(cell->groups[g]);
        if (all == FLUSH_NOTHING)
            all = flush;
        else if (all != flush)
            all = all == FLUSH_NO || flush == FLUSH_NO ? FLUSH_NO : FLUSH_UNKNOWN;
    }
    return all;
}

static const char *flush_word(enum flush flush)
{
    static const char *const words[FLUSHES] = {[FLUSH_NOTHING] = "nothing",
                                               [FLUSH_YES] = "flushed",
                                               [FLUSH_NO] = "not flushed",
                                               [FLUSH_UNKNOWN] = "unknown",
                                               [FLUSH_NO_DRIVE] = "no drive"};
    return words[flush];
}

/* Of this drive and the first one: never ranked where one flushed and the other did not. */
static void add_unlike(struct doubts *d, size_t drive)
{
    json_t *places[FLUSHES][FLUSHES] = {{NULL}};
    const char *first = d->model->drives[0].name, *name = d->model->drives[drive].name;
    for (size_t p = 0; p < d->model->place_count; p++) {
        const struct compare_place *place = &d->model->places[p];
        enum flush a = flush_of(&place->cells[0]), b = flush_of(&place->cells[drive]);
        if (a == FLUSH_NOTHING || b == FLUSH_NOTHING || a == b)
            continue;
        if (!places[a][b])
            places[a][b] = json_array();
        json_array_append_new(places[a][b], json_integer((json_int_t)p));
        d->bars->cells[p * d->model->drive_count + drive] = true;
    }
    for (int a = 0; a < FLUSHES; a++)
        for (int b = 0; b < FLUSHES; b++)
            if (places[a][b])
                doubt(d, "flush", json_pack("[s, s]", first, name), places[a][b],
                      "whether commits were flushed differs (%s: %s, %s: %s); flushed and "
                      "unflushed are never ranked",
                      first, flush_word((enum flush)a), name, flush_word((enum flush)b));
}

static void add_unflushed(struct doubts *d, size_t drive)
{
    json_t *places = json_array(), *memory = json_array(), *elsewhere = json_array();
    for (size_t p = 0; p < d->model->place_count; p++) {
        const struct compare_cell *cell = &d->model->places[p].cells[drive];
        json_t *lists[3] = {flush_of(cell) == FLUSH_NO ? places : NULL, NULL, NULL};
        for (size_t g = 0; g < cell->count; g++) {
            lists[1] = group_memory(cell->groups[g]) ? memory : lists[1];
            lists[2] = group_is_elsewhere(cell->groups[g]) ? elsewhere : lists[2];
        }
        for (size_t i = 0; i < 3; i++)
            if (lists[i]) {
                json_array_append_new(lists[i], json_integer((json_int_t)p));
                d->bars->cells[p * d->model->drive_count + drive] = true;
            }
    }
    if (json_array_size(places) > 0)
        doubt(d, "flush", one(d, drive), json_incref(places),
              "commits were not flushed: what is measured is no durable commit");
    if (json_array_size(memory) > 0)
        doubt(d, "memory", one(d, drive), json_incref(memory),
              "the device that commits wait for lies in memory");
    if (json_array_size(elsewhere) > 0)
        doubt(d, "elsewhere", one(d, drive), json_incref(elsewhere),
              "commits waited for another drive's log");
    json_decref(places);
    json_decref(memory);
    json_decref(elsewhere);
}

static void note_no_drive(struct compare_model *model)
{
    for (size_t p = 0; p < model->place_count; p++)
        for (size_t d = 0; d < model->drive_count; d++)
            if (flush_of(&model->places[p].cells[d]) == FLUSH_NO_DRIVE) {
                compare_model_say(model->notes,
                                  "the target was null: no drive was under test, what is compared "
                                  "is loadline itself");
                return;
            }
}

void compare_doubts_put(json_t *comparison, struct compare_model *model, struct compare_bars *bars)
{
    struct doubts d = {json_array(), model, bars};
    const json_t *differ = json_object_get(comparison, "differ");
    add_settings(&d, differ);
    add_results(&d, differ);
    for (size_t i = 0; i < model->drive_count; i++) {
        add_phases(&d, i);
        add_unflushed(&d, i);
        if (i > 0)
            add_unlike(&d, i);
    }
    note_no_drive(model);
    put(comparison, "against", d.against);
}

bool compare_doubts_allow(const struct compare_model *model, const struct compare_bars *bars,
                          size_t place, size_t drive)
{
    const bool *cells = &bars->cells[place * model->drive_count];
    return !bars->drives[0] && !bars->drives[drive] && !cells[0] && !cells[drive];
}
