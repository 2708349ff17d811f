#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "workload/key.h"

static const struct key *find(const char *name)
{
    for (const struct key *key = key_core; key->name != NULL; key++)
        if (strcmp(key->name, name) == 0)
            return key;
    fail_msg("no key %s", name);
    return NULL;
}

static void check_good(const char *name, const char *text)
{
    struct err err = {0};
    if (key_check(find(name), text, &err) != 0)
        fail_msg("%s = %s: %s", name, text, err.text);
}

static void check_bad(const char *name, const char *text, const char *sentence,
                      const char *in_a_file)
{
    struct err err = {0};
    assert_int_equal(key_check(find(name), text, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, sentence);
    assert_int_equal(key_check_value(find(name), text, &err), -1);
    assert_string_equal(err.text, in_a_file);
}

static void test_table(void **state)
{
    (void)state;
    for (const struct key *key = key_core; key->name != NULL; key++) {
        struct err err = {0};
        assert_non_null(strchr(key->name, '.'));
        assert_non_null(key->help);
        assert_null(strchr(key->help, '\n'));
        assert_int_equal(key_check(key, key->fallback, &err), 0);
        for (const struct key *other = key_core; other != key; other++) {
            assert_string_not_equal(other->name, key->name);
            assert_true(key->option == NULL || other->option == NULL ||
                        strcmp(other->option, key->option) != 0);
        }
    }
    assert_string_equal(find("workload.rows")->option, "rows");
    assert_string_equal(find("workload.rows_per_commit")->option, "rows-per-commit");
    assert_string_equal(find("limit.write_bytes")->fallback, "100G");
}

static void test_bounds(void **state)
{
    static const struct {
        const char *name, *low, *below, *high, *above;
    } bounds[] = {
        {"workload.rows", "1", "0", "274877906943", "274877906944"},
        {"workload.rows_per_commit", "1", "0", "274877906943", "274877906944"},
        {"workload.streams", "1", "0", "10k", "10001"},
        {"workload.files", "1", "0", "10k", "10001"},
        {"workload.duration", "1ms", "0", "720h", "721h"},
        {"workload.warmup", "0", NULL, "720h", "721h"},
        {"workload.rate", "0.001", "0", "1e9", "1e10"},
        {"row.payload", "0", NULL, "16Mi", "16777217"},
        {"row.compressible", "0%", NULL, "100%", "101%"},
        {"row.indexes", "0", NULL, "16", "17"},
        {"run.repeats", "1", "0", "1000", "1001"},
        {"run.interval", "10ms", "9.999ms", "60s", "60.001s"},
        {"run.floor", "0", NULL, "10m", "10.1m"},
        {"run.floor", "100ms", "99ms", "600s", "601s"},
        {"run.baseline", "0", NULL, "10m", "10.1m"},
        {"run.seed", "0", NULL, "18446744073709551615", "18446744073709551616"},
        {"limit.write_bytes", "1", "0", "1000000T", "1000001T"},
        {"limit.free_space", "0%", NULL, "99%", "99.1%"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        struct err err = {0};
        const struct key *key = find(bounds[i].name);
        check_good(bounds[i].name, bounds[i].low);
        check_good(bounds[i].name, bounds[i].high);
        if (bounds[i].below != NULL && key_check(key, bounds[i].below, &err) == 0)
            fail_msg("%s = %s was accepted", key->name, bounds[i].below);
        if (key_check(key, bounds[i].above, &err) == 0)
            fail_msg("%s = %s was accepted", key->name, bounds[i].above);
    }
}

static void test_sentences(void **state)
{
    (void)state;
    check_bad("workload.streams", "0", "workload.streams must be 1 to 10000", "at least 1");
    check_bad("workload.streams", "10001", "workload.streams must be 1 to 10000", "at most 10000");
    check_bad("run.interval", "5ms", "run.interval must be 10ms to 60s", "at least 10ms");
    check_bad("run.floor", "11m", "run.floor must be 0s to 10m", "at most 10m");
    check_bad("workload.warmup", "800h", "workload.warmup must be 0s to 720h", "at most 720h");
    check_bad("row.payload", "17Mi", "row.payload must be 0 to 16Mi", "at most 16Mi");
    check_bad("limit.free_space", "100%", "limit.free_space must be 0% to 99%", "at most 99%");
    check_bad("run.floor", "50ms", "run.floor: 0 for off, or at least 100ms",
              "0 for off, or at least 100ms");
    check_bad("row.key_order", "up", "row.key_order must be sequential or random",
              "must be sequential or random");
    check_bad("workload.layout", "x",
              "workload.layout must be shared-table, table-per-stream, file-per-stream or "
              "database-per-stream",
              "must be shared-table, table-per-stream, file-per-stream or "
              "database-per-stream");
    check_bad("workload.until", "always", "workload.until must be steady", "must be steady");
    check_bad("run.interval", "100", /* no unit */
              "run.interval: '100' is no duration; write a number with its unit, such as 100ms, "
              "3s, 1.5s, 5m or 2h",
              "'100' is no duration; write a number with its unit, such as 100ms, 3s, 1.5s, 5m "
              "or 2h");
}

static void test_phases(void **state)
{
    (void)state;
    check_good("workload.streams", "auto");
    check_good("steady.write_bytes", "auto");
    check_good("workload.until", "steady");
    check_good("workload.phases", "insert");
    check_good("workload.phases", "insert,delete, insert , delete");
    check_bad("workload.phases", "churn",
              "workload.phases: churn is not in this version; phases are insert, delete and mixed",
              "churn is not in this version; phases are insert, delete and mixed");
    check_bad("workload.phases", "inserts",
              "workload.phases: 'inserts' is no phase; phases are insert, delete and mixed",
              "'inserts' is no phase; phases are insert, delete and mixed");
    check_bad("workload.phases",
              "insert,insert,insert,insert,insert,insert,insert,insert,insert,insert,insert,"
              "insert,insert,insert,insert,insert,insert",
              "workload.phases: at most 16 phases", "at most 16 phases");
}

static void test_numbers(void **state)
{
    (void)state;
    assert_true(key_number(find("workload.rows"), "20k") == 20000);
    assert_true(key_number(find("run.interval"), "100ms") == 0.1);
    assert_true(key_number(find("limit.free_space"), "5%") == 0.05);
    assert_true(key_number(find("row.payload"), "4Ki") == 4096);
    assert_true(key_number(find("workload.rate"), "2.5") == 2.5);
    assert_true(isnan(key_number(find("workload.rate"), "-")));
    assert_true(isnan(key_number(find("workload.layout"), "shared-table")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),     cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_sentences), cmocka_unit_test(test_phases),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
