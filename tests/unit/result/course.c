/* Logs written by hand, and the courses that were computed from them by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/rng.h"
#include "result/document.h"
#include "result/log.h"
#include "result/metric.h"
#include "result/record.h"

/* Two targets: dm-0 on sda with its log on sdc, and sdb with all on it. */
#define HEADER_OF(keys)                                                                            \
    "{\"record\":\"header\",\"loadline\":\"0.1.0\",\"schema\":1,\"workload\":{\"name\":\"w\","     \
    "\"row.payload\":\"100\",\"workload.phases\":\"insert, delete\"" keys "},\"devices\":["        \
    "{\"role\":\"wal\",\"target\":0,\"sampled\":\"sdc\",\"leaves\":[\"sdc\"]},"                    \
    "{\"role\":\"data\",\"target\":0,\"sampled\":\"dm-0\",\"leaves\":[\"sda\"]},"                  \
    "{\"role\":\"data\",\"target\":1,\"sampled\":\"sdb\",\"leaves\":[\"sdb\"]}]}\n"
#define HEADER HEADER_OF("")
#define START(trial, target)                                                                       \
    "{\"record\":\"event\",\"kind\":\"trial\",\"trial\":" #trial ",\"target\":" #target "}\n"
#define TRIAL(index) "{\"record\":\"trial\",\"index\":" #index ",\"phases\":[{},{}]}\n"
#define END          "{\"record\":\"end\",\"partial\":false}\n"

#define DISK(name, writes, sectors, flushes)                                                       \
    "\"" name "\":{\"reads\":0,\"writes\":" #writes ",\"write_sectors\":" #sectors                 \
    ",\"write_ms\":" #writes ",\"in_flight\":1,\"flushes\":" #flushes ",\"flush_ms\":null}"
#define SAMPLE(trial, phase, cycle, mark, at, commits, disks)                                      \
    "{\"record\":\"sample\",\"t0\":" #at ",\"t1\":" #at ",\"mark\":\"" mark "\",\"trial\":" #trial \
    ",\"phase\":" #phase ",\"cycle\":" #cycle ",\"commits\":" #commits ",\"rows\":" #commits       \
    ",\"retries\":" #commits ",\"streams\":null,\"disks\":{" disks "}}\n"

static struct document document;

static void read_log(const char *text)
{
    struct err err;
    char path[] = "/tmp/course-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    int status = document_read(path, &document, &err);
    unlink(path);
    if (status != 0)
        fail_msg("%s", err.text);
}

static int forget(void **state)
{
    (void)state;
    document_release(&document);
    return 0;
}

static const struct course *course_of(unsigned trial, unsigned phase, size_t intervals)
{
    const struct course *course = courses_find(&document.courses, trial, phase);
    if (!course)
        fail_msg("no course of trial %u, phase %u", trial, phase);
    if (course->series.count != intervals)
        fail_msg("%zu intervals in phase %u, not %zu", course->series.count, phase, intervals);
    return course;
}

static void is_near(double value, double expected, const char *what)
{
    if (!(fabs(value - expected) < 1e-9 * (1 + fabs(expected))))
        fail_msg("%s is %.12g, not %.12g", what, value, expected);
}
#define IS(value, expected) is_near(value, expected, #value)

#define FULL_DISK(name, r, rs, rm, w, ws, wm, n, dm, f, fm)                                        \
    "\"" name "\":{\"reads\":" #r ",\"read_sectors\":" #rs ",\"read_ms\":" #rm ",\"writes\":" #w   \
    ",\"write_sectors\":" #ws ",\"write_ms\":" #wm ",\"in_flight\":" #n ",\"discard_ms\":" #dm     \
    ",\"flushes\":" #f ",\"flush_ms\":" #fm "}"
