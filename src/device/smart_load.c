#include "device/smart_load.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Each try may read all of the text: text that only looks like many documents ends here. */
enum { TRIES = 16 };

void smart_load_text(char *out, size_t capacity, const char *text, size_t size)
{
    size_t used = 0;
    while (size > 0 && *text == ' ')
        text++, size--;
    while (size > 0) {
        size_t length = utf8_character(text, size);
        bool shown = length > 1 || (length == 1 && *text >= ' ' && *text != 0x7F);
        size_t room = shown ? length : 1;
        if (used + room >= capacity)
            break;
        if (shown)
            memcpy(out + used, text, length);
        else
            out[used] = '?';
        used += room;
        text += length > 0 ? length : 1;
        size -= length > 0 ? length : 1;
    }
    while (used > 0 && out[used - 1] == ' ')
        used--;
    out[used] = 0;
}

static bool from_smartctl(const json_t *document)
{
    static const char *const keys[] = {"smartctl", "json_format_version", "device", "model_name"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(document, keys[i]) != NULL)
            return true;
    return false;
}

static json_t *load_at(const char *text, size_t size)
{
    json_error_t error;
    size_t flags = JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL;
    json_t *document = json_loadb(text, size, flags, &error);
    if (document == NULL && json_error_code(&error) == json_error_numeric_overflow)
        document = json_loadb(text, size, flags | JSON_DECODE_INT_AS_REAL, &error);
    if (document != NULL && from_smartctl(document))
        return document;
    json_decref(document);
    return NULL;
}

static json_t *load_first(const char *text, size_t size)
{
    json_t *document = NULL;
    const char *end = text + size, *brace = text;
    for (int i = 0; document == NULL && i < TRIES; i++) {
        brace = memchr(brace, '{', (size_t)(end - brace));
        if (brace == NULL)
            break;
        document = load_at(brace, (size_t)(end - brace));
        brace++;
    }
    return document;
}

json_t *smart_load(const char *text, size_t size)
{
    if (size == 0)
        return NULL;
    json_t *document = load_first(text, size);
    if (document != NULL || utf8_valid(text, size) == size)
        return document;
    char *clean = malloc(size);
    if (clean == NULL)
        return NULL;
    memcpy(clean, text, size);
    for (size_t at = 0; (at += utf8_valid(clean + at, size - at)) < size;)
        clean[at] = '?';
    document = load_first(clean, size);
    free(clean);
    return document;
}
