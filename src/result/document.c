#include "result/document.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "result/drive.h"
#include "result/lines.h"
#include "result/merge.h"
#include "result/put.h"
#include "result/rebuild.h"
#include "result/rounds.h"
#include "result/trace.h"

enum { SCHEMA_KNOWN = 1 };

struct reader {
    const char *path;
    json_t *header;
    json_t *trials, *events;
    struct trace trace; /* the samples of the trial that has no record yet */
    json_t *start;      /* the event that announced it */
    json_t *drives;     /* after the run */
    json_t *hottest;    /* by target: the highest temperature of its samples */
    double hottest_c;   /* of the trial's samples so far; NaN */
    bool ended, cut_off;
    size_t line;
};

static int add_header(struct reader *r, json_t *record, struct err *err)
{
    const char *kind = json_text_at(record, "record");
    if (!kind || strcmp(kind, "header") != 0 || !json_text_at(record, "loadline"))
        return err_set(err, ERR_FAILED,
                       "%s is not a loadline result: its first record is no header", r->path);
    double schema = json_number_at(record, "schema");
    if (!(schema >= 1))
        return err_set(err, ERR_FAILED, "%s is not a loadline result: its header has no schema",
                       r->path);
    if (schema > SCHEMA_KNOWN)
        return err_set(err, ERR_FAILED,
                       "%s was written by a newer loadline (schema %.0f, this one reads %d): "
                       "use that version",
                       r->path, schema, SCHEMA_KNOWN);
    r->header = json_incref(record);
    trace_begin(&r->trace, r->header, NULL);
    return 0;
}

/* A sample's temperature is that of the first disk under its target's data. */
static void keep_temperature(struct reader *r)
{
    char name[32];
    snprintf(name, sizeof name, "%.0f", r->trace.target);
    double hottest = fmax(r->hottest_c, json_number_at(r->hottest, name));
    if (!isnan(hottest))
        put_real(r->hottest, name, hottest);
    r->hottest_c = NAN;
}

/* The next samples are of another trial; the event that announces it, or NULL, is stolen. */
static void begin_trial(struct reader *r, json_t *start)
{
    keep_temperature(r);
    json_decref(r->start);
    r->start = start;
    trace_begin(&r->trace, r->header, start);
}

static void keep_trial(struct reader *r, json_t *trial)
{
    json_t *phases = json_object_get(trial, "phases");
    json_t *kept = json_array();
    size_t index;
    json_t *phase;
    json_array_foreach(phases, index, phase)
    {
        if (json_is_object(phase))
            json_array_append(kept, phase);
    }
    put(trial, "all_cycles", merge_cycles(kept));
    put(trial, "rounds", rounds_json(kept, rounds_length_s(r->header, trial)));
    json_array_foreach(kept, index, phase)
    {
        if (!r->trace.keeps_latencies)
            json_object_del(phase, "histograms"); /* for programs; a summary is read by people */
    }
    put(trial, "phases", kept);
    json_array_append(r->trials, trial);
}

static bool saw_signal(const struct reader *r)
{
    size_t index;
    const json_t *event;
    json_array_foreach(r->events, index, event)
    {
        const char *kind = json_text_at(event, "kind");
        if (kind && strcmp(kind, "signal") == 0)
            return true;
    }
    return false;
}

/* The trial whose samples are held will get no record any more. */
static void keep_pending(struct reader *r)
{
    if (r->trace.sample_count == 0)
        return;
    json_t *trial = rebuild_trial(r->header, r->start, &r->trace);
    if (saw_signal(r)) /* a stream never came back, so that no record could be written */
        put_text(trial, "ended_by", "signal");
    keep_trial(r, trial);
    json_decref(trial);
    r->cut_off = true;
}

/* Samples are held, and they are not of this trial. */
static bool is_another(const struct reader *r, double trial)
{
    return r->trace.sample_count > 0 && r->trace.trial != trial;
}

/* The devices, with what their drives said after the run beside what they said before. */
static json_t *devices_of(const struct reader *r)
{
    size_t index;
    json_t *devices = json_array(), *device;
    json_array_foreach(json_object_get(r->header, "devices"), index, device)
    {
        json_array_append_new(devices, json_copy(device));
        device = json_array_get(devices, index);
        if (!json_is_object(device))
            continue;
        drive_merge(device, json_array_get(r->drives, index));
        const char *role = json_text_at(device, "role");
        char name[32];
        snprintf(name, sizeof name, "%.0f", json_number_at(device, "target"));
        put_real(device, "temperature_c_max",
                 role && strcmp(role, "data") == 0 ? json_number_at(r->hottest, name) : NAN);
    }
    return devices;
}

/* False: the line is no sample. */
static bool add_sample(struct reader *r, const char *line, size_t size)
{
    if (!trace_read(&r->trace, line, size))
        return false;
    if (is_another(r, r->trace.line.trial)) {
        keep_pending(r);
        begin_trial(r, NULL);
        trace_read(&r->trace, line, size); /* its devices may be others */
    }
    r->hottest_c = fmax(r->hottest_c, r->trace.line.sample->temperature_c);
    trace_add(&r->trace);
    return true;
}

static void add_trial(struct reader *r, json_t *record)
{
    if (is_another(r, json_number_at(record, "index")))
        keep_pending(r);
    begin_trial(r, NULL);
    json_object_del(record, "record");
    keep_trial(r, record);
}

static void add_event(struct reader *r, json_t *record)
{
    const char *kind = json_text_at(record, "kind");
    json_object_del(record, "record");
    if (!kind || strcmp(kind, "trial") != 0) {
        json_array_append(r->events, record);
        return;
    }
    keep_pending(r);
    begin_trial(r, json_incref(record));
}

