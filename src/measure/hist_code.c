/* HdrHistogram's V2 encoding.  Big-endian words:
 *
 *     compressed: cookie 0x1c849314, length, zlib stream of
 *     plain:      cookie 0x1c849313, length of the counts, index offset, significant digits,
 *                 lowest discernible value (8 bytes), highest trackable value (8),
 *                 conversion ratio as a double (8), the counts
 *
 * The lowest byte's upper half, 1, says that the counts are ZigZag LEB128 numbers of up to 9
 * bytes (the 9th holds 8 bits); -n stands for n zeros. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "measure/base64.h"
#include "measure/hist.h"

#define PLAIN_COOKIE      UINT32_C(0x1c849313)
#define COMPRESSED_COOKIE UINT32_C(0x1c849314)

enum {
    DIGITS = 2,
    HEADER_BYTES = 40,
    COMPRESSED_HEADER_BYTES = 8,
    WORD_BYTES_MAX = 9,
    PLAIN_BYTES_MAX = HEADER_BYTES + HIST_COUNTS * WORD_BYTES_MAX,
    /* Incompressible data grows a little; nobody's zlib adds a quarter. */
    COMPRESSED_BYTES_MAX = COMPRESSED_HEADER_BYTES + PLAIN_BYTES_MAX + PLAIN_BYTES_MAX / 4,
};

static unsigned char *put_word(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        *at++ = (unsigned char)(value >> (8 * i));
    return at;
}

