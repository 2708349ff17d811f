#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/scaling.h"
#include "unit/analysis/ladder_doc.h"

static json_t *scale(const struct point *points, size_t count, double rows_per_commit)
{
    json_t *summary = doc_summary(rows_per_commit);
    doc_points(summary, points, count);
    json_t *found = doc_find(scaling_json, summary, NULL);
    json_decref(summary);
    return found;
}

static void expect_said(const json_t *finding, const char *label, const char *sentence)
{
    const char *said = doc_said(finding, label);
    assert_non_null(said);
    assert_string_equal(said, sentence);
}

static void expect_near(const json_t *object, const char *path, double value, double within)
{
    double is = json_number_at(object, path);
    if (!(fabs(is - value) <= within))
        fail_msg("%s is %g, not %g", path, is, value);
}

static void a_knee(void **state)
{
    (void)state;
    static const struct point points[] = {{1, 5070, 5400, 0.5},
                                          {10, 12300, 23600, 2.6},
                                          {20, 12000, 28400, 6.7},
                                          {30, 12500, 31900, 7.5},
                                          {40, 12900, 34700, 8.2}};
    json_t *found = scale(points, DOC_COUNT(points), 1);
    const json_t *finding = doc_finding(found, 0);
    assert_string_equal(json_text_at(found, "verdict"), "knee");
    assert_string_equal(json_text_at(finding, "verdict"), "knee");
    assert_string_equal(json_text_at(finding, "phase"), "insert");
    assert_null(json_at(finding, "factors.streams"));
    expect_near(finding, "knee.streams", 10, 0);
    expect_near(finding, "knee.commits_per_s", 12300, 0);
    expect_near(finding, "knee.gain_beyond", 12900.0 / 12300, 1e-9);
    expect_near(finding, "knee.p99_beyond", 8.2 / 2.6, 1e-9);
    assert_true(json_is_null(json_at(finding, "knee.gain_low"))); /* one run: no interval */
    assert_true(json_is_null(json_object_get(finding, "usl")));
    expect_said(finding, "", "knee at 10 streams: 12,300 flushed commits/s");
    expect_said(finding, "beyond", "40 streams: x1.05 commits, x3.2 p99: not worth it");
    expect_said(finding, "not IOPS", "writes/s still rise 47% from 10 to 40 streams; commits 5%");
    expect_said(finding, "time",
                "time(N)/time(1), same rows a stream, by the rates: 4.1 8.4 12.2 15.7");
    assert_string_equal(json_text_at(finding, "certainty"),
                        "run.repeats = 6 would give intervals; a scalability law needs 1 more "
                        "number of streams");
    assert_string_equal(json_text_at(finding, "plateau.of"), "commits_per_s");
    assert_string_equal(json_text_at(finding, "plateau.rises.of"), "write_iops");
    expect_near(finding, "plateau.rises.ratio", 34700.0 / 23600, 1e-9);
    const json_t *point = json_array_get(json_object_get(finding, "points"), 1);
    expect_near(point, "streams", 10, 0);
    expect_near(point, "flushes_per_s", 500, 1e-9);
    expect_near(point, "p50_ms", 1.3, 1e-9);
    expect_near(point, "repeats", 1, 0);
    assert_true(json_is_null(json_object_get(point, "elapsed_ratio")));
    json_decref(found);
}

