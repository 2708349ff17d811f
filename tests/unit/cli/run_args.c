/* The command line of `run`. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/asked_args.h"
#include "cli/run_args.h"

enum { WORDS_MAX = 16 };

static int parse(struct run_args *args, struct err *err, const char *const *words)
{
    char name[] = "loadline run", *argv[WORDS_MAX + 2] = {name};
    int argc = 1;

    for (; words[argc - 1] != NULL; argc++)
        argv[argc] = (char *)words[argc - 1];
    *err = (struct err){.kind = ERR_NONE};
    return run_args_parse(argc, argv, args, err);
}

static void keeps_the_order_of_settings(void **state)
{
    (void)state;
    static const char *const words[] = {
        "--rows=10", "-s", "workload.rows=20", "million",  "--target", "/a", "--streams", "1, 10",
        "--rows",    "30", "-ssqlite.x=a=b",   "--target", "null:",    NULL};
    struct run_args args;
    struct err err;

    assert_int_equal(parse(&args, &err, words), 0);
    assert_string_equal(args.workload, "million");
    assert_int_equal(args.target_count, 2);
    assert_string_equal(args.targets[0], "/a");
    assert_string_equal(args.targets[1], "null:");
    static const char *const expected[][3] = {{"workload.rows", "10", "--rows"},
                                              {"workload.rows", "20", "-s"},
                                              {"workload.streams", "1, 10", "--streams"},
                                              {"workload.rows", "30", "--rows"},
                                              {"sqlite.x", "a=b", "-s"}};
    assert_int_equal(args.setting_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(args.settings[i].key, expected[i][0]);
        assert_string_equal(args.settings[i].values, expected[i][1]);
        assert_string_equal(args.settings[i].origin, expected[i][2]);
    }
    run_args_release(&args);
}

static void knows_the_other_options(void **state)
{
    (void)state;
    static const char *const words[] = {
        "--target", "/a",      "-o",       "x.jsonl", "--json",           "--dry-run",
        "--label",  "drive A", "--device", "dm-0",    "--any-filesystem", "--metrics-file=a b.prom",
        NULL};
    struct run_args args;
    struct err err;

    assert_int_equal(parse(&args, &err, words), 0);
    assert_null(args.workload);
    assert_string_equal(args.output, "x.jsonl");
    assert_string_equal(args.label, "drive A");
    assert_string_equal(args.device, "dm-0");
    assert_string_equal(args.metrics_file, "a b.prom");
    assert_true(args.json && args.dry_run && args.any_filesystem);
    run_args_release(&args);
}

static void knows_what_it_is_measured_against(void **state)
{
    (void)state;
    static const char *const words[] = {"--target", "/a",      "--slo",   "p99=10ms", "--tbw",
                                        "140T",     "--price", "27745.5", NULL};
    static const char *const nothing[] = {"--target", "/a", NULL};
    struct run_args args;
    struct err err;

    assert_int_equal(parse(&args, &err, words), 0);
    assert_string_equal(args.asked.slo_percentile, "p99");
    assert_true(args.asked.slo_ms == 10);
    assert_true(args.asked.tbw_bytes == 140e12);
    assert_true(args.asked.price == 27745.5);
    assert_ptr_equal(asked_args_given(&args.asked), &args.asked);
    run_args_release(&args);
    assert_int_equal(parse(&args, &err, nothing), 0);
    assert_null(args.asked.slo_percentile);
    assert_true(isnan(args.asked.slo_ms) && isnan(args.asked.tbw_bytes) && isnan(args.asked.price));
    assert_null(asked_args_given(&args.asked));
    run_args_release(&args);
}

static void fails(const char *const *words, const char *part)
{
    struct run_args args;
    struct err err;

    assert_int_equal(parse(&args, &err, words), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, part));
    run_args_release(&args);
}

static void refuses_with_a_remedy(void **state)
{
    (void)state;
    static const char *const no_target[] = {"million", NULL};
    static const char *const no_value[] = {"--target", "/a", "-s", "workload.rows", NULL};
    static const char *const no_key[] = {"--target", "/a", "-s", "=3", NULL};
    static const char *const two[] = {"million", "/mnt/ssd", NULL};
    static const char *const slo[] = {"--target", "/a", "--slo", "p98=10ms", NULL};
    static const char *const tbw[] = {"--target", "/a", "--tbw", "140X", NULL};
    static const char *const price[] = {"--target", "/a", "--price", "$5", NULL};
    static const char *const text[] = {"--target", "/a", "--metrics-file", "m.txt", NULL};

    fails(text, "--metrics-file m.txt: the name must end in .prom");
    fails(slo, "--slo p98=10ms: write a percentile of the transactions' time");
    fails(tbw, "--tbw 140X: write the bytes that the drive is rated for, as in 140T");
    fails(price, "--price $5: write a number above 0 without a currency, as in 27745");
    fails(no_target, "--target /mnt/ssd");
    fails(no_value, "-s sqlite.page_size=8192");
    fails(no_key, "'=3'");
    fails(two, "'/mnt/ssd'? A directory on the drive under test is given with --target");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_order_of_settings),
        cmocka_unit_test(knows_the_other_options),
        cmocka_unit_test(knows_what_it_is_measured_against),
        cmocka_unit_test(refuses_with_a_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
