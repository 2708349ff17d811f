#include "result/rebuild.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/keys.h"
#include "result/put.h"
#include "result/trial.h"
#include "result/waits.h"
#include "workload/phases.h"

/* Everything below reads a file that may hold anything. */

enum { PHASE_NUMBERS = 1000000 };

static int64_t to_ns(double seconds)
{
    const double most_s = 1e9; /* 30 years, and no overflow */
    if (isnan(seconds))
        return 0;
    return (int64_t)(fmax(-most_s, fmin(most_s, seconds)) * 1e9);
}

static uint64_t to_count(const json_t *value)
{
    json_int_t n = json_integer_value(value); /* 0 where it is no integer */
    return n < 0 ? 0 : (uint64_t)n;
}

/* The row of `name` in the set, added where it is new; -1 when the set is full. */
static int add_name(struct device_set *set, const char *name)
{
    for (size_t i = 0; i < set->name_count; i++)
        if (strcmp(set->names[i], name) == 0)
            return (int)i;
    if (set->name_count == DEVICE_SET_NAMES)
        return -1;
    set->names[set->name_count] = name;
    return (int)set->name_count++;
}

static void add_device(struct device_set *set, const json_t *from)
{
    const char *sampled = json_text_at(from, "sampled");
    int row = sampled ? add_name(set, sampled) : -1;
    if (row < 0)
        return;
    struct device *device = &set->devices[set->count];
    const char *role = json_text_at(from, "role");
    device->role = role ? role : "";
    device->sampled = (size_t)row;
    device->stack.known = true;
    snprintf(device->stack.sampled, sizeof device->stack.sampled, "%s", sampled);
    size_t index;
    const json_t *leaf;
    json_array_foreach(json_at(from, "leaves"), index, leaf)
    {
        row = json_is_string(leaf) ? add_name(set, json_string_value(leaf)) : -1;
        if (row >= 0 && device->leaf_count < STACK_MAX)
            device->leaves[device->leaf_count++] = (size_t)row;
    }
    set->count++;
}

/* The devices of one target as the header names them.  Heap; names belong to the header. */
static struct device_set *read_devices(const json_t *header, double target)
{
    struct device_set *set = calloc(1, sizeof *set);
    size_t index;
    const json_t *device;
    json_array_foreach(json_object_get(header, "devices"), index, device)
    {
        double of = json_number_at(device, "target");
        if (set && set->count < DEVICE_SET_ROLES && (isnan(of) || of == target))
            add_device(set, device);
    }
    return set;
}

static void read_disk(const json_t *from, const char *name, struct diskstats *row)
{
    if (!json_is_object(from))
        return;
    snprintf(row->name, sizeof row->name, "%s", name);
    for (int field = 0; field < DISK_FIELDS; field++) {
        const json_t *value = json_object_get(from, disk_field_names[field]);
        if (!json_is_integer(value))
            continue;
        row->value[field] = to_count(value);
        row->present |= UINT32_C(1) << field;
    }
}

static void read_counts(const json_t *from, uint64_t *counts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        counts[i] = to_count(json_array_get(from, i));
}

static enum sample_mark read_mark(const json_t *record)
{
    const char *mark = json_text_at(record, "mark");
    for (int i = SAMPLE_TICK; mark && i <= SAMPLE_SETTLED; i++)
        if (strcmp(mark, sample_mark_names[i]) == 0)
            return (enum sample_mark)i;
    return SAMPLE_TICK;
}

static void read_gauges(const json_t *record, struct sample *sample)
{
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(record, "gauges"), name, value)
    {
        if (sample->gauge_count < SAMPLE_GAUGES_MAX && json_is_number(value))
            sample->gauges[sample->gauge_count++] = (struct gauge){name, json_number_value(value)};
    }
}

struct rebuild {
    const struct device_set *devices;
    struct workload load;
    size_t streams;
    double floor_commits_per_s;
};

