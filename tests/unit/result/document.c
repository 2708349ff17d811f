#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "measure/hist.h"
#include "result/document.h"
#include "result/keys.h"
#include "result/metric.h"

#define HEADER                                                                                     \
    "{\"record\":\"header\",\"loadline\":\"0.1.0\",\"schema\":1,\"label\":null,"                   \
    "\"workload\":{\"name\":\"w\",\"row.payload\":\"100\",\"workload.phases\":\"insert, delete\"," \
    "\"parts\":[{\"name\":\"bulk\",\"row.payload\":\"1Ki\"}]},"                                    \
    "\"devices\":[{\"role\":\"data\",\"target\":0,\"sampled\":\"dm-0\",\"leaves\":[\"sda\"]}]}\n"

static char path[64];

static int read_text(const char *text, size_t size, json_t **summary, struct err *err)
{
    snprintf(path, sizeof path, "/tmp/document-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, text, size) != (ssize_t)size)
        return -2;
    close(fd);
    struct document document;
    int status = document_read(path, &document, err);
    *summary = json_incref(document.summary);
    document_release(&document);
    unlink(path);
    return status;
}

static json_t *summary_of(const char *text)
{
    json_t *summary = NULL;
    struct err err;
    if (read_text(text, strlen(text), &summary, &err) != 0)
        fail_msg("%s", err.text);
    return summary;
}

static void refuse(const char *text, const char *words)
{
    json_t *summary = NULL;
    struct err err = {0};
    assert_int_equal(read_text(text, strlen(text), &summary, &err), -1);
    assert_null(summary);
    assert_int_equal(err.kind, ERR_FAILED);
    assert_non_null(strstr(err.text, path));
    if (!strstr(err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
}

static void drives_before_and_after_stand_side_by_side(void **state)
{
    (void)state;
    json_t *summary = summary_of(
        "{\"record\":\"header\",\"loadline\":\"1\",\"schema\":1,\"devices\":[7,"
        "{\"role\":\"data\",\"target\":0,\"temperature_c\":38,\"host_bytes_written\":1000,"
        "\"host_bytes_written_step\":10,\"nand_bytes_written\":2000,"
        "\"nand_bytes_written_step\":10},{\"role\":\"wal\",\"target\":0}]}\n"
        "{\"record\":\"sample\",\"trial\":0,\"temperature_c\":44}\n"
        "{\"record\":\"sample\",\"trial\":0,\"temperature_c\":41.5}\n"
        "{\"record\":\"sample\",\"trial\":0,\"temperature_c\":null}\n"
        "{\"record\":\"trial\",\"index\":0,\"phases\":[]}\n"
        "{\"record\":\"end\",\"drives_after\":[null,{\"temperature_c\":42,"
        "\"host_bytes_written\":1200,\"nand_bytes_written\":2300}]}\n");
    const json_t *devices = json_object_get(summary, "devices");
    const json_t *data = json_array_get(devices, 1), *wal = json_array_get(devices, 2);
    assert_true(json_number_at(data, "host_bytes_written") == 1000);
    assert_true(json_number_at(data, "host_bytes_written_after") == 1200);
    assert_true(json_number_at(data, "temperature_c_after") == 42);
    assert_true(json_number_at(data, "temperature_c_max") == 44);
    assert_true(json_number_at(data, "nand_write_amplification") == 1.5);
    assert_true(json_is_null(json_object_get(wal, "host_bytes_written_after")));
    assert_true(json_is_null(json_object_get(wal, "temperature_c_max")));
    json_decref(summary);
}

static void what_is_no_result_is_refused(void **state)
{
    (void)state;
    refuse("", "it is empty");
    refuse("\x7f"
           "ELF\x02",
           "line 1 is not JSON");
    refuse("{\"record\":\n", "line 1 is not JSON");
    refuse("[1]\n", "line 1 is not JSON");
    refuse("{\"a\":1}\n", "no header");
    refuse("{\"record\":\"sample\"}\n", "no header");
    refuse("{\"record\":\"header\",\"loadline\":\"1\"}\n", "no schema");
    refuse("{\"record\":\"header\",\"loadline\":\"1\",\"schema\":2}\n", "newer loadline");
    refuse(HEADER "{\"record\":\"event\"\n{\"record\":\"end\"}\n", "line 2 is not JSON");
    refuse(HEADER "{\"record\":1e999}\n", "line 2 is not JSON");
    refuse(HEADER "{\"n\":99999999999999999999}\n", "line 2 is not JSON");
    refuse(HEADER "[7]\n", "line 2 is not a record");
    struct document document;
    struct err err = {0};
    assert_int_equal(document_read("/no/such/file", &document, &err), -1);
    assert_non_null(strstr(err.text, "/no/such/file"));
    assert_int_equal(document_read("/tmp", &document, &err), -1);
    assert_non_null(strstr(err.text, "/tmp"));
    assert_int_equal(document_read("/dev/zero", &document, &err), -1); /* never ends */
    assert_int_equal(err.kind, ERR_FAILED);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    struct err err = {0};
    json_t *summary = NULL;
    char *open = calloc(1, DEEP + 1), *close_text = calloc(1, DEEP + 1);
    memset(open, '[', DEEP);
    memset(close_text, ']', DEEP);
    char *text = fs_path("{\"record\":\"header\",\"x\":%s%s}\n", open, close_text);
    assert_int_equal(read_text(text, strlen(text), &summary, &err), -1);
    assert_int_equal(err.kind, ERR_FAILED);
    free(open);
    free(close_text);
    free(text);
}

static void every_key_is_there(void **state)
{
    (void)state;
    static const char *const keys[] = {"loadline",    "schema",  "run_id",   "label",
                                       "started",     "partial", "workload", "workload_hash",
                                       "environment", "devices", "trials",   "workload_differs"};
    json_t *s = summary_of(HEADER "{\"record\":\"end\",\"partial\":false}\n");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!json_object_get(s, keys[i]))
            fail_msg("no %s", keys[i]);
    assert_true(json_is_false(json_object_get(s, "partial")));
    assert_true(json_is_null(json_object_get(s, "run_id")));
    assert_true(json_is_null(json_object_get(s, "workload_differs")));
    assert_true(json_is_object(json_object_get(s, "environment")));
    assert_null(json_object_get(s, "record"));
    json_decref(s);
}

static void what_is_cut_off_is_partial(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEADER,
        HEADER "{\"record\":\"end\",\"partial\":true}\n",
        HEADER "{\"record\":\"ev",
        HEADER "{\"record\":\"end\"}\n{\"re",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *s = summary_of(texts[i]);
        assert_true(json_is_true(json_object_get(s, "partial")));
        json_decref(s);
    }
    /* After a power cut the end of a file may be zeros. */
    char text[4096] = HEADER;
    json_t *s = NULL;
    struct err err;
    assert_int_equal(read_text(text, strlen(HEADER) + 100, &s, &err), 0);
    assert_true(json_is_true(json_object_get(s, "partial")));
    json_decref(s);
}

/* One row a commit. */
#define SAMPLE(phase, mark, at, commits, writes, sectors, flushes)                                 \
    "{\"record\":\"sample\",\"trial\":1,\"phase\":" #phase ",\"cycle\":0,\"mark\":\"" mark         \
    "\",\"t0\":" #at ",\"t1\":" #at                                                                \
    ",\"gauges\":{\"wait_cpu\":1,\"wait_row\":3},\"commits\":" #commits ",\"rows\":" #commits      \
    ",\"streams\":{\"commits\":[" #commits "],\"rows\":[" #commits                                 \
    "]},\"disks\":{\"dm-0\":{\"writes\":" #writes ",\"write_sectors\":" #sectors                   \
    ",\"read_sectors\":null},\"sda\":{\"writes\":9,\"flushes\":" #flushes "}},"                    \
    "\"cpu\":{\"client_s\":" #at ",\"host_busy_ticks\":" #at "0,\"host_total_ticks\":" #at         \
    "00}}\n"

/* A trial without its record, from its samples: warm-up 1 s, then 10 commits in 2 s. */
static void a_trial_is_rebuilt(void **state)
{
    (void)state;
    json_t *s = summary_of(
        HEADER
        "{\"record\":\"trial\",\"index\":0,\"phases\":[]}\n"
        "{\"record\":\"event\",\"kind\":\"trial\",\"trial\":1,\"part\":\"bulk\",\"repeat\":3,"
        "\"target\":0,\"factors\":{\"streams\":1},\"commit_flushes\":true,"
        "\"floor\":{\"before_commits_per_s\":10}}\n"      //
        SAMPLE(0, "phase_start", 4, 0, 0, 0, 0)           //
        SAMPLE(0, "tick", 5, 5, 500, 500, 500)            //
        SAMPLE(0, "warm", 5, 7, 1000, 1000, 1000)         //
        SAMPLE(0, "tick", 6, 10, 1010, 1020, 1006)        //
        SAMPLE(0, "phase_end", 7, 17, 1030, 1080, 1012)   //
        SAMPLE(0, "settled", 8, 17, 1034, 1180, 1014)     //
        SAMPLE(1, "phase_start", 8, 17, 1034, 1180, 1014) //
        SAMPLE(1, "tick", 9, 20, 1040, 1200, 1017) "{\"record\":\"samp");
    assert_int_equal(json_array_size(json_object_get(s, "trials")), 2);
    const json_t *t = json_array_get(json_object_get(s, "trials"), 1);
    assert_true(json_is_null(json_object_get(t, "ended_by")));
    assert_true(json_is_true(json_object_get(t, "partial")));
    assert_true(json_is_true(json_object_get(t, "commit_flushes")));
    assert_string_equal(json_text_at(t, "part"), "bulk");
    assert_true(json_number_at(t, "repeat") == 3);
    assert_true(json_number_at(t, "factors.streams") == 1);
    assert_true(json_is_null(json_at(t, "verify.ok")));
    const json_t *insert = json_array_get(json_object_get(t, "phases"), 0);
    const json_t *cut = json_array_get(json_object_get(t, "phases"), 1);
    const struct {
        const char *metric;
        double value;
    } expected[] = {
        {"elapsed_s", 2},
        {"commits", 10},
        {"rows", 10},
        {"commits_per_s", 5},
        {"settle_s", 1},
        {"data.writes", 30},
        {"data.flushes", 12},
        {"data.data_writes", 18},
        {"data.write_bytes", 80 * 512},
        {"data.settle_write_bytes", 100 * 512},
        {"per_commit.writes", 3},
        {"per_commit.flushes", 1.2},
        {"per_commit.bytes", 4096},
        {"cpu.client_s", 2},
        {"cpu.host_busy", 0.1},
        {"share_of_floor", 0.5},
        {"row_bytes", 16 + 1024},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        double value = metric_value(insert, expected[i].metric);
        if (!(fabs(value - expected[i].value) < 1e-9))
            fail_msg("%s is %g, not %g", expected[i].metric, value, expected[i].value);
    }
    assert_string_equal(json_text_at(insert, "name"), "insert");
    assert_true(json_is_false(json_object_get(insert, "partial")));
    assert_true(json_is_null(json_at(insert, "latency_ms.transaction")));
    assert_true(json_is_null(json_at(insert, "all_streams")));
    assert_true(json_is_null(json_at(insert, "concurrency")));
    assert_true(json_is_null(json_at(insert, "retries")));
    assert_true(json_number_at(insert, "waits.observations") == 8); /* two ticks of four streams */
    assert_true(json_number_at(insert, "waits.groups.row") == 0.75);
    assert_string_equal(json_text_at(cut, "name"), "delete");
    assert_true(json_is_true(json_object_get(cut, "partial")));
    assert_true(metric_value(cut, "commits") == 3);
    assert_true(isnan(metric_value(cut, "data.settle_write_bytes")));
    json_decref(s);
}

static void a_finished_trial_is_not_rebuilt(void **state)
{
    (void)state;
    json_t *s = summary_of(HEADER                                      //
                               SAMPLE(0, "phase_start", 4, 0, 0, 0, 0) //
                           SAMPLE(0, "phase_end", 5, 5, 500, 500, 500) //
                           "{\"record\":\"trial\",\"index\":1,\"phases\":[{\"name\":\"insert\"},5],"
                           "\"ended_by\":\"done\"}\n"
                           "{\"record\":\"event\",\"kind\":\"warning\",\"text\":\"x\"}\n"
                           "{\"record\":\"later-kind\"}\n"
                           "{\"record\":\"end\",\"partial\":false}\n");
    assert_true(json_is_false(json_object_get(s, "partial")));
    assert_int_equal(json_array_size(json_object_get(s, "trials")), 1);
    const json_t *t = json_array_get(json_object_get(s, "trials"), 0);
    assert_int_equal(json_array_size(json_object_get(t, "phases")), 1); /* 5 is no phase */
    assert_true(json_is_null(json_object_get(t, "all_cycles")));
    assert_int_equal(json_array_size(json_object_get(s, "events")), 1);
    json_decref(s);
}

static char *encoded(int64_t from_ms, int count)
{
    struct hist *h = hist_create();
    for (int i = 0; i < count; i++)
        hist_record(h, from_ms * 1000000);
    char *text = hist_encode(h);
    hist_destroy(h);
    return text;
}

static const struct {
    const char *metric;
    double value;
} merged[] = {
    {"cycles", 2},
    {"elapsed_s", 4},
    {"rows", 400},
    {"commits", 40},
    {"commits_per_s", 10},
    {"all_streams.rows_per_s", 100},
    {"settle_s", 1},
    {"latency_ms.transaction.count", 40},
    {"latency_ms.transaction.mean", 2.75},
    {"latency_ms.transaction.max", 8},
    {"retries.busy", 4},
    {"reconnects", 2},
    {"engine.checkpoints", 6},
    {"cpu.client_s", 1},
    {"cpu.host_busy", 0.4},
    {"data.writes", 100},
    {"data.flushes", 40},
    {"data.data_writes", 60},
    {"data.max_in_flight", 7},
    {"data.temperature_c.start", 38},
    {"data.temperature_c.max", 45},
    {"data.write_await_ms", 40.0 / 60},
    {"data.queue_depth", 0.02},
    {"per_commit.writes", 2.5},
    {"per_commit.flushes", 1},
    {"per_commit.bytes", 204.8},
    {"wal_growing.commits", 30},
    {"wal_growing.per_commit.writes", 2},
    {"device_bytes_per_row_byte", 8392 / (400 * 116.0)},
    {"share_of_floor", 0.5},
    {"verify.expected_rows", 10},
};

/* Two cycles: 30 transactions of 1 ms in 1 s, then 10 of 8 ms in 3 s. */
static void cycles_are_merged(void **state)
{
    (void)state;
    static const char phase[] =
        "{\"name\":\"insert\",\"cycle\":%d,\"elapsed_s\":%d,\"rows\":%d0,\"commits\":%d,"
        "\"row_bytes\":116,\"stream_count\":1,\"floor_commits_per_s\":20,"
        "\"all_streams\":{\"elapsed_s\":%d,\"rows\":%d0,\"commits\":%d},\"settle_s\":0.5,"
        "\"latency_ms\":{\"transaction\":{\"count\":%d,\"mean\":%d,\"max\":%d},"
        "\"lock_wait\":null},\"histograms\":{\"transaction\":\"%s\"},"
        "\"retries\":{\"busy\":2},\"reconnects\":1,\"engine\":{\"checkpoints\":3},"
        "\"cpu\":{\"client_s\":0.5,\"host_busy\":%g},"
        "\"devices\":{\"dm-0\":{\"role\":\"data\",\"seconds\":%d,\"writes\":%d,\"flushes\":%d,"
        "\"write_bytes\":4096,\"settle_write_bytes\":100,\"settle_writes\":1,"
        "\"settle_flushes\":1,\"write_ms\":40,\"flush_ms\":20,\"read_ms\":0,"
        "\"temperature_c\":{\"start\":38,\"max\":4%d},\"max_in_flight\":%d}},\"wal_growing\":%s,"
        "\"verify\":{\"ok\":true,\"expected_rows\":5,\"lost_rows\":0,\"integrity\":\"ok\"}}";
    char *fast = encoded(1, 30), *slow = encoded(8, 10);
    struct text {
        char data[8192];
    } a, b;
    snprintf(a.data, sizeof a.data, phase, 0, 1, 30, 30, 1, 30, 30, 30, 1, 1, fast, 0.1, 1, 60, 30,
             5, 2,
             "{\"seconds\":1,\"commits\":30,\"per_commit\":{\"writes\":2,\"flushes\":1,\"bytes\":"
             "100}}");
    snprintf(b.data, sizeof b.data, phase, 1, 3, 10, 10, 3, 10, 10, 10, 8, 8, slow, 0.5, 3, 40, 10,
             1, 7, "null");
    char *log = fs_path("%s{\"record\":\"trial\",\"index\":0,\"phases\":[%s,%s]}\n", HEADER, a.data,
                        b.data);
    json_t *s = summary_of(log);
    const json_t *trial = json_array_get(json_object_get(s, "trials"), 0);
    const json_t *m = json_array_get(json_object_get(trial, "all_cycles"), 0);
    for (size_t i = 0; i < sizeof merged / sizeof *merged; i++) {
        double value = metric_value(m, merged[i].metric);
        if (!(fabs(value - merged[i].value) < 1e-9 * (1 + fabs(value))))
            fail_msg("%s is %g, not %g", merged[i].metric, value, merged[i].value);
    }
    assert_true(fabs(metric_value(m, "latency_ms.transaction.p50") - 1) < 0.01);
    assert_true(json_is_true(json_at(m, "verify.ok")));
    assert_true(json_is_null(json_at(m, "latency_ms.lock_wait")));
    assert_true(json_is_null(json_object_get(m, "wal_recycled")));
    const json_t *first = json_array_get(json_object_get(trial, "phases"), 0);
    assert_null(json_object_get(first, "histograms"));
    json_decref(s);
    free(log);
    free(fast);
    free(slow);
}

static void keys_come_from_the_nearest(void **state)
{
    (void)state;
    json_t *s = summary_of(HEADER);
    json_t *trial = json_pack("{s:n, s:{s:s, s:i}}", "part", "factors", "x.y", "4Ki", "rows", 7);
    assert_true(keys_number(s, trial, "row.payload") == 100);
    assert_true(keys_number(s, trial, "workload.rows") == 7);
    assert_true(keys_number(s, trial, "x.y") == 4096);
    assert_string_equal(keys_text(s, trial, "workload.phases"), "insert, delete");
    assert_true(isnan(keys_number(s, trial, "no.key")));
    assert_null(keys_value(s, trial, "parts")); /* a list is no value */
    json_object_set_new(trial, "part", json_string("bulk"));
    assert_true(keys_number(s, trial, "row.payload") == 1024);
    json_decref(trial);
    json_decref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drives_before_and_after_stand_side_by_side),
        cmocka_unit_test(what_is_no_result_is_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(every_key_is_there),
        cmocka_unit_test(what_is_cut_off_is_partial),
        cmocka_unit_test(a_trial_is_rebuilt),
        cmocka_unit_test(a_finished_trial_is_not_rebuilt),
        cmocka_unit_test(cycles_are_merged),
        cmocka_unit_test(keys_come_from_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
