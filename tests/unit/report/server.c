#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "report/report.h"
#include "result/waits.h"

/* A server's run: tables on sda, the log on sdb, a commit each 10 ms; the log's drive flushes so
 * often a commit. */
static json_t *summary_of(const char *log_cache, double log_flushes)
{
    json_t *phase =
        json_pack("{s:s, s:i, s:i, s:i, s:f, s:f, s:f, s:{s:f, s:f, s:f}, s:{s:b, s:i}}", "name",
                  "insert", "stream_count", 4, "commits", 100, "rows", 100, "elapsed_s", 1.0,
                  "commits_per_s", 100.0, "row_bytes", 116.0, "per_commit", "flushes", 3.0,
                  "data_writes", 1.0, "bytes", 4096.0, "verify", "ok", 1, "lost_rows", 0);
    json_t *data =
        json_pack("{s:s, s:i, s:i, s:i, s:i, s:f, s:f}", "role", "data", "writes", 5, "data_writes",
                  5, "flushes", 300, "write_bytes", 40960, "seconds", 1.0, "flush_ms", 1.0);
    json_t *log = json_pack("{s:s, s:i, s:i, s:f, s:i, s:f, s:f, s:f}", "role", "wal", "writes",
                            150, "data_writes", 110, "flushes", log_flushes * 100, "write_bytes",
                            819200, "seconds", 1.0, "flush_ms", 70.0, "flush_await_ms", 0.7);
    json_object_set_new(phase, "devices", json_pack("{s:o, s:o}", "sda", data, "sdb", log));
    return json_pack("{s:s, s:{s:s, s:s}, s:[{s:s, s:s}], s:[{s:s, s:s, s:s}, {s:s, s:s?, s:s}],"
                     "s:[{s:i, s:b, s:{}, s:[o]}]}",
                     "loadline", "0.1.0", "environment", "engine", "postgres", "engine_version",
                     "15.18", "targets", "target", "postgresql://db", "engine", "postgres",
                     "devices", "role", "data", "write_cache", "write back", "sampled", "sda",
                     "role", "wal", "write_cache", log_cache, "sampled", "sdb", "trials", "target",
                     0, "commit_flushes", 1, "engine_settings", "phases", phase);
}

static json_t *trial_of(json_t *summary)
{
    return json_array_get(json_object_get(summary, "trials"), 0);
}

static json_t *phase_of(json_t *summary)
{
    return json_array_get(json_object_get(trial_of(summary), "phases"), 0);
}

/* Steals the summary. */
static char *render(json_t *summary, int width)
{
    char *text = NULL;
    size_t size;
    struct err err;
    FILE *memory = open_memstream(&text, &size);
    const struct report_options options = {.width = width, .utf8 = true};
    json_object_set_new(summary, "analysis", analysis_make(summary, NULL));
    assert_int_equal(report_text(memory, summary, &options, &err), 0);
    fclose(memory);
    json_decref(summary);
    return text;
}

static void expect(json_t *summary, const char *words, const char *absent)
{
    char *text = render(summary, 120);
    if (!strstr(text, words) || (absent && strstr(text, absent)))
        fail_msg("%s\nshould say \"%s\" and not \"%s\"", text, words, absent ? absent : "");
    free(text);
}

/* Commits wait for the log's drive: what the tables' drive flushes earns nothing. */
static void flushed_is_what_the_log_flushes(void **state)
{
    (void)state;
    expect(summary_of("write back", 1), "100 flushed commits/s", "NOT FLUSHED");
    expect(summary_of("write back", 0), "100 commits/s NOT FLUSHED", " flushed commits");
    expect(summary_of("write through", 0), "100 flushed commits/s", "NOT FLUSHED");
    expect(summary_of(NULL, 0), "VERDICT  100 commits/s", "NOT FLUSHED");
}