static void rising_flat_and_falling(void **state)
{
    (void)state;
    static const struct {
        struct point points[3];
        const char *verdict, *first, *label, *second, *certainty;
    } cases[] = {
        {{{1, 1000, NAN, 1}, {2, 1900, NAN, 1.1}, {4, 3500, NAN, 1.2}},
         "rising",
         "no knee up to 4 streams: 3,500 flushed commits/s, 84% more than at 2",
         "gain",
         "1 to 4 streams: x3.50 commits, x1.2 p99",
         "more than 4 streams would show where it ends; a scalability law needs 3 more numbers of "
         "streams"},
        {{{1, 1000, NAN, 1}, {2, 1020, NAN, 2}, {4, 1050, NAN, 4}},
         "flat",
         "flat: 1 stream carries nearly all, 1,000 flushed commits/s",
         "beyond",
         "4 streams: x1.05 commits, x4.0 p99: not worth it",
         "run.repeats = 6 would give intervals; a scalability law needs 3 more numbers of streams"},
        {{{2, 1000, NAN, 1}, {4, 2000, NAN, 1}, {8, 1500, NAN, NAN}},
         "falling",
         "falling: 2,000 flushed commits/s at 4 streams, 8 carry less",
         "beyond",
         "8 streams: x0.75 commits",
         "run.repeats = 6 would give intervals; a scalability law needs 3 more numbers of streams"},
        /* 10% more is worth having, 9% is not; 9% less is no fall. */
        {{{1, 1000, NAN, 1}, {2, 1100, NAN, 1}, {4, 1010, NAN, 1.05}},
         "knee",
         "knee at 2 streams: 1,100 flushed commits/s",
         "beyond",
         "4 streams: x0.92 commits, x1.1 p99",
         "run.repeats = 6 would give intervals; a scalability law needs 3 more numbers of streams"},
    };
    for (size_t i = 0; i < DOC_COUNT(cases); i++) {
        json_t *found = scale(cases[i].points, 3, 1);
        const json_t *finding = doc_finding(found, 0);
        assert_string_equal(json_text_at(finding, "verdict"), cases[i].verdict);
        expect_said(finding, "", cases[i].first);
        expect_said(finding, cases[i].label, cases[i].second);
        assert_string_equal(json_text_at(finding, "certainty"), cases[i].certainty);
        bool rising = strcmp(cases[i].verdict, "rising") == 0;
        assert_int_equal(json_is_null(json_object_get(finding, "knee")), rising);
        assert_true(json_is_null(json_object_get(finding, "plateau")));
        json_decref(found);
    }
}

static void rows_count_in_bulk(void **state)
{
    (void)state;
    static const struct point points[] = {{1, 100, 200, 9}, {2, 180, 205, 9}, {4, 330, 204, 9}};
    json_t *found = scale(points, DOC_COUNT(points), 1000);
    const json_t *finding = doc_finding(found, 0);
    assert_string_equal(json_text_at(finding, "rate"), "rows_per_s");
    expect_said(finding, "", "no knee up to 4 streams: 330,000 rows/s, 83% more than at 2");
    expect_said(finding, "IOPS",
                "rows/s still rise 230% from 1 to 4 streams; writes/s 2%: this plateau of IOPS is "
                "not the database's ceiling");
    assert_string_equal(json_text_at(finding, "plateau.of"), "write_iops");
    expect_near(finding, "plateau.streams", 1, 0);
    json_decref(found);
}

/* ---- repeats ---- */

static json_t *scale_repeats(const double (*rates)[2], size_t repeats)
{
    json_t *summary = doc_summary(1);
    for (size_t i = 0; i < repeats; i++)
        for (size_t k = 0; k < 2; k++) {
            size_t step = i % 2 ? 1 - k : k; /* every odd one in reverse order */
            const struct point point = {step ? 40 : 10, rates[i][step], NAN, 2};
            doc_add(summary, doc_trial(point.streams, (int)i,
                                       json_pack("[o]", doc_phase("insert", &point, 1))));
        }
    json_t *found = doc_find(scaling_json, summary, NULL);
    json_decref(summary);
    return found;
}