#define FULL_SAMPLE(mark, t0, t1, commits, retries, wal, client, busy, total, celsius, disks)      \
    "{\"record\":\"sample\",\"t0\":" #t0 ",\"t1\":" #t1 ",\"mark\":\"" mark                        \
    "\",\"trial\":3,\"phase\":0,\"cycle\":0,\"commits\":" #commits ",\"rows\":" #commits           \
    "00,\"bytes\":7,\"retries\":" #retries ",\"streams\":{\"commits\":[" #commits                  \
    "]},\"disks\":{" disks "},\"gauges\":{\"wait_cpu\":2,\"wal_bytes\":" #wal                      \
    "},\"cpu\":{\"client_s\":" #client ",\"host_busy_ticks\":" #busy                               \
    ",\"host_total_ticks\":" #total "},\"temperature_c\":" #celsius ",\"commit\":\"HISTFAAAA\"}\n"

static void every_member_of_an_interval(void **state)
{
    (void)state;
    read_log(
        HEADER START(3, 0) FULL_SAMPLE(
            "phase_start", 10, 10.002, 5, 1, 4096, 1.5, 100, 1000, 40,
            FULL_DISK("dm-0", 10, 80, 7, 100, 1000, 50, 0, 2, 0,
                      null) "," FULL_DISK("sda", 0, 0, 0, 0, 0, 0, 0, 0, 20,
                                          30) "," FULL_DISK("sdc", 0, 0, 0, 7, 70, 0, 0, 0, 3, 4))
            FULL_SAMPLE("tick", 10.1, 10.102, 25, 4, 8192, 1.53, 130, 1040, 41.5,
                        FULL_DISK("dm-0", 12, 96, 9, 140, 1400, 58, 5, 3, 0, null) "," FULL_DISK(
                            "sda", 0, 0, 0, 0, 0, 0, 0, 0, 29, 36) "," FULL_DISK("sdc", 0, 0, 0, 10,
                                                                                 94, 0, 0, 0, 5, 5))
                FULL_SAMPLE(
                    "phase_end", 10.35, 10.352, 26, 4, 8192, 1.6, 130, 1140, null,
                    FULL_DISK("dm-0", 12, 96, 9, 141, 1408, 59, 0, 3, 0, null) "," FULL_DISK(
                        "sda", 0, 0, 0, 0, 0, 0, 0, 0, 30,
                        36) "," FULL_DISK("sdc", 0, 0, 0, 10, 94, 0, 0, 0, 5, 5)) TRIAL(3) END);
    const struct course *course = course_of(3, 0, 2);
    const struct interval *i = course->series.items;
    IS(course->start_s, 10.001);
    IS(course->bytes_before, 0);
    IS(i->start_s, 0);
    IS(i->seconds, 0.1);
    IS(i->commits, 20);
    IS(i->rows, 2000);
    IS(i->retries, 3);
    IS(i->writes, 40 + 3);
    IS(i->bytes, (400 + 24) * 512);
    IS(i->flushes, 9 + 2);
    IS(i->in_flight, 5);
    IS(i->temperature_c, 41.5);
    IS(i->wal_bytes, 8192);
    IS(i->client_s, 0.03);
    IS(i->host_busy, 0.75);
    IS(i->host_ticks, 40);
    IS(i->device.reads, 2);
    IS(i->device.read_bytes, 16 * 512);
    IS(i->device.writes, 40);
    IS(i->device.write_bytes, 400 * 512);
    IS(i->device.flushes, 9);
    IS(i->device.flush_ms, 6);
    IS(i->device.write_ms, 8);
    IS(i->device.waiting_ms, 2 + 8 + 1);
    assert_true(i->wal_growing && course->series.has_wal);
    i++;
    IS(i->start_s, 0.1);
    IS(i->seconds, 0.25);
    IS(i->commits, 1);
    IS(i->host_busy, 0);
    IS(i->flushes, 1);
    assert_true(isnan(i->temperature_c) && !i->wal_growing);
}

