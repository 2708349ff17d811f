#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "report/report.h"

/* One phase of 100 commits; what differs is set by the tests. */
static json_t *summary_of(const char *cache, const char *forecast, double flushes)
{
    json_t *summary = json_pack(
        "{s:s, s:[{s:s, s:s?, s:s}], s:[{s:i, s:[{s:s, s:i, s:i, s:f, s:f, s:{s:f, s:f},"
        "s:{s:{s:s, s:i, s:i, s:f, s:f}}, s:{s:b, s:i}}]}]}",
        "loadline", "0.1.0", "devices", "role", "data", "write_cache", cache, "sampled", "sda",
        "trials", "target", 0, "phases", "name", "insert", "commits", 100, "rows", 100, "elapsed_s",
        1.0, "commits_per_s", 100.0, "per_commit", "flushes", flushes, "data_writes", 1.0,
        "devices", "sda", "role", "data", "writes", 200, "write_bytes", 819200, "seconds", 1.0,
        "flush_ms", 10.0, "verify", "ok", 1, "lost_rows", 0);
    json_t *trial = json_array_get(json_object_get(summary, "trials"), 0);
    json_object_set_new(trial, "commit_flushes", json_loads(forecast, JSON_DECODE_ANY, NULL));
    return summary;
}

static json_t *phase_of(json_t *summary)
{
    json_t *trial = json_array_get(json_object_get(summary, "trials"), 0);
    return json_array_get(json_object_get(trial, "phases"), 0);
}

/* Steals the summary. */
static char *render(json_t *summary, bool colour)
{
    char *text = NULL;
    size_t size;
    struct err err;
    FILE *memory = open_memstream(&text, &size);
    const struct report_options options = {.width = 80, .colour = colour, .utf8 = true};
    json_object_set_new(summary, "analysis", analysis_make(summary, NULL));
    assert_int_equal(report_text(memory, summary, &options, &err), 0);
    fclose(memory);
    json_decref(summary);
    return text;
}

static void expect(json_t *summary, const char *words, const char *absent)
{
    char *text = render(summary, false);
    if (!strstr(text, words) || (absent && strstr(text, absent)))
        fail_msg("%s\nshould say \"%s\" and not \"%s\"", text, words, absent ? absent : "");
    free(text);
}

static void flushed_must_be_earned(void **state)
{
    (void)state;
    expect(summary_of("write back", "true", 1), "VERDICT  100 flushed commits/s", "NOT FLUSHED");
    expect(summary_of("write back", "true", 0.03), "100 flushed commits/s", NULL); /* shared */
    expect(summary_of("write back", "true", 0.02), "100 commits/s NOT FLUSHED", " flushed commits");
    expect(summary_of("write through", "true", 0), "100 flushed commits/s", NULL);
    expect(summary_of("write back", "false", 1), "100 commits/s, not durable", "flushed commits");
    expect(summary_of("write back", "null", 1), "VERDICT  100 commits/s", "flushed commits");
    expect(summary_of(NULL, "true", 0), "VERDICT  100 commits/s", "NOT FLUSHED");
}

static void no_verdict_without_right_to_one(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", "true", 1);
    json_object_set_new(json_object_get(phase_of(s), "verify"), "ok", json_false());
    json_object_set_new(json_object_get(phase_of(s), "verify"), "lost_rows", json_integer(3));
    expect(s, "VERDICT  none: verification failed", "100 flushed");
    s = summary_of("write back", "true", 1);
    json_object_set_new(json_object_get(phase_of(s), "verify"), "ok", json_false());
    json_object_set_new(json_object_get(phase_of(s), "verify"), "lost_rows", json_integer(3));
    expect(s, "FAILED   3 lost, 0 surplus", "verified");
    s = summary_of("write back", "true", 1);
    json_object_set_new(phase_of(s), "measured_elsewhere", json_true());
    expect(s, "VERDICT  none: commits were acknowledged, but the drive under test saw no", NULL);
    expect(json_object(), "VERDICT  none: nothing was measured", NULL);
}

