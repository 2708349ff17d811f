/* base64.h - RFC 4648, standard alphabet with padding.  Pure. */
#ifndef MEASURE_BASE64_H
#define MEASURE_BASE64_H

#include <stddef.h>

/* Room for the text of `size` bytes and its NUL. */
static inline size_t base64_room(size_t size)
{
    return (size + 2) / 3 * 4 + 1;
}
void base64_encode(const unsigned char *data, size_t size, char *text);
/* Strict: whole groups, padding at the end only.  *size in: room, out: bytes.  0 or -1. */
int base64_decode(const char *text, unsigned char *data, size_t *size);

#endif
