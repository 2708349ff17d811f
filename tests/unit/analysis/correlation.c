/* What one more commit costs the drive, and whether latency and rate agree. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/correlation.h"
#include "result/put.h"

static json_t *line(double slope, double low, double high, double r)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:i, s:f, s:f}", "slope", slope, "low", low, "high",
                     high, "r", r, "n", 300, "lag_s", 0.0, "lag_r", r);
}

/* 800 commits/s of one stream, 1.25 ms each; 2.06 writes, a flush and 8.5 KiB a commit. */
static json_t *phase_of(double slope, double r)
{
    json_t *phase = json_pack(
        "{s:s, s:i, s:f, s:i, s:f, s:{s:{s:f}}, s:[{s:i, s:f}], s:{s:f, s:f, s:f}}", "name",
        "insert", "stream_count", 1, "elapsed_s", 30.0, "commits", 24000, "commits_per_s", 800.0,
        "latency_ms", "transaction", "mean", 1.25, "streams", "commits", 24000, "elapsed_s", 30.0,
        "per_commit", "writes", 2.06, "flushes", 1.0, "bytes", 8.5 * 1024);
    json_t *correlation = json_object();
    put(correlation, "commits_vs_writes", line(slope, slope - 0.05, slope + 0.04, r));
    put(correlation, "commits_vs_flushes", line(1, 0.99, 1.01, r));
    put(correlation, "commits_vs_bytes", line(8.5 * 1024, 8.4 * 1024, 8.6 * 1024, r));
    put_real(correlation, "interval_s", 0.1);
    put_real(correlation, "commits_per_interval", 80);
    put_real(correlation, "commits_variation", 0.12);
    put(phase, "correlation", correlation);
    return phase;
}

static json_t *summary_of(const char *engine)
{
    return json_pack("{s:{s:s}, s:[{s:s, s:s}], s:{}, s:[{s:s}], s:[]}", "environment", "engine",
                     engine, "targets", "target", "/mnt/ssd", "engine", engine, "workload",
                     "devices", "role", "data", "trials");
}

/* Steals the phase. */
static void add(json_t *summary, json_t *phase)
{
    json_array_append_new(json_object_get(summary, "trials"),
                          json_pack("{s:{}, s:[o]}", "factors", "phases", phase));
}

static json_t *correlation_of(json_t *summary)
{
    struct groups groups;
    groups_init(&groups, summary);
    struct evidence evidence = {.summary = summary, .groups = &groups};
    asked_init(&evidence.asked);
    json_t *correlation = correlation_json(&evidence);
    groups_release(&groups);
    json_decref(summary);
    return correlation;
}

/* The only finding; new reference.  Steals the phase. */
static json_t *finding_of(json_t *phase)
{
    json_t *summary = summary_of("sqlite");
    add(summary, phase);
    json_t *correlation = correlation_of(summary);
    json_t *finding = json_incref(json_array_get(json_object_get(correlation, "findings"), 0));
    json_decref(correlation);
    return finding;
}

/* Steals the finding.  `sentence` NULL: any; certainty NULL: none. */
static void judges(json_t *finding, const char *verdict, const char *sentence,
                   const char *certainty)
{
    assert_string_equal(json_text_at(finding, "verdict"), verdict);
    const json_t *first = json_array_get(json_object_get(finding, "sentences"), 0);
    assert_string_equal(json_string_value(first), sentence);
    if (certainty)
        assert_string_equal(json_text_at(finding, "certainty"), certainty);
    else
        assert_true(json_is_null(json_object_get(finding, "certainty")));
    json_decref(finding);
}

static json_t *correlation_in(json_t *phase)
{
    return json_object_get(phase, "correlation");
}

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) < 1e-9)

static void commits_explain_the_writes(void **state)
{
    (void)state;
    judges(finding_of(phase_of(2.06, 0.97)), "explained",
           "one more commit costs 2.06 writes in all (2.01-2.10), 1.00 flush, 8.5 KiB; r 0.97",
           NULL);
}

static void what_does_not_follow_the_commits_is_loose(void **state)
{
    (void)state;
    judges(finding_of(phase_of(1.4, 0.97)), "loose",
           "one more commit costs 1.40 writes in all (1.35-1.44), 1.00 flush, 8.5 KiB; r 0.97; on "
           "average a commit costs 2.06 writes in all, 1.00 flush, 8.5 KiB: the drive also writes "
           "what does not rise and fall with commits",
           NULL);
    judges(finding_of(phase_of(2.06, 0.4)), "loose",
           "commits explain little of the writes: one more commit costs 2.06 writes in all "
           "(2.01-2.10), 1.00 flush, 8.5 KiB; r 0.40; on average a commit costs 2.06 writes in "
           "all, 1.00 flush, 8.5 KiB",
           NULL);
}

