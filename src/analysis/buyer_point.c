#include "analysis/buyer_point.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "result/put.h"

void buyer_point(json_t *points, const char *about, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        abort();
    va_end(arguments);
    json_t *point = json_object();
    put_text(point, "about", about);
    put_text(point, "sentence", text);
    json_array_append_new(points, point);
    free(text);
}
