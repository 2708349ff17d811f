#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/compare.h"
#include "unit/analysis/compare_documents.h"

static const double slow[] = {100, 101, 102, 103, 104, 105};
static const double fast[] = {200, 201, 202, 203, 204, 205};

/* Two results of drives that are as unlike as can be; steals them. */
static json_t *compare_two(const struct compare_options *options, json_t *a, json_t *b)
{
    struct compare_input inputs[] = {{"a.jsonl", a}, {"b.jsonl", b}};
    struct err err = {.kind = ERR_NONE};
    json_t *comparison = compare_json(inputs, 2, options, &err);
    if (!comparison)
        fail_msg("%s", err.text);
    json_decref(a);
    json_decref(b);
    return comparison;
}

static const json_t *find(const json_t *list, const char *key, const char *wanted)
{
    size_t index;
    const json_t *entry;
    json_array_foreach(list, index, entry)
    {
        const char *text = json_text_at(entry, key);
        if (text && strcmp(text, wanted) == 0)
            return entry;
    }
    return NULL;
}

static const char *verdict_of(const json_t *comparison, size_t group)
{
    const json_t *of = json_array_get(json_object_get(comparison, "groups"), group);
    const json_t *metric = find(json_object_get(of, "metrics"), "path", "commits_per_s");
    const char *verdict =
        json_text_at(json_array_get(json_object_get(metric, "ratios"), 0), "verdict");
    return verdict ? verdict : "none";
}

static void dump(const json_t *value)
{
    char *text = json_dumps(value, JSON_INDENT(1));
    print_message("%s\n", text);
    free(text);
}

/* Nothing is ranked, for this reason and no other kind. */
static void assert_refused(const json_t *comparison, const char *kind, const char *text)
{
    const json_t *against = json_object_get(comparison, "against");
    const json_t *entry = find(against, "kind", kind);
    if (!entry || !strstr(json_text_at(entry, "text"), text)) {
        dump(against);
        fail_msg("not said: %s", text);
    }
    size_t index;
    json_array_foreach(against, index, entry)
    {
        assert_string_equal(json_text_at(entry, "kind"), kind);
    }
    assert_string_equal(verdict_of(comparison, 0), "not ranked");
}

static json_t *result_a(void)
{
    return made_result(&(struct made){.label = "a"}, slow, 6);
}

static json_t *result_b(void)
{
    return made_result(&(struct made){.label = "b"}, fast, 6);
}

static const struct compare_options plain = {.all_metrics = false};

static json_t *trial_of(json_t *summary, size_t index)
{
    return json_array_get(json_object_get(summary, "trials"), index);
}

static json_t *phase_of(json_t *summary, size_t index)
{
    return json_array_get(json_object_get(trial_of(summary, index), "phases"), 0);
}

static json_t *first_device(json_t *summary)
{
    return json_array_get(json_object_get(summary, "devices"), 0);
}

/* ---- settings ---- */

static void what_matters_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *where, *member, *name, *text;
    } cases[] = {
        {"environment", "kernel", "kernel", "kernel differs (6.1.0, other)"},
        {"environment", "cpu_model", "CPU", "CPU differs (Example CPU, other)"},
        {"environment", "engine_version", "engine version",
         "engine version differs (3.40.1, other)"},
        {"device", "filesystem", "file system", "file system differs (ext4, other)"},
        {"device", "mount_options", "mount options", "(rw,noatime, other)"},
        {"device", "scheduler", "scheduler", "scheduler differs (none, other)"},
        {"workload", "row.indexes", "row.indexes", "row.indexes differs (0, other)"},
        {"workload", "workload.rows", "workload.rows", "workload.rows differs (1000, other)"},
        {"settings", "journal_mode", "engine setting journal_mode", "differs (wal, other)"},
        {"settings", "durability", "engine setting durability", "differs (unknown, other)"},
        {"summary", "loadline", "loadline", "loadline differs (0.1.0, other)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *b = result_b(), *object = b;
        if (strcmp(cases[i].where, "environment") == 0)
            object = json_object_get(b, "environment");
        else if (strcmp(cases[i].where, "device") == 0)
            object = first_device(b);
        else if (strcmp(cases[i].where, "workload") == 0)
            object = json_object_get(b, "workload");
        else if (strcmp(cases[i].where, "settings") == 0)
            object = json_object_get(json_object_get(b, "environment"), "engine_settings");
        json_object_set_new(object, cases[i].member, json_string("other"));
        json_t *c = compare_two(&plain, result_a(), b);
        assert_refused(c, "settings", cases[i].text);
        const json_t *entry = find(json_object_get(c, "differ"), "name", cases[i].name);
        assert_string_equal(json_text_at(entry, "effect"), "refuses");
        assert_non_null(
            strstr(json_string_value(json_array_get(json_at(c, "verdict.sentences"), 0)),
                   "No winner between A and B: settings"));
        json_decref(c);
    }
}

