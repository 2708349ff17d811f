/* plain_numbers.h - printf and strtod with a point, whatever the program's locale, for this thread
 * and until the end. */
#ifndef EXPORT_PLAIN_NUMBERS_H
#define EXPORT_PLAIN_NUMBERS_H

#include <locale.h>

#include "base/err.h"

struct plain_numbers {
    locale_t plain, before;
};

/* Fails only for want of memory; end it only if it did not. */
int plain_numbers_begin(struct plain_numbers *numbers, struct err *err);
void plain_numbers_end(struct plain_numbers *numbers);

#endif
