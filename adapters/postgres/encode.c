#include "postgres/encode.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum {
    OID_BYTEA = 17,
    OID_INT8 = 20,
    OID_INT4 = 23,
    ARRAY_HEAD = 20,
    COPY_HEAD = 19,
    COPY_TAIL = 2,
};

static unsigned char *put16(unsigned char *at, uint16_t value)
{
    value = htobe16(value);
    memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static unsigned char *put32(unsigned char *at, uint32_t value)
{
    value = htobe32(value);
    memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static unsigned char *put64(unsigned char *at, uint64_t value)
{
    value = htobe64(value);
    memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static void parameter(struct postgres_encode *encode, const unsigned char *value, size_t size)
{
    assert(encode->count < POSTGRES_PARAMETERS);
    encode->values[encode->count] = (const char *)value;
    encode->lengths[encode->count++] = (int)size;
}

static size_t array_capacity(size_t payload_bytes)
{
    size_t rows = POSTGRES_ARRAY_BYTES / (4 + payload_bytes);
    return rows < 1 ? 1 : rows > POSTGRES_ARRAY_ROWS ? POSTGRES_ARRAY_ROWS : rows;
}

static bool make_row_arrays(struct postgres_encode *encode)
{
    encode->capacity = array_capacity(encode->payload_bytes);
    encode->payloads = malloc(ARRAY_HEAD + encode->capacity * (4 + encode->payload_bytes));
    bool made = encode->payloads != NULL;
    for (unsigned key = 0; key < encode->key_columns; key++) {
        encode->key_arrays[key] = malloc(ARRAY_HEAD + encode->capacity * (4 + 4));
        made = made && encode->key_arrays[key] != NULL;
    }
    return made;
}

struct postgres_encode *postgres_encode_create(const struct row_shape *shape, unsigned parts)
{
    struct postgres_encode *encode = calloc(1, sizeof *encode);
    if (encode == NULL)
        return NULL;
    encode->key_columns = shape->key_columns;
    encode->payload_bytes = shape->payload_bytes;
    encode->capacity = POSTGRES_ARRAY_ROWS;
    for (int i = 0; i < POSTGRES_PARAMETERS; i++)
        encode->formats[i] = 1;
    bool made = true;
    if ((parts & POSTGRES_ENCODE_KEEP) != 0) {
        encode->kept = malloc(shape->payload_bytes + 1);
        made = encode->kept != NULL;
    }
    if ((parts & POSTGRES_ENCODE_ROW_ARRAYS) != 0)
        made = make_row_arrays(encode) && made;
    if ((parts & (POSTGRES_ENCODE_ROW_ARRAYS | POSTGRES_ENCODE_ID_ARRAY)) != 0) {
        encode->ids = malloc(ARRAY_HEAD + encode->capacity * (4 + 8));
        made = made && encode->ids != NULL;
    }
    if ((parts & POSTGRES_ENCODE_COPY) != 0) {
        encode->copy = malloc(POSTGRES_COPY_BYTES);
        made = made && encode->copy != NULL;
    }
    if (!made) {
        postgres_encode_destroy(encode);
        return NULL;
    }
    return encode;
}

void postgres_encode_destroy(struct postgres_encode *encode)
{
    if (encode == NULL)
        return;
    for (unsigned key = 0; key < ROW_KEYS_MAX; key++)
        free(encode->key_arrays[key]);
    free(encode->ids);
    free(encode->payloads);
    free(encode->copy);
    free(encode->kept);
    free(encode);
}

void postgres_encode_row(struct postgres_encode *encode, const struct row_batch *rows, size_t i)
{
    const int32_t *keys = row_batch_keys(rows, i);
    encode->count = 0;
    put64(encode->id, (uint64_t)rows->ids[i]);
    put32(encode->stream, (uint32_t)rows->stream);
    parameter(encode, encode->id, sizeof encode->id);
    parameter(encode, encode->stream, sizeof encode->stream);
    for (unsigned key = 0; key < encode->key_columns; key++) {
        put32(encode->keys[key], (uint32_t)keys[key]);
        parameter(encode, encode->keys[key], sizeof encode->keys[key]);
    }
    parameter(encode, row_batch_payload(rows, i), encode->payload_bytes);
}

void postgres_encode_keep(struct postgres_encode *encode, const struct row_batch *rows, size_t i)
{
    postgres_encode_row(encode, rows, i);
    memcpy(encode->kept, row_batch_payload(rows, i), encode->payload_bytes);
    encode->values[encode->count - 1] = (const char *)encode->kept;
}

void postgres_encode_id(struct postgres_encode *encode, int64_t id)
{
    encode->count = 0;
    put64(encode->id, (uint64_t)id);
    parameter(encode, encode->id, sizeof encode->id);
}

void postgres_encode_range(struct postgres_encode *encode, int64_t first, int64_t last)
{
    postgres_encode_id(encode, first);
    put64(encode->last, (uint64_t)last);
    parameter(encode, encode->last, sizeof encode->last);
}

static void add_id(struct postgres_encode *encode, int64_t id)
{
    unsigned char *at = encode->ids + ARRAY_HEAD + encode->rows * (4 + 8);
    put64(put32(at, 8), (uint64_t)id);
}

size_t postgres_encode_add_rows(struct postgres_encode *encode, const struct row_batch *rows,
                                size_t from)
{
    size_t i = from;
    for (; i < rows->count && encode->rows < encode->capacity; i++) {
        const int32_t *keys = row_batch_keys(rows, i);
        size_t bytes = encode->payload_bytes;
        add_id(encode, rows->ids[i]);
        for (unsigned key = 0; key < encode->key_columns; key++) {
            unsigned char *at = encode->key_arrays[key] + ARRAY_HEAD + encode->rows * (4 + 4);
            put32(put32(at, 4), (uint32_t)keys[key]);
        }
        unsigned char *at = encode->payloads + ARRAY_HEAD + encode->rows * (4 + bytes);
        memcpy(put32(at, (uint32_t)bytes), row_batch_payload(rows, i), bytes);
        encode->rows++;
    }
    put32(encode->stream, (uint32_t)rows->stream);
    return i - from;
}

size_t postgres_encode_add_ids(struct postgres_encode *encode, const struct row_batch *keys,
                               size_t from)
{
    size_t i = from;
    for (; i < keys->count && encode->rows < encode->capacity; i++) {
        add_id(encode, keys->ids[i]);
        encode->rows++;
    }
    return i - from;
}

static void array(struct postgres_encode *encode, unsigned char *array, uint32_t type,
                  size_t element_bytes)
{
    unsigned char *at = put32(array, 1);
    at = put32(at, 0);
    at = put32(at, type);
    at = put32(at, (uint32_t)encode->rows);
    put32(at, 1);
    parameter(encode, array, ARRAY_HEAD + encode->rows * (4 + element_bytes));
}

void postgres_encode_row_arrays(struct postgres_encode *encode)
{
    encode->count = 0;
    array(encode, encode->ids, OID_INT8, 8);
    parameter(encode, encode->stream, sizeof encode->stream);
    for (unsigned key = 0; key < encode->key_columns; key++)
        array(encode, encode->key_arrays[key], OID_INT4, 4);
    array(encode, encode->payloads, OID_BYTEA, encode->payload_bytes);
    encode->rows = 0;
}

void postgres_encode_id_array(struct postgres_encode *encode)
{
    encode->count = 0;
    array(encode, encode->ids, OID_INT8, 8);
    encode->rows = 0;
}

void postgres_encode_copy_begin(struct postgres_encode *encode)
{
    static const unsigned char head[COPY_HEAD] = "PGCOPY\n\377\r\n"; /* with its NUL; no flags */
    memcpy(encode->copy, head, sizeof head);
    encode->copied = sizeof head;
}

/* A row's bytes before those of its payload. */
static size_t head_bytes(const struct postgres_encode *encode)
{
    return 2 + (4 + 8) + (4 + 4) + (4 + 4) * (size_t)encode->key_columns + 4;
}

bool postgres_encode_copy_is_large(const struct postgres_encode *encode)
{
    return encode->payload_bytes > POSTGRES_COPY_BYTES / 4;
}

bool postgres_encode_copy_head(struct postgres_encode *encode, const struct row_batch *rows,
                               size_t i)
{
    const int32_t *keys = row_batch_keys(rows, i);
    if (encode->copied + head_bytes(encode) > POSTGRES_COPY_BYTES)
        return false;
    unsigned char *at = put16(encode->copy + encode->copied, (uint16_t)(3 + encode->key_columns));
    at = put64(put32(at, 8), (uint64_t)rows->ids[i]);
    at = put32(put32(at, 4), (uint32_t)rows->stream);
    for (unsigned key = 0; key < encode->key_columns; key++)
        at = put32(put32(at, 4), (uint32_t)keys[key]);
    at = put32(at, (uint32_t)encode->payload_bytes);
    encode->copied = (size_t)(at - encode->copy);
    return true;
}

bool postgres_encode_copy_row(struct postgres_encode *encode, const struct row_batch *rows,
                              size_t i)
{
    if (encode->copied + head_bytes(encode) + encode->payload_bytes > POSTGRES_COPY_BYTES)
        return false;
    postgres_encode_copy_head(encode, rows, i);
    memcpy(encode->copy + encode->copied, row_batch_payload(rows, i), encode->payload_bytes);
    encode->copied += encode->payload_bytes;
    return true;
}

bool postgres_encode_copy_end(struct postgres_encode *encode)
{
    if (encode->copied + COPY_TAIL > POSTGRES_COPY_BYTES)
        return false;
    put16(encode->copy + encode->copied, UINT16_MAX);
    encode->copied += COPY_TAIL;
    return true;
}
