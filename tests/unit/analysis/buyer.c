/* What a person asks who buys a drive. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/buyer.h"
#include "analysis/steady.h"
#include "buyer_common.h"

static json_t *buyer_of_asked(json_t *summary, struct asked asked)
{
    struct groups groups;
    groups_init(&groups, summary);
    struct evidence evidence = {.summary = summary, .groups = &groups, .asked = asked};
    json_t *steady = steady_json(&evidence);
    evidence.steady = steady;
    json_t *buyer = buyer_json(&evidence);
    json_decref(steady);
    groups_release(&groups);
    json_decref(summary);
    return buyer;
}

static const struct asked nothing = {NULL, NAN, NAN, NAN};

static json_t *buyer_of(json_t *summary)
{
    return buyer_of_asked(summary, nothing);
}

/* The first sentence about it. */
static void says(const json_t *buyer, const char *about, const char *expected)
{
    size_t index;
    const json_t *point;
    json_array_foreach(json_object_get(buyer, "points"), index, point)
    {
        if (strcmp(json_text_at(point, "about"), about) != 0)
            continue;
        const json_t *sentence = json_array_get(json_object_get(buyer, "sentences"), index);
        assert_string_equal(json_text_at(point, "sentence"), expected);
        assert_string_equal(json_string_value(sentence), expected);
        return;
    }
    assert_null(expected);
}

#define NEAR(value, expected) assert_true(fabs((value) / (expected)-1) < 1e-9)

static bool is_null(const json_t *object, const char *path)
{
    return json_is_null(json_at(object, path));
}

static void flushed_commits_of_one_stream(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    add(summary, "insert", 1, 1000, 244); /* bulk is something else */
    add(summary, "insert", 1, 1, 800);
    add(summary, "delete", 1, 1, 900); /* so is taking rows away */
    add(summary, "insert", 16, 1, 2000);
    json_t *buyer = buyer_of(summary);
    NEAR(json_number_at(buyer, "flushed_at_one_stream.commits_per_s"), 800);
    NEAR(json_number_at(buyer, "flushed_at_one_stream.p50_ms"), 1.18);
    NEAR(json_number_at(buyer, "flushed_at_one_stream.p99_ms"), 2.3);
    assert_string_equal(json_text_at(buyer, "flushed_at_one_stream.phase"), "insert");
    assert_true(is_null(buyer, "flushed_at_one_stream.low"));
    says(buyer, "commits",
         "800 flushed commits/s of 1 row, insert at 1 stream, rows_per_commit 1; p50 1.18 ms, p99 "
         "2.30 ms");
    assert_true(is_null(buyer, "sustained"));
    says(buyer, "sustained",
         "sustained load unknown: the run was too short to tell; --until steady measures it");
    assert_true(is_null(buyer, "under_slo"));
    assert_true(is_null(buyer, "endurance"));
    assert_true(is_null(buyer, "price"));
    assert_true(is_null(buyer, "thermal"));
    json_decref(buyer);
}

static void repeats_have_a_range(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    add(summary, "insert", 1, 1, 790);
    add(summary, "insert", 1, 1, 830);
    add(summary, "insert", 1, 1, 800);
    json_t *buyer = buyer_of(summary);
    NEAR(json_number_at(buyer, "flushed_at_one_stream.commits_per_s"), 800);
    NEAR(json_number_at(buyer, "flushed_at_one_stream.low"), 790);
    NEAR(json_number_at(buyer, "flushed_at_one_stream.high"), 830);
    NEAR(json_number_at(buyer, "flushed_at_one_stream.repeats"), 3);
    says(buyer, "commits",
         "800 flushed commits/s (790-830) of 1 row, insert at 1 stream, rows_per_commit 1; p50 "
         "1.18 ms, p99 2.30 ms");
    json_decref(buyer);
}

static void flushed_is_a_word_to_be_earned(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    json_t *phase = add(summary, "insert", 1, 1, 20000);
    put(phase, "per_commit", json_pack("{s:f, s:f}", "writes", 1.0, "flushes", 0.0));
    json_t *buyer = buyer_of(summary);
    assert_true(is_null(buyer, "flushed_at_one_stream"));
    says(buyer, "commits",
         "no flushed commits at one stream were measured: --streams 1 with settings that flush at "
         "each commit shows what a single writer gets");
    says(buyer, "flushes",
         "NOT FLUSHED: 0.00 flushes a commit at 1 stream where WAL/FULL asks for 1; the drive has "
         "a volatile cache, and a power cut may take commits");
    json_decref(buyer);
    /* Nor do those count that verification found wrong. */
    summary = summary_of("sqlite");
    phase = add(summary, "insert", 1, 1, 800);
    put(phase, "verify", json_pack("{s:b}", "ok", 0));
    assert_null(buyer_of(summary));
    summary = summary_of("null");
    add(summary, "insert", 1, 1, 800);
    assert_null(buyer_of(summary));
    assert_null(buyer_of(json_object()));
}

