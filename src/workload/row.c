#include "workload/row.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum {
    /* Not zero: drives and file systems treat blocks of zeros apart. */
    ROW_FILL = 0x5A,
    /* The payload's words follow the longest list of keys, so that it does not depend on the
     * number of indexes. */
    ROW_PAYLOAD_WORD = ROW_KEYS_MAX,
};

static inline uint64_t row_state(const struct row_shape *shape, unsigned stream, uint64_t sequence)
{
    return rng_mix64(rng_mix64(shape->seed + RNG_STEP) ^ (uint64_t)row_id(stream, sequence));
}

/* Words are taken by number, not one from another: the CPU makes several at a time. */
static inline uint64_t row_word(uint64_t state, uint64_t number)
{
    return rng_mix64(state + (number + 1) * RNG_STEP);
}

void row_make(const struct row_shape *shape, unsigned stream, uint64_t sequence, int32_t *keys,
              unsigned char *payload)
{
    const uint64_t state = row_state(shape, stream, sequence);
    for (unsigned i = 0; i < shape->key_columns; i++)
        keys[i] = (int32_t)(row_word(state, i) >> 33);
    if (shape->payload_bytes == 0)
        return;

    const size_t words = shape->random_bytes / sizeof(uint64_t);
    const size_t rest = shape->random_bytes % sizeof(uint64_t);
    unsigned char *at = payload;
    uint64_t number = ROW_PAYLOAD_WORD;
    for (size_t i = 0; i < words; i++, at += sizeof(uint64_t)) {
        uint64_t word = htole64(row_word(state, number++));
        memcpy(at, &word, sizeof word);
    }
    if (rest > 0) {
        uint64_t word = htole64(row_word(state, number));
        memcpy(at, &word, rest);
        at += rest;
    }
    if (shape->random_bytes < shape->payload_bytes)
        memset(at, ROW_FILL, shape->payload_bytes - shape->random_bytes);
}

bool row_is_of(const struct row_shape *shape, const struct row *row, unsigned stream,
               uint64_t sequence, unsigned char *scratch)
{
    if (row->stream != (int64_t)stream || row->payload.size != shape->payload_bytes)
        return false;
    int32_t keys[ROW_KEYS_MAX];
    row_make(shape, stream, sequence, keys, scratch);
    for (unsigned i = 0; i < shape->key_columns; i++)
        if (row->keys[i] != keys[i])
            return false;
    return shape->payload_bytes == 0 ||
           memcmp(row->payload.data, scratch, shape->payload_bytes) == 0;
}

bool row_is_right(const struct row_shape *shape, const struct row *row, unsigned char *scratch)
{
    const int64_t stream = row_id_stream(row->id);
    return stream >= 0 && stream < ROW_STREAM_BASE &&
           row_is_of(shape, row, (unsigned)stream, row_id_sequence(row->id), scratch);
}

static size_t batch_capacity(size_t payload_bytes)
{
    size_t rows = payload_bytes == 0 ? ROW_BATCH_ROWS : ROW_BATCH_BYTES / payload_bytes;
    return rows < 1 ? 1 : rows > ROW_BATCH_ROWS ? ROW_BATCH_ROWS : rows;
}

struct row_batch *row_batch_create(const struct row_shape *shape, unsigned stream)
{
    struct row_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL)
        return NULL;
    batch->capacity = batch_capacity(shape->payload_bytes);
    batch->stream = stream;
    batch->key_columns = shape->key_columns;
    batch->payload_bytes = shape->payload_bytes;
    const size_t payloads_bytes = batch->capacity * batch->payload_bytes;
    batch->ids = calloc(batch->capacity, sizeof *batch->ids);
    batch->keys = calloc(batch->capacity * batch->key_columns, sizeof *batch->keys);
    batch->payloads = malloc(payloads_bytes > 0 ? payloads_bytes : 1);
    if (batch->ids == NULL || batch->keys == NULL || batch->payloads == NULL) {
        row_batch_destroy(batch);
        return NULL;
    }
    /* Touched now, so that no page is faulted in while the clock runs. */
    memset(batch->payloads, ROW_FILL, payloads_bytes);
    return batch;
}

void row_batch_destroy(struct row_batch *batch)
{
    if (batch == NULL)
        return;
    free(batch->ids);
    free(batch->keys);
    free(batch->payloads);
    free(batch);
}

void row_batch_add_as(struct row_batch *batch, const struct row_shape *shape, int64_t id,
                      uint64_t sequence)
{
    const size_t i = batch->count;
    row_make(shape, (unsigned)batch->stream, sequence, batch->keys + i * batch->key_columns,
             batch->payloads + i * batch->payload_bytes);
    batch->ids[i] = id;
    batch->count = i + 1;
}

void row_batch_add(struct row_batch *batch, const struct row_shape *shape, uint64_t sequence)
{
    row_batch_add_as(batch, shape, row_id((unsigned)batch->stream, sequence), sequence);
}