static void a_warm_up_is_not_counted(void **state)
{
    (void)state;
    read_log(HEADER_OF(",\"workload.warmup\":\"1s\"") START(0, 1)
                 SAMPLE(0, 0, 0, "phase_start", 1, 0, DISK("sdb", 0, 0, 0))
                     SAMPLE(0, 0, 0, "tick", 2, 9, DISK("sdb", 9, 90, 9))
                         SAMPLE(0, 0, 0, "warm", 2.5, 10, DISK("sdb", 20, 100, 20))
                             SAMPLE(0, 0, 0, "tick", 3, 12, DISK("sdb", 24, 120, 21))
                                 SAMPLE(0, 0, 0, "phase_end", 5, 17, DISK("sdb", 30, 130, 25))
                                     SAMPLE(0, 1, 0, "phase_start", 6, 17, DISK("sdb", 30, 150, 25))
                                         SAMPLE(0, 1, 0, "tick", 6.5, 18, DISK("sdb", 31, 160, 25))
                                             SAMPLE(0, 1, 0, "phase_end", 6.9, 19,
                                                    DISK("sdb", 32, 170, 25))
                                                 SAMPLE(0, 2, 1, "phase_start", 7, 19,
                                                        DISK("sdb", 32, 171, 25)) TRIAL(0) END);
    const struct course *course = course_of(0, 0, 2);
    IS(course->start_s, 2.5);
    IS(course->bytes_before, 100 * 512); /* the drive took them, warm-up or not */
    IS(course->series.items[0].start_s, 0);
    IS(course->series.items[0].commits, 2);
    IS(course->series.items[1].commits, 5);
    IS(course->series.items[1].flushes, 4);
    course_of(0, 1, 0); /* over before its warm-up was: nothing of it counts */
    IS(course_of(0, 2, 0)->bytes_before, 171 * 512);
}

/* Settled samples, and what a verification between two phases writes, count as taken. */
static void cycles_go_on(void **state)
{
    (void)state;
    read_log(
        HEADER_OF(",\"workload.warmup\":\"0s\"") START(7, 1) SAMPLE(7, 0, 0, "phase_start", 1, 0,
                                                                    DISK("sdb", 1000, 5000, 50))
            SAMPLE(7, 0, 0, "tick", 2, 4, DISK("sdb", 1004, 5040, 54))
                SAMPLE(7, 0, 0, "phase_end", 3, 6, DISK("sdb", 1006, 5060, 56))
                    SAMPLE(7, 0, 0, "settled", 4, 6, DISK("sdb", 1010, 5160, 57))
                        SAMPLE(7, 1, 0, "phase_start", 5, 6, DISK("sdb", 1011, 5170, 57))
                            SAMPLE(7, 1, 0, "phase_end", 6, 9, DISK("sdb", 1014, 5200, 60)) SAMPLE(
                                7, 1, 0, "settled", 7, 9, DISK("sdb", 1014, 5200, 61))
                                SAMPLE(7, 2, 1, "phase_start", 8, 9, DISK("sdb", 1014, 5200, 61))
                                    SAMPLE(7, 2, 1, "tick", 9, 19, DISK("sdb", 1024, 5300, 71))
                                        SAMPLE(7, 2, 1, "tick", 10, 20, DISK("sdb", 1025, 5310, 72))
                                            SAMPLE(7, 2, 1, "phase_end", 11, 20,
                                                   DISK("sdb", 1025, 5310, 72)) TRIAL(7) END);
    assert_int_equal(document.courses.count, 3);
    IS(course_of(7, 0, 2)->bytes_before, 0);
    IS(course_of(7, 1, 1)->bytes_before, 170 * 512);
    const struct course *last = course_of(7, 2, 3);
    IS(last->bytes_before, 200 * 512);
    IS(last->start_s, 8);
    assert_int_equal(last->cycle, 1);
    IS(last->series.items[2].commits, 0);
    IS(last->series.items[2].start_s, 2);
    assert_null(courses_find(&document.courses, 7, 3));
    assert_null(courses_find(&document.courses, 6, 0));
    assert_null(courses_find(&document.courses, 8, 0));
}

