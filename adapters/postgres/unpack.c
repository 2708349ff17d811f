#include "postgres/unpack.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char signature[] = "PGCOPY\n\377\r\n"; /* and its NUL */

enum {
    SIGNATURE_BYTES = sizeof signature,
    HEADER_BYTES = SIGNATURE_BYTES + 8, /* flags, length of what an extension adds */
    ADDED_MAX = 1 << 20,
};

struct reader {
    const unsigned char *at;
    size_t left;
};

enum step { STEP_OK, STEP_SHORT, STEP_BROKEN };

void postgres_unpack_init(struct postgres_unpack *unpack, unsigned key_columns)
{
    *unpack = (struct postgres_unpack){.key_columns = key_columns};
}

void postgres_unpack_release(struct postgres_unpack *unpack)
{
    free(unpack->kept);
    unpack->kept = NULL;
    unpack->kept_size = unpack->kept_capacity = 0;
}

static enum step broken(struct postgres_unpack *unpack, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum step broken(struct postgres_unpack *unpack, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(unpack->problem, sizeof unpack->problem, format, args);
    va_end(args);
    return STEP_BROKEN;
}

/* Big-endian, two's complement. */
static bool read_number(struct reader *reader, size_t bytes, int64_t *value)
{
    uint64_t bits = 0;
    if (reader->left < bytes)
        return false;
    for (size_t i = 0; i < bytes; i++)
        bits = bits << 8 | reader->at[i];
    if (bytes < 8 && (bits >> (8 * bytes - 1)) != 0)
        bits |= ~UINT64_C(0) << (8 * bytes);
    reader->at += bytes;
    reader->left -= bytes;
    *value = (int64_t)bits;
    return true;
}

static enum step read_header(struct postgres_unpack *unpack, struct reader *reader)
{
    int64_t flags, added;
    size_t compared = reader->left < SIGNATURE_BYTES ? reader->left : SIGNATURE_BYTES;
    if (memcmp(reader->at, signature, compared) != 0)
        return broken(unpack, "the signature of a binary COPY is not there");
    if (reader->left < HEADER_BYTES)
        return STEP_SHORT;
    reader->at += SIGNATURE_BYTES;
    reader->left -= SIGNATURE_BYTES;
    read_number(reader, 4, &flags);
    read_number(reader, 4, &added);
    if ((flags & 0xffff0000) != 0)
        return broken(unpack, "flags %#" PRIx64 " of a binary COPY are not known", (uint64_t)flags);
    if (added < 0 || added > ADDED_MAX)
        return broken(unpack, "a binary COPY with %" PRId64 " bytes more in its header", added);
    if (reader->left < (size_t)added)
        return STEP_SHORT;
    reader->at += added;
    reader->left -= (size_t)added;
    unpack->begun = true;
    return STEP_OK;
}

/* A whole number of `bytes`; NULL is -1 and sets *null. */
static enum step read_field(struct postgres_unpack *unpack, struct reader *reader, size_t bytes,
                            int64_t *value, bool *null)
{
    int64_t length;
    if (!read_number(reader, 4, &length))
        return STEP_SHORT;
    if (length == -1) {
        *value = -1;
        *null = true;
        return STEP_OK;
    }
    if (length != (int64_t)bytes)
        return broken(unpack, "a number of %" PRId64 " bytes where %zu are right", length, bytes);
    return read_number(reader, bytes, value) ? STEP_OK : STEP_SHORT;
}

static enum step read_payload(struct postgres_unpack *unpack, struct reader *reader,
                              struct row *row, bool *null)
{
    int64_t length;
    if (!read_number(reader, 4, &length))
        return STEP_SHORT;
    if (length == -1) {
        row->payload.data = NULL;
        row->payload.size = 0;
        *null = true;
        return STEP_OK;
    }
    if (length < 0)
        return broken(unpack, "a payload of %" PRId64 " bytes", length);
    if (reader->left < (size_t)length)
        return STEP_SHORT;
    row->payload.data = reader->at;
    row->payload.size = (size_t)length;
    reader->at += length;
    reader->left -= (size_t)length;
    return STEP_OK;
}

/* *count -1: the trailer; else row and keys are filled. */
static enum step read_row(struct postgres_unpack *unpack, struct reader *reader, struct row *row,
                          int64_t keys[ROW_KEYS_MAX], int64_t *count)
{
    bool null = false;
    enum step step;
    if (!read_number(reader, 2, count))
        return STEP_SHORT;
    if (*count == -1)
        return STEP_OK;
    if (*count != 3 + (int64_t)unpack->key_columns)
        return broken(unpack, "a row of %" PRId64 " fields where %u are right", *count,
                      3 + unpack->key_columns);
    row->keys = keys;
    if ((step = read_field(unpack, reader, 8, &row->id, &null)) != STEP_OK ||
        (step = read_field(unpack, reader, 4, &row->stream, &null)) != STEP_OK)
        return step;
    for (unsigned key = 0; key < unpack->key_columns; key++)
        if ((step = read_field(unpack, reader, 4, &keys[key], &null)) != STEP_OK)
            return step;
    step = read_payload(unpack, reader, row, &null);
    if (null)
        row->stream = -1;
    return step;
}

/* What is complete; reader stands behind it. */
static enum postgres_unpack_end read_all(struct postgres_unpack *unpack, struct reader *reader,
                                         const struct row_visitor *visit)
{
    int64_t keys[ROW_KEYS_MAX], count = 0;
    if (!unpack->begun) {
        struct reader ahead = *reader;
        enum step step = read_header(unpack, &ahead);
        if (step != STEP_OK)
            return step == STEP_SHORT ? POSTGRES_UNPACK_MORE : POSTGRES_UNPACK_BROKEN;
        *reader = ahead;
    }
    for (;;) {
        struct reader ahead = *reader;
        struct row row;
        enum step step = read_row(unpack, &ahead, &row, keys, &count);
        if (step != STEP_OK)
            return step == STEP_SHORT ? POSTGRES_UNPACK_MORE : POSTGRES_UNPACK_BROKEN;
        *reader = ahead;
        if (count == -1) {
            unpack->done = true;
            if (reader->left == 0)
                return POSTGRES_UNPACK_DONE;
            broken(unpack, "%zu bytes behind the end of a binary COPY", reader->left);
            return POSTGRES_UNPACK_BROKEN;
        }
        if (!visit->row(visit->ctx, &row))
            return POSTGRES_UNPACK_STOPPED;
    }
}

static bool keep(struct postgres_unpack *unpack, const unsigned char *data, size_t size)
{
    size_t need = unpack->kept_size + size;
    if (need > unpack->kept_capacity) {
        size_t capacity = need < 4096 ? 4096 : 2 * need;
        unsigned char *larger = realloc(unpack->kept, capacity);
        if (larger == NULL)
            return false;
        unpack->kept = larger;
        unpack->kept_capacity = capacity;
    }
    memcpy(unpack->kept + unpack->kept_size, data, size);
    unpack->kept_size = need;
    return true;
}

enum postgres_unpack_end postgres_unpack_feed(struct postgres_unpack *unpack,
                                              const unsigned char *data, size_t size,
                                              const struct row_visitor *visit)
{
    struct reader reader = {.at = data, .left = size};
    enum postgres_unpack_end end;
    if (size == 0)
        return unpack->done ? POSTGRES_UNPACK_DONE : POSTGRES_UNPACK_MORE;
    if (unpack->done) {
        broken(unpack, "%zu bytes behind the end of a binary COPY", size);
        return POSTGRES_UNPACK_BROKEN;
    }
    if (unpack->kept_size != 0) {
        if (!keep(unpack, data, size)) {
            broken(unpack, "no memory for a row of %zu bytes", unpack->kept_size + size);
            return POSTGRES_UNPACK_BROKEN;
        }
        reader = (struct reader){.at = unpack->kept, .left = unpack->kept_size};
        end = read_all(unpack, &reader, visit);
        memmove(unpack->kept, reader.at, reader.left);
        unpack->kept_size = reader.left;
        return end;
    }
    end = read_all(unpack, &reader, visit);
    if (end == POSTGRES_UNPACK_MORE && reader.left != 0 && !keep(unpack, reader.at, reader.left)) {
        broken(unpack, "no memory for a row of %zu bytes", reader.left);
        return POSTGRES_UNPACK_BROKEN;
    }
    return end;
}
