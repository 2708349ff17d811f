#include "base/utf8.h"

#include <stdbool.h>

size_t utf8_character(const char *text, size_t size)
{
    const unsigned char *byte = (const unsigned char *)text;
    unsigned char lead = byte[0];
    if (lead < 0x80)
        return 1;
    size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || wanted > size)
        return 0;
    for (size_t i = 1; i < wanted; i++)
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
    bool is_overlong = (lead == 0xE0 && byte[1] < 0xA0) || (lead == 0xF0 && byte[1] < 0x90);
    bool is_surrogate = lead == 0xED && byte[1] > 0x9F;
    bool is_too_large = lead == 0xF4 && byte[1] > 0x8F;
    return is_overlong || is_surrogate || is_too_large ? 0 : wanted;
}

size_t utf8_valid(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        size_t step = utf8_character(text + at, size - at);
        if (step == 0)
            break;
        at += step;
    }
    return at;
}