/* A growing WAL on a journal costs a flush more: it is the WAL's second round that counts. */
static void the_growing_wal_asks_for_more(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    json_t *phase = add(summary, "insert", 1, 1, 800);
    put(phase, "per_commit", json_pack("{s:f}", "flushes", 1.8));
    put(phase, "wal_recycled",
        json_pack("{s:f, s:{s:f}}", "commits", 1e9, "per_commit", "flushes", 1.0));
    json_t *buyer = buyer_of(summary);
    says(buyer, "flushes", "1.00 flushes a commit at 1 stream; WAL/FULL asks for 1");
    json_decref(buyer);
}

/* Rounds of one phase, the last one partial. */
static json_t *rounds_of(const double *rates, size_t count, double p99_ms)
{
    json_t *rounds = json_array();
    for (size_t i = 0; i <= count; i++)
        json_array_append_new(rounds, json_pack("{s:i, s:b, s:b, s:{s:{s:f, s:f}}}", "round",
                                                (int)i, "partial", i == count, "after_pause", 0,
                                                "phases", "insert", "commits_per_s",
                                                i == count ? 1e9 : rates[i], "p99_ms", p99_ms));
    return rounds;
}

static const double fading[] = {800, 790, 410, 400, 390, 405, 395};

static void what_lasts_is_in_the_last_rounds(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    add(summary, "insert", 1, 1, 500);
    put(last_trial(summary), "rounds", rounds_of(fading, 7, 4.5));
    put_text(last_trial(summary), "ended_by", "steady");
    json_t *buyer = buyer_of(summary);
    NEAR(json_number_at(buyer, "sustained.commits_per_s"), 400);
    assert_true(json_is_true(json_at(buyer, "sustained.steady")));
    assert_true(is_null(buyer, "sustained.slo"));
    says(buyer, "sustained",
         "400 flushed commits/s, insert at 1 stream, rows_per_commit 1: steady state reached");
    json_decref(buyer);
}

static void not_reached_is_said(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    put_text(json_object_get(summary, "workload"), "workload.until", "steady");
    add(summary, "insert", 1, 1, 500);
    put(last_trial(summary), "rounds", rounds_of(fading, 7, 4.5));
    put_text(last_trial(summary), "ended_by", "duration");
    json_t *buyer = buyer_of(summary);
    assert_true(json_is_false(json_at(buyer, "sustained.steady")));
    says(buyer, "sustained",
         "400 flushed commits/s, insert at 1 stream, rows_per_commit 1: where it ended; "
         "steady state was NOT REACHED");
    json_decref(buyer);
    /* Four rounds are too few. */
    summary = summary_of("sqlite");
    add(summary, "insert", 1, 1, 500);
    put(last_trial(summary), "rounds", rounds_of(fading, 4, 4.5));
    buyer = buyer_of(summary);
    assert_true(is_null(buyer, "sustained"));
    json_decref(buyer);
}

static void the_service_level_chooses(void **state)
{
    (void)state;
    struct asked asked = nothing;
    asked.slo_percentile = "p99";
    asked.slo_ms = 10;
    json_t *summary = summary_of("sqlite");
    static const double p99_ms[] = {2.3, 9.9, 12.5};
    static const double rates[] = {800, 2000, 2500};
    for (size_t i = 0; i < 3; i++) {
        json_t *phase = add(summary, "insert", 1 << (2 * i), 1, rates[i]);
        put(phase, "latency_ms", json_pack("{s:{s:f}}", "transaction", "p99", p99_ms[i]));
    }
    json_t *copy = json_deep_copy(summary);
    json_t *buyer = buyer_of_asked(summary, asked);
    NEAR(json_number_at(buyer, "under_slo.commits_per_s"), 2000);
    NEAR(json_number_at(buyer, "under_slo.streams"), 4);
    NEAR(json_number_at(buyer, "under_slo.slo.percentile_ms"), 9.9);
    NEAR(json_number_at(buyer, "under_slo.slo.ms"), 10);
    says(buyer, "slo",
         "2,000 flushed commits/s with p99 at most 10 ms (9.90 ms), insert at 4 streams, "
         "rows_per_commit 1: whole phases, a burst");
    json_decref(buyer);
    asked.slo_ms = 1.5;
    buyer = buyer_of_asked(json_deep_copy(copy), asked);
    assert_true(is_null(buyer, "under_slo"));
    says(buyer, "slo", "no combination keeps p99 within 1.5 ms: the best has 2.30 ms");
    json_decref(buyer);
    asked.slo_percentile = "p999";
    buyer = buyer_of_asked(copy, asked);
    says(buyer, "slo", "p999 is not known: too few transactions");
    json_decref(buyer);
}

