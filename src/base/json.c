#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

json_t *json_measured(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_text(const char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    if (text == NULL)
        return json_null();
    size_t left = strlen(text);
    char *clean = malloc(3 * left + 1);
    if (clean == NULL)
        return NULL;
    size_t used = 0;
    while (left > 0) {
        size_t size = utf8_character(text, left);
        memcpy(clean + used, size > 0 ? text : replacement, size > 0 ? size : 3);
        used += size > 0 ? size : 3;
        size = size > 0 ? size : 1;
        text += size;
        left -= size;
    }
    json_t *string = json_stringn(clean, used);
    free(clean);
    return string;
}

json_t *json_at(const json_t *object, const char *path)
{
    if (!json_is_object(object))
        return NULL;
    for (size_t end = strlen(path); end > 0; end--) {
        if (path[end] != '\0' && path[end] != '.')
            continue;
        json_t *value = json_object_getn(object, path, end);
        if (value != NULL && path[end] == '.')
            value = json_at(value, path + end + 1);
        if (value != NULL)
            return value;
    }
    return NULL;
}

double json_number_at(const json_t *object, const char *path)
{
    const json_t *value = json_at(object, path);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *json_text_at(const json_t *object, const char *path)
{
    return json_string_value(json_at(object, path));
}

static int write_text(FILE *file, const json_t *value, size_t flags, struct err *err)
{
    char *text = json_dumps(value, flags | JSON_REAL_PRECISION(12) | JSON_ENCODE_ANY);
    if (text == NULL)
        return err_set(err, ERR_FAILED, "a record cannot be written as JSON");
    errno = 0;
    int failed = fputs(text, file) == EOF || fputc('\n', file) == EOF || fflush(file) != 0;
    int number = errno;
    free(text);
    if (failed)
        return err_set_errno(err, ERR_FAILED, number, "write of the result");
    return 0;
}

int json_write_line(FILE *file, const json_t *value, struct err *err)
{
    return write_text(file, value, JSON_COMPACT, err);
}

int json_write_pretty(FILE *file, const json_t *value, struct err *err)
{
    return write_text(file, value, JSON_INDENT(2), err);
}
