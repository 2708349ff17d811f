#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"

/* A summary with one trial of one phase, made from the phase's members. */
static json_t *analyse(json_t *phase)
{
    json_object_set_new(phase, "name", json_string("insert"));
    json_t *summary =
        json_pack("{s:[{s:{s:i}, s:[o]}]}", "trials", "factors", "streams", 1, "phases", phase);
    json_t *analysis = analysis_make(summary, NULL);
    json_decref(summary);
    return analysis;
}

static void expect(json_t *phase, const char *cause, const char *evidence)
{
    json_t *analysis = analyse(phase);
    const json_t *entry = json_array_get(json_object_get(analysis, "bottleneck"), 0);
    const json_t *said = json_array_get(json_object_get(entry, "evidence"), 0);
    assert_string_equal(json_text_at(entry, "phase"), "insert");
    assert_true(json_number_at(entry, "factors.streams") == 1);
    assert_string_equal(json_text_at(entry, "cause"), cause);
    if (!strstr(json_string_value(said), evidence))
        fail_msg("\"%s\" does not say \"%s\"", json_string_value(said), evidence);
    json_decref(analysis);
}

/* 800 commits of 1.25 ms in 1 s, 1.05 ms of each in a flush. */
static json_t *one_stream(double flush_ms, double write_ms, double client_s, double host)
{
    return json_pack("{s:i, s:f, s:i, s:{s:f, s:f}, s:{s:{s:s, s:f, s:i, s:f, s:f}}}",
                     "stream_count", 1, "elapsed_s", 1.0, "commits", 800, "cpu", "client_s",
                     client_s, "host_busy", host, "devices", "sda", "role", "data", "seconds", 1.0,
                     "writes", 1600, "flush_ms", flush_ms, "write_ms", write_ms);
}

static json_t *streams(int count, double lock_ms, double flush_ms, double host)
{
    json_t *phase = one_stream(flush_ms, 5000, 0.5, host);
    json_object_set_new(phase, "stream_count", json_integer(count));
    json_object_set_new(
        phase, "latency_ms",
        json_pack("{s:{s:f}, s:{s:f}}", "transaction", "mean", 10.0, "lock_wait", "mean", lock_ms));
    return phase;
}

static void the_device(void **state)
{
    (void)state;
    expect(one_stream(840, 900, 0.1, 0.05), "device", "flush: 1.05 of 1.25 ms (84%) of a commit");
    /* 40% in flushes, 30% in writes: neither alone, both together. */
    expect(one_stream(400, 700, 0.1, 0.05), "device", "writes and flush: 0.875 of 1.25 ms (70%)");
    expect(one_stream(700, 1900, 0.1, 0.95), "device", "(70%) of a commit; host CPU 95% busy");
    expect(one_stream(500, 1900, 0.1, 0.05), "device",
           "all of the 1.25 ms of a commit (2.38 ms of");
    expect(streams(10, 0.1, 920, 0.5), "device", "flush: one in flight 92% of the time");
    /* The times of writes side by side say nothing at several streams. */
    expect(streams(10, 0.1, 100, 0.5), "unknown", "no single limit: CPU 50%, flush 10%");
}

