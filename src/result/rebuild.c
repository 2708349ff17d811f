#include "result/rebuild.h"

#include <math.h>
#include <stdlib.h>

#include "result/keys.h"
#include "result/put.h"
#include "result/trial.h"
#include "result/waits.h"
#include "workload/phases.h"

/* Everything below reads a file that may hold anything. */

struct rebuild {
    const struct trace *trace;
    struct workload load;
    size_t streams;
    double floor_commits_per_s;
};

static uint64_t risen(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

static uint64_t stream_risen(const struct sample *start, const struct sample *end,
                             uint64_t *const *from, uint64_t *const *to, size_t i)
{
    return risen(i < start->stream_count ? (*from)[i] : 0, i < end->stream_count ? (*to)[i] : 0);
}

static void fill_streams(struct stream_record *records, const struct rebuild *r,
                         const struct sample *start, const struct sample *end, int64_t elapsed_ns)
{
    for (size_t i = 0; i < r->streams; i++)
        records[i] = (struct stream_record){
            .rows = stream_risen(start, end, &start->stream_rows, &end->stream_rows, i),
            .commits = stream_risen(start, end, &start->stream_commits, &end->stream_commits, i),
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

static json_t *one_phase(const struct trace_phase *of, const struct rebuild *r)
{
    const struct sample *start = of->start.sample, *end = of->end.sample;
    const struct sample *settled = of->settled.sample;
    struct stream_record *records = calloc(r->streams + 1, sizeof *records);
    if (!records)
        return NULL;
    struct phase_record record = {
        .kind = r->load.phases[of->phase % r->load.phase_count],
        .cycle = of->cycle,
        .load = &r->load,
        .devices = r->trace->devices,
        .elapsed_ns = end->t0_ns - start->t1_ns,
        .settle_ns = settled ? settled->t1_ns - end->t1_ns : 0,
        .start = start,
        .end = end,
        .settled_sample = settled,
        .series = &r->trace->courses->items[of->course].series,
        .floor_commits_per_s = r->floor_commits_per_s,
    };
    fill_work(&record, records, r);
    json_t *phase = phase_json(&record);
    free(records);
    put(phase, "partial", json_boolean(end->mark != SAMPLE_PHASE_END));
    put(phase, "waits", waits_groups_json(of->seen));
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

static void put_phases(json_t *trial, const struct rebuild *r)
{
    json_t *phases = json_array();
    for (size_t i = 0; i < r->trace->phase_count; i++) {
        const struct trace_phase *of = &r->trace->phases[i];
        json_t *phase = of->start.sample && of->end.sample ? one_phase(of, r) : NULL;
        if (phase)
            json_array_append_new(phases, phase);
    }
    put(trial, "phases", phases);
}

/* The start's member where it is of the right type, else null. */
static void put_copy(json_t *trial, const json_t *start, const char *key, json_type type)
{
    json_t *value = json_object_get(start, key);
    put(trial, key, value && json_typeof(value) == type ? json_incref(value) : NULL);
}

json_t *rebuild_trial(const json_t *header, const json_t *start, const struct trace *trace)
{
    json_t *trial = json_object();
    put_count(trial, "index", trace->trial);
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

    struct rebuild r = {.trace = trace,
                        .streams = trace->streams,
                        .floor_commits_per_s = json_number_at(start, "floor.before_commits_per_s")};
    read_load(&r, header, trial);
    put_phases(trial, &r);
    json_t *verify = json_object();
    put(verify, "ok", NULL);
    put(trial, "verify", verify);
    put(trial, "disturbed", NULL);
    return trial;
}
