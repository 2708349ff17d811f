/* Histogram logs line by line; hlog_java.c has them read by the reference implementation. */
#include <locale.h>
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
#include "base/rng.h"
#include "export/hlog.h"
#include "measure/hist.h"
#include "result/document.h"
#include "result/log.h"
#include "result/record.h"
#include "unit/export/hlog_scene.h"

static char *write_text(const json_t *summary, const struct courses *courses)
{
    char *text = NULL;
    size_t size;
    struct err err;
    struct report_source source = {"x.jsonl", summary, courses};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(hlog_write(out, &source, &err), 0);
    fclose(out);
    return text;
}

struct line {
    char tag[80];
    double start_s, length_s, max_ms;
    double count;
};

/* The line at *text, which moves on; false: none is left.  Comments and the legend are passed. */
static bool next_line(const char **text, struct line *line, struct hist *room)
{
    struct err err;
    static char histogram[1 << 16];
    while (**text == '#' || **text == '"')
        *text = strchr(*text, '\n') + 1;
    if (!**text)
        return false;
    int fields = sscanf(*text, "Tag=%79[^,],%lf,%lf,%lf,%65535[^\n]", line->tag, &line->start_s,
                        &line->length_s, &line->max_ms, histogram);
    if (fields != 5)
        fail_msg("no line of a histogram log: %.80s", *text);
    if (hist_decode(histogram, room, &err) != 0)
        fail_msg("%s", err.text);
    line->count = (double)room->count;
    if (room->count > 0 && fabs(hist_max_ms(room) - line->max_ms) > 0.0006)
        fail_msg("%s: its maximum is %g ms, not %g", line->tag, hist_max_ms(room), line->max_ms);
    *text = strchr(*text, '\n') + 1;
    return true;
}

/* Of all lines with the tag: how many, and what they count. */
static double total_of(const char *text, const char *tag, size_t lines)
{
    struct line line;
    struct hist *room = hist_create();
    double total = 0;
    size_t found = 0;
    while (next_line(&text, &line, room))
        if (strcmp(line.tag, tag) == 0) {
            total += line.count;
            found++;
        }
    hist_destroy(room);
    if (found != lines)
        fail_msg("%zu lines with %s, not %zu", found, tag, lines);
    return total;
}

static void the_head(void **state)
{
    (void)state;
    struct document document;
    hlog_scene_read(&document, 2);
    char *text = write_text(document.summary, &document.courses);
    static const char expected[] =
        "#[Logged with loadline " LOADLINE_VERSION ": latencies in ns]\n"
        "#[Histogram log format version 1.3]\n"
        "#[BaseTime: 1796116440.000 (seconds since epoch)]\n"
        "#[StartTime: 1796116440.000 (seconds since epoch), 2026-12-01 09:14:00 UTC]\n"
        "#[trial0: repeat 0, layout a\\x0ab, 二, streams 4]\n"
        "#[trial1: repeat 0, layout a\\x0ab, 二, streams 4]\n"
        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_"
        "Histogram\"\n"
        "Tag=trial0.insert.transaction,1.500,2.000,";
    assert_memory_equal(text, expected, sizeof expected - 1);
    free(text);
    document_release(&document);
}

static void nothing_is_counted_twice(void **state)
{
    (void)state;
    const double phase = HLOG_TICKS * HLOG_COMMITS;
    struct document document;
    hlog_scene_read(&document, 2);
    char *text = write_text(document.summary, &document.courses);
    assert_true(total_of(text, "trial0.insert.commit", HLOG_TICKS) == phase);
    assert_true(total_of(text, "trial0.delete.commit", 1) == phase);
    assert_true(total_of(text, "trial0.insert.transaction", 1) == phase);
    assert_true(total_of(text, "trial0.insert.lock_wait", 1) == phase);
    assert_true(total_of(text, "trial1.insert.lock_wait", 0) == 0); /* its BEGIN takes no lock */
    assert_true(total_of(text, "trial1.insert.commit", 2 * HLOG_TICKS) == 2 * phase);
    assert_true(total_of(text, "trial1.delete.statement", 2) == 2 * phase);
    free(text);
    document_release(&document);
}

/* Readers stop at the first line that begins before the one above it. */
static void lines_come_as_time_goes(void **state)
{
    (void)state;
    struct document document;
    struct line line;
    struct hist *room = hist_create();
    hlog_scene_read(&document, 2);
    char *text = write_text(document.summary, &document.courses);
    const char *at = text;
    double before_s = 0;
    size_t commits = 0;
    while (next_line(&at, &line, room)) {
        assert_true(line.start_s >= before_s);
        before_s = line.start_s;
        if (strcmp(line.tag, "trial0.insert.commit") == 0) {
            assert_true(fabs(line.start_s - (1.5 + 0.1 * (double)commits++)) < 1e-6);
            assert_true(line.length_s == 0.1);
        }
        if (strcmp(line.tag, "trial0.delete.commit") == 0) {
            assert_true(fabs(line.start_s - 3.75) < 1e-6);
            assert_true(line.length_s == 2);
        }
    }
    hist_destroy(room);
    free(text);
    document_release(&document);
}

static void one_trial_needs_no_number(void **state)
{
    (void)state;
    struct document document;
    hlog_scene_read(&document, 1);
    char *text = write_text(document.summary, &document.courses);
    assert_true(total_of(text, "insert.commit", HLOG_TICKS) == HLOG_TICKS * HLOG_COMMITS);
    assert_null(strstr(text, "trial0"));
    free(text);
    document_release(&document);
}

/* No samples, no time, a name that would break a line, histograms that are none. */
static void a_document_from_elsewhere(void **state)
{
    (void)state;
    struct hist *hist = hist_create();
    hist_record(hist, 5000000);
    char *good = hist_encode(hist);
    json_t *summary = json_pack(
        "{s:s, s:[{s:f, s:[{s:s, s:f, s:{s:s, s:s, s:i, s:s}}, {s:s, s:f, s:{s:s}}, {}, i]}, {}, "
        "n]}",
        "started", "2026-12-01T09:14:00Z\n", "trials", "index", 1e300, "phases", "name", "a, b\n二",
        "elapsed_s", 2.5, "histograms", "transaction", good, "statement", "HISTF,", "lock_wait", 7,
        "commit", good, "name", "insert", "elapsed_s", -1e300, "histograms", "commit", good, 5);
    assert_non_null(summary);
    char *text = write_text(summary, NULL);
    assert_null(strstr(text, "BaseTime"));
    assert_true(total_of(text, "trial0.a__b____.transaction", 1) == 1);
    assert_true(total_of(text, "trial0.a__b____.statement", 0) == 0);
    assert_true(total_of(text, "trial0.a__b____.commit", 1) == 1);
    assert_true(total_of(text, "trial0.insert.commit", 1) == 1);
    assert_non_null(strstr(text, "Tag=trial0.insert.commit,2.500,0.000,5.014,"));
    free(text);
    json_decref(summary);
    free(good);
    hist_destroy(hist);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    json_t *summary = json_object();
    struct report_source source = {.summary = summary};
    struct err err;
    FILE *full = fopen("/dev/full", "we");
    assert_non_null(full);
    assert_int_equal(hlog_write(full, &source, &err), -1);
    assert_non_null(strstr(err.text, "histogram log"));
    fclose(full);
    json_decref(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head),
        cmocka_unit_test(nothing_is_counted_twice),
        cmocka_unit_test(lines_come_as_time_goes),
        cmocka_unit_test(one_trial_needs_no_number),
        cmocka_unit_test(a_document_from_elsewhere),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
