/* buyer_common.h - a summary of phases as a buyer's drive would have them. */
#ifndef TESTS_BUYER_COMMON_H
#define TESTS_BUYER_COMMON_H

#include "result/put.h"

static inline json_t *summary_of(const char *engine)
{
    return json_pack("{s:{s:s}, s:[{s:s, s:s}], s:{}, s:[{s:s, s:s, s:s}], s:[]}", "environment",
                     "engine", engine, "targets", "target", "/mnt/ssd", "engine", engine,
                     "workload", "devices", "role", "data", "filesystem", "ext4", "write_cache",
                     "write back", "trials");
}

static inline json_t *settings(const char *journal, const char *level)
{
    return json_pack("{s:s, s:s}", "journal_mode", journal, "synchronous", level);
}

/* One flush and 9,728 bytes a commit for 100 s; a p99 of 2.3 ms.  Its trial gets the settings. */
static inline json_t *add(json_t *summary, const char *name, int streams, int rows_per_commit,
                          double rate)
{
    double commits = rate * 100;
    json_t *phase = json_pack(
        "{s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:{s:f, s:f, s:f}, s:{s:f, s:f}, s:{s:{s:f, s:f}}}",
        "name", name, "stream_count", streams, "elapsed_s", 100.0, "settle_s", 0.0, "commits",
        commits, "rows", commits * rows_per_commit, "commits_per_s", rate, "per_commit", "writes",
        2.0, "flushes", 1.0, "bytes", 9728.0, "device_sum", "write_bytes", commits * 9728.0,
        "settle_write_bytes", 0.0, "latency_ms", "transaction", "p50", 1.18, "p99", 2.3);
    put(phase, "devices", json_pack("{s:{s:s}}", "sda", "role", "data"));
    json_array_append_new(json_object_get(summary, "trials"),
                          json_pack("{s:i, s:b, s:o, s:{s:i, s:i}, s:[O]}", "target", 0,
                                    "commit_flushes", 1, "engine_settings", settings("wal", "full"),
                                    "factors", "streams", streams, "rows_per_commit",
                                    rows_per_commit, "phases", phase));
    json_decref(phase);
    return phase;
}

static inline json_t *last_trial(json_t *summary)
{
    json_t *trials = json_object_get(summary, "trials");
    return json_array_get(trials, json_array_size(trials) - 1);
}

#endif