static void intervals_over_repeats(void **state)
{
    (void)state;
    /* All pairs gain 2%, as the drive drifts: paired, the interval is a point. */
    static const double drifting[][2] = {{1000, 1020}, {1100, 1122}, {1200, 1224},
                                         {1300, 1326}, {1400, 1428}, {1500, 1530}};
    json_t *found = scale_repeats(drifting, 6);
    const json_t *finding = doc_finding(found, 0);
    expect_near(finding, "knee.gain_beyond", 1.02, 1e-6);
    expect_near(finding, "knee.gain_low", 1.02, 1e-6);
    expect_near(finding, "knee.gain_high", 1.02, 1e-6);
    expect_near(finding, "knee.low", 1000, 0); /* 6 values: the exact interval is their range */
    expect_near(finding, "knee.high", 1500, 0);
    expect_said(finding, "",
                "flat: 10 streams carry it all, 1,250 flushed commits/s (1,000-1,500)");
    expect_said(finding, "beyond", "40 streams: x1.02 (1.02-1.02) commits, x1.0 p99");
    assert_string_equal(json_text_at(finding, "certainty"),
                        "a scalability law needs 4 more numbers of streams");
    json_decref(found);

    static const double three[][2] = {{1000, 1050}, {1010, 1040}, {990, 1045}};
    found = scale_repeats(three, 3);
    finding = doc_finding(found, 0);
    assert_true(json_is_null(json_at(finding, "knee.gain_low")));
    const char *certainty = json_text_at(finding, "certainty");
    assert_non_null(strstr(certainty, "repeats more would separate 10 from 40 streams"));
    json_decref(found);
}

/* ---- the published review ---- */

/* One million rows inserted and deleted by each stream; minutes from start to end and the largest
 * writes/s, as published of SQL Server on a SATA drive; NaN: not published. */
struct published {
    double streams, iops, minutes;
};

static json_t *review(const struct published *runs, size_t count)
{
    json_t *summary = doc_summary(1000);
    for (size_t i = 0; i < count; i++) {
        double seconds = runs[i].minutes * 60;
        struct point point = {runs[i].streams, runs[i].streams * 2000 / seconds, runs[i].iops, NAN};
        json_t *phases = json_array();
        for (int k = 0; k < 2; k++) {
            json_t *phase = doc_phase(k ? "delete" : "insert", &point, 1000);
            json_object_set_new(phase, "rows", json_real(runs[i].streams * 1e6));
            json_object_set_new(phase, "elapsed_s", json_measured(seconds * (k ? 0.4 : 0.6)));
            json_array_append_new(phases, phase);
        }
        doc_add(summary, doc_trial(runs[i].streams, 0, phases));
    }
    json_t *found = doc_find(scaling_json, summary, NULL);
    json_decref(summary);
    return found;
}

static void the_reviews_ratios(void **state)
{
    (void)state;
    static const struct published runs[] = {{1, NAN, 8}, {10, 35000, 11}, {20, 40000, 18}};
    json_t *found = review(runs, DOC_COUNT(runs));
    const json_t *finding = doc_finding(found, 0);
    const json_t *points = json_object_get(finding, "points");
    double ten = json_number_at(json_array_get(points, 1), "trial_elapsed_ratio");
    double twenty = json_number_at(json_array_get(points, 2), "trial_elapsed_ratio");
    assert_true(fabs(twenty - 2.25) < 0.005);       /* elapsed(20) / elapsed(1) */
    assert_true(fabs(twenty / ten - 1.64) < 0.005); /* elapsed(20) / elapsed(10) */
    assert_true(fabs(json_number_at(json_array_get(points, 2), "elapsed_ratio") - 2.25) < 0.005);
    expect_near(json_array_get(points, 2), "trial_elapsed_s", 1080, 1e-6);
    expect_near(json_array_get(points, 1), "rows_per_s", 20e6 / 660, 1e-3);
    expect_said(finding, "time",
                "time(N)/time(1), same rows a stream: 1.38 2.25; all phases together: 1.38 2.25");
    expect_said(doc_finding(found, 1), "time", "time(N)/time(1), same rows a stream: 1.38 2.25");
    json_decref(found);
}