static void each_target_has_its_devices(void **state)
{
    (void)state;
#define BOTH(w, f) DISK("dm-0", w, w, 0) "," DISK("sda", 0, 0, f) "," DISK("sdc", w, w, f)
    read_log(HEADER START(0, 0) SAMPLE(0, 0, 0, "phase_start", 1, 0, BOTH(10, 1))
                 SAMPLE(0, 0, 0, "phase_end", 2, 5, BOTH(14, 4)) TRIAL(0) START(1, 1)
                     SAMPLE(1, 0, 0, "phase_start", 3, 0, DISK("sdb", 100, 1000, 8))
                         SAMPLE(1, 0, 0, "phase_end", 4, 5, DISK("sdb", 107, 1100, 9)) TRIAL(1)
                             START(2, 0) SAMPLE(2, 0, 0, "phase_start", 5, 0, BOTH(20, 10))
                                 SAMPLE(2, 0, 0, "phase_end", 6, 5, BOTH(21, 11)) TRIAL(2) END);
    IS(course_of(0, 0, 1)->series.items[0].writes, 4 + 4);
    IS(course_of(0, 0, 1)->series.items[0].flushes, 3 + 3);
    IS(course_of(1, 0, 1)->series.items[0].writes, 7);
    IS(course_of(1, 0, 1)->series.items[0].device.write_bytes, 100 * 512);
    IS(course_of(2, 0, 1)->series.items[0].writes, 2);
    IS(course_of(2, 0, 1)->series.items[0].device.writes, 1);
}

static void a_device_that_was_replaced(void **state)
{
    (void)state;
    read_log(
        HEADER START(0, 1) SAMPLE(0, 0, 0, "phase_start", 1, 0, DISK("sdb", 90000, 900000, 5000))
            SAMPLE(0, 0, 0, "tick", 2, 5, DISK("sdb", 90005, 900050, 5005)) SAMPLE(
                0, 0, 0, "tick", 3, 9, DISK("sdb", 4, 40, 3)) SAMPLE(0, 0, 0, "tick", 4, 12, "")
                SAMPLE(0, 0, 0, "phase_end", 5, 20, DISK("sdb", 12, 120, 9))
                    SAMPLE(0, 1, 0, "phase_start", 6, 20, DISK("sdb", 12, 120, 9))
                        SAMPLE(0, 1, 0, "phase_end", 7, 21, DISK("sdb", 13, 130, 9)) TRIAL(0) END);
    const struct interval *i = course_of(0, 0, 4)->series.items;
    IS(i[0].writes, 5);
    for (size_t k = 1; k < 4; k++) /* replaced, gone, back again: commits are known all the time */
        assert_true(isnan(i[k].writes) && isnan(i[k].bytes) && isnan(i[k].device.writes) &&
                    i[k].commits > 0);
    assert_true(isnan(course_of(0, 1, 1)->bytes_before));
    IS(course_of(0, 1, 1)->series.items[0].writes, 1);
}

static void what_a_sample_lacks_is_unknown(void **state)
{
    (void)state;
#define LOST(at, rest)                                                                             \
    "{\"record\":\"sample\",\"trial\":0,\"phase\":0,\"t0\":" #at ",\"t1\":" #at rest "}\n"
    read_log(
        HEADER START(0, 1) LOST(1, ",\"mark\":\"phase_start\",\"commits\":0,\"rows\":0")
            LOST(2, ",\"commits\":3,\"rows\":30,\"retries\":2,\"cpu\":{\"client_s\":1}")
                LOST(3, ",\"commits\":3.5,\"rows\":35") /* no count: passed over */
        LOST(4, ",\"rows\":40")                         /* likewise */
        LOST(null, ",\"commits\":9,\"rows\":90")        /* likewise */
        LOST(5, ",\"commits\":7,\"rows\":70,\"retries\":6,\"cpu\":{\"client_s\":1.5},\"disks\":7")
            LOST(6, ",\"commits\":8,\"rows\":80,\"retries\":1,\"cpu\":{\"client_s\":\"x\"}")
                TRIAL(0) END);
    const struct interval *i = course_of(0, 0, 3)->series.items;
    IS(i[0].commits, 3);
    assert_true(isnan(i[0].retries) && isnan(i[0].client_s) && isnan(i[0].host_busy) &&
                isnan(i[0].writes) && isnan(i[0].temperature_c) && isnan(i[0].wal_bytes));
    IS(i[1].seconds, 3);
    IS(i[1].commits, 4);
    IS(i[1].retries, 4);
    IS(i[1].client_s, 0.5);
    IS(i[2].rows, 10);
    assert_true(isnan(i[2].retries) && isnan(i[2].client_s)); /* ran back, and no number */
}

