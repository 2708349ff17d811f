#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that was cut must not end inside a UTF-8 character. */
static void trim_cut_character(char *text, size_t size)
{
    size_t length = strlen(text);
    if (length + 1 < size)
        return;
    size_t start = length;
    while (start > 0 && length - start < 4 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - start + 1 < wanted)
        text[start - 1] = '\0';
}

static void put(struct err *err, const char *text)
{
    snprintf(err->text, sizeof err->text, "%s", text);
    trim_cut_character(err->text, sizeof err->text);
}

int err_set(struct err *err, enum err_kind kind, const char *format, ...)
{
    char text[sizeof err->text]; /* an argument may point into err->text */
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    err->kind = kind;
    put(err, text);
    return -1;
}

int err_set_errno(struct err *err, enum err_kind kind, int number, const char *format, ...)
{
    char text[sizeof err->text];
    char all[sizeof err->text + 256];
    char reason[128];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(all, sizeof all, "%s: %s", text, strerror_r(number, reason, sizeof reason));
    err->kind = kind;
    put(err, all);
    return -1;
}

int err_context(struct err *err, const char *format, ...)
{
    char context[sizeof err->text];
    char all[2 * sizeof err->text + 2];
    va_list args;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
    snprintf(all, sizeof all, "%s: %s", context, err->text);
    put(err, all);
    return -1;
}
