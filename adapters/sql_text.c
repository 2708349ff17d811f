#include "sql_text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sql_text_raw(const struct embedded *files, const char *name)
{
    const struct embedded *file = embedded_find(files, name);
    assert(file != NULL);
    return file->text;
}

static const struct sql_value *value_at(const struct sql_value *values, const char *name,
                                        size_t size)
{
    while (strlen(values->name) != size || memcmp(values->name, name, size) != 0) {
        values++;
        assert(values->name != NULL);
    }
    return values;
}

static const char *past_comments(const char *text)
{
    while (strncmp(text, "--", 2) == 0) {
        const char *end = strchr(text, '\n');
        text = end == NULL ? text + strlen(text) : end + 1;
    }
    return text;
}

char *sql_text_expand(const struct embedded *files, const char *name,
                      const struct sql_value *values)
{
    char *out = NULL;
    size_t size = 0;
    const char *rest = past_comments(sql_text_raw(files, name));
    FILE *stream = open_memstream(&out, &size);
    if (stream == NULL)
        return NULL;
    for (const char *open; (open = strchr(rest, '{')) != NULL;) {
        const char *end = strchr(open, '}');
        assert(end != NULL);
        fwrite(rest, 1, (size_t)(open - rest), stream);
        fputs(value_at(values, open + 1, (size_t)(end - open - 1))->text, stream);
        rest = end + 1;
    }
    size_t left = strlen(rest);
    while (left > 0 && rest[left - 1] == '\n')
        left--;
    fwrite(rest, 1, left, stream);
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(out);
        return NULL;
    }
    return out;
}

struct sql_list sql_text_list(const char *piece, unsigned first, unsigned count)
{
    struct sql_list out = {.text = ""};
    size_t at = 0;
    for (unsigned number = first; number < first + count; number++) {
        if (number != first)
            at += (size_t)snprintf(out.text + at, sizeof out.text - at, ", ");
        for (const char *c = piece; *c != '\0'; c++)
            at += (size_t)(*c == '#' ? snprintf(out.text + at, sizeof out.text - at, "%u", number)
                                     : snprintf(out.text + at, sizeof out.text - at, "%c", *c));
        assert(at < sizeof out.text);
    }
    return out;
}