static void what_lasts_is_within_the_service_level(void **state)
{
    (void)state;
    struct asked asked = nothing;
    asked.slo_percentile = "p99";
    asked.slo_ms = 5;
    json_t *summary = summary_of("sqlite");
    add(summary, "insert", 1, 1, 500);
    put(last_trial(summary), "rounds", rounds_of(fading, 7, 4.5));
    put_text(last_trial(summary), "ended_by", "steady");
    json_t *copy = json_deep_copy(summary);
    json_t *buyer = buyer_of_asked(summary, asked);
    NEAR(json_number_at(buyer, "sustained.slo.percentile_ms"), 4.5);
    says(buyer, "sustained",
         "400 flushed commits/s with p99 at most 5 ms (4.50 ms), insert at 1 stream, "
         "rows_per_commit 1: steady state reached");
    json_decref(buyer);
    asked.slo_ms = 4;
    buyer = buyer_of_asked(copy, asked);
    assert_true(is_null(buyer, "sustained"));
    says(buyer, "sustained",
         "nothing lasts within the service level: in the last rounds p99 was above 4 ms");
    json_decref(buyer);
}

/* The rated 140 TB of a review's 240 GB drive, filled by its rated 7,500 random writes of 4 KiB:
 * 140e12 / (7,500 x 4,096) s = 52.7 days. */
static void endurance_in_days_and_rows(void **state)
{
    (void)state;
    struct asked asked = nothing;
    asked.tbw_bytes = 140e12;
    json_t *summary = summary_of("sqlite");
    json_t *phase = add(summary, "insert", 1, 1, 7500);
    json_t *sum = json_object_get(phase, "device_sum");
    put_real(sum, "write_bytes", 750000 * 4000.0);
    put_real(sum, "settle_write_bytes", 750000 * 96.0); /* what is written later counts too */
    json_t *copy = json_deep_copy(summary);
    json_t *buyer = buyer_of_asked(summary, asked);
    NEAR(json_number_at(buyer, "endurance.bytes_per_s"), 7500 * 4096.0);
    NEAR(json_number_at(buyer, "endurance.days"), 140e12 / (7500 * 4096.0) / 86400);
    NEAR(json_number_at(buyer, "endurance.device_bytes_per_row"), 4096);
    NEAR(json_number_at(buyer, "endurance.rows_per_tbw"), 140e12 / 4096);
    assert_true(is_null(buyer, "endurance.nand_amplification"));
    says(buyer, "endurance",
         "140 TB of rated endurance last 53 days at this load (31 MB/s, insert at 1 stream, "
         "rows_per_commit 1), or 34.2G rows of 4.1 kB on the drive");
    json_decref(buyer);
    json_t *device = json_array_get(json_object_get(copy, "devices"), 0);
    put_real(device, "host_bytes_written", 1e12);
    put_real(device, "host_bytes_written_after", 1.01e12);
    put_real(device, "host_bytes_written_step", 1e6);
    put_real(device, "nand_bytes_written", 1e12);
    put_real(device, "nand_bytes_written_after", 1.025e12);
    put_real(device, "nand_bytes_written_step", 1e6);
    buyer = buyer_of_asked(json_deep_copy(copy), asked);
    NEAR(json_number_at(buyer, "endurance.nand_amplification"), 2.5);
    says(buyer, "endurance",
         "140 TB of rated endurance last 53 days at this load (31 MB/s, insert at 1 stream, "
         "rows_per_commit 1), or 34.2G rows of 4.1 kB on the drive; its flash takes 2.50 times "
         "that");
    json_decref(buyer);
    /* Nothing is known of the writes. */
    put(json_array_get(
            json_object_get(json_array_get(json_object_get(copy, "trials"), 0), "phases"), 0),
        "device_sum", NULL);
    buyer = buyer_of_asked(copy, asked);
    assert_true(is_null(buyer, "endurance"));
    says(buyer, "endurance", "days at this load unknown: nothing is known of the drive's writes");
    json_decref(buyer);
}

