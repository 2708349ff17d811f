/* compare_documents.h - invented results for the tests of comparisons: summary documents whose
 * every figure is given. */
#ifndef TESTS_COMPARE_DOCUMENTS_H
#define TESTS_COMPARE_DOCUMENTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* One result; NULL and 0: as most of them are. */
struct made {
    const char *label, *run_id, *model, *firmware, *link, *kernel, *filesystem, *engine;
    double size_bytes, fill;
    const char *targets[4]; /* NULL-terminated; none: "/mnt/ssd" */
    const char *streams;    /* the key's value */
};

/* One phase of one repeat. */
struct figures {
    const char *part; /* NULL: none */
    const char *phase;
    int rows_per_commit;
    double commits_per_s, p50_ms, p99_ms, bytes, writes, flush_ms;
};

static inline const char *made_or(const char *text, const char *usual)
{
    return text ? text : usual;
}

static inline json_t *made_device(const struct made *m, int target)
{
    return json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:f, s:[s], s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:i}", "role",
        "data", "target", target, "path", made_or(m->targets[target], "/mnt/ssd"), "filesystem",
        made_or(m->filesystem, "ext4"), "mount_options", "rw,noatime", "fill",
        m->fill > 0 ? m->fill : 0.61, "leaves", "nvme0n1", "sampled", "nvme0n1", "model",
        made_or(m->model, "Example 1TB"), "firmware", made_or(m->firmware, "2B4Q"), "link",
        made_or(m->link, "PCIe 4.0 x4"), "scheduler", "none", "write_cache", "write back",
        "size_bytes", m->size_bytes > 0 ? m->size_bytes : 1e12, "physical_block_bytes", 512);
}

static inline json_t *made_workload(const struct made *m)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name", "example",
                     "workload.phases", "insert, delete", "workload.streams",
                     made_or(m->streams, "1"), "workload.rows", "1000", "row.payload", "100",
                     "row.indexes", "0", "run.repeats", "6", "limit.write_bytes", "100G");
}

/* New reference, without trials. */
static inline json_t *made_summary(const struct made *m)
{
    json_t *summary = json_pack(
        "{s:s, s:i, s:s?, s:s?, s:b, s:o, s:s, s:{s:s, s:s, s:i, s:f, s:s, s:s, s:{s:s}}}",
        "loadline", "0.1.0", "schema", 1, "run_id", m->run_id, "label", m->label, "partial", 0,
        "workload", made_workload(m), "workload_hash", "5f3a000000000000", "environment", "kernel",
        made_or(m->kernel, "6.1.0"), "cpu_model", "Example CPU", "cpus", 8, "memory_bytes", 16e9,
        "engine", made_or(m->engine, "sqlite"), "engine_version", "3.40.1", "engine_settings",
        "journal_mode", "wal");
    json_t *targets = json_array(), *devices = json_array();
    for (int i = 0; i == 0 || m->targets[i]; i++) {
        json_array_append_new(targets, json_pack("{s:s, s:s, s:b}", "target",
                                                 made_or(m->targets[i], "/mnt/ssd"), "engine",
                                                 made_or(m->engine, "sqlite"), "wal_elsewhere", 0));
        json_array_append_new(devices, made_device(m, i));
    }
    json_object_set_new(summary, "targets", targets);
    json_object_set_new(summary, "devices", devices);
    json_object_set_new(summary, "trials", json_array());
    return summary;
}

static inline json_t *made_phase(const struct figures *f)
{
    double commits = f->commits_per_s * 30;
    return json_pack(
        "{s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:{s:{s:f, s:f}}, s:{s:f, s:f, s:f}, s:{s:{s:s, s:f, "
        "s:{s:f}}}, s:{s:b}}",
        "name", f->phase, "stream_count", 1, "elapsed_s", 30.0, "commits", commits, "rows",
        commits * f->rows_per_commit, "commits_per_s", f->commits_per_s, "rows_per_s",
        f->commits_per_s * f->rows_per_commit, "latency_ms", "transaction", "p50", f->p50_ms, "p99",
        f->p99_ms, "per_commit", "writes", f->writes, "flushes", 1.0, "bytes", f->bytes, "devices",
        "nvme0n1", "role", "data", "flush_await_ms", f->flush_ms, "foreign", "share", 0.003,
        "verify", "ok", 1);
}

/* Adds one repeat with one phase; `factors` is stolen (NULL: none).  Borrowed trial. */
static inline json_t *made_trial(json_t *summary, int repeat, int target, json_t *factors,
                                 const struct figures *f)
{
    json_t *trials = json_object_get(summary, "trials");
    factors = factors ? factors : json_object();
    if (json_array_size(json_object_get(summary, "targets")) > 1) {
        const json_t *given = json_array_get(json_object_get(summary, "targets"), (size_t)target);
        json_object_set(factors, "target", json_object_get(given, "target"));
    }
    if (f->rows_per_commit > 0)
        json_object_set_new(factors, "rows_per_commit", json_integer(f->rows_per_commit));
    json_t *trial =
        json_pack("{s:i, s:s?, s:i, s:i, s:o, s:b, s:{}, s:s, s:[o], s:{s:b}}", "index",
                  (int)json_array_size(trials), "part", f->part, "repeat", repeat, "target", target,
                  "factors", factors, "commit_flushes", 1, "engine_settings", "ended_by", "done",
                  "phases", made_phase(f), "verify", "ok", 1);
    json_array_append_new(trials, trial);
    return trial;
}

/* A repeat of inserts, one row a commit, for each rate. */
static inline void made_rates(json_t *summary, int target, const double *rates, int count)
{
    for (int i = 0; i < count; i++)
        made_trial(summary, i, target, NULL,
                   &(struct figures){NULL, "insert", 1, rates[i], 1000 / rates[i], 3000 / rates[i],
                                     9626, 2.07, 1.05});
}

/* One result with these rates. */
static inline json_t *made_result(const struct made *m, const double *rates, int count)
{
    json_t *summary = made_summary(m);
    made_rates(summary, 0, rates, count);
    return summary;
}

#endif
