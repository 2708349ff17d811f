#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static void put(struct err *err, const char *text)
{
    snprintf(err->text, sizeof err->text, "%s", text);
    size_t size = strlen(err->text);
    if (size + 1 < sizeof err->text)
        return;
    /* A text that was cut must not end inside a UTF-8 character. */
    for (size_t cut = 1; cut < 4; cut++) {
        size_t at = size - cut;
        if (((unsigned char)err->text[at] & 0xC0) == 0x80)
            continue;
        if (utf8_character(err->text + at, cut) == 0)
            err->text[at] = '\0';
        return;
    }
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