/* Model, link, capacity and fill are what drives differ in; repeats and limits make no load. */
static void nature_does_not(void **state)
{
    (void)state;
    json_t *b = made_result(&(struct made){.label = "b",
                                           .model = "Example 240GB",
                                           .firmware = "D201",
                                           .link = "SATA",
                                           .size_bytes = 240e9,
                                           .fill = 0.6},
                            fast, 6);
    json_t *workload = json_object_get(b, "workload");
    json_object_set_new(workload, "run.repeats", json_string("9"));
    json_object_set_new(workload, "limit.write_bytes", json_string("1T"));
    json_object_set_new(workload, "postgres.vacuum", json_string("on")); /* SQLite was at work */
    json_object_set_new(workload, "workload.rows", json_string("1k"));   /* 1000 */
    json_t *c = compare_two(&plain, result_a(), b);
    assert_int_equal(json_array_size(json_object_get(c, "against")), 0);
    assert_string_equal(verdict_of(c, 0), "better");
    static const char *const names[] = {"model", "firmware", "link", "capacity", "fill"};
    for (size_t i = 0; i < 5; i++) {
        const json_t *entry = find(json_object_get(c, "differ"), "name", names[i]);
        assert_non_null(entry);
        assert_string_equal(json_text_at(entry, "effect"), "none");
    }
    assert_non_null(find(json_object_get(c, "same"), "name", "kernel"));
    assert_string_equal(json_text_at(find(json_object_get(c, "same"), "name", "workload"), "value"),
                        "5f3a000000000000");
    json_decref(c);
}

/* What is compared on purpose is no reason against a winner. */
static void vary(void **state)
{
    (void)state;
    static const char *const names[] = {"file system", "nonsense"};
    json_t *b = result_b();
    json_object_set_new(first_device(b), "filesystem", json_string("xfs"));
    json_t *c =
        compare_two(&(struct compare_options){.vary = names, .vary_count = 2}, result_a(), b);
    assert_string_equal(verdict_of(c, 0), "better");
    assert_string_equal(
        json_text_at(find(json_object_get(c, "differ"), "name", "file system"), "effect"),
        "compared");
    const json_t *notes = json_object_get(c, "notes");
    assert_non_null(strstr(json_string_value(json_array_get(notes, 0)), "--vary nonsense"));
    json_decref(c);
}

/* One side's own results differ: what it stands for is not known. */
static void within_one_drive(void **state)
{
    (void)state;
    json_t *results[] = {result_a(), result_b(),
                         made_result(&(struct made){.label = "b", .kernel = "6.2"}, fast, 6)};
    struct compare_input inputs[] = {{"a", results[0]}, {"b", results[1]}, {"b2", results[2]}};
    struct err err;
    json_t *c = compare_json(inputs, 3, &plain, &err);
    assert_refused(c, "settings", "kernel differs (6.1.0, 6.1.0 and 6.2)");
    json_decref(c);
    for (int i = 0; i < 3; i++)
        json_decref(results[i]);
}

static void one_label_for_two_models(void **state)
{
    (void)state;
    json_t *results[] = {result_a(), result_b(),
                         made_result(&(struct made){.label = "b", .model = "Other"}, fast, 6)};
    struct compare_input inputs[] = {{"a", results[0]}, {"b", results[1]}, {"b2", results[2]}};
    struct err err;
    json_t *c = compare_json(inputs, 3, &plain, &err);
    assert_refused(c, "label", "the label b stands for 2 models");
    json_decref(c);
    for (int i = 0; i < 3; i++)
        json_decref(results[i]);
}

/* ---- what results say of themselves ---- */

static void partial(void **state)
{
    (void)state;
    json_t *b = result_b();
    json_object_set_new(b, "partial", json_true());
    json_t *c = compare_two(&plain, result_a(), b);
    assert_refused(c, "partial", "b.jsonl is partial");
    json_decref(c);
}