/* The average is that of two prices, the line that of the second. */
static void a_wal_that_grew_first_does_not_loosen_it(void **state)
{
    (void)state;
    json_t *phase = phase_of(2.06, 0.97);
    put(json_object_get(phase, "per_commit"), "writes", json_real(2.6));
    put(phase, "wal_recycled", json_pack("{s:{s:f}}", "per_commit", "writes", 2.06));
    judges(finding_of(phase), "explained",
           "one more commit costs 2.06 writes in all (2.01-2.10), 1.00 flush, 8.5 KiB; r 0.97",
           NULL);
}

static void without_variation_there_is_no_slope(void **state)
{
    (void)state;
    static const char begin[] = "what one more commit costs cannot be told: ";
    char sentence[300];
    json_t *phase = phase_of(5, 0.99);
    put_real(correlation_in(phase), "commits_variation", 0.004);
    snprintf(sentence, sizeof sentence, "%scommits/s hardly vary (by 0.4%%)", begin);
    judges(finding_of(phase), "undetermined", sentence,
           "commits must rise and fall for a slope: more streams, or a longer run");
    phase = phase_of(5, 0.99);
    put_real(correlation_in(phase), "commits_per_interval", 1.5);
    snprintf(sentence, sizeof sentence, "%stoo few commits in an interval (1.50)", begin);
    judges(finding_of(phase), "undetermined", sentence,
           "longer intervals hold more of them: --interval 1s, or longer");
    phase = phase_of(2.06, 0.97);
    put(correlation_in(phase), "commits_vs_writes", NULL);
    snprintf(sentence, sizeof sentence, "%sfewer than 30 intervals", begin);
    json_t *finding = finding_of(phase);
    assert_true(json_is_null(json_at(finding, "against.writes")));
    assert_true(json_is_object(json_at(finding, "against.bytes")));
    const json_t *second = json_array_get(json_object_get(finding, "sentences"), 1);
    assert_string_equal(json_string_value(second),
                        "on average a commit costs 2.06 writes in all, 1.00 flush, 8.5 KiB");
    judges(finding, "undetermined", sentence,
           "a longer run, or --interval 10ms, gives 30 intervals");
}

static void what_the_drive_did_not_do_is_no_cost(void **state)
{
    (void)state;
    json_t *phase = phase_of(2.06, 0.97);
    put(phase, "measured_elsewhere", json_true());
    put(phase, "per_commit", NULL);
    judges(finding_of(phase), "undetermined",
           "what one more commit costs cannot be told: commits were acknowledged, but the drive "
           "saw no write",
           "name the device that takes the writes with --device");
    phase = phase_of(2.06, 0.97);
    put(phase, "per_commit", NULL);
    put(phase, "correlation", NULL);
    judges(finding_of(phase), "undetermined",
           "what one more commit costs cannot be told: nothing is known of the drive's writes",
           "name the device with --device, where it cannot be found from the path");
    json_t *summary = summary_of("null");
    add(summary, phase_of(2, 1));
    assert_null(correlation_of(summary));
    assert_null(correlation_of(json_object()));
}

static void repeats_are_medians(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    add(summary, phase_of(2.0, 0.95));
    add(summary, phase_of(2.3, 0.99));
    add(summary, phase_of(2.1, 0.97));
    json_t *correlation = correlation_of(summary);
    const json_t *finding = json_array_get(json_object_get(correlation, "findings"), 0);
    NEAR(json_number_at(finding, "against.writes.slope"), 2.1);
    NEAR(json_number_at(finding, "against.writes.low"), 2.05);
    NEAR(json_number_at(finding, "against.writes.high"), 2.14);
    NEAR(json_number_at(finding, "against.writes.r"), 0.97);
    NEAR(json_number_at(finding, "against.writes.n"), 300);
    NEAR(json_number_at(finding, "against.flushes.slope"), 1);
    NEAR(json_number_at(finding, "against.bytes.slope"), 8704);
    assert_string_equal(json_text_at(correlation, "verdict"), "explained");
    json_decref(correlation);
}

static void the_drive_may_be_later(void **state)
{
    (void)state;
    json_t *phase = phase_of(2.06, 0.97);
    json_t *writes = json_object_get(correlation_in(phase), "commits_vs_writes");
    put_real(writes, "lag_s", 0.3);
    put_real(writes, "lag_r", 0.8);
    json_t *finding = finding_of(phase);
    NEAR(json_number_at(finding, "against.writes.lag_s"), 0.3);
    const json_t *second = json_array_get(json_object_get(finding, "sentences"), 1);
    assert_string_equal(json_string_value(second),
                        "the drive's writes follow commits by 0.30 s (r 0.80 of their changes)");
    json_decref(finding);
}

