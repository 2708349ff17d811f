#include "expected.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"

static bool is_equal(const char *text, const char *expected)
{
    for (int line = 1; *text || *expected; line++) {
        size_t a = strcspn(text, "\n"), b = strcspn(expected, "\n");
        if (a != b || memcmp(text, expected, a) != 0) {
            printf("line %d\nis       %.*s\nexpected %.*s\n", line, (int)a, text, (int)b, expected);
            return false;
        }
        text += a + (text[a] == '\n');
        expected += b + (expected[b] == '\n');
    }
    return true;
}

bool expected_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    bool right = file != NULL && fputs(text, file) != EOF;
    return file != NULL && fclose(file) == 0 && right;
}

bool expected_compare(const char *path, const char *text)
{
    struct err err;
    char *expected = NULL;
    size_t size;
    if (fs_read(path, 16 << 20, &expected, &size, &err) != 0) {
        puts(err.text);
        return false;
    }
    bool right = is_equal(text, expected);
    free(expected);
    return right;
}
