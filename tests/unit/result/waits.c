#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result/merge.h"
#include "result/put.h"
#include "result/server.h"
#include "result/waits.h"

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-9)

static const struct wait_record some[] = {
    {"IO:WALSync", "flush", 20},     {"CPU", "cpu", 31},          {"IO:WALWrite", "flush", 10},
    {"LWLock:WALWrite", "group", 0}, {"Odd:Thing", "strange", 4}, {"Lock:extend", "extend", 35}};
enum { SOME = sizeof some / sizeof *some };

static void shares_of_all_observations(void **state)
{
    (void)state;
    json_t *waits = waits_json(some, SOME, 0);
    NEAR(json_number_at(waits, "observations"), 100);
    NEAR(json_number_at(waits, "groups.flush"), 0.3);
    NEAR(json_number_at(waits, "groups.cpu"), 0.31);
    NEAR(json_number_at(waits, "groups.extend"), 0.35);
    NEAR(json_number_at(waits, "groups.group"), 0); /* looked for and not seen: 0, not null */
    NEAR(json_number_at(waits, "groups.other"), 0.04);
    const json_t *events = json_object_get(waits, "events");
    assert_int_equal(json_object_size(events), 5); /* those that were seen */
    const char *first = json_object_iter_key(json_object_iter((json_t *)events));
    assert_string_equal(first, "Lock:extend"); /* the largest first */
    NEAR(json_number_value(json_object_get(events, "IO:WALSync")), 0.2);
    assert_string_equal(json_text_at(waits, "leading.flush"), "IO:WALSync");
    assert_null(json_at(waits, "leading.row"));
    json_decref(waits);
    waits = waits_json(some, SOME, 200); /* more were looked at than are told here */
    NEAR(json_number_at(waits, "groups.flush"), 0.15);
    json_decref(waits);
}

static void nobody_looked(void **state)
{
    (void)state;
    static const struct wait_record none[] = {{"CPU", "cpu", 0}};
    assert_null(waits_json(NULL, 0, 0));
    assert_null(waits_json(none, 1, 0));
    assert_null(waits_json(some, 0, 50));
    assert_null(waits_merge(NULL, 0));
}

static void one_name_in_two_groups(void **state)
{
    (void)state;
    static const struct wait_record twice[] = {{"unknown", "other", 10}, {"unknown", "client", 30}};
    json_t *waits = waits_json(twice, 2, 0);
    NEAR(json_number_at(waits, "events.unknown"), 1);
    NEAR(json_number_at(waits, "groups.client"), 0.75);
    json_decref(waits);
}

/* A cycle with `waits` (stolen). */
static json_t *cycle(json_t *waits, double wal_bytes)
{
    json_t *phase = json_pack("{s:s, s:i, s:i, s:f, s:{s:f}}", "name", "insert", "commits", 10,
                              "rows", 1000, "elapsed_s", 1.0, "engine", "wal_bytes", wal_bytes);
    put(phase, "waits", waits);
    return phase;
}

static void cycles_weigh_by_their_observations(void **state)
{
    (void)state;
    static const struct wait_record first[] = {
        {"Lock:extend", "extend", 30}, {"IO:WALSync", "flush", 60}, {"IO:WALWrite", "flush", 10}};
    static const struct wait_record second[] = {{"IO:WALWrite", "flush", 200}, {"CPU", "cpu", 100}};
    json_t *phases = json_pack("[o, o, o]", cycle(waits_json(first, 3, 0), 5000),
                               cycle(waits_json(second, 2, 0), 15000), cycle(NULL, 10000));
    json_t *merged = merge_cycles(phases);
    const json_t *phase = json_array_get(merged, 0);
    NEAR(json_number_at(phase, "waits.observations"), 400);
    NEAR(json_number_at(phase, "waits.groups.flush"), 270.0 / 400);
    NEAR(json_number_at(phase, "waits.groups.extend"), 30.0 / 400);
    const json_t *events = json_at(phase, "waits.events");
    NEAR(json_number_value(json_object_get(events, "IO:WALWrite")), 210.0 / 400);
    assert_string_equal(json_object_iter_key(json_object_iter((json_t *)events)), "IO:WALWrite");
    assert_string_equal(json_text_at(phase, "waits.leading.flush"), "IO:WALWrite");
    NEAR(json_number_at(phase, "server.per_commit.wal_bytes"), 1000);
    NEAR(json_number_at(phase, "server.per_row.wal_bytes"), 10);
    json_decref(merged);
    json_decref(phases);
}

static void gauges_of_a_log_that_was_cut_off(void **state)
{
    (void)state;
    double seen[WAITS_GROUPS] = {0};
    assert_null(waits_groups_json(seen));
    waits_add_gauge(seen, "wait_row", 3);
    waits_add_gauge(seen, "wait_row", 4);
    waits_add_gauge(seen, "wait_other", 1);
    waits_add_gauge(seen, "wait_strange", 9);
    waits_add_gauge(seen, "wal_file_bytes", 9);
    waits_add_gauge(seen, "wait_cpu", -5); /* no engine says that */
    json_t *waits = waits_groups_json(seen);
    NEAR(json_number_at(waits, "observations"), 8);
    NEAR(json_number_at(waits, "groups.row"), 7.0 / 8);
    assert_int_equal(json_object_size(json_object_get(waits, "events")), 0);
    json_decref(waits);
}

static void what_the_server_wrote(void **state)
{
    (void)state;
    json_t *engine = json_pack("{s:i, s:i, s:i}", "wal_bytes", 28500, "wal_records", 202,
                               "checkpoint_buffers", 7);
    json_t *server = server_json(engine, 100, 400);
    NEAR(json_number_at(server, "per_commit.wal_bytes"), 285);
    NEAR(json_number_at(server, "per_row.wal_bytes"), 71.25);
    NEAR(json_number_at(server, "per_commit.wal_records"), 2.02);
    assert_true(json_is_null(json_at(server, "per_commit.wal_sync_count"))); /* not counted */
    json_decref(server);
    server = server_json(engine, 0, 0);
    assert_true(json_is_null(json_at(server, "per_commit.wal_bytes")));
    json_decref(server);
    json_object_del(engine, "wal_bytes");
    json_object_del(engine, "wal_records");
    assert_null(server_json(engine, 100, 400));
    assert_null(server_json(NULL, 100, 400));
    json_decref(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_all_observations),
        cmocka_unit_test(nobody_looked),
        cmocka_unit_test(one_name_in_two_groups),
        cmocka_unit_test(cycles_weigh_by_their_observations),
        cmocka_unit_test(gauges_of_a_log_that_was_cut_off),
        cmocka_unit_test(what_the_server_wrote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