static void what_runs_back_is_left_out(void **state)
{
    (void)state;
    read_log(HEADER START(0, 1) SAMPLE(0, 0, 0, "phase_start", 10, 0, "")
                 SAMPLE(0, 0, 0, "tick", 11, 5, "") SAMPLE(0, 0, 0, "tick", 12, 4, "")
                     SAMPLE(0, 0, 0, "tick", 11.5, 9, "") SAMPLE(0, 0, 0, "tick", 13, 12, "")
                         SAMPLE(0, 1, 0, "phase_start", 14, 12, "")
                             SAMPLE(0, 0, 0, "tick", 15, 13, "") SAMPLE(0, 0, 0, "tick", 16, 15, "")
                                 TRIAL(0) END);
    const struct course *course = &document.courses.items[0];
    assert_int_equal(course->series.count, 2);
    IS(course->series.items[0].commits, 5);
    IS(course->series.items[1].commits, 3);
    assert_true(document.courses.mixed); /* a phase came twice: the first is found */
    assert_ptr_equal(courses_find(&document.courses, 0, 0), course);
    assert_int_equal(courses_find(&document.courses, 0, 1)->series.count, 0);
    assert_null(courses_find(&document.courses, 1, 0));
}

/* The same record in another writer's hand: order, blanks, escapes, members twice. */
static void other_ways_to_write_it(void **state)
{
    (void)state;
    read_log(HEADER START(
        0, 1) " { \"rows\" : 0 , \"commits\":0,\"t1\":1e0,\"disks\" : { \"x\":{\"writes\":[1]}, "
              "\"s\\u0064b\" : {\"flushes\":1,\"writes\" : 2,\"writes\":3, \"more\":{}} },"
              "\"mark\":\"phase_st\\u0061rt\",\"t0\":1,\"trial\":0,\"phase\":0,\"record\":"
              "\"sample\"}\r\n"
              "{\"record\":\"sample\",\"commits\":77,\"trial\":0,\"phase\":0,\"disks\":{\"sdb\":5},"
              "\"disks\":{\"sdb\":{\"writes\":9},\"sdb\":{\"writes\":13,\"flushes\":4,\"reads\":"
              "\"1\"}},"
              "\"commits\":6,\"rows\":60,\"t0\":2,\"t1\":2.0,\"mark\":\"phase_end\",\"later\":[[{}]"
              "]}\n" TRIAL(0) END);
    const struct interval *i = course_of(0, 0, 1)->series.items;
    IS(i->seconds, 1);
    IS(i->commits, 6);
    IS(i->rows, 60);
    IS(i->writes, 10);
    IS(i->flushes, 3);
    assert_true(isnan(i->device.reads));
}

/* Its samples are all there is of it: phases and courses agree. */
static void a_trial_that_was_cut_off(void **state)
{
    (void)state;
    read_log(HEADER START(4, 1) SAMPLE(4, 0, 0, "phase_start", 1, 0, DISK("sdb", 10, 100, 1))
                 SAMPLE(4, 0, 0, "tick", 2, 4, DISK("sdb", 14, 140, 2))
                     SAMPLE(4, 0, 0, "phase_end", 3, 6, DISK("sdb", 16, 160, 3))
                         SAMPLE(4, 0, 0, "settled", 4, 6, DISK("sdb", 17, 190, 4))
                             SAMPLE(4, 1, 0, "phase_start", 5, 6, DISK("sdb", 17, 190, 4))
                                 SAMPLE(4, 1, 0, "tick", 6, 9,
                                        DISK("sdb", 20, 230, 7)) "{\"record\":\"sample\",\"t0\":7");
    const json_t *trials = json_object_get(document.summary, "trials");
    assert_true(json_is_true(json_object_get(document.summary, "partial")));
    assert_int_equal(json_array_size(trials), 1);
    assert_true(json_number_at(json_array_get(trials, 0), "index") == 4);
    assert_true(json_number_at(json_array_get(trials, 0), "target") == 1);
    const json_t *phases = json_object_get(json_array_get(trials, 0), "phases");
    IS(metric_value(json_array_get(phases, 0), "commits"), 6);
    IS(metric_value(json_array_get(phases, 0), "data.write_bytes"), 60 * 512);
    IS(metric_value(json_array_get(phases, 0), "data.settle_write_bytes"), 30 * 512);
    IS(metric_value(json_array_get(phases, 1), "commits"), 3);
    IS(course_of(4, 0, 2)->series.items[1].bytes, 20 * 512);
    IS(course_of(4, 1, 1)->series.items[0].bytes, 40 * 512);
    IS(course_of(4, 1, 1)->bytes_before, 90 * 512);
}

