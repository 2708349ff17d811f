#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/steady.h"

enum { ROUNDS = 26, UNDECIDED = 4 };

struct row {
    double value, average, range_pct, fit_range_pct;
    bool holds;
};

/* One-minute values of a drive that loses its cache and gets it back, as published in fio issue
 * 687, and the window rule of each round. */
static const struct row published[ROUNDS] = {
    {79617, NAN, NAN, NAN, false},           {79793, NAN, NAN, NAN, false},
    {79661, NAN, NAN, NAN, false},           {79704, NAN, NAN, NAN, false},
    {79483, 79651.6, 0.389, 0.179, true},    {79454, 79619.0, 0.426, 0.430, true},
    {79556, 79571.6, 0.314, 0.231, true},    {79343, 79508.0, 0.454, 0.327, true},
    {79049, 79377.0, 0.639, 0.493, true},    {78776, 79235.6, 0.984, 0.940, true},
    {78029, 78950.6, 1.934, 1.835, true},    {78023, 78644.0, 1.678, 1.862, true},
    {77554, 78286.2, 1.910, 1.912, true},    {77225, 77921.4, 1.990, 1.836, true},
    {76945, 77555.2, 1.398, 1.530, true},    {67886, 75526.6, 13.422, 11.060, false},
    {65353, 72992.6, 16.715, 18.490, false}, {64239, 70329.6, 18.464, 21.365, false},
    {62856, 67455.8, 20.886, 18.872, false}, {61628, 64392.4, 9.719, 9.326, true},
    {60328, 62880.8, 7.991, 8.054, true},    {58853, 61580.8, 8.746, 8.639, true},
    {72292, 63191.4, 21.267, 10.189, false}, {79839, 66588.0, 31.516, 29.066, false},
    {79852, 70232.8, 29.899, 34.191, false}, {79879, 74143.0, 28.359, 26.766, false},
};

static void check_rows(const struct row rows[ROUNDS])
{
    double values[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++)
        values[i] = rows[i].value;
    for (size_t i = 0; i < ROUNDS; i++) {
        struct steady steady;
        steady_window(values, i, &steady);
        assert_int_equal(steady.holds, rows[i].holds);
        if (i < UNDECIDED) {
            assert_true(isnan(steady.average) && isnan(steady.range) && isnan(steady.fit_range));
            assert_true(isnan(rows[i].average));
            continue;
        }
        assert_true(fabs(steady.average - rows[i].average) < 0.05 + 1e-9);
        assert_true(fabs(100 * steady.range - rows[i].range_pct) < 0.0005 + 1e-9);
        assert_true(fabs(100 * steady.fit_range - rows[i].fit_range_pct) < 0.0005 + 1e-9);
    }
}

static void every_round_of_the_published_drive(void **state)
{
    (void)state;
    check_rows(published);
    double values[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++)
        values[i] = published[i].value;
    assert_int_equal(steady_first(values, ROUNDS, 0), 4);
    assert_int_equal(steady_first(values, ROUNDS, 10), 14);
    assert_int_equal(steady_first(values, ROUNDS, 11), 19); /* 12-16 to 15-19 fail, 16-20 holds */
    assert_int_equal(steady_first(values, ROUNDS, 15), 19);
    assert_int_equal(steady_first(values, ROUNDS, 18), ROUNDS); /* 19-23 and later fail */
    assert_int_equal(steady_first(values, ROUNDS, 22), ROUNDS); /* four rounds are left */
    assert_int_equal(steady_first(values, ROUNDS, ROUNDS + 9), ROUNDS);
    assert_int_equal(steady_first(values, 4, 0), 4);
    assert_int_equal(steady_first(NULL, 0, 0), 0);
}

/* The same table where it lies beside the captures: nothing above was mistyped. */
static void the_table_beside_the_captures(void **state)
{
    (void)state;
    const char *fixtures = getenv("LOADLINE_FIXTURES");
    char path[4096] = "", line[256];
    if (fixtures != NULL && *fixtures != '\0')
        snprintf(path, sizeof path, "%s/../design/steady-golden.tsv", fixtures);
    FILE *file = path[0] != '\0' ? fopen(path, "r") : NULL;
    if (file == NULL) {
        print_message("no table of rounds: LOADLINE_FIXTURES names no folder beside one\n");
        skip();
        return;
    }
    struct row rows[ROUNDS];
    size_t count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        char *fields[6], *rest = line;
        size_t found = 0;
        while (found < 6 && (fields[found] = strsep(&rest, "\t\n")) != NULL)
            found++;
        assert_int_equal(found, 6);
        assert_true(count < ROUNDS);
        assert_int_equal(strtol(fields[0], NULL, 10), count + 1);
        bool known = fields[2][0] != '\0';
        rows[count++] =
            (struct row){strtod(fields[1], NULL), known ? strtod(fields[2], NULL) : NAN,
                         known ? strtod(fields[3], NULL) : NAN,
                         known ? strtod(fields[4], NULL) : NAN, strcmp(fields[5], "yes") == 0};
    }
    fclose(file);
    assert_int_equal(count, ROUNDS);
    check_rows(rows);
}

