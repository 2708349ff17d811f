/* Levels of commits/s, cliffs between them, and what was seen where they changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/level_cause.h"
#include "unit/analysis/steady_doc.h"

struct found {
    struct joined joined;
    struct levels levels;
};

static void find(struct found *found, const struct doc *doc)
{
    struct rates_index index;
    rates_index_init(&index, &doc->courses);
    joined_init(&found->joined, &index, json_array_get(json_object_get(doc->summary, "trials"), 0),
                "insert");
    levels_find(&found->levels, &found->joined);
    rates_index_release(&index);
}

static void release(struct found *found, struct doc *doc)
{
    joined_release(&found->joined);
    doc_release(doc);
}

#define AT(commits, bytes) .rate = (commits), .bytes_per_s = (bytes), .celsius = NAN, .in_flight = 1

static void begin(struct doc *doc, const struct stretch *stretches, size_t count)
{
    doc_init(doc);
    doc_begin(doc, 0);
    doc_phase(doc, "insert", 0, stretches, count);
}

static const struct joined_second *start_of(const struct found *found, size_t level)
{
    return &found->joined.seconds[found->levels.items[level].from];
}

static void one_level(void **state)
{
    (void)state;
    struct doc doc;
    struct found found;
    const struct stretch even = {.seconds = 100, AT(1000, 1e6)};
    begin(&doc, &even, 1);
    find(&found, &doc);
    assert_int_equal(found.joined.count, 100);
    NEAR(found.joined.counted_s, 100, 1e-6);
    assert_int_equal(found.levels.count, 1);
    assert_int_equal(found.levels.cliff, 0);
    NEAR(found.levels.items[0].commits_per_s, 1000, 5);
    release(&found, &doc);
}

static void a_cliff_at_a_known_byte(void **state)
{
    (void)state;
    struct doc doc;
    struct found found;
    const struct stretch falls[] = {{.seconds = 70, AT(5000, 50e6)},
                                    {.seconds = 230, AT(1500, 15e6)}};
    begin(&doc, falls, 2);
    find(&found, &doc);
    assert_int_equal(found.levels.count, 2);
    assert_int_equal(found.levels.cliff, 1);
    NEAR(start_of(&found, 1)->at_s, 72, 1e-6); /* the phase began at 2 s */
    NEAR(start_of(&found, 1)->bytes, 3.5e9, 1e5);
    NEAR(found.levels.items[0].commits_per_s, 5000, 20);
    NEAR(found.levels.items[1].commits_per_s, 1500, 10);
    release(&found, &doc);
}

/* A short burst at the head of an hour: over time it is nothing, over bytes it is much. */
static void a_short_burst(void **state)
{
    (void)state;
    struct doc doc;
    struct found found;
    const struct stretch falls[] = {{.seconds = 20, AT(50000, 500e6)},
                                    {.seconds = 3580, AT(500, 5e6)}};
    begin(&doc, falls, 2);
    find(&found, &doc);
    assert_int_equal(found.levels.count, 2);
    assert_int_equal(found.levels.cliff, 1);
    NEAR(start_of(&found, 1)->bytes, 10e9, 5e8);
    release(&found, &doc);
}

static void no_cliff(void **state)
{
    (void)state;
    struct doc doc;
    struct found found;
    const struct stretch recovers[] = {{.seconds = 60, AT(5000, 50e6)},
                                       {.seconds = 60, AT(1500, 15e6)},
                                       {.seconds = 60, AT(5000, 50e6)}};
    begin(&doc, recovers, 3);
    find(&found, &doc);
    assert_int_equal(found.levels.count, 3);
    assert_int_equal(found.levels.cliff, 0);
    release(&found, &doc);
    /* A quarter less is no cliff; twice a quarter is one. */
    const struct stretch steps[] = {{.seconds = 60, AT(1000, 50e6)},
                                    {.seconds = 60, AT(750, 15e6)},
                                    {.seconds = 60, AT(560, 50e6)}};
    begin(&doc, steps, 2);
    find(&found, &doc);
    assert_int_equal(found.levels.count, 2);
    assert_int_equal(found.levels.cliff, 0);
    release(&found, &doc);
    begin(&doc, steps, 3);
    find(&found, &doc);
    assert_int_equal(found.levels.count, 3);
    assert_int_equal(found.levels.cliff, 2);
    release(&found, &doc);
}

static void cycles_are_joined(void **state)
{
    (void)state;
    struct doc doc;
    struct found found;
    const struct stretch fast = {.seconds = 15.5, AT(4000, 40e6)},
                         slow = {.seconds = 15.5, AT(1000, 10e6)}, other = {.seconds = 9, AT(7, 0)};
    doc_init(&doc);
    doc_begin(&doc, 0);
    for (unsigned i = 0; i < 4; i++) {
        doc_phase(&doc, "insert", i, i < 2 ? &fast : &slow, 1);
        doc_phase(&doc, "delete", i, &other, 1);
    }
    put(doc_phase(&doc, "insert", 4, &fast, 1), "after_pause", json_true());
    find(&found, &doc);
    assert_int_equal(found.joined.piece_count, 4);
    assert_int_equal(found.joined.count, 62);
    assert_int_equal(found.levels.count, 2);
    assert_int_equal(found.levels.cliff, 1);
    NEAR(start_of(&found, 1)->bytes, 1240e6, 1e6);
    NEAR(start_of(&found, 1)->at_s, 2 + 2 * (15.5 + 1 + 9 + 1), 1e-6);
    release(&found, &doc);
}

