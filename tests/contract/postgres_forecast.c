/* PostgreSQL's keys, what they say together, and the estimate of bytes. */
#include "contract/support.h"
#include "postgres/options.h"

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct postgres_settings settings_of(struct workload **load, const char *const *pairs)
{
    struct postgres_settings settings;
    *load = support_workload(pairs);
    postgres_settings_read(&settings, *load);
    return settings;
}

static void expect_methods(const char *const *pairs, const char *insert, const char *remove,
                           bool single_call)
{
    struct workload *load;
    struct postgres_settings settings = settings_of(&load, pairs);
    assert_string_equal(postgres_method_name(settings.insert), insert);
    assert_string_equal(postgres_method_name(settings.remove), remove);
    assert_int_equal(settings.single_call, single_call);
    workload_destroy(load);
}

static void test_methods(void **state)
{
    (void)state;
    expect_methods(SETTINGS("workload.rows", "10"), "copy", "array", false);
    expect_methods(SETTINGS("workload.rows_per_commit", "1"), "statement", "statement", true);
    expect_methods(SETTINGS("workload.rows_per_commit", "1", "postgres.insert_method", "copy"),
                   "copy", "statement", false);
    expect_methods(
        SETTINGS("postgres.insert_method", "pipeline", "postgres.delete_method", "range"),
        "pipeline", "range", false);
    expect_methods(SETTINGS("workload.rows_per_commit", "2", "postgres.insert_method", "statement",
                            "postgres.delete_method", "statement"),
                   "statement", "statement", false);
    expect_methods(SETTINGS("workload.rows_per_commit", "1", "workload.phases", "mixed", "row.keys",
                            "overlapping", "workload.layout", "shared-table"),
                   "statement", "statement", false);
}

static void test_policies(void **state)
{
    struct workload *load;
    (void)state;
    struct postgres_settings settings = settings_of(&load, SETTINGS("workload.rows", "10"));
    assert_false(settings.autovacuum);
    assert_true(settings.checksums);
    assert_int_equal(settings.vacuum, POSTGRES_VACUUM_AUTO);
    assert_null(settings.synchronous_commit);
    assert_null(settings.tablespace);
    assert_null(settings.user);
    workload_destroy(load);
    settings = settings_of(&load, SETTINGS("workload.duration", "10s"));
    assert_true(settings.autovacuum);
    workload_destroy(load);
    settings = settings_of(&load, SETTINGS("workload.duration", "10s", "postgres.autovacuum", "off",
                                           "postgres.vacuum", "on", "postgres.checksums", "off",
                                           "postgres.synchronous_commit", "local"));
    assert_false(settings.autovacuum);
    assert_false(settings.checksums);
    assert_int_equal(settings.vacuum, POSTGRES_VACUUM_ON);
    assert_string_equal(settings.synchronous_commit, "local");
    workload_destroy(load);
}

static void count_conf(void *ctx, const char *name, const char *value)
{
    unsigned *seen = ctx;
    *seen += strcmp(name, "shared_buffers") == 0 && strcmp(value, "64MB") == 0 ? 1 : 0;
    *seen += strcmp(name, "auto_explain.log_analyze") == 0 && strcmp(value, "on") == 0 ? 10 : 0;
    *seen += 100;
}

static void test_conf(void **state)
{
    struct workload *load;
    unsigned seen = 0;
    (void)state;
    (void)settings_of(&load, SETTINGS("postgres.conf.shared_buffers", "64MB",
                                      "postgres.conf.auto_explain.log_analyze", "on"));
    postgres_settings_conf(load, count_conf, &seen);
    assert_int_equal(seen, 211);
    assert_string_equal(postgres_settings_conf_value(load, "shared_buffers"), "64MB");
    assert_null(postgres_settings_conf_value(load, "fsync"));
    assert_null(postgres_settings_conf_value(load, "*"));
    workload_destroy(load);
    (void)settings_of(&load, SETTINGS("workload.rows", "10"));
    seen = 0;
    postgres_settings_conf(load, count_conf, &seen);
    assert_int_equal(seen, 0);
    workload_destroy(load);
}

