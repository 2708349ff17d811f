#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "result/put.h"
#include "result/waits.h"

/* One phase of 16 streams with these waits, in one table. */
static json_t *summary_of(const struct wait_record *waits, size_t count, double host_busy)
{
    json_t *phase =
        json_pack("{s:s, s:i, s:f, s:i, s:f, s:{s:f, s:f}, s:{s:f}}", "name", "insert",
                  "stream_count", 16, "elapsed_s", 1.0, "commits", 800, "commits_per_s", 800.0,
                  "cpu", "client_s", 0.5, "host_busy", host_busy, "per_commit", "flushes", 1.0);
    put(phase, "waits", waits_json(waits, count, 0));
    put(phase, "devices",
        json_pack("{s:{s:s, s:f, s:i, s:f}}", "sda", "role", "data", "seconds", 1.0, "writes", 1600,
                  "flush_await_ms", 0.31));
    return json_pack("{s:{s:s, s:s}, s:[{s:s, s:s}], s:[{s:b, s:{s:i}, s:[o]}]}", "workload",
                     "workload.layout", "shared-table", "workload.rate", "-", "devices", "role",
                     "data", "write_cache", "write back", "trials", "commit_flushes", 1, "factors",
                     "streams", 16, "phases", phase);
}

static json_t *phase_of(json_t *summary)
{
    json_t *trial = json_array_get(json_object_get(summary, "trials"), 0);
    return json_array_get(json_object_get(trial, "phases"), 0);
}

/* Steals the summary. */
static void judge(json_t *summary, const char *cause, const char *evidence)
{
    json_t *analysis = analysis_make(summary, NULL);
    const json_t *entry = json_array_get(json_object_get(analysis, "bottleneck"), 0);
    const json_t *said = json_array_get(json_object_get(entry, "evidence"), 0);
    if (strcmp(json_text_at(entry, "cause"), cause) != 0 ||
        !strstr(json_string_value(said), evidence))
        fail_msg("%s: \"%s\", not %s: \"%s\"", json_text_at(entry, "cause"),
                 json_string_value(said), cause, evidence);
    json_decref(analysis);
    json_decref(summary);
}