static void the_reviews_plateau(void **state)
{
    (void)state;
    /* One table a stream, as published: IOPS stand still to 20 streams, rows/s do not. */
    static const struct published second[] = {
        {1, NAN, 8}, {10, 35000, 11}, {20, 34000, 19}, {30, 39000, NAN}, {40, 39000, NAN}};
    json_t *found = review(second, DOC_COUNT(second));
    expect_said(doc_finding(found, 0), "IOPS",
                "rows/s still rise 16% from 10 to 20 streams; writes/s -3%: this plateau of IOPS "
                "is not the database's ceiling");
    json_decref(found);
    /* The times of 30 and 40 streams were not published: here rows/s go on rising. */
    static const struct published both[][5] = {
        {{1, NAN, 8}, {10, 35000, 11}, {20, 40000, 18}, {30, 38000, 25}, {40, 36000, 31.5}},
        {{1, NAN, 8}, {10, 35000, 11}, {20, 34000, 19}, {30, 39000, 25}, {40, 39000, 31.5}}};
    static const char *const said[] = {
        "rows/s still rise 40% from 10 to 40 streams; writes/s 3%: this plateau of IOPS is not the "
        "database's ceiling",
        "rows/s still rise 40% from 10 to 40 streams; writes/s 11%: this plateau of IOPS is not "
        "the "
        "database's ceiling"};
    for (size_t i = 0; i < 2; i++) {
        found = review(both[i], 5);
        const json_t *finding = doc_finding(found, 0);
        expect_said(finding, "IOPS", said[i]);
        expect_near(finding, "plateau.streams", 10, 0);
        expect_near(finding, "plateau.to_streams", 40, 0);
        json_decref(found);
    }
}

/* Both rise, or both stand still: nobody is misled. */
static void no_plateau(void **state)
{
    (void)state;
    static const struct point cases[][3] = {
        {{1, 1000, 2000, 1}, {2, 1500, 3000, 1}, {4, 2000, 4100, 1}},
        {{1, 1000, 2000, 1}, {2, 1010, 2010, 1}, {4, 1020, 2030, 1}},
        {{1, 1000, 2000, 1}, {2, 1090, 2000, 1}, {4, 1099, 2000, 1}}, /* 9.9% is no rise */
        {{1, 1000, NAN, 1}, {2, 1500, NAN, 1}, {4, 2000, NAN, 1}},
        {{1, NAN, 2000, 1}, {2, NAN, 2000, 1}, {4, NAN, 2000, 1}},
    };
    for (size_t i = 0; i < DOC_COUNT(cases); i++) {
        json_t *found = scale(cases[i], 3, 1);
        assert_true(json_is_null(json_object_get(doc_finding(found, 0), "plateau")));
        json_decref(found);
    }
}

/* ---- times ---- */

/* A time that was cut says nothing of a time for the same rows. */
static void no_elapsed_ratio_of_other_rows(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        json_t *summary = doc_summary(1);
        for (int n = 1; n <= 2; n++) {
            const struct point point = {n, 1000, NAN, 1};
            json_t *phase = doc_phase("insert", &point, 1);
            json_object_set_new(phase, "elapsed_s", json_real(10 * n));
            json_object_set_new(phase, "rows", json_real(kind == 1 ? 5000 : 5000 * n));
            json_t *trial = doc_trial(n, 0, json_pack("[o]", phase));
            if (kind == 2)
                json_object_set_new(trial, "ended_by", json_string("duration"));
            doc_add(summary, trial);
        }
        json_t *found = doc_find(scaling_json, summary, NULL);
        const json_t *finding = doc_finding(found, 0);
        const json_t *last = json_array_get(json_object_get(finding, "points"), 1);
        expect_near(last, "elapsed_s", 20, 0);
        if (kind == 0) {
            expect_near(last, "elapsed_ratio", 2, 1e-9);
            expect_said(finding, "time", "time(N)/time(1), same rows a stream: 2.00");
        } else {
            assert_true(json_is_null(json_object_get(last, "elapsed_ratio")));
            expect_said(finding, "time", "time(N)/time(1), same rows a stream, by the rates: 2.00");
        }
        json_decref(found);
        json_decref(summary);
    }
}

/* ---- the scalability law ---- */