static void add_record(struct reader *r, json_t *record)
{
    const char *found = json_text_at(record, "record");
    char kind[16];
    snprintf(kind, sizeof kind, "%s", found ? found : "");
    if (strcmp(kind, "trial") == 0)
        add_trial(r, record);
    else if (strcmp(kind, "event") == 0)
        add_event(r, record);
    else if (strcmp(kind, "end") == 0) {
        r->ended = true;
        json_decref(r->drives);
        r->drives = json_incref(json_object_get(record, "drives_after"));
        r->cut_off |= json_is_true(json_object_get(record, "partial"));
    } /* other kinds are a later version's */
}

static int refuse(const struct reader *r, const char *what, const char *why, struct err *err)
{
    return err_set(err, ERR_FAILED, "%s is not a loadline result: line %zu is not %s (%s)", r->path,
                   r->line, what, why);
}

static int read_record(struct reader *r, const char *line, size_t size, bool whole, struct err *err)
{
    if (r->header && add_sample(r, line, size))
        return 0;
    json_error_t why;
    json_t *record = json_loadb(line, size, 0, &why);
    int status = 0;
    if (!json_is_object(record)) {
        if (r->line > 1 && !whole) /* cut off in the middle of a write */
            r->cut_off = true;
        else
            status = refuse(r, record ? "a record" : "JSON", record ? "no object" : why.text, err);
    } else if (!r->header) {
        status = add_header(r, record, err);
    } else if (json_text_at(record, "record") &&
               strcmp(json_text_at(record, "record"), "sample") == 0) {
        status = refuse(r, "JSON", "a byte of 0", err); /* which jansson overlooks */
    } else {
        add_record(r, record);
    }
    json_decref(record);
    return status;
}

static int read_records(struct reader *r, struct lines *lines, struct err *err)
{
    const char *line;
    size_t size;
    bool whole;
    int status, first = lines_peek(lines, err);
    if (first < 0)
        return -1;
    if (first != '{' && !(first == 0 && lines->ended)) {
        r->line = 1;
        return refuse(r, "JSON", "it begins with no brace", err);
    }
    while ((status = lines_next(lines, &line, &size, &whole, err)) > 0) {
        r->line++;
        if (size > 0 && read_record(r, line, size, whole, err) != 0)
            return -1;
    }
    if (status == 0 && !r->header)
        return err_set(err, ERR_FAILED, "%s is not a loadline result: it is empty", r->path);
    return status;
}

static void put_typed(json_t *summary, const char *key, const json_t *header, json_type type)
{
    json_t *value = json_object_get(header, key);
    if (value && json_typeof(value) == type)
        put(summary, key, json_incref(value));
    else if (type == JSON_OBJECT)
        put(summary, key, json_object());
    else
        put(summary, key, type == JSON_ARRAY ? json_array() : json_null());
}

static json_t *make_summary(const struct reader *r)
{
    json_t *summary = json_object();
    put_typed(summary, "loadline", r->header, JSON_STRING);
    put_typed(summary, "schema", r->header, JSON_INTEGER);
    put_typed(summary, "run_id", r->header, JSON_STRING);
    put_typed(summary, "label", r->header, JSON_STRING);
    put_typed(summary, "started", r->header, JSON_STRING);
    put(summary, "partial", json_boolean(r->cut_off || !r->ended));
    put_typed(summary, "workload", r->header, JSON_OBJECT);
    put_typed(summary, "workload_hash", r->header, JSON_STRING);
    /* Of a log that does not say, null: it is not that nothing differs. */
    json_t *differs = json_object_get(r->header, "workload_differs");
    put(summary, "workload_differs", json_is_array(differs) ? json_incref(differs) : NULL);
    put_typed(summary, "environment", r->header, JSON_OBJECT);
    put(summary, "devices", devices_of(r));
    put_typed(summary, "targets", r->header, JSON_ARRAY);
    put_typed(summary, "trials_planned", r->header, JSON_INTEGER);
    json_t *on_target = json_object_get(r->header, "result_on_target");
    put(summary, "result_on_target", json_is_boolean(on_target) ? json_incref(on_target) : NULL);
    put_typed(summary, "asked", r->header, JSON_OBJECT);
    put_typed(summary, "warnings", r->header, JSON_ARRAY);
    put(summary, "trials", json_incref(r->trials));
    put(summary, "events", json_incref(r->events));
    return summary;
}

void document_release(struct document *document)
{
    json_decref(document->summary);
    courses_release(&document->courses);
    document->summary = NULL;
}

int document_read(const char *path, struct document *document, struct err *err)
{
    return document_read_detail(path, DOCUMENT_PLAIN, document, err);
}

int document_read_detail(const char *path, enum document_detail detail, struct document *document,
                         struct err *err)
{
    struct lines lines;
    *document = (struct document){.summary = NULL};
    if (lines_open(&lines, path, err) != 0)
        return -1;
    struct reader r = {.path = path,
                       .trials = json_array(),
                       .events = json_array(),
                       .hottest = json_object(),
                       .hottest_c = NAN};
    trace_init(&r.trace, &document->courses);
    r.trace.keeps_latencies = detail == DOCUMENT_LATENCIES;
    int status = read_records(&r, &lines, err);
    if (status == 0) {
        keep_pending(&r);
        keep_temperature(&r);
        document->summary = make_summary(&r);
    }
    lines_close(&lines);
    trace_release(&r.trace);
    json_decref(r.header);
    json_decref(r.trials);
    json_decref(r.events);
    json_decref(r.start);
    json_decref(r.drives);
    json_decref(r.hottest);
    return status;
}
