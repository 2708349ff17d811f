/* Keys that a wildcard row lets in: "postgres.conf.*". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/spec.h"

static const struct key server_keys[] = {
    {.name = "server.autovacuum", .type = KEY_TEXT, .fallback = "-", .optional = true},
    {.name = "server.conf.*", .type = KEY_TEXT, .fallback = "-", .optional = true},
    {.name = "server.size", .type = KEY_COUNT, .fallback = "1"},
    {.name = NULL},
};
static const struct key other_keys[] = {
    {.name = "other.*", .type = KEY_TEXT, .fallback = "-", .optional = true},
    {.name = NULL},
};
/* Two engines with one table. */
static const struct key *const tables[] = {server_keys, server_keys, other_keys, NULL};

static int make(void **state)
{
    *state = spec_create(tables);
    return 0;
}

static int drop(void **state)
{
    spec_destroy(*state);
    return 0;
}

static void read_good(struct spec *spec, const char *text)
{
    struct err err = {0};
    if (spec_read(spec, text, strlen(text), "x.ini", &err) != 0)
        fail_msg("%s", err.text);
}

static void set_good(struct spec *spec, const char *key, const char *values)
{
    struct err err = {0};
    if (spec_set(spec, key, values, "-s", &err) != 0)
        fail_msg("%s", err.text);
}

