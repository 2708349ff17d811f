#include "base/decimal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Up to eight digits at once: how many, and their number.  There are eight bytes. */
static inline unsigned take_eight(const char *at, uint64_t *number)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    word ^= EACH('0');
    uint64_t others = ((word + EACH(0x76)) | word) & EACH(0x80); /* right up to the lowest */
    unsigned count = others != 0 ? (unsigned)__builtin_ctzll(others) >> 3 : 8;
    if (count == 0)
        return 0;
    word <<= 8 * (8 - count);       /* as if zeros stood in front */
    word = word * 10 + (word >> 8); /* pairs, each in the lower byte of two */
    uint64_t low = (word & UINT64_C(0x000000FF000000FF)) * (100 + (UINT64_C(1000000) << 32));
    uint64_t high = (word >> 16 & UINT64_C(0x000000FF000000FF)) * (1 + (UINT64_C(10000) << 32));
    *number = (low + high) >> 32;
    return count;
}
#endif

/* Digits as one number, up to where it would not fit any more; *lost: how many did not. */
static inline const char *take_digits(const char *at, const char *end, uint64_t *value,
                                      size_t *lost)
{
    uint64_t sum = *value;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    static const uint64_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    while (end - at >= 8 && sum < UINT64_MAX / 100000000 - 1) {
        uint64_t number;
        unsigned count = take_eight(at, &number);
        if (count == 0) {
            *value = sum;
            return at;
        }
        sum = sum * tens[count] + number;
        at += count;
        if (count < 8) {
            *value = sum;
            return at;
        }
    }
#endif
    for (; at < end && is_digit(*at); at++)
        if (*lost > 0 || __builtin_mul_overflow(sum, UINT64_C(10), &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*at - '0'), &sum))
            ++*lost;
    *value = sum;
    return at;
}

/* Exact where mantissa and power of ten are (Clinger, 1990); else the C library's work.  The number
 * is followed by a byte that is no part of it. */
static bool take_real(uint64_t mantissa, long power, bool exact, bool negative,
                      struct decimal *number, const char *from)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    number->is_integer = false;
    if (exact && mantissa <= UINT64_C(1) << 53 && power >= -22 && power <= 22) {
        double value = (double)mantissa;
        value = power < 0 ? value / tens[-power] : value * tens[power];
        number->real = negative ? -value : value;
        return true;
    }
    number->real = strtod(from, NULL);
    return isfinite(number->real);
}

/* The power of ten behind an e; false: there is none. */
static bool take_power(const char **at, const char *end, long *power)
{
    const char *from = *at + 1;
    uint64_t value = 0;
    size_t lost = 0;
    bool negative = from < end && *from == '-';
    if (from < end && (*from == '-' || *from == '+'))
        from++;
    *at = take_digits(from, end, &value, &lost);
    if (*at == from)
        return false;
    long most = 1000000; /* far beyond what take_real() takes for exact */
    *power = lost > 0 || value > (uint64_t)most ? most : (long)value;
    *power = negative ? -*power : *power;
    return true;
}

bool decimal_read(const char **text, const char *end, struct decimal *number)
{
    const char *from = *text, *at = from;
    uint64_t value = 0;
    size_t lost = 0;
    long places = 0, power = 0;
    bool negative = *at == '-';
    at += negative;
    const char *digits = at;
    at = take_digits(at, end, &value, &lost);
    if (at == digits || (*digits == '0' && at - digits > 1) || at == end)
        return false;
    number->is_integer = *at != '.' && *at != 'e' && *at != 'E';
    if (number->is_integer) {
        *text = at;
        if (lost > 0 || value > (uint64_t)INT64_MAX + negative)
            return false;
        number->integer = negative ? (int64_t)(0 - value) : (int64_t)value;
        return true;
    }
    if (*at == '.') {
        const char *fraction = ++at;
        at = take_digits(at, end, &value, &lost);
        places = at - fraction;
        if (places == 0)
            return false;
    }
    if (at < end && (*at == 'e' || *at == 'E') && !take_power(&at, end, &power))
        return false;
    if (at == end)
        return false;
    *text = at;
    return take_real(value, power - places, lost == 0, negative, number, from);
}