/* Commits that do not wait for the drive are not held up by it, however busy it is. */
static void not_the_device_without_flushes(void **state)
{
    (void)state;
    static const struct {
        const char *forecast, *engine, *cache;
        double flushes;
        const char *cause;
    } cases[] = {
        {"true", "sqlite", "write back", 1, "device"},
        {"null", "sqlite", "write back", 1, "device"}, /* nobody knows: as before */
        {"false", "sqlite", "write back", 1, "unknown"},
        {"true", "sqlite", "write back", 0, "unknown"},
        {"true", "sqlite", "write through", 0, "device"},
        {"true", "null", "write back", 1, "client"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *phase = one_stream(840, 900, 0.1, 0.05);
        json_object_set_new(phase, "name", json_string("insert"));
        json_object_set_new(phase, "per_commit", json_pack("{s:f}", "flushes", cases[i].flushes));
        json_t *summary = json_pack(
            "{s:{s:s}, s:[{s:s, s:s}], s:[{s:o, s:[o]}]}", "environment", "engine", cases[i].engine,
            "devices", "role", "data", "write_cache", cases[i].cache, "trials", "commit_flushes",
            json_loads(cases[i].forecast, JSON_DECODE_ANY, NULL), "phases", phase);
        json_t *analysis = analysis_make(summary, NULL);
        const json_t *entry = json_array_get(json_object_get(analysis, "bottleneck"), 0);
        assert_string_equal(json_text_at(entry, "cause"), cases[i].cause);
        bool known = strcmp(cases[i].cause, "device") == 0;
        assert_int_equal(json_is_null(json_at(entry, "shares.flush")), !known);
        json_decref(analysis);
        json_decref(summary);
    }
}

static void the_lock(void **state)
{
    (void)state;
    expect(streams(10, 9.1, 920, 0.5), "lock", "lock: 9.10 of 10.0 ms (91%)");
    expect(streams(10, 5.0, 920, 0.5), "device", "flush"); /* half is not more than half */
    expect(streams(1, 9.1, 920, 0.5), "device", "flush");  /* alone there is nobody to wait for */
}

static void the_cpu_and_the_client(void **state)
{
    (void)state;
    expect(one_stream(100, 200, 0.2, 0.97), "cpu", "97% busy");
    expect(one_stream(100, 200, 0.95, 0.3), "cpu",
           "CPU: 1 stream used 95% of 1 CPU, the engine's work included");
    expect(one_stream(280, 490, 0.51, 0.3), "unknown",
           "no single limit: CPU 51%, flush 28%, writes 21%");
}

/* What loadline uses is not what the host does. */
static void the_hosts_cpu_unknown(void **state)
{
    (void)state;
    json_t *phase = one_stream(50, 60, 0.005, 0.3);
    json_object_set_new(phase, "elapsed_s", json_real(0.1));
    json_object_set_new(json_object_get(phase, "cpu"), "host_busy", json_null());
    expect(json_deep_copy(phase), "unknown",
           "no single limit: flush 5%, loadline's own CPU 5%; the host's CPU is unknown: the phase "
           "is too short");
    json_object_set_new(phase, "stream_count", json_integer(4));
    expect(phase, "unknown", "no single limit: flush 5%; the host's CPU is unknown");
    json_t *summary = json_pack("{s:{s:s}, s:[{s:[o]}]}", "environment", "engine", "postgres",
                                "trials", "phases", one_stream(100, 100, 0.4, 0.3));
    json_t *one = json_array_get(json_object_get(summary, "trials"), 0);
    json_object_set_new(json_array_get(json_object_get(one, "phases"), 0), "name",
                        json_string("insert"));
    json_t *analysis = analysis_make(summary, NULL);
    const json_t *entry = json_array_get(json_object_get(analysis, "bottleneck"), 0);
    assert_string_equal(json_string_value(json_array_get(json_object_get(entry, "evidence"), 0)),
                        "no single limit: loadline's own CPU 40%, flush 10%");
    json_decref(analysis);
    json_decref(summary);
}

/* One phase of an engine on a machine of four CPUs. */
static void expect_of(const char *engine, json_t *phase, const char *cause, const char *text)
{
    json_object_set_new(phase, "name", json_string("insert"));
    json_t *summary = json_pack("{s:{s:s, s:i}, s:[{s:[o]}]}", "environment", "engine", engine,
                                "cpus", 4, "trials", "phases", phase);
    json_t *analysis = analysis_make(summary, NULL);
    const json_t *entry = json_array_get(json_object_get(analysis, "bottleneck"), 0);
    assert_string_equal(json_text_at(entry, "cause"), cause);
    const char *evidence = json_string_value(json_array_get(json_object_get(entry, "evidence"), 0));
    if (!strstr(evidence, text))
        fail_msg("%s", evidence);
    json_decref(analysis);
    json_decref(summary);
}

static void whose_cpu(void **state)
{
    (void)state;
    expect_of("sqlite", one_stream(10, 20, 0.95, 0.25), "cpu",
              "CPU: 1 stream used 95% of 1 CPU, sqlite's work included");
    expect_of("postgres", one_stream(10, 20, 0.95, 0.25), "client",
              "client: 1 stream used 95% of 1 CPU");
    json_t *phase = one_stream(10, 20, 2.8, 0.7); /* of 3 s: three streams on four CPUs */
    json_object_set_new(phase, "stream_count", json_integer(3));
    expect_of("sqlite", json_deep_copy(phase), "cpu", "CPU: 3 streams used 93% of 3 CPUs");
    json_object_set_new(phase, "stream_count", json_integer(8)); /* of 4 s: eight on four */
    expect_of("sqlite", phase, "unknown", "CPU 70%");
    expect_of("null", one_stream(0, 0, 0.5, 0.2), "client", "loadline itself used 50% of 1 CPU");
}

static void the_checkpoint(void **state)
{
    (void)state;
    json_t *phase = one_stream(840, 900, 0.1, 0.1);
    json_object_set_new(phase, "engine", json_pack("{s:f}", "checkpoint_ms", 610.0));
    expect(phase, "checkpoint", "checkpoint: 61% of the streams' time");
}

static void nothing_known(void **state)
{
    (void)state;
    expect(json_object(), "unknown", "nothing that was measured");
    expect(json_pack("{s:b}", "measured_elsewhere", 1), "unknown", "something else");
    expect(json_pack("{s:s, s:[], s:i}", "elapsed_s", "x", "latency_ms", "cpu", 5), "unknown", "");
}

static json_t *trial(const char *part, int streams_count, int repeat, double commits, double rows,
                     double iops)
{
    return json_pack("{s:s?, s:i, s:{s:i}, s:[{s:s, s:f, s:{s:f, s:f}, s:{s:{s:s, s:f}}}]}", "part",
                     part, "repeat", repeat, "factors", "streams", streams_count, "phases", "name",
                     "insert", "commits_per_s", 1.0, "all_streams", "commits_per_s", commits,
                     "rows_per_s", rows, "devices", "sda", "role", "data", "write_iops", iops);
}

static void three_ceilings(void **state)
{
    (void)state;
    json_t *summary =
        json_pack("{s:[o, o, o, o, o, o, o]}", "trials", trial("a", 1, 0, 10, 100, 900),
                  trial("a", 1, 1, 30, 120, 910), trial("a", 1, 2, 11, 110, 905),
                  trial("a", 8, 0, 20, 90, 5000), trial("a", 8, 1, 22, 91, 5100),
                  trial("a", 8, 2, 21, 92, 5200), trial("b", 1, 0, 7, 7, 7));
    json_t *analysis = analysis_make(summary, NULL);
    const json_t *a = json_array_get(json_object_get(analysis, "reached"), 0);
    const json_t *b = json_array_get(json_object_get(analysis, "reached"), 1);
    assert_string_equal(json_text_at(a, "part"), "a");
    /* Medians: 21 beats 11, whatever the one repeat with 30 says. */
    assert_true(json_number_at(a, "commits_per_s.value") == 21);
    assert_true(json_number_at(a, "commits_per_s.low") == 20);
    assert_true(json_number_at(a, "commits_per_s.high") == 22);
    assert_true(json_number_at(a, "commits_per_s.repeats") == 3);
    assert_true(json_number_at(a, "commits_per_s.factors.streams") == 8);
    assert_true(json_number_at(a, "rows_per_s.value") == 110);
    assert_true(json_number_at(a, "rows_per_s.factors.streams") == 1);
    assert_true(json_number_at(a, "write_iops.value") == 5100);
    assert_string_equal(json_text_at(b, "part"), "b");
    assert_true(json_number_at(b, "commits_per_s.value") == 7);
    assert_int_equal(json_array_size(json_object_get(analysis, "bottleneck")), 3);
    static const char *const unvaried[] = {"ceiling", "contention"};
    for (size_t i = 0; i < 2; i++)
        assert_true(json_is_null(json_object_get(analysis, unvaried[i])));
    json_decref(analysis);
    json_decref(summary);
}

/* The highest rate is that of the flushed ones, the drive's writes are the drive's. */
static void flushed_before_fast(void **state)
{
    (void)state;
    json_t *fast = trial(NULL, 1, 0, 50000, 50000, 9000),
           *flushed = trial(NULL, 2, 0, 800, 800, 4000);
    json_object_set_new(fast, "commit_flushes", json_false());
    json_object_set_new(flushed, "commit_flushes", json_true());
    json_t *summary = json_pack("{s:[{s:s, s:s}], s:[o, o]}", "devices", "role", "data",
                                "write_cache", "write through", "trials", fast, flushed);
    json_t *analysis = analysis_make(summary, NULL);
    const json_t *reached = json_array_get(json_object_get(analysis, "reached"), 0);
    assert_true(json_number_at(reached, "commits_per_s.value") == 800);
    assert_true(json_is_true(json_at(reached, "commits_per_s.flushed")));
    assert_true(json_number_at(reached, "rows_per_s.value") == 800);
    assert_true(json_number_at(reached, "write_iops.value") == 9000);
    assert_true(json_is_false(json_at(reached, "write_iops.flushed")));
    json_decref(analysis);
    json_decref(summary);
}

static void strange_documents(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}", "{\"trials\":5}", "{\"trials\":[5,null,{\"phases\":7},{\"phases\":[1,{}]}]}",
        "{\"trials\":[{\"factors\":3,\"part\":[],\"phases\":[{\"name\":\"x\",\"devices\":[1]}]}]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *summary = json_loads(texts[i], 0, NULL);
        json_t *analysis = analysis_make(summary, NULL);
        assert_true(json_is_array(json_object_get(analysis, "bottleneck")));
        json_decref(analysis);
        json_decref(summary);
    }
    json_decref(analysis_make(NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_device),
        cmocka_unit_test(not_the_device_without_flushes),
        cmocka_unit_test(the_lock),
        cmocka_unit_test(the_cpu_and_the_client),
        cmocka_unit_test(whose_cpu),
        cmocka_unit_test(the_checkpoint),
        cmocka_unit_test(nothing_known),
        cmocka_unit_test(three_ceilings),
        cmocka_unit_test(flushed_before_fast),
        cmocka_unit_test(strange_documents),
        cmocka_unit_test(the_hosts_cpu_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