/* Trials of several targets, the last two without a record; an event may be missing. */
static void trials_without_records(void **state)
{
    (void)state;
    read_log(HEADER START(0, 1) SAMPLE(0, 0, 0, "phase_start", 1, 0, DISK("sdb", 0, 0, 0))
                 SAMPLE(0, 0, 0, "tick", 2, 5, DISK("sdb", 5, 0, 0)) START(1, 0)
                     SAMPLE(1, 0, 0, "phase_start", 3, 0, BOTH(1, 1))
                         SAMPLE(1, 0, 0, "tick", 4, 7, BOTH(3, 1))
                             SAMPLE(2, 0, 0, "phase_start", 5, 0, BOTH(3, 1))
                                 SAMPLE(2, 0, 0, "tick", 6, 1, BOTH(4, 1)));
    assert_int_equal(json_array_size(json_object_get(document.summary, "trials")), 3);
    IS(course_of(0, 0, 1)->series.items[0].writes, 5);
    IS(course_of(1, 0, 1)->series.items[0].writes, 4);
    IS(course_of(2, 0, 1)->series.items[0].writes, 2);
    IS(course_of(2, 0, 1)->series.items[0].commits, 1);
}

/* ---- what a running program computes, and what is read of what it wrote ---- */

enum { STREAMS = 300, TICKS = 50 };

static void fill(struct sample *s, const struct device_set *devices, struct rng *rng,
                 const struct sample *before)
{
    s->t0_ns = before ? before->t1_ns + 90000000 + (int64_t)rng_below(rng, 50000000) : 1000000000;
    s->t1_ns = s->t0_ns + 40000;
    s->trial = 5;
    s->row_bytes = 116;
    for (size_t i = 0; i < s->stream_count; i++) {
        s->stream_commits[i] = (before ? before->stream_commits[i] : 0) + rng_below(rng, 3);
        s->stream_rows[i] = 10 * s->stream_commits[i];
        s->commits += s->stream_commits[i];
    }
    s->rows = 10 * s->commits;
    s->retries = s->commits / 7;
    for (size_t i = 0; i < s->disk_count; i++) {
        struct diskstats *row = &s->disks[i];
        snprintf(row->name, sizeof row->name, "%s", devices->names[i]);
        row->present = (UINT32_C(1) << DISK_FIELDS) - 1;
        for (size_t f = 0; f < DISK_FIELDS; f++)
            row->value[f] = (before ? before->disks[i].value[f] : 1000) + rng_below(rng, 500);
    }
    s->gauges[s->gauge_count++] = (struct gauge){"wal_bytes", (double)rng_below(rng, 1000)};
    s->client_cpu_ns = s->t0_ns / 3;
    s->host = (struct host_cpu){.busy = (uint64_t)s->t0_ns / 30000000,
                                .total = (uint64_t)s->t0_ns / 10000000};
}

static void is_same(const struct interval *read, const struct interval *made)
{
    /* Every member but the flag is a double; times were written with 12 digits. */
    const size_t flag = offsetof(struct interval, wal_growing) / sizeof(double);
    const double *a = (const double *)(const void *)read, *b = (const double *)(const void *)made;
    assert_int_equal(read->wal_growing, made->wal_growing);
    for (size_t i = 0; i < sizeof *read / sizeof *a; i++) {
        bool same = i == flag || (isnan(a[i]) && isnan(b[i])) ||
                    fabs(a[i] - b[i]) <= 2e-9 * (1 + fabs(b[i]));
        if (!same)
            fail_msg("member %zu is %.12g, not %.12g", i, a[i], b[i]);
    }
}

