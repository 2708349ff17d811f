/* fixture.h - captures and their expected values, for the tests that run over a folder of
 * cases: the project's own, and a shared folder that LOADLINE_FIXTURES names.  Without that
 * one such a test checks its own cases, says so and skips. */
#ifndef TESTS_DEVICE_FIXTURE_H
#define TESTS_DEVICE_FIXTURE_H

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/json.h"

enum { FIXTURE_SKIPPED = 77, FIXTURE_CASES = 64, FIXTURE_LIMIT = 16 << 20 };

/* The shared folder of one kind, heap; NULL, with the reason printed, where there is none. */
static inline char *fixture_shared(const char *kind)
{
    const char *root = getenv("LOADLINE_FIXTURES");
    if (root == NULL || root[0] == 0) {
        printf("SKIPPED: LOADLINE_FIXTURES is not set, so only the project's own captures "
               "were read\n");
        return NULL;
    }
    char *folder = fs_path("%s/%s", root, kind);
    if (access(folder, R_OK) == 0)
        return folder;
    printf("SKIPPED: %s is not there, so only the project's own captures were read\n", folder);
    free(folder);
    return NULL;
}

static inline char *fixture_text(const char *folder, const char *name, size_t *size)
{
    struct err err = {.kind = ERR_NONE};
    char *path = fs_path("%s/%s", folder, name), *text = NULL;
    if (fs_read(path, FIXTURE_LIMIT, &text, size, &err) != 0)
        fail_msg("%s", err.text);
    free(path);
    return text;
}

static inline json_t *fixture_json(const char *folder, const char *name)
{
    char *path = fs_path("%s/%s", folder, name);
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    if (json == NULL) /* a number above 63 bits */
        json = json_load_file(path, JSON_DECODE_INT_AS_REAL, &error);
    if (json == NULL)
        fail_msg("%s: %s", path, error.text);
    free(path);
    return json;
}

/* Runs `check` on every sub-folder that holds expected.json; returns how many there were. */
static inline int fixture_each(const char *folder, void (*check)(const char *, json_t *))
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort), cases = 0;
    for (int i = 0; i < count; i++) {
        char *one = fs_path("%s/%s", folder, entries[i]->d_name);
        char *expected = fs_path("%s/expected.json", one);
        if (entries[i]->d_name[0] != '.' && access(expected, R_OK) == 0) {
            json_t *json = fixture_json(one, "expected.json");
            print_message("  %s\n", entries[i]->d_name);
            check(one, json);
            json_decref(json);
            cases++;
        }
        free(expected);
        free(one);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return cases;
}

/* All cases of a kind: the project's own, and the shared ones where they are; false: they are
 * not. */
static inline bool fixture_all(const char *kind, void (*check)(const char *, json_t *))
{
    char *own = fs_path(TESTS_DIR "/fixtures/device/%s", kind), *shared = fixture_shared(kind);
    bool complete = shared != NULL;
    assert_true(fixture_each(own, check) > 0);
    if (complete)
        assert_true(fixture_each(shared, check) > 0);
    free(own);
    free(shared);
    return complete;
}

#endif
