#include "base/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/utf8.h"

enum { ESCAPE_UNIT = 6, ESCAPE_PAIR = 12 }; /* \uXXXX, and two of them */

void scan_init(struct scan *scan, const char *text, size_t size)
{
    *scan = (struct scan){.at = text, .end = text + size};
}

static bool fail(struct scan *scan)
{
    scan->failed = true;
    scan->at = scan->end;
    return false;
}

/* 0 at the end: no value begins with it. */
static inline char next(struct scan *scan)
{
    while (scan->at < scan->end &&
           (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r' || *scan->at == '\n'))
        scan->at++;
    return scan->at < scan->end ? *scan->at : 0;
}

bool scan_end(struct scan *scan)
{
    next(scan);
    return !scan->failed && scan->depth == 0 && !scan->fresh && scan->at == scan->end;
}

/* ---- strings ---- */

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The unit of \uXXXX at `at`, or -1. */
static int32_t unit_at(const char *at, const char *end)
{
    int32_t unit = 0;
    if (end - at < ESCAPE_UNIT || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < ESCAPE_UNIT; i++) {
        int digit = hex(at[i]);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

/* What the escape at `at` stands for, and its length; 0: it is none, or stands for a NUL. */
static uint32_t escape_at(const char *at, const char *end, size_t *size)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    *size = 2;
    if (end - at < 2)
        return 0;
    const char *found = at[1] != 0 ? strchr(plain, at[1]) : NULL;
    if (found != NULL)
        return (uint32_t)(unsigned char)meant[found - plain];
    int32_t unit = unit_at(at, end);
    *size = ESCAPE_UNIT;
    if (unit < 0xD800 || unit > 0xDFFF)
        return unit > 0 ? (uint32_t)unit : 0;
    int32_t low = unit <= 0xDBFF ? unit_at(at + ESCAPE_UNIT, end) : -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return 0;
    *size = ESCAPE_PAIR;
    return 0x10000 + ((uint32_t)(unit - 0xD800) << 10 | (uint32_t)(low - 0xDC00));
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The top bit of bytes that are 0; right up to the lowest such byte. */
static inline uint64_t zeros(uint64_t word)
{
    return (word - EACH(1)) & ~word & EACH(0x80);
}

/* From `at` on, the first byte that is not just a character of ASCII. */
static inline const char *plain_until(const char *at, const char *end)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - at >= 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        uint64_t stops = zeros(word ^ EACH('"')) | zeros(word ^ EACH('\\')) |
                         ((word - EACH(0x20)) & ~word & EACH(0x80)) | (word & EACH(0x80));
        if (stops != 0)
            return at + (__builtin_ctzll(stops) >> 3);
        at += 8;
    }
#endif
    while (at < end && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x80 && *at != '"' &&
           *at != '\\')
        at++;
    return at;
}

/* `at` is the opening quote. */
static bool take_text(struct scan *scan, struct scan_text *text)
{
    const char *from = scan->at + 1, *at = from;
    text->escaped = false;
    for (;;) {
        size_t size = 0;
        at = plain_until(at, scan->end);
        if (at == scan->end)
            return fail(scan);
        if (*at == '"')
            break;
        if (*at == '\\') {
            text->escaped = true;
            if (escape_at(at, scan->end, &size) == 0)
                return fail(scan);
        } else if ((unsigned char)*at < 0x20 ||
                   (size = utf8_character(at, (size_t)(scan->end - at))) == 0) {
            return fail(scan);
        }
        at += size;
    }
    text->bytes = from;
    text->size = (size_t)(at - from);
    scan->at = at + 1;
    return true;
}

static size_t put_character(char *to, uint32_t c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)((0xF00U >> size & 0xFF) | c);
    return size;
}

/* The bytes of the next character or escape into `to`; returns how many. */
static size_t step(const struct scan_text *text, size_t *at, char to[4])
{
    const char *from = text->bytes + *at;
    if (*from != '\\') {
        to[0] = *from;
        (*at)++;
        return 1;
    }
    size_t size;
    uint32_t c = escape_at(from, text->bytes + text->size, &size);
    *at += size;
    return put_character(to, c);
}

size_t scan_text_copy(const struct scan_text *text, char *to)
{
    char piece[4];
    size_t used = 0;
    for (size_t at = 0; at < text->size;) {
        size_t size = step(text, &at, piece);
        memcpy(to + used, piece, size);
        used += size;
    }
    return used;
}

bool scan_text_is(const struct scan_text *text, const char *word)
{
    size_t size = strlen(word), used = 0;
    char piece[4];
    if (!text->escaped)
        return text->size == size && memcmp(text->bytes, word, size) == 0;
    for (size_t at = 0; at < text->size;) {
        size_t count = step(text, &at, piece);
        if (count > size - used || memcmp(word + used, piece, count) != 0)
            return false;
        used += count;
    }
    return used == size;
}

/* ---- numbers ---- */

static bool take_number(struct scan *scan, struct decimal *number)
{
    return decimal_read(&scan->at, scan->end, number) || fail(scan);
}

/* ---- values ---- */

static bool enter(struct scan *scan)
{
    scan->at++;
    scan->depth++;
    scan->fresh = true;
    return true;
}

static void leave(struct scan *scan)
{
    scan->at++;
    scan->depth--;
    scan->fresh = false;
}

/* The first byte of the next value; 0: there can be none here.  A text is one object or array. */
static inline char begin(struct scan *scan)
{
    char c = next(scan);
    if (scan->failed || scan->depth >= SCAN_DEPTH_MAX || (scan->depth == 0 && c != '{' && c != '['))
        return (char)fail(scan);
    return c;
}

static bool take_literal(struct scan *scan, char c)
{
    const char *word = c == 't' ? "true" : c == 'f' ? "false" : "null";
    size_t size = strlen(word);
    if ((size_t)(scan->end - scan->at) < size || memcmp(scan->at, word, size) != 0)
        return fail(scan);
    scan->at += size;
    return true;
}

static bool take_scalar(struct scan *scan, char c)
{
    struct scan_text text;
    struct decimal number;
    if (c == '"')
        return take_text(scan, &text);
    if (decimal_begins(c))
        return take_number(scan, &number);
    return take_literal(scan, c);
}

bool scan_object(struct scan *scan)
{
    if (begin(scan) == '{')
        return enter(scan);
    scan_skip(scan);
    return false;
}

bool scan_array(struct scan *scan)
{
    if (begin(scan) == '[')
        return enter(scan);
    scan_skip(scan);
    return false;
}

/* To the next member or item of what is open; false: it was left. */
static inline bool advance(struct scan *scan, char closing)
{
    char c = next(scan);
    if (c == closing) {
        leave(scan);
        return false;
    }
    if (scan->fresh) {
        scan->fresh = false;
        return !scan->failed;
    }
    if (c != ',')
        return fail(scan);
    scan->at++;
    return true;
}

bool scan_key(struct scan *scan, struct scan_text *key)
{
    if (scan->failed || !advance(scan, '}'))
        return false;
    if (next(scan) != '"' || !take_text(scan, key) || next(scan) != ':')
        return fail(scan);
    scan->at++;
    return true;
}

bool scan_key_like(struct scan *scan, const char *name, size_t size)
{
    size_t comma = !scan->fresh;
    const char *at = scan->at;
    if (scan->failed || (size_t)(scan->end - at) < comma + size + 3 || (comma && *at != ',') ||
        at[comma] != '"' || at[comma + size + 1] != '"' || at[comma + size + 2] != ':' ||
        memcmp(at + comma + 1, name, size) != 0)
        return false;
    scan->at = at + comma + size + 3;
    scan->fresh = false;
    return true;
}

bool scan_item(struct scan *scan)
{
    return !scan->failed && advance(scan, ']');
}

bool scan_integer(struct scan *scan, int64_t *value)
{
    struct decimal number;
    char c = begin(scan);
    if (!decimal_begins(c)) {
        scan_skip(scan);
        return false;
    }
    if (!take_number(scan, &number) || !number.is_integer)
        return false;
    *value = number.integer;
    return true;
}

bool scan_number(struct scan *scan, double *value)
{
    struct decimal number;
    char c = begin(scan);
    if (!decimal_begins(c)) {
        scan_skip(scan);
        return false;
    }
    if (!take_number(scan, &number))
        return false;
    *value = number.is_integer ? (double)number.integer : number.real;
    return true;
}

bool scan_text(struct scan *scan, struct scan_text *text)
{
    if (begin(scan) == '"')
        return take_text(scan, text);
    scan_skip(scan);
    return false;
}

/* One bit a level says which kind it is, so that no depth needs a stack of its own. */
static void skip_container(struct scan *scan)
{
    unsigned char is_object[SCAN_DEPTH_MAX / 8 + 1] = {0};
    unsigned outside = scan->depth;
    do {
        char c = begin(scan);
        if (c == '{' || c == '[') {
            enter(scan);
            unsigned bit = 1U << (scan->depth & 7);
            unsigned char *byte = &is_object[scan->depth >> 3];
            *byte = (unsigned char)(c == '{' ? *byte | bit : *byte & ~bit);
        } else if (scan->failed || !take_scalar(scan, c)) {
            return;
        }
        /* To the next value, through the ends of what is over. */
        while (scan->depth > outside && !scan->failed) {
            struct scan_text key;
            bool in_object = is_object[scan->depth >> 3] >> (scan->depth & 7) & 1;
            if (in_object ? scan_key(scan, &key) : scan_item(scan))
                break;
        }
    } while (scan->depth > outside && !scan->failed);
}

void scan_skip(struct scan *scan)
{
    char c = begin(scan);
    if (c == '{' || c == '[')
        skip_container(scan);
    else if (!scan->failed)
        take_scalar(scan, c);
}
