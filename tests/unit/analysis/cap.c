/* A limit above the drive that a phase writes against. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"

static const char *in_memory = "";
static int merges;

/* 800 commits of 1.25 ms in 1 s, 1.05 ms of each in a flush; two targets, the second is ours. */
static const char *verdict(double bytes, int writes, const char *limit, double value)
{
    static char said[512];
    json_t *phase =
        json_pack("{s:s, s:i, s:f, s:i, s:{s:{s:s, s:f, s:i, s:i, s:i, s:f, s:f, s:f}}}", "name",
                  "insert", "stream_count", 1, "elapsed_s", 1.0, "commits", 800, "devices", "sda",
                  "role", "data", "seconds", 1.0, "writes", writes, "write_merges", merges,
                  "flushes", 800, "flush_ms", 840.0, "write_ms", 900.0, "write_bytes", bytes);
    json_t *summary = json_pack(
        "{s:[{s:s, s:i, s:{s:f}}, {s:s, s:i, s:s, s:{s:f}}], s:[{s:i, s:[o]}]}", "devices", "role",
        "data", "target", 0, "cap", limit, 1e-3, "role", "data", "target", 1, "in_memory",
        in_memory, "cap", limit, value, "trials", "target", 1, "phases", phase);
    json_t *analysis = analysis_make(summary, NULL);
    const json_t *entry = json_array_get(json_object_get(analysis, "bottleneck"), 0);
    snprintf(said, sizeof said, "%s; %s", json_text_at(entry, "cause"),
             json_string_value(json_array_get(json_object_get(entry, "evidence"), 0)));
    json_decref(analysis);
    json_decref(summary);
    return said;
}

static void bytes_against_it(void **state)
{
    (void)state;
    assert_string_equal(verdict(0.9e6, 1600, "write_bytes_per_s", 1e6),
                        "cap; cap: 900 kB/s written of the 1.0 MB/s that a control group allows");
    assert_memory_equal(verdict(1.1e6, 1600, "write_bytes_per_s", 1e6), "cap;", 4);
}

static void writes_against_it(void **state)
{
    (void)state;
    assert_string_equal(verdict(5e6, 190, "write_iops", 200),
                        "cap; cap: 190 of the 200 writes/s that a control group allows");
}

/* Held back before they were joined to others, counted after. */
static void writes_that_were_joined(void **state)
{
    (void)state;
    merges = 112;
    assert_string_equal(
        verdict(5e6, 83, "write_iops", 200),
        "cap; cap: 195 of the 200 writes/s that a control group allows, joined to 83.0");
    assert_memory_equal(verdict(5e6, 60, "write_iops", 200), "device;", 7);
    merges = 0;
}

static void not_held_by_it(void **state)
{
    (void)state;
    assert_memory_equal(verdict(0.89e6, 1600, "write_bytes_per_s", 1e6), "device;", 7);
    assert_memory_equal(verdict(1.3e6, 1600, "write_bytes_per_s", 1e6), "device;", 7);
    assert_memory_equal(verdict(5e6, 179, "write_iops", 200), "device;", 7);
    assert_memory_equal(verdict(5e6, 200, "else", 200), "device;", 7);
}

/* A device that lies in memory is no drive that could be at its limit; a cap is one all the same.
 */
static void memory_is_no_drive(void **state)
{
    (void)state;
    in_memory = "loop0 on tmpfs";
    assert_string_equal(
        verdict(5e6, 200, "else", 200),
        "unknown; the device lies in memory (loop0 on tmpfs): its times say nothing of a drive");
    assert_memory_equal(verdict(0.9e6, 1600, "write_bytes_per_s", 1e6), "cap;", 4);
    in_memory = "";
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_against_it),        cmocka_unit_test(writes_against_it),
        cmocka_unit_test(writes_that_were_joined), cmocka_unit_test(not_held_by_it),
        cmocka_unit_test(memory_is_no_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
