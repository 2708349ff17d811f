/* The share of a drive's rated endurance that a plan takes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cli/endurance.h"

static void says(double bytes, double tbw_bytes, size_t targets, const char *expected)
{
    struct asked asked;
    struct run_options options = {.asked = &asked, .target_count = targets};
    struct run_forecast forecast = {.write_bytes = bytes};
    char line[256];

    asked_init(&asked);
    asked.tbw_bytes = tbw_bytes;
    endurance_line(&options, &forecast, line, sizeof line);
    assert_string_equal(line, expected);
    assert_true(strlen(line) <= 80);
}

/* 140 TB are those of a review's 240 GB drive. */
static void the_share_of_a_drives_endurance(void **state)
{
    (void)state;
    says(70e9, 140e12, 1, "tbw     70 GB of 140 TB: 0.05% of the rated endurance");
    says(1.4e12, 140e12, 1, "tbw     1.4 TB of 140 TB: 1.0% of the rated endurance");
    says(280e12, 140e12, 1, "tbw     280 TB of 140 TB: 200% of the rated endurance");
    says(53e6, 140e12, 1, "tbw     53 MB of 140 TB: under 0.01% of the rated endurance");
}

static void targets_share_the_bytes(void **state)
{
    (void)state;
    says(140e9, 140e12, 2, "tbw     70 GB on each target of 140 TB: 0.05% of the rated endurance");
    says(999e15, 999e15, 10000,
         "tbw     100 TB on each target of 999 PB: 0.01% of the rated endurance");
}

static void without_a_rating_there_is_no_line(void **state)
{
    (void)state;
    struct run_options options = {.target_count = 1};
    struct run_forecast forecast = {.write_bytes = 1e9};
    char line[256] = "before";

    says(70e9, NAN, 1, "");
    says(NAN, 140e12, 1, "");
    endurance_line(&options, &forecast, line, sizeof line);
    assert_string_equal(line, "");
    assert_true(isnan(endurance_share(&options, &forecast)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_of_a_drives_endurance),
        cmocka_unit_test(targets_share_the_bytes),
        cmocka_unit_test(without_a_rating_there_is_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
