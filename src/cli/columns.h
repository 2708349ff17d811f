/* columns.h - text as wide as a terminal shows it.  Pure but for the locale. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include <stddef.h>

/* Copies what fits into `limit` columns and `size` bytes, whole characters only; what cannot
 * be shown (control characters, bytes that are no text) becomes '?'.  Returns the columns. */
int columns_copy(char *out, size_t size, const char *text, int limit);

#endif
