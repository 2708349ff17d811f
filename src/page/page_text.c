#include "page/page_text.h"

#include <string.h>

#include "base/utf8.h"

static const char *reference_of(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* U+2028 and U+2029 end lines in some languages. */
static int is_separator(const char *text, size_t size)
{
    return size == 3 && memcmp(text, "\xE2\x80", 2) == 0 && ((unsigned char)text[2] & ~1u) == 0xA8;
}

void page_text_write(FILE *out, const char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    for (size_t left = strlen(text), size; left > 0; left -= size, text += size) {
        size = utf8_character(text, left);
        unsigned char c = (unsigned char)*text;
        const char *reference = size == 1 ? reference_of(*text) : NULL;
        if (size == 0 || c == 0x7f || (c < 0x20 && c != '\n' && c != '\t'))
            fputs(replacement, out);
        else if (reference)
            fputs(reference, out);
        else if (is_separator(text, size))
            fputc(' ', out);
        else
            fwrite(text, 1, size, out);
        size = size > 0 ? size : 1;
    }
}