static void verification(void **state)
{
    (void)state;
    json_t *a = result_a();
    json_object_set_new(json_object_get(phase_of(a, 2), "verify"), "ok", json_false());
    json_t *c = compare_two(&plain, a, result_b());
    assert_refused(c, "verification", "a.jsonl: rows were lost, surplus or wrong in 1 of 6");
    json_decref(c);
}

/* More than 5% from others; exactly 5% is not. */
static void disturbed(void **state)
{
    (void)state;
    static const double shares[] = {0.05, 0.06};
    for (size_t i = 0; i < 2; i++) {
        json_t *b = result_b();
        json_t *device = json_object_get(json_object_get(phase_of(b, 1), "devices"), "nvme0n1");
        json_object_set_new(device, "foreign", json_pack("{s:f}", "share", shares[i]));
        json_t *c = compare_two(&plain, result_a(), b);
        if (i == 1)
            assert_refused(c, "disturbed",
                           "others' I/O disturbed 1 of 6 phases: up to 6% of what the drive moved");
        else
            assert_string_equal(verdict_of(c, 0), "better");
        json_decref(c);
    }
}

static void ended_early(void **state)
{
    (void)state;
    json_t *b = result_b();
    json_object_set_new(trial_of(b, 0), "ended_by", json_string("no_space"));
    json_t *c = compare_two(&plain, result_a(), b);
    assert_refused(c, "ended early", "1 of 6 phases are of trials that ended early");
    json_decref(c);
}

static void set_flushes(json_t *summary, double flushes)
{
    for (size_t i = 0; i < 6; i++)
        json_object_set_new(json_object_get(phase_of(summary, i), "per_commit"), "flushes",
                            json_real(flushes));
}

/* Flushed beside unflushed is never ranked, not even on purpose; nor are two that are not
 * flushed. */
static void flushes(void **state)
{
    (void)state;
    static const char *const names[] = {"engine"};
    const struct compare_options on_purpose = {.vary = names, .vary_count = 1};
    json_t *b = result_b();
    set_flushes(b, 0);
    json_t *c = compare_two(&on_purpose, result_a(), b);
    const json_t *entry = json_array_get(json_object_get(c, "against"), 0);
    assert_non_null(strstr(json_text_at(entry, "text"), "not flushed"));
    assert_refused(c, "flush", "commits were not flushed");
    json_decref(c);
    json_t *a = result_a();
    b = result_b();
    set_flushes(a, 0);
    set_flushes(b, 0);
    c = compare_two(&plain, a, b);
    assert_refused(c, "flush", "commits were not flushed");
    assert_int_equal(json_array_size(json_object_get(c, "against")), 2);
    json_decref(c);
    b = result_b(); /* nobody knows whether it flushed */
    json_object_del(first_device(b), "write_cache");
    set_flushes(b, 0);
    c = compare_two(&plain, result_a(), b);
    assert_refused(c, "flush", "(A: flushed, B: unknown)");
    json_decref(c);
}

static void memory(void **state)
{
    (void)state;
    json_t *a = result_a(), *b = result_b();
    json_object_set_new(first_device(a), "in_memory", json_string("loop0 on tmpfs"));
    json_object_set_new(first_device(b), "in_memory", json_string("loop1 on tmpfs"));
    json_t *c = compare_two(&plain, a, b);
    assert_refused(c, "memory", "lies in memory");
    json_decref(c);
}

/* ---- what both measured ---- */

/* A list here, one value there: what both have is compared, the rest is named. */
static void common_places(void **state)
{
    (void)state;
    json_t *a = made_summary(&(struct made){.label = "a", .streams = "1"});
    json_t *b = made_summary(&(struct made){.label = "b"});
    json_object_set_new(json_object_get(b, "workload"), "workload.streams",
                        json_pack("[s, s]", "1", "10"));
    struct figures f = {NULL, "insert", 0, 0, 1, 3, 9626, 2.07, 1.05};
    for (int i = 0; i < 6; i++) {
        f.commits_per_s = slow[i];
        made_trial(a, i, 0, NULL, &f);
        f.commits_per_s = fast[i];
        made_trial(b, i, 0, json_pack("{s:i}", "streams", 1), &f);
        made_trial(b, i, 0, json_pack("{s:i}", "streams", 10), &f);
    }
    json_t *c = compare_two(&plain, a, b);
    assert_int_equal(json_array_size(json_object_get(c, "groups")), 1);
    assert_string_equal(verdict_of(c, 0), "better");
    const json_t *group = json_array_get(json_object_get(c, "groups"), 0);
    assert_int_equal(json_integer_value(json_at(group, "factors.streams")), 1); /* no text */
    const json_t *left = json_object_get(c, "left_out");
    assert_int_equal(json_array_size(left), 1);
    assert_int_equal(json_integer_value(json_at(json_array_get(left, 0), "factors.streams")), 10);
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(json_array_get(left, 0), "drives"), 0)),
        "B");
    json_decref(c);
}