static struct sample *read_sample(const json_t *record, const struct rebuild *r)
{
    const struct device_set *devices = r->devices;
    struct sample *s = sample_create(r->streams, devices->name_count);
    s->phase = (unsigned)(to_count(json_object_get(record, "phase")) % PHASE_NUMBERS);
    s->cycle = (unsigned)(to_count(json_object_get(record, "cycle")) % PHASE_NUMBERS);
    s->t0_ns = to_ns(json_number_at(record, "t0"));
    s->t1_ns = to_ns(json_number_at(record, "t1"));
    s->mark = read_mark(record);
    s->commits = to_count(json_object_get(record, "commits"));
    s->rows = to_count(json_object_get(record, "rows"));
    s->retries = to_count(json_object_get(record, "retries"));
    read_counts(json_at(record, "streams.commits"), s->stream_commits, r->streams);
    read_counts(json_at(record, "streams.rows"), s->stream_rows, r->streams);
    for (size_t i = 0; i < devices->name_count; i++)
        read_disk(json_object_get(json_object_get(record, "disks"), devices->names[i]),
                  devices->names[i], &s->disks[i]);
    read_gauges(record, s);
    s->client_cpu_ns = to_ns(json_number_at(record, "cpu.client_s"));
    s->host.busy = to_count(json_at(record, "cpu.host_busy_ticks"));
    s->host.total = to_count(json_at(record, "cpu.host_total_ticks"));
    s->temperature_c = json_number_at(record, "temperature_c");
    return s;
}