/* 300 streams: ticks hold sums only.  The sum of all intervals is the end minus the start. */
static void as_the_program_computed_it(void **state)
{
    (void)state;
    static const char text[] = HEADER START(5, 0);
    struct device_set set = {
        .devices = {{.role = "wal", .sampled = 0, .leaves = {0}, .leaf_count = 1},
                    {.role = "data", .sampled = 1, .leaves = {2}, .leaf_count = 1}},
        .count = 2,
        .names = {"sdc", "dm-0", "sda"},
        .name_count = 3};
    struct rng rng = {20131};
    struct series series = {0};
    struct sample *samples[TICKS + 1];
    struct err err;
    struct log *log;
    char *path = fs_path("/tmp/course-%d.jsonl", (int)getpid());
    assert_int_equal(log_create(path, &log, &err), 0);
    for (const char *at = text; *at; at = strchr(at, '\n') + 1) {
        json_t *record = json_loadb(at, (size_t)(strchr(at, '\n') - at), 0, NULL);
        assert_int_equal(log_write(log, record, &err), 0);
    }
    for (size_t i = 0; i <= TICKS; i++) {
        samples[i] = sample_create(STREAMS, 3);
        fill(samples[i], &set, &rng, i > 0 ? samples[i - 1] : NULL);
        samples[i]->mark = i == 0       ? SAMPLE_PHASE_START
                           : i == TICKS ? SAMPLE_PHASE_END
                                        : SAMPLE_TICK;
        json_t *record = sample_json(samples[i], &set, 0);
        assert_true(json_is_null(json_object_get(record, "streams")) == (i > 0 && i < TICKS));
        assert_int_equal(log_write(log, record, &err), 0);
        if (i > 0)
            series_add(&series, &set, samples[0], samples[i - 1], samples[i]);
    }
    assert_int_equal(log_close(log, &err), 0);
    assert_int_equal(document_read(path, &document, &err), 0);
    unlink(path);
    free(path);

    const struct course *course = course_of(5, 0, TICKS);
    double commits = 0, sectors = 0;
    for (size_t i = 0; i < TICKS; i++) {
        is_same(&course->series.items[i], &series.items[i]);
        commits += course->series.items[i].commits;
        sectors += course->series.items[i].device.write_bytes / 512;
    }
    const struct sample *first = samples[0], *last = samples[TICKS];
    IS(commits, (double)(last->commits - first->commits));
    IS(sectors, (double)(last->disks[1].value[DISK_WRITE_SECTORS] -
                         first->disks[1].value[DISK_WRITE_SECTORS]));
    /* The streams of the trial, which has no record, come from its marks. */
    const json_t *trial = json_array_get(json_object_get(document.summary, "trials"), 0);
    const json_t *phase = json_array_get(json_object_get(trial, "phases"), 0);
    assert_int_equal(json_array_size(json_object_get(phase, "streams")), STREAMS);
    IS(json_number_at(json_array_get(json_object_get(phase, "streams"), 299), "commits"),
       (double)(last->stream_commits[299] - first->stream_commits[299]));
    for (size_t i = 0; i <= TICKS; i++)
        sample_destroy(samples[i]);
    series_release(&series);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_member_of_an_interval, forget),
        cmocka_unit_test_teardown(a_warm_up_is_not_counted, forget),
        cmocka_unit_test_teardown(cycles_go_on, forget),
        cmocka_unit_test_teardown(each_target_has_its_devices, forget),
        cmocka_unit_test_teardown(a_device_that_was_replaced, forget),
        cmocka_unit_test_teardown(what_a_sample_lacks_is_unknown, forget),
        cmocka_unit_test_teardown(what_runs_back_is_left_out, forget),
        cmocka_unit_test_teardown(other_ways_to_write_it, forget),
        cmocka_unit_test_teardown(a_trial_that_was_cut_off, forget),
        cmocka_unit_test_teardown(trials_without_records, forget),
        cmocka_unit_test_teardown(as_the_program_computed_it, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
