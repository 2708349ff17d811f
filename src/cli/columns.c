#include "cli/columns.h"

#include <string.h>
#include <wchar.h>

int columns_copy(char *out, size_t size, const char *text, int limit)
{
    size_t left = strlen(text), used = 0;
    int columns = 0;
    mbstate_t state = {0};

    while (left > 0) {
        wchar_t wide;
        size_t length = mbrtowc(&wide, text, left, &state);
        int width = -1;
        if (length == 0 || length > left) {
            length = 1;
            memset(&state, 0, sizeof state);
        } else {
            width = wcwidth(wide);
        }
        size_t bytes = width < 0 ? 1 : length;
        int shown = width < 0 ? 1 : width;
        if (columns + shown > limit || used + bytes >= size)
            break;
        if (width < 0)
            out[used] = '?';
        else
            memcpy(out + used, text, length);
        used += bytes;
        columns += shown;
        text += length;
        left -= length;
    }
    if (size > 0)
        out[used] = '\0';
    return columns;
}