static enum op_status forecast(const char *scheme, const char *const *pairs,
                               struct adapter_forecast *out, struct op_error *why)
{
    struct workload *load = support_workload(pairs);
    struct adapter_config config = {.target = "/somewhere", .load = load};
    enum op_status status = adapter_find(scheme)->forecast(&config, out, why);
    workload_destroy(load);
    return status;
}

static void test_what_does_not_go_together(void **state)
{
    static const struct {
        const char *scheme, *key, *value, *words;
    } cases[] = {
        {"postgres", "postgres.tablespace", "/mnt/ssd", "postgres:/mnt/ssd"},
        {"postgres", "postgres.conf.port", "5433", "postgres.conf.port"},
        {"postgres", "postgres.conf.max_connections", "5", "workload.streams = 1"},
        {"postgresql", "postgres.wal", "/mnt/log", "postgres:PATH"},
        {"postgresql", "postgres.user", "pg", "postgres:PATH"},
        {"postgresql", "postgres.programs", "/usr/bin", "postgres:PATH"},
        {"postgresql", "postgres.checksums", "off", "postgres:PATH"},
        {"postgresql", "postgres.conf.fsync", "off", "change it there"},
        {"postgresql", "postgres.tablespace", "ssd", "absolute path"},
    };
    struct adapter_forecast out;
    struct op_error why;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum op_status status =
            forecast(cases[i].scheme, SETTINGS(cases[i].key, cases[i].value), &out, &why);
        if (status != OP_FATAL || strstr(why.text, cases[i].words) == NULL ||
            strstr(why.text, cases[i].key) == NULL)
            fail_msg("%s with %s: %s", cases[i].key, cases[i].scheme, why.text);
    }
    assert_int_equal(forecast("postgres",
                              SETTINGS("postgres.synchronous_commit", "off",
                                       "postgres.conf.synchronous_commit", "on"),
                              &out, &why),
                     OP_FATAL);
    assert_non_null(strstr(why.text, "leave one out"));
}

static bool commit_flushes(const char *const *pairs)
{
    struct adapter_forecast out;
    struct op_error why;
    assert_int_equal(forecast("postgres", pairs, &out, &why), OP_OK);
    assert_false(out.begin_locks);
    return out.commit_flushes;
}

static void test_what_a_commit_waits_for(void **state)
{
    (void)state;
    assert_true(commit_flushes(SETTINGS("workload.rows", "10")));
    assert_true(commit_flushes(SETTINGS("postgres.synchronous_commit", "local")));
    assert_true(commit_flushes(SETTINGS("postgres.synchronous_commit", "remote_write")));
    assert_false(commit_flushes(SETTINGS("postgres.synchronous_commit", "off")));
    assert_false(commit_flushes(SETTINGS("postgres.conf.synchronous_commit", "off")));
    assert_false(commit_flushes(SETTINGS("postgres.conf.fsync", "off")));
    assert_false(commit_flushes(SETTINGS("postgres.conf.fsync", "0")));
    assert_true(commit_flushes(SETTINGS("postgres.conf.fsync", "on")));
}

/* Bytes of phase and settle as a loop device with ext4 counted them (PostgreSQL 15.18, private
 * cluster); of the whole run, with cluster, scan and maintenance, in `run`. */
struct measured {
    const char *pairs[16];
    double streams, insert, remove, run;
};

