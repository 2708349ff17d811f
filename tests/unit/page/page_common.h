/* page_common.h - what a browser does with a page's data, and invented results with known answers.
 */
#ifndef TESTS_PAGE_COMMON_H
#define TESTS_PAGE_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after these */
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "measure/base64.h"
#include "measure/hist.h"
#include "page/chart.h"
#include "page/packed.h"
#include "result/waits.h"

/* Base64 of zlib as bytes, with a NUL behind them; heap. */
static inline unsigned char *common_unpack(const char *text, size_t *size)
{
    size_t small_size = strlen(text), room = 1 << 16;
    unsigned char *small = malloc(small_size + 1), *large = NULL;
    assert_int_equal(base64_decode(text, small, &small_size), 0);
    int status = Z_BUF_ERROR;
    while (status == Z_BUF_ERROR) {
        room *= 4;
        large = realloc(large, room + 1);
        uLongf used = room;
        status = uncompress(large, &used, small, (uLong)small_size);
        *size = used;
    }
    assert_int_equal(status, Z_OK);
    large[*size] = 0;
    free(small);
    return large;
}

/* As packed.h says it: one column of `count` numbers. */
static inline void common_column(const unsigned char *at, const unsigned char *end, size_t count,
                                 enum packed_kind kind, double scale, double *values)
{
    int64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t number = 0;
        for (int shift = 0;; shift += 7) {
            assert_true(at < end && shift < 64);
            number |= (uint64_t)(*at & 0x7f) << shift;
            if (*at++ < 0x80)
                break;
        }
        if (number == 0) {
            values[i] = NAN;
            continue;
        }
        number--;
        last += (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
        values[i] = kind == PACKED_LOG ? exp((double)last * scale) : (double)last * scale;
    }
    assert_ptr_equal(at, end);
}

/* A column of "timeline"; heap; NULL: it is left out. */
static inline double *common_timeline(const json_t *timeline, const char *name)
{
    size_t size, index, at = 0, count = (size_t)json_number_at(timeline, "count");
    unsigned char *bytes = common_unpack(json_text_at(timeline, "data"), &size);
    double *values = NULL;
    const json_t *column;
    json_array_foreach(json_object_get(timeline, "columns"), index, column)
    {
        size_t taken = (size_t)json_number_at(column, "size");
        assert_true(at + taken <= size);
        if (strcmp(json_text_at(column, "name"), name) == 0) {
            values = calloc(count, sizeof *values);
            common_column(bytes + at, bytes + at + taken, count,
                          json_is_true(json_object_get(column, "log")) ? PACKED_LOG : PACKED_LINEAR,
                          json_number_at(column, "scale"), values);
        }
        at += taken;
    }
    assert_int_equal(at, size);
    free(bytes);
    return values;
}

static inline double common_sum(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* ---- invented results ---- */

struct common {
    json_t *summary;
    struct courses courses;
    struct report_source source;
};

static inline void common_init(struct common *common)
{
    *common = (struct common){.summary = json_pack("{s:[]}", "trials")};
    common->source =
        (struct report_source){"/home/user/a.jsonl", common->summary, &common->courses};
}

static inline void common_release(struct common *common)
{
    courses_release(&common->courses);
    json_decref(common->summary);
}

static inline struct course *common_add_course(struct common *common, unsigned trial,
                                               unsigned phase, size_t count)
{
    struct courses *courses = &common->courses;
    courses->items = realloc(courses->items, (courses->count + 1) * sizeof *courses->items);
    struct course *course = &courses->items[courses->count++];
    courses->capacity = courses->count;
    *course = (struct course){.trial = trial, .phase = phase, .bytes_before = 0};
    course->series.items = calloc(count, sizeof *course->series.items);
    course->series.count = course->series.capacity = count;
    course->latencies = calloc(count, sizeof *course->latencies);
    for (size_t i = 0; i < count; i++)
        course->series.items[i] = (struct interval){.start_s = (double)i * 0.1,
                                                    .seconds = 0.1,
                                                    .commits = 100,
                                                    .rows = 100000,
                                                    .writes = 250,
                                                    .flushes = 110,
                                                    .bytes = 4096 * 250,
                                                    .in_flight = 2,
                                                    .temperature_c = NAN,
                                                    .wal_bytes = NAN,
                                                    .retries = 0,
                                                    .client_s = 0.02,
                                                    .host_busy = 0.25,
                                                    .host_ticks = 20,
                                                    .device = {.waiting_ms = 150}};
    return course;
}

/* A trial with one phase of each name (NULL ends), each with a course of `count` intervals. */
static inline void common_add_trial(struct common *common, unsigned index,
                                    const char *const *phases, size_t count)
{
    json_t *list = json_array(), *trials = json_object_get(common->summary, "trials");
    double at_s = 100 * index;
    for (unsigned i = 0; phases[i]; i++) {
        struct course *course = common_add_course(common, index, i, count);
        course->start_s = at_s + 50 * i;
        json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:i, s:f}", "name", phases[i],
                                              "cycle", 0, "commits", 100 * (int)count,
                                              "stream_count", 4, "commits_per_s", 1000.0));
    }
    json_array_append_new(trials, json_pack("{s:i, s:i, s:{s:i}, s:o}", "index", index, "repeat", 0,
                                            "factors", "streams", 4, "phases", list));
}

/* Gives an interval `count` commits of `ms` each. */
static inline void common_latency(struct course *course, size_t interval, size_t count, double ms)
{
    struct hist *hist = hist_create();
    for (size_t i = 0; i < count; i++)
        hist_record(hist, (int64_t)(ms * 1e6));
    free(course->latencies[interval]);
    course->latencies[interval] = hist_encode(hist);
    course->series.items[interval].commits = (double)count;
    hist_destroy(hist);
}

#endif
