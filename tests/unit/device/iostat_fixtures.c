/* Every pair of captures of iostat/: the rates of each device, null where none may be shown. */
#include "fixture.h"

#include "device/rates.h"

static bool complete;

struct rate_key {
    const char *key;
    double value;
};

static void check_rate(const char *name, const struct rate_key *rate, const json_t *expected)
{
    const json_t *want = json_object_get(expected, rate->key);
    if (want == NULL || json_is_null(want)) {
        if (!isnan(rate->value))
            fail_msg("%s: %s is %g and must be unknown", name, rate->key, rate->value);
        return;
    }
    double number = json_number_value(want);
    if (!(fabs(rate->value - number) <= 1e-6 + 1e-6 * fabs(number)))
        fail_msg("%s: %s is %.9g, not %.9g", name, rate->key, rate->value, number);
}

static void check_kind(const char *name, char letter, const struct request_rates *rates,
                       const json_t *expected)
{
    const struct rate_key list[] = {{"%c_per_s", rates->per_s},
                                    {"%c_bytes_per_s", rates->bytes_per_s},
                                    {"%c_merges_per_s", rates->merges_per_s},
                                    {"%c_merge_pct", rates->merge_pct},
                                    {"%c_await_ms", rates->await_ms},
                                    {"%c_avg_bytes", rates->mean_bytes}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char key[32] = {letter};
        snprintf(key + 1, sizeof key - 1, "%s", list[i].key + 2);
        check_rate(name, &(struct rate_key){key, list[i].value}, expected);
    }
}

static void check_rates(const char *name, const struct disk_rates *rates, const json_t *expected)
{
    check_kind(name, 'r', &rates->reads, expected);
    check_kind(name, 'w', &rates->writes, expected);
    check_kind(name, 'd', &rates->discards, expected);
    const struct rate_key list[] = {{"f_per_s", rates->flushes_per_s},
                                    {"f_await_ms", rates->flush_await_ms},
                                    {"queue_depth", rates->weighted_depth},
                                    {"util_pct", rates->util_pct}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        check_rate(name, &list[i], expected);
}

static void check_status(const char *name, enum disk_status status, const char *expected)
{
    static const struct {
        const char *text;
        enum disk_status status;
    } table[] = {{"ok", DISK_OK},
                 {"since_boot", DISK_OK},
                 {"no_interval", DISK_OK},
                 {"new", DISK_MISSING},
                 {"wrapped", DISK_WRAPPED},
                 {"reset", DISK_RESET},
                 {"backwards", DISK_BACKWARDS}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].text, expected) == 0) {
            if (table[i].status != status)
                fail_msg("%s: status %d is not \"%s\"", name, (int)status, expected);
            return;
        }
    fail_msg("%s: no status \"%s\"", name, expected);
}

/* As if the device had counted nothing yet. */
static void zero(struct diskstats *row)
{
    memset(row->value, 0, sizeof row->value);
}

static void check_case(const char *one, json_t *expected)
{
    size_t later_size, earlier_size = 0;
    char *later_text = fixture_text(one, "t1.diskstats", &later_size), *earlier_text = NULL;
    double seconds = json_number_value(json_object_get(expected, "interval_s"));
    const char *name;
    json_t *device;
    char *path = fs_path("%s/t0.diskstats", one);
    if (access(path, R_OK) == 0)
        earlier_text = fixture_text(one, "t0.diskstats", &earlier_size);
    json_object_foreach(json_object_get(expected, "devices"), name, device)
    {
        struct diskstats earlier, later;
        diskstats_pick(later_text, later_size, &name, 1, &later);
        assert_string_equal(later.name, name);
        if (earlier_text != NULL) {
            diskstats_pick(earlier_text, earlier_size, &name, 1, &earlier);
        } else {
            earlier = later;
            zero(&earlier);
        }
        struct disk_rates rates;
        diskstats_rates(&earlier, &later, seconds, &rates);
        check_status(name, rates.status, json_string_value(json_object_get(device, "status")));
        check_rates(name, &rates, json_object_get(device, "rates"));
    }
    free(path);
    free(later_text);
    free(earlier_text);
}

static void every_pair_gives_the_expected_rates(void **state)
{
    (void)state;
    complete = fixture_all("iostat", check_case);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_gives_the_expected_rates)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed ? failed : complete ? 0 : FIXTURE_SKIPPED;
}