static void test_not_below_the_truth(void **state)
{
    static const struct measured cases[] = {
        {{"workload.rows", "300k"}, 1, 163.0e6, 125.9e6, 473.4e6},
        {{"workload.rows", "300k", "row.key_order", "random", "row.delete_order", "random"},
         1,
         185.1e6,
         110.7e6,
         475.8e6},
        {{"workload.rows", "300k", "row.delete_order", "random"}, 1, 163.0e6, 127.6e6, 470.5e6},
        {{"workload.rows", "100k", "row.indexes", "2"}, 1, 92.9e6, 38.2e6, 224.8e6},
        {{"workload.rows", "5000", "workload.rows_per_commit", "1"}, 1, 43.7e6, 43.3e6, 133.0e6},
        {{"workload.rows", "20k", "workload.rows_per_commit", "10"}, 1, 24.3e6, 23.9e6, 117.9e6},
        {{"workload.rows", "40k", "workload.streams", "8", "workload.layout", "shared-table"},
         8,
         195.5e6,
         114.6e6,
         504.9e6},
        {{"workload.rows", "50k", "workload.streams", "4", "workload.layout", "file-per-stream"},
         4,
         92.1e6,
         88.9e6,
         414.4e6},
        {{"workload.rows", "100k", "postgres.insert_method", "array", "postgres.delete_method",
          "range"},
         1,
         59.5e6,
         53.4e6,
         203.7e6},
        {{"workload.rows", "50k", "postgres.insert_method", "statement", "postgres.delete_method",
          "statement"},
         1,
         38.4e6,
         18.4e6,
         123.9e6},
        {{"workload.rows", "20k", "row.payload", "5000"}, 1, 349.5e6, 228.7e6, 626.9e6},
        {{"workload.rows", "200k", "row.payload", "0"}, 1, 52.4e6, 34.1e6, 165.7e6},
        {{"workload.rows", "200k", "postgres.checksums", "off"}, 1, 108.8e6, 89.6e6, 273.4e6},
        {{"workload.rows", "100"}, 1, 0.4e6, 0.2e6, 44.9e6},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct adapter_forecast out;
        struct op_error why;
        assert_int_equal(forecast("postgres", cases[i].pairs, &out, &why), OP_OK);
        double insert = out.write_bytes[PHASE_INSERT] * cases[i].streams;
        double remove = out.write_bytes[PHASE_DELETE] * cases[i].streams;
        if (insert < cases[i].insert || remove < cases[i].remove ||
            insert + remove < cases[i].run || insert + remove > 2.5 * cases[i].run)
            fail_msg("case %zu: insert %.0f of %.0f, delete %.0f of %.0f, all %.0f of %.0f", i,
                     insert, cases[i].insert, remove, cases[i].remove, insert + remove,
                     cases[i].run);
        assert_true(out.space_bytes > 0);
    }
}

/* Rows that come at random to more pages than the server's memory holds cost a page each. */
static void test_beyond_memory(void **state)
{
    struct adapter_forecast small, large, appended;
    struct op_error why;
    (void)state;
    assert_int_equal(forecast("postgres",
                              SETTINGS("workload.rows", "20M", "row.key_order", "random",
                                       "postgres.conf.shared_buffers", "128MB"),
                              &small, &why),
                     OP_OK);
    assert_int_equal(forecast("postgres",
                              SETTINGS("workload.rows", "20M", "row.key_order", "random",
                                       "postgres.conf.shared_buffers", "8GB"),
                              &large, &why),
                     OP_OK);
    assert_int_equal(
        forecast("postgres",
                 SETTINGS("workload.rows", "20M", "postgres.conf.shared_buffers", "128MB"),
                 &appended, &why),
        OP_OK);
    assert_true(small.write_bytes[PHASE_INSERT] > large.write_bytes[PHASE_INSERT] + 20e6 * 4096);
    assert_true(appended.write_bytes[PHASE_INSERT] < large.write_bytes[PHASE_INSERT]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_conf),
        cmocka_unit_test(test_what_does_not_go_together),
        cmocka_unit_test(test_what_a_commit_waits_for),
        cmocka_unit_test(test_not_below_the_truth),
        cmocka_unit_test(test_beyond_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
