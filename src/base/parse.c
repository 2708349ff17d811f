#include "base/parse.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

/* Fractions have at most this many digits, so that they fit 64 bits. */
enum { FRACTION_DIGITS_MAX = 18 };

struct decimal {
    uint64_t whole;
    uint64_t fraction; /* whole + fraction / 10^digits, trailing zeros dropped */
    uint64_t power;    /* 10^digits */
    const char *unit;  /* what follows */
};

struct unit {
    const char *name; /* NULL ends a table */
    uint64_t factor;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "12", "1.5": digits on both sides of a point.  False: no number, or too large. */
static bool read_decimal(const char *text, struct decimal *decimal)
{
    *decimal = (struct decimal){.power = 1};
    if (!is_digit(*text))
        return false;
    for (; is_digit(*text); text++)
        if (__builtin_mul_overflow(decimal->whole, UINT64_C(10), &decimal->whole) ||
            __builtin_add_overflow(decimal->whole, (uint64_t)(*text - '0'), &decimal->whole))
            return false;
    if (*text == '.') {
        text++;
        if (!is_digit(*text))
            return false;
        const char *end = text;
        const char *last = text;
        for (; is_digit(*end); end++)
            if (*end != '0')
                last = end + 1;
        if (last - text > FRACTION_DIGITS_MAX)
            return false;
        for (; text < last; text++) {
            decimal->fraction = 10 * decimal->fraction + (uint64_t)(*text - '0');
            decimal->power *= 10;
        }
        text = end;
    }
    decimal->unit = text;
    return true;
}

/* decimal x factor, where that is a whole number of 64 bits. */
static bool scale(const struct decimal *decimal, uint64_t factor, uint64_t *value)
{
    rng_wide part = (rng_wide)decimal->fraction * factor;
    if (part % decimal->power != 0)
        return false;
    rng_wide sum = (rng_wide)decimal->whole * factor + part / decimal->power;
    *value = (uint64_t)sum;
    return sum <= UINT64_MAX;
}

static bool parse_with_units(const char *text, const struct unit *units, uint64_t *value)
{
    struct decimal decimal;
    if (!read_decimal(text, &decimal))
        return false;
    for (; units->name != NULL; units++)
        if (strcmp(units->name, decimal.unit) == 0)
            return scale(&decimal, units->factor, value);
    return false;
}

int parse_count(const char *text, uint64_t *count, struct err *err)
{
    static const struct unit units[] = {{"", 1},
                                        {"k", UINT64_C(1000)},
                                        {"M", UINT64_C(1000000)},
                                        {"G", UINT64_C(1000000000)},
                                        {"T", UINT64_C(1000000000000)},
                                        {NULL, 0}};
    if (!parse_with_units(text, units, count))
        return err_set(err, ERR_USAGE,
                       "'%s' is no count; write a whole number such as 1000, 20k, 5M or 1G", text);
    return 0;
}

int parse_size(const char *text, uint64_t *size_bytes, struct err *err)
{
    static const struct unit units[] = {
        {"", 1},
        {"k", UINT64_C(1000)},
        {"M", UINT64_C(1000000)},
        {"G", UINT64_C(1000000000)},
        {"T", UINT64_C(1000000000000)},
        {"Ki", UINT64_C(1) << 10},
        {"Mi", UINT64_C(1) << 20},
        {"Gi", UINT64_C(1) << 30},
        {"Ti", UINT64_C(1) << 40},
        {NULL, 0},
    };
    if (!parse_with_units(text, units, size_bytes))
        return err_set(err, ERR_USAGE,
                       "'%s' is no size; write bytes such as 4096, 100G, 4Ki or 64Mi", text);
    return 0;
}

int parse_duration(const char *text, int64_t *duration_ns, struct err *err)
{
    static const struct unit units[] = {{"ms", UINT64_C(1000000)},
                                        {"s", UINT64_C(1000000000)},
                                        {"m", UINT64_C(60000000000)},
                                        {"h", UINT64_C(3600000000000)},
                                        {NULL, 0}};
    uint64_t ns = 0;
    if (strcmp(text, "0") != 0 && (!parse_with_units(text, units, &ns) || ns > INT64_MAX))
        return err_set(err, ERR_USAGE,
                       "'%s' is no duration; write a number with its unit, such as 100ms, 3s, "
                       "1.5s, 5m or 2h",
                       text);
    *duration_ns = (int64_t)ns;
    return 0;
}

int parse_share(const char *text, double *share, struct err *err)
{
    struct decimal decimal;
    if (!read_decimal(text, &decimal) || strcmp(decimal.unit, "%") != 0 || decimal.whole > 100 ||
        (decimal.whole == 100 && decimal.fraction != 0))
        return err_set(err, ERR_USAGE, "'%s' is no share; write 0%% to 100%%, with the sign", text);
    double power = (double)decimal.power;
    *share = ((double)decimal.whole * power + (double)decimal.fraction) / (100 * power);
    return 0;
}

int parse_integer(const char *text, int64_t *value, struct err *err)
{
    bool negative = *text == '-';
    struct decimal decimal;
    const uint64_t limit = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    if (!read_decimal(text + negative, &decimal) || *decimal.unit != '\0' ||
        strchr(text, '.') != NULL || decimal.whole > limit)
        return err_set(err, ERR_USAGE, "'%s' is no whole number", text);
    if (!negative)
        *value = (int64_t)decimal.whole;
    else
        *value = decimal.whole == limit ? INT64_MIN : -(int64_t)decimal.whole;
    return 0;
}

/* [-]digits[.digits][e[+-]digits]: strtod alone would take blanks, "inf" and "0x1p3". */
static bool looks_like_number(const char *text)
{
    text += *text == '-';
    if (!is_digit(*text))
        return false;
    while (is_digit(*text))
        text++;
    if (*text == '.') {
        if (!is_digit(*++text))
            return false;
        while (is_digit(*text))
            text++;
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '+' || *text == '-';
        if (!is_digit(*text))
            return false;
        while (is_digit(*text))
            text++;
    }
    return *text == '\0';
}

int parse_number(const char *text, double *value, struct err *err)
{
    double number = NAN;
    if (looks_like_number(text)) {
        /* The decimal sign is a point in every locale. */
        locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        number = strtod_l(text, NULL, c_locale);
        freelocale(c_locale);
    }
    if (!isfinite(number))
        return err_set(err, ERR_USAGE, "'%s' is no number; write one such as 250 or 0.5", text);
    *value = number;
    return 0;
}
