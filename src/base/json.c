#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

json_t *json_measured(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Bytes of the valid UTF-8 character at `text`, 0 if there is none (RFC 3629). */
static size_t character_size(const unsigned char *text)
{
    unsigned char lead = text[0];
    if (lead < 0x80)
        return 1;
    size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    bool is_overlong = (lead == 0xE0 && text[1] < 0xA0) || (lead == 0xF0 && text[1] < 0x90);
    bool is_surrogate = lead == 0xED && text[1] > 0x9F;
    bool is_too_large = lead == 0xF4 && text[1] > 0x8F;
    return is_overlong || is_surrogate || is_too_large ? 0 : size;
}

json_t *json_text(const char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    if (text == NULL)
        return json_null();
    char *clean = malloc(3 * strlen(text) + 1);
    if (clean == NULL)
        return NULL;
    size_t used = 0;
    while (*text != '\0') {
        size_t size = character_size((const unsigned char *)text);
        if (size == 0) {
            memcpy(clean + used, replacement, 3);
            used += 3;
            text++;
            continue;
        }
        memcpy(clean + used, text, size);
        used += size;
        text += size;
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