static void a_line_for_each_role(void **state)
{
    (void)state;
    char *text = render(summary_of("write back", 1), 80);
    const char *line = strstr(text, "insert      1 data");
    if (!line)
        line = strstr(text, "insert       1  data");
    assert_non_null(line);
    assert_non_null(strstr(line, "0.05")); /* writes of a commit: 5 / 100 */
    line = strstr(line, "WAL ");
    assert_non_null(line);
    assert_non_null(strstr(line, "1.10"));
    assert_non_null(strstr(line, "0.70")); /* ms a flush */
    free(text);
    json_t *s = summary_of("write back", 1);
    json_object_del(json_object_get(phase_of(s), "devices"), "sdb");
    expect(s, "VERDICT", "role");
}

static void not_durable_is_never_flushed(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", 1);
    json_object_set_new(json_object_get(trial_of(s), "engine_settings"), "durability",
                        json_string("fsync is off: a power cut can corrupt the cluster"));
    char *text = render(s, 120);
    assert_non_null(
        strstr(text, "VERDICT  100 commits/s, NOT durable: fsync is off, at 4 streams"));
    assert_non_null(strstr(text, "risk      fsync is off: a power cut can corrupt the cluster\n"));
    assert_null(strstr(text, "flushed"));
    assert_null(strstr(text, "NOT FLUSHED"));
    assert_null(strstr(text, "POWER"));
    for (const char *c = text; (c = strstr(c, "durable")) != NULL; c++)
        assert_true(strncmp(c - 4, "NOT ", 4) == 0 || strncmp(c - 4, "not ", 4) == 0);
    free(text);
}

static void no_verdict_of_a_drive_without_the_log(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", 1);
    json_object_set_new(json_array_get(json_object_get(s, "targets"), 0), "wal_elsewhere",
                        json_true());
    char *text = render(json_incref(s), 120);
    assert_non_null(strstr(text, "VERDICT  none for sda: it holds the tables, but commits wait for "
                                 "the WAL on sdb; run postgres:PATH"));
    assert_null(strstr(text, "flushed commits"));
    assert_null(strstr(text, "floor"));
    assert_non_null(strstr(text, "limit "));
    assert_non_null(strstr(text, "insert")); /* the figures are there */
    free(text);
    json_object_del(json_object_get(phase_of(s), "devices"), "sdb");
    expect(s, "and where that lies is unknown", "FLUSHED");
}

static void what_decides_durability_is_in_the_header(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", 1);
    json_object_set_new(json_object_get(s, "environment"), "engine_settings",
                        json_pack("{s:s, s:s, s:s, s:s, s:s}", "fsync", "on", "synchronous_commit",
                                  "local", "wal_sync_method", "open_datasync", "full_page_writes",
                                  "off", "data_checksums", "off"));
    expect(json_incref(s),
           "engine  PostgreSQL 15.18 fsync on, synchronous_commit local, open_datasync, "
           "full_page_writes off; no",
           NULL);
    char *narrow = render(s, 60), *rest = NULL;
    for (char *line = strtok_r(narrow, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        assert_true(strlen(line) <= 60);
    free(narrow);
}

static void changed_rows_are_neither_in_nor_out(void **state)
{
    (void)state;
    json_t *s = summary_of("write back", 1);
    json_object_set_new(phase_of(s), "name", json_string("mixed"));
    expect(s, "verified 100 rows changed; 0 lost", "rows in");
}

static void put_foreign(json_t *summary, const char *device, json_t *foreign)
{
    json_t *devices = json_object_get(phase_of(summary), "devices");
    json_object_set_new(json_object_get(devices, device), "foreign", foreign);
}

static json_t *foreign_of(int others)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i}", "method", "cgroup1", "write_bytes", others,
                     "of_bytes", 1000, "read_bytes", 0, "of_read_bytes", 0);
}