/* 27,745 yen of the review's drive for its rated 7,500 writes/s: 3.70 each. */
static void the_price_of_a_commit(void **state)
{
    (void)state;
    struct asked asked = nothing;
    asked.price = 27745;
    json_t *summary = summary_of("sqlite");
    add(summary, "insert", 1, 1, 7500);
    json_t *buyer = buyer_of_asked(summary, asked);
    NEAR(json_number_at(buyer, "price.per_commit_per_s"), 27745 / 7500.0);
    assert_true(json_is_false(json_at(buyer, "price.sustained")));
    says(buyer, "price",
         "27,745 for the drive is 3.70 for each of 7,500 flushed commits/s (insert at 1 stream, "
         "rows_per_commit 1); a burst, not sustained");
    json_decref(buyer);
    /* What lasts is what is paid for. */
    summary = summary_of("sqlite");
    add(summary, "insert", 1, 1, 500);
    put(last_trial(summary), "rounds", rounds_of(fading, 7, 4.5));
    put_text(last_trial(summary), "ended_by", "steady");
    buyer = buyer_of_asked(summary, asked);
    NEAR(json_number_at(buyer, "price.per_commit_per_s"), 27745 / 400.0);
    says(buyer, "price",
         "27,745 for the drive is 69.4 for each of 400 flushed commits/s (insert at 1 stream, "
         "rows_per_commit 1), sustained");
    json_decref(buyer);
}

static void one_price_is_of_one_drive(void **state)
{
    (void)state;
    struct asked asked = nothing;
    asked.price = 27745;
    json_t *summary = summary_of("sqlite");
    json_array_append_new(json_object_get(summary, "targets"),
                          json_pack("{s:s, s:s}", "target", "/mnt/b", "engine", "sqlite"));
    add(summary, "insert", 1, 1, 7500);
    json_t *buyer = buyer_of_asked(summary, asked);
    assert_true(is_null(buyer, "price"));
    says(buyer, "price",
         "not told: --tbw and --price are of one drive, and this result has several targets; run "
         "each by itself");
    json_decref(buyer);
}

static void a_drive_warms_up(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    static const double start_c[] = {31, 45}, max_c[] = {47, 68};
    for (size_t i = 0; i < 2; i++)
        put(add(summary, i ? "delete" : "insert", 1, 1, 800), "devices",
            json_pack("{s:{s:s, s:{s:f, s:f}}}", "sda", "role", "data", "temperature_c", "start",
                      start_c[i], "max", max_c[i]));
    json_t *buyer = buyer_of(summary);
    NEAR(json_number_at(buyer, "thermal.start_c"), 31);
    NEAR(json_number_at(buyer, "thermal.max_c"), 68);
    NEAR(json_number_at(buyer, "thermal.rise_c"), 37);
    const json_t *target = json_array_get(json_at(buyer, "thermal.per_target"), 0);
    assert_string_equal(json_text_at(target, "target"), "/mnt/ssd");
    NEAR(json_number_at(target, "rise_c"), 37);
    says(buyer, "thermal", "the drive went from 31 to 68 C, a rise of 37");
    json_decref(buyer);
}

static void a_strange_document_does_no_harm(void **state)
{
    (void)state;
    static const char *const strange[] = {
        "{\"trials\": [{\"phases\": [{\"name\": \"x\", \"commits_per_s\": 1e308, \"stream_count\": "
        "1e308, \"rows\": -1, \"device_sum\": {\"write_bytes\": 1e308}, \"elapsed_s\": 1e-308}]}]}",
        "{\"targets\": [{\"engine\": 7}], \"devices\": 4, \"trials\": [{\"engine_settings\": 3, "
        "\"rounds\": [1, 2, 3, 4, {\"phases\": 5}, {}], \"phases\": [{\"name\": \"x\", "
        "\"commits_per_s\": 5}]}]}",
        "{\"environment\": {\"engine\": \"sqlite\", \"engine_settings\": {\"journal_mode\": "
        "\"\\u001b["
        "2Jaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", "
        "\"synchronous\": \"full\"}}, \"trials\": [{\"phases\": [{\"name\": \"x\", "
        "\"stream_count\": 1, \"commits_per_s\": 5, \"per_commit\": {\"flushes\": -1}}]}]}",
    };
    const struct asked asked = {"p99", 1e-300, 1e300, 1e300};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        json_t *summary = json_loads(strange[i], 0, NULL);
        assert_non_null(summary);
        json_t *buyer = buyer_of_asked(summary, asked);
        if (buyer) {
            char *text = json_dumps(buyer, 0);
            assert_non_null(text);
            free(text);
        }
        json_decref(buyer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flushed_commits_of_one_stream),
        cmocka_unit_test(repeats_have_a_range),
        cmocka_unit_test(flushed_is_a_word_to_be_earned),
        cmocka_unit_test(the_growing_wal_asks_for_more),
        cmocka_unit_test(what_lasts_is_in_the_last_rounds),
        cmocka_unit_test(not_reached_is_said),
        cmocka_unit_test(the_service_level_chooses),
        cmocka_unit_test(what_lasts_is_within_the_service_level),
        cmocka_unit_test(endurance_in_days_and_rows),
        cmocka_unit_test(the_price_of_a_commit),
        cmocka_unit_test(one_price_is_of_one_drive),
        cmocka_unit_test(a_drive_warms_up),
        cmocka_unit_test(a_strange_document_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
