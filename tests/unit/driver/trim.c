/* What cannot be trimmed says why; what can is tried on a disk of its own (e2e/steady.bats). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver/trial.h"
#include "driver/trim.h"

static char told[1024];

static void note(void *ctx, const char *kind, const char *text)
{
    (void)ctx;
    size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%s: %s\n", kind, text);
}

static void a_file_system_without_free_space_is_refused(void **state)
{
    (void)state;
    struct trim_report report;
    struct err err = {0};
    assert_int_equal(trim_directory("/proc", NULL, &report, &err), -1);
    assert_non_null(strstr(err.text, geteuid() == 0 ? "/proc cannot be trimmed: its file system"
                                                    : "/proc cannot be trimmed"));
    assert_true(report.bytes == 0);
    assert_int_equal(trim_directory("/proc/nothing", NULL, &report, &err), -1);
    assert_non_null(strstr(err.text, "/proc/nothing"));
}

static void a_signal_comes_first(void **state)
{
    (void)state;
    struct trim_report report;
    struct err err;
    volatile int stop = 1;
    assert_int_equal(trim_directory("/proc", &stop, &report, &err), -1);
    assert_int_equal(err.kind, ERR_INTERRUPTED);
    assert_true(report.bytes == 0);
}

static void a_trial_that_cannot_warns_once(void **state)
{
    (void)state;
    struct run_watch watch = {.note = note};
    struct run_options options = {.watch = &watch};
    struct workload load = {.trim = true};
    struct trial_plan plan = {.load = &load};
    struct run_target target = {.shown = "null:"};
    struct run_context *ctx = calloc(1, sizeof *ctx);
    struct device_set *devices = calloc(1, sizeof *devices);
    struct site *site = calloc(1, sizeof *site);
    struct trial *t = calloc(1, sizeof *t);
    assert_true(ctx && devices && site && t);
    ctx->options = &options;
    *t = (struct trial){.ctx = ctx,
                        .plan = &plan,
                        .load = &load,
                        .target = &target,
                        .site = site,
                        .devices = devices};
    for (int i = 0; i < 2; i++)
        assert_false(trim_trial(t));
    assert_string_equal(told, "warning: run.trim = on: no file system of null: is known, so "
                              "nothing is trimmed\n");

    told[0] = '\0';
    ctx->warned_of_trim = false;
    devices->count = 2; /* a server's data and log, both on one file system */
    for (size_t i = 0; i < 2; i++)
        snprintf(devices->devices[i].stack.path, sizeof devices->devices[i].stack.path, "/proc");
    for (int i = 0; i < 2; i++)
        assert_false(trim_trial(t));
    assert_non_null(strstr(told, "warning: run.trim = on: /proc cannot be trimmed"));
    assert_non_null(strstr(told, "may be slower"));
    assert_null(strstr(strstr(told, "warning") + 1, "warning"));

    load.trim = false;
    ctx->warned_of_trim = false;
    told[0] = '\0';
    assert_false(trim_trial(t));
    assert_string_equal(told, "");
    for (size_t i = 0; i < ctx->warning_count; i++)
        free(ctx->warnings[i]);
    free(t);
    free(site);
    free(devices);
    free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_system_without_free_space_is_refused),
        cmocka_unit_test(a_signal_comes_first),
        cmocka_unit_test(a_trial_that_cannot_warns_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
