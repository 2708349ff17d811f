#include "report/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* One character of UTF-8; a broken one is its first byte alone. */
struct character {
    uint32_t code;
    size_t size;
    bool is_valid;
};

static struct character decode(const char *text)
{
    const unsigned char *b = (const unsigned char *)text;
    if (b[0] < 0x80)
        return (struct character){b[0], 1, true};
    size_t size = b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
    uint32_t code = b[0] & (0x7FU >> size);
    for (size_t i = 1; i < size; i++) {
        if ((b[i] & 0xC0) != 0x80)
            return (struct character){b[0], 1, false};
        code = code << 6 | (b[i] & 0x3F);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* of each size */
    bool is_valid = b[0] >= 0xC2 && b[0] <= 0xF4 && code >= least[size] && code <= 0x10FFFF &&
                    (code < 0xD800 || code > 0xDFFF);
    return (struct character){code, is_valid ? size : 1, is_valid};
}

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/* Marks that nobody sees, and those that reorder what stands around them (Unicode's categories Cf,
 * Zl and Zp, blank letters).  Selectors of variants are part of Japanese names. */
static bool is_invisible(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},     {0x115F, 0x1160},
        {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
        {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB},   {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE00FF},
        {0xE01F0, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

/* East Asian wide characters by block, for locales in which wcwidth() knows none. */
static size_t code_columns(uint32_t code)
{
    if (code < 0x80)
        return 1;
    int columns = wcwidth((wchar_t)code);
    if (columns >= 0)
        return (size_t)columns;
    bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
                (code >= 0xFFE0 && code <= 0xFFE6) || (code >= 0x1F300 && code <= 0x1FAFF) ||
                (code >= 0x20000 && code <= 0x3FFFD);
    return wide ? 2 : 1;
}

size_t text_columns(const char *text)
{
    size_t columns = 0;
    for (struct character c; *text; text += c.size) {
        c = decode(text);
        columns += code_columns(c.code);
    }
    return columns;
}

static void add_bytes(struct text *text, const char *bytes, size_t size)
{
    if (text->size + size + 1 > text->capacity) {
        text->capacity = (text->size + size + 1) * 2;
        text->data = realloc(text->data, text->capacity);
        if (!text->data) {
            fputs("loadline: out of memory\n", stderr);
            abort();
        }
    }
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void text_add(struct text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *made = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (made) {
        vsnprintf(made, (size_t)size + 1, format, again);
        add_bytes(text, made, (size_t)size);
        free(made);
    }
    va_end(again);
}

void text_release(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

static void add_escaped(struct text *text, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        text_add(text, "\\x%02x", (unsigned char)bytes[i]);
}

char *text_clean(const char *from, enum text_charset charset, size_t columns)
{
    struct text text = {0};
    add_bytes(&text, "", 0);
    for (struct character c; *from; from += c.size) {
        c = decode(from);
        if (!c.is_valid || is_control(c.code))
            add_escaped(&text, from, c.size);
        else if (is_invisible(c.code))
            text_add(&text, "\\u{%X}", (unsigned)c.code);
        else if (c.code >= 0x80 && charset == TEXT_ASCII)
            add_bytes(&text, "?", 1);
        else
            add_bytes(&text, from, c.size);
    }
    if (columns < 4 || text_columns(text.data) <= columns)
        return text.data;
    size_t at = 0, used = 0;
    for (struct character c; text.data[at]; at += c.size) {
        c = decode(text.data + at);
        if (used + code_columns(c.code) > columns - 3)
            break;
        used += code_columns(c.code);
    }
    text.size = at;
    add_bytes(&text, "...", 3);
    return text.data;
}

/* Bytes of the longest start of `text` that fits into `room` columns and ends before a blank
 * or at the end; of a word that does not fit at all, what fits. */
static size_t fit(const char *text, size_t room)
{
    size_t used = 0, at = 0, last_blank = 0;
    for (struct character c; text[at]; at += c.size) {
        c = decode(text + at);
        if (c.code == ' ')
            last_blank = at;
        if (used + code_columns(c.code) > room)
            return last_blank > 0 ? last_blank : at > 0 ? at : c.size;
        used += code_columns(c.code);
    }
    return at;
}

void text_print(FILE *out, const char *label, size_t indent, const char *text, size_t width,
                const char *before, const char *after)
{
    size_t columns = text_columns(label);
    size_t room = width > indent + 8 ? width - indent : 8;
    fprintf(out, "%s%s%s", before, label, after);
    if (columns >= indent && columns > 0)
        fputc(' ', out);
    for (size_t pad = columns; pad < indent; pad++)
        fputc(' ', out);
    for (;;) {
        size_t size = fit(text, room);
        fwrite(text, 1, size, out);
        fputc('\n', out);
        text += size + strspn(text + size, " ");
        if (!*text)
            return;
        for (size_t pad = 0; pad < indent; pad++)
            fputc(' ', out);
    }
}