static uint64_t get_word(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

static uint64_t ratio_one(void)
{
    const double one = 1.0;
    uint64_t bits;
    memcpy(&bits, &one, sizeof bits);
    return bits;
}

static unsigned char *put_number(unsigned char *at, int64_t value)
{
    uint64_t zigzag = (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
    for (int i = 0; i < WORD_BYTES_MAX - 1; i++) {
        if (zigzag < 0x80) {
            *at++ = (unsigned char)zigzag;
            return at;
        }
        *at++ = (unsigned char)(zigzag | 0x80);
        zigzag >>= 7;
    }
    *at++ = (unsigned char)zigzag;
    return at;
}

/* NULL: the bytes end inside the number. */
static const unsigned char *get_number(const unsigned char *at, const unsigned char *end,
                                       int64_t *value)
{
    uint64_t zigzag = 0;
    for (int i = 0; i < WORD_BYTES_MAX; i++) {
        if (at == end)
            return NULL;
        uint64_t byte = *at++;
        bool last = i == WORD_BYTES_MAX - 1 || byte < 0x80;
        zigzag |= (i == WORD_BYTES_MAX - 1 ? byte : byte & 0x7f) << (7 * i);
        if (last)
            break;
    }
    *value = (int64_t)(zigzag >> 1 ^ (zigzag & 1 ? UINT64_MAX : 0));
    return at;
}

static size_t put_plain(const struct hist *h, unsigned char *plain)
{
    uint32_t limit = h->count ? h->high + 1 : 1;
    unsigned char *at = plain + HEADER_BYTES;
    for (uint32_t i = 0; i < limit;) {
        uint32_t zeros = 0;
        while (i + zeros < limit && h->counts[i + zeros] == 0)
            zeros++;
        if (zeros > 1) {
            at = put_number(at, -(int64_t)zeros);
            i += zeros;
        } else {
            at = put_number(at, (int64_t)h->counts[i++]);
        }
    }
    size_t size = (size_t)(at - plain);
    at = put_word(plain, PLAIN_COOKIE, 4);
    at = put_word(at, size - HEADER_BYTES, 4);
    at = put_word(at, 0, 4);
    at = put_word(at, DIGITS, 4);
    at = put_word(at, UINT64_C(1) << HIST_UNIT_SHIFT, 8);
    at = put_word(at, HIST_MAX_NS, 8);
    put_word(at, ratio_one(), 8);
    return size;
}

char *hist_encode(const struct hist *h)
{
    unsigned char *plain = malloc(PLAIN_BYTES_MAX), *packed = malloc(COMPRESSED_BYTES_MAX);
    if (plain == NULL || packed == NULL)
        abort();
    size_t size = put_plain(h, plain);
    uLongf packed_size = COMPRESSED_BYTES_MAX - COMPRESSED_HEADER_BYTES;
    if (compress2(packed + COMPRESSED_HEADER_BYTES, &packed_size, plain, size,
                  Z_DEFAULT_COMPRESSION) != Z_OK)
        abort();
    put_word(put_word(packed, COMPRESSED_COOKIE, 4), packed_size, 4);
    size = COMPRESSED_HEADER_BYTES + packed_size;
    char *text = malloc(base64_room(size));
    if (text == NULL)
        abort();
    base64_encode(packed, size, text);
    free(packed);
    free(plain);
    return text;
}

static int put_count(struct hist *h, uint32_t index, int64_t count)
{
    if (__builtin_add_overflow(h->count, (uint64_t)count, &h->count))
        return -1;
    int64_t lowest = hist_lowest_ns(index), width = hist_width_ns(index);
    h->counts[index] = (uint64_t)count;
    h->sum_ns += (double)count * (double)(lowest + width / 2);
    h->low = h->low < index ? h->low : index;
    h->high = index;
    h->min_ns = h->min_ns < lowest ? h->min_ns : lowest;
    h->max_ns = lowest + width - 1;
    return 0;
}

static int get_counts(struct hist *h, const unsigned char *at, const unsigned char *end)
{
    uint32_t index = 0;
    while (at != end) {
        int64_t value;
        at = get_number(at, end, &value);
        if (at == NULL)
            return -1;
        if (value < 0 && value < -(int64_t)(HIST_COUNTS - index))
            return -1;
        if (value < 0) {
            index += (uint32_t)-value;
            continue;
        }
        if (index == HIST_COUNTS || (value > 0 && put_count(h, index, value) != 0))
            return -1;
        index++;
    }
    return 0;
}

static const char *get_plain(struct hist *h, const unsigned char *plain, size_t size)
{
    if (size < HEADER_BYTES || get_word(plain, 4) != PLAIN_COOKIE)
        return "no V2 histogram inside";
    if (get_word(plain + 4, 4) != size - HEADER_BYTES)
        return "its length is wrong";
    if (get_word(plain + 8, 4) != 0 || get_word(plain + 12, 4) != DIGITS ||
        get_word(plain + 16, 8) != UINT64_C(1) << HIST_UNIT_SHIFT ||
        get_word(plain + 24, 8) != HIST_MAX_NS || get_word(plain + 32, 8) != ratio_one())
        return "made for another range or precision than loadline's 8 ns to 1 h";
    if (get_counts(h, plain + HEADER_BYTES, plain + size) != 0)
        return "its counts are damaged";
    return NULL;
}

/* NULL or what is wrong. */
static const char *decode(const char *base64, unsigned char *packed, unsigned char *plain,
                          struct hist *h)
{
    size_t size = COMPRESSED_BYTES_MAX;
    if (base64_decode(base64, packed, &size) != 0)
        return "not base64, or too long";
    if (size < COMPRESSED_HEADER_BYTES || get_word(packed, 4) != COMPRESSED_COOKIE)
        return "no compressed V2 histogram";
    size -= COMPRESSED_HEADER_BYTES;
    if (get_word(packed + 4, 4) != size)
        return "cut short, or followed by something";
    uLongf plain_size = PLAIN_BYTES_MAX;
    if (uncompress(plain, &plain_size, packed + COMPRESSED_HEADER_BYTES, size) != Z_OK)
        return "its zlib stream is damaged";
    return get_plain(h, plain, plain_size);
}

int hist_decode(const char *base64, struct hist *h, struct err *err)
{
    unsigned char *packed = malloc(COMPRESSED_BYTES_MAX), *plain = malloc(PLAIN_BYTES_MAX);
    hist_reset(h);
    const char *wrong = packed && plain ? decode(base64, packed, plain, h) : "out of memory";
    free(packed);
    free(plain);
    if (wrong == NULL)
        return 0;
    hist_reset(h); /* what was read before the damage must not stay */
    return err_set(err, ERR_FAILED, "histogram cannot be read: %s", wrong);
}
