/* OpenMetrics text of results: what is in it, and that a strict reader takes it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "export/prom.h"
#include "export/prom_label.h"
#include "export/prom_name.h"
#include "result/document.h"
#include "unit/export/prom_strict.h"

static json_t *parse(const char *text)
{
    json_error_t why;
    json_t *value = json_loads(text, 0, &why);
    if (value == NULL)
        fail_msg("%s", why.text);
    return value;
}

/* Heap. */
static char *write_text(const struct report_source *sources, size_t count)
{
    char *text = NULL;
    size_t size;
    struct err err;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(prom_write(out, sources, count, &err), 0);
    fclose(out);
    return text;
}

static char *write_one(const char *summary)
{
    json_t *document = parse(summary);
    struct report_source source = {.summary = document};
    char *text = write_text(&source, 1);
    json_decref(document);
    read_strictly(text);
    return text;
}

/* Has the text this line? */
static void assert_line(const char *text, const char *line)
{
    char wanted[1024];
    snprintf(wanted, sizeof wanted, "\n%s\n", line);
    if (strstr(text, wanted) == NULL)
        fail_msg("no line\n%s\nin\n%s", line, text);
}

#define TWO_PHASES                                                                                 \
    "{\"loadline\":\"0.1.0\",\"run_id\":\"r1\",\"label\":null,\"started\":\"2026-12-01T09:14:"     \
    "00Z\","                                                                                       \
    "\"partial\":false,\"workload\":{\"name\":\"million\"},"                                       \
    "\"environment\":{\"engine\":\"sqlite\",\"engine_version\":\"3.40.1\"},"                       \
    "\"targets\":[{\"target\":\"/mnt/ssd\"}],"                                                     \
    "\"devices\":[{\"role\":\"data\",\"target\":0,\"sampled\":\"nvme0n1\",\"model\":\"Example "    \
    "1TB\","                                                                                       \
    "\"serial_number\":\"S3CRET\",\"wwn\":\"0x5003\"}],"                                           \
    "\"trials\":[{\"index\":3,\"repeat\":1,\"target\":0,\"part\":\"bulk\","                        \
    "\"factors\":{\"streams\":10,\"sqlite.page_size\":4096,\"layout\":\"shared-table\"},"          \
    "\"phases\":[{\"name\":\"insert\",\"cycle\":0,\"commits_per_s\":812.5,\"fairness\":0.98,"      \
    "\"latency_ms\":{\"commit\":{\"count\":100,\"p50\":1.25,\"p99\":null}},"                       \
    "\"cpu\":{\"client_us_per_row\":2.5},\"verify\":{\"ok\":true},"                                \
    "\"devices\":{\"nvme0n1\":{\"role\":\"data\",\"write_bytes\":123456789012345,"                 \
    "\"temperature_c\":{\"max\":44}}}},"                                                           \
    "{\"name\":\"delete\",\"cycle\":0,\"commits_per_s\":900,\"verify\":{\"ok\":null}}]}],"         \
    "\"analysis\":{\"bottleneck\":[{\"part\":\"bulk\",\"phase\":\"insert\",\"factors\":{"          \
    "\"streams\":10},"                                                                             \
    "\"cause\":\"flush\"}],\"scaling\":{\"verdict\":\"knee\",\"findings\":[{\"phase\":\"insert\"," \
    "\"factors\":{},\"verdict\":\"knee\"}]},\"ceiling\":null}}"

#define PLACE(phase)                                                                               \
    "run_id=\"r1\",target=\"/mnt/ssd\",device=\"nvme0n1\",model=\"Example 1TB\",trial=\"3\","      \
    "repeat=\"1\",part=\"bulk\",phase=\"" phase "\",cycle=\"0\",streams=\"10\","                   \
    "sqlite_page_size=\"4096\",layout=\"shared-table\""

static void a_metric_is_a_family_with_a_sample_for_each_phase(void **state)
{
    (void)state;
    char *text = write_one(TWO_PHASES);
    assert_non_null(strstr(text,
                           "# TYPE loadline_commits_per_second gauge\n"
                           "# HELP loadline_commits_per_second acknowledged commits, from "
                           "start to last commit\n"
                           "loadline_commits_per_second{" PLACE(
                               "insert") "} 812.5\n"
                                         "loadline_commits_per_second{" PLACE("delete") "} 900\n"));
    free(text);
}

static void times_are_seconds_and_sizes_keep_their_digits(void **state)
{
    (void)state;
    char *text = write_one(TWO_PHASES);
    assert_line(text, "# UNIT loadline_latency_commit_p50_seconds seconds");
    assert_line(text, "loadline_latency_commit_p50_seconds{" PLACE("insert") "} 0.00125");
    assert_line(text, "loadline_cpu_client_per_row_seconds{" PLACE("insert") "} 2.5e-06");
    assert_line(text, "loadline_data_write_bytes{" PLACE("insert") "} 123456789012345");
    assert_line(text, "loadline_data_temperature_max_celsius{" PLACE("insert") "} 44");
    assert_line(text, "loadline_fairness_ratio{" PLACE("insert") "} 0.98");
    assert_line(text, "loadline_latency_commit_samples{" PLACE("insert") "} 100");
    free(text);
}

