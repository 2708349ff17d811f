#include "base/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Above this a number is shown with an exponent: no figure of ours is as large. */
#define PLAIN_LIMIT 1e18

static const char *put(struct format_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *put(struct format_text *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out->text, sizeof out->text, format, args);
    va_end(args);
    return out->text;
}

/* Numbers that have no plain form; NULL: this one has. */
static const char *put_special(struct format_text *out, double value)
{
    if (isnan(value))
        return put(out, "-");
    if (fabs(value) >= PLAIN_LIMIT)
        return put(out, "%.2e", value);
    return NULL;
}

const char *format_grouped(struct format_text *out, double value)
{
    if (put_special(out, value) != NULL)
        return out->text;
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t count = strlen(digits);
    size_t at = 0;
    if (value < 0 && strcmp(digits, "0") != 0)
        out->text[at++] = '-';
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            out->text[at++] = ',';
        out->text[at++] = digits[i];
    }
    out->text[at] = '\0';
    return out->text;
}

/* Rounded to three significant digits. */
static double round_to_three(double value)
{
    if (value == 0)
        return 0;
    double unit = pow(10, floor(log10(fabs(value))) - 2);
    return unit >= 1 ? round(value / unit) * unit : round(value * (1 / unit)) / (1 / unit);
}

/* Decimals that show three significant digits of a rounded number. */
static int decimals_for_three(double rounded)
{
    double size = fabs(rounded);
    int decimals = 2;
    for (; decimals > 0 && size >= 9.9999999; size /= 10)
        decimals--;
    for (; size != 0 && size < 0.99999999 && decimals < 12; size *= 10)
        decimals++;
    return decimals;
}

const char *format_short(struct format_text *out, double value)
{
    static const char *const letters[] = {"", "k", "M", "G", "T"};
    if (put_special(out, value) != NULL)
        return out->text;
    if (value == 0)
        return put(out, "0");
    double rounded = round_to_three(value);
    if (fabs(rounded) < 1) {
        int decimals = decimals_for_three(rounded) - 1;
        return put(out, "%.*f", decimals < 2 ? 2 : decimals, value);
    }
    size_t letter = 0;
    for (; fabs(rounded) >= 1000 && letter + 1 < sizeof letters / sizeof *letters; letter++)
        rounded /= 1000;
    return put(out, "%.*f%s", decimals_for_three(rounded), rounded, letters[letter]);
}

const char *format_fixed(struct format_text *out, double value, int decimals)
{
    if (put_special(out, value) != NULL)
        return out->text;
    /* 1.055 is 1.05499... in binary: round the decimal number that a person means. */
    double power = pow(10, decimals);
    double rounded = round(value * power * (1 + 1e-14)) / power;
    return put(out, "%.*f", decimals, rounded == 0 ? 0 : rounded);
}

const char *format_digits(struct format_text *out, double value)
{
    if (put_special(out, value) != NULL)
        return out->text;
    if (value == 0)
        return put(out, "0");
    double rounded = round_to_three(value);
    if (fabs(rounded) >= 1000)
        return format_grouped(out, rounded);
    return put(out, "%.*f", decimals_for_three(rounded), rounded);
}

const char *format_bytes(struct format_text *out, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    if (put_special(out, bytes) != NULL)
        return out->text;
    double shown = bytes;
    size_t unit = 0;
    for (; round(fabs(shown)) >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++)
        shown /= 1000;
    bool one_decimal = unit > 0 && fabs(shown) < 9.95;
    return put(out, "%.*f %s", one_decimal ? 1 : 0, shown, units[unit]);
}

const char *format_seconds(struct format_text *out, double seconds)
{
    if (put_special(out, seconds) != NULL)
        return out->text;
    if (seconds < 0.00005)
        return put(out, "0 s");
    if (seconds < 0.00995)
        return put(out, "%.1f ms", seconds * 1000);
    if (seconds < 0.995)
        return put(out, "%.2f s", seconds);
    if (seconds < 9.95)
        return put(out, "%.1f s", seconds);
    if (seconds < 99.5)
        return put(out, "%.0f s", seconds);
    if (seconds < 9.95 * 60)
        return put(out, "%.1f min", seconds / 60);
    double minutes = round(seconds / 60);
    if (minutes < 60)
        return put(out, "%.0f min", minutes);
    return put(out, "%.0f h %02.0f min", floor(minutes / 60), fmod(minutes, 60));
}