static void the_more_disturbed_drive(void **state)
{
    (void)state;
    static const struct {
        int data, log; /* -1: unknown */
        const char *line;
    } cases[] = {{10, 300, "foreign I/O 30% on sdb\n"},
                 {300, 10, "foreign I/O 30% on sda\n"},
                 {-1, 300, "foreign I/O 30% on sdb, unknown on sda\n"},
                 {20, -1, "foreign I/O 2.0% on sda, unknown on sdb\n"},
                 {-1, -1, "foreign I/O unknown\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *s = summary_of("write back", 1);
        put_foreign(s, "sda", cases[i].data < 0 ? json_null() : foreign_of(cases[i].data));
        put_foreign(s, "sdb", cases[i].log < 0 ? json_null() : foreign_of(cases[i].log));
        expect(s, cases[i].line, NULL);
    }
    json_t *one = summary_of("write back", 1);
    json_object_del(json_object_get(phase_of(one), "devices"), "sdb");
    put_foreign(one, "sda", foreign_of(20));
    expect(one, "foreign I/O 2.0%\n", "2.0% on");
}

static json_t *counted(int checkpoints)
{
    json_t *s = summary_of("write back", 1);
    json_object_set_new(phase_of(s), "server",
                        json_pack("{s:{s:f}}", "per_commit", "wal_bytes", 9.0));
    json_object_set_new(phase_of(s), "engine",
                        json_pack("{s:i, s:i, s:i}", "checkpoints", checkpoints,
                                  "checkpoint_buffers", 4321 * checkpoints, "backend_buffers", 77));
    return s;
}

static void what_the_role_may_not(void **state)
{
    (void)state;
    static const char lack[] = "without CHECKPOINT: role weak may not; bytes still in the server's "
                               "buffers are not counted; GRANT";
    json_t *s = counted(0);
    expect(json_incref(s), "account, PostgreSQL 15.18: settle included\n", "CHECKPOINT");
    expect(json_incref(s), "ckpt", "integrity");
    json_t *settings = json_object_get(trial_of(s), "engine_settings");
    json_object_set_new(settings, "settle", json_string("CHECKPOINT"));
    json_object_set_new(settings, "integrity_check", json_string("amcheck"));
    json_object_set_new(settings, "role", json_string("weak"));
    expect(json_incref(s), "ckpt", "integrity");
    expect(json_incref(s), "      0     0         -        77\n", "CHECKPOINT");
    json_object_set_new(settings, "settle", json_string("no CHECKPOINT: it takes a superuser"));
    json_object_set_new(settings, "integrity_check", json_string("rows counted by index"));
    expect(json_incref(s), "integrity: rows counted by index\n", NULL);
    expect(json_incref(s), "      0     -         -        77\n", NULL);
    expect(s, "note     without CHECKPOINT: role weak may not; ", NULL);
    s = counted(1); /* the server's own */
    json_object_set_new(json_object_get(trial_of(s), "engine_settings"), "settle",
                        json_string("no CHECKPOINT: it takes a superuser"));
    expect(json_incref(s), "4,321", NULL);
    json_object_set_new(json_object_get(trial_of(s), "engine_settings"), "role",
                        json_string("weak"));
    char *text = render(s, 200);
    assert_non_null(strstr(text, lack));
    free(text);
}

/* Of nine looks no share is told, of ten one is. */
static void too_few_looks_for_shares(void **state)
{
    (void)state;
    static const struct wait_record nine[] = {{"Lock:extend", "extend", 9}};
    static const struct wait_record ten[] = {{"Lock:extend", "extend", 10}};
    json_t *s = summary_of("write back", 1);
    json_object_set_new(phase_of(s), "waits", waits_json(nine, 1, 0));
    expect(json_incref(s), "few looks at the sessions (9 at least): too few for shares",
           "Lock:extend");
    expect(json_incref(s), "extend", "100%");
    json_object_set_new(phase_of(s), "waits", waits_json(ten, 1, 0));
    expect(s, "Lock:extend 100%", "too few for shares");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flushed_is_what_the_log_flushes),
        cmocka_unit_test(a_line_for_each_role),
        cmocka_unit_test(not_durable_is_never_flushed),
        cmocka_unit_test(no_verdict_of_a_drive_without_the_log),
        cmocka_unit_test(what_decides_durability_is_in_the_header),
        cmocka_unit_test(changed_rows_are_neither_in_nor_out),
        cmocka_unit_test(the_more_disturbed_drive),
        cmocka_unit_test(what_the_role_may_not),
        cmocka_unit_test(too_few_looks_for_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
