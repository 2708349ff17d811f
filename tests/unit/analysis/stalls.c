/* Times in which hardly anything was committed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/stalls.h"
#include "unit/analysis/steady_doc.h"

static const struct stretch running = {.seconds = 10,
                                       .rate = 1000,
                                       .bytes_per_s = 1e6,
                                       .celsius = NAN,
                                       .flush_ms = 90,
                                       .in_flight = 1};

static void find(struct stalls *stalls, const struct doc *doc)
{
    struct rates_index index;
    struct joined joined;
    struct levels levels;
    rates_index_init(&index, &doc->courses);
    joined_init(&joined, &index, json_array_get(json_object_get(doc->summary, "trials"), 0),
                "insert");
    levels_find(&levels, &joined);
    stalls_find(stalls, &joined, &levels);
    joined_release(&joined);
    rates_index_release(&index);
}

static void find_in(struct stalls *stalls, const struct stretch *stretches, size_t count)
{
    struct doc doc;
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_phase(&doc, "insert", 0, stretches, count);
    find(stalls, &doc);
    doc_release(&doc);
}

static void at_known_times(void **state)
{
    (void)state;
    struct stalls stalls;
    struct stretch stretches[] = {running, running, running, running, running, running, running};
    const double lengths[] = {0.2, 0.7, 0.1}; /* the last one is none */
    for (size_t i = 0; i < 3; i++) {
        stretches[2 * i + 1].seconds = lengths[i];
        stretches[2 * i + 1].rate = 80; /* less than a tenth */
    }
    find_in(&stalls, stretches, 7);
    assert_int_equal(stalls.total, 2);
    assert_int_equal(stalls.count, 2);
    NEAR(stalls.total_s, 0.9, 1e-6);
    NEAR(stalls.items[0].seconds, 0.7, 1e-6); /* the longest first */
    NEAR(stalls.items[0].at_s, 2 + 10 + 0.2 + 10, 1e-6);
    NEAR(stalls.items[1].at_s, 2 + 10, 1e-6);
    stretches[1].rate = stretches[3].rate = 120; /* more than a tenth */
    find_in(&stalls, stretches, 7);
    assert_int_equal(stalls.total, 0);
}

/* With 30 commits/s nobody can tell 0.3 s without one from chance. */
static void rare_commits(void **state)
{
    (void)state;
    struct stalls stalls;
    struct stretch stretches[] = {running, running, running};
    stretches[0].rate = stretches[2].rate = 30;
    stretches[1].rate = 0;
    stretches[1].seconds = 0.3;
    find_in(&stalls, stretches, 3);
    assert_int_equal(stalls.total, 0);
    stretches[1].seconds = 0.4;
    find_in(&stalls, stretches, 3);
    assert_int_equal(stalls.total, 1);
}

/* A level of a twentieth is a level, and a stall in it is one of its own. */
static void a_low_level_is_no_stall(void **state)
{
    (void)state;
    struct stalls stalls;
    struct stretch stretches[] = {running, running, running, running};
    stretches[0].seconds = 100;
    for (int i = 1; i < 4; i++)
        stretches[i].rate = 50;
    stretches[1].seconds = stretches[3].seconds = 40;
    stretches[2].seconds = 1;
    stretches[2].rate = 0;
    find_in(&stalls, stretches, 4);
    assert_int_equal(stalls.total, 1);
    NEAR(stalls.items[0].at_s, 142, 1e-6);
    NEAR(stalls.items[0].seconds, 1, 1e-6);
}

static void the_longest_are_kept(void **state)
{
    (void)state;
    enum { STALLS = 30 };
    struct stalls stalls;
    struct stretch stretches[2 * STALLS];
    for (size_t i = 0; i < STALLS; i++) {
        stretches[2 * i] = stretches[2 * i + 1] = running;
        stretches[2 * i + 1].rate = 0;
        stretches[2 * i + 1].seconds = 0.3 + 0.1 * (double)(i * 7 % STALLS);
    }
    find_in(&stalls, stretches, 2 * STALLS);
    assert_int_equal(stalls.total, STALLS);
    assert_int_equal(stalls.count, STALLS_SHOWN);
    for (size_t i = 0; i < STALLS_SHOWN; i++)
        NEAR(stalls.items[i].seconds, 3.2 - 0.1 * (double)i, 1e-6);
}

/* A stall of 0.5 s with this; `late_ms`: of flushes that ended right after it. */
static void expect_device(struct stretch during, double late_ms, const char *words)
{
    struct doc doc;
    struct stalls stalls;
    char text[64];
    during.seconds = 0.5;
    during.rate = 0;
    const struct stretch stretches[] = {running, during, running};
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_phase(&doc, "insert", 0, stretches, 3);
    doc.courses.items[0].series.items[105].device.flush_ms += late_ms;
    find(&stalls, &doc);
    assert_int_equal(stalls.total, 1);
    const char *found = stalls_device(&stalls.items[0], text);
    if (!words)
        assert_null(found);
    else
        assert_string_equal(found, words);
    doc_release(&doc);
}

static void what_the_device_did(void **state)
{
    (void)state;
    const struct stretch idle = {.bytes_per_s = 0, .celsius = NAN};
    struct stretch during = idle;
    expect_device(during, 0, "nothing in flight");
    during.flush_ms = 60; /* in each interval of 100 ms */
    expect_device(during, 0, "flush in flight");
    during = idle;
    during.in_flight = 1;
    expect_device(during, 480, "flush in flight");
    expect_device(during, 0, "I/O in flight, hardly any completed");
    during.write_bytes_per_s = 48e6;
    expect_device(during, 0, "writes at 48 MB/s");
    during = idle;
    during.in_flight = during.flush_ms = during.write_bytes_per_s = NAN;
    expect_device(during, 0, NULL);
}

/* Between two cycles there is no load. */
static void cycles_stay_apart(void **state)
{
    (void)state;
    struct doc doc;
    struct stalls stalls;
    struct stretch halves[] = {running, running};
    halves[1].seconds = 0.1;
    halves[1].rate = 0;
    doc_init(&doc);
    doc_begin(&doc, 0);
    doc_phase(&doc, "insert", 0, halves, 2);
    const struct stretch turned[] = {halves[1], halves[0]};
    doc_phase(&doc, "insert", 1, turned, 2);
    find(&stalls, &doc);
    assert_int_equal(stalls.total, 0);
    doc_release(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_known_times),          cmocka_unit_test(rare_commits),
        cmocka_unit_test(a_low_level_is_no_stall), cmocka_unit_test(the_longest_are_kept),
        cmocka_unit_test(what_the_device_did),     cmocka_unit_test(cycles_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
