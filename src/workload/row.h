/* row.h - rows, and how they are made.
 *
 * A row is a pure function of (seed, stream, sequence): it is the same in every engine,
 * layout and trial, and can be made again to verify what an engine gives back.
 *
 *     id      = (2^14 + stream) x 2^38 + sequence     below 2^53, always one width
 *     stream  = number of the stream
 *     k1..kn  = random 31-bit numbers
 *     payload = random bytes, then a constant tail (row.compressible)
 *
 * With row.keys = overlapping the id is one of a common set, and the rest that of (stream,
 * sequence): so the row tells who wrote it last.
 *
 * No allocation after row_batch_create(). */
#ifndef WORKLOAD_ROW_H
#define WORKLOAD_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

enum {
    ROW_KEYS_MAX = 16,      /* key columns */
    ROW_BATCH_ROWS = 256,   /* most rows in a batch */
    ROW_BATCH_BYTES = 32768 /* most payload bytes in a batch of more than one row */
};
#define ROW_SEQUENCE_BITS  38
#define ROW_SEQUENCE_LIMIT (INT64_C(1) << ROW_SEQUENCE_BITS)
#define ROW_STREAM_BASE    (INT64_C(1) << 14)

struct row_shape {
    uint64_t seed;
    unsigned key_columns; /* 1 to ROW_KEYS_MAX */
    size_t payload_bytes;
    size_t random_bytes; /* the rest of the payload is constant */
};

/* One row, as scan() shows it: memory belongs to whoever shows it. */
struct row {
    int64_t id;
    int64_t stream;
    const int64_t *keys; /* key_columns of them */
    struct bytes payload;
};

/* Up to ROW_BATCH_ROWS rows of one stream, as arrays.  For remove() and read() only
 * `ids` is filled. */
struct row_batch {
    size_t count;
    size_t capacity; /* rows that fit: at least 1 */
    int64_t stream;
    unsigned key_columns;
    size_t payload_bytes;
    int64_t *ids;            /* [count] */
    int32_t *keys;           /* [count][key_columns] */
    unsigned char *payloads; /* [count][payload_bytes] */
};

static inline int64_t row_id(unsigned stream, uint64_t sequence)
{
    return ((ROW_STREAM_BASE + (int64_t)stream) << ROW_SEQUENCE_BITS) + (int64_t)sequence;
}
static inline int64_t row_id_stream(int64_t id)
{
    return (id >> ROW_SEQUENCE_BITS) - ROW_STREAM_BASE;
}
static inline uint64_t row_id_sequence(int64_t id)
{
    return (uint64_t)id & ((UINT64_C(1) << ROW_SEQUENCE_BITS) - 1);
}

/* Bytes that a row holds as a person counts them: 8 + 4 + 4 x key columns + payload. */
static inline uint64_t row_bytes(const struct row_shape *shape)
{
    return 12 + 4 * (uint64_t)shape->key_columns + shape->payload_bytes;
}

/* Fills keys[key_columns] and payload[payload_bytes]. */
void row_make(const struct row_shape *shape, unsigned stream, uint64_t sequence, int32_t *keys,
              unsigned char *payload);
/* Does it hold, but for its id, what the seed makes for (stream, sequence)?  `scratch` holds
 * payload_bytes. */
bool row_is_of(const struct row_shape *shape, const struct row *row, unsigned stream,
               uint64_t sequence, unsigned char *scratch);
/* Is this row, stream column and all, what the seed makes for its id? `scratch` holds
 * payload_bytes. */
bool row_is_right(const struct row_shape *shape, const struct row *row, unsigned char *scratch);

/* Heap; NULL when memory is out.  Empty (count 0). */
struct row_batch *row_batch_create(const struct row_shape *shape, unsigned stream);
void row_batch_destroy(struct row_batch *batch);
/* Appends one row, made from the seed, or its id alone.  The batch must have room. */
void row_batch_add(struct row_batch *batch, const struct row_shape *shape, uint64_t sequence);
static inline void row_batch_add_id(struct row_batch *batch, uint64_t sequence)
{
    batch->ids[batch->count++] = row_id((unsigned)batch->stream, sequence);
}
/* The same under an id that is not the one of (stream, sequence); an id alone. */
void row_batch_add_as(struct row_batch *batch, const struct row_shape *shape, int64_t id,
                      uint64_t sequence);
static inline void row_batch_add_key(struct row_batch *batch, int64_t id)
{
    batch->ids[batch->count++] = id;
}
static inline const unsigned char *row_batch_payload(const struct row_batch *batch, size_t i)
{
    return batch->payloads + i * batch->payload_bytes;
}
static inline const int32_t *row_batch_keys(const struct row_batch *batch, size_t i)
{
    return batch->keys + i * batch->key_columns;
}

#endif
