/* encode.h - rows in PostgreSQL's binary formats: parameters of one row, arrays of columns, and the
 * stream of COPY.
 *
 * Integers are sent in network order, a bytea as its bytes.  An array is: dimensions, has-NULL
 * flag, element type, length, lower bound (32 bits each), then each element behind its length
 * (array_recv).  COPY is: signature, flags, length of an extension, then for each row the number
 * of fields (16 bits) and each field behind its length, then -1 (PostgreSQL's manual, COPY, "Binary
 * Format").
 *
 * Owned by one stream.  No allocation after postgres_encode_create(). */
#ifndef ADAPTERS_POSTGRES_ENCODE_H
#define ADAPTERS_POSTGRES_ENCODE_H

#include "workload/row.h"

enum {
    POSTGRES_ARRAY_ROWS = 1000,         /* most rows in a statement with arrays */
    POSTGRES_ARRAY_BYTES = 1024 * 1024, /* most payload bytes in one of more than one row */
    /* COPY's buffer, sent as one message.  From 128 KiB on the server's malloc keeps the memory of
     * a COPY for the next one: measured with 1,000 rows of 100 bytes a transaction that is 1.1 to
     * 1.4 times as many rows as with 64 KiB. */
    POSTGRES_COPY_BYTES = 192 * 1024,
    POSTGRES_PIPELINE_MAX = 512, /* most statements without an answer */
    POSTGRES_PARAMETERS = 3 + ROW_KEYS_MAX,
};

/* What a stream will send: what is not needed takes no memory. */
enum postgres_encode_parts {
    POSTGRES_ENCODE_KEEP = 1 << 0,       /* postgres_encode_keep() */
    POSTGRES_ENCODE_ROW_ARRAYS = 1 << 1, /* postgres_encode_add_rows() */
    POSTGRES_ENCODE_ID_ARRAY = 1 << 2,   /* postgres_encode_add_ids() */
    POSTGRES_ENCODE_COPY = 1 << 3,       /* postgres_encode_copy() */
};

struct postgres_encode {
    unsigned key_columns;
    size_t payload_bytes;
    /* Parameters as libpq takes them; what `values` points to is below, or the batch's. */
    int count;
    const char *values[POSTGRES_PARAMETERS];
    int lengths[POSTGRES_PARAMETERS];
    int formats[POSTGRES_PARAMETERS]; /* all 1: binary */
    /* One row, or the two ends of a range of ids. */
    unsigned char id[8], last[8], stream[4], keys[ROW_KEYS_MAX][4];
    unsigned char *kept; /* a payload */
    /* Arrays: `rows` of at most `capacity`. */
    size_t rows, capacity;
    unsigned char *ids, *key_arrays[ROW_KEYS_MAX], *payloads;
    unsigned char *copy; /* `copied` bytes of POSTGRES_COPY_BYTES */
    size_t copied;
    int64_t sent[POSTGRES_PIPELINE_MAX]; /* ids in a pipeline, a ring */
};

/* Heap; NULL when memory is out. */
struct postgres_encode *postgres_encode_create(const struct row_shape *shape, unsigned parts);
void postgres_encode_destroy(struct postgres_encode *encode);

/* id, stream, keys, payload of row `i`; its payload must live until the parameters are sent. */
void postgres_encode_row(struct postgres_encode *encode, const struct row_batch *rows, size_t i);
/* The same, the payload copied. */
void postgres_encode_keep(struct postgres_encode *encode, const struct row_batch *rows, size_t i);
/* One id; two ids. */
void postgres_encode_id(struct postgres_encode *encode, int64_t id);
void postgres_encode_range(struct postgres_encode *encode, int64_t first, int64_t last);

/* Adds what fits of batch[from ..] to the arrays, and returns how many rows that were. */
size_t postgres_encode_add_rows(struct postgres_encode *encode, const struct row_batch *rows,
                                size_t from);
size_t postgres_encode_add_ids(struct postgres_encode *encode, const struct row_batch *keys,
                               size_t from);
/* The arrays as parameters (ids, stream, keys, payloads; or ids alone); the next add begins anew.
 */
void postgres_encode_row_arrays(struct postgres_encode *encode);
void postgres_encode_id_array(struct postgres_encode *encode);

/* COPY's buffer, emptied by `copied = 0`.  False: no room, nothing was added. */
void postgres_encode_copy_begin(struct postgres_encode *encode);
bool postgres_encode_copy_row(struct postgres_encode *encode, const struct row_batch *rows,
                              size_t i);
/* A payload that is too large for the buffer is sent after what stands before it. */
bool postgres_encode_copy_is_large(const struct postgres_encode *encode);
bool postgres_encode_copy_head(struct postgres_encode *encode, const struct row_batch *rows,
                               size_t i);
bool postgres_encode_copy_end(struct postgres_encode *encode);

#endif
