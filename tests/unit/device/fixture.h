/* fixture.h - captures and their expected values, for the tests that run over a folder of
 * cases.  LOADLINE_FIXTURES names the folder; without it such a test skips and says so. */
#ifndef TESTS_DEVICE_FIXTURE_H
#define TESTS_DEVICE_FIXTURE_H

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/json.h"

enum { FIXTURE_SKIPPED = 77, FIXTURE_CASES = 64, FIXTURE_LIMIT = 16 << 20 };

/* The folder of one kind, heap; exits with 77 where it is not there. */
static inline char *fixture_folder(const char *kind)
{
    const char *root = getenv("LOADLINE_FIXTURES");
    if (root == NULL || root[0] == 0) {
        printf("SKIPPED: LOADLINE_FIXTURES is not set, so there are no shared captures to read\n");
        exit(FIXTURE_SKIPPED);
    }
    char *folder = fs_path("%s/%s", root, kind);
    if (access(folder, R_OK) != 0) {
        printf("SKIPPED: %s is not there\n", folder);
        exit(FIXTURE_SKIPPED);
    }
    return folder;
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

#endif