static void what_is_unknown_is_said(void **state)
{
    (void)state;
    static const char *const words[] = {"firmware unknown",    "fill unknown",
                                        "link unknown",        "temperature unknown",
                                        "foreign I/O unknown", "says nothing of sustained",
                                        "loss not tested",     "verified 100 rows in"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect(summary_of("write back", "true", 1), words[i], NULL);
}

static void what_a_drive_says_of_itself(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", "true", 1);
    json_object_set_new(s, "events",
                        json_pack("[{s:s, s:f, s:s}]", "kind", "smart change", "at_s", 12.0, "text",
                                  "sda changed while it was measured: media errors 2 -> 5"));
    expect(s, "smart    sda changed while it was measured: media errors 2 -> 5", "event");
    s = summary_of("write back", "true", 1);
    expect(json_incref(s), "drive   ", "serial");
    json_t *device = json_array_get(json_object_get(s, "devices"), 0);
    json_object_set_new(device, "serial_number",
                        json_string("SN\x1b"
                                    "0071"));
    json_object_set_new(device, "wwn", json_string("0x5000c50000000072"));
    json_object_set_new(s, "environment", json_pack("{s:s}", "host", "host0073"));
    expect(json_incref(s), "serial SN\\x1b0071", NULL);
    expect(json_incref(s), "wwn 0x5000c50000000072", NULL);
    expect(s, "host    host0073\n", NULL);
}

static void ends_and_events(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", "true", 1);
    json_object_set_new(s, "partial", json_true());
    char *text = render(s, false);
    assert_int_equal(strncmp(text, "PARTIAL", 7), 0); /* said first */
    free(text);
    s = summary_of("write back", "true", 1);
    json_object_set_new(json_array_get(json_object_get(s, "trials"), 0), "ended_by",
                        json_string("write_bytes"));
    expect(s, "ended    early: limit.write_bytes was reached", NULL);
    s = summary_of("write back", "true", 1);
    json_object_set_new(s, "warnings", json_pack("[s]", "shared disk"));
    expect(s, "warning  shared disk", "result");
    s = summary_of("write back", "true", 1);
    json_object_set_new(s, "events",
                        json_pack("[{s:s, s:s, s:f}]", "kind", "limit", "text", "x", "at_s", 3.0));
    expect(s, "event    limit at 3", NULL);
}

static json_t *trial_of(json_t *summary)
{
    return json_array_get(json_object_get(summary, "trials"), 0);
}

/* A second trial, by one factor different from the first, with another rate. */
static json_t *add_trial(json_t *summary, const char *factor, const char *first, const char *second,
                         double rate)
{
    json_t *trials = json_object_get(summary, "trials");
    json_object_set_new(trial_of(summary), "factors", json_pack("{s:s}", factor, first));
    json_array_append_new(trials, json_deep_copy(trial_of(summary)));
    json_t *added = json_array_get(trials, 1);
    json_object_set_new(added, "factors", json_pack("{s:s}", factor, second));
    json_object_set_new(json_array_get(json_object_get(added, "phases"), 0), "commits_per_s",
                        json_real(rate));
    return added;
}

static void not_durable_never_wins(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", "true", 1);
    json_t *added = add_trial(s, "sqlite.synchronous", "full", "off", 5000);
    json_object_set_new(added, "commit_flushes", json_false());
    json_object_set_new(json_array_get(json_object_get(added, "phases"), 0), "share_of_floor",
                        json_real(0.77));
    char *text = render(s, false);
    assert_non_null(strstr(text, "VERDICT  100 flushed commits/s at synchronous full"));
    assert_non_null(strstr(text, "unflushed 5,000 commits/s, not durable, at synchronous off"));
    assert_non_null(strstr(text, "commits/s 100 "));
    assert_null(strstr(text, "77%")); /* of a floor that such a commit does not have */
    assert_null(strstr(text, "highest of 2"));
    free(text);
}

static void loadline_itself_never_wins(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", "true", 1);
    json_object_set_new(s, "targets",
                        json_pack("[{s:s, s:s}, {s:s, s:s}, {s:s, s:s}]", "target", "/d", "engine",
                                  "sqlite", "target", "null:", "engine", "null", "target",
                                  "fsync:/d", "engine", "fsync"));
    json_t *added = add_trial(s, "target", "/d", "null:", 9e6);
    json_object_set_new(added, "target", json_integer(1));
    json_t *bare = json_deep_copy(trial_of(s));
    json_object_set_new(bare, "target", json_integer(2));
    json_object_set_new(bare, "factors", json_pack("{s:s}", "target", "fsync:/d"));
    json_object_set_new(json_array_get(json_object_get(bare, "phases"), 0), "commits_per_s",
                        json_real(700));
    json_array_append_new(json_object_get(s, "trials"), bare);
    json_t *devices = json_object_get(s, "devices");
    json_object_set_new(json_array_get(devices, 0), "target", json_integer(0));
    json_object_set_new(json_array_get(devices, 0), "path", json_string("/d"));
    json_object_set_new(json_array_get(devices, 0), "mount_point", json_string("/"));
    json_array_append_new(devices, json_deep_copy(json_array_get(devices, 0)));
    json_object_set_new(json_array_get(devices, 1), "target", json_integer(2));
    char *text = render(s, false);
    assert_non_null(strstr(text, "VERDICT  100 flushed commits/s at target /d"));
    assert_non_null(strstr(text, "loadline  9,000,000 commits/s without a drive (loadline"));
    assert_non_null(strstr(text, "bare      700 commits/s without a database"));
    assert_non_null(strstr(text, "targets /d, null:, fsync:/d"));
    assert_non_null(strstr(text, "\ndrive "));
    assert_null(strstr(strstr(text, "\ndrive ") + 1, "\ndrive ")); /* once */
    assert_null(strstr(text, "/d, /d"));
    free(text);
}

static void what_was_repeated_is_said(void **state)
{
    (void)state;
    expect(summary_of("write back", "true", 1), "VERDICT", "retries");
    json_t *s = summary_of("write back", "true", 1);
    json_object_set_new(phase_of(s), "retries", json_pack("{s:i, s:i}", "busy", 3, "deadlock", 1));
    json_object_set_new(phase_of(s), "reconnects", json_integer(2));
    expect(s, "retries   3 busy, 1 deadlock, 2 reconnects: see the detail", "conflict");
}

static void what_is_as_asked_is_not(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", "true", 1);
    json_object_set_new(trial_of(s), "ended_by", json_string("duration"));
    json_object_set_new(s, "result_on_target", json_true());
    expect(s, "note     this result was written to the drive under test", "ended");
    s = summary_of("write back", "true", 1);
    json_object_set_new(phase_of(s), "settle_s", json_real(10));
    json_object_set_new(phase_of(s), "settled", json_false());
    expect(s, "settle   the drive was never at rest after insert: its settle bytes are a", "times");
    s = summary_of("write back", "true", 1);
    json_object_set_new(phase_of(s), "settle_s", json_real(0.1));
    json_object_set_new(phase_of(s), "settled", json_true());
    expect(s, "VERDICT", "settle ");
}

static void every_layout_is_named(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", "true", 1);
    json_object_set_new(phase_of(s), "stream_count", json_integer(4));
    add_trial(s, "layout", "shared-table", "file-per-stream", 200);
    expect(s, "4 streams, shared-table, file-per-stream", NULL);
}

static void only_the_verdict_is_loud(void **state)
{
    (void)state;
    char *text = render(summary_of("write back", "true", 1), true);
    assert_non_null(strstr(text, "\033[1mVERDICT\033[0m  100"));
    *strstr(text, "\033[1m") = ' ';
    *strstr(text, "\033[0m") = ' ';
    assert_null(strchr(text, '\033'));
    free(text);
}

static void a_full_disk_is_said(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "we");
    if (!full)
        skip();
    struct err err = {0};
    const struct report_options options = {.width = 80};
    json_t *s = summary_of("write back", "true", 1);
    assert_int_equal(report_text(full, s, &options, &err), -1);
    assert_non_null(strstr(err.text, "No space left"));
    json_decref(s);
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flushed_must_be_earned),
        cmocka_unit_test(no_verdict_without_right_to_one),
        cmocka_unit_test(what_is_unknown_is_said),
        cmocka_unit_test(what_a_drive_says_of_itself),
        cmocka_unit_test(ends_and_events),
        cmocka_unit_test(not_durable_never_wins),
        cmocka_unit_test(loadline_itself_never_wins),
        cmocka_unit_test(what_was_repeated_is_said),
        cmocka_unit_test(what_is_as_asked_is_not),
        cmocka_unit_test(every_layout_is_named),
        cmocka_unit_test(only_the_verdict_is_loud),
        cmocka_unit_test(a_full_disk_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