/* With 10 streams that end one after the other the tail is another load. */
static void the_tail_is_left_out(void **state)
{
    (void)state;
    struct doc doc;
    struct found found;
    const struct stretch falls[] = {{.seconds = 60, AT(5000, 50e6)}, {.seconds = 30, AT(500, 5e6)}};
    doc_init(&doc);
    doc_begin(&doc, 0);
    put(doc_phase(&doc, "insert", 0, falls, 2), "all_streams",
        json_pack("{s:f}", "elapsed_s", 60.0));
    find(&found, &doc);
    assert_int_equal(found.joined.count, 60);
    assert_int_equal(found.levels.count, 1);
    release(&found, &doc);
}

static void too_short_or_unknown(void **state)
{
    (void)state;
    struct doc doc;
    struct found found;
    const struct stretch falls[] = {{.seconds = 9, AT(5000, 50e6)}, {.seconds = 9, AT(500, 5e6)}};
    begin(&doc, falls, 2);
    find(&found, &doc);
    assert_int_equal(found.levels.count, 1);
    release(&found, &doc);
    const struct stretch unknown[] = {{.seconds = 60, AT(5000, NAN)},
                                      {.seconds = 60, AT(500, NAN)}};
    begin(&doc, unknown, 2);
    find(&found, &doc);
    assert_int_equal(found.levels.count, 2);
    assert_true(isnan(start_of(&found, 1)->bytes));
    release(&found, &doc);
    begin(&doc, falls, 0); /* no sample */
    find(&found, &doc);
    assert_int_equal(found.levels.count, 0);
    release(&found, &doc);
}

static void strange_intervals(void **state)
{
    (void)state;
    struct doc doc;
    struct found found;
    const struct stretch even = {.seconds = 40, AT(1000, 1e6)};
    const double strange[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e300};
    for (size_t i = 0; i < DOC_COUNT(strange); i++) {
        begin(&doc, &even, 1);
        struct series *series = &doc.courses.items[0].series;
        for (size_t k = 0; k < 40; k++) {
            series->items[k * 10].seconds = strange[i];
            series->items[k * 10 + 3].commits = strange[i];
            series->items[k * 10 + 5].bytes = strange[i];
            series->items[k * 10 + 7].start_s = strange[i];
        }
        find(&found, &doc);
        assert_true(found.levels.count >= 1);
        release(&found, &doc);
    }
}

/* ---- causes ---- */

static void expect_cause(struct doc *doc, size_t change, const char *name, const char *evidence)
{
    struct found found;
    struct incidents incidents;
    struct level_cause cause;
    find(&found, doc);
    incidents_init(&incidents, doc->summary);
    assert_true(found.levels.count > change);
    level_cause_find(&cause, &found.joined, &found.levels, change, &incidents, 0);
    if (strcmp(cause.name, name) != 0 || strcmp(cause.evidence, evidence) != 0)
        fail_msg("\"%s\": \"%s\"", cause.name, cause.evidence);
    incidents_release(&incidents);
    release(&found, doc);
}

static void set_foreign(struct doc *doc, size_t phase, double share)
{
    json_t *object = json_array_get(json_object_get(doc_trial(doc), "phases"), phase);
    put(json_object_get(json_object_get(object, "devices"), "sda"), "foreign",
        json_pack("{s:f}", "share", share));
}

static void no_cause(void **state)
{
    (void)state;
    struct doc doc;
    struct stretch falls[] = {{.seconds = 60, AT(5000, 50e6)}, {.seconds = 60, AT(1500, 15e6)}};
    begin(&doc, falls, 2);
    expect_cause(&doc, 1, "", "temperature and foreign I/O unknown");
    falls[0].celsius = 44;
    falls[1].celsius = 46;
    begin(&doc, falls, 2);
    expect_cause(&doc, 1, "", "foreign I/O unknown");
    begin(&doc, falls, 2);
    set_foreign(&doc, 0, 0.01);
    expect_cause(&doc, 1, "", "");
}