/* By hand: 100, 101, 99, 102, 98 has the average 100, the range 4, and the slope
 * (-2 x 100 - 101 + 102 + 2 x 98) / 10 = -0.3, so a line from 100.6 to 99.4. */
static void by_hand(void **state)
{
    (void)state;
    const double values[] = {100, 101, 99, 102, 98};
    struct steady steady;
    steady_window(values, 4, &steady);
    assert_true(fabs(steady.average - 100) < 1e-12);
    assert_true(fabs(steady.range - 0.04) < 1e-12);
    assert_true(fabs(steady.slope + 0.3) < 1e-12);
    assert_true(fabs(steady.intercept - 100.6) < 1e-12);
    assert_true(fabs(steady.fit_range - 0.012) < 1e-12);
    assert_true(steady.holds);
    steady_window(values, 3, &steady);
    assert_true(isnan(steady.average) && isnan(steady.slope) && !steady.holds);
}

static bool holds(const double values[STEADY_WINDOW], double unit)
{
    double scaled[STEADY_WINDOW];
    for (int i = 0; i < STEADY_WINDOW; i++)
        scaled[i] = values[i] * unit;
    struct steady steady;
    steady_window(scaled, STEADY_WINDOW - 1, &steady);
    return steady.holds;
}

/* 90 .. 110 about 100 is 20% exactly; a line from 95 to 105 is 10% exactly.  In any unit. */
static void the_limits_themselves_are_steady(void **state)
{
    (void)state;
    const double units[] = {1, 0.1, 1e-3, 1.0 / 3, 1.7e6};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        /* its line: (-90 + 110) x 4 / 10 = 8% */
        assert_true(holds((double[]){100, 90, 100, 110, 100}, units[i]));
        assert_false(holds((double[]){100, 89.999, 100, 110.001, 100}, units[i]));
        assert_true(holds((double[]){95, 97.5, 100, 102.5, 105}, units[i]));
        assert_true(holds((double[]){105, 102.5, 100, 97.5, 95}, units[i]));
        assert_false(holds((double[]){94.999, 97.5, 100, 102.5, 105.001}, units[i]));
        assert_false(holds((double[]){105.001, 102.5, 100, 97.5, 94.999}, units[i]));
        assert_true(holds((double[]){7, 7, 7, 7, 7}, units[i]));
    }
}

static void what_is_unknown_is_not_steady(void **state)
{
    (void)state;
    double values[] = {5, 5, NAN, 5, 5, 5, 5, 5, 5, INFINITY, 5};
    struct steady steady;
    for (size_t last = 4; last < 7; last++) {
        steady_window(values, last, &steady);
        assert_true(isnan(steady.range) && isnan(steady.fit_range) && !steady.holds);
    }
    steady_window(values, 7, &steady);
    assert_true(steady.holds && steady.range == 0 && steady.fit_range == 0);
    steady_window(values, 9, &steady);
    assert_true(isnan(steady.average) && !steady.holds);
    assert_int_equal(steady_first(values, 11, 0), 7);
    assert_int_equal(steady_first(values, 11, 5), 11);
}

static void no_share_of_nothing(void **state)
{
    (void)state;
    struct steady steady;
    steady_window((double[]){0, 0, 0, 0, 0}, 4, &steady);
    assert_true(steady.average == 0 && isnan(steady.range) && isnan(steady.fit_range));
    assert_false(steady.holds);
    steady_window((double[]){-1, 1, 0, 1, -1}, 4, &steady);
    assert_true(isnan(steady.range) && !steady.holds);
    steady_window((double[]){-7, -7, -7, -7, -7}, 4, &steady);
    assert_true(isnan(steady.range) && !steady.holds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_of_the_published_drive),
        cmocka_unit_test(the_table_beside_the_captures),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(the_limits_themselves_are_steady),
        cmocka_unit_test(what_is_unknown_is_not_steady),
        cmocka_unit_test(no_share_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
