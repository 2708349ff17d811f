/* decimal.h - a number as JSON writes it, fast.  Strict: no plus sign, no zeros in front, digits on
 * both sides of a point; integers within 64 bits, reals below infinity.  Reals are exact to the
 * last bit. Pure; LC_NUMERIC must be C. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

struct decimal {
    bool is_integer; /* neither point nor exponent */
    int64_t integer;
    double real; /* of what is no integer */
};

static inline bool decimal_begins(char c)
{
    return c == '-' || (c >= '0' && c <= '9');
}

/* Takes the number that begins at *at (before `end`) and puts *at behind it.  False: there is none,
 * or it reaches to `end`, where nobody can say that it is all. */
bool decimal_read(const char **at, const char *end, struct decimal *number);

#endif