/* A key that differs in one part bars that part alone. */
static void one_part(void **state)
{
    (void)state;
    static const char *const parts[] = {"bulk", "commits"};
    json_t *both[2] = {NULL, NULL};
    for (int r = 0; r < 2; r++) {
        both[r] = made_summary(&(struct made){.label = r ? "b" : "a"});
        json_object_set_new(json_object_get(both[r], "workload"), "parts",
                            json_pack("[{s:s, s:s}, {s:s, s:s}]", "name", "bulk", "workload.rows",
                                      r ? "2000" : "1000", "name", "commits", "workload.rows",
                                      "10"));
        for (int i = 0; i < 6; i++)
            for (int p = 0; p < 2; p++)
                made_trial(both[r], i, 0, NULL,
                           &(struct figures){parts[p], "insert", 1, r ? fast[i] : slow[i], 1, 3,
                                             9626, 2.07, 1.05});
    }
    json_t *c = compare_two(&plain, both[0], both[1]);
    assert_string_equal(verdict_of(c, 0), "not ranked");
    assert_string_equal(verdict_of(c, 1), "better");
    const json_t *entry = find(json_object_get(c, "differ"), "name", "workload.rows");
    assert_int_equal(json_array_size(json_object_get(entry, "places")), 1);
    json_decref(c);
}

/* Files hold anything: no member has to be of the type that it should be. */
static void hostile(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "{\"trials\":[null,1,{},{\"phases\":7},{\"phases\":[null,{\"name\":\"insert\"}]}]}",
        "{\"label\":[],\"targets\":{},\"devices\":[1,null,{\"role\":5}],\"workload\":[],"
        "\"environment\":\"x\",\"trials\":[{\"target\":-1e300,\"repeat\":\"x\",\"factors\":[1],"
        "\"phases\":[{\"name\":\"insert\",\"commits_per_s\":\"fast\",\"devices\":[]}]}]}",
        "{\"targets\":[1,2],\"trials\":[{\"target\":1,\"factors\":{\"streams\":{\"a\":1},"
        "\"target\":3},\"phases\":[{\"name\":\"\\u001b[2J\",\"commits_per_s\":1e308}]}]}",
        "{\"workload\":{\"workload.streams\":[[]],\"parts\":[{\"name\":3},5]},\"trials\":"
        "[{\"part\":\"x\",\"factors\":{\"streams\":1e999},\"phases\":[{\"name\":\"insert\","
        "\"commits_per_s\":-5}]}]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            json_t *a = json_loads(texts[i], 0, NULL), *b = json_loads(texts[k], 0, NULL);
            if (!a || !b) { /* 1e999 is no number to jansson */
                json_decref(a);
                json_decref(b);
                continue;
            }
            struct compare_input inputs[] = {{"\xFF\x1B", a}, {"b", b}};
            struct err err;
            json_t *c =
                compare_json(inputs, 2, &(struct compare_options){.all_metrics = true}, &err);
            char *dumped = c ? json_dumps(c, 0) : NULL;
            assert_true(!c || dumped);
            assert_true(!dumped || !strstr(dumped, "\"better\""));
            free(dumped);
            json_decref(c);
            json_decref(a);
            json_decref(b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_matters_refuses),
        cmocka_unit_test(nature_does_not),
        cmocka_unit_test(vary),
        cmocka_unit_test(within_one_drive),
        cmocka_unit_test(one_label_for_two_models),
        cmocka_unit_test(partial),
        cmocka_unit_test(verification),
        cmocka_unit_test(disturbed),
        cmocka_unit_test(ended_early),
        cmocka_unit_test(flushes),
        cmocka_unit_test(memory),
        cmocka_unit_test(common_places),
        cmocka_unit_test(one_part),
        cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