static uint64_t risen(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

static void fill_streams(struct stream_record *records, const struct rebuild *r,
                         const struct sample *start, const struct sample *end, int64_t elapsed_ns)
{
    for (size_t i = 0; i < r->streams; i++)
        records[i] = (struct stream_record){
            .rows = risen(start->stream_rows[i], end->stream_rows[i]),
            .commits = risen(start->stream_commits[i], end->stream_commits[i]),
            .elapsed_ns = elapsed_ns,
            .transaction_ns = -1,
        };
}

/* The sums are kept with every sample, the single streams only with some: where the last
 * sample has none, the sums stand in a record of their own. */
static void fill_work(struct phase_record *phase, struct stream_record *records,
                      const struct rebuild *r)
{
    uint64_t commits = risen(phase->start->commits, phase->end->commits), counted = 0;
    fill_streams(records, r, phase->start, phase->end, phase->elapsed_ns);
    for (size_t i = 0; i < r->streams; i++)
        counted += records[i].commits;
    phase->streams = records;
    phase->stream_count = r->streams;
    if (counted == commits && r->streams > 0)
        return;
    records[0] = (struct stream_record){
        .rows = risen(phase->start->rows, phase->end->rows),
        .commits = commits,
        .elapsed_ns = phase->elapsed_ns,
        .transaction_ns = -1,
    };
    phase->stream_count = 1;
}

/* What is kept of a phase's samples: its ends and the differences between. */
struct window {
    struct sample *start, *end, *settled;
    struct series series;
    double seen[WAITS_GROUPS]; /* streams in each kind of wait, over all samples */
};

static void window_release(struct window *w)
{
    sample_destroy(w->start);
    sample_destroy(w->end);
    sample_destroy(w->settled);
    series_release(&w->series);
}

/* Takes the sample. */
static void window_add(struct window *w, const struct device_set *devices, struct sample *s)
{
    if (s->mark == SAMPLE_SETTLED) {
        sample_destroy(w->settled);
        w->settled = s;
    } else if (!w->start || s->mark == SAMPLE_WARM) { /* the warm-up is not counted */
        sample_destroy(w->start);
        sample_destroy(w->end);
        w->start = s;
        w->end = NULL;
        w->series.count = 0;
        memset(w->seen, 0, sizeof w->seen);
    } else {
        series_add(&w->series, devices, w->start, w->end ? w->end : w->start, s);
        for (size_t i = 0; i < s->gauge_count; i++)
            waits_add_gauge(w->seen, s->gauges[i].name, s->gauges[i].value);
        sample_destroy(w->end);
        w->end = s;
    }
}

static json_t *window_json(const struct window *w, const struct rebuild *r)
{
    struct stream_record *records = calloc(r->streams + 1, sizeof *records);
    if (!records)
        return NULL;
    struct phase_record record = {
        .kind = r->load.phases[w->start->phase % r->load.phase_count],
        .cycle = w->start->cycle,
        .load = &r->load,
        .devices = r->devices,
        .elapsed_ns = w->end->t0_ns - w->start->t1_ns,
        .settle_ns = w->settled ? w->settled->t1_ns - w->end->t1_ns : 0,
        .start = w->start,
        .end = w->end,
        .settled_sample = w->settled,
        .series = &w->series,
        .floor_commits_per_s = r->floor_commits_per_s,
    };
    fill_work(&record, records, r);
    json_t *phase = phase_json(&record);
    free(records);
    put(phase, "partial", json_boolean(w->end->mark != SAMPLE_PHASE_END));
    put(phase, "waits", waits_groups_json(w->seen));
    /* Not known, and not 0. */
    put(phase, "retries", NULL);
    put(phase, "reconnects", NULL);
    put(phase, "in_doubt_rows", NULL);
    put(phase, "stream_count", json_integer((json_int_t)r->streams));
    return phase;
}

/* Unreadable phases are taken as the default, insert and delete. */
static void read_phases(struct workload *load, const char *text)
{
    struct err err;
    if (!text || phases_parse(text, load->phases, &load->phase_count, &err) != 0 ||
        load->phase_count == 0) {
        load->phases[0] = PHASE_INSERT;
        load->phases[1] = PHASE_DELETE;
        load->phase_count = 2;
    }
}

static void read_load(struct rebuild *r, const json_t *header, const json_t *trial)
{
    double payload = keys_number(header, trial, "row.payload");
    double indexes = keys_number(header, trial, "row.indexes");
    r->load.shape.payload_bytes = payload >= 0 && payload < 1e12 ? (size_t)payload : 0;
    r->load.shape.key_columns = indexes > 1 && indexes <= ROW_KEYS_MAX ? (unsigned)indexes : 1;
    read_phases(&r->load, keys_text(header, trial, "workload.phases"));
}

static size_t most_streams(const json_t *samples)
{
    size_t most = 0, index;
    const json_t *record;
    json_array_foreach(samples, index, record)
    {
        size_t count = json_array_size(json_at(record, "streams.commits"));
        most = count > most ? count : most;
    }
    return most < WORKLOAD_STREAMS_MAX ? most : WORKLOAD_STREAMS_MAX;
}

static bool same_phase(const json_t *a, const json_t *b)
{
    return to_count(json_object_get(a, "phase")) == to_count(json_object_get(b, "phase")) &&
           to_count(json_object_get(a, "cycle")) == to_count(json_object_get(b, "cycle"));
}

/* Samples of one phase lie side by side. */
static void rebuild_phases(const struct rebuild *r, const json_t *samples, json_t *phases)
{
    size_t total = json_array_size(samples);
    for (size_t from = 0, to; from < total; from = to) {
        const json_t *first = json_array_get(samples, from);
        struct window window = {0};
        for (to = from; to < total && same_phase(first, json_array_get(samples, to)); to++)
            window_add(&window, r->devices, read_sample(json_array_get(samples, to), r));
        json_t *phase = window.end ? window_json(&window, r) : NULL;
        if (phase)
            json_array_append_new(phases, phase);
        window_release(&window);
    }
}

/* The start's member where it is of the right type, else null. */
static void put_copy(json_t *trial, const json_t *start, const char *key, json_type type)
{
    json_t *value = json_object_get(start, key);
    put(trial, key, value && json_typeof(value) == type ? json_incref(value) : NULL);
}

json_t *rebuild_trial(const json_t *header, const json_t *start, const json_t *samples)
{
    json_t *trial = json_object();
    put_count(trial, "index", json_number_at(json_array_get(samples, 0), "trial"));
    put_text(trial, "part", json_text_at(start, "part"));
    put_count(trial, "repeat", json_number_at(start, "repeat"));
    put_count(trial, "target", json_number_at(start, "target"));
    put_copy(trial, start, "factors", JSON_OBJECT);
    if (!json_is_object(json_object_get(trial, "factors")))
        put(trial, "factors", json_object());
    put(trial, "ended_by", NULL);
    put(trial, "error", NULL);
    put(trial, "partial", json_true());
    for (size_t i = 0; i < 2; i++) {
        static const char *const forecasts[] = {"begin_locks", "commit_flushes"};
        json_t *value = json_object_get(start, forecasts[i]);
        put(trial, forecasts[i], json_is_boolean(value) ? json_incref(value) : NULL);
    }
    put_copy(trial, start, "engine_settings", JSON_OBJECT);
    put_copy(trial, start, "floor", JSON_OBJECT);

    json_t *phases = json_array();
    double target = json_number_at(start, "target");
    struct device_set *devices = read_devices(header, isnan(target) ? 0 : target);
    struct rebuild r = {.devices = devices,
                        .streams = most_streams(samples),
                        .floor_commits_per_s = json_number_at(start, "floor.before_commits_per_s")};
    read_load(&r, header, trial);
    if (devices)
        rebuild_phases(&r, samples, phases);
    free(devices);
    put(trial, "phases", phases);
    json_t *verify = json_object();
    put(verify, "ok", NULL);
    put(trial, "verify", verify);
    put(trial, "disturbed", NULL);
    return trial;
}