static void check_refused(struct spec *spec, const char *text, const char *sentence)
{
    struct err err = {0};
    assert_int_equal(spec_read(spec, text, strlen(text), "x.ini", &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, sentence);
}

static void check_option_refused(struct spec *spec, const char *key, const char *sentence)
{
    struct err err = {0};
    assert_int_equal(spec_set(spec, key, "1", "-s", &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text, sentence);
}

/* The values of a key with "|" between them; NULL: there is no such key. */
static const char *values_of(const struct spec *spec, size_t part, const char *name)
{
    static char text[256];
    bool found = false;
    for (size_t key = 0; key < spec_key_count(spec); key++) {
        size_t count, used = 0;
        const char *const *values = spec_values(spec, part, key, &count);
        if (strcmp(spec_key(spec, key)->name, name) != 0)
            continue;
        assert_false(found);
        found = true;
        for (size_t i = 0; i < count; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? "|" : "",
                                     values[i]);
    }
    return found ? text : NULL;
}

static size_t core_count(void)
{
    size_t count = 0;
    while (key_core[count].name != NULL)
        count++;
    return count;
}

static void the_row_itself_is_no_key(void **state)
{
    struct spec *spec = *state;
    assert_int_equal(spec_key_count(spec), core_count() + 2); /* the shared table counts once */
    assert_null(values_of(spec, 0, "server.conf.*"));
    assert_string_equal(values_of(spec, 0, "server.size"), "1");
    json_t *object = spec_json(spec);
    assert_int_equal(json_object_size(object), core_count() + 2);
    assert_null(json_object_get(object, "server.conf.*"));
    json_decref(object);
}

static void names_become_keys(void **state)
{
    struct spec *spec = *state;
    read_good(spec, "[server]\nconf.max_wal_size = 1GB, 4GB\nconf.a.B_9 = \"x, y\"\n"
                    "[part one]\nserver.conf.work_mem = 64kB\n"
                    "[part two]\nserver.conf.max_wal_size = 2GB\nworkload.rows = 5\n");
    assert_int_equal(spec_key_count(spec), core_count() + 5);
    assert_string_equal(values_of(spec, 0, "server.conf.max_wal_size"), "1GB|4GB");
    assert_string_equal(values_of(spec, 1, "server.conf.max_wal_size"), "2GB");
    assert_string_equal(values_of(spec, 0, "server.conf.a.B_9"), "x, y");
    assert_string_equal(values_of(spec, 0, "server.conf.work_mem"), "64kB");
    assert_string_equal(values_of(spec, 1, "server.conf.work_mem"), "-");
    assert_string_equal(values_of(spec, 1, "workload.rows"), "5");
    set_good(spec, "server.conf.work_mem", "1MB"); /* overrides in every part */
    set_good(spec, "server.conf.fsync", "off, on");
    assert_string_equal(values_of(spec, 0, "server.conf.work_mem"), "1MB");
    assert_string_equal(values_of(spec, 1, "server.conf.work_mem"), "1MB");
    assert_string_equal(values_of(spec, 0, "server.conf.fsync"), "off|on");
    assert_int_equal(spec_key_count(spec), core_count() + 6);
    json_t *object = spec_json(spec);
    assert_int_equal(json_array_size(json_object_get(object, "server.conf.max_wal_size")), 2);
    assert_string_equal(json_text_at(json_array_get(json_object_get(object, "parts"), 1), "name"),
                        "two");
    const json_t *part = json_array_get(json_object_get(object, "parts"), 1);
    assert_string_equal(json_string_value(json_object_get(part, "server.conf.max_wal_size")),
                        "2GB");
    json_decref(object);
}

static void another_file_forgets_them(void **state)
{
    struct spec *spec = *state;
    set_good(spec, "server.conf.b", "2");
    read_good(spec, "[server]\nconf.a = 1\nconf.b = 3\nconf.c = 4\n");
    assert_string_equal(values_of(spec, 0, "server.conf.b"), "2");
    assert_string_equal(values_of(spec, 0, "server.conf.c"), "4");
    read_good(spec, "[server]\nconf.c = 5\n");
    assert_null(values_of(spec, 0, "server.conf.a"));
    assert_string_equal(values_of(spec, 0, "server.conf.b"), "2");
    assert_string_equal(values_of(spec, 0, "server.conf.c"), "5");
    assert_int_equal(spec_key_count(spec), core_count() + 4);
}

static void the_workload_outlives_its_spec(void **state)
{
    struct spec *spec = *state;
    struct workload *load;
    struct err err = {0};
    read_good(spec, "[server]\nconf.work_mem = 1MB, 2MB\n[other]\nconf = 寿司\n");
    size_t *choice = calloc(spec_key_count(spec), sizeof *choice);
    choice[core_count() + 2] = 1;
    assert_int_equal(spec_resolve(spec, 0, choice, &load, &err), 0);
    free(choice);
    assert_int_equal(load->setting_count, spec_key_count(spec));
    spec_destroy(spec);
    *state = spec_create(tables);
    assert_string_equal(workload_text(load, "server.conf.work_mem"), "2MB");
    assert_string_equal(workload_text(load, "other.conf"), "寿司");
    assert_string_equal(workload_text(load, "server.size"), "1");
    assert_string_equal(load->settings[load->setting_count - 1].key->name, "other.conf");
    workload_destroy(load);
}

static void messages(void **state)
{
    struct spec *spec = *state;
    check_refused(spec, "[server]\nconf.a = 1\n\nconf.a = 2\n",
                  "x.ini:4: server.conf.a is given twice, first in line 2; remove one");
    check_refused(spec, "[part p]\nserver.conf.a = 1\nserver.conf.a = 1\n",
                  "x.ini:3: server.conf.a is given twice, first in line 2; remove one");
    check_refused(spec, "[server]\nconf.a = 1, 1\n",
                  "x.ini:2: server.conf.a = 1: the list holds this value twice; remove one");
    check_refused(spec, "[server]\nconf.a = 1,,2\n",
                  "x.ini:2: server.conf.a = 1,,2: a value is missing; write 1, 10, 20 without a "
                  "comma at either end");
    check_refused(spec, "[server]\nconf.* = 1\n",
                  "x.ini:2: server.conf.* is no key; in server.conf.* put a name of letters, "
                  "digits, _ and . for the *");
    check_refused(spec, "[server]\nconf. = 1\n",
                  "x.ini:2: server.conf. is no key; in server.conf.* put a name of letters, "
                  "digits, _ and . for the *");
    check_refused(spec, "[server]\nconf.work-mem = 1\n",
                  "x.ini:2: server.conf.work-mem is no key; in server.conf.* put a name of "
                  "letters, digits, _ and . for the *");
    check_refused(spec, "[server]\nserver.conf.a = 1\n",
                  "x.ini:2: server.server.conf.a is no key; in [server] keys are written without "
                  "their section");
    check_refused(
        spec, "[nowhere]\n",
        "x.ini:1: [nowhere] is no section; sections are workload, row, run, search, steady, limit, "
        "server, other and part NAME");
}

static void suggestions(void **state)
{
    struct spec *spec = *state;
    set_good(spec, "server.conf.rowz", "1"); /* no key to suggest */
    check_option_refused(spec, "workload.rowz",
                         "-s workload.rowz=1: workload.rowz is no key; did you mean "
                         "workload.rows?");
    check_option_refused(spec, "server.cnf.autovacuum",
                         "-s server.cnf.autovacuum=1: server.cnf.autovacuum is no key; did you "
                         "mean server.conf.autovacuum?");
    check_option_refused(spec, "server.autovacum",
                         "-s server.autovacum=1: server.autovacum is no key; did you mean "
                         "server.autovacuum?");
    check_option_refused(spec, "server.configuration.a",
                         "-s server.configuration.a=1: server.configuration.a is no key; "
                         "loadline list keys shows them");
    check_option_refused(spec, "server.conf",
                         "-s server.conf=1: server.conf is no key; loadline list keys shows them");
    check_option_refused(spec, "server.cnf.",
                         "-s server.cnf.=1: server.cnf. is no key; loadline list keys shows them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_row_itself_is_no_key, make, drop),
        cmocka_unit_test_setup_teardown(names_become_keys, make, drop),
        cmocka_unit_test_setup_teardown(another_file_forgets_them, make, drop),
        cmocka_unit_test_setup_teardown(the_workload_outlives_its_spec, make, drop),
        cmocka_unit_test_setup_teardown(messages, make, drop),
        cmocka_unit_test_setup_teardown(suggestions, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
