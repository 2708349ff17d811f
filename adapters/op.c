#include "adapter.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that was cut must not end inside a UTF-8 character: it goes into JSON. */
static void op_trim(char *text, size_t size)
{
    size_t end = size - 1;
    while (end > 0 && ((unsigned char)text[end - 1] & 0xC0) == 0x80)
        end--;
    if (end > 0 && (unsigned char)text[end - 1] >= 0xC0)
        end--;
    text[end] = '\0';
}

enum op_status op_fail(struct op_error *why, enum op_status status, int native, const char *format,
                       ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    if (length >= (int)sizeof why->text)
        op_trim(why->text, sizeof why->text);
    why->native = native;
    memset(why->sqlstate, 0, sizeof why->sqlstate);
    return status;
}
