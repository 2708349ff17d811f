#include "page/packed.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "measure/base64.h"

#define WHOLE_MOST 1125899906842624.0 /* 2^50: zigzag of a difference is exact in a double */

enum { NUMBER_BYTES = 10 };

static void reserve(struct packed *packed, size_t more)
{
    if (packed->capacity - packed->size >= more)
        return;
    packed->capacity = 2 * packed->capacity + more + 64;
    packed->data = realloc(packed->data, packed->capacity);
    if (packed->data == NULL)
        abort();
}

void packed_bytes(struct packed *packed, const void *data, size_t size)
{
    reserve(packed, size);
    if (size > 0)
        memcpy(packed->data + packed->size, data, size);
    packed->size += size;
}

static void put_number(struct packed *packed, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        packed->data[packed->size++] = (unsigned char)(number | 0x80);
    packed->data[packed->size++] = (unsigned char)number;
}

/* False: it is not known, or too large for whole numbers. */
static bool whole_of(double value, enum packed_kind kind, double scale, int64_t *whole)
{
    if (kind == PACKED_LOG && !(value > 0))
        return false;
    double steps = round((kind == PACKED_LOG ? log(value) : value) / scale);
    if (!(fabs(steps) <= WHOLE_MOST))
        return false;
    *whole = (int64_t)steps;
    return true;
}

size_t packed_column(struct packed *packed, const double *values, size_t count,
                     enum packed_kind kind, double scale)
{
    size_t before = packed->size;
    int64_t last = 0, whole;
    for (size_t i = 0; i < count; i++) {
        reserve(packed, NUMBER_BYTES);
        if (!whole_of(values[i], kind, scale, &whole)) {
            put_number(packed, 0);
            continue;
        }
        int64_t step = whole - last;
        uint64_t zigzag = ((uint64_t)step << 1) ^ (step < 0 ? UINT64_MAX : 0);
        put_number(packed, zigzag + 1);
        last = whole;
    }
    return packed->size - before;
}

char *packed_text(const struct packed *packed)
{
    uLong room = compressBound((uLong)packed->size);
    uLongf size = room;
    unsigned char *small = malloc(room);
    char *text = malloc(base64_room(room));
    if (small == NULL || text == NULL ||
        compress2(small, &size, packed->data ? packed->data : (const Bytef *)"",
                  (uLong)packed->size, Z_DEFAULT_COMPRESSION) != Z_OK)
        abort();
    base64_encode(small, size, text);
    free(small);
    return text;
}

void packed_release(struct packed *packed)
{
    free(packed->data);
    *packed = (struct packed){.data = NULL};
}
