/* bytes.h - a view of bytes that someone else owns. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stddef.h>

struct bytes {
    const unsigned char *data;
    size_t size;
};

#endif
