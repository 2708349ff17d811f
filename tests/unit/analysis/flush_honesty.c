/* Does the drive flush as often as the engine's settings ask? */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/flush_honesty.h"
#include "buyer_common.h"

static bool is_null(const json_t *object, const char *path)
{
    return json_is_null(json_at(object, path));
}

/* The verdict of one phase in a mode; `cache` NULL unknown. */
static void honest(const char *journal, const char *level, const char *filesystem,
                   const char *cache, int streams, double flushes, double expected,
                   const char *verdict, const char *sentence)
{
    json_t *summary = summary_of("sqlite");
    json_t *device = json_array_get(json_object_get(summary, "devices"), 0);
    put_text(device, "filesystem", filesystem);
    put_text(device, "write_cache", cache);
    json_t *phase = add(summary, "insert", streams, 1, 800);
    put(phase, "per_commit", json_pack("{s:f}", "flushes", flushes));
    put(last_trial(summary), "engine_settings", settings(journal, level));
    struct groups groups;
    groups_init(&groups, summary);
    json_t *points = json_array();
    json_t *list = flush_honesty_json(&groups, points);
    const json_t *entry = json_array_get(list, 0);
    const json_t *said = json_object_get(json_array_get(points, 0), "sentence");
    assert_int_equal(json_array_size(list), 1);
    if (strcmp(json_text_at(entry, "verdict"), verdict) != 0)
        fail_msg("%s/%s %g: %s, not %s", journal, level, flushes, json_text_at(entry, "verdict"),
                 verdict);
    if (isnan(expected))
        assert_true(is_null(entry, "expected"));
    else
        assert_true(json_number_at(entry, "expected") == expected);
    if (sentence)
        assert_string_equal(json_string_value(said), sentence);
    else
        assert_null(said);
    json_decref(list);
    json_decref(points);
    groups_release(&groups);
    json_decref(summary);
}

/* Two of 800 commits in the interval in which the WAL was written again say nothing of the rest. */
static void a_few_commits_are_no_measure(void **state)
{
    (void)state;
    json_t *summary = summary_of("sqlite");
    put_text(json_array_get(json_object_get(summary, "devices"), 0), "write_cache", "write back");
    json_t *phase = add(summary, "insert", 1, 1, 800);
    put(phase, "commits", json_real(800));
    put(phase, "per_commit", json_pack("{s:f}", "flushes", 1.02));
    put(phase, "wal_recycled",
        json_pack("{s:f, s:{s:f}}", "commits", 2.0, "per_commit", "flushes", 0.0));
    put(last_trial(summary), "engine_settings", settings("wal", "full"));
    struct groups groups;
    groups_init(&groups, summary);
    json_t *points = json_array(), *list = flush_honesty_json(&groups, points);
    assert_string_equal(json_text_at(json_array_get(list, 0), "verdict"), "as asked");
    assert_true(json_number_at(json_array_get(list, 0), "flushes_per_commit") == 1.02);
    put(phase, "per_commit", json_pack("{s:f}", "flushes", 2.01));
    put(phase, "wal_growing", json_pack("{s:f}", "commits", 798.0));
    json_array_clear(points);
    json_decref(list);
    list = flush_honesty_json(&groups, points);
    assert_string_equal(json_text_at(json_array_get(points, 0), "sentence"),
                        "2.01 flushes a commit at 1 stream; WAL/FULL asks for 1, and its WAL, "
                        "which still grew, more");
    put(phase, "wal_recycled",
        json_pack("{s:f, s:{s:f}}", "commits", 500.0, "per_commit", "flushes", 0.0));
    json_decref(list);
    list = flush_honesty_json(&groups, points);
    assert_string_equal(json_text_at(json_array_get(list, 0), "verdict"), "unknown");
    json_decref(list);
    json_decref(points);
    groups_release(&groups);
    json_decref(summary);
}

