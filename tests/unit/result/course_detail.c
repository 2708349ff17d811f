/* Logs written by hand: the latencies and waits of their intervals. */
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
#include "result/log.h"
#include "result/record.h"
#include "result/waits.h"

#define HEADER_OF(keys)                                                                            \
    "{\"record\":\"header\",\"loadline\":\"0.1.0\",\"schema\":1,\"workload\":{\"name\":\"w\"" keys \
    "},\"devices\":[]}\n"
#define HEADER HEADER_OF("")
#define TRIAL  "{\"record\":\"trial\",\"index\":0,\"phases\":[{},{}]}\n"
#define END    "{\"record\":\"end\",\"partial\":false}\n"
#define SAMPLE(phase, mark, at, commits, rest)                                                     \
    "{\"record\":\"sample\",\"t0\":" #at ",\"t1\":" #at ",\"mark\":\"" mark                        \
    "\",\"trial\":0,\"phase\":" #phase ",\"cycle\":0,\"commits\":" #commits                        \
    ",\"rows\":" #commits rest "}\n"
#define WITH(text) ",\"commit\":\"" text "\""

static struct document document;

static void read_file(const char *path, enum document_detail detail)
{
    struct err err;
    int status = document_read_detail(path, detail, &document, &err);
    unlink(path);
    if (status != 0)
        fail_msg("%s", err.text);
}

static void read_log(const char *text, enum document_detail detail)
{
    char path[] = "/tmp/course_detail-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    read_file(path, detail);
}

static int forget(void **state)
{
    (void)state;
    document_release(&document);
    return 0;
}

static const struct course *course_of(unsigned phase, size_t intervals)
{
    const struct course *course = courses_find(&document.courses, 0, phase);
    if (!course)
        fail_msg("no course of phase %u", phase);
    if (course->series.count != intervals)
        fail_msg("%zu intervals in phase %u, not %zu", course->series.count, phase, intervals);
    return course;
}

/* "-": not known. */
static void are_latencies(const struct course *course, const char *const *expected)
{
    for (size_t i = 0; i < course->series.count; i++) {
        const char *found = course->latencies[i] ? course->latencies[i] : "-";
        if (strcmp(found, expected[i]) != 0)
            fail_msg("interval %zu has %s, not %s", i, found, expected[i]);
    }
}

#define TWO_PHASES                                                                                 \
    HEADER SAMPLE(0, "phase_start", 1, 0, WITH("before"))                                          \
        SAMPLE(0, "tick", 2, 3, WITH("AB+\\/c\\u0061=")) SAMPLE(0, "tick", 3, 5, "")               \
            SAMPLE(0, "phase_end", 4, 6, WITH("third")) SAMPLE(0, "settled", 5, 6, WITH("after"))  \
                SAMPLE(1, "phase_start", 6, 6, ",\"commit\":null")                                 \
                    SAMPLE(1, "tick", 7, 8, ",\"commit\":7")                                       \
                        SAMPLE(1, "phase_end", 8, 9, ",\"commit\":\"\"") TRIAL END

static void each_interval_has_its_own(void **state)
{
    (void)state;
    read_log(TWO_PHASES, DOCUMENT_LATENCIES);
    are_latencies(course_of(0, 3), (const char *[]){"AB+/ca=", "-", "third"});
    assert_null(course_of(1, 2)->latencies); /* none has any */
    assert_null(course_of(0, 3)->waits);
}

static void nobody_asked(void **state)
{
    (void)state;
    read_log(TWO_PHASES, DOCUMENT_PLAIN);
    assert_null(course_of(0, 3)->latencies);
}

/* The intervals are longer than the stretch of time that the histogram is of. */
static void a_sample_that_was_passed_over(void **state)
{
    (void)state;
    read_log(HEADER SAMPLE(0, "phase_start", 1, 0, "") SAMPLE(0, "tick", 2, null, WITH("lost"))
                 SAMPLE(0, "tick", 3, 5, WITH("half")) SAMPLE(0, "tick", 4, 6, WITH("whole"))
                     SAMPLE(0, "tick", 5, 5, WITH("runs back"))
                         SAMPLE(0, "tick", 6, 9, WITH("next"))
                             SAMPLE(0, "settled", 7, 9, WITH("settled"))
                                 SAMPLE(0, "tick", 8, 10, WITH("half"))
                                     SAMPLE(0, "tick", 9, 11, WITH("end")) TRIAL END,
             DOCUMENT_LATENCIES);
    const struct course *course = course_of(0, 5);
    are_latencies(course, (const char *[]){"-", "whole", "next", "-", "end"});
    assert_true(course->series.items[0].seconds == 2);
}

