/* What the numbers are measured against: options, header, and one over the other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "result/asked.h"

static void a_service_level(void **state)
{
    (void)state;
    static const struct {
        const char *text, *percentile;
        double ms;
    } right[] = {{"p99=10ms", "p99", 10},
                 {"p50=1.5s", "p50", 1500},
                 {"p90=2m", "p90", 120000},
                 {"p999=1ms", "p999", 1}};
    static const char *const wrong[] = {"",        "p99",     "p99=",   "p99=10", "p98=10ms",
                                        "=10ms",   "p9=10ms", "p99=0s", "p99=0",  "P99=10ms",
                                        "p99==1s", "p99=-1s", "p99 =1s"};
    struct asked asked;
    struct err err;

    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        asked_init(&asked);
        assert_int_equal(asked_parse_slo(&asked, right[i].text, &err), 0);
        assert_string_equal(asked.slo_percentile, right[i].percentile);
        assert_true(asked.slo_ms == right[i].ms);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        asked_init(&asked);
        assert_int_equal(asked_parse_slo(&asked, wrong[i], &err), -1);
        assert_int_equal(err.kind, ERR_USAGE);
        assert_non_null(strstr(err.text, "p99=10ms"));
        assert_null(asked.slo_percentile);
        assert_true(isnan(asked.slo_ms));
    }
}

static void endurance_and_price(void **state)
{
    (void)state;
    struct asked asked;
    struct err err;

    asked_init(&asked);
    assert_int_equal(asked_parse_tbw(&asked, "140T", &err), 0);
    assert_true(asked.tbw_bytes == 140e12);
    assert_int_equal(asked_parse_price(&asked, "27745", &err), 0);
    assert_true(asked.price == 27745);
    assert_int_equal(asked_parse_tbw(&asked, "0", &err), -1);
    assert_int_equal(asked_parse_tbw(&asked, "lots", &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_int_equal(asked_parse_price(&asked, "0", &err), -1);
    assert_int_equal(asked_parse_price(&asked, "-3", &err), -1);
    assert_int_equal(asked_parse_price(&asked, "inf", &err), -1);
    assert_int_equal(asked_parse_price(&asked, "", &err), -1);
    assert_true(asked.tbw_bytes == 140e12 && asked.price == 27745);
}

static void reads_what_it_wrote(void **state)
{
    (void)state;
    struct asked asked, read;
    json_t *summary = json_object();

    asked_init(&asked);
    json_object_set_new(summary, "asked", asked_json(&asked));
    assert_true(json_is_null(json_at(summary, "asked.slo")));
    assert_true(json_is_null(json_at(summary, "asked.tbw_bytes")));
    asked_read(summary, &read);
    assert_null(read.slo_percentile);
    assert_true(isnan(read.slo_ms) && isnan(read.tbw_bytes) && isnan(read.price));
    asked = (struct asked){"p99", 10, 140e12, 27745};
    json_object_set_new(summary, "asked", asked_json(&asked));
    asked_read(summary, &read);
    assert_string_equal(read.slo_percentile, "p99");
    assert_true(read.slo_ms == 10 && read.tbw_bytes == 140e12 && read.price == 27745);
    json_decref(summary);
}

static void what_is_given_goes_over_what_was_kept(void **state)
{
    (void)state;
    struct asked kept = {"p99", 10, 140e12, NAN}, given, read;
    json_t *summary = json_object();

    json_object_set_new(summary, "asked", asked_json(&kept));
    asked_init(&given);
    given.price = 27745;
    asked_override(summary, &given);
    asked_read(summary, &read);
    assert_string_equal(read.slo_percentile, "p99");
    assert_true(read.slo_ms == 10 && read.tbw_bytes == 140e12 && read.price == 27745);
    given = (struct asked){"p50", 2, 1e12, 5};
    asked_override(summary, &given);
    asked_read(summary, &read);
    assert_string_equal(read.slo_percentile, "p50");
    assert_true(read.slo_ms == 2 && read.tbw_bytes == 1e12 && read.price == 5);
    json_decref(summary);
}

static void a_strange_document_asked_nothing(void **state)
{
    (void)state;
    static const char *const strange[] = {
        "{\"asked\": 3}",
        "{\"asked\": {\"slo\": [], \"tbw_bytes\": -1, \"price\": \"many\"}}",
        "{\"asked\": {\"slo\": {\"percentile\": \"p7\", \"ms\": 1}, \"tbw_bytes\": 0}}",
        "{\"asked\": {\"slo\": {\"percentile\": \"p99\", \"ms\": -1}}}",
        "{\"asked\": {\"slo\": {\"percentile\": \"p99\"}}}",
        "{}",
    };
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        json_t *summary = json_loads(strange[i], 0, NULL);
        struct asked asked;

        assert_non_null(summary);
        asked_read(summary, &asked);
        assert_null(asked.slo_percentile);
        assert_true(isnan(asked.slo_ms) && isnan(asked.tbw_bytes) && isnan(asked.price));
        json_decref(summary);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_service_level),
        cmocka_unit_test(endurance_and_price),
        cmocka_unit_test(reads_what_it_wrote),
        cmocka_unit_test(what_is_given_goes_over_what_was_kept),
        cmocka_unit_test(a_strange_document_asked_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