static void flushes_are_held_against_the_mode(void **state)
{
    (void)state;
    static const char back[] = "write back", through[] = "write through";
    honest("wal", "full", "ext4", back, 1, 1.0, 1, "as asked",
           "1.00 flushes a commit at 1 stream; WAL/FULL asks for 1");
    honest("delete", "full", "ext4", back, 1, 4.0, 4, "as asked",
           "4.00 flushes a commit at 1 stream; DELETE/FULL asks for 4");
    honest("truncate", "full", "ext4", back, 1, 6.0, 6, "as asked",
           "6.00 flushes a commit at 1 stream; TRUNCATE/FULL asks for 6");
    honest("truncate", "full", "ext2", back, 1, 5.0, 5, "as asked",
           "5.00 flushes a commit at 1 stream; TRUNCATE/FULL asks for 5");
    honest("persist", "full", "ext4", back, 1, 6.0, 6, "as asked",
           "6.00 flushes a commit at 1 stream; PERSIST/FULL asks for 6");
    honest("wal", "normal", "ext4", back, 1, 0.004, 0, "as asked",
           "0.00 flushes a commit at 1 stream: WAL/NORMAL asks for none, so a power cut may take "
           "commits");
    honest("wal", "full", "ext4", back, 40, 0.13, 1, "merged",
           "0.13 flushes a commit at 40 streams: they share flushes; one stream alone needs 1 "
           "(WAL/FULL)");
    honest("wal", "full", "ext4", through, 1, 0.0, 1, "as asked",
           "0.00 flushes a commit at 1 stream: WAL/FULL asks for 1, and a device without a "
           "volatile cache needs none");
    honest("wal", "full", "ext4", back, 1, 0.0, 1, "NOT FLUSHED",
           "NOT FLUSHED: 0.00 flushes a commit at 1 stream where WAL/FULL asks for 1; the drive "
           "has a volatile cache, and a power cut may take commits");
    honest("wal", "full", "ext4", NULL, 1, 0.0, 1, "unknown",
           "0.00 flushes a commit at 1 stream where WAL/FULL asks for 1: fewer than it takes, "
           "unknown why");
    honest("delete", "full", "ext4", back, 1, 2.0, 4, "unknown",
           "2.00 flushes a commit at 1 stream where DELETE/FULL asks for 4: fewer than it takes, "
           "unknown why");
    honest("memory", "full", "ext4", back, 1, 2.0, NAN, "unknown", NULL);
    honest("wal", "full", "ext4", back, 1, NAN, 1, "unknown", NULL);
}

static void a_server_flushes_once_a_commit(void **state)
{
    (void)state;
    static const struct {
        const char *fsync, *commit;
        int streams;
        double flushes, expected;
        const char *verdict;
    } cases[] = {{"on", "on", 1, 1.0, 1, "as asked"},
                 {"on", "on", 32, 0.13, 1, "merged"},
                 {"on", "off", 1, 0.05, 0, "as asked"},
                 {"off", "on", 1, 0.0, 0, "as asked"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *summary = summary_of("postgres");
        json_t *phase = add(summary, "insert", cases[i].streams, 1, 800);
        put(phase, "per_commit", json_pack("{s:f}", "flushes", cases[i].flushes));
        put(last_trial(summary), "engine_settings",
            json_pack("{s:s, s:s}", "fsync", cases[i].fsync, "synchronous_commit",
                      cases[i].commit));
        struct groups groups;
        groups_init(&groups, summary);
        json_t *points = json_array(), *list = flush_honesty_json(&groups, points);
        const json_t *entry = json_array_get(list, 0);
        assert_string_equal(json_text_at(entry, "verdict"), cases[i].verdict);
        assert_true(json_number_at(entry, "expected") == cases[i].expected);
        json_decref(list);
        json_decref(points);
        groups_release(&groups);
        json_decref(summary);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_commits_are_no_measure),
        cmocka_unit_test(flushes_are_held_against_the_mode),
        cmocka_unit_test(a_server_flushes_once_a_commit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
