/* utf8.h - is this text UTF-8?  (RFC 3629: no overlong forms, no surrogates.)  Pure. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character at `text`, of which `size` (> 0) bytes are there; 0: it is none. */
size_t utf8_character(const char *text, size_t size);
/* Bytes at the start of `text` that are whole characters: `size` when all is well. */
size_t utf8_valid(const char *text, size_t size);

#endif
