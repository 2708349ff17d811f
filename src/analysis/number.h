/* number.h - numbers inside the sentences of findings.  Every function fills `out` and returns it;
 * NaN is "-".  Pure. */
#ifndef ANALYSIS_NUMBER_H
#define ANALYSIS_NUMBER_H

#include "base/format.h"

const char *number_decimals(struct format_text *out, double value); /* 2.06, 10.5, 1,234 */
const char *number_kib(struct format_text *out, double bytes);      /* 8704 -> 8.5 */
const char *number_percent(struct format_text *out, double share);  /* 0.84 -> 84% */
const char *number_ms(struct format_text *out, double ms);          /* 0.17, 19.2, 1,234 */

#endif
