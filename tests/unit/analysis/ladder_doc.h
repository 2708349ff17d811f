/* ladder_doc.h - summaries with one load at several numbers of streams, for the tests of what is
 * read from them. */
#ifndef UNIT_ANALYSIS_LADDER_DOC_H
#define UNIT_ANALYSIS_LADDER_DOC_H

#include <math.h>
#include <string.h>

#include "analysis/evidence.h"

struct point {
    double streams, commits, writes, p99_ms; /* per second; NaN: not known */
};

static inline json_t *doc_phase(const char *name, const struct point *p, double rows_per_commit)
{
    return json_pack("{s:s, s:f, s:o, s:o, s:{s:{s:o, s:o}}, s:{s:{s:s, s:o, s:f, s:f}}}", "name",
                     name, "stream_count", p->streams, "commits_per_s", json_measured(p->commits),
                     "rows_per_s", json_measured(p->commits * rows_per_commit), "latency_ms",
                     "transaction", "p50", json_measured(p->p99_ms / 2), "p99",
                     json_measured(p->p99_ms), "devices", "sda", "role", "data", "write_iops",
                     json_measured(p->writes), "seconds", 10.0, "flushes", 5000.0);
}

static inline json_t *doc_trial(double streams, int repeat, json_t *phases)
{
    return json_pack("{s:i, s:{s:o}, s:s, s:b, s:o}", "repeat", repeat, "factors", "streams",
                     json_integer((json_int_t)streams), "ended_by", "done", "commit_flushes", 1,
                     "phases", phases);
}

/* Rows in a commit are asked for as `rows_per_commit`. */
static inline json_t *doc_summary(double rows_per_commit)
{
    return json_pack("{s:{s:s}, s:{s:f}, s:[{s:s, s:s}], s:[]}", "environment", "engine", "sqlite",
                     "workload", "workload.rows_per_commit", rows_per_commit, "devices", "role",
                     "data", "write_cache", "write through", "trials");
}

static inline void doc_add(json_t *summary, json_t *trial)
{
    json_t *trials = json_object_get(summary, "trials");
    json_object_set_new(trial, "index", json_integer((json_int_t)json_array_size(trials)));
    json_array_append_new(trials, trial);
}

static inline void doc_points(json_t *summary, const struct point *points, size_t count)
{
    double rows = json_number_at(summary, "workload.workload.rows_per_commit");
    for (size_t i = 0; i < count; i++)
        doc_add(summary, doc_trial(points[i].streams, 0,
                                   json_pack("[o]", doc_phase("insert", &points[i], rows))));
}

static inline json_t *doc_find(json_t *(*find)(const struct evidence *), const json_t *summary,
                               const struct courses *courses)
{
    struct groups groups;
    groups_init(&groups, summary);
    struct evidence evidence = {.summary = summary, .groups = &groups, .courses = courses};
    asked_read(summary, &evidence.asked);
    json_t *found = find(&evidence);
    groups_release(&groups);
    return found;
}

static inline const json_t *doc_finding(const json_t *found, size_t at)
{
    return json_array_get(json_object_get(found, "findings"), at);
}

/* Of the sentence with this label, or NULL. */
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

#define DOC_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
