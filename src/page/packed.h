/* packed.h - numbers and texts made small for a page: zlib's format in base64, which a browser
 * unpacks itself (DecompressionStream "deflate").
 *
 * A column is a list of numbers as whole multiples of its scale, or of the logarithm's: each as
 * the difference to the one before it that was known, as unsigned LEB128 of zigzag(difference) + 1;
 * 0 stands for a number that is not known. */
#ifndef PAGE_PACKED_H
#define PAGE_PACKED_H

#include <stddef.h>
#include <stdint.h>

enum packed_kind {
    PACKED_LINEAR, /* value = whole x scale */
    PACKED_LOG,    /* value = exp(whole x scale); values of 0 and less are not known */
};

struct packed {
    unsigned char *data;
    size_t size, capacity;
};

/* Appends a column; NaN is not known.  Returns the bytes that it took.  Aborts when memory is out.
 */
size_t packed_column(struct packed *packed, const double *values, size_t count,
                     enum packed_kind kind, double scale);
void packed_bytes(struct packed *packed, const void *data, size_t size);
/* All of it, compressed, in base64; heap.  Aborts when memory is out. */
char *packed_text(const struct packed *packed);
void packed_release(struct packed *packed);

#endif
