/* unpack.h - rows out of what COPY .. TO STDOUT (FORMAT binary) sends.  Pure, but for its buffer.
 *
 * Takes the bytes in pieces of any size, and is strict: a signature, a field count or a length that
 * is not what it must be is told, never believed.  Format: PostgreSQL's documentation of COPY,
 * "Binary Format".  Owner: one scan. */
#ifndef ADAPTERS_POSTGRES_UNPACK_H
#define ADAPTERS_POSTGRES_UNPACK_H

#include "adapter.h"

enum postgres_unpack_end {
    POSTGRES_UNPACK_MORE,    /* all that was complete has been shown */
    POSTGRES_UNPACK_DONE,    /* the trailer was there */
    POSTGRES_UNPACK_STOPPED, /* the visitor has seen enough */
    POSTGRES_UNPACK_BROKEN,  /* not this format: postgres_unpack.problem */
};

struct postgres_unpack {
    unsigned key_columns;
    bool begun, done;
    unsigned char *kept; /* heap: the beginning of a row whose end has not come */
    size_t kept_size, kept_capacity;
    char problem[128];
};

void postgres_unpack_init(struct postgres_unpack *unpack, unsigned key_columns);
void postgres_unpack_release(struct postgres_unpack *unpack);
/* A NULL in a row makes its stream -1, which no row of ours has. */
enum postgres_unpack_end postgres_unpack_feed(struct postgres_unpack *unpack,
                                              const unsigned char *data, size_t size,
                                              const struct row_visitor *visit);

#endif
