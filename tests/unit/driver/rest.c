/* Rests, with a thermometer that is a file. */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver/rest.h"

static char told[2048], phase[64];
static volatile int stop;
static int stop_after; /* progress calls until the signal comes; 0: never */
static char sensor_path[64];
static int cool_after; /* likewise until the drive is cool */

static void set_celsius(int celsius)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%d000\n", celsius);
    int fd = open(sensor_path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0 || write(fd, text, (size_t)length) != length)
        abort();
    close(fd);
}

static void note(void *ctx, const char *kind, const char *text)
{
    (void)ctx;
    size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%s: %s\n", kind, text);
}

static void progress(void *ctx, const struct run_progress *p)
{
    (void)ctx;
    snprintf(phase, sizeof phase, "%s", p->phase);
    if (stop_after > 0 && --stop_after == 0)
        stop = 1;
    if (cool_after > 0 && --cool_after == 0)
        set_celsius(44);
}

struct bench {
    struct key key;
    struct setting setting;
    struct workload load;
    struct run_watch watch;
    struct run_options options;
    struct run_context ctx;
    struct trial_plan plan;
    struct site site;
};

static void bench_init(struct bench *b, const char *cooldown, int64_t cooldown_ns,
                       double cooldown_c)
{
    *b = (struct bench){.key.name = "run.cooldown"};
    b->setting = (struct setting){&b->key, cooldown};
    b->load = (struct workload){.cooldown_ns = cooldown_ns,
                                .cooldown_c = cooldown_c,
                                .settings = &b->setting,
                                .setting_count = 1};
    b->watch = (struct run_watch){.progress = progress, .note = note};
    b->options = (struct run_options){.watch = &b->watch, .stop = &stop};
    b->ctx = (struct run_context){
        .options = &b->options, .trial_s = 100, .total_s = 100, .origin_ns = clock_now_ns()};
    b->plan = (struct trial_plan){.index = 1, .load = &b->load};
    b->site.thermometer = (struct thermometer){.sensor = {.fd = -1}, .celsius = NAN};
    told[0] = phase[0] = '\0';
    stop = 0;
    stop_after = cool_after = 0;
}

static void warm(struct bench *b, int celsius)
{
    snprintf(sensor_path, sizeof sensor_path, "/tmp/rest-XXXXXX");
    int fd = mkstemp(sensor_path);
    assert_true(fd >= 0);
    b->site.thermometer.sensor.fd = fd;
    b->site.thermometer.sensor.kind = HWMON_NVME;
    set_celsius(celsius);
}

static void cold(struct bench *b)
{
    close(b->site.thermometer.sensor.fd);
    unlink(sensor_path);
}

static int cooldown(struct bench *b)
{
    struct err err = {0};
    int result = rest_cooldown(&b->ctx, &b->site, &b->plan, &err);
    if (result != 0)
        assert_int_equal(err.kind, ERR_INTERRUPTED);
    return result;
}

static void expect(const char *words)
{
    if (strstr(told, words) == NULL)
        fail_msg("\"%s\" is not in:\n%s", words, told);
}

static void the_first_trial_never_waits(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, "1h", 3600 * NS_PER_S, NAN);
    b.plan.index = 0;
    assert_int_equal(cooldown(&b), 0);
    b.plan.index = 1;
    b.load.cooldown_ns = 0; /* and who asks for nothing */
    assert_int_equal(cooldown(&b), 0);
    assert_string_equal(told, "");
}

static void a_time_is_waited_for(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, "150ms", 150 * NS_PER_MS, NAN);
    int64_t begin_ns = clock_now_ns();
    assert_int_equal(cooldown(&b), 0);
    assert_true(clock_now_ns() - begin_ns >= 150 * NS_PER_MS);
    assert_string_equal(phase, "cooldown");
    expect("cooldown: rested 0.");
    expect("; the drive's temperature is not known");
}

static void a_signal_ends_a_rest_at_once(void **state)
{
    (void)state;
    struct bench b;
    struct err err;
    bench_init(&b, "1h", 3600 * NS_PER_S, NAN);
    stop_after = 2;
    assert_int_equal(cooldown(&b), -1);
    assert_string_equal(told, "");
    bench_init(&b, "", 0, NAN);
    stop_after = 1;
    assert_int_equal(rest_for(&b.ctx, "pause", 3600 * NS_PER_S, &err), -1);
    assert_int_equal(err.kind, ERR_INTERRUPTED);
    assert_string_equal(phase, "pause");
}

static void a_drive_that_is_cool_is_not_waited_for(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, "45C", 0, 45);
    warm(&b, 44);
    assert_int_equal(cooldown(&b), 0);
    expect("s, from 44 to 44 C\n");
    assert_string_equal(phase, ""); /* no wait was shown */
    cold(&b);
}

static void a_warm_drive_is_waited_for(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, "45C", 0, 45);
    warm(&b, 52);
    cool_after = 3; /* the thermometer is asked once a second */
    assert_int_equal(cooldown(&b), 0);
    expect(" s, from 52 to 44 C\n");
    assert_null(strstr(told, "warning"));
    bench_init(&b, "45C", 0, 45);
    cold(&b);
    warm(&b, 45); /* not below */
    stop_after = 2;
    assert_int_equal(cooldown(&b), -1);
    cold(&b);
}

static void without_a_sensor_a_warning_once_and_no_wait(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, "45C", 0, 45);
    for (int i = 0; i < 3; i++)
        assert_int_equal(cooldown(&b), 0);
    expect("warning: run.cooldown = 45C: no temperature of the drive can be read");
    assert_null(strstr(strstr(told, "warning") + 1, "warning"));
    for (size_t i = 0; i < b.ctx.warning_count; i++)
        free(b.ctx.warnings[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_trial_never_waits),
        cmocka_unit_test(a_time_is_waited_for),
        cmocka_unit_test(a_signal_ends_a_rest_at_once),
        cmocka_unit_test(a_drive_that_is_cool_is_not_waited_for),
        cmocka_unit_test(a_warm_drive_is_waited_for),
        cmocka_unit_test(without_a_sensor_a_warning_once_and_no_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