static void temperature(void **state)
{
    (void)state;
    struct doc doc;
    struct stretch warms[] = {{.seconds = 40, AT(5000, 50e6)},
                              {.seconds = 30, AT(5000, 50e6)},
                              {.seconds = 60, AT(2500, 25e6)},
                              {.seconds = 60, AT(5000, 50e6)}};
    warms[0].celsius = 58;
    warms[1].celsius = warms[2].celsius = 66;
    warms[3].celsius = 58;
    begin(&doc, warms, 4);
    expect_cause(&doc, 1, "temperature", "the drive went from 58 to 66 C before it");
    begin(&doc, warms, 4);
    expect_cause(&doc, 2, "temperature", "the drive went from 66 to 58 C before it");
    /* 2 C more are enough where drives begin to throttle. */
    warms[0].celsius = 69;
    warms[1].celsius = warms[2].celsius = 71;
    begin(&doc, warms, 3);
    expect_cause(&doc, 1, "temperature", "the drive went from 69 to 71 C before it");
    /* Any load warms a drive up. */
    warms[0].celsius = 41;
    warms[1].celsius = warms[2].celsius = 49;
    begin(&doc, warms, 3);
    expect_cause(&doc, 1, "", "foreign I/O unknown");
    /* It got warmer long before, and no more since. */
    warms[1].seconds = 200;
    warms[0].celsius = 50;
    warms[1].celsius = warms[2].celsius = 60;
    begin(&doc, warms, 3);
    expect_cause(&doc, 1, "", "foreign I/O unknown");
}

static void add_event(struct doc *doc, double at_s, int trial, const char *kind)
{
    json_array_append_new(json_object_get(doc->summary, "events"),
                          json_pack("{s:f, s:i, s:s, s:s}", "at_s", at_s, "trial", trial, "kind",
                                    kind, "text", "what it says"));
}

static void an_event(void **state)
{
    (void)state;
    struct doc doc;
    struct stretch falls[] = {{.seconds = 60, AT(5000, 50e6)}, {.seconds = 60, AT(1500, 15e6)}};
    begin(&doc, falls, 2);
    add_event(&doc, 61.5, 0, "steady");     /* of its own course */
    add_event(&doc, 61.6, 1, "checkpoint"); /* of another trial */
    add_event(&doc, 61.7, 0, "checkpoint");
    expect_cause(&doc, 1, "checkpoint", "checkpoint at 62 s: what it says");
    begin(&doc, falls, 2);
    add_event(&doc, 64, 0, "checkpoint"); /* too late */
    expect_cause(&doc, 1, "", "temperature and foreign I/O unknown");
    begin(&doc, falls, 2);
    for (int i = 0; i < 60; i++) /* there is always one near */
        add_event(&doc, 2 * i, 0, "checkpoint");
    expect_cause(&doc, 1, "", "temperature and foreign I/O unknown");
}

static void the_wal(void **state)
{
    (void)state;
    struct doc doc;
    struct stretch falls[] = {{.seconds = 60, AT(5000, 50e6)}, {.seconds = 60, AT(1500, 15e6)}};
    falls[0].growing = true;
    begin(&doc, falls, 2);
    expect_cause(&doc, 1, "WAL", "the WAL grew until then and is written again from then on");
    falls[1].growing = true;
    begin(&doc, falls, 2);
    expect_cause(&doc, 1, "", "temperature and foreign I/O unknown");
}

static void the_same_bytes_again(void **state)
{
    (void)state;
    struct doc doc;
    struct stretch cache[] = {{.seconds = 60, AT(5000, 50e6)},
                              {.seconds = 60, AT(1500, 15e6)},
                              {.seconds = 62, AT(5000, 50e6)},
                              {.seconds = 60, AT(1500, 15e6)}};
    begin(&doc, cache, 4);
    expect_cause(&doc, 1, "", "temperature and foreign I/O unknown");
    begin(&doc, cache, 4);
    expect_cause(&doc, 2, "", "temperature and foreign I/O unknown");
    begin(&doc, cache, 4);
    expect_cause(&doc, 3, "same bytes again",
                 "3.1 GB since commits/s rose, and it fell after 3.0 GB before: a cache of that "
                 "size");
    cache[2].seconds = 80;
    begin(&doc, cache, 4);
    expect_cause(&doc, 3, "", "temperature and foreign I/O unknown");
}

static void others_on_the_drive(void **state)
{
    (void)state;
    struct doc doc;
    const struct stretch fast = {.seconds = 40, AT(5000, 50e6)},
                         slow = {.seconds = 40, AT(1500, 15e6)};
    for (int busy = 0; busy < 2; busy++) { /* busy: the cycle before was disturbed as much */
        doc_init(&doc);
        doc_begin(&doc, 0);
        doc_phase(&doc, "insert", 0, &fast, 1);
        doc_phase(&doc, "insert", 1, &slow, 1);
        set_foreign(&doc, 0, busy ? 0.3 : 0.01);
        set_foreign(&doc, 1, 0.4);
        if (busy)
            expect_cause(&doc, 1, "", "temperature unknown");
        else
            expect_cause(&doc, 1, "foreign I/O",
                         "40% of what the drive wrote in this phase came from others");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_level),
        cmocka_unit_test(a_cliff_at_a_known_byte),
        cmocka_unit_test(a_short_burst),
        cmocka_unit_test(no_cliff),
        cmocka_unit_test(cycles_are_joined),
        cmocka_unit_test(the_tail_is_left_out),
        cmocka_unit_test(too_short_or_unknown),
        cmocka_unit_test(strange_intervals),
        cmocka_unit_test(no_cause),
        cmocka_unit_test(temperature),
        cmocka_unit_test(an_event),
        cmocka_unit_test(the_wal),
        cmocka_unit_test(the_same_bytes_again),
        cmocka_unit_test(others_on_the_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