/* Up, down, up and down: no law of this form comes near. */
static void no_law_fits(void **state)
{
    static const struct point points[] = {{1, 1000, 1000, 1},  {2, 100, 1000, 1},
                                          {4, 5000, 1000, 1},  {8, 200, 1000, 1},
                                          {16, 9000, 1000, 1}, {32, 300, 1000, 1}};
    (void)state;
    json_t *summary = doc_summary(1);
    doc_points(summary, points, sizeof points / sizeof *points);
    json_t *scaling = doc_find(scaling_json, summary, NULL);
    const json_t *finding = doc_finding(scaling, 0);
    assert_true(json_is_false(json_at(finding, "usl.fits")));
    const char *law = doc_said(finding, "law");
    assert_non_null(law);
    assert_int_equal(strncmp(law, "no scalability law fits: the nearest is off by ", 47), 0);
    json_decref(scaling);
    json_decref(summary);
}

static void a_law_of_six_points(void **state)
{
    (void)state;
    const double alpha = 0.05, beta = 0.0004, gamma = 1000;
    struct point points[7];
    for (int i = 0; i < 7; i++) {
        double n = (double)(1 << i);
        points[i] =
            (struct point){n, gamma * n / (1 + alpha * (n - 1) + beta * n * (n - 1)), NAN, 1};
    }
    json_t *found = scale(points, 7, 1);
    const json_t *finding = doc_finding(found, 0);
    expect_near(finding, "usl.gamma.value", gamma, 0.5);
    expect_near(finding, "usl.alpha.value", alpha, 1e-4);
    expect_near(finding, "usl.beta.value", beta, 1e-6);
    expect_near(finding, "usl.peak_streams.value", sqrt((1 - alpha) / beta), 0.5);
    expect_near(finding, "usl.residual", 0, 1e-6);
    assert_int_equal(json_array_size(json_at(finding, "usl.residuals")), 7);
    const char *law = doc_said(finding, "law");
    assert_non_null(law);
    assert_non_null(strstr(law, "contention 5.00% ("));
    assert_non_null(strstr(law, "coherency 0.04% ("));
    assert_non_null(strstr(law, "commits/s at 49 streams; fits within 0.0%"));
    const char *certainty = json_text_at(finding, "certainty");
    assert_null(certainty ? strstr(certainty, "scalability law") : NULL);
    json_decref(found);

    found = scale(points, 5, 1); /* none of five */
    assert_true(json_is_null(json_object_get(doc_finding(found, 0), "usl")));
    assert_null(doc_said(doc_finding(found, 0), "law"));
    json_decref(found);
}

/* ---- odd documents ---- */

static void nothing_to_say(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        "{\"trials\": 7}",
        "{\"trials\": [null, 3, \"x\", [], {}]}",
        "{\"trials\": [{\"factors\": {\"streams\": 4}, \"phases\": [{\"name\": \"insert\"}]}]}",
        "{\"trials\": [{\"factors\": {\"streams\": \"4\"}, \"phases\": [{\"name\": \"insert\"}]},"
        "{\"factors\": {\"streams\": \"5\"}, \"phases\": [{\"name\": \"insert\"}]}]}",
        "{\"trials\": [{\"factors\": {\"streams\": 0}, \"phases\": [{\"name\": \"insert\"}]},"
        "{\"factors\": {\"streams\": -5}, \"phases\": [{\"name\": \"insert\"}]}]}",
    };
    for (size_t i = 0; i < DOC_COUNT(texts); i++) {
        json_t *summary = json_loads(texts[i], 0, NULL);
        assert_non_null(summary);
        assert_null(doc_find(scaling_json, summary, NULL));
        json_decref(summary);
    }
}

static void undetermined_without_rates(void **state)
{
    (void)state;
    static const struct point points[] = {{1, 1000, 5, 1}, {2, NAN, NAN, NAN}, {4, 0, 0, 0}};
    json_t *found = scale(points, DOC_COUNT(points), 1);
    const json_t *finding = doc_finding(found, 0);
    assert_string_equal(json_text_at(found, "verdict"), "undetermined");
    assert_string_equal(json_text_at(finding, "certainty"),
                        "rates at two numbers of streams at least are needed; 1 known");
    assert_int_equal(json_array_size(json_object_get(finding, "points")), 3);
    assert_null(doc_said(finding, ""));
    json_decref(found);
}