/* The last sentence; steals the phase. */
static void law_says(json_t *phase, const char *rate, double product, int agrees,
                     const char *expected)
{
    json_t *summary = summary_of("sqlite");
    json_object_set_new(json_object_get(summary, "workload"), "workload.rate", json_text(rate));
    add(summary, phase);
    json_t *correlation = correlation_of(summary);
    const json_t *finding = json_array_get(json_object_get(correlation, "findings"), 0);
    const json_t *sentences = json_object_get(finding, "sentences");
    const json_t *last = json_array_get(sentences, json_array_size(sentences) - 1);
    const json_t *said = json_at(finding, "littles_law.agrees");
    assert_string_equal(json_string_value(last), expected);
    NEAR(json_number_at(finding, "littles_law.product"), product);
    assert_true(agrees < 0 ? json_is_null(said) : json_is_boolean(said));
    if (agrees >= 0)
        assert_int_equal(json_is_true(said), agrees);
    json_decref(correlation);
}

static json_t *with_mean(double ms)
{
    json_t *phase = phase_of(2.06, 0.97);
    put(phase, "latency_ms", json_pack("{s:{s:f}}", "transaction", "mean", ms));
    return phase;
}

static void latency_times_rate_is_the_number_of_streams(void **state)
{
    (void)state;
    law_says(with_mean(1.25), "-", 1, 1,
             "1.25 ms x 800/s = 1.00 of 1 stream: histogram and counters "
             "agree");
    law_says(with_mean(1.23), "-", 0.984, 1,
             "1.23 ms x 800/s = 0.98 of 1 stream: histogram and counters agree");
    law_says(with_mean(1.0), "-", 0.8, 0,
             "1.00 ms x 800/s = 0.80 of 1 stream: 20% of the streams' time lies between "
             "transactions");
    law_says(with_mean(2.5), "-", 2, 0,
             "2.50 ms x 800/s = 2.00, more than the 1 stream: histogram and counters do not agree");
    law_says(with_mean(5), "800", 4, -1,
             "open loop: 5.00 ms x 800/s = 4.00 transactions under way or due");
}

/* Streams that end at 10 and at 20 s did 400 and 800 commits of 25 ms: 40/s of each, 2 under way.
 * By the phase's 20 s it would be 60/s x 25 ms = 1.5. */
static void streams_end_at_different_moments(void **state)
{
    (void)state;
    json_t *phase = with_mean(25);
    put(phase, "stream_count", json_integer(2));
    put(phase, "commits_per_s", json_real(60));
    put(phase, "streams",
        json_pack("[{s:i, s:f}, {s:i, s:f}]", "commits", 400, "elapsed_s", 10.0, "commits", 800,
                  "elapsed_s", 20.0));
    law_says(phase, "-", 2, 1,
             "25.0 ms x 80.0/s = 2.00 of 2 streams: histogram and counters agree");
}

static void a_strange_document_does_no_harm(void **state)
{
    (void)state;
    static const char *const strange[] = {
        "{\"name\": \"x\"}",
        "{\"name\": \"x\", \"correlation\": 3, \"streams\": \"many\", \"per_commit\": []}",
        "{\"name\": \"x\", \"stream_count\": -1, \"commits_per_s\": 1e308, \"latency_ms\": "
        "{\"transaction\": {\"mean\": 1e308}}, \"per_commit\": {\"writes\": -1e308}, "
        "\"correlation\": {\"commits_vs_writes\": {\"slope\": 1e308, \"low\": -1e308, \"high\": "
        "1e308, \"r\": -7, \"n\": -1, \"lag_s\": 1e308, \"lag_r\": 1e308}}}",
        "{\"name\": \"x\", \"streams\": [3, {\"commits\": -1, \"elapsed_s\": -1}]}",
    };
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        json_t *phase = json_loads(strange[i], 0, NULL);
        assert_non_null(phase);
        json_t *finding = finding_of(phase);
        assert_non_null(json_text_at(finding, "verdict"));
        assert_string_not_equal(json_text_at(finding, "verdict"), "explained");
        json_decref(finding);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commits_explain_the_writes),
        cmocka_unit_test(what_does_not_follow_the_commits_is_loose),
        cmocka_unit_test(a_wal_that_grew_first_does_not_loosen_it),
        cmocka_unit_test(without_variation_there_is_no_slope),
        cmocka_unit_test(what_the_drive_did_not_do_is_no_cost),
        cmocka_unit_test(repeats_are_medians),
        cmocka_unit_test(the_drive_may_be_later),
        cmocka_unit_test(latency_times_rate_is_the_number_of_streams),
        cmocka_unit_test(streams_end_at_different_moments),
        cmocka_unit_test(a_strange_document_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
