/* Runs of two drives one after the other are told from runs in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/compare.h"
#include "unit/analysis/compare_documents.h"

enum { RUNS = 4 };

/* The note on four runs of A, B, A, B by their starts (NULL: unknown); heap, NULL: there is none.
 */
static char *note_of(const char *const started[RUNS])
{
    static const char *const ids[RUNS] = {"1", "2", "3", "4"};
    const struct compare_options options = {.all_metrics = false};
    struct compare_input inputs[RUNS];
    struct err err;
    char *found = NULL;
    size_t index;
    const json_t *note;
    for (size_t i = 0; i < RUNS; i++) {
        json_t *summary =
            made_summary(&(struct made){.label = i % 2 == 0 ? "A" : "B", .run_id = ids[i]});
        json_object_set_new(summary, "started", json_text(started[i]));
        inputs[i] = (struct compare_input){ids[i], summary};
    }
    json_t *comparison = compare_json(inputs, RUNS, &options, &err);
    assert_non_null(comparison);
    json_array_foreach(json_object_get(comparison, "notes"), index, note)
    {
        if (strstr(json_string_value(note), "came before"))
            found = strdup(json_string_value(note));
    }
    json_decref(comparison);
    for (size_t i = 0; i < RUNS; i++)
        json_decref((json_t *)inputs[i].summary);
    return found;
}

static void one_after_the_other(void **state)
{
    (void)state;
    char *note = note_of((const char *[]){"2026-01-01T00:00:00Z", "2026-01-01T02:00:00Z",
                                          "2026-01-01T01:00:00Z", "2026-01-01T03:00:00Z"});
    assert_non_null(note);
    assert_int_equal(strncmp(note, "all runs of A came before those of B:", 37), 0);
    free(note);
    note = note_of((const char *[]){"2026-01-02T00:00:00Z", "2026-01-01T02:00:00Z",
                                    "2026-01-03T01:00:00Z", "2026-01-01T03:00:00Z"});
    assert_non_null(note);
    assert_int_equal(strncmp(note, "all runs of B came before those of A:", 37), 0);
    free(note);
}

static void in_turn_or_unknown(void **state)
{
    (void)state;
    assert_null(note_of((const char *[]){"2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z",
                                         "2026-01-01T02:00:00Z", "2026-01-01T03:00:00Z"}));
    assert_null(note_of((const char *[]){"2026-01-01T00:00:00Z", "2026-01-01T02:00:00Z",
                                         "2026-01-01T01:00:00Z", NULL}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(in_turn_or_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