static void nothing_follows_from_spoilt_rates(void **state)
{
    (void)state;
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        static const struct point points[] = {{1, 1000, 5, 1}, {2, 2000, 9, 1}};
        json_t *summary = doc_summary(1);
        doc_points(summary, points, 2);
        json_t *trial = json_array_get(json_object_get(summary, "trials"), 1);
        json_t *phase = json_array_get(json_object_get(trial, "phases"), 0);
        if (elsewhere)
            json_object_set_new(phase, "measured_elsewhere", json_true());
        else
            json_object_set_new(phase, "verify", json_pack("{s:b}", "ok", 0));
        json_t *found = doc_find(scaling_json, summary, NULL);
        const json_t *finding = doc_finding(found, 0);
        assert_string_equal(json_text_at(finding, "verdict"), "undetermined");
        assert_int_equal(json_array_size(json_object_get(finding, "sentences")), 0);
        assert_non_null(strstr(json_text_at(finding, "certainty"),
                               elsewhere ? "saw no write" : "verification failed"));
        json_decref(found);
        json_decref(summary);
    }
}

static void words_that_are_not_earned(void **state)
{
    (void)state;
    static const struct {
        const char *engine;
        int flushes;
        const char *said;
    } cases[] = {{"sqlite", 0, "knee at 2 streams: 2,000 commits/s, not durable"},
                 {"null", 1, "knee at 2 streams: 2,000 commits/s"},
                 {"fsync", 1, "knee at 2 streams: 2,000 flushed commits/s"}};
    static const struct point points[] = {{1, 1000, 5, 1}, {2, 2000, 9, 1}, {4, 2010, 9, 1}};
    for (size_t i = 0; i < DOC_COUNT(cases); i++) {
        json_t *summary = doc_summary(1), *trial;
        size_t t;
        doc_points(summary, points, 3);
        json_object_set_new(json_object_get(summary, "environment"), "engine",
                            json_string(cases[i].engine));
        json_array_foreach(json_object_get(summary, "trials"), t, trial)
        {
            json_object_set_new(trial, "commit_flushes", json_boolean(cases[i].flushes));
        }
        json_t *found = doc_find(scaling_json, summary, NULL);
        expect_said(doc_finding(found, 0), "", cases[i].said);
        json_decref(found);
        json_decref(summary);
    }
}

/* A file of the most trials that a plan may have, in falling order: no more than moments. */
static void ten_thousand_trials(void **state)
{
    (void)state;
    enum { TRIALS = 10000 };
    json_t *summary = doc_summary(1);
    for (int i = TRIALS; i > 0; i--) {
        const struct point point = {i, 1000 + i % 7, 2000 + i, 1};
        doc_points(summary, &point, 1);
    }
    json_t *found = doc_find(scaling_json, summary, NULL);
    const json_t *points = json_object_get(doc_finding(found, 0), "points");
    assert_int_equal(json_array_size(points), TRIALS);
    expect_near(json_array_get(points, 0), "streams", 1, 0);
    assert_null(doc_said(doc_finding(found, 0), "time")); /* nobody reads so long a line */
    json_decref(found);
    json_decref(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_knee),
        cmocka_unit_test(rising_flat_and_falling),
        cmocka_unit_test(rows_count_in_bulk),
        cmocka_unit_test(intervals_over_repeats),
        cmocka_unit_test(the_reviews_ratios),
        cmocka_unit_test(the_reviews_plateau),
        cmocka_unit_test(no_plateau),
        cmocka_unit_test(no_elapsed_ratio_of_other_rows),
        cmocka_unit_test(no_law_fits),
        cmocka_unit_test(a_law_of_six_points),
        cmocka_unit_test(nothing_to_say),
        cmocka_unit_test(undetermined_without_rates),
        cmocka_unit_test(nothing_follows_from_spoilt_rates),
        cmocka_unit_test(words_that_are_not_earned),
        cmocka_unit_test(ten_thousand_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
