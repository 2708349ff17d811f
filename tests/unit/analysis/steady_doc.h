/* steady_doc.h - trials whose commits/s go through known levels: summary and courses, for the tests
 * of what is read from them over time. */
#ifndef UNIT_ANALYSIS_STEADY_DOC_H
#define UNIT_ANALYSIS_STEADY_DOC_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/evidence.h"
#include "analysis/rates.h"
#include "result/put.h"
#include "result/rounds.h"

/* So long at one rate. */
struct stretch {
    double seconds, rate;
    double bytes_per_s, celsius;        /* NaN unknown */
    double write_bytes_per_s, flush_ms; /* of the data device; flush_ms in each interval */
    double in_flight;
    bool growing;
};

struct doc {
    json_t *summary;
    struct courses courses;
    double now_s, bytes; /* since the run's start; of the trial */
};

#define DOC_INTERVAL_S 0.1

/* SQLite on a drive of 3 TB, so that the gate would be 1 TB. */
static inline void doc_init(struct doc *doc)
{
    *doc = (struct doc){.now_s = 2};
    doc->summary =
        json_pack("{s:{s:s}, s:{}, s:[{s:s, s:s, s:f}], s:[], s:[]}", "environment", "engine",
                  "sqlite", "workload", "devices", "role", "data", "write_cache", "write through",
                  "size_bytes", 3e12, "trials", "events");
}

static inline void doc_release(struct doc *doc)
{
    json_decref(doc->summary);
    courses_release(&doc->courses);
}

static inline void doc_key(struct doc *doc, const char *key, const char *value)
{
    put_text(json_object_get(doc->summary, "workload"), key, value);
}

static inline json_t *doc_trial(struct doc *doc)
{
    json_t *trials = json_object_get(doc->summary, "trials");
    return json_array_get(trials, json_array_size(trials) - 1);
}

static inline void doc_begin(struct doc *doc, int repeat)
{
    json_t *trials = json_object_get(doc->summary, "trials");
    json_array_append_new(trials,
                          json_pack("{s:i, s:i, s:{}, s:s, s:b, s:[]}", "index",
                                    (int)json_array_size(trials), "repeat", repeat, "factors",
                                    "ended_by", "done", "commit_flushes", 1, "phases"));
    doc->bytes = 0;
}

static inline struct course *doc_course(struct doc *doc, unsigned phase, unsigned cycle)
{
    struct courses *courses = &doc->courses;
    courses->items = realloc(courses->items, (courses->count + 1) * sizeof *courses->items);
    courses->capacity = courses->count + 1;
    struct course *course = &courses->items[courses->count++];
    *course = (struct course){
        .trial = (unsigned)json_array_size(json_object_get(doc->summary, "trials")) - 1,
        .phase = phase,
        .cycle = cycle,
        .start_s = doc->now_s,
        .bytes_before = doc->bytes,
        .series = {.has_wal = true}};
    return course;
}

/* A phase of these stretches, in intervals; with 1 s of settling behind it. */
static inline json_t *doc_phase(struct doc *doc, const char *name, unsigned cycle,
                                const struct stretch *stretches, size_t count)
{
    json_t *phases = json_object_get(doc_trial(doc), "phases");
    struct course *course = doc_course(doc, (unsigned)json_array_size(phases), cycle);
    struct series *series = &course->series;
    double seconds = 0, commits = 0, begin_bytes = doc->bytes, begin_s = doc->now_s;
    for (size_t i = 0; i < count; i++) {
        const struct stretch *s = &stretches[i];
        size_t intervals = (size_t)lround(s->seconds / DOC_INTERVAL_S);
        series->items =
            realloc(series->items, (series->count + intervals + 1) * sizeof *series->items);
        for (size_t k = 0; k < intervals; k++) {
            double noise = k % 3 == 0 ? 0.01 : k % 3 == 1 ? -0.01 : 0;
            series->items[series->count++] =
                (struct interval){.start_s = seconds,
                                  .seconds = DOC_INTERVAL_S,
                                  .commits = s->rate * (1 + noise) * DOC_INTERVAL_S,
                                  .bytes = s->bytes_per_s * DOC_INTERVAL_S,
                                  .in_flight = s->in_flight,
                                  .temperature_c = s->celsius,
                                  .wal_growing = s->growing,
                                  .device = {.writes = 5,
                                             .write_bytes = s->write_bytes_per_s * DOC_INTERVAL_S,
                                             .flush_ms = s->flush_ms}};
            seconds += DOC_INTERVAL_S;
            commits += s->rate * DOC_INTERVAL_S;
            doc->bytes += s->bytes_per_s * DOC_INTERVAL_S;
        }
    }
    series->capacity = series->count;
    doc->now_s += seconds + 1;
    json_t *phase = json_pack("{s:s, s:i, s:f, s:f, s:f, s:f, s:{s:o, s:f}, s:{s:{s:s}}}", "name",
                              name, "cycle", (int)cycle, "start_s", begin_s, "elapsed_s", seconds,
                              "commits", commits, "commits_per_s", commits / seconds, "device_sum",
                              "write_bytes", json_measured(doc->bytes - begin_bytes),
                              "settle_write_bytes", 0.0, "devices", "sda", "role", "data");
    json_array_append_new(phases, phase);
    return phase;
}

/* Gives the last trial its rounds, as reading a result does. */
static inline void doc_rounds(struct doc *doc, double round_s)
{
    json_t *trial = doc_trial(doc);
    put(trial, "rounds", rounds_json(json_object_get(trial, "phases"), round_s));
}

/* A round of one phase that nobody sampled. */
static inline void doc_round(struct doc *doc, double commits_per_s, double p99_ms, double bytes)
{
    json_t *trial = doc_trial(doc), *rounds = json_object_get(trial, "rounds");
    if (!rounds) {
        rounds = json_array();
        put(trial, "rounds", rounds);
    }
    int number = (int)json_array_size(rounds);
    double total =
        number > 0 ? json_number_at(json_array_get(rounds, (size_t)number - 1), "bytes_total") : 0;
    json_array_append_new(
        rounds,
        json_pack("{s:i, s:[i, i], s:f, s:f, s:o, s:o, s:b, s:b, s:{s:{s:o, s:o}}}", "round",
                  number, "cycles", number, number, "start_s", 60.0 * number, "elapsed_s", 60.0,
                  "bytes", json_measured(bytes), "bytes_total", json_measured(total + bytes),
                  "after_pause", 0, "partial", 0, "phases", "insert", "commits_per_s",
                  json_measured(commits_per_s), "p99_ms", json_measured(p99_ms)));
}

static inline json_t *doc_find(const struct doc *doc, json_t *(*find)(const struct evidence *))
{
    struct groups groups;
    groups_init(&groups, doc->summary);
    struct evidence evidence = {
        .summary = doc->summary, .groups = &groups, .courses = &doc->courses};
    asked_read(doc->summary, &evidence.asked);
    json_t *found = find(&evidence);
    groups_release(&groups);
    return found;
}

static inline const char *doc_said(const json_t *finding, const char *label)
{
    size_t i;
    const json_t *own;
    json_array_foreach(json_object_get(finding, "labels"), i, own)
    {
        if (strcmp(json_string_value(own), label) == 0)
            return json_string_value(json_array_get(json_object_get(finding, "sentences"), i));
    }
    return NULL;
}

#define DOC_COUNT(array)              (sizeof(array) / sizeof *(array))
#define NEAR(value, expected, within) assert_true(fabs((value) - (expected)) <= (within))

#endif