static void each_cause(void **state)
{
    (void)state;
    static const struct {
        struct wait_record waits[4];
        double host_busy;
        const char *cause, *evidence;
    } cases[] = {
        {{{"Lock:extend", "extend", 65}, {"CPU", "cpu", 20}, {"IO:WALSync", "flush", 15}},
         0.3,
         "lock",
         "lock: 65% of the streams' time waits to extend the table (Lock:extend); separate tables "
         "share no such lock"},
        {{{"Lock:transactionid", "row", 90}, {"CPU", "cpu", 10}},
         0.3,
         "lock",
         "waits for row and transaction locks (Lock:transactionid)"},
        {{{"LWLock:BufferContent", "buffer", 30},
          {"LWLock:WALInsert", "log_insert", 25},
          {"CPU", "cpu", 45}},
         0.3,
         "lock",
         "55% of the streams' time waits for other streams: page 30% (LWLock:BufferContent), WAL "
         "insert 25%"},
        {{{"IO:WALSync", "flush", 20}, {"LWLock:WALWrite", "group", 42}, {"CPU", "cpu", 38}},
         0.3,
         "device",
         "flush: 62% of the streams' time waits for the WAL: group commit 42% (LWLock:WALWrite), "
         "flush leader 20% (IO:WALSync); 0.310 ms a flush"},
        {{{"IO:DataFileExtend", "file", 60}, {"CPU", "cpu", 40}}, 0.3, "device", "data files: 60%"},
        {{{"Client:ClientRead", "client", 70}, {"CPU", "cpu", 30}}, 0.5, "client", "client: 70%"},
        {{{"Client:ClientRead", "client", 70}, {"CPU", "cpu", 30}},
         0.94,
         "client",
         "(Client:ClientRead); host CPU 94% busy"},
        /* Who waits for a client that waits for a CPU. */
        {{{"Client:ClientRead", "client", 70}, {"CPU", "cpu", 30}},
         0.99,
         "cpu",
         "CPU: the host's CPUs were 99% busy, and no flush or lock takes half of the streams' "
         "time: client 70%, CPU 30%"},
        {{{"Client:ClientRead", "client", 49}, {"CPU", "cpu", 40}, {"Lock:extend", "extend", 11}},
         0.99,
         "cpu",
         "client 49%, CPU 40%, extend 11%"},
        {{{"Client:ClientRead", "client", 49}, {"CPU", "cpu", 40}, {"Lock:extend", "extend", 11}},
         0.92,
         "unknown",
         "extend 11%; host CPU 92% busy"},
        {{{"IO:WALSync", "flush", 55}, {"CPU", "cpu", 45}}, 0.99, "device", "flush: 55%"},
        {{{"CPU", "cpu", 80}, {"IO:WALSync", "flush", 20}}, 0.93, "cpu", "CPUs were 93% busy"},
        {{{"CPU", "cpu", 80}, {"IO:WALSync", "flush", 20}},
         0.5,
         "unknown",
         "no single limit of the streams' time: CPU 80%, flush leader 20%"},
        {{{"IPC:CheckpointDone", "other", 55}, {"CPU", "cpu", 45}},
         0.5,
         "checkpoint",
         "checkpoint: 55%"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = 0;
        while (count < 4 && cases[i].waits[count].event)
            count++;
        judge(summary_of(cases[i].waits, count, cases[i].host_busy), cases[i].cause,
              cases[i].evidence);
    }
}

static const struct wait_record flushing[] = {{"IO:WALSync", "flush", 90}, {"CPU", "cpu", 10}};

/* Six looks say nothing; what the drive itself counted does. */
static void too_few_looks(void **state)
{
    (void)state;
    static const struct wait_record few[] = {{"Lock:extend", "extend", 5}, {"CPU", "cpu", 1}};
    static const struct wait_record enough[] = {{"Lock:extend", "extend", 25}, {"CPU", "cpu", 5}};
    judge(summary_of(few, 2, 0.95), "cpu", "the host's CPUs were 95% busy");
    judge(summary_of(enough, 2, 0.95), "lock", "share no such lock; host CPU 95% busy");
}

static void the_log_on_its_own_device(void **state)
{
    (void)state;
    json_t *summary = summary_of(flushing, 2, 0.1);
    json_object_set_new(
        json_object_get(phase_of(summary), "devices"), "sdb",
        json_pack("{s:s, s:f, s:i}", "role", "wal", "seconds", 1.0, "flushes", 800));
    judge(summary, "wal", "waits for the WAL on sdb: flush leader 90%");
}

static void nothing_is_flushed_without_fsync(void **state)
{
    (void)state;
    json_t *summary = summary_of(flushing, 2, 0.1);
    json_object_set_new(json_array_get(json_object_get(summary, "trials"), 0), "engine_settings",
                        json_pack("{s:s}", "durability", "fsync is off: nothing"));
    judge(summary, "device", "WAL: 90% of the streams' time waits for it to be written");
}

/* What an open loop offers, and how much of it was done. */
static void the_offer(void **state)
{
    (void)state;
    static const struct wait_record idle[] = {{"CPU", "cpu", 90}, {"Client:Read", "client", 10}};
    json_t *summary = summary_of(idle, 2, 0.95);
    json_object_set_new(json_object_get(summary, "workload"), "workload.rate", json_string("800"));
    judge(json_incref(summary), "client", "rate: 800 of the 800 transactions/s offered were done");
    json_object_set_new(json_object_get(summary, "workload"), "workload.rate", json_string("1k"));
    judge(summary, "cpu", "CPU: 90%");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cause),
        cmocka_unit_test(too_few_looks),
        cmocka_unit_test(the_log_on_its_own_device),
        cmocka_unit_test(nothing_is_flushed_without_fsync),
        cmocka_unit_test(the_offer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