/* A warm-up's latencies are dropped with its intervals, be it one that nobody announced. */
static void counting_begins_anew(void **state)
{
    (void)state;
#define WARM(keys)                                                                                 \
    HEADER_OF(keys)                                                                                \
    SAMPLE(0, "phase_start", 1, 0, "")                                                             \
    SAMPLE(0, "tick", 2, 2, WITH("cold") ",\"gauges\":{\"wait_cpu\":1}")                           \
    SAMPLE(0, "warm", 3, 3, WITH("cold"))                                                          \
    SAMPLE(0, "tick", 4, 5, WITH("warm")) SAMPLE(0, "phase_end", 5, 7, "") TRIAL END
    read_log(WARM(",\"workload.warmup\":\"2s\""), DOCUMENT_LATENCIES);
    are_latencies(course_of(0, 2), (const char *[]){"warm", "-"});
    document_release(&document);
    read_log(WARM(""), DOCUMENT_LATENCIES);
    are_latencies(course_of(0, 2), (const char *[]){"warm", "-"});
    assert_null(course_of(0, 2)->waits);
}

static void is_seen(const struct course *course, size_t interval, enum waits_group group,
                    double expected)
{
    double seen = course->waits[interval * WAITS_GROUPS + group];
    if (isnan(expected) ? !isnan(seen) : seen != expected)
        fail_msg("%g streams in %s in interval %zu, not %g", seen, waits_groups[group], interval,
                 expected);
}

static void streams_seen_waiting(void **state)
{
    (void)state;
#define GAUGES(text) ",\"gauges\":{" text "}"
    read_log(
        HEADER SAMPLE(0, "phase_start", 1, 0, GAUGES("\"wait_cpu\":9"))
            SAMPLE(0, "tick", 2, 3, GAUGES("\"wal_bytes\":9"))
                SAMPLE(0, "tick", 3, 5, GAUGES("\"wait_cpu\":2,\"wait_other\":1,\"wal_bytes\":9"))
                    SAMPLE(0, "tick", 4, 6, "") SAMPLE(0, "tick", 5, null, GAUGES("\"wait_cpu\":5"))
                        SAMPLE(0, "phase_end", 6, 7, GAUGES("\"wait_flush\":4,\"wait_cpu\":0"))
                            TRIAL END,
        DOCUMENT_PLAIN);
    const struct course *course = course_of(0, 4);
    is_seen(course, 0, WAITS_CPU, NAN); /* nobody looked */
    is_seen(course, 0, WAITS_OTHER, NAN);
    is_seen(course, 1, WAITS_CPU, 2);
    is_seen(course, 1, WAITS_OTHER, 1);
    is_seen(course, 1, WAITS_FLUSH, 0);
    is_seen(course, 2, WAITS_CPU, NAN);
    is_seen(course, 3, WAITS_CPU, 0);
    is_seen(course, 3, WAITS_FLUSH, 4);
    is_seen(course, 3, WAITS_ROW, 0);
}

/* ---- what a running program writes ---- */

enum { TICKS = 200 }; /* more than the arrays begin with */

static void write_one(struct log *log, json_t *record)
{
    struct err err;
    assert_int_equal(log_write(log, record, &err), 0);
}

/* Interval i has i commits; every third has no histogram. */
static void write_samples(struct log *log, struct hist *hist)
{
    struct sample *sample = sample_create(1, 0);
    for (unsigned i = 0; i <= TICKS; i++) {
        hist_reset(hist);
        for (unsigned c = 0; c < i; c++)
            hist_record(hist, 1000000 + 1000 * (int64_t)i);
        sample->t0_ns = sample->t1_ns = 100000000 * (int64_t)i;
        sample->mark = i == 0 ? SAMPLE_PHASE_START : SAMPLE_TICK;
        sample->commits += i;
        sample->rows += i;
        sample->commit = i % 3 == 0 ? NULL : hist;
        sample->gauge_count = 1;
        sample->gauges[0] = (struct gauge){"wait_group", i};
        write_one(log, sample_json(sample, NULL, 0));
    }
    sample_destroy(sample);
}

static void as_the_program_wrote_them(void **state)
{
    (void)state;
    struct err err;
    struct log *log;
    struct hist *hist = hist_create();
    char *path = fs_path("/tmp/course_detail-%d.jsonl", (int)getpid());
    assert_int_equal(log_create(path, &log, &err), 0);
    write_one(log,
              json_loads("{\"record\":\"header\",\"loadline\":\"0.1.0\",\"schema\":1}", 0, NULL));
    write_samples(log, hist);
    assert_int_equal(log_close(log, &err), 0);
    read_file(path, DOCUMENT_LATENCIES);
    const struct course *course = course_of(0, TICKS);
    for (unsigned i = 1; i <= TICKS; i++) {
        const char *text = course->latencies[i - 1];
        is_seen(course, i - 1, WAITS_GROUP, i);
        if (i % 3 == 0) {
            assert_null(text);
            continue;
        }
        assert_int_equal(hist_decode(text, hist, &err), 0);
        assert_int_equal(hist->count, i);
        assert_int_equal(hist->count, (uint64_t)course->series.items[i - 1].commits);
        assert_int_equal(hist->low, hist_index(1000000 + 1000 * (int64_t)i));
    }
    hist_destroy(hist);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(each_interval_has_its_own, forget),
        cmocka_unit_test_teardown(nobody_asked, forget),
        cmocka_unit_test_teardown(a_sample_that_was_passed_over, forget),
        cmocka_unit_test_teardown(counting_begins_anew, forget),
        cmocka_unit_test_teardown(streams_seen_waiting, forget),
        cmocka_unit_test_teardown(as_the_program_wrote_them, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
