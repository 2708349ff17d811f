/* format.h - numbers as people read them.  Every function fills `out` and returns it. */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

struct format_text {
    char text[48];
};

/* 1234567 -> "1,234,567".  NaN -> "-". */
const char *format_grouped(struct format_text *out, double value);
/* Three significant digits with k, M, G, T: 34700 -> "34.7k", 812 -> "812", 0.5 -> "0.50".  NaN ->
 * "-". */
const char *format_short(struct format_text *out, double value);
/* Fixed decimals: format_fixed(&t, 1.055, 2) -> "1.06".  NaN -> "-". */
const char *format_fixed(struct format_text *out, double value, int decimals);
/* Three significant digits whatever the size, no unit letter: 4.10, 24.5, 244. NaN -> "-". */
const char *format_digits(struct format_text *out, double value);
/* Bytes in powers of ten: 22000000000 -> "22 GB". */
const char *format_bytes(struct format_text *out, double bytes);
/* Seconds as "0.35 s", "42 s", "10 min", "2 h 05 min". */
const char *format_seconds(struct format_text *out, double seconds);

#endif