static void what_is_unknown_is_left_out(void **state)
{
    (void)state;
    char *text = write_one(TWO_PHASES);
    assert_null(strstr(text, "p99"));
    assert_null(strstr(text, "NaN"));
    assert_line(text, "loadline_verify_ok{" PLACE("insert") "} 1");
    assert_null(strstr(text, "loadline_verify_ok{" PLACE("delete") "}"));
    free(text);
}

static void facts_stand_in_labels_but_no_serial_number(void **state)
{
    (void)state;
    char *text = write_one(TWO_PHASES);
    assert_line(text,
                "loadline_result_info{run_id=\"r1\",version=\"0.1.0\",workload=\"million\","
                "engine=\"sqlite\",engine_version=\"3.40.1\",started=\"2026-12-01T09:14:00Z\","
                "partial=\"false\"} 1");
    assert_line(text, "loadline_device_info{run_id=\"r1\",target=\"/mnt/ssd\",role=\"data\","
                      "device=\"nvme0n1\",model=\"Example 1TB\"} 1");
    assert_line(text,
                "loadline_verdict_info{run_id=\"r1\",finding=\"bottleneck\",verdict=\"flush\","
                "part=\"bulk\",phase=\"insert\",streams=\"10\"} 1");
    assert_line(text, "loadline_verdict_info{run_id=\"r1\",finding=\"scaling\",verdict=\"knee\","
                      "phase=\"insert\"} 1");
    assert_null(strstr(text, "S3CRET"));
    assert_null(strstr(text, "0x5003"));
    free(text);
}

static void several_results_are_told_apart(void **state)
{
    (void)state;
    json_t *document = parse(TWO_PHASES);
    const struct report_source sources[] = {
        {.path = "a.jsonl", .summary = document},
        {.path = "\xe6\x97\xa5 \xe6\x9c\xac.jsonl", .summary = document},
        {.path = "a.jsonl", .summary = document},
        {.summary = document}};
    char *one = write_text(sources, 1), *all = write_text(sources, 4);
    size_t samples = read_strictly(one);
    assert_true(samples > 10);
    assert_int_equal(read_strictly(all), 4 * samples);
    assert_null(strstr(one, "file="));
    assert_non_null(strstr(all, "file=\"\xe6\x97\xa5 \xe6\x9c\xac.jsonl\""));
    assert_non_null(strstr(all, "layout=\"shared-table\",entry=\"2\"} 812.5\n"));
    free(one);
    free(all);
    json_decref(document);
}

static void a_result_of_nothing_ends_too(void **state)
{
    (void)state;
    char *text = write_one("{}");
    assert_string_equal(text,
                        "# TYPE loadline_result_info gauge\n"
                        "# HELP loadline_result_info what ran, where and when, in the labels\n"
                        "loadline_result_info 1\n"
                        "# EOF\n");
    free(text);
    text = write_text(NULL, 0);
    assert_string_equal(text, "# EOF\n");
    free(text);
}

static void phases_with_the_same_labels_stay_apart(void **state)
{
    (void)state;
    char *text =
        write_one("{\"trials\":[{\"phases\":[{\"rows\":1},7,{\"rows\":2},{\"rows\":3}],"
                  "\"factors\":{}},{\"factors\":{\"entry\":\"2\"},\"phases\":[{\"rows\":4}]}]}");
    assert_line(text, "loadline_rows 1");
    assert_line(text, "loadline_rows{entry=\"2\"} 2");
    assert_line(text, "loadline_rows{entry=\"3\"} 3");
    assert_line(text, "loadline_rows{factor_entry=\"2\"} 4");
    free(text);
}

static void labels_are_escaped(void **state)
{
    (void)state;
    struct prom_labels labels = {.data = NULL};
    prom_label_add(&labels, "a", "back\\slash \"quoted\"\nline");
    prom_label_add(&labels, "b", NULL);
    prom_label_add(&labels, "c", "");
    prom_label_add(&labels, "d", "\033[2J\x7f\xc2\x9b|\xff|");
    prom_label_add(&labels, "e", "\xe6\x97\xa5\xe6\x9c\xac \xc2\xb0");
    assert_string_equal(labels.data, "a=\"back\\\\slash \\\"quoted\\\"\\nline\","
                                     "d=\"\\\\x1b[2J\\\\x7f\\\\xc2\\\\x9b|\\\\xff|\","
                                     "e=\"\xe6\x97\xa5\xe6\x9c\xac \xc2\xb0\"");
    prom_label_release(&labels);
}

static void names_from_elsewhere_become_valid_and_different(void **state)
{
    (void)state;
    struct prom_labels labels = {.data = NULL};
    prom_label_add(&labels, "phase", "x,streams=");
    prom_label_add_any(&labels, "phase", "1");
    prom_label_add_any(&labels, "sqlite.page_size", "2");
    prom_label_add_any(&labels, "sqlite-page size", "3");
    prom_label_add_any(&labels, "sqlite/page/size", "4");
    prom_label_add_any(&labels, "__name__", "5");
    prom_label_add_any(&labels, "9\xe6\x97\xa5", "6");
    prom_label_add_any(&labels, "", "7");
    prom_label_add_any(&labels, "le", "8");
    prom_label_add_any(&labels, "streams", "9");
    assert_string_equal(labels.data,
                        "phase=\"x,streams=\",factor_phase=\"1\",sqlite_page_size=\"2\","
                        "factor_sqlite_page_size=\"3\",factor_sqlite_page_size_2=\"4\","
                        "factor___name__=\"5\",factor_9___=\"6\",factor_=\"7\",factor_le=\"8\","
                        "streams=\"9\"");
    prom_label_release(&labels);
}

/* Also of the rows that somebody adds later. */
static void every_metric_has_a_name_of_its_own(void **state)
{
    (void)state;
    struct prom_name *names = NULL;
    size_t count = 0;
    for (const struct metric_row *row = metric_rows; row->path != NULL; row++) {
        names = realloc(names, (count + 1) * sizeof *names);
        assert_non_null(names);
        prom_name_of(row, &names[count]);
        const char *name = names[count].name;
        assert_true(is_name(name, strlen(name), true));
        assert_memory_equal(name, "loadline_", 9);
        assert_true(strlen(name) < PROM_NAME - 1);
        for (size_t i = 0; i < count; i++)
            assert_string_not_equal(name, names[i].name);
        /* No unit but a base unit, and no ending that belongs to a histogram or counter. */
        static const char *const wrong[] = {"_ms",  "_us",     "_s",     "_c",    "_count",
                                            "_sum", "_bucket", "_total", "_info", "_created"};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            size_t length = strlen(name), end = strlen(wrong[i]);
            assert_false(strcmp(name + length - end, wrong[i]) == 0);
        }
        count++;
    }
    assert_true(count > 80);
    free(names);
}

static void assert_name(const char *path, const char *unit, const char *expected, double factor)
{
    const struct metric_row row = {path, unit, METRIC_NEUTRAL, ""};
    struct prom_name name;
    prom_name_of(&row, &name);
    assert_string_equal(name.name, expected);
    assert_true(name.factor == factor);
}

static void names_say_their_unit_last(void **state)
{
    (void)state;
    assert_name("all_streams.rows_per_s", "rows/s", "loadline_all_streams_rows_per_second", 1);
    assert_name("elapsed_s", "s", "loadline_elapsed_seconds", 1);
    assert_name("latency_ms.lock_wait.p999", "ms", "loadline_latency_lock_wait_p999_seconds", 1e-3);
    assert_name("data.write_await_ms", "ms", "loadline_data_write_await_seconds", 1e-3);
    assert_name("wal_growing.per_commit.bytes", "bytes/commit",
                "loadline_wal_growing_per_commit_bytes", 1);
    assert_name("server.per_commit.wal_sync_count", "syncs/commit",
                "loadline_server_per_commit_wal_syncs", 1);
    assert_name("waits.groups.log_insert", "", "loadline_waits_log_insert_ratio", 1);
    assert_name("data.foreign.share", "", "loadline_data_foreign_share_ratio", 1);
    assert_name("device_bytes_per_row_byte", "", "loadline_device_bytes_per_row_byte_ratio", 1);
    assert_name("correlation.commits_vs_writes.r", "", "loadline_correlation_commits_vs_writes_r",
                1);
    assert_name("data.queue_depth", "", "loadline_data_queue_depth", 1);
}

static void real_and_hostile_results_are_taken(void **state)
{
    (void)state;
    static const char *const logs[] = {"million", "streams", "hostile", "postgres", "cycles",
                                       "partial", "failed",  "search",  "steady",   "placement"};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        char path[512];
        struct document document;
        struct err err;
        snprintf(path, sizeof path, TESTS_DIR "/golden/%s.jsonl", logs[i]);
        assert_int_equal(document_read(path, &document, &err), 0);
        json_object_set_new(document.summary, "analysis",
                            analysis_make(document.summary, &document.courses));
        struct report_source source = {.path = path, .summary = document.summary};
        char *text = write_text(&source, 1);
        assert_true(read_strictly(text) > 0);
        free(text);
        document_release(&document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_metric_is_a_family_with_a_sample_for_each_phase),
        cmocka_unit_test(times_are_seconds_and_sizes_keep_their_digits),
        cmocka_unit_test(what_is_unknown_is_left_out),
        cmocka_unit_test(facts_stand_in_labels_but_no_serial_number),
        cmocka_unit_test(several_results_are_told_apart),
        cmocka_unit_test(a_result_of_nothing_ends_too),
        cmocka_unit_test(phases_with_the_same_labels_stay_apart),
        cmocka_unit_test(labels_are_escaped),
        cmocka_unit_test(names_from_elsewhere_become_valid_and_different),
        cmocka_unit_test(every_metric_has_a_name_of_its_own),
        cmocka_unit_test(names_say_their_unit_last),
        cmocka_unit_test(real_and_hostile_results_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
